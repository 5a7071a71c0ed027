"""`.cha`, a transcript in TalkBank's CHAT: headers, main lines with the time in the sound, tiers that depend on them.

    transcript = "@UTF8" "@Begin" header* line* "@End"
    header     = "@" name (":" TAB text)?
    line       = "*" code ":" TAB words (NAK begin "_" end NAK)? tier*        milliseconds of the sound
    tier       = "%" name ":" TAB text

A text that is too long for a line goes on in the next, which begins with a tab. Names of tiers of one's own begin with x; in
those, line ends and invisible characters are escaped (`corpus.formats.safe_lines`), so that nothing is lost. The manual is
B. MacWhinney, Tools for Analyzing Talk, part 1.
"""

import re
from collections.abc import Iterator

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import escaped, lines_of, plain
from session.values.sanitize import inert

_BULLET = "\x15"
_TIMED = re.compile(f"(?P<words>.*?)(?: {_BULLET}(?P<begin>[0-9]{{1,12}})_(?P<end>[0-9]{{1,12}}){_BULLET})?")
_HEADER = re.compile(r"@(?P<name>[A-Z][A-Za-z ]*)(?::\t(?P<text>.*))?")
_LINE = re.compile(r"\*(?P<code>[A-Z0-9]{1,7}):\t(?P<text>.*)")
_TIER = re.compile(r"%(?P<name>[a-z]{3,7}):\t(?P<text>.*)")


class Header(msgspec.Struct, frozen=True):
    """A header, such as `Languages` with the text `eng`."""

    name: str
    text: str = ""


class ChatLine(msgspec.Struct, frozen=True):
    """Main line of the participant `code`: words in CHAT's notation, ended by their terminator; the milliseconds in the
    sound, None if it sounds nowhere; and the texts that depend on it, by tier."""

    code: str
    words: str
    stretch: tuple[int, int] | None = None
    tiers: tuple[Header, ...] = ()


class ChatTranscript(msgspec.Struct, frozen=True):
    """A transcript: its headers in order, without those that every file begins and ends with, and its lines."""

    headers: tuple[Header, ...]
    lines: tuple[ChatLine, ...]


def render(made: ChatTranscript) -> bytes:
    """The bytes of a transcript; outside of tiers of one's own, invisible characters become signs and blanks one blank."""
    rows = ["@UTF8", "@Begin"]
    rows += [f"@{header.name}:\t{_flat(header.text)}" if header.text else f"@{header.name}" for header in made.headers]
    for line in made.lines:
        bullet = f" {_BULLET}{line.stretch[0]}_{line.stretch[1]}{_BULLET}" if line.stretch else ""
        rows.append(f"*{line.code}:\t{_flat(line.words)}{bullet}")
        rows += [f"%{tier.name}:\t{escaped(tier.text) if _own(tier.name) else _flat(tier.text)}" for tier in line.tiers]
    return ("\n".join([*rows, "@End"]) + "\n").encode()


def parse(data: bytes | str, path: str) -> ChatTranscript:
    """Read a transcript as `render` writes it, or any other; raises `FormatFault`.

    >>> line = ChatLine("SUB", "show me flights .", (0, 1250), (Header("xsro", "show me flights"),))
    >>> made = ChatTranscript((Header("Languages", "eng"),), (line,))
    >>> parse(render(made), "8k1001sx.cha") == made
    True
    """
    rows = [*_rows(data, path)]
    if [text for _, text in rows[:2]] != ["@UTF8", "@Begin"] or rows[-1][1] != "@End":
        raise FormatFault(path, 0, "it has not @UTF8, @Begin and @End where CHAT has them", "name a .cha of TalkBank")
    headers, lines = list[Header](), list[ChatLine]()
    for number, row in rows[2:-1]:
        if match := _HEADER.fullmatch(row):
            headers.append(Header(match["name"], match["text"] or ""))
        elif match := _LINE.fullmatch(row):
            lines.append(_line(match["code"], match["text"]))
        elif (match := _TIER.fullmatch(row)) and lines:
            text = plain(match["text"], path, number) if _own(match["name"]) else match["text"]
            tier = Header(match["name"], text)
            lines[-1] = msgspec.structs.replace(lines[-1], tiers=(*lines[-1].tiers, tier))
        else:
            raise FormatFault(
                path, number, f"{row!r} is not a line of CHAT", "begin it with @, * or %, and a tab after the colon"
            )
    return ChatTranscript(tuple(headers), tuple(lines))


def _line(code: str, text: str) -> ChatLine:
    found = _TIMED.fullmatch(text)
    if found is None or found["begin"] is None:
        return ChatLine(code, text)
    return ChatLine(code, found["words"], (int(found["begin"]), int(found["end"])))


def _rows(data: bytes | str, path: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, those that go on put together."""
    held, begun = "", 0
    for number, line in enumerate(lines_of(data, path), start=1):
        if line.startswith("\t") and begun:
            held = f"{held} {line.strip()}"
            continue
        if begun:
            yield begun, held
        held, begun = line, number
    yield begun, held


def _own(name: str) -> bool:
    return name.startswith("x")


def _flat(text: str) -> str:
    return " ".join(inert(text).split())
