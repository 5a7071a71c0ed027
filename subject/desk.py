"""A subject's desk in one piece: the link, what is kept for it, the recorder when consent has been given, the terminal over them.

The Textual app, the rehearsal and the tests all put a desk together here; what differs is where sound comes from.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from session.audio.devices import DeviceError, Loudspeaker, SoundDeviceLoudspeaker
from session.events import AudioTroubled, Event
from session.protocol.links import DeskLink
from session.protocol.messages import LARGEST_SUBJECT_FRAME, SPEECH_RATE, AudioChunk
from session.study.settings import Profile
from session.transport.websocket import Address, HubClient, LinkState
from session.values.clock import Clock, Stamp, stamp
from session.values.names import check_id, ulid
from session.values.vocabulary import AudioTrouble, PlaybackEnd, RecordingControl
from subject.capture.endpointer import Decision, EndPointer, EndPointing, SpeechDetector
from subject.capture.input import Input
from subject.capture.level import Level
from subject.capture.recording_settings import RecordingSettings
from subject.capture.take_file import write_once
from subject.core import texts
from subject.core.reply_speech import ReplySpeech, pause_ms
from subject.core.terminal import Terminal
from subject.playback.reply_player import ReplyPlayer
from subject.spool.spool import DeskStorage
from subject.spool.takes import SpoolError

if TYPE_CHECKING:
    from subject.capture.recorder import Recorder

VERSION = "1"


def installed_detector(rate: int) -> SpeechDetector:
    """`subject.capture.speech_detectors.detector`, loaded when it is wanted."""
    from subject.capture.speech_detectors import detector

    return detector(rate)


def default_loudspeaker(device: str = "") -> Loudspeaker:
    """The host's default one, or the one named by a part of its name or its number, at the rate of all that is spoken."""
    return SoundDeviceLoudspeaker(int(device) if device.isdigit() else device or None, SPEECH_RATE)


Inputs = Sequence[Input] | Callable[[Profile], Sequence[Input]]
"""The microphones of a desk, or what chooses them when the session's profile is known."""


