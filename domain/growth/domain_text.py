"""Insertion of a line into the text of `domain.toml`, leaving the rest unchanged, with a comment on its origin."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import msgspec

from domain.english.model.domain import DomainModel
from domain.growth.domain_line import DomainLine
from session.study.toml_reader import line_of

_STRING = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)


class UnwrittenLine(ValueError):
    """Raised when the text has no place for a line; the message says where to write it by hand."""


def with_line(text: str, line: DomainLine, origin: str) -> str:
    """Return the text with the line, under a comment with its `origin`; UnwrittenLine when the result would not be the domain
    with this line."""
    wanted = line.put_into(_model(text))
    for written in _written(text, line, f"# {_one_line(origin)}"):
        try:
            if _model(written) == wanted:
                return written
        except msgspec.MsgspecError:
            continue
    raise UnwrittenLine(f"found no place for {line}; write it by hand")


def _model(text: str) -> DomainModel:
    return msgspec.toml.decode(text, type=DomainModel)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _written(text: str, line: DomainLine, comment: str) -> Iterator[str]:
    """Yield candidate texts, the best fit first: in the existing list, below its table's header, before all tables."""
    lines = text.splitlines(keepends=True)
    phrase = json.dumps(line.phrase, ensure_ascii=False)
    entry = phrase if line.value is None else f"{phrase} = {json.dumps(line.value, ensure_ascii=False)}"
    alone = f"{line.key[-1]} = [{entry}]" if line.value is None else f"{line.key[-1]}.{entry}"
    at, above = line_of(text, line.key), line_of(text, line.key[:-1])
    if at and at != above:
        head = "".join(lines[: at - 1])
        if lines[at - 1].lstrip().startswith("["):
            yield f"{head}{_ended(lines[at - 1])}{comment}\n{entry}\n{''.join(lines[at:])}"
        else:
            rest = "".join(lines[at - 1 :])
            yield from (f"{head}{_indent(rest)}{comment}\n{inside}" for inside in _inside(rest, entry))
    if above and len(line.key) > 1:
        yield f"{''.join(lines[: above - 1])}{_ended(lines[above - 1])}{comment}\n{alone}\n{''.join(lines[above:])}"
    if len(line.key) == 1:
        first = next((n for n, one in enumerate(lines) if one.lstrip().startswith("[")), len(lines))
        yield f"{''.join(lines[:first])}{comment}\n{alone}\n\n{''.join(lines[first:])}"


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def _indent(text: str) -> str:
    return text[: len(text) - len(text.lstrip(" \t"))]


def _inside(text: str, entry: str) -> Iterator[str]:
    """Yield the text, which begins with a key and its list or table, with the entry appended to that."""
    bare = _STRING.sub(lambda found: ("#" if found[0].startswith("#") else "x") * len(found[0]), text)
    start = min((place for sign in "[{" if (place := bare.find(sign, bare.find("="))) >= 0), default=-1)
    depth = 0
    for place in range(max(start, 0), len(bare) if start >= 0 else 0):
        depth += (bare[place] in "[{") - (bare[place] in "]}")
        if depth == 0:
            last = place
            while bare[last - 1].isspace() or bare[last - 1] == "#":
                last -= 1
            yield _put(text, last, place, entry, empty=last == start + 1, comma=bare[last - 1] == ",")
            return


def _put(text: str, last: int, end: int, entry: str, *, empty: bool, comma: bool) -> str:
    """Return the text with an entry after the one that ends at `last`; the closing bracket is at `end`."""
    several = "\n" in text[last:end]
    if empty:
        return text[:last] + entry + text[last:]
    if several:
        start = text.rfind("\n", 0, last) + 1
        own = _indent(text[start:last])
        over = text.index("\n", last)
        return text[:last] + ("" if comma else ",") + text[last:over] + f"\n{own}{entry}," + text[over:]
    return text[:last] + (" " if comma else ", ") + entry + text[last:]
