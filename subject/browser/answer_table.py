"""Tables in the text of an answer: found by the rule under their headings, cut into cells, no character of them changed.

The text of an answer is to the letter what was previewed and what the log has. A page shows the same words as a table that a
screen reader can read, and each row still knows which line it was.
"""

import re
from collections.abc import Sequence
from typing import Any

from session.values.sanitize import cells

RULE = re.compile(r"-+(?: {1,2}-+)*")


def table_parts(lines: Sequence[str]) -> list[dict[str, Any]]:
    """`lines` in order as runs of text, `{"text": lines}`, and tables, `{"head": rows, "rule": 1, "rows": rows}`."""
    at = next((place for place, line in enumerate(lines) if RULE.fullmatch(line)), None)
    if at is None or at == 0:
        return [{"text": list(lines)}] if lines else []
    top = at
    while top > 0 and lines[top - 1].strip():
        top -= 1
    bottom = at + 1
    while bottom < len(lines) and lines[bottom].strip():
        bottom += 1
    spans = [found.span() for found in re.finditer("-+", lines[at])]
    numeric = [_flush_right(lines[at + 1 : bottom], start, end) for start, end in spans]
    table = {
        "head": [_cut(line, spans) for line in lines[top:at]],
        "rows": [_cut(line, spans) for line in lines[at + 1 : bottom]],
        "numeric": numeric,
    }
    before = [{"text": list(lines[:top])}] if top else []
    return [*before, table, *table_parts(lines[bottom:])]


def _cut(line: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The cells of a line, by places on the screen: a wide character takes two of them."""
    found = [""] * len(spans)
    place = 0
    for character in line:
        column = next((number for number, (_, end) in enumerate(spans) if place < end), len(spans) - 1)
        found[column] += character
        place += cells(character)
    return [text.strip() for text in found]


def _flush_right(lines: Sequence[str], start: int, end: int) -> bool:
    """Return whether a column holds numbers: at least one, none with anything but digits, signs and points."""
    texts = [line[start:end].strip() for line in lines]
    return any(texts) and all(re.fullmatch(r"[-+]?[\d.,:]+|–|", text) for text in texts)
