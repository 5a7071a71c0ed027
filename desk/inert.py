"""Foreign text made harmless before it reaches a screen.

What a subject says, a wizard types, a database holds or a scenario's author writes may carry terminal control sequences,
console markup or invisible characters that turn a line around. Shown as it is, it could clear a screen, forge a button or
hide half a sentence. Here every such character becomes one visible symbol, so that positions and line lengths stay what
they were, and the text is wrapped in a value that no markup parser reads.
"""

import re
import unicodedata
from typing import Literal

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

Newlines = Literal["keep", "show", "space"]

_NEWLINE = {"keep": "\n", "space": " "}


def _symbol(code: int) -> str:
    """What stands for one character: itself when harmless, else one visible character.

    >>> _symbol(0x1B), _symbol(0x202E), _symbol(0x200B), _symbol(ord("a"))
    ('␛', '⇄', '◌', 'a')
    """
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069 or code in (0x200E, 0x200F, 0x061C):
        return "⇄"
    category = unicodedata.category(chr(code))
    if category == "Cf" or code in _BLANKS:
        return "◌"
    if category in ("Zl", "Zp"):
        return "␤"
    if category in ("Cc", "Cs", "Co", "Cn"):
        return "␦"
    return chr(code)


# Letters by category, yet nothing is seen of them: the Hangul fillers, the empty Braille cell and the joiner of graphemes.
_BLANKS = frozenset({0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0})
_BLANK = re.compile(f"[{''.join(map(chr, sorted(_BLANKS)))}]")


class _Symbols(dict[int, str]):
    """A translation table that works out each character once."""

    def __missing__(self, code: int) -> str:
        self[code] = symbol = _symbol(code)
        return symbol


_SYMBOLS = _Symbols()


def inert(text: str, *, newlines: Newlines = "keep") -> str:
    """`text` with every character that a terminal could obey, or a reader could not see, replaced by one visible symbol.

    As many characters come out as went in. CR LF keeps its CR visible (␍): a lone CR can overwrite a line. `newlines`
    keeps "\\n" (for blocks), shows it (␊) or turns it into a space (for single lines). Doing it twice changes nothing.
    Sequences joined by a zero-width joiner come apart into their visible parts. Markup is not touched: see `plain`.

    >>> inert("a\\x1b[31mb")
    'a␛[31mb'
    """
    if text.isprintable() and not _BLANK.search(text):
        return text
    if newlines == "show" or "\n" not in text:
        return text.translate(_SYMBOLS)
    return _NEWLINE[newlines].join(line.translate(_SYMBOLS) for line in text.split("\n"))


def cells(text: str) -> int:
    """How many cells of the screen a line of inert text takes."""
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
