"""Foreign text made harmless: what a person typed, a database returned or a wire carried may hold control sequences.

Screens, previews and logs show the same stand-ins, so that nobody sees something that another did not.
"""

import unicodedata

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}
_REPLACEMENT = "\ufffd"
_COMBINING = {"Mn", "Me"}
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _stand_in(character: str) -> str:
    if picture := _PICTURES.get(ord(character)):
        return picture
    return _REPLACEMENT if unicodedata.category(character) in _HIDDEN else character


def inert(text: str, keep_newlines: bool = False) -> str:
    """`text` with every control, format, bidirectional, private or unassigned character replaced by a visible sign.

    Newlines become a sign too unless `keep_newlines`; the result never holds a character that moves the cursor.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or (keep_newlines and character == "\n") else _stand_in(character)
        for character in text
    )


def one_line(text: str) -> str:
    """What a person typed, as one line of plain words: NFC, white space folded, the rest inert."""
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
