"""The strict reader behind `corpus.formats.log.file.parse`: entries in, values out, every refusal with its line.

A log is for machines (LDC94S19 log_spec, section 1), so a key that the schema does not name, an attribute out of order or
a value of the wrong shape is refused; remarks belong in the `.com`.
"""

import re
from collections.abc import Sequence
from typing import NoReturn

from corpus.formats.errors import FormatFault
from corpus.formats.keyed_lines import CONTINUED, KeyedLine
from corpus.formats.log import log_schema
from corpus.formats.log.log_keys import LogKey, ValueKind
from corpus.formats.log.log_values import INDEPENDENT, NUMBER, TAKE, UNNUMBERED, BlockKind, Record, RecordBlock
from corpus.formats.log.timeline import PARTS, Moment
from session.values.names import from_base36

_STAMP = re.compile(r"(?P<moment>\S+Z(?: ±\S+)?) (?P<by>[a-z_]+)(?P<hidden> hidden)?")
_WRITTEN_STAMP = re.compile(
    rf"{PARTS} ([a-z_]+)( hidden)?"
)  # what nearly all look like, in parts that need no second look
_WORD = re.compile(r"\S+")
_OPENINGS = (NUMBER, UNNUMBERED, INDEPENDENT)
_ENDINGS = (*_OPENINGS, "")
_COUNT = re.compile("0|[1-9][0-9]{0,18}")
_LINE_COUNT = re.compile("[1-9][0-9]{0,8}")
_NUMBER = re.compile("[0-9a-z]{2}")
_TEXT, _LINES, _CHOICE = (
    ValueKind.TEXT,
    ValueKind.LINES,
    ValueKind.CHOICE,
)  # an enumeration is slow to ask, and a corpus has millions
_WORD_KIND, _COUNT_KIND = ValueKind.WORD, ValueKind.COUNT
_Pairs = tuple[tuple[str, str], ...]


