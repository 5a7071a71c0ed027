"""`.sql` and `.sq2`: the statements whose answers are the minimal and the maximal reference answer.

One statement an interpretation. In `.sql` each stands on a line of its own; in `.sq2` a blank line separates them, so that
a statement may run over several lines. Both are written canonically: single blanks outside quotes, comments removed, a
semicolon at the end. So the same statements have the same bytes.
"""

import re

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import text_of

_TOKEN = re.compile(
    r"(?P<quoted>'[^']*(?:''[^']*)*'|\"[^\"]*(?:\"\"[^\"]*)*\")|(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<space>[\s\ufeff]+)|(?P<end>;)"
    r"|(?P<bad>['\"])|(?P<unending>/\*)|(?P<other>[^'\";/\s\ufeff-]+|.)",
    re.DOTALL,
)


class Statements(msgspec.Struct, frozen=True):
    """Canonical statements without their semicolons, in the order of the interpretations."""

    statements: tuple[str, ...]


def canonical(statement: str) -> str:
    """A statement with single blanks outside quotes, without comments and semicolon.

    Raises ValueError for one that is empty, is more than one, has an open quote or comment or a line end within quotes.
    """
    parts: list[str] = []
    ended = False
    for match in _TOKEN.finditer(statement):
        kind, text = match.lastgroup, match[0]
        if kind in ("comment", "space"):
            parts.append(" ")
        elif kind == "end":
            ended = True
        elif ended:
            raise ValueError("more than one statement")
        elif kind == "bad":
            raise ValueError("a quote that is never closed")
        elif kind == "unending":
            raise ValueError("a comment that is never closed")
        elif kind == "quoted" and ("\n" in text or "\r" in text):
            raise ValueError("a line end within quotes")
        else:
            parts.append(text)
    result = _single_blanks(parts)
    if not result:
        raise ValueError("no statement")
    return result


def parse(data: bytes | str, path: str) -> Statements:
    """The statements of a `.sql`: one per line, blank lines ignored; raises `FormatFault`.

    >>> render(parse("SELECT 1;\\n\\nSELECT 2;\\n", "x.sql"))
    b'SELECT 1;\\nSELECT 2;\\n'
    """
    lines = text_of(data, path).split("\n")
    return _collect([(number, line) for number, line in enumerate(lines, start=1) if line.strip()], path)


def parse_blocks(data: bytes | str, path: str) -> Statements:
    """The statements of a `.sq2`: separated by blank lines; raises `FormatFault`."""
    blocks: list[tuple[int, str]] = []
    begin, gathered = 1, ""
    for number, line in enumerate([*text_of(data, path).split("\n"), ""], start=1):
        if line.strip():
            begin = begin if gathered else number
            gathered += line + "\n"
        elif gathered:
            blocks.append((begin, gathered))
            gathered = ""
    return _collect(blocks, path)


def render(statements: Statements) -> bytes:
    """The bytes of a `.sql`."""
    return "".join(f"{statement};\n" for statement in statements.statements).encode()


def render_blocks(statements: Statements) -> bytes:
    """The bytes of a `.sq2`."""
    return "\n".join(f"{statement};\n" for statement in statements.statements).encode()


def _collect(blocks: list[tuple[int, str]], path: str) -> Statements:
    if not blocks:
        raise FormatFault(path, 0, "no statement in the file", "remove the file or write a statement")
    found: list[str] = []
    for number, block in blocks:
        try:
            found.append(canonical(block))
        except ValueError as error:
            raise FormatFault(path, number, str(error), "write one complete SQL statement an interpretation") from None
    return Statements(tuple(found))


def _single_blanks(parts: list[str]) -> str:
    """Joins the parts; a blank is a part of its own, so that those within quotes stay as they are."""
    kept: list[str] = []
    for part in parts:
        if part != " " or (kept and kept[-1] != " "):
            kept.append(part)
    if kept and kept[-1] == " ":
        kept.pop()
    return "".join(kept)
