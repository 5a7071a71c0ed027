import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.errors import FormatFault
from corpus.formats.log import file, log_schema
from corpus.formats.log.log_keys import LogKey, ValueKind
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.projection import logs_of
from corpus.formats.log.queries import after_error, outcome_of
from corpus.formats.log.timeline import Moment
from corpus.formats.safe_lines import escaped, plain
from session import events as e
from session.values.answers import FailureKind, OtherReading, Table
from session.values.vocabulary import Operator, Outcome
from tests import ROOT
from tests.corpus.sessions import SECRET, Script, whole_session

STAMPS_OF_1992 = ("Recording_begin", "Sentence_sent", "Answer_returned")
"""Start of speech recording, sending the sentence for processing, return of the answer (MADCOW 1992, section 2)."""
GOLDEN = ROOT / "tests" / "golden" / "corpus"
NASTY = st.text(st.characters(exclude_categories=())).map(lambda text: plain(escaped(text), "", 0))
MOMENTS = st.builds(Moment, st.integers(0, 4 * 10**15), st.none() | st.integers(0, 10**7))


def values_of(rule: LogKey) -> st.SearchStrategy[str]:
    match rule.kind:
        case ValueKind.TEXT | ValueKind.LINES:
            return NASTY
        case ValueKind.WORD:
            return st.text("abcXYZ019-_", min_size=1)
        case ValueKind.COUNT:
            return st.integers(0, 10**18).map(str)
        case ValueKind.CHOICE:
            return st.sampled_from(rule.choices)
        case ValueKind.FLAG:
            return st.just("")
        case ValueKind.TIME:
            return MOMENTS.map(str)


def attributes_of(rules: tuple[LogKey, ...]) -> st.SearchStrategy[tuple[tuple[str, str], ...]]:
    def some(rule: LogKey) -> st.SearchStrategy[list[tuple[str, str]]]:
        least, most = (0 if rule.optional else 1), (3 if rule.many else 1)
        return st.lists(st.tuples(st.just(rule.name), values_of(rule)), min_size=least, max_size=most)

    return st.tuples(*map(some, rules)).map(lambda groups: tuple(pair for group in groups for pair in group))


@st.composite
def records(draw: st.DrawFn) -> Record:
    key = draw(st.sampled_from(sorted(log_schema.RECORDS)))
    attributes = draw(attributes_of(log_schema.RECORDS[key].attributes))
    return Record(key, draw(MOMENTS), draw(st.sampled_from(["hub", "wizard"])), draw(st.booleans()), attributes)


BLOCKS = st.one_of(
    st.builds(
        RecordBlock,
        kind=st.just(BlockKind.UTTERANCE),
        records=st.lists(records(), max_size=3).map(tuple),
        number=st.integers(1, 36**2 - 1),
        take=st.just("T1"),
    ),
    st.builds(
        RecordBlock,
        kind=st.just(BlockKind.UNNUMBERED),
        records=st.lists(records(), max_size=2).map(tuple),
        take=st.just("T2"),
    ),
    st.builds(RecordBlock, kind=st.just(BlockKind.INDEPENDENT), records=st.lists(records(), max_size=2).map(tuple)),
)
LOGS = st.builds(Log, header=attributes_of(log_schema.HEADER), blocks=st.lists(BLOCKS, max_size=3).map(tuple))


def without_lines(log: Log) -> Log:
    blocks = tuple(
        msgspec.structs.replace(
            block, line=0, records=tuple(msgspec.structs.replace(record, line=0) for record in block.records)
        )
        for block in log.blocks
    )
    return Log(log.header, blocks)


def first_log() -> Log:
    return logs_of(whole_session().facts)[0].log


@given(LOGS)
def test_what_is_rendered_is_parsed_back_whatever_the_texts(log: Log) -> None:
    assert without_lines(file.parse(file.render(log), "x.log")) == log


