"""The stack of earlier requests and replies, newest at the bottom: BBN's subjects could look up and reuse earlier answers
(MADCOW 1992, section 2.1), SRI's could return to the context of one (section 2.5).

Turns fold to one line and open again. Adding one lays out that one alone. What could be seen of which answer is reported, so
that the log can tell what a subject had before her eyes when she asked the next question.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from desk.cell_wrap import wrapped
from desk.line_view import SCROLL_GROUP, LineView, Viewed, cut, heads_of
from desk.safe_text import cells
from desk.worded import words_near
from session.values.sanitize import inert

INDENT = "    "
SELECTED_SIGN, FOLDED_SIGN = "▌", "▸ "


@dataclass(frozen=True)
class ShownTurn:
    """A question and its answer, laid out in lines. `key` is the owner's name for it, `label` stands before the question.

    Where `task` is another one than that of the turn before, it stands above the turn as a heading of its own.
    """

    key: str
    label: str
    question: str
    answer: tuple[str, ...] = ()
    waiting: str = ""
    task: str = ""


def heading(turns: Sequence[ShownTurn], at: int) -> str:
    """Return the task above its first turn, so that the answers to an earlier one stand apart; empty above all others."""
    task, before = turns[at].task, _task_before(turns, at)
    return task if before and task != before else ""


def heading_below(turns: Sequence[ShownTurn], begun: str) -> str:
    """Return the task that has begun, as long as nothing was asked in it and there are answers to earlier ones."""
    return begun if _task_before(turns, len(turns)) not in ("", begun) else ""


def _task_before(turns: Sequence[ShownTurn], at: int) -> str:
    return next((turn.task for turn in reversed(turns[:at]) if turn.task), "")


@dataclass(frozen=True)
class LineSpan:
    """Answer lines `first` to `last` (from 0, both included) of the turn `key`; `last` before `first`: only the question."""

    key: str
    first: int
    last: int


class TurnsViewed(Message):
    """Message: the parts of turns that can now be seen, from cell `left` to cell `right`."""

    def __init__(self, spans: tuple[LineSpan, ...], left: int, right: int) -> None:
        super().__init__()
        self.spans = spans
        self.left = left
        self.right = right


class TurnFolded(Message):
    """The reader opened a turn again, or folded it."""

    def __init__(self, key: str, folded: bool) -> None:
        super().__init__()
        self.key = key
        self.folded = folded


class TurnChosen(Message):
    """The reader wants to continue from this turn."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class TurnStack(LineView):
    """Turns one below the other. `can_choose` offers the key that continues from an earlier one."""

    HELP = "What was asked and answered before. Select a question with the arrow keys, open or close it with Enter."
    DEFAULT_CSS = """
    TurnStack > .lines--selected { text-style: bold; color: $primary; }
    TurnStack:focus > .lines--selected { text-style: bold reverse; }
    TurnStack > .lines--header { text-style: italic; color: $foreground 80%; }
    TurnStack > .lines--status { text-style: bold; color: $accent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "select(-1)", "Earlier", group=SCROLL_GROUP),
        Binding("down", "select(1)", "Later", group=SCROLL_GROUP),
        Binding("enter", "fold", "Open or close"),
        Binding("r", "choose", "Go on from here"),
    ]

    def __init__(
        self,
        *,
        can_choose: bool = False,
        fold_older: bool = False,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.can_choose = can_choose
        self._fold_older = fold_older
        self._turns: list[ShownTurn] = []
        self._folded: set[str] = set()
        self._laid_out: list[list[tuple[str, str]]] = []
        self._widths: list[int] = []
        self._starts: list[int] = [0]  # of each turn, and of the line after the last
        self._width = 0
        self.begun = ""
        self.selected = -1

    # What the owner says

    def append(self, turn: ShownTurn) -> None:
        """Add the newest turn, select it and bring it into sight. Raises ValueError when its key already exists."""
        if any(there.key == turn.key for there in self._turns):
            raise ValueError(f"there is a turn {turn.key!r} already: replace it instead")
        if self._fold_older and self._turns:
            self._folded.add(self._turns[-1].key)
            self._lay_out(len(self._turns) - 1)
        self._turns.append(turn)
        self._laid_out.append([])
        self._widths.append(0)
        self._lay_out(len(self._turns) - 1)
        self._select(len(self._turns) - 1)
        self._changed()
        self._bring()

    def replace(self, turn: ShownTurn) -> None:
        """Show a turn as it is now, its answer having come, say. Raises KeyError when there is no such turn."""
        at = self._index(turn.key)
        self._turns[at] = turn
        self._lay_out(at)
        self._changed()
        if at == self.selected:
            self._bring()

    def bring(self, key: str) -> None:
        """Select a turn, open it and bring it into sight, wherever the reader has scrolled. Raises KeyError."""
        at = self._index(key)
        if key in self._folded:
            self.fold(key, False)
        self._select(at)
        self._bring()

    def fold(self, key: str, folded: bool = True) -> None:
        """Fold a turn to one line, or open it."""
        at = self._index(key)
        if folded:
            self._folded.add(key)
        else:
            self._folded.discard(key)
        self._lay_out(at)
        self._changed()

    def is_folded(self, key: str) -> bool:
        return key in self._folded

    @property
    def turns(self) -> Sequence[ShownTurn]:
        """Return all turns, oldest first."""
        return tuple(self._turns)

    @property
    def selected_turn(self) -> ShownTurn | None:
        return self._turns[self.selected] if self._turns else None

    def _index(self, key: str) -> int:
        for at, turn in enumerate(self._turns):
            if turn.key == key:
                return at
        raise KeyError(f"no turn {key!r} in the stack")

    # Laying out: one turn at a time

    def _lay_out(self, at: int) -> None:
        lines = self._laid_out[at] = list(self._lines_of(at))
        self._widths[at] = max(cells(text) for text, _ in lines)
        self._place(at)

    def _place(self, at: int) -> None:
        del self._starts[at + 1 :]
        for lines in self._laid_out[at:]:
            self._starts.append(self._starts[-1] + len(lines))

    def _heading(self, at: int, width: int) -> Iterable[tuple[str, str]]:
        if task := heading(self._turns, at):
            yield self._task_line(task, width), "heading"

    def _task_line(self, task: str, width: int) -> str:
        words = cut(f" {words_near(self)['task.title']}: {inert(task, newlines='space')} ", width - 8)
        return f"─── {words.strip()} {'─' * max(3, width - 6 - cells(words))}"

    def header(self) -> Sequence[str]:
        return () if self._turns else [words_near(self)["turn.none"]]

    def notes(self) -> Sequence[str]:
        task = heading_below(self._turns, self.begun)
        return [self._task_line(task, self.room.width - 2)] if task else ()

    def _lines_of(self, at: int) -> Iterable[tuple[str, str]]:
        width, turn = max(20, self.room.width - 2), self._turns[at]
        yield from self._heading(at, width)
        label, question = f" {turn.label:>2} ", inert(turn.question, newlines="space")
        if turn.key in self._folded:
            hidden = f"  {words_near(self)['turn.lines'].format(count=len(turn.answer))}" if turn.answer else ""
            yield cut(f"{label}{FOLDED_SIGN}{question}", width - len(hidden)) + hidden, "title"
            return
        first, *others = wrapped(question, width - len(INDENT))
        yield f"{label}{first}", "title"
        yield from ((f"{INDENT}{line}", "title") for line in others)
        heads = heads_of(turn.answer)
        for number, line in enumerate(turn.answer):
            yield f"{INDENT}{inert(line, newlines='show')}", heads.get(number, "body")
        if turn.waiting:
            yield f"{INDENT}{inert(turn.waiting, newlines='space')}", "body"
        yield "", "body"

    def _changed(self) -> None:
        self.lines_changed(max(self._widths, default=0))

    def on_resize(self, event: events.Resize) -> None:
        super().on_resize(event)
        if self._turns and self.room.width != self._width:
            self._width = self.room.width
            self._laid_out = [list(self._lines_of(at)) for at in range(len(self._turns))]
            self._widths = [max(cells(text) for text, _ in lines) for lines in self._laid_out]
            self._place(0)
            self._changed()

    def total(self) -> int:
        return self._starts[-1]

    def line(self, index: int) -> tuple[str, str]:
        at = bisect_right(self._starts, index) - 1
        text, style = self._laid_out[at][index - self._starts[at]]
        if at == self.selected and style == "title":
            return f"{SELECTED_SIGN}{text[1:]}", "selected"
        return text, "title" if style == "heading" else style

    def position(self) -> str:
        """Say that there is more, and how to get there; of no turns, what is in their place says enough."""
        return super().position() if self._turns else ""

    # What the reader does

    def action_select(self, step: int) -> None:
        """Move to the turn before or after; a turn longer than the view is scrolled through first."""
        if not self._turns:
            return
        first, last, *_ = self.in_sight
        begin, end = self._starts[self.selected], self._starts[self.selected + 1] - 1
        if (step > 0 and last < end and begin <= last) or (step < 0 and first > begin and end >= first):
            self.action_step(0, step)
        else:
            self._select(min(max(self.selected + step, 0), len(self._turns) - 1))
            self._bring_into_sight(from_below=step < 0)

    def action_fold(self) -> None:
        if self.selected_turn is not None:
            key = self.selected_turn.key
            self.fold(key, not self.is_folded(key))
            self.post_message(TurnFolded(key, self.is_folded(key)))

    def action_choose(self) -> None:
        if self.selected_turn is not None:
            self.post_message(TurnChosen(self.selected_turn.key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.can_choose if action == "choose" else True

    def on_click(self, event: events.Click) -> None:
        index = round(self.scroll_y) + event.get_content_offset_capture(self).y
        if 0 <= index < self.total():
            self._select(bisect_right(self._starts, index) - 1)
            if self.line(index)[1] == "selected":
                self.action_fold()

    def _select(self, at: int) -> None:
        self.selected = at
        self.refresh()

    def _bring(self) -> None:
        """Scroll before the next painting, so that it shows what it is for; and after it, should there be another room then."""
        if self.room.height > 0:
            self._bring_into_sight()
        self.call_after_refresh(self._bring_into_sight)

    def _bring_into_sight(self, *, from_below: bool = False) -> None:
        """Scroll as little as shows the selected turn whole, or the end of it that the reader comes to first."""
        if not self._turns:
            return
        begin, end, first, room = (
            self._starts[self.selected],
            self._starts[self.selected + 1],
            self.scroll_y,
            self.screenful,
        )
        if end - begin > room:
            top: float = end - room if from_below else begin
        else:
            top = min(max(first, end - room), begin)
        self.scroll_to(0, top, animate=False)

    # What was seen

    def report(self, viewed: Viewed) -> None:
        self.post_message(TurnsViewed(tuple(self._spans(viewed.first, viewed.last)), viewed.left, viewed.right))

    def _spans(self, first: int, last: int) -> Iterable[LineSpan]:
        for at, turn in enumerate(self._turns):
            begin, end = self._starts[at], self._starts[at + 1] - 1
            if end < first or begin > last:
                continue
            lines = self._laid_out[at]
            head = next((n for n, (_, style) in enumerate(lines) if style not in ("title", "heading")), len(lines))
            shown = 0 if turn.key in self._folded else len(turn.answer)
            yield LineSpan(turn.key, max(0, first - begin - head), min(shown, last - begin - head + 1) - 1)
