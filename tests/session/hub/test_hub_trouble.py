"""What is wrong or comes at the wrong time costs no desk its place and no session its order."""

import threading
from collections.abc import Sequence
from typing import Any

from session import commands as c
from session import events as e
from session.hub.history import links_stream
from session.hub.session_actor import LINGER_S, RETRY_S
from session.protocol.links import HistoryReset
from session.protocol.messages import AudioChunk
from session.store.types import StoreUnavailable, Write
from session.values.answers import FailureKind, Table
from session.values.vocabulary import Echo, Language, Outcome, Role, Sealed
from tests.together.pipe import SESSION, Bench, MemoryRecordings, PipedDesk, at, both, opened, spoken


async def test_a_malformed_report_is_refused_and_costs_the_desk_nothing(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    bad = e.RecordingStopped(at=at(), take="T1", sealed=(Sealed("../x", 1, "0" * 64),))
    await subject.give(c.Report(id="x1", event=bad))
    assert "letter" in str(subject.answers["x1"])
    await subject.give(*spoken("T2", b""))
    await subject.cut()
    await subject.connect()
    assert subject.closed == ""
    assert wizard.state.takes["T2"].stopped


async def test_only_a_cancel_that_is_allowed_cancels(bench: Bench) -> None:
    subject, wizard = await both(bench, echo=Echo.NEVER)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    stopped: list[bool] = []
    bench.database.cancel = lambda: stopped.append(True)  # type: ignore[method-assign]
    await subject.give(c.CancelQuery(id="x1", attempt="q1"))
    assert stopped == []
    assert subject.answers["x1"] == "That did not work. Please try again, or call the experimenter."


async def test_a_cancel_that_comes_early_counts(bench: Bench) -> None:
    subject, wizard = await both(bench, echo=Echo.NEVER)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    go = threading.Event()
    run = bench.database.run

    def slow(sql: str) -> Table:
        go.wait(120)
        return run(sql)

    bench.database.run = slow  # type: ignore[method-assign]
    query = c.SubmitQuery(id="q1", at=at(), take="T1", language=Language.SQL, text="rows 1")
    await wizard.give_unsettled(query, c.CancelQuery(id="q2", attempt="q1"))
    await bench.settle()
    go.set()
    await bench.settle()
    assert wizard.state.attempts["q1"].failure is FailureKind.CANCELLED


async def test_desks_begin_anew_when_the_store_was_put_back(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    earlier = Bench(recordings=MemoryRecordings())
    await earlier.hub.open(SESSION, opened())
    await bench.hub.close()
    for desk in (subject, wizard):
        await desk.cut()
        desk.bench = earlier
        await desk.connect()
    assert any(isinstance(message, HistoryReset) for message in subject.happened)
    await wizard.give(c.StartScenario(id="c9", scenario="try"))
    await subject.give(*spoken("T9", b""))
    await wizard.give(c.SendCanned(id="r9", take="T9", message="none", blanks=("fares",)))
    assert "r9" in subject.state.replies
    await earlier.close()


async def test_a_session_that_is_over_lets_nobody_in_any_more(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", bytes(200)))
    await wizard.give(c.EndScenario(id="c2", outcome=Outcome.ENDED), c.EndSession(id="c3", reason="done"))
    assert wizard.state.ended, wizard.answers
    bench.clock.advance(LINGER_S + 1)
    await subject.cut()
    await subject.connect()
    assert subject.closed == "", "what was spoken is still to come"
    await subject.sound(AudioChunk("T1", "s", 0, bytes(200)))
    assert subject.state.takes["T1"].confirmed
    await subject.cut()
    await subject.connect()
    assert subject.closed == ""
    bench.clock.advance(LINGER_S + 1)
    for desk in (subject, wizard):
        await desk.cut()
        await desk.connect()
        assert desk.closed == "This session is over, and its tokens with it."


async def test_desks_of_a_renewed_token_are_sent_away(bench: Bench) -> None:
    subject, wizard = await both(bench)
    bench.hub.sessions[SESSION].dismiss(Role.SUBJECT, "the token of this desk was renewed")
    assert (subject.closed, wizard.closed) == ("the token of this desk was renewed", "")


async def test_a_token_that_is_renewed_while_its_desk_comes_in_lets_it_do_nothing(bench: Bench) -> None:
    _, wizard = await both(bench)
    shown: list[str] = []

    def once(token: str, session: str) -> Role | None:
        shown.append(token)
        return Role.OBSERVER if len(shown) == 1 else None

    late = PipedDesk(bench, "t-old", "late")
    late.admit = once
    await late.connect()
    assert late.closed.startswith("The token is not valid here.")
    assert [desk.name for desk in bench.hub.sessions[SESSION].desks] == ["sub", "wiz"]
    assert wizard.closed == ""


async def test_a_commit_of_which_nobody_heard_is_found_and_the_session_goes_on(bench: Bench) -> None:
    subject, wizard = await both(bench)
    append = bench.store.append_together

    def doubtful(writes: Sequence[Write]) -> Any:
        append(writes)
        bench.store.append_together = append  # type: ignore[method-assign]
        return [StoreUnavailable("The store has lost its server.") for _ in writes]

    bench.store.append_together = doubtful  # type: ignore[method-assign]
    await subject.give(c.Report(id="s1", event=e.ExperimenterCalled(at=at())))
    bench.clock.advance(RETRY_S)
    await bench.settle()
    assert wizard.closed.startswith("the session is read anew")
    for desk in (subject, wizard):
        await desk.cut()
        await desk.connect()
    assert (wizard.state.called, subject.link.pending) == (True, ())
    await wizard.give(c.WriteNote(id="c1", text="once"))
    assert wizard.state.notes == ("once",)
    facts = [type(fact.event) for fact in bench.store.read(SESSION)]
    assert facts.count(e.ExperimenterCalled) == 1
    assert bench.store.verify(links_stream(SESSION)) == []
    attached = [
        fact.event for fact in bench.store.read(links_stream(SESSION)) if isinstance(fact.event, e.DeskAttached)
    ]
    assert len(attached) == 4, "the new actor keeps the links in order too"
