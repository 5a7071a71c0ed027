"""When talking starts and when it ends, told from keys and mouse alone.

A key that is held repeats; a terminal may swallow the release of a key or of the mouse; a subject may press where she was told
to hold. This is the whole decision, without a screen and without a clock of its own: moments come in as nanoseconds.
Repeats never start or end anything.
"""

from dataclasses import dataclass
from enum import StrEnum

from session.clock import MILLISECOND


class Control(StrEnum):
    """How the site's protocol lets a subject talk: hold while talking, or press to start and again to stop."""

    HOLD = "hold"
    PRESS = "press"


class Grip(StrEnum):
    """What keeps the present take going."""

    KEY_HELD = "key_held"
    KEY_PRESSED = "key_pressed"
    MOUSE_HELD = "mouse_held"
    MOUSE_PRESSED = "mouse_pressed"


class Ending(StrEnum):
    """Why talking ended."""

    RELEASED = "released"
    PRESSED_AGAIN = "pressed_again"
    RELEASE_LOST = "release_lost"
    WINDOW_LEFT = "window_left"
    LIMIT = "limit"


HELD = (Grip.KEY_HELD, Grip.MOUSE_HELD)


@dataclass(frozen=True)
class Patience:
    """How long after a key event the same key is taken for a repeat of it, in nanoseconds.

    The first repeat comes late (660 ms by default under X11), the others every 30 to 40 ms; a network adds jitter.
    """

    first_ns: int = 750 * MILLISECOND
    next_ns: int = 250 * MILLISECOND


class TalkGate:
    """Turns key and mouse events into starts (a `Grip`) and ends (an `Ending`); None means that nothing changes."""

    def __init__(self, control: Control = Control.HOLD, patience: Patience | None = None) -> None:
        self.control = control
        self.releases_agreed = False
        self.grip: Grip | None = None
        self._patience = patience or Patience()
        self._last: tuple[str, int, bool] | None = None  # key, moment, was it a repeat

    def key_down(self, key: str, now_ns: int, *, repeat: bool = False) -> Grip | Ending | None:
        """A key event; `repeat` when the terminal itself says so."""
        repeat = repeat or self._looks_repeated(key, now_ns)
        self._last = key, now_ns, repeat
        if repeat:
            return None
        held = self.control is Control.HOLD and self.releases_agreed
        return self._start_or_end(Grip.KEY_HELD if held else Grip.KEY_PRESSED)

    def _looks_repeated(self, key: str, now_ns: int) -> bool:
        if self._last is None or self._last[0] != key:
            return False
        _, then_ns, repeating = self._last
        return now_ns - then_ns < (self._patience.next_ns if repeating else self._patience.first_ns)

    def key_up(self, key: str) -> Ending | None:
        """The terminal reports that a key went up."""
        if self._last is not None and self._last[0] == key:
            self._last = None
            return self._end(Ending.RELEASED) if self.grip is Grip.KEY_HELD else None
        return None

    def mouse_down(self) -> Grip | Ending | None:
        """The mouse went down on the button."""
        if self.grip is Grip.MOUSE_HELD:
            return self._end(Ending.RELEASE_LOST)
        return self._start_or_end(Grip.MOUSE_HELD if self.control is Control.HOLD else Grip.MOUSE_PRESSED)

    def mouse_up(self) -> Ending | None:
        """The mouse went up anywhere."""
        return self._end(Ending.RELEASED) if self.grip is Grip.MOUSE_HELD else None

    def mouse_found_up(self) -> Ending | None:
        """The mouse moves with no button down, or is no longer ours: its going up was never reported."""
        return self._end(Ending.RELEASE_LOST) if self.grip is Grip.MOUSE_HELD else None

    def window_left(self) -> Ending | None:
        """The terminal's window lost the keyboard: a release will not be seen. What was only pressed goes on."""
        self._last = None
        return self._end(Ending.WINDOW_LEFT) if self.grip in HELD else None

    def toggle(self) -> Grip | Ending:
        """Chosen from a menu, where nothing can be held."""
        return self._start_or_end(Grip.MOUSE_PRESSED)

    def stop(self) -> None:
        """Talking ended for a reason outside keys and mouse; whatever is still held means nothing any more."""
        self.grip = None

    def _start_or_end(self, grip: Grip) -> Grip | Ending:
        if self.grip is not None:
            return self._end(Ending.PRESSED_AGAIN)
        self.grip = grip
        return grip

    def _end(self, ending: Ending) -> Ending:
        self.grip = None
        return ending
