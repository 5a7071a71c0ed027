"""The lines of replies that are newly in sight, from what of the turns can be seen now."""

from collections.abc import Iterator

from desk.subject_view import reply_lines
from desk.turn_stack import LineSpan
from session.state.fold import SessionState
from subject.ports import Seen


class ViewedLines:
    """Knows what could be seen before on this screen."""

    def __init__(self) -> None:
        self._viewed: dict[str, tuple[int, int]] = {}
        self._reopened: set[str] = set()

    def reopened(self, turn: str) -> None:
        """The subject opened a turn again that was folded."""
        self._reopened.add(turn)

    def newly_seen(self, state: SessionState, span: LineSpan) -> Iterator[Seen]:
        """Give what can be seen of the replies of a turn that could not be seen of them before."""
        for reply, first, count in reply_lines(state, span.key):
            lines = max(0, span.first - first), min(count - 1, span.last - first)
            if lines[0] > lines[1]:
                continue
            reopened = span.key in self._reopened
            if self._viewed.get(reply) != lines or reopened:
                yield Seen(reply, *lines, again=reply in self._viewed, reopened=reopened and reply in self._viewed)
            self._reopened.discard(span.key)
            self._viewed[reply] = lines
