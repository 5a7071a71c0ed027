"""`.log`: everything that happened between one subject and the system in one scenario, for programs and people.

MADCOW-style, not byte-compatible: of the historic syntax one key is known. One line an entry, `[Key:] value`; blank lines
mean nothing, every other line must conform. A header is followed by blocks: one for each utterance, opened by its number
in base 36; one for each take that never became an utterance; and blocks of what belongs to no utterance. A block is a
sequence of records; a record is a time-stamped line and the attributes that follow it:

    [Number:] 01
    [Take:] 01JD3…
    [Recording_begin:] 2026-11-21T09:30:00.120000Z ±0.000450 subject
    [Channel:] s 16000 Sennheiser HMD-414
    …
    [Sentence_sent:] 2026-11-21T09:30:09.000000Z wizard hidden
    [Sentence:] nonstop flights from boston to denver

`hidden` marks what the subject could not perceive. Text of several lines is framed by its line count, and no value can
make a line (`corpus.formats.safe_lines`). The schema is in `corpus.formats.log.log_schema`; `parse` refuses whatever it does not
name.
"""

from corpus.formats import keyed_lines
from corpus.formats.keyed_lines import KeyedLine
from corpus.formats.log import log_schema
from corpus.formats.log.log_keys import LogKey, ValueKind
from corpus.formats.log.log_parser import LogReader
from corpus.formats.log.log_values import INDEPENDENT, NUMBER, TAKE, UNNUMBERED, BlockKind, Log, Record, RecordBlock
from session.values.names import base36

__all__ = ["BlockKind", "Log", "Record", "RecordBlock", "parse", "render"]


def render(log: Log) -> bytes:
    """The bytes of a log, a blank line before every block."""
    lines = [_attribute(key, value, log_schema.HEADER_BY_NAME[key]) for key, value in log.header]
    for block in log.blocks:
        lines.append("\n" + _opening(block))
        for record in block.records:
            lines.append(keyed_lines.render(KeyedLine(record.key, _stamp_text(record))))
            rule = log_schema.RECORDS[record.key].by_name
            lines += [_attribute(key, value, rule[key]) for key, value in record.attributes]
    return "".join(lines).encode()


def parse(data: bytes | str, path: str) -> Log:
    """The log in a file; raises `FormatFault` with the line of the first departure from the schema.

    >>> parse("[Log_version:] other", "x.log")
    Traceback (most recent call last):
    corpus.formats.errors.FormatFault: x.log:1: [Log_version:] is 'other'; write curtain-1
    """
    entries = keyed_lines.parse(data, path)
    reader = LogReader(entries, path)
    header = reader.header()
    blocks: list[RecordBlock] = []
    while reader.more:
        blocks.append(reader.block())
    return Log(header, tuple(blocks))


def _attribute(key: str, value: str, rule: LogKey) -> str:
    if rule.kind is not ValueKind.LINES:
        return keyed_lines.render(KeyedLine(key, value))
    lines = value.split("\n")
    continued = "".join(keyed_lines.render(KeyedLine(keyed_lines.CONTINUED, line)) for line in lines)
    return keyed_lines.render(KeyedLine(key, str(len(lines)))) + continued


def _opening(block: RecordBlock) -> str:
    match block.kind:
        case BlockKind.UTTERANCE:
            return keyed_lines.render(KeyedLine(NUMBER, base36(block.number, 2))) + keyed_lines.render(
                KeyedLine(TAKE, block.take)
            )
        case BlockKind.UNNUMBERED:
            return keyed_lines.render(KeyedLine(UNNUMBERED, block.take))
        case BlockKind.INDEPENDENT:
            return keyed_lines.render(KeyedLine(INDEPENDENT))


def _stamp_text(record: Record) -> str:
    return f"{record.moment} {record.by}{' hidden' * record.hidden}"
