"""What a session meets that it should not: each time one clear word or inert text, and nothing lost."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from importlib.resources import files
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from domain.database.build import open_database
from domain.query_backend import backends
from session import commands as c
from session import events as e
from session.hub.connection import connection_factory
from session.hub.group_commit import WITHIN_S
from session.protocol.links import DeskLink
from session.protocol.messages import HubTrouble, Ping, encode
from session.transport.websocket import HubServer
from session.values.answers import FailureKind
from session.values.clock import SystemClock
from session.values.vocabulary import Language, RecordingControl
from tests.together.pipe import SESSION, Bench, PipedDesk, admit, at, opened

FOREIGN = "a\x1b]0;owned\x07\r\nb\u202e[red]x[/red]\x00\u2028c"


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    bench = Bench()
    yield bench
    await bench.close()


async def typed(bench: Bench, text: str) -> tuple[PipedDesk, PipedDesk]:
    await bench.hub.open(SESSION, opened(recording=RecordingControl.TYPED, echo="never", free_text=True))
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    await wizard.give(c.StartScenario(id="start", scenario="try"))
    await subject.give(c.Report(id="t1", event=e.UtteranceTyped(at=at(), take="T1", text=text)))
    return subject, wizard


def texts(facts: Sequence[e.Recorded]) -> list[str]:
    """Every text of people's that the facts hold."""
    names = ("text", "reason", "solution")
    return [value for fact in facts for name in names if isinstance(value := getattr(fact.event, name, None), str)]


async def test_foreign_text_becomes_one_line_without_a_control_character(bench: Bench) -> None:
    subject, wizard = await typed(bench, FOREIGN)
    await wizard.give(
        c.WriteNote(id="n", text=FOREIGN),
        c.NoteDeviation(id="d", reason=FOREIGN, text=FOREIGN),
        c.Transcribe(id="tr", at=at(), take="T1", text=FOREIGN),
        c.SendText(id="s", take="T1", text=FOREIGN),
        c.MarkReplyWrong(id="w", reply="s", reason=FOREIGN),
    )
    await subject.give(c.DeclareSolution(id="x", at=at(), solution=FOREIGN))
    assert all(wizard.answers[name] is None for name in ("n", "d", "tr", "s", "w"))
    found = [text for text in texts(bench.store.read(SESSION)) if "owned" in text]
    assert len(found) >= 7
    for text in found:
        assert "[red]x[/red]" in text
        assert not any(ord(char) < 32 or char in "\x7f\u2028\u2029" for char in text), repr(text)


async def test_an_utterance_of_nothing_but_blanks_is_no_reason_to_fall(bench: Bench) -> None:
    subject, wizard = await typed(bench, " \n\t ")
    assert subject.closed == wizard.closed == ""
    assert wizard.state.takes["T1"].typed == ""


async def test_a_database_that_vanishes_is_a_failed_query_and_comes_back(tmp_path: Path) -> None:
    domain = Path(str(files("scenarios"))) / "personnel"
    database = open_database(domain, tmp_path)
    (file,) = [path for path in tmp_path.iterdir() if path.suffix in (".sqlite", ".db")]
    hidden = file.with_name("hidden")
    bench = Bench()
    bench.database = backends(domain, database.url, database.version, "1989-06-01")()  # type: ignore[assignment]
    _, wizard = await typed(bench, "how many?")

    async def asked(name: str) -> FailureKind | None:
        command = c.SubmitQuery(id=name, at=at(), take="T1", language=Language.SQL, text="SELECT 1 AS one")
        await wizard.give(command)
        async with asyncio.timeout(120):
            while name not in wizard.state.attempts or wizard.state.attempts[name].running:
                await bench.settle()
        return wizard.state.attempts[name].failure

    file.rename(hidden)
    assert await asked("q1") is FailureKind.UNAVAILABLE
    assert str(tmp_path) not in wizard.state.attempts["q1"].message
    hidden.rename(file)
    assert await asked("q2") is None
    await bench.close()


async def test_a_store_that_another_hub_writes_to_is_told_and_keeps_the_report(bench: Bench) -> None:
    subject, wizard = await typed(bench, "hello")
    other = Bench(bench.store, bench.recordings)
    stranger = await PipedDesk(other, "t-wizard", "other").connect()
    await stranger.give(c.WriteNote(id="elsewhere", text="from the other hub"))
    await subject.give(c.Report(id="r", event=e.ExperimenterCalled(at=at())))
    assert any(isinstance(message, HubTrouble) and "another program" in message.text for message in wizard.happened)
    assert [command.id for command in subject.link.pending] == ["r"]
    assert bench.store.verify(SESSION) == []
    await other.hub.close()


async def test_a_flood_of_frames_slows_its_own_desk_only(bench: Bench) -> None:
    clock = SystemClock("hub")
    await bench.hub.open(SESSION, opened())
    served = await HubServer(connection_factory(bench.hub, admit, clock), clock).start("127.0.0.1", 0, None)
    url = f"ws://127.0.0.1:{served.port}/{SESSION}"
    flood, calm = DeskLink("flood", clock, "0", "t-subject"), DeskLink("calm", clock, "0", "t-wizard")
    async with connect(url, compression=None, close_timeout=0.2) as loud, connect(url, compression=None) as quiet:
        await loud.send(flood.opening()[0])
        await quiet.send(calm.opening()[0])

        async def pour() -> None:
            for _ in range(20_000):
                await loud.send(encode_ping(flood))

        pouring = asyncio.ensure_future(pour())
        await quiet.send(calm.give(c.WriteNote(id="n", text="all is well")))
        async with asyncio.timeout(30):
            while calm.pending:
                calm.receive(await quiet.recv())
        pouring.cancel()
        await asyncio.gather(pouring, return_exceptions=True)
    await served.close()


def encode_ping(link: DeskLink) -> str | bytes:
    return link.ping()


async def test_a_flood_of_clock_comparisons_is_one_fact_a_second(bench: Bench) -> None:
    await bench.hub.open(SESSION, opened())
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    for seconds in (0, 0, 0.5, 0.5):
        bench.clock.advance(seconds)
        for _ in range(50):
            await subject.raw(encode(Ping(1, (1, 2, 3))))
    await bench.settle()
    commits = bench.hub.group.commits
    bench.clock.advance(WITHIN_S)
    await bench.settle()
    assert bench.hub.group.commits == commits + 1, "one for all of them, of all sessions"
    compared = [fact for fact in bench.store.read(f"{SESSION}/links") if isinstance(fact.event, e.ClockCompared)]
    assert len(compared) == 2
