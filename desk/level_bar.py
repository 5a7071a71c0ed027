"""Is the microphone hearing, and is it hearing well? Said by a bar and in words.

Levels come tens of times a second from the audio thread. Those that wait while the screen is busy are replaced by the newest, but
one that clipped is never lost. A warning stays long enough to be read.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from desk.worded import words_near
from session.values.clock import SECOND, Clock

FLOOR_DB = -60.0
SILENCE_DB = -50.0
QUIETEST_DB = -30.0
SILENCE_NS = round(1.5 * SECOND)
HOLD_NS = 2 * SECOND


class MeterReading(StrEnum):
    """Reading of the meter, for the person at the microphone."""

    OFF = "microphone off"
    WAITING = "microphone on"
    GOOD = "good level"
    QUIET = "quiet"
    CLIPPING = "TOO LOUD: move back a little"
    SILENT = "NO SOUND: is the microphone on?"


def decibels(amplitude: float) -> float:
    """An amplitude of 0 to 1 (full scale) in dBFS, not below the meter's floor of −60.

    >>> decibels(1.0), decibels(0.0)
    (0.0, -60.0)
    """
    return max(FLOOR_DB, 20 * math.log10(amplitude)) if amplitude > 0 else FLOOR_DB


class LevelHeard(Message):
    """The level of the last few milliseconds: `peak` and `rms` from 0 to 1, and whether a sample reached full scale."""

    def __init__(self, peak: float, rms: float, clipped: bool = False) -> None:
        super().__init__()
        self.peak = peak
        self.rms = rms
        self.clipped = clipped

    def can_replace(self, message: Message) -> bool:
        """Textual asks the older message about a newer one that waits behind it."""
        return isinstance(message, LevelHeard) and (message.clipped or not self.clipped)


@dataclass(frozen=True)
class MeterState:
    """State of the meter. Moments in nanoseconds of the desk's clock; `listening_since` is None while off.

    `sound_at`: last heard above the noise of a dead or muted microphone; `voice_at`: last as loud as somebody who talks.
    """

    peak_db: float = FLOOR_DB
    rms_db: float = FLOOR_DB
    listening_since: int | None = None
    expected_since: int | None = None
    clipped_at: int | None = None
    sound_at: int | None = None
    voice_at: int | None = None

    def switched(self, on: bool, now_ns: int) -> "MeterState":
        """The microphone was opened or closed."""
        if not on:
            return MeterState(expected_since=self.expected_since)
        return self if self.listening_since is not None else replace(self, listening_since=now_ns)

    def expected(self, speech: bool, now_ns: int) -> "MeterState":
        """Somebody is to speak from now on, or no longer."""
        if not speech:
            return replace(self, expected_since=None)
        return self if self.expected_since is not None else replace(self, expected_since=now_ns)

    def heard(self, peak: float, rms: float, clipped: bool, now_ns: int) -> "MeterState":
        """A new level; clipping and sound are remembered with their moment."""
        peak_db, rms_db = decibels(peak), decibels(rms)
        return replace(
            self,
            peak_db=peak_db,
            rms_db=rms_db,
            clipped_at=now_ns if clipped else self.clipped_at,
            sound_at=now_ns if rms_db > SILENCE_DB else self.sound_at,
            voice_at=now_ns if peak_db >= QUIETEST_DB else self.voice_at,
        )

    def hearing(self, now_ns: int) -> MeterReading:
        """The one thing to say now; nothing is called good that was not heard.

        Clipping is said for two seconds; a level stays good, and silence is not yet told, for one and a half.
        """
        if self.listening_since is None:
            return MeterReading.OFF
        if self.clipped_at is not None and now_ns - self.clipped_at < HOLD_NS:
            return MeterReading.CLIPPING
        if self.voice_at is not None and now_ns - self.voice_at < SILENCE_NS:
            return MeterReading.GOOD
        if self.sound_at is not None and now_ns - self.sound_at < SILENCE_NS:
            return MeterReading.QUIET
        return MeterReading.SILENT if self._silent(now_ns) else MeterReading.WAITING

    def _silent(self, now_ns: int) -> bool:
        """Return whether nothing at all has come in since somebody was to speak; a pause for thought is not a fault."""
        since = self.expected_since
        if since is None or now_ns - since < SILENCE_NS:
            return False
        return self.sound_at is None or self.sound_at < since


class LevelMeter(Widget):
    """A bar of the loudness with its peak and words. Post it `LevelHeard`; set `listening` and `speech_expected`."""

    DEFAULT_CSS = """
    LevelMeter { height: 1; color: $success;
        &.-warning { color: $warning; text-style: bold reverse; }
        &.-off { color: $foreground 60%; } }
    """

    listening: reactive[bool] = reactive(False)
    speech_expected: reactive[bool] = reactive(False)

    def __init__(
        self,
        clock: Clock,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._clock = clock
        self.level = MeterState()

    def on_mount(self) -> None:
        self.set_interval(0.25, self.look_again)
        self.look_again()

    def on_level_heard(self, message: LevelHeard) -> None:
        message.stop()
        if self.listening:
            now = self._clock.monotonic_ns()
            self.level = self.level.heard(message.peak, message.rms, message.clipped, now)
            self.look_again()

    def watch_listening(self, listening: bool) -> None:
        self.level = self.level.switched(listening, self._clock.monotonic_ns())
        self.look_again()

    def watch_speech_expected(self, expected: bool) -> None:
        self.level = self.level.expected(expected, self._clock.monotonic_ns())
        self.look_again()

    def look_again(self) -> None:
        """Warnings come and go with time as well as with sound."""
        hearing = self.hearing
        self.set_class(hearing in (MeterReading.CLIPPING, MeterReading.SILENT), "-warning")
        self.set_class(hearing is MeterReading.OFF, "-off")
        self.refresh()

    @property
    def hearing(self) -> MeterReading:
        return self.level.hearing(self._clock.monotonic_ns())

    def render(self) -> RenderResult:
        words = f" {words_near(self).of(self.hearing)}"  # no decibels: they tell a participant nothing
        room = max(0, min(40, self.size.width - len(words) - 2))
        return Content(f" {bar(self.level.rms_db, self.level.peak_db, room)}{words}"[: self.size.width])


def bar(rms_db: float, peak_db: float, width: int) -> str:
    """Loudness as a bar of `width` cells from −60 to 0 dBFS, the peak as a stroke in it.

    >>> bar(-30.0, -15.0, 8)
    '━━━━┄┄│┄'
    """
    full = round((rms_db - FLOOR_DB) / -FLOOR_DB * width)
    peak = min(width - 1, int((peak_db - FLOOR_DB) / -FLOOR_DB * width))
    cells = ["━" if at < full else "┄" for at in range(width)]
    if peak >= full and peak > 0:
        cells[peak] = "│"
    return "".join(cells)
