"""Widgets that frame the work from 120 columns on: the rail at its left, and the lamp that says that the subject speaks."""

import re

from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from desk.cell_wrap import wrapped
from desk.level_bar import bar, decibels
from desk.line_view import cut
from desk.safe_text import ForeignText, cells
from session.values.clock import SECOND, Clock
from session.values.sanitize import inert
from wizard.core import status_text
from wizard.core.cockpit import Section, Since, sections, speaking
from wizard.core.console import Console
from wizard.core.guidance import Guide, guidance
from wizard.core.status_text import clocked
from wizard.core.subject_mirror import mark

METER_CELLS = 10
BETWEEN, LEAST_GUIDE = " · ", 20
SIGN_COLOURS = {"√": "bold $success", "×": "bold $error", "?": "bold $warning"}
WIDE = 120
"""Columns from which on the console is a cockpit."""
ROOMY, MOST_GAPS = 24, 3
"""Lines from which on the rail's four sections stand apart."""
LAYOUT = """
ConsoleScreen #top, ConsoleScreen #now { height: 1; }
ConsoleScreen #headline, ConsoleScreen #utterance { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
ConsoleScreen #links { width: auto; padding-left: 2; }
ConsoleScreen #limit { padding-left: 2; }
ConsoleScreen #now { text-style: bold; }
ConsoleScreen #quiet { height: 1; color: $secondary; }
ConsoleScreen #attempt { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
ConsoleScreen #attempt.-partial { height: 2; text-wrap: wrap; color: $warning; text-style: bold; }
ConsoleScreen Editor, ConsoleScreen TextTable, ConsoleScreen CannedMessages {
    border-title-color: $foreground; border-subtitle-color: $foreground;
}
ConsoleScreen #unseen, ConsoleScreen Rail { display: none; }
ConsoleScreen #cockpit, ConsoleScreen #work { height: 1fr; }
ConsoleScreen SubjectActivity { display: none; width: auto; padding-left: 2; }
ConsoleScreen.-wide Rail, ConsoleScreen.-huge Rail { display: block; }
ConsoleScreen.-wide SubjectActivity, ConsoleScreen.-huge SubjectActivity { display: block; }
ConsoleScreen.-tall SqlEditor { height: 8; }
ConsoleScreen.-tall SqlEditor:focus { height: 40%; }
ConsoleScreen #quiet.-two { height: 2; }
ConsoleScreen.-watching #said, ConsoleScreen.-watching QueryPane { display: none; }
ConsoleScreen.-transcribing QueryPane, ConsoleScreen.-unwritten #said { display: none; }
"""
"""How the parts of the console's screen lie."""


