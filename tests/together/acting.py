"""People who recover their place in the play from what their desk knows, so that a crash between any two moves costs nothing.

Each move is made only when everything before it has arrived, so that one order of facts is possible and no other. A stamp
follows from how many facts the desk knows, an identifier too: whoever makes a move again makes the same move.
"""

import mmap
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np

from session import events as e
from session.audio.devices import OnBlock, OnGone
from session.state.fold import SessionState, Take
from session.values.clock import SECOND
from session.values.vocabulary import Language
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

RATE = 16_000
BLOCK = 320
PER_FACT = SECOND // 2
EPOCH = 1_790_000_000 * SECOND
SCREEN = (76, 24)


class Turn:
    """One utterance of the play and what is done with it: discarded, asked about (several texts), or a canned message."""

    def __init__(self, said: str, *, discard: bool = False, ask: tuple[str, ...] = (), note: str = "") -> None:
        self.said, self.discard, self.ask, self.note = said, discard, ask, note


PLAY: tuple[tuple[str, tuple[Turn, ...]], ...] = (
    ("try", (Turn("is this on"),)),
    ("trip", (Turn("oh", discard=True), Turn("give me two", ask=("nothing", "rows 2"), note="a private thought"))),
)


class OutsideClock:
    """A manual clock that lives outside the process, as real time does: a crash does not turn it back."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        if not path.exists():
            path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self._now = mmap.mmap(file.fileno(), 8)

    def monotonic_ns(self) -> int:
        return int(struct.unpack("<q", self._now[:])[0])

    def wall_ns(self) -> int:
        return EPOCH + self.monotonic_ns()

    def set(self, now: int) -> None:
        self._now[:] = struct.pack("<q", now)

    async def sleep(self, seconds: float) -> None:
        import asyncio

        await asyncio.sleep(max(seconds, 0.2))


def names(prefix: str, have: Callable[[], int]) -> Callable[[], str]:
    """Makes identifiers that follow from the number of facts known and the place among those made since."""
    last = [-1, 0]

    def new() -> str:
        if have() != last[0]:
            last[:] = [have(), 0]
        last[1] += 1
        return f"{prefix}{have():04d}-{last[1]}"

    return new


class Line:
    """A microphone that is stepped by hand; every sample tells to which utterance it belongs and where in it it lies."""

    name, rate, channels, latency_ns = "line", RATE, 1, 0

    def __init__(self, clock: OutsideClock) -> None:
        self._clock = clock
        self._on_block: OnBlock | None = None
        self._heard_until = clock.monotonic_ns()

    def start(self, on_block: OnBlock, on_gone: OnGone) -> None:
        self._on_block = on_block
        self._heard_until = self._clock.monotonic_ns()

    def stop(self) -> None:
        self._on_block = None

    def close(self) -> None:
        self.stop()

    def idle_until(self, now: int) -> None:
        """The room's noise up to a moment, in one block."""
        count = (now - self._heard_until) * RATE // SECOND
        self._clock.set(now)
        if count > 0:
            self._deliver(np.full(count, 7, dtype="<i2"))

    def speak(self, utterance: int, first: int) -> None:
        """Twenty milliseconds of an utterance."""
        self._clock.set(self._heard_until + BLOCK * SECOND // RATE)
        self._deliver(samples(utterance, first, BLOCK))

    def _deliver(self, block: "np.ndarray[tuple[int], np.dtype[np.int16]]") -> None:
        self._heard_until = self._clock.monotonic_ns()
        if self._on_block is not None:
            self._on_block(block.tobytes(), len(block), False, self._heard_until)


def samples(utterance: int, first: int, count: int) -> "np.ndarray[tuple[int], np.dtype[np.int16]]":
    """What is spoken in an utterance, from sample `first` of it on."""
    places = np.arange(first, first + count, dtype=np.int64)
    return ((places * 7919 + utterance * 104_729) % 20_011 - 10_005).astype("<i2")


def spoken(state: SessionState) -> list[Take]:
    """The utterances of the scenario that is going on; one of which a crash left nothing has to be spoken again."""
    takes = state.takes_of(len(state.runs) - 1) if state.run else []
    return [take for take in takes if not take.complete or any(sealed.samples for sealed in take.sealed)]


class Subject:
    """Speaks, reads, discards and declares; `talking` is what one utterance does to the recorder, without a pause."""

    def __init__(self, desk: SubjectDesk, line: Line) -> None:
        self._desk, self._line = desk, line

    @property
    def settled(self) -> bool:
        terminal = self._desk.terminal
        known = terminal.connected and terminal._have >= terminal._known
        return known and not len(self._desk.kept.outbox) and not self._desk._up._link.pending

    @property
    def done(self) -> bool:
        return self.settled and self._desk.terminal.state.ended

    def move(self) -> None:
        """The one thing that is to be done now, if any."""
        terminal = self._desk.terminal
        state = terminal.state
        self._line.idle_until(max(1, terminal._have) * PER_FACT)
        if self._desk._recorder is not None:
            self._desk._recorder.step()
        if terminal.profile is None or state.ended:
            return
        if state.screen != SCREEN:
            terminal.sized(*SCREEN)
            return
        self._desk.open_microphone()
        for take in state.takes.values():
            if take.transcriptions and not take.transcription_shown:
                terminal.transcription_painted(take.take)
                return
        for reply in state.replies.values():
            if reply.shown is None:
                terminal.reply_painted(reply.reply, 0, 0)
                return
        if state.run:
            self._go_on(state)

    def _go_on(self, state: SessionState) -> None:
        turns, takes = PLAY[len(state.runs) - 1][1], spoken(state)
        last = takes[-1] if takes else None
        if last is not None and not last.confirmed:
            return
        if last is not None and turns[len(takes) - 1].discard and not last.discarded:
            self._desk.terminal.discard()
        elif last is not None and not last.discarded and not state.answered(last):
            return
        elif len(takes) < len(turns):
            self._speak(10 * len(state.runs) + len(takes))
        else:
            self._desk.terminal.declare("flight 12")

    def _speak(self, utterance: int) -> None:
        """At one stroke: what a kill in the middle of it does to the sound is a matter of its own."""
        recorder, terminal, first = self._desk._recorder, self._desk.terminal, 0
        assert recorder is not None

        def hear(blocks: int) -> None:
            nonlocal first
            for _ in range(blocks):
                self._line.speak(utterance, first)
                first += BLOCK
                recorder.step()

        hear(20)
        terminal.press()
        hear(25)
        terminal.release()
        hear(20)


class Wizard:
    """Starts the scenarios, transcribes, asks, sends, ends the session."""

    def __init__(self, desk: WizardDesk, clock: OutsideClock) -> None:
        self._desk, self._clock = desk, clock
        self._known = -1
        receive = desk.console.receive

        def watching(happening: object) -> None:
            self._known = getattr(happening, "facts", self._known)
            receive(happening)  # type: ignore[arg-type]

        desk.console.receive = watching  # type: ignore[method-assign]

    @property
    def settled(self) -> bool:
        link = self._desk._link
        return self._desk.console.connected and link.have >= self._known >= 0 and not link.pending

    @property
    def done(self) -> bool:
        return self.settled and self._desk.console.state.ended

    def move(self) -> None:
        """The one thing that is to be done now, if any."""
        console = self._desk.console
        state = console.state
        self._clock.set(max(1, self._desk._link.have) * PER_FACT)
        if state.screen is None or state.ended:
            return
        if state.run is None:
            if len(state.runs) < len(PLAY):
                console.start_scenario(PLAY[len(state.runs)][0], {"A": "Boston"})
            else:
                console.end_session()
            return
        turns, takes = PLAY[len(state.runs) - 1][1], spoken(state)
        if takes and takes[-1].confirmed and not turns[len(takes) - 1].discard and not state.answered(takes[-1]):
            self._treat(takes[-1], turns[len(takes) - 1])

    def _treat(self, take: Take, turn: Turn) -> None:
        console = self._desk.console
        attempts = [console.state.attempts[name] for name in take.attempts]
        console._picked = take.take
        if not take.transcriptions:
            console.transcribe(turn.said)
        elif not take.transcription_shown or (attempts and attempts[-1].running):
            return
        elif turn.note and turn.note not in console.state.notes:
            console.note(turn.note)
        elif len(attempts) < len(turn.ask):
            console.ask(turn.ask[len(attempts)], Language.SQL)
        elif not turn.ask:
            console.send_canned("none", (turn.said,))
        elif not attempts[-1].previewed:
            console.previewed()
        else:
            console.send()


def troubles(state: SessionState) -> list[e.AudioTroubled]:
    """What was reported of the sound of all takes."""
    return [trouble for take in state.takes.values() for trouble in take.troubles]
