"""The time that the wizard still has. The limit is a moment on the clock that was given, never a number of ticks counted here."""

from typing import Literal

from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from desk.worded import words_near
from session.values.clock import SECOND, Clock

Urgency = Literal["idle", "running", "soon", "over"]
BAR_CELLS = 8
_CLOCKS_DIFFER_NS = SECOND // 4


class LimitReached(Message):
    """The deadline has passed; posted once for each deadline."""

    def __init__(self, deadline_ns: int) -> None:
        super().__init__()
        self.deadline_ns = deadline_ns


def minutes(seconds: int) -> str:
    """A duration as people read it.

    >>> minutes(7), minutes(75)
    ('0:07', '1:15')
    """
    return f"{seconds // 60}:{seconds % 60:02d}"


LATE = "!! LATE by {time} !!"


def remaining_text(
    label: str, deadline_ns: int | None, now_ns: int, soon_ns: int, late: str = LATE
) -> tuple[str, Urgency]:
    """The words for what is left until a deadline, and how urgent it is. Seconds are rounded up, so that 0:01 is still time."""
    if deadline_ns is None:
        return f"{label} –:––", "idle"
    left = deadline_ns - now_ns
    if left <= 0:
        return late.format(time=minutes(-left // SECOND)), "over"
    text = f"{label} {minutes(-(-left // SECOND))}"
    return (f"! {text} !", "soon") if left <= soon_ns else (text, "running")


def shrinking_bar(left_ns: int, total_ns: int) -> str:
    """Draw what is left of the time in eight cells.

    >>> shrinking_bar(30, 60), shrinking_bar(60, 60), shrinking_bar(-1, 60)
    ('████░░░░', '████████', '░░░░░░░░')
    """
    full = min(BAR_CELLS, max(0, -(-left_ns * BAR_CELLS // total_ns)))
    return "█" * full + "░" * (BAR_CELLS - full)


class Countdown(Widget):
    """Counts down to `deadline_ns` of the clock, then up. `start` and `stop` it; `tick` looks at the clock."""

    DEFAULT_CSS = """
    Countdown { height: 1; width: auto; min-width: 18;
        &.-running { color: $success; }
        &.-soon { text-style: bold; color: $warning; }
        &.-over { text-style: bold reverse; color: $error; } }
    """

    def __init__(
        self,
        clock: Clock,
        *,
        label: str = "reply within",
        soon_s: float = 15.0,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._clock = clock
        self._label = label
        self._soon_ns = round(soon_s * SECOND)
        self.deadline_ns: int | None = None
        self.total_ns = 0
        self._reached = False
        self._shown = ""

    def start(self, deadline_ns: int) -> None:
        """Count to this moment of the monotonic clock."""
        self.deadline_ns = deadline_ns
        self._reached = False
        self.tick()

    def stop(self) -> None:
        """Nothing is due any more."""
        self.deadline_ns = None
        self.tick()

    def follow(self, left_ns: int | None, total_ns: int = 0) -> None:
        """Something is due in so many nanoseconds, by another clock, or nothing is any more: a small difference between the
        clocks does not restart the count. A bar shows how much is left of `total_ns`, if that is given."""
        self.total_ns = total_ns
        if left_ns is None:
            if self.deadline_ns is not None:
                self.stop()
            return
        deadline_ns = self._clock.monotonic_ns() + left_ns
        if self.deadline_ns is None or abs(self.deadline_ns - deadline_ns) > _CLOCKS_DIFFER_NS:
            self.start(deadline_ns)
        else:
            self.tick()

    def on_mount(self) -> None:
        self.set_interval(0.1, self.tick)
        self.tick()

    def tick(self) -> None:
        """Show the time left; the first tick at or after the deadline posts `LimitReached`."""
        text, urgency = self._remaining()
        if text != self._shown:
            self._shown = text
            self.set_class(urgency == "running", "-running")
            self.set_class(urgency == "soon", "-soon")
            self.set_class(urgency == "over", "-over")
            self.refresh(layout=True)
        if urgency == "over" and not self._reached and self.deadline_ns is not None:
            self._reached = True
            self.post_message(LimitReached(self.deadline_ns))

    def _remaining(self) -> tuple[str, Urgency]:
        words, now = words_near(self), self._clock.monotonic_ns()
        return remaining_text(words.of(self._label), self.deadline_ns, now, self._soon_ns, words.of(LATE))

    @property
    def text(self) -> str:
        """Return the text that is shown."""
        return self._remaining()[0]

    def render(self) -> RenderResult:
        if self.deadline_ns is None or not self.total_ns:
            return Content(self.text)
        sign = "√ " if self._remaining()[1] == "running" else ""
        return Content(
            f"{sign}{self.text} {shrinking_bar(self.deadline_ns - self._clock.monotonic_ns(), self.total_ns)}"
        )