class LogReader:
    """Walks once over the entries of a log."""

    def __init__(self, entries: Sequence[KeyedLine], path: str) -> None:
        last = entries[-1].line if entries else 0
        self._entries = (*entries, KeyedLine("", "", last))  # so that there is always a next one to look at
        self._path = path
        self._next = 0

    @property
    def more(self) -> bool:
        """Return whether entries are left."""
        return self._next < len(self._entries) - 1

    def header(self) -> _Pairs:
        """The header's entries."""
        imported = any(entry.key == log_schema.IMPORTED for entry in self._entries[:2])
        pairs = self._attributes(log_schema.HEADER_OF_IMPORTED if imported else log_schema.HEADER, "")
        if self.more and self._peek().key not in _OPENINGS:
            self._refuse(
                self._peek(), "is not an entry of the header in its order", f"the header is {_order(log_schema.HEADER)}"
            )
        return pairs

    def block(self) -> RecordBlock:
        """The next block."""
        opening = self._take()
        kind, number, take = self._opened(opening)
        records: list[Record] = []
        while self._entries[self._next].key not in _ENDINGS:
            records.append(self._record())
        return RecordBlock(kind, tuple(records), number, take, opening.line)

    def _opened(self, entry: KeyedLine) -> tuple[BlockKind, int, str]:
        if entry.key == INDEPENDENT and not entry.value:
            return BlockKind.INDEPENDENT, 0, ""
        if entry.key == UNNUMBERED and _WORD.fullmatch(entry.value):
            return BlockKind.UNNUMBERED, 0, entry.value
        if entry.key != NUMBER:
            self._refuse(entry, "cannot open a block", "open it with [Number:], [Unnumbered:] or [Independent:]")
        if not _NUMBER.fullmatch(entry.value) or entry.value == "00":
            self._refuse(entry, "is not an utterance number", "write two base-36 digits from 01 to zz")
        if self._peek().key != TAKE or not _WORD.fullmatch(self._peek().value):
            self._refuse(entry, "does not name its take", "write [Take:] after [Number:]")
        return BlockKind.UTTERANCE, from_base36(entry.value), self._take().value

    def _record(self) -> Record:
        entry = self._entries[self._next]
        self._next += 1
        rule = log_schema.RECORDS.get(entry.key)
        if rule is None:
            self._refuse(
                entry,
                "is not known here",
                "use the records of docs/reference/formats/log.md; remarks belong in the .com",
            )
        moment, by, hidden = self._stamp(entry)
        attributes = self._attributes(rule.attributes, entry.key) if rule.attributes else ()
        return Record(entry.key, moment, by, hidden, attributes, entry.line)

    def _stamp(self, entry: KeyedLine) -> tuple[Moment, str, bool]:
        if match := _WRITTEN_STAMP.fullmatch(entry.value):
            minute, second, fraction, within, by, hidden = match.groups()
            try:
                return Moment.of_parts(minute, second, fraction, within), by, hidden is not None
            except ValueError:  # what is wrong with it is said below
                pass
        match = _STAMP.fullmatch(entry.value)
        if not match:
            self._refuse(
                entry, f"has no time stamp but {entry.value[:60]!r}", "write a time, a role and perhaps hidden"
            )
        try:
            return Moment.parse(match["moment"]), match["by"], bool(match["hidden"])
        except ValueError as error:
            raise FormatFault(self._path, entry.line, f"[{entry.key}:] {error}", "write it so") from None

    def _attributes(self, rules: tuple[LogKey, ...], owner: str) -> _Pairs:
        pairs: list[tuple[str, str]] = []
        entries = self._entries
        entry = entries[self._next]
        for rule in rules:
            name = rule.name
            if entry.key != name:
                if not rule.optional:
                    self._refuse_missing(rule, f"[{owner}:]" if owner else "the header")
                continue
            while True:
                self._next += 1
                pairs.append((name, entry.value if rule.kind is _TEXT else self._value(entry, rule)))
                entry = entries[self._next]
                if not rule.many or entry.key != name:
                    break
        return tuple(pairs)

    def _value(self, entry: KeyedLine, rule: LogKey) -> str:
        kind, value = rule.kind, entry.value
        if kind is _LINES:
            return self._lines(entry)
        if kind is _CHOICE:
            value = rule.former.get(value, value)
        if wrong := _wrong(value, rule):
            self._refuse(entry, f"is {entry.value[:60]!r}", wrong)
        return value

    def _lines(self, entry: KeyedLine) -> str:
        if not _LINE_COUNT.fullmatch(entry.value):
            self._refuse(entry, f"is {entry.value[:60]!r}", "write the number of lines that follow, each after |")
        wanted, first = int(entry.value), self._next
        while self._entries[self._next].key == CONTINUED:
            self._next += 1
        lines = [line.value for line in self._entries[first : self._next]]
        if len(lines) != wanted:
            self._refuse(entry, f"announces {wanted} lines, {len(lines)} follow", "correct the count")
        return "\n".join(lines)

    def _peek(self) -> KeyedLine:
        return self._entries[self._next]

    def _take(self) -> KeyedLine:
        self._next += 1
        return self._entries[self._next - 1]

    def _refuse_missing(self, rule: LogKey, owner: str) -> NoReturn:
        line = self._peek().line
        found = f"[{self._peek().key}:]" if self.more else "the end of the file"
        raise FormatFault(self._path, line, f"{found} where {owner} needs [{rule.name}:]", f"add [{rule.name}:]")

    def _refuse(self, entry: KeyedLine, found: str, remedy: str) -> NoReturn:
        raise FormatFault(self._path, entry.line, f"[{entry.key}:] {found}", remedy)


def _wrong(value: str, rule: LogKey) -> str:
    """Return what would be right, if `value` is not; empty if it is."""
    kind = rule.kind
    if kind is _WORD_KIND:
        return "" if value.split() == [value] else "write one word"
    if kind is _COUNT_KIND:
        return "" if _COUNT.fullmatch(value) else "write a whole number"
    if kind is _CHOICE:
        return "" if value in rule.choices else "write " + " or ".join(rule.choices)
    if kind is ValueKind.FLAG:
        return "leave it without a value" if value else ""
    return _wrong_time(value)


def _wrong_time(value: str) -> str:
    try:
        Moment.parse(value)
    except ValueError as error:
        return str(error)
    return ""


def _order(rules: tuple[LogKey, ...]) -> str:
    return " ".join(rule.name for rule in rules)
