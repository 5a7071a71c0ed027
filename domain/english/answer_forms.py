"""Forms of an answer other than rows: whether there are any, and how many."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from sqlalchemy import Select, exists, select

from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed
from domain.english.sql.statement import Renderer

_ASKED_TO = re.compile(r"(?:can|could|would|will|may) (?:you|i|we)\b")
"""Indirect commands: "can you find …" requests the rows, not yes or no."""
_YES_NO = frozenset(["is", "are", "does", "do", "did", "was", "were", "can", "will", "has", "have", "any"])


def other_form(
    renderer: Renderer, text: str, parsed: Parsed, meaning: Meaning, statement: Select[Any]
) -> tuple[Select[Any], tuple[str, ...], str] | None:
    """Return the statement of the yes/no or count form, its columns and its lead-in, where there is one."""
    if meaning.count or meaning.aggregate or meaning.per or meaning.attributes:
        return None
    first = "" if _ASKED_TO.match(text.lower()) else text.lower().split()[0]
    first = "" if first == "any" and not parsed.nodes else first  # "any line" frees the line
    noun = text.rstrip().endswith("?") and not parsed.senses & {"ask", "wish"}
    if first in _YES_NO or (noun and parsed.headless):
        if "both" in parsed.senses and (several := [c for c in meaning.conditions if len(c.values) > 1]):
            counted = renderer.render(msgspec.structs.replace(meaning, count=True))[0].subquery()
            whether = select((counted.c[0] == len(several[0].values)).label("answer"))
            return whether, ("answer",), "whether each is among the"
        return select(exists(statement.subquery().select()).label("answer")), ("answer",), "whether there are any"
    if noun:
        return renderer.render(msgspec.structs.replace(meaning, count=True))[0], ("count",), "number of"
    return None
