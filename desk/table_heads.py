"""Headings of tables that are laid out as text: the lines above a rule of dashes, so that a screen can set them off."""

import re
from collections.abc import Sequence

_RULE = re.compile(r"\s*-{2,}(?: +-+)*\s*$|\s*-(?: +-+)+\s*$")
HEADS, RULE = "heads", "rule"
LONGEST = 6
"""Lines that a heading may have: the words of a column's name below each other."""


def heads_of(lines: Sequence[str]) -> dict[int, str]:
    """Return the style of each line that belongs to the head of a table; all others are its body."""
    found: dict[int, str] = {}
    for at, line in enumerate(lines):
        if not _RULE.match(line):
            continue
        above = at - 1
        while above >= max(0, at - LONGEST) and lines[above].strip() and above not in found:
            found[above] = HEADS
            above -= 1
        if above < at - 1:
            found[at] = RULE
    return found