class Rail(Widget):
    """Task, dialogue, waiting utterances and the messages of the digits; it takes no focus and no key."""

    DEFAULT_CSS = """
    Rail { width: 28%; min-width: 38; max-width: 56; height: 1fr; padding: 0 1; border-right: solid $foreground 40%; }
    """

    def __init__(self, console: Console, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._oz = console
        self._shown: object = None

    def look_again(self) -> None:
        """Paint again what has changed."""
        if self.display and (now := self._sections()) != self._shown:
            self._shown = now
            self.refresh()

    def _sections(self) -> list[Section]:
        return sections(
            self._oz, self.size.height - self._gaps, lambda text, less: wrapped(text, max(1, self.size.width - less))
        )

    @property
    def _gaps(self) -> int:
        """Blank lines between the sections, where there is room for them."""
        return MOST_GAPS if self.size.height >= ROOMY else 0

    def render(self) -> RenderResult:
        lines: list[Content] = []
        for title, found in self._sections():
            if lines and self._gaps:
                lines.append(Content(""))
            lines += [
                Content.styled(title, "bold underline $primary"),
                *(_painted(cut(line, self.size.width)) for line in found),
            ]
        return Content("\n").join(lines)


def _painted(line: str) -> Content:
    return Content.styled(line, "bold") if line.startswith("►") else Content(line)


class Signed(ForeignText):
    """Text whose signs have colours of their own beside their shapes: green for well, red for wrong, amber for unsure."""

    def show(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.update(coloured(text), layout=self.styles.auto_dimensions)


def coloured(text: str) -> Content:
    """Inert text with the signs in it coloured."""
    words = [(word, SIGN_COLOURS.get(word, "")) for word in re.split("( )", inert(text, newlines="space"))]
    return Content.assemble(*words)


class QuietLine(Widget):
    """Line of what comes next and what is not allowed now, whole at 80 columns; what the last action did is in the lower
    frame of the line in which the wizard types, and below the guidance where there is no such line."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.guide = self.receipt = ""
        self._framed: Widget | None = None

    def look_again(self, console: Console, frame: Widget | None) -> None:
        """Show how it is now; `frame` is the editor whose frame has the receipt."""
        said = status_text.receipt(console)
        self._frame(frame, said)
        beside = said if frame is None else ""
        guide = fitted(guidance(console), self.size.width)
        if (guide, beside) != (self.guide, self.receipt):
            self.guide, self.receipt = guide, beside
            self.set_class(bool(beside), "-two")
            self.refresh()

    def _frame(self, frame: Widget | None, said: str) -> None:
        if self._framed is not None and self._framed is not frame:
            self._framed.border_subtitle = ""
        self._framed = frame
        if frame is not None:
            shown = Content(cut(inert(said, newlines="space"), max(1, frame.size.width - 2)))
            if frame.border_subtitle != shown.markup:
                frame.border_subtitle = shown

    def render(self) -> RenderResult:
        lines = (cut(inert(text, newlines="space"), self.size.width) for text in (self.guide, self.receipt))
        return Content("\n".join(lines))


def fitted(guide: Guide, width: int) -> str:
    """The guidance in one line. Where that is too long the key of a deviation gives way, which the list of actions has too,
    then the end of what comes next: its beginning has the key."""
    whole = BETWEEN.join(part for part in guide if part)
    if cells(whole) <= width:
        return whole
    room = width - (cells(guide.forbidden) + len(BETWEEN) if guide.forbidden else 0)
    return BETWEEN.join(part for part in (cut(guide.following, max(LEAST_GUIDE, room)), guide.forbidden) if part)


class Lamp(Widget):
    """A red lamp with seconds, and the level of the voice, while the subject speaks; nothing at other times."""

    DEFAULT_CSS = """
    Lamp { height: 1; width: auto; display: none; color: $error; text-style: bold reverse;
        &.-lit { display: block; } }
    """

    def __init__(self, console: Console, clock: Clock, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._oz, self._since = console, Since(clock)
        self.text = ""

    def look_again(self, peak: float | None) -> None:
        """Show how it is now; `peak` is the loudest sample of what was heard last, None if nothing can be heard."""
        takes = self._oz.state.takes.values()
        lost = self._oz.subject_lost_for is not None
        take = None if lost else next((take.take for take in takes if speaking(take)), None)
        seconds = self._since.seconds(take)
        text = ""
        if take is not None:
            level = decibels(peak) if peak is not None else None
            meter = f" {bar(level, level, METER_CELLS)}" if level is not None else ""
            said = self._oz.words["console_status.lamp"].format(time=clocked(seconds * SECOND))
            text = f" {said}{meter} "
        if text != self.text:
            self.text = text
            self.set_class(bool(text), "-lit")
            self.refresh(layout=True)

    def render(self) -> RenderResult:
        return Content(self.text)


class SubjectActivity(Widget):
    """Words of the subject's button, and for how long it has said them."""

    DEFAULT_CSS = "SubjectActivity { height: 1; }"

    def __init__(self, console: Console, clock: Clock, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._oz, self._since = console, Since(clock)
        self.text = ""

    def look_again(self) -> None:
        """Show how it is now."""
        state = mark(self._oz.state).removeprefix("● ")
        known = self._oz.subject_connected and self._oz.state.opened is not None
        text = f"{state} {clocked(self._since.seconds(state) * SECOND)}" if known else ""
        if text != self.text:
            self.text = text
            self.refresh(layout=True)

    def render(self) -> RenderResult:
        return Content(self.text)