@given(NASTY)
def test_no_text_creates_or_ends_a_line_a_record_or_a_block(text: str) -> None:
    script = Script()
    script.open()
    script.start("interviews", 1)
    script.speak("T1", 1, "placeholder")
    script.query("T1", "q1", text, Table((text,), ((text,), (None,))))
    script.add(e.CannedSent(reply="r1", take="T1", text=text, blanks=(text,), reason=text), "wizard")
    script.add(e.NoteWritten(text=text, take="T1"), "wizard")
    (written,) = logs_of(script.facts)
    log = file.parse(file.render(written.log), "x.log")
    assert [block.kind for block in log.blocks] == [BlockKind.INDEPENDENT, BlockKind.UTTERANCE]
    assert [record.key for record in log.blocks[1].records] == [
        *("Talk_pressed", "Recording_begin", "Talk_released", "Recording_end", "Take_confirmed", "Utterance_accepted"),
        *("Transcription_sent", "Transcription_shown", "Sentence_sent", "Query_returned", "Answer_previewed"),
        *("Answer_returned", "Note_written"),
    ]
    assert [record.get("Sentence") for record in log.records("Sentence_sent")] == [plain(escaped(text), "", 0)]
    assert [record.get("Result") for record in log.records("Answer_returned")] == [plain(escaped(text), "", 0)]


@pytest.mark.parametrize("number", [0, 1])
def test_the_logs_of_a_whole_session_have_their_golden_bytes(number: int) -> None:
    written = logs_of(whole_session().facts)[number]
    golden = GOLDEN / f"{msgspec.structs.replace(written.stem, mic='x')}.log"
    assert file.render(written.log).decode() == golden.read_text("utf-8")


def test_half_a_character_in_a_result_is_replaced() -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "hello")
    script.query("T1", "q1", "all", Table(("name \ud800",), (("half \udfff",),)))
    (written,) = logs_of(script.facts)
    (returned,) = written.log.records("Query_returned")
    assert returned.get("Table") == '["name \ufffd"]\n["half \ufffd"]'
    assert returned.get("Confidence") == ""


def test_a_log_says_how_sure_an_answer_was_and_what_was_marked_in_it() -> None:
    rows = e.QueryReturned(
        attempt="q1", sql="SELECT 1", table=Table(("n",), ((1,),)), took=1, database_version="1", confidence=0.3,
        unused=("near the sea",), unasked=("nonstop", "from Boston"), proposer="m-1",
    )  # fmt: skip
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "hello")
    script.add(rows)
    (returned,) = logs_of(script.facts)[0].log.records("Query_returned")
    assert (returned.get("Confidence"), returned.all("Unused")) == ("0.30", ("near the sea",))
    assert returned.all("Unasked") == ("nonstop", "from Boston")


def test_a_log_says_which_readings_were_withheld_and_why_and_that_one_was_taken() -> None:
    others = (
        OtherReading("all fares", "SELECT 1", 0.4),
        OtherReading("fares", "SELECT 2", 0.2, "it says nothing of it", 3),
    )
    failed = e.QueryFailed(attempt="q1", kind=FailureKind.NOT_UNDERSTOOD, message="Not understood.", others=others)
    rows = e.QueryReturned(
        attempt="q2", sql="SELECT 2", table=Table(("n",), ((1,),)), took=1, database_version="1", doubt=others[1].doubt,
        others=others[:1],
    )  # fmt: skip
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "hello")
    script.add(failed)
    script.add(rows)
    log = logs_of(script.facts)[0].log
    (record,) = log.records("Query_failed")
    assert [record.all(key) for key in ("Other_reading", "Withheld_reading", "Withheld_because")] == [
        ("all fares",), ("fares",), ("it says nothing of it",),
    ]  # fmt: skip
    (record,) = log.records("Query_returned")
    assert (record.get("Doubt"), record.all("Withheld_reading")) == ("it says nothing of it", ())


def test_every_fact_but_practice_and_clock_comparisons_stands_in_one_log() -> None:
    script = whole_session()
    kept = [record for written in logs_of(script.facts) for block in written.log.blocks for record in block.records]
    practice = [fact for fact in script.facts if getattr(fact.event, "take", "") == "8k8P1"]
    compared = [fact for fact in script.facts if isinstance(fact.event, e.ClockCompared)]
    edges = 2  # start and end of the practice scenario
    assert len(kept) == len(script.facts) - len(practice) - len(compared) - edges


