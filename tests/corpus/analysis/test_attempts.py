"""Both shares of 1989 out of the logs of a collected corpus, and where they are printed."""

import io
from pathlib import Path

import msgspec
import pytest

from corpus.analysis.attempts import AttemptEnd, AttemptShares, of_block, of_logs
from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.timeline import Moment
from session import events as e
from session.values.answers import FailureKind
from session.values.vocabulary import Outcome, Scope
from tests.corpus.corpora import corpus_of
from tests.corpus.sessions import FLIGHTS, Script


def record(key: str, **attributes: str) -> Record:
    return Record(key, Moment(0), "wizard", True, tuple(attributes.items()))


def utterance(number: int, attempts: list[str], answered: str = "", scope: str = "in") -> RecordBlock:
    records = [record("Scope_marked", Scope=scope), *(record("Sentence_sent", Attempt=name) for name in attempts)]
    if answered:
        records.append(record("Answer_returned", Attempt=answered))
    return RecordBlock(BlockKind.UTTERANCE, tuple(records), number)


def test_one_hundred_requests_give_the_figures_of_1989() -> None:
    blocks = [utterance(number, ["a"], "a") for number in range(67)]
    blocks += [utterance(67 + number, ["a", "b"], "b") for number in range(27)]
    blocks += [utterance(94 + number, ["a", "b"]) for number in range(6)]
    blocks += [utterance(100 + number, [], scope="out") for number in range(5)]
    found = of_logs([Log((), tuple(blocks))])
    assert found.unaided is not None
    assert found.with_wizard is not None
    assert (f"{found.unaided:.1f}", f"{found.with_wizard:.1f}") == ("67.0", "94.0")
    assert (found.in_scope, found.out_of_scope) == (100, 5)


def unmarked(*records: Record) -> AttemptEnd:
    return of_block(RecordBlock(BlockKind.UTTERANCE, records, 1))


SENT = record("Sentence_sent", Attempt="a")


def canned(reason: str, response: str = "diagnostic") -> Record:
    return record("Answer_returned", Reply="r", Canned_message="it", Reason=reason, Response=response)


def test_without_a_mark_the_scope_is_what_the_log_tells() -> None:
    answered = record("Answer_returned", Reply="r", Attempt="a")
    assert unmarked(SENT, answered) is AttemptEnd.FIRST_TRY
    assert unmarked(canned("no_information")) is AttemptEnd.OUT_OF_SCOPE
    assert unmarked(SENT, canned("meta")) is AttemptEnd.OUT_OF_SCOPE
    assert unmarked(SENT, canned("tool_failed", "failure")) is AttemptEnd.UNANSWERED
    assert unmarked(canned("tool_failed", "failure")) is AttemptEnd.UNANSWERED
    assert unmarked(SENT, canned("wait", "filler")) is AttemptEnd.UNANSWERED
    assert unmarked(SENT) is AttemptEnd.UNANSWERED
    assert unmarked() is AttemptEnd.UNJUDGED  # "never mind"
    assert unmarked(canned("several_requests")) is AttemptEnd.UNJUDGED
    assert unmarked(SENT, canned("meta"), record("Scope_marked", Scope="in")) is AttemptEnd.UNANSWERED


@pytest.mark.parametrize(
    ("asked", "end"),
    [
        ("Show me flights from O'Hare.", AttemptEnd.FIRST_TRY),
        ("show me flights from o'hare", AttemptEnd.FIRST_TRY),
        ("flights from o'hare", AttemptEnd.REWORDED),
        ("show me flights from boston", AttemptEnd.REWORDED),
    ],
)
def test_other_words_than_were_said_are_a_rewording_although_nothing_failed_before(asked: str, end: AttemptEnd) -> None:
    said = record("Transcription_sent", Utterance="show me [uh] flights from O'Hare")
    sent = record("Sentence_sent", Attempt="a", Language="english", Sentence=asked)
    assert unmarked(said, sent, record("Answer_returned", Reply="r", Attempt="a")) is end


def test_an_answer_that_was_marked_as_wrong_is_no_answer() -> None:
    wrong = record("Reply_marked_wrong", Reply="r")
    assert unmarked(SENT, record("Answer_returned", Reply="r", Attempt="a"), wrong) is AttemptEnd.UNANSWERED
    second = [record("Sentence_sent", Attempt="b"), record("Answer_returned", Reply="s", Attempt="b")]
    first = [SENT, record("Answer_returned", Reply="r", Attempt="a")]
    assert unmarked(*first, wrong, *second) is AttemptEnd.REWORDED


def test_what_nobody_judged_is_counted_apart() -> None:
    found = of_logs([Log((), (utterance(1, ["a"], "a"), RecordBlock(BlockKind.UTTERANCE, (), 2)))])
    assert (found.in_scope, found.out_of_scope, found.unjudged) == (1, 0, 1)
    assert found.text().endswith("of 1 requests in scope; 0 out of scope, 1 not judged")


def test_shares_of_what_was_asked_in_english_are_none_where_nothing_was() -> None:
    found = AttemptShares(first_try=0, reworded=0, by_hand=3, unanswered=0, out_of_scope=1)
    assert (found.unaided, found.with_wizard) == (None, None)
    assert found.text() == "none was asked in English, of 3 in scope; all were answered in SQL by hand"


def visit(number: int, kinds: list[str]) -> Script:
    """A session of one scenario with one utterance for each kind: first try, reworded, unanswered or out of scope."""
    script = Script(f"bbn-20261121-{number}", f"8k{number}")
    script.stretch = 0.05
    script.open()
    script.start("hub", 1)
    for place, kind in enumerate(kinds, start=1):
        take = f"{number}T{place}"
        script.speak(take, place, "which flights")
        if kind == "out of scope":
            script.add(e.ScopeMarked(take=take, scope=Scope.OUT), "wizard")
            script.canned(take)
            continue
        if kind != "first try":
            script.query(take, f"{take}q1", "which flights", FailureKind.NOT_UNDERSTOOD)
        if kind == "unanswered":
            script.canned(take)
        else:
            asked = "which flights" if kind == "first try" else "all flights"
            script.query(take, f"{take}q2", asked, FLIGHTS)
            script.answer(take, f"{take}q2", FLIGHTS, "which flights")
    script.add(e.ScenarioEnded(outcome=Outcome.ENDED), "experimenter")
    script.finish()
    return script


def test_a_collected_corpus_of_one_hundred_requests_prints_67_and_94_per_cent(tmp_path: Path) -> None:
    kinds = ["first try"] * 67 + ["reworded"] * 27 + ["unanswered"] * 6 + ["out of scope"] * 5
    corpus = corpus_of(tmp_path / "corpus", *(visit(number, kinds[number::5]) for number in range(5)))
    out, err = io.StringIO(), io.StringIO()
    assert stats_command(StatsOptions(str(corpus)), out, err) == 0, err.getvalue()
    assert (
        "Requests that were answered: 67.0 % at the first try (57.3 to 75.4), 94.0 % with the "
        "wizard (87.5 to 97.2), of 100 requests" in out.getvalue()
    )
    as_json = io.StringIO()
    assert stats_command(StatsOptions(str(corpus), as_json=True), as_json, err) == 0
    tries = msgspec.json.decode(as_json.getvalue())["tries"]
    assert (round(tries["unaided"], 1), round(tries["with_wizard"], 1), tries["in_scope"]) == (67.0, 94.0, 100)
    page = tmp_path / "page.html"
    assert report_command(ReportOptions(str(corpus), str(page)), out, err) == 0
    assert "67.0 % at the first try" in page.read_text(encoding="utf-8")
