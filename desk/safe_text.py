"""Foreign text on a Textual screen: inert, and in a value that no markup parser reads.

Its width is measured as Textual measures what it paints; `session.values.sanitize` has the width that a page of plain text has.
"""

import re

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from session.values.sanitize import Newlines, inert


def cells(text: str) -> int:
    """Return how many cells of the screen a line of inert text takes."""
    return cell_len(text) if _MAY_BE_WIDE.search(text) else len(text)


# Anything but Latin, Greek, Cyrillic letters, dashes, quotes and boxes, which are one cell wide everywhere. Most tables
# have nothing else, and measuring them one character at a time is what makes big ones slow.
_MAY_BE_WIDE = re.compile("[^ -~\xa0-\u02ff\u0370-\u0377\u0384-\u0482\u2010-\u2027\u2500-\u257f]")


def plain(text: str, *, newlines: Newlines = "keep") -> Content:
    """Inert text as content for any Textual widget; square brackets in it mean nothing."""
    return Content(inert(text, newlines=newlines))


class ForeignText(Static):
    """A `Static` that may be given any text whatever; what it shows is always `plain`."""

    def __init__(
        self,
        text: str = "",
        *,
        newlines: Newlines = "keep",
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        self._newlines: Newlines = newlines
        self.text = text
        super().__init__(plain(text, newlines=newlines), markup=False, id=id, classes=classes)

    def show(self, text: str) -> None:
        """Show another text; the same one again costs nothing, and one in a box of fixed size no layout."""
        if text != self.text:
            self.text = text
            self.update(plain(text, newlines=self._newlines), layout=self.styles.auto_dimensions)