def test_a_log_is_written_for_every_subject_scenario() -> None:
    assert [str(written.stem) for written in logs_of(whole_session().facts)] == ["8k8001sx", "8k8002sx"]
    assert str(logs_of(whole_session(show_answers=False).facts)[0].stem) == "8k8001vx"


def test_the_four_labels_of_1992_and_its_three_stamps_are_recovered() -> None:
    log = file.parse(file.render(first_log()), "x.log")
    block = log.utterances[0]
    assert block.all("Transcription_sent")[0].get("Utterance") == "Show me flights from Boston to Denver, please."
    assert [record.get("Sentence") for record in block.all("Sentence_sent")] == [
        SECRET,
        "flights from boston to denver",
    ]
    assert "\n[Number:] 02" in block.all("Query_returned")[0].get("Query")
    assert block.all("Answer_returned")[0].get("Result").startswith("flight id")
    for utterance in log.utterances:
        stamps = [utterance.all(key)[-1].moment.at for key in STAMPS_OF_1992 if utterance.all(key)]
        assert stamps == sorted(stamps)
        assert utterance.first("Recording_begin")
        assert utterance.first("Answer_returned")


def test_every_system_turn_has_its_type() -> None:
    turns = [record for written in logs_of(whole_session().facts) for record in written.log.records("Answer_returned")]
    assert {turn.get("Response") for turn in turns} == {"answer", "diagnostic", "filler", "failure"}
    assert all(turn.get("Response") for turn in turns)


def test_the_header_says_who_operates_each_stage() -> None:
    log = first_log()
    assert log_schema.mode_of(log.get("Mode"))["understanding"] is Operator.CORRECTED
    assert log.end_to_end
    assert not logs_of(whole_session().facts)[1].log.end_to_end
    for key in ("Speaker", "Session", "Task", "Returned_data", "Collection_method", "Protocol", "Deception", "Pace"):
        assert log.get(key)


def test_what_lies_behind_the_curtain_is_marked() -> None:
    log = first_log()
    assert SECRET.encode() in file.render(log)
    seen = [record for block in log.blocks for record in block.records if not record.hidden]
    said = [value for record in seen for _, value in record.attributes]
    assert not [value for value in said if SECRET in value or "asks for hotels again" in value]
    assert [record.key for record in seen if record.key in ("Transcription_sent", "Answer_returned")][:4] == [
        "Transcription_sent",
        "Answer_returned",
        "Transcription_sent",
        "Answer_returned",
    ]


def test_desks_with_wrong_wall_clocks_are_placed_on_the_hubs_time_line() -> None:
    moments = [record.moment for block in first_log().blocks for record in block.records]
    assert all(abs(moment.at - moments[0].at) < 200 * 10**6 for moment in moments)
    stated = [moment.within for moment in moments if moment.within]
    assert len(stated) < len(moments)
    assert all(450 <= within <= 450 + 500e-6 * 200e6 for within in stated)  # 500 ppm over the session's 200 s


def test_utterances_that_follow_a_system_error_are_found() -> None:
    first, second = (written.log for written in logs_of(whole_session().facts))
    assert after_error(first) == {3: "diagnostic", 4: "wrong answer"}
    assert after_error(second) == {3: "failure"}


def test_a_session_whose_opening_was_erased_is_refused() -> None:
    facts = whole_session().facts
    erased = [msgspec.structs.replace(facts[0], event=e.Redacted(of="SessionOpened")), *facts[1:]]
    with pytest.raises(ValueError, match="no SessionOpened"):
        logs_of(erased)


