"""Whatever happens in a session, its export has no error, its log is read back, and nothing hidden stands there unmarked."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.export.madcow import export
from corpus.formats.log import file
from corpus.formats.log.log_values import Log
from corpus.formats.log.logged_facts import facts_of
from corpus.formats.log.projection import logs_of
from corpus.formats.log.queries import after_error
from corpus.formats.safe_lines import escaped, plain
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session import events as e
from session.state.fold import fold
from session.values.answers import FailureKind, Table
from session.values.vocabulary import Echo, Language, Outcome, ResponseClass
from tests.corpus.sessions import MemorySource, Script

TEXTS = st.text(st.characters(exclude_categories=()), max_size=12)
VALUES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.builds(
        Table,
        columns=st.tuples(*[TEXTS] * width),
        rows=st.lists(st.tuples(*[VALUES] * width), max_size=3).map(tuple),
        more=st.booleans(),
    )
)
STEPS = st.sampled_from(["spoken", "typed", "discarded", "note", "pause", "refused"])
REPLIES = st.sampled_from(["answer", "canned", "filler", "none", "wrong"])
TURNS = st.lists(st.tuples(STEPS, REPLIES, TEXTS, TABLES, st.sampled_from(["s", "sc"])), max_size=5)
HIDDEN = "behind-the-curtain"


def play(script: Script, name: str, turns: list[tuple[str, str, str, Table, str]]) -> None:
    number = 0
    for place, (step, reply, text, table, channels) in enumerate(turns):
        take = f"{name}{place}"
        match step:
            case "note":
                script.add(e.NoteWritten(text=HIDDEN + text), "wizard")
            case "pause":
                script.add(e.SessionPaused(reason=text), "wizard")
                script.add(e.SessionResumed(), "wizard")
            case "refused":
                script.add(e.CommandRefused(role="wizard", command=text, reason=text))
            case "discarded":
                script.speak(take, None, channels=channels)
                script.add(e.TakeDiscarded(at=script.desk(), take=take), "subject")
            case _:
                number += 1
                said = text.strip() or "hello"
                if step == "spoken":
                    script.speak(take, number, said, channels)
                else:
                    script.add(e.UtteranceTyped(at=script.desk(), take=take, text=said), "subject")
                    script.add(e.UtteranceAccepted(take=take, number=number))
                respond(script, take, reply, said, table)


def respond(script: Script, take: str, reply: str, said: str, table: Table) -> None:
    script.query(take, f"{take}q1", HIDDEN + said, FailureKind.SYNTAX)
    match reply:
        case "answer" | "wrong":
            script.query(take, f"{take}q2", HIDDEN, table)
            sent = script.answer(take, f"{take}q2", table, said)
            if reply == "wrong":
                script.add(e.ReplyMarkedWrong(reply=sent, reason=HIDDEN), "wizard")
        case "canned":
            script.canned(take)
        case "filler":
            script.canned(take, ResponseClass.FILLER)
        case _:
            pass


@settings(max_examples=20)
@given(first=TURNS, second=TURNS, echo=st.sampled_from(Echo), shown=st.booleans())
def test_an_export_of_any_session_has_no_error(
    first: list[tuple[str, str, str, Table, str]],
    second: list[tuple[str, str, str, Table, str]],
    echo: Echo,
    shown: bool,
) -> None:
    script = Script(echo=echo, show_answers=shown)
    script.open()
    script.start("interviews", 1)
    play(script, "A", first)
    script.add(e.ScenarioEnded(outcome=Outcome.DECLARED))
    script.add(e.NoteWritten(text=HIDDEN), "wizard")
    script.add(e.ScenarioInvalidated(run=0, reason=HIDDEN), "wizard")
    script.start("hub", 2)
    play(script, "B", second)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "corpus"
        export(MemorySource(script), target)
        report = verify(target)
        assert [str(finding) for finding in report.findings if finding.severity is Severity.ERROR] == []
        logs = [read_off(path.read_bytes()) for path in sorted(target.rglob("*.log")) if path.parent.name != "doc"]
        logs.sort(key=lambda log: log.get("Scenario_session"))
        again = facts_of(logs, script.protocol, [str(target)] * len(logs))
        assert [one.log.get("Scenario") for one in logs_of(again.facts)] == [log.get("Scenario") for log in logs]
        replied = {name: reply.text for name, reply in fold(again.facts).replies.items()}
        assert replied == {
            name: plain(escaped(reply.text), "", 0) for name, reply in fold(script.facts).replies.items()
        }


def read_off(data: bytes) -> Log:
    log = file.parse(data, "x.log")
    assert file.render(log) == data
    seen = [record for block in log.blocks for record in block.records if not record.hidden]
    assert not [record for record in seen for _, value in record.attributes if HIDDEN in value]
    assert set(after_error(log)) <= {block.number for block in log.utterances[1:]}
    return log


@given(TEXTS)
def test_a_sentence_in_any_language_of_the_database_is_kept(text: str) -> None:
    script = Script()
    script.open()
    script.start("hub", 1)
    script.speak("T1", 1, "hello")
    script.add(e.QuerySubmitted(at=script.hub(), attempt="q", take="T1", language=Language.SQL, text=text), "wizard")
    (written,) = logs_of(script.facts)
    (record,) = file.parse(file.render(written.log), "x.log").records("Sentence_sent")
    assert (record.get("Language"), record.hidden) == ("sql", True)
