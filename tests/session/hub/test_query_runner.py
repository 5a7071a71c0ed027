"""Of several readings the wizard takes one by its place; the order stays what it was."""

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.hub.query_runner import UnderstoodRequest
from session.rules.replies import answer_text
from session.values.answers import FailureKind, OtherReading, QueryFailure, digest, rows_of
from session.values.vocabulary import Language
from tests.together.pipe import SESSION, Bench, PipedDesk, at, opened
from wizard.core.query_readings import in_order

TWO, THREE = OtherReading("three rows", "rows 3", 0.6), OtherReading("four rows", "rows 4", 0.3)
READ = UnderstoodRequest("rows 2", "two rows", others=(TWO, THREE), confidence=0.9, unused=("umm",))


def test_the_reading_at_a_place_takes_the_first_one_s() -> None:
    assert READ.chosen(0) == READ
    chosen = READ.chosen(1)
    assert (chosen.sql, chosen.paraphrase, chosen.confidence, chosen.unused) == ("rows 3", "three rows", 0.6, ("umm",))
    assert chosen.others == (OtherReading("two rows", "rows 2", 0.9), THREE)
    proposed = msgspec.structs.replace(READ, proposer="m-1", unasked=("with n 3",)).chosen(1)
    assert (proposed.proposer, proposed.unasked, proposed.unused) == ("", (), ()), "it is the domain's own grammar's"


def test_no_rows_lower_the_confidence_of_the_first_reading_alone() -> None:
    read = msgspec.structs.replace(READ, if_empty=0.4)
    rows, none = rows_of(["n"], [[1]]), rows_of(["n"], [])
    assert [read.sure_of(table) for table in (rows, none)] == [0.9, 0.4]
    assert read.chosen(1).sure_of(none) == 0.6
    assert READ.sure_of(none) == 0.9


@pytest.mark.parametrize("choice", [3, -1, 10**6])
def test_a_reading_that_there_is_not_is_a_failure_in_words(choice: int) -> None:
    with pytest.raises(QueryFailure, match="there are 3"):
        READ.chosen(choice)


async def test_a_chosen_reading_runs_is_recorded_and_keeps_the_order() -> None:
    bench = Bench()
    bench.database.understand = lambda text, context, language: READ  # type: ignore[method-assign]
    await bench.hub.open(SESSION, opened(echo="never"))
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    await wizard.give(c.StartScenario(id="s", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(c.Report(id="u", event=e.UtteranceTyped(at=at(), take="t1", text="rows please")))
    for name, choice in (("a0", 0), ("a2", 2), ("a9", 9)):
        asked = c.SubmitQuery(id=name, at=at(), take="t1", language=Language.ENGLISH, text="rows please", choice=choice)
        await wizard.give(asked)
        await bench.settle()
    attempts = wizard.state.attempts
    assert [len(attempts[name].table.rows) for name in ("a0", "a2")] == [2, 4]  # type: ignore[union-attr]
    counted = {n: msgspec.structs.replace(one, rows=n + 2) for n, one in enumerate(READ.readings)}
    assert in_order(attempts["a0"]) == in_order(attempts["a2"]) == counted, "each with how many rows it brings"
    assert attempts["a2"].confidence == 0.3
    assert attempts["a9"].failure is FailureKind.NOT_UNDERSTOOD
    bench.database.written = lambda sql: (f"own words of {sql}",)  # type: ignore[method-assign]
    for name, language in (("a3", Language.SQL), ("a4", Language.ENGLISH)):
        await wizard.give(c.SubmitQuery(id=name, at=at(), take="t1", language=language, text="rows 2"))
        await bench.settle()
    assert [wizard.state.attempts[name].written for name in ("a3", "a4")] == [("own words of rows 2",), ()]
    sent = c.SendAnswer(id="s3", attempt="a3", sha256=digest(answer_text(wizard.state, "a3") or ""))
    await wizard.give(sent)
    assert "They are: own, words." in (wizard.answers["s3"] or "")
    before = len(wizard.state.attempts)
    await wizard.give(
        c.SubmitQuery(id="bad", at=at(), take="t1", language=Language.ENGLISH, text="rows please", choice=-1)
    )
    assert "`choice`: expected `int` >= 0" in (wizard.answers["bad"] or "")
    assert len(wizard.state.attempts) == before
    await bench.close()


HELD = (
    OtherReading("two rows", "rows 2", 0.2, "it says nothing of it"),
    OtherReading("three rows", "rows 3", 0.1, "nor this"),
)


async def test_a_withheld_reading_is_offered_with_its_rows_and_taken_by_its_place_alone() -> None:
    def refuse(text: str, context: object, language: Language) -> UnderstoodRequest:
        raise QueryFailure(FailureKind.NOT_UNDERSTOOD, "Not understood.", "What?", ("umm",), HELD)

    bench = Bench()
    bench.database.understand = refuse  # type: ignore[method-assign]
    await bench.hub.open(SESSION, opened(echo="never"))
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    await wizard.give(c.StartScenario(id="s", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(c.Report(id="u", event=e.UtteranceTyped(at=at(), take="t1", text="rows please")))
    for name, choice in (("a0", 0), ("a2", 2), ("a3", 3)):
        asked = c.SubmitQuery(id=name, at=at(), take="t1", language=Language.ENGLISH, text="rows please", choice=choice)
        await wizard.give(asked)
        await bench.settle()
    plain, taken, beyond = (wizard.state.attempts[name] for name in ("a0", "a2", "a3"))
    assert (plain.failure, plain.table) == (FailureKind.NOT_UNDERSTOOD, None), "by itself none is taken"
    places = {1: ("two rows", 2), 2: ("three rows", 3)}
    assert {n: (one.paraphrase, one.rows) for n, one in in_order(plain).items()} == places
    assert {n: (one.paraphrase, one.rows) for n, one in in_order(taken).items()} == places, "the order stays"
    assert taken.table is not None
    assert (taken.sql, taken.doubt, taken.unused, taken.partial) == ("rows 3", "nor this", ("umm",), True)
    assert beyond.failure is FailureKind.NOT_UNDERSTOOD
    await bench.close()
