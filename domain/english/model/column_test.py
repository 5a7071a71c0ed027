"""Column tests in the notation of `domain.toml`: a column, an operator, and a literal or another column."""

from __future__ import annotations

import re

import msgspec

from domain.english.model.domain import DomainError, Literal


class ColumnTest(msgspec.Struct, frozen=True):
    """A column compared with literals, or with the column `other`."""

    column: str
    op: str
    value: tuple[Literal, ...]
    other: str = ""


_TEST = re.compile(
    r"""([^.'<>=!(]+\.[^.'<>=!(]*[^.'<>=!(\s])"""
    r"""(?:\s+(is\ not\ null|is\ null|not\ like|(?<!not\ )like|contains|in)\b|\s*(<=|>=|!=|=|<|>))\s*(.*)""",
    re.I,
)


def read_test(text: str) -> ColumnTest:
    """Parse a test such as "table.column = 'X'", `in (1, 2)` or `is null`."""
    found = _TEST.fullmatch(text.strip())
    if not found:
        raise DomainError(f"condition {text!r}: table.column, a comparison, and a literal are expected")
    column, word, sign, rest = found.groups()
    op = (word or sign).lower()
    if re.fullmatch(r"[a-z_]\w*\.[a-z_]\w*", rest, re.I):
        return ColumnTest(column, op, (), rest)
    return ColumnTest(column, op, tuple(_literal(p) for p in rest.strip("()").split(",")) if rest else ())


def _literal(text: str) -> Literal:
    text = text.strip()
    if text[:1] == "'":
        return text.strip("'")
    return float(text) if "." in text else int(text)
