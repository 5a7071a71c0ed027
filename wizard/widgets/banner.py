"""Banners that cannot be missed: refusals, trouble and calls, in full-width lines with a sign each; it takes no focus and no
key."""

from collections.abc import Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from desk.cell_wrap import wrapped
from desk.worded import words_near
from session.values.sanitize import inert

SIGNS = {"stop": "!!", "act": "►►", "know": "··"}
RINGING = ("stop", "act")
STYLES = {"stop": "bold reverse $error", "act": "bold reverse $warning", "know": "bold"}


class Banner(Widget):
    """Lines of (urgency, text), the most urgent first; at most `most` rows, the rest counted."""

    DEFAULT_CSS = "Banner { height: auto; width: 100%; display: none; } Banner.-said { display: block; }"

    def __init__(self, most: int = 4, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._most = most
        self.lines: list[tuple[str, str]] = []
        self._rung: set[str] = set()

    def show_lines(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show these lines in place of what was there; one of trouble or of a call that is new rings the bell."""
        if list(lines) != self.lines:
            alarms = {_alarm(text) for urgency, text in lines if urgency in RINGING}
            if alarms - self._rung:
                self.app.bell()
            self._rung = alarms
            self.lines = list(lines)
            self.set_class(bool(self.lines), "-said")
            self.refresh(layout=True)

    def _rows(self, width: int) -> list[tuple[str, str]]:
        rows = [
            (urgency, f"{SIGNS[urgency] if first else '  '} {part}")
            for urgency, text in self.lines
            for first, part in _parts(text, width - 4)
        ]
        if len(rows) > self._most:
            more = words_near(self).of("… {count} more lines").format(count=len(rows) - self._most + 1)
            rows = [*rows[: self._most - 1], ("know", more)]
        return rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows(width))

    def render(self) -> RenderResult:
        width = self.size.width
        return Content("\n").join(
            Content.styled(f" {text}".ljust(width), STYLES[urgency]) for urgency, text in self._rows(width)
        )


def _alarm(text: str) -> str:
    """The subject of a line, without its figures, which change from second to second.

    >>> _alarm("SUBJECT LOST 0:12: its terminal is not connected.")
    'SUBJECT LOST :: its terminal is not connected.'
    """
    return "".join(character for character in text if not character.isdigit())


def _parts(text: str, width: int) -> list[tuple[bool, str]]:
    return [(number == 0, part) for number, part in enumerate(wrapped(inert(text, newlines="space"), max(20, width)))]
