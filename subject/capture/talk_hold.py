"""State of the talk button: whether the subject is talking, as seen from two threads at once.

The terminal presses and releases; the recorder's writer decides when a take's tail is over. Pressing again within the tail
continues with the same take, so the two must agree on which came first: that is all this lock is for. It is held for a few
instructions and never by an audio thread.
"""

import threading


class Hold:
    """The take that is being recorded, from its press to the end of its tail, and whether the button is down."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._take: str | None = None
        self._down = False

    @property
    def take(self) -> str | None:
        """The take that is being recorded, its tail included."""
        with self._lock:
            return self._take

    def press(self, take: str) -> tuple[str, bool, bool]:
        """The take that is now recorded, whether it continues from its tail, whether the press changed anything."""
        with self._lock:
            again, was_down = self._take is not None, self._down
            self._take, self._down = self._take or take, True
            return self._take, again, not was_down

    def release(self, take: str) -> bool:
        """The button went up; False if this take was not held."""
        with self._lock:
            held = self._take == take and self._down
            if held:
                self._down = False
            return held

    def discard(self, take: str) -> bool:
        """The take is over at once; False if it was over already."""
        with self._lock:
            current = self._take == take
            if current:
                self._take, self._down = None, False
            return current

    def end(self, take: str) -> bool:
        """The tail is over; False if the button is down again, or another take has begun."""
        with self._lock:
            if self._take != take or self._down:
                return False
            self._take = None
            return True
