"""Somebody who looks on sees both sides, and the subject's wire has the same bytes with and without."""

import pytest

from session import commands as c
from session import events as e
from session.rules.decide import answer_text
from session.values.answers import digest
from session.values.vocabulary import Language, Outcome, Role
from tests.together.pipe import SESSION, TOKENS, Bench, PipedDesk, at, opened
from wizard.core.subject_mirror import mirror


async def _played(watchers: tuple[str, ...]) -> tuple[list[str | bytes], list[PipedDesk]]:
    """A typed turn, while desks of these tokens come, look and go; the subject's wire, and those desks."""
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    desks = [await PipedDesk(bench, token, f"watch{n}").connect() for n, token in enumerate(watchers)]
    await wizard.give(c.StartScenario(id="s", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(c.Report(id="u", event=e.UtteranceTyped(at=at(), take="t1", text="give me two")))
    if desks:
        await desks[0].give(c.WriteNote(id="n", text="quick", take="t1"))
    bench.clock.advance(2)
    await wizard.give(c.SubmitQuery(id="a", at=at(), take="t1", language=Language.ENGLISH, text="give me two"))
    for desk in desks[1:]:
        await desk.cut("gone for a while")
        await desk.connect()
    text = answer_text(wizard.state, "a")
    assert text is not None
    await wizard.give(c.SendAnswer(id="r", attempt="a", sha256=digest(text)))
    await wizard.give(c.EndScenario(id="e", outcome=Outcome.ENDED, reason="bell"))
    wire = list(subject.wire)
    await bench.close()
    return wire, desks


@pytest.fixture(autouse=True)
def _experimenter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TOKENS, "t-experimenter", Role.EXPERIMENTER)


async def test_the_subjects_wire_is_the_same_byte_for_byte_whoever_looks_on() -> None:
    alone, _ = await _played(())
    for watchers in (("t-observer",), ("t-experimenter", "t-observer"), ("t-observer", "t-observer")):
        watched, _ = await _played(watchers)
        assert watched == alone


async def test_an_observer_sees_both_sides_and_puts_no_word_into_the_dialogue() -> None:
    _, (observer,) = await _played(("t-observer",))
    assert observer.state.attempts["a"].sql == "rows 2"
    assert observer.state.replies["r"].text == answer_text(observer.state, "a")
    assert "(no scenario is going on)" in mirror(observer.state, here=True)
    assert observer.state.runs[0].reason == "bell"
    assert observer.answers["n"] == "This desk cannot do that."
    assert observer.state.notes == ()


@pytest.mark.parametrize("token", ["t-experimenter", "t-observer"])
async def test_a_third_person_answers_the_call_pauses_ends_with_a_reason_and_invalidates(token: str) -> None:
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    helper = await PipedDesk(bench, token, "third").connect()
    await subject.give(c.Report(id="call", event=e.ExperimenterCalled(at=at())))
    assert helper.state.called
    await helper.give(c.AnswerCall(id="1"))
    await wizard.give(c.StartScenario(id="2", scenario="trip", bindings={"A": "Boston"}))
    assert not subject.state.called
    await helper.give(c.PauseSession(id="3", reason="water"))
    assert subject.state.paused
    await helper.give(c.ResumeSession(id="4"))
    await helper.give(c.EndScenario(id="5", outcome=Outcome.INVALIDATED, reason="talked about the task"))
    assert helper.state.runs[0].outcome is Outcome.INVALIDATED
    assert subject.state.runs[0].outcome is Outcome.ENDED, "the subject is not told that it was invalidated"
    assert subject.state.runs[0].reason == ""
    await wizard.give(c.StartScenario(id="6", scenario="trip", bindings={"A": "Boston"}))
    await helper.give(c.EndScenario(id="7", outcome=Outcome.ENDED, reason="the bell rang"))
    assert (helper.state.runs[1].outcome, helper.state.runs[1].reason) == (Outcome.ENDED, "the bell rang")
    await helper.give(c.SubmitQuery(id="8", at=at(), take="t1", language=Language.SQL, text="rows 1"))
    assert helper.answers["8"] == "This desk cannot do that."
    wire = len(subject.wire)
    await wizard.give(c.StartScenario(id="9", scenario="trip", bindings={"A": "Boston"}))
    begun = len(subject.wire)
    await helper.give(c.InvalidateScenario(id="10", run=1, reason="the task was read wrong"))
    assert helper.state.runs[1].outcome is Outcome.INVALIDATED
    assert helper.state.run is not None, "the one that goes on is not touched"
    assert (len(subject.wire), begun > wire) == (begun, True), "the subject is told nothing of it"
    await helper.give(c.EndScenario(id="11", outcome=Outcome.ENDED, reason="enough"))
    authors = {
        fact.by
        for fact in bench.store.read(SESSION)
        if isinstance(fact.event, e.ScenarioEnded | e.ScenarioInvalidated | e.CallAnswered)
    }
    assert authors == {token.removeprefix("t-")}
    await bench.close()
