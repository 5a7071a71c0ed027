"""Views before the wizard: what the subject will see, the rows as the database gave them, what the subject sees now.

All three where there is room, one at a time where there is not.
"""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from desk.cell_wrap import wrapped
from desk.table import TextTable
from desk.worded import title, words_near
from session.state.fold import Attempt
from session.study.settings import CannedMessage
from wizard.core.fitting import Fit
from wizard.widgets.canned import CannedMessages

PREVIEW, ROWS, SUBJECT = "preview", "rows", "subject"
TITLE, NOTHING_TO_SEND = "What the participant will see", "Behind the curtain: there is nothing to send"
ALL_ROWS, SUBJECT_SEES = "All rows (behind the curtain)", "The participant's screen now"
SAID = "The participant will hear:"
ORDER = (PREVIEW, ROWS, SUBJECT)


class Views(Horizontal):
    """Shows what it is told to; `turn_to` brings one view to the front, `with_canned` the canned messages in their place."""

    SCOPED_CSS = False  # its layout depends on the room that the whole screen has
    DEFAULT_CSS = """
    Views { height: 1fr; }
    Views > Vertical { width: 1fr; height: 100%; }
    Views TextTable, Views CannedMessages { display: none; }
    Views #left { height: 1fr; }
    Views #right { display: none; }
    Views.-preview #preview, Views.-rows #rows, Views.-canned #canned { display: block; }
    Views.-canned #preview, Views.-canned #rows { display: none; }
    Views.-subject #left { display: none; }
    Views.-subject #right, Views.-subject #subject { display: block; }
    Views.-canned #left { display: block; }
    Views.-canned #right { display: none; }
    .-tall Views { layout: vertical; }
    .-tall Views #left { height: 3fr; display: block; }
    .-tall Views #right { height: 2fr; display: block; }
    .-tall Views #subject { display: block; }
    .-tall Views.-subject #preview { display: block; }
    .-tall Views.-subject.-canned #preview { display: none; }
    .-tall.-huge Views { layout: horizontal; }
    .-tall.-huge Views #left { width: 3fr; height: 100%; }
    .-tall.-huge Views #right { width: 2fr; height: 100%; }
    .-tall.-huge Views #preview { display: block; }
    .-tall.-huge Views #rows { display: block; }
    .-tall.-huge Views.-canned #rows { display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self.front = PREVIEW
        self._shown: dict[str, object] = {}

    def compose(self) -> ComposeResult:
        with Vertical(id="left"):
            yield self._table(PREVIEW, NOTHING_TO_SEND)
            yield self._table(ROWS, ALL_ROWS)
            yield CannedMessages(id="canned")
        with Vertical(id="right"):
            yield self._table(SUBJECT, SUBJECT_SEES)

    def _table(self, name: str, frame: str) -> TextTable:
        table = TextTable(id=name)
        table.border_title = frame
        return table

    def on_mount(self) -> None:
        self.turn_to(PREVIEW)

    def table(self, name: str) -> TextTable:
        return self.query_one(f"#{name}", TextTable)

    @property
    def canned(self) -> CannedMessages:
        return self.query_one(CannedMessages)

    def turn_to(self, front: str) -> None:
        """Bring one view to the front; the canned messages give way."""
        self.front = front
        for name in ORDER:
            self.set_class(name == front, f"-{name}")
        self.set_class(False, "-canned")

    def turn_on(self, among: Sequence[str]) -> None:
        """Bring the next of some views to the front, in a circle; the preview when another is there."""
        self.turn_to(among[(among.index(self.front) + 1) % len(among)] if self.front in among else PREVIEW)

    def turn_to_answer(self) -> None:
        """The preview of an answer that has come, unless the wizard is choosing a canned message."""
        if not self.canned.has_focus and (self.front == SUBJECT or self.has_class("-canned")):
            self.turn_to(PREVIEW)

    def offer(self, messages: Sequence[CannedMessage], fits: Sequence[Fit], *, focus: bool) -> None:
        """Show these canned messages, with or without the `focus`; who is choosing among them already goes on."""
        if not self.canned.has_focus:
            self.canned.offer(messages, fits)
        self.with_canned(True)
        if focus:
            self.canned.focus()

    def with_canned(self, shown: bool) -> None:
        """Show the canned messages in place of the views of the answer, or these again."""
        self.set_class(shown, "-canned")

    def show_preview(self, attempt: str, text: str | None, instead: str, promise: str, speech: str) -> None:
        """Show the text that would go out, with a `promise` in the frame, and what would be said; or why there is none."""
        words = words_near(self)
        title(self.table(PREVIEW), words.of(TITLE if text is not None else NOTHING_TO_SEND))
        title(self.table(ROWS), words.of(ALL_ROWS))
        title(self.table(SUBJECT), words.of(SUBJECT_SEES))
        title(self.canned, words.of("Canned messages"))
        promise = promise if text is not None else ""
        if self.table(PREVIEW).border_subtitle != promise:
            self.table(PREVIEW).border_subtitle = promise
        if self._news(PREVIEW, (attempt, text, instead, speech)):
            lines = text.split("\n") if text is not None else wrapped(instead, self._width(PREVIEW))
            if text is not None and speech:
                lines = [*lines, "", words.of(SAID), *wrapped(speech, self._width(PREVIEW))]
            self.table(PREVIEW).show_lines(lines)

    def show_rows(self, attempt: Attempt | None) -> None:
        """Return all rows of an attempt with the statement that gave them; or its failure, whole."""
        key = (attempt.attempt, attempt.running) if attempt is not None else None
        if not self._news(ROWS, key):
            return
        table = self.table(ROWS)
        if attempt is None or attempt.running:
            table.clear()
        elif attempt.table is None:
            words = words_near(self)
            kind = words.name(attempt.failure)
            message = f"{kind}: {words.told(attempt.message)}\n\n{attempt.sql or attempt.text}"
            table.show_lines(wrapped(message, self._width(ROWS)))
        else:
            notes = _shortened(wrapped(" ".join(attempt.sql.split()), self._width(ROWS) - 2), 3)
            table.show_rows(attempt.table.columns, attempt.table.rows, more=attempt.table.more, notes=notes)

    def show_subject(self, lines: list[str]) -> None:
        """Show what the subject's screen shows now; the end of it in sight."""
        if self._news(SUBJECT, tuple(lines)):
            table = self.table(SUBJECT)
            table.show_lines(_folded(lines, self._width(SUBJECT)))
            table.call_after_refresh(table.action_edge, 1)

    def laid_out_anew(self) -> None:
        """The room has changed: lay out again at the next occasion what was wrapped for the old width."""
        self._shown.clear()

    def _news(self, name: str, key: object) -> bool:
        if name in self._shown and self._shown[name] == key:
            return False
        self._shown[name] = key
        return True

    def _width(self, name: str) -> int:
        return self.table(name).text_width or 74


def _shortened(lines: list[str], most: int) -> list[str]:
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} …"]


def _folded(lines: list[str], width: int) -> list[str]:
    """Long lines of prose wrapped; lines of a table, told by their runs of blanks, stay as they are."""
    return [part for line in lines for part in ([line] if "  " in line.strip() else wrapped(line, width))]
