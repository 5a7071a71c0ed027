"""The gate that starts and ends talking, from keys and mouse alone.

A key that is held repeats; a terminal may swallow the release of a key or of the mouse; a subject may press where she was told
to hold. This is the whole decision, without a screen and without a clock of its own: moments come in as nanoseconds.
Repeats never start or end anything; where a press cannot be told from a repeat, the doubt is in favour of what is spoken.
"""

from dataclasses import dataclass
from enum import StrEnum

from session.values.clock import MILLISECOND


class Control(StrEnum):
    """Control of talking by the site's protocol: hold while talking, or press to start and again to stop."""

    HOLD = "hold"
    PRESS = "press"


class Grip(StrEnum):
    """Grip on the present take: what keeps it going."""

    KEY_HELD = "key_held"
    KEY_PRESSED = "key_pressed"
    MOUSE_HELD = "mouse_held"
    MOUSE_PRESSED = "mouse_pressed"


class TalkEnd(StrEnum):
    """The reason why talking ended."""

    RELEASED = "released"
    PRESSED_AGAIN = "pressed_again"
    RELEASE_LOST = "release_lost"
    WINDOW_LEFT = "window_left"
    LIMIT = "limit"
    COVERED = "covered"


HELD = (Grip.KEY_HELD, Grip.MOUSE_HELD)


@dataclass(frozen=True)
class Patience:
    """Times after a key event within which the same key is taken for a repeat of it, in nanoseconds.

    The first repeat comes late (660 ms by default under X11), the others every 30 to 90 ms; a network adds jitter. So one
    key event within `first_ns` is in doubt until others have followed it as fast as repeats do, within `soon_ns`, or none has for
    `next_ns`. Two that are further apart may be two presses of an impatient hand.
    """

    first_ns: int = 750 * MILLISECOND
    next_ns: int = 250 * MILLISECOND
    soon_ns: int = 100 * MILLISECOND


class _LastKey(StrEnum):
    """The last key event."""

    PRESS = "press"
    DOUBTFUL = "doubtful"
    REPEAT = "repeat"


class TalkGate:
    """Turns key and mouse events into starts (a `Grip`) and ends (a `TalkEnd`); None means that nothing changes.

    While `in_doubt`, call `settle` before anything else and once `settles_in_ns` have passed. `unsure` is set as long as a
    take goes on although its key may have been pressed to end it.
    """

    def __init__(self, control: Control = Control.HOLD, patience: Patience | None = None) -> None:
        self.control = control
        self.releases_agreed = False
        self.grip: Grip | None = None
        self.unsure = False
        self._patience = patience or Patience()
        self._last: tuple[str, int, _LastKey] | None = None

    @property
    def in_doubt(self) -> bool:
        """Return whether the last key event may have been a press or the first repeat of a key held down."""
        return self._last is not None and self._last[2] is _LastKey.DOUBTFUL

    @property
    def settles_in_ns(self) -> int:
        """Return the time after a doubtful key event until its meaning is known."""
        return self._patience.next_ns

    def key_down(self, key: str, now_ns: int, *, repeat: bool = False) -> Grip | TalkEnd | None:
        """A key event; `repeat` when the terminal itself says so."""
        heard = _LastKey.REPEAT if repeat else self._what(key, now_ns)
        self._last = key, now_ns, heard
        if heard is not _LastKey.PRESS:
            return None
        held = self.control is Control.HOLD and self.releases_agreed
        return self._start_or_end(Grip.KEY_HELD if held else Grip.KEY_PRESSED)

    def _what(self, key: str, now_ns: int) -> _LastKey:
        if self._last is None or self._last[0] != key or self.unsure:  # one more than the doubtful one: it is meant
            return _LastKey.PRESS
        _, then_ns, heard = self._last
        if heard is _LastKey.PRESS:
            return _LastKey.DOUBTFUL if now_ns - then_ns < self._patience.first_ns else _LastKey.PRESS
        if heard is _LastKey.DOUBTFUL and self._patience.soon_ns < now_ns - then_ns < self._patience.next_ns:
            return _LastKey.DOUBTFUL
        return _LastKey.REPEAT if now_ns - then_ns < self._patience.next_ns else _LastKey.PRESS

    def settle(self, now_ns: int) -> Grip | None:
        """A doubtful key event that no other has followed was a press, or a key let go just after its first repeat.

        It begins a take, lest its first words be lost; it ends none, lest its last ones be.
        """
        if self._last is None or not self.in_doubt or now_ns - self._last[1] < self._patience.next_ns:
            return None
        self._last = self._last[0], self._last[1], _LastKey.PRESS
        if self.grip is not None:
            self.unsure = True
            return None
        self.grip = Grip.KEY_PRESSED
        return self.grip

    def key_up(self, key: str) -> TalkEnd | None:
        """The terminal reports that a key went up."""
        if self._last is not None and self._last[0] == key:
            self._last = None
            return self._end(TalkEnd.RELEASED) if self.grip is Grip.KEY_HELD else None
        return None

    def mouse_down(self) -> Grip | TalkEnd | None:
        """The mouse went down on the button."""
        if self.grip is Grip.MOUSE_HELD:
            return self._end(TalkEnd.RELEASE_LOST)
        return self._start_or_end(Grip.MOUSE_HELD if self.control is Control.HOLD else Grip.MOUSE_PRESSED)

    def mouse_up(self) -> TalkEnd | None:
        """The mouse went up anywhere."""
        return self._end(TalkEnd.RELEASED) if self.grip is Grip.MOUSE_HELD else None

    def mouse_found_up(self) -> TalkEnd | None:
        """The mouse moves with no button down, or is no longer ours: its going up was never reported."""
        return self._end(TalkEnd.RELEASE_LOST) if self.grip is Grip.MOUSE_HELD else None

    def window_left(self) -> TalkEnd | None:
        """The terminal's window lost the keyboard: a release will not be seen. What was only pressed goes on."""
        self._last = None
        return self._end(TalkEnd.WINDOW_LEFT) if self.grip in HELD else None

    def toggle(self) -> Grip | TalkEnd:
        """Chosen from a menu, where nothing can be held."""
        return self._start_or_end(Grip.MOUSE_PRESSED)

    def stop(self) -> None:
        """Talking ended for a reason outside keys and mouse; whatever is still held means nothing any more."""
        self.grip, self.unsure = None, False

    def _start_or_end(self, grip: Grip) -> Grip | TalkEnd:
        if self.grip is not None:
            return self._end(TalkEnd.PRESSED_AGAIN)
        self.grip = grip
        return grip

    def _end(self, ending: TalkEnd) -> TalkEnd:
        self.stop()
        return ending