class SubjectDesk:
    """Everything of one subject's desk but the screen; `levels` are the newest loudness of each channel.

    Raises `subject.spool.takes.SpoolError` when `folder` cannot be used.
    """

    def __init__(
        self,
        address: Address,
        clock: Clock,
        folder: Path,
        inputs: Inputs,
        changed: Callable[[], None],
        *,
        pace: float = 1.0,
        detector: Callable[[int], SpeechDetector] = installed_detector,
        loudspeaker: Callable[[], Loudspeaker] = default_loudspeaker,
    ) -> None:
        self.kept = DeskStorage(folder, clock)
        self.link_state = LinkState(False)
        self.levels: dict[str, Level] = {}
        self._clock, self._inputs, self._pace = clock, inputs, pace
        self._changed, self._detector = changed, detector
        self._loop: asyncio.AbstractEventLoop | None = None
        self._recorder: Recorder | None = None
        self._closing: asyncio.Task[None] | None = None
        self._endpointing: EndPointing | None = None
        link = DeskLink(desk_name(folder, clock), clock, VERSION, address.token)
        # The terminal needs the uplink and the uplink the terminal; the lambda ties the knot.
        self._up = HubClient(
            address, link, clock, lambda happening: self.terminal.receive(happening), self._linked,
            LARGEST_SUBJECT_FRAME,
        )  # fmt: skip
        self.terminal = Terminal(clock, self._up, self.kept, self._after_change)
        self._loudspeaker = loudspeaker
        self._player: ReplyPlayer | None = None

    async def run(self) -> None:
        """Keep the link alive until cancelled."""
        self._loop = asyncio.get_running_loop()
        self.terminal.start()
        await self._up.run()

    def prepare(self) -> None:
        """Load what recording needs, so that nobody waits for it when consent is given; any thread may call this."""
        import subject.capture.recorder  # noqa: F401  # not at the top: a first painting does not wait for the library of numbers

    def open_microphone(self) -> None:
        """Open the recorder as the session's profile says; raises `session.audio.devices.DeviceError`. Typed input opens none."""
        profile = self.terminal.profile
        if profile is None or self.terminal.typed or self._recorder is not None or not self.terminal.microphone_wanted:
            return
        try:
            self._open(profile)
        except DeviceError as error:
            self._microphone(AudioTrouble.DEVICE_LOST, "s", str(error))
            raise
        for letter in self.terminal.state.lost_microphones:
            self._microphone(AudioTrouble.DEVICE_CHANGED, letter, "opened again")

    def _microphone(self, trouble: AudioTrouble, letter: str, detail: str) -> None:
        self._fact(AudioTroubled(at=stamp(self._clock), take="", trouble=trouble, letter=letter, detail=detail))

    def _open(self, profile: Profile) -> None:
        from subject.capture.recorder import Recorder

        recorder = Recorder(
            self._inputs(profile) if callable(self._inputs) else self._inputs,
            self._clock,
            self.kept.directory,
            self._fact,
            settings=recorder_settings(profile).paced(self._pace),
            on_frame=self._frame,
            on_level=self._level,
            on_sealed=self.kept.sealed,
        )
        recorder.open()
        self._recorder = recorder
        if profile.recording is not RecordingControl.ENDPOINTED:
            self.terminal.use(recorder)
            return
        try:
            self._detector(recorder.rate)
        except DeviceError:
            self._recorder = None
            recorder.close()
            raise
        pointer = EndPointer(lambda: self._detector(recorder.rate), recorder.rate, self._decided)
        self._endpointing = EndPointing(recorder, pointer, self._not_end_pointed)
        self.terminal.use(self._endpointing)

    async def close(self) -> None:
        """Seal what is being recorded, journal what is left to report, and give microphone and folder back."""
        if self._closing is not None:
            await self._closing
        await self._close_microphone()
        if self._player is not None:
            await asyncio.to_thread(self._player.close)
            await asyncio.sleep(0)  # what it told on its way out is journalled
        self.kept.close()

    def _after_change(self) -> None:
        """Close the microphone as soon as the subject takes part no longer; its screen is told of every change."""
        profile = self.terminal.profile
        if self._player is None and profile is not None and profile.speaks and self._loop is not None:
            self._open_player(profile, self._loop)
        if self._player is not None and profile is not None:
            self._player.wait_for_quiet(pause_ms(profile))
        if self._recorder is not None and self._closing is None and not self.terminal.microphone_wanted:
            self._closing = asyncio.get_running_loop().create_task(self._close_microphone())
        self._changed()

    def _open_player(self, profile: Profile, loop: asyncio.AbstractEventLoop) -> None:
        """Have the loudspeaker opened beforehand, so that the first reply does not wait; what fails now is told with a reply."""
        player = self._player = ReplyPlayer(self._loudspeaker, self._clock, _PlaybackListener(self), pause_ms(profile))
        self.terminal.speech.use(player)

        def open_it() -> None:
            with contextlib.suppress(DeviceError):
                player.open()

        loop.call_soon(open_it)  # in this thread: PortAudio opens one stream after another

    async def _close_microphone(self) -> None:
        """Give the microphones back at once; sealing what was recorded goes on in a thread."""
        recorder, self._recorder = self._recorder, None
        pointer, self._endpointing = self._endpointing, None
        if recorder is None:
            return
        self.terminal.use(None)
        await asyncio.to_thread(recorder.close)
        if pointer is not None:
            await asyncio.to_thread(pointer.close)
        self.levels.clear()
        self._changed()

    # --- callbacks of the recorder's writer thread: they only enqueue, after a fact is in the journal ------------------

    def _fact(self, fact: Event) -> None:
        """Journalled here and now: what waited for the loop would be lost with a kill, and a gap must never be forgotten."""
        report = self.terminal.journalled(fact)  # type: ignore[arg-type]  # a recorder makes subject's facts
        self._post(lambda: self.terminal.recorder_reported(report))

    def _frame(self, take: str, letter: str, first: int, pcm: bytes) -> None:
        if self._endpointing is not None:
            self._endpointing.frame(take, letter, first, pcm)
        self._post(lambda: self._up.sound(AudioChunk(take, letter, first, pcm)))

    def _decided(self, decision: Decision) -> None:
        found = decision.as_fact(stamp(self._clock))
        self._post(lambda: self.terminal.end_pointed(found, decision.why))

    def _not_end_pointed(self) -> None:
        self._post(lambda: self.terminal.show_message(texts.not_by_itself(self.terminal)))

    def _level(self, level: Level) -> None:
        self._post(lambda: self.levels.__setitem__(level.letter, level))

    def spoken_until(self, at: Stamp) -> None:
        """The system was heard until then; anyone who may interrupt it is recorded beside it."""
        profile, recorder = self.terminal.profile, self._recorder
        if recorder is not None and profile is not None and not profile.barge_in:
            recorder.spoken_until(at)

    def heard(self, change: Callable[[ReplySpeech], None]) -> None:
        """The player has something to tell; from whatever thread."""
        self._post(lambda: self.terminal.playback_changed(change))

    def _post(self, action: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action)

    def _linked(self, state: LinkState) -> None:
        self.link_state = state
        if not state.up:
            self.terminal.lost()
        self._changed()


class _PlaybackListener:
    """Passes on to the event loop what the player tells of the replies."""

    def __init__(self, desk: SubjectDesk) -> None:
        self._desk = desk

    def began(self, reply: str, at: Stamp) -> None:
        self._desk.heard(lambda speech: speech.began(reply, at))

    def ended(self, reply: str, samples: int, why: PlaybackEnd, detail: str, at: Stamp) -> None:
        if samples:
            self._desk.spoken_until(at)
        self._desk.heard(lambda speech: speech.ended(reply, samples, why, detail, at))

    def quiet(self) -> None:
        self._desk.heard(lambda speech: speech.quiet())


def recorder_settings(profile: Profile) -> RecordingSettings:
    return RecordingSettings(pre_roll_ms=profile.pre_roll_ms, tail_ms=profile.tail_ms, longest_s=profile.longest_take_s)


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
