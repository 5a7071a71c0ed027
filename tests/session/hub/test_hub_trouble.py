"""What is wrong or comes at the wrong time costs no desk its place and no session its order."""

import threading

from session import commands as c
from session import events as e
from session.protocol.links import HistoryReset
from session.values.answers import FailureKind, Table
from session.values.vocabulary import Echo, Language, Sealed
from tests.together.pipe import SESSION, Bench, MemoryRecordings, at, both, opened, spoken


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
    assert subject.answers["x1"] == "This desk cannot do that."


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
    assert any(isinstance(each, HistoryReset) for each in subject.happened)
    await wizard.give(c.StartScenario(id="c9", scenario="try"))
    await subject.give(*spoken("T9", b""))
    await wizard.give(c.SendCanned(id="r9", take="T9", message="none", blanks=("fares",)))
    assert "r9" in subject.state.replies
    await earlier.close()
