"""A subject's desk in one piece: the link, what is kept for it, the recorder when consent has been given, the terminal over them.

The Textual app, the rehearsal and the tests all put a desk together here; what differs is where sound comes from.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from session.clock import Clock
from session.events import Event
from session.names import check_id, ulid
from session.network import Address, LinkState, Uplink
from session.study import Profile
from session.wire import LARGEST_DOWN_TO_SUBJECT, DeskLink, Sound
from subject.intake import Input
from subject.kept import Kept
from subject.level import Level
from subject.recorder import Recorder
from subject.settings import Settings
from subject.spool import SpoolError
from subject.takefile import write_once
from subject.terminal import Terminal

VERSION = "1"


class SubjectDesk:
    """Everything of one subject's desk but the screen; `levels` are the newest loudness of each channel.

    Raises `subject.spool.SpoolError` when `folder` cannot be used.
    """

    def __init__(
        self,
        address: Address,
        clock: Clock,
        folder: Path,
        inputs: Sequence[Input],
        changed: Callable[[], None],
        *,
        pace: float = 1.0,
    ) -> None:
        self.kept = Kept(folder, clock)
        self.link_state = LinkState(False)
        self.levels: dict[str, Level] = {}
        self._clock, self._inputs, self._pace = clock, inputs, pace
        self._changed = changed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._recorder: Recorder | None = None
        link = DeskLink(desk_name(folder, clock), clock, VERSION, address.token)
        # The terminal needs the uplink and the uplink the terminal; the lambda ties the knot.
        self._up = Uplink(
            address, link, clock, lambda happening: self.terminal.receive(happening), self._linked,
            LARGEST_DOWN_TO_SUBJECT,
        )  # fmt: skip
        self.terminal = Terminal(clock, self._up, self.kept, changed)

    async def run(self) -> None:
        """Keep the link alive until cancelled."""
        self._loop = asyncio.get_running_loop()
        self.terminal.start()
        await self._up.run()

    def open_microphone(self) -> None:
        """Open the recorder as the session's profile says; raises `session.audio.DeviceError`. Typed input opens none."""
        profile = self.terminal.profile
        if profile is None or self.terminal.typed or self._recorder is not None:
            return
        recorder = Recorder(
            self._inputs,
            self._clock,
            self.kept.directory,
            self._fact,
            settings=_settings(profile).paced(self._pace),
            on_frame=self._frame,
            on_level=self._level,
            on_sealed=self.kept.sealed,
        )
        recorder.open()
        self._recorder = recorder
        self.terminal.use(recorder)

    async def close(self) -> None:
        """Seal what is being recorded, journal what is left to report, and give microphone and folder back."""
        if self._recorder is not None:
            await asyncio.to_thread(self._recorder.close)
        self.kept.close()

    # --- callbacks of the recorder's writer thread: they only enqueue, after a fact is in the journal ------------------

    def _fact(self, fact: Event) -> None:
        """Journalled here and now: what waited for the loop would be lost with a kill, and a gap must never be forgotten."""
        report = self.terminal.journalled(fact)  # type: ignore[arg-type]  # a recorder makes subject's facts
        self._post(lambda: self.terminal.told(report))

    def _frame(self, take: str, letter: str, first: int, pcm: bytes) -> None:
        self._post(lambda: self._up.sound(Sound(take, letter, first, pcm)))

    def _level(self, level: Level) -> None:
        self._post(lambda: self.levels.__setitem__(level.letter, level))

    def _post(self, action: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action)

    def _linked(self, state: LinkState) -> None:
        self.link_state = state
        if not state.up:
            self.terminal.lost()
        self._changed()


def _settings(profile: Profile) -> Settings:
    return Settings(pre_roll_ms=profile.pre_roll_ms, tail_ms=profile.tail_ms, longest_s=profile.longest_take_s)


def desk_name(folder: Path, clock: Clock) -> str:
    """The name under which this desk comes back after a crash: kept in its folder; raises SpoolError."""
    path = folder / "desk.json"
    if not path.exists():
        try:
            write_once(path, msgspec.json.encode(ulid(clock.wall_ns())))
        except OSError as error:
            raise SpoolError(
                f"{folder}: this desk's name cannot be kept here ({error.strerror}). Make room for it"
            ) from error
    return check_id(msgspec.json.decode(path.read_bytes(), type=str))
