"""Wrapping by cells of the screen, not by characters: a line of Chinese or of emoji is twice as wide as it is long."""

from rich.cells import chop_cells

from desk.safe_text import cells


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells (at least 2), broken at spaces where there are any; at least one line.

    Newlines in `text` end a line. Words come through whole unless longer than a line. Blanks at a break are dropped.

    >>> wrapped("show me all flights", 11)
    ['show me all', 'flights']
    """
    return [line for part in text.split("\n") for line in _paragraph(part, max(2, width))]


def _paragraph(text: str, width: int) -> list[str]:
    if cells(text) <= width:
        return [text]
    lines, line, used = [], "", 0
    for word in text.split(" "):
        size = cells(word)
        if line and used + 1 + size <= width:
            line, used = f"{line} {word}", used + 1 + size
            continue
        if line:
            lines.append(line)
        *whole, line = chop_cells(word, width) if size > width else [word]
        lines.extend(whole)
        used = cells(line)
    return [*lines, line]
