"""Foreign text made harmless: what a person typed, a database returned or a wire carried may hold control sequences.

What a subject says, a wizard types, a database holds or a scenario's author writes may carry terminal control sequences or
invisible characters that turn a line around. Shown as it is, it could clear a screen, forge a button or hide half a
sentence. Here every such character becomes one visible symbol, so that positions and line lengths stay what they were.
Screens, previews and logs show the same symbols, so that nobody sees something that another did not.
"""

import re
import unicodedata
from typing import Literal

Newlines = Literal["keep", "show", "space"]

_NEWLINE = {"keep": "\n", "space": " "}
_COMBINING = {"Mn", "Me"}


def _symbol(code: int) -> str:
    """Return what stands for one character: itself when harmless, otherwise one visible character.

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


def inert(text: str, *, newlines: Newlines = "show") -> str:
    """`text` with every character that a terminal could obey, or a reader could not see, replaced by one visible symbol.

    As many characters come out as went in. CR LF keeps its CR visible (␍): a lone CR can overwrite a line. `newlines`
    shows "\\n" (␊), keeps it (for blocks) or turns it into a space (for single lines). Doing it twice changes nothing.
    Sequences joined by a zero-width joiner come apart into their visible parts. Markup is not touched.

    >>> inert("a\\x1b[31mb")
    'a␛[31mb'
    """
    if text.isprintable() and not _BLANK.search(text):
        return text
    if newlines == "show" or "\n" not in text:
        return text.translate(_SYMBOLS)
    return _NEWLINE[newlines].join(line.translate(_SYMBOLS) for line in text.split("\n"))


def one_line(text: str) -> str:
    """Return what a person typed as one line of plain words: NFC, white space folded, the rest inert."""
    return inert(" ".join(unicodedata.normalize("NFC", text).split()))


def cells(text: str) -> int:
    """Columns that `text` takes on a terminal: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(character) in _COMBINING
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def clip(text: str, width: int, mark: str = "…") -> str:
    """`text` in at most `width` columns, ending in `mark` when something was cut off."""
    if cells(text) <= width:
        return text
    kept, used = "", cells(mark)
    for character in text:
        used += cells(character)
        if used > width:
            break
        kept += character
    return kept + mark if width >= cells(mark) else ""
