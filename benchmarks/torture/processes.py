"""The three processes of a torture run: hub, subject's desk and wizard's desk as they are, with restless people at them.

Each can be killed at any moment and is started again by the scheduler outside; the people find their place from what their
desk knows. The microphone's samples tell their places, so that a missing one shows.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.torture.faults import Ledger, Numbered, SteppedClock, Weather, count_written, fill_hub, fill_subject
from session import events as e
from session.collection.recordings import Recordings
from session.hub.connection import connection_factory
from session.hub.hub import Hub
from session.hub.query_runner import UnderstoodRequest
from session.protocol.links import CommandAnswered, LinkEvent
from session.store.event_store import Store, StoreUnavailable
from session.study.settings import CannedMessage, Equipment, Profile, Protocol, Scenario, Speaker
from session.transport.websocket import Address, HubServer
from session.values.answers import EarlierRequest, FailureKind, OtherReading, QueryFailure, Table, rows_of
from session.values.column_display import Reading
from session.values.vocabulary import Echo, Language, ResponseClass, Role, ScenarioKind
from subject.capture.input import Input
from subject.desk import SubjectDesk
from subject.spool.takes import SpoolError
from wizard.desk import WizardDesk

SESSION = "torture-20260101-1"
TOKENS = {"token-of-the-subject": Role.SUBJECT, "token-of-the-wizard": Role.WIZARD}
BY_ROLE = {role: token for token, role in TOKENS.items()}


def admit(token: str, session: str) -> Role | None:
    """Give the role of one of `TOKENS`, which open every session."""
    return TOKENS.get(token)


RATE = 16_000
HUB_DISK, SUBJECT_DISK = "hub", "subject"
SUBJECT_LEDGER, WIZARD_LEDGER = "subject.ledger", "wizard.ledger"
REFUSED = 3
TAKES_PER_SCENARIO = 12
PATIENCE_S = 0.05


def opened() -> e.SessionOpened:
    """A protocol that leaves room for many short utterances."""
    profile = Profile(name="torture", consent=False, echo=Echo.BEFORE_QUERY, pre_roll_ms=100, tail_ms=60)
    scenario = Scenario(id="try", title="Practice", kind=ScenarioKind.PRACTICE, text="Say something.")
    message = CannedMessage(id="none", text="Nothing on ___", reason="no data", response=ResponseClass.DIAGNOSTIC)
    protocol = Protocol(
        site="torture", sha256="0" * 64, files={}, profile=profile, domain="toy", database_version="toy 1",
        today="1991-01-20", equipment=Equipment(), scenarios={scenario.id: scenario},
        canned_messages={message.id: message},
    )  # fmt: skip
    return e.SessionOpened(site="torture", speaker=Speaker(id="t01"), protocol=protocol, operator="Oz", rehearsal=True)


class Toy:
    """Answers every statement but those that ask for nothing."""

    version = "toy 1"

    def run(self, sql: str) -> Table:
        if "nothing" in sql:
            raise QueryFailure(FailureKind.SYNTAX, "there is nothing")
        return rows_of(["number"], [[number] for number in range(20)])

    def reading(self, table: Table) -> Reading:
        return ()

    def spoken(self, table: Table, reading: Reading, most: int) -> str:
        return f"{len(table.rows)} rows."

    def understand(self, text: str, context: Sequence[EarlierRequest], language: Language) -> UnderstoodRequest:
        return UnderstoodRequest(text)

    def words(self) -> frozenset[str]:
        return frozenset()

    def written(self, sql: str) -> tuple[str, ...]:
        return ()

    def counted(self, readings: Sequence[OtherReading]) -> tuple[OtherReading, ...]:
        return tuple(readings)

    def consulted(self) -> None:
        """No outside model is asked here."""

    def cancel(self) -> None:
        """Nothing here runs long."""


async def hub(folder: Path, weather: Weather, seed: int) -> None:
    fill_hub(weather)
    disk = folder / HUB_DISK
    store, recordings = Store(f"sqlite:///{disk}/collection.sqlite"), Recordings(disk / "recordings")
    clock = SteppedClock(f"hub-{seed}", weather)
    writer = ThreadPoolExecutor(1)
    made = Hub(store, recordings, Toy, clock, writer)
    try:
        await made.resume(SESSION)
    except KeyError:
        await made.open(SESSION, opened())
    served = await HubServer(connection_factory(made, admit, clock), clock).start("127.0.0.1", 0, None)
    (folder / "port.new").write_text(str(served.port))
    (folder / "port.new").replace(folder / "port")
    await asyncio.Event().wait()


def address(folder: Path, role: Role, session: str = SESSION) -> Address:
    """The way through the relay."""
    return Address("127.0.0.1", int((folder / "proxy").read_text()), session, BY_ROLE[role], tls=False)


async def subject(folder: Path, weather: Weather, seed: int) -> None:
    """Says something whenever it may, for as long as it likes, until the run is over and the hub has everything."""
    ledger, draw = Ledger(folder / SUBJECT_LEDGER), random.Random(seed)
    fill_subject(weather)
    count_written(ledger)
    clock = SteppedClock(f"subject-{seed}", weather)
    microphone = Numbered(clock, RATE, blocksize=320, pace=1.0, weather=weather)
    spool = folder / SUBJECT_DISK / "spool"
    desk = SubjectDesk(address(folder, Role.SUBJECT), clock, spool, [Input(lambda: microphone)], lambda: None)
    _note_kept(desk, ledger)
    link = asyncio.ensure_future(desk.run())
    terminal = desk.terminal
    while not (weather.over and terminal.state.ended and _is_at_rest(desk)):
        await asyncio.sleep(PATIENCE_S)
        if terminal.profile is None:
            continue
        desk.open_microphone()
        for take in terminal.state.takes.values():
            if take.transcriptions:
                terminal.transcription_painted(take.take)
        for reply in terminal.state.replies.values():
            terminal.reply_painted(reply.reply, 0, 20)
        if terminal.may_talk and not weather.over and terminal.press():
            await asyncio.sleep(draw.uniform(0.02, 0.5))
            terminal.release()
            if draw.random() < 0.1:
                terminal.discard()
    await _ended(link)
    await desk.close()


def _is_at_rest(desk: SubjectDesk) -> bool:
    """Return whether the microphone is given back, which may have been something to report, and the hub has every report."""
    return (desk._closing is None or desk._closing.done()) and not desk.kept.pending()


def _note_kept(desk: SubjectDesk, ledger: Ledger) -> None:
    """Note every report that the journal was said to hold."""
    add = desk.kept.add

    def noting(*reports: Any) -> None:
        add(*reports)
        if not desk.kept.trouble:
            for report in reports:
                ledger.note("kept", report.id)

    desk.kept.add = noting  # type: ignore[method-assign]


async def wizard(folder: Path, weather: Weather, seed: int) -> None:
    """Treats one utterance after the other; ends the session when the run is over and every take has arrived."""
    ledger, draw = Ledger(folder / WIZARD_LEDGER), random.Random(seed)
    desk = WizardDesk(address(folder, Role.WIZARD), SteppedClock(f"wizard-{seed}", weather), lambda: None)
    console, receive = desk.console, desk.console.receive

    def noting(happening: LinkEvent) -> None:
        if isinstance(happening, CommandAnswered) and happening.refusal is None:
            ledger.note("acknowledged", happening.command)
        receive(happening)

    console.receive = noting  # type: ignore[method-assign]
    link = asyncio.ensure_future(desk.run())
    while not (weather.over and console.state.ended):
        await asyncio.sleep(PATIENCE_S)
        if console.connected and not desk._link.pending and console.state.opened is not None:
            _treat(desk, weather, draw)
    await _ended(link)


def _treat(desk: WizardDesk, weather: Weather, draw: random.Random) -> None:
    console, state = desk.console, desk.console.state
    if state.run is None:
        if not weather.over:
            console.start_scenario("try")
        elif all(take.confirmed for take in state.takes.values() if take.pressed):
            console.end_session()
        return
    if weather.over or len(state.takes_of(len(state.runs) - 1)) > TAKES_PER_SCENARIO:
        console.end_scenario()
        return
    take = console.take
    if take is None or not take.complete or state.answered(take) or state.running is not None:
        return
    if not take.transcriptions:
        console.transcribe(f"take {take.take}")
    elif take.transcription_shown and not take.attempts and draw.random() < 0.5:
        console.ask(draw.choice(("nothing", "rows")), Language.SQL)
    elif take.transcription_shown and console.preview is not None:
        console.send()
    elif take.transcription_shown:
        console.send_canned("none", (take.take,))


async def _ended(link: "asyncio.Future[None]") -> None:
    link.cancel()
    with suppress(asyncio.CancelledError):
        await link


PARTS: dict[str, Callable[[Path, Weather, int], Coroutine[Any, Any, None]]] = {
    "hub": hub,
    "subject": subject,
    "wizard": wizard,
}


def live(part: str, folder: Path, seed: int) -> None:
    """One life of a part, in this process; ends with status `REFUSED` where it said in words that its disk will not do."""
    try:
        asyncio.run(PARTS[part](folder, Weather(folder / "weather"), seed))
    except (SpoolError, StoreUnavailable) as refusal:
        Ledger(folder / f"{part}.refusals").note(refusal)
        sys.exit(REFUSED)