def mutated(old: str, new: str, count: int = 1) -> str:
    text = file.render(first_log()).decode()
    assert re.search(old, text, re.MULTILINE)
    return re.sub(old, new, text, count=count, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"^\[Log_version:\].*\n", "", r"x\.log:1: \[Speaker:\] where the header needs \[Log_version:\]"),
        (r"curtain-1", "curtain-9", r"x\.log:1: \[Log_version:\] is 'curtain-9'"),
        (r"^\[Site:\]", "[Place:]", r"x\.log:5: \[Place:\] where the header needs \[Site:\]"),
        (r"^\[Common:\] yes", "[Common:] maybe", "write yes or no"),
        (r"^\[End_to_end:\]", "[End_to_end:] yes", "leave it without a value"),
        (r"^\[Pace:\] 1", "[Pace:]", r"\[Pace:\] is ''"),
        (r"^(\[Deception:\].*\n)", r"\1\1", r"\[Deception:\] where the header needs \[Pilot:\]"),
        (r"^\[Number:\] 01", "[Number:] 1", "is not an utterance number"),
        (r"^\[Number:\] 01", "[Number:] 00", "is not an utterance number"),
        (r"^\[Take:\] 8k8A1\n", "", "does not name its take"),
        (r"^\[Independent:\]", "[Remark:]", r"\[Remark:\] is not an entry of the header"),
        (r"^\[Talk_pressed:\] \S+", "[Talk_pressed:] yesterday", r"\[Talk_pressed:\] has no time stamp"),
        (r"^\[Talk_pressed:\] 2026-11", "[Talk_pressed:] 2026-13", r"\[Talk_pressed:\] .*"),
        (r"±0\.\d+ subject", "±450 subject", "is not a time"),
        (r"^\[Talk_pressed:\]", "[Button_pressed:]", r"\[Button_pressed:\] is not known here"),
        (r"^\[Pre_roll:\] 4800\n", "", r"needs \[Pre_roll:\]"),
        (r"^\[Pre_roll:\] 4800", "[Pre_roll:] -1", "write a whole number"),
        (r"^\[Response:\] answer\n", "", r"needs \[Response:\]"),
        (r"^\[Response:\] answer", "[Response:] reply", "write answer or directive"),
        (r"^\[Result:\] 5", "[Result:] 6", r"\[Result:\] announces 6 lines, 5 follow"),
        (r"^\[Result:\] 5", "[Result:] five", "write the number of lines"),
        (r"^\| flight id", "flight id", "not an entry"),
        (r"^\[Answer_found:\] \S+", "[Answer_found:] noon", r"\[Answer_found:\] is 'noon'"),
        (r"^\[Outcome:\] declared\n", "", r"the end of the file|needs \[Outcome:\]"),
        (r"Boston", r"Bos\\qton", "unknown escape"),
    ],
)
def test_logs_that_break_the_schema_are_refused_with_the_line(old: str, new: str, message: str) -> None:
    with pytest.raises(FormatFault, match=message) as caught:
        file.parse(mutated(old, new), "x.log")
    assert caught.value.line > 0


def test_a_scenario_of_earlier_logs_that_was_solved_is_one_whose_solution_was_declared() -> None:
    assert without_lines(file.parse(mutated(r"^\[Outcome:\] declared", "[Outcome:] solved"), "x.log")) == first_log()


def test_blank_lines_mean_nothing() -> None:
    spaced = file.render(first_log()).decode().replace("\n", "\n\n  \n")
    assert without_lines(file.parse(spaced, "x.log")) == first_log()


def test_no_key_is_both_a_record_and_an_attribute() -> None:
    attributes = {rule.name for record in log_schema.RECORDS.values() for rule in record.attributes}
    assert not attributes & set(log_schema.RECORDS)
    assert {kind for rule in log_schema.HEADER for kind in [rule.kind]} <= set(ValueKind)


@given(MOMENTS)
def test_moments_come_back(moment: Moment) -> None:
    assert Moment.parse(str(moment)) == moment


@pytest.mark.parametrize("text", ["", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00.000000Z ±0.000000", "noon"])
def test_only_moments_that_are_written_are_read(text: str) -> None:
    with pytest.raises(ValueError):
        Moment.parse(text)


def test_a_scenario_that_was_declared_invalid_later_says_so_in_its_own_log() -> None:
    script = Script()
    script.open()
    script.start("interviews", 1)
    script.add(e.SolutionDeclared(at=script.desk(), solution="flight 103"), "subject")
    script.add(e.ScenarioEnded(outcome=Outcome.DECLARED), "subject")
    script.start("hub", 2)
    script.add(e.ScenarioInvalidated(run=0, reason="misread"), "experimenter")
    first, second = (log_of.log for log_of in logs_of(script.facts))
    (record,) = first.records("Scenario_invalidated")
    assert (record.get("Reason"), record.hidden) == ("misread", True)
    assert list(second.records("Scenario_invalidated")) == []
    assert outcome_of(first) == "invalidated"
