"""Answers of a database, and what the subject is to see of them.

One layout function serves the wizard's preview, the subject's screen and the log, so that the three cannot differ
(MADCOW 1992, section 2.2: results are previewed before they are released).
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from session.values.column_display import ColumnReading, Form, Reading, told
from session.values.column_display import Value as Value
from session.values.sanitize import cells, clip, inert

GAP = "  "
NARROW_GAP = " "
NARROWEST = 4
READABLE = 10
LONGEST_CELL = 60
LONGEST_VALUE = 600
RECORD_LINES = 200


class Table(msgspec.Struct, frozen=True):
    """Rows of a result, every row as long as `columns`; `more` says that the database had further rows."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    more: bool = False


class EarlierRequest(msgspec.Struct, frozen=True):
    """An utterance to which a later one may refer, and the rows of its answer that the subject was shown (`more`: there were
    others); `by_hand` says that the wizard asked for them in SQL, so that the text does not say what they are, and `sql` how,
    or which other reading of the text she sent."""

    text: str
    shown: Table | None = None
    by_hand: bool = False
    sql: str = ""


class FailureKind(StrEnum):
    """The reason why a query failed; a query without results is not a failure but an empty `Table`."""

    NOT_UNDERSTOOD = "not_understood"
    SYNTAX = "syntax"
    FORBIDDEN = "forbidden"
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    CANCELLED = "cancelled"
    UNAVAILABLE = "unavailable"


SURE = 0.95
"""Confidence from which on a reading is taken for right: of all requests, fewer than one in fifty are wrong at it."""
DOUBTFUL = 2 / 3
"""Confidence below which no machine sends rows: a wrong answer costs two and none costs one."""


UNSUPPORTED = 0.5
"""Confidence of an outside engine's statement that no reading of ours speaks for or against; below it something does."""


class OtherReading(msgspec.Struct, frozen=True, omit_defaults=True):
    """Another way to understand a request than the one that was run: in plain English, as SQL, and how sure (0 to 1).

    `doubt` says why it is withheld: such a reading is never taken by itself. `rows` is how many rows it brings, None where
    that is not known; `more` says that there are others."""

    paraphrase: str
    sql: str
    confidence: float
    doubt: str = ""
    rows: int | None = None
    more: bool = False


class QueryFailure(Exception):
    """The one error that a database or an English engine raises for a request that it cannot answer.

    `question` is what a system would ask the subject back, if it knows; `unused` are the words that stood in the way, and
    `withheld` the readings that are too doubtful to be taken by themselves.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        question: str = "",
        unused: Sequence[str] = (),
        withheld: Sequence[OtherReading] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.question = question
        self.unused = tuple(unused)
        self.withheld = tuple(withheld)


def rows_of(columns: Sequence[str], rows: Sequence[Sequence[Value]], more: bool = False) -> Table:
    """A `Table` out of any sequences; raises ValueError when a row is not as long as `columns`."""
    for number, row in enumerate(rows, start=1):
        if len(row) != len(columns):
            raise ValueError(f"row {number} has {len(row)} values for {len(columns)} columns")
    return Table(tuple(columns), tuple(tuple(row) for row in rows), more)


def compose(
    table: Table, width: int, rows_shown: int, *, reading: Reading = (), expand: bool = False, summary: str = ""
) -> str:
    """The text of an answer, its lines at most `width` columns wide, saying in words or with an ellipsis whatever was left out.

    A row a line where every column fits with at least 10 places (or as many as it needs), its heading broken over lines and
    the columns closer together if that helps; otherwise record by record, a column a line, none left out. At most
    `rows_shown` rows, and of records as many as 200 lines hold, but one at least. `reading` says how the columns are written;
    with `expand` codes are in words, hidden columns are left out and rows that look alike without them stand once, and long
    values are broken over lines like headings; a `summary` of the question stands above it. Same arguments: same text.
    """
    width = max(width, NARROWEST)
    readings = _readings(table, reading)
    if expand and len(places := told(readings)) < len(readings):
        table, readings = _without_hidden(table, readings, places), tuple(readings[at] for at in places)
    return "\n".join([*_summary(summary, width), *_body(table, width, rows_shown, readings, expand)])


def rows_in_sight(table: Table, rows_shown: int, reading: Reading = (), *, expand: bool = False) -> Table:
    """The rows of which `compose` shows one, all columns whole: first those that are there, then those that look the same."""
    readings = _readings(table, reading)
    places = told(readings)
    if not expand or len(places) == len(readings):
        rows = table.rows[:rows_shown]
    else:
        seen: dict[tuple[Value, ...], list[tuple[Value, ...]]] = {}
        for row in table.rows:
            seen.setdefault(tuple(row[at] for at in places), []).append(row)
        groups = [*seen.values()][:rows_shown]
        rows = (*(group[0] for group in groups), *(row for group in groups for row in group[1:]))
    return Table(table.columns, rows, table.more or len(rows) < len(table.rows))


def _readings(table: Table, reading: Reading) -> Reading:
    return (*reading[: len(table.columns)], *(ColumnReading(),) * (len(table.columns) - len(reading)))


def _without_hidden(table: Table, readings: Reading, places: Sequence[int]) -> Table:
    rows = dict.fromkeys(tuple(row[at] for at in places) for row in table.rows)
    return Table(tuple(table.columns[at] for at in places), tuple(rows), table.more)


def _body(table: Table, width: int, rows_shown: int, readings: Reading, expand: bool) -> list[str]:
    if not table.rows:
        return [clip("No matching entries were found.", width)]
    headings = [_heading(column, reading) for column, reading in zip(table.columns, readings, strict=True)]
    if len(table.columns) == 1 and len(table.rows) == 1 and not table.more:
        return [clip(f"{headings[0]}: {readings[0].read(table.rows[0][0], expand)}", width)]
    kept = table.rows[:rows_shown]
    texts = [[reading.read(value, expand) for value, reading in zip(row, readings, strict=True)] for row in kept]
    whole = [not expand or _stays_whole(kept, at, reading) for at, reading in enumerate(readings)]
    gap, widths = _column_widths(headings, texts, width, whole)
    if not widths:
        kept = kept[: max(1, RECORD_LINES // (len(headings) + 2))]
        lines = _records(headings, texts[: len(kept)], width)
    else:
        numeric = [_is_numeric(kept, index, readings[index], expand) for index in range(len(widths))]
        rule = gap.join("-" * cells for cells in widths)
        heads = _heads(headings, widths)
        lines = [
            *(_line(head, widths, numeric, gap) for head in heads),
            rule,
            *(
                _line(line, widths, numeric, gap)
                for row in texts
                for line in (_broken_row(row, widths) if expand else [row])
            ),
        ]
    return [clip(line, width) for line in [*lines, *_remarks(table, len(kept))]]


def _is_numeric(rows: Sequence[tuple[Value, ...]], index: int, reading: ColumnReading, expand: bool) -> bool:
    return not (expand and reading.codes) and all(isinstance(row[index], int | float | None) for row in rows)


def _stays_whole(rows: Sequence[tuple[Value, ...]], index: int, reading: ColumnReading) -> bool:
    """Return whether a column's values are times, amounts or numbers, which nobody could read in pieces."""
    return bool(reading.form is not Form.PLAIN or reading.written) or _is_numeric(rows, index, reading, expand=True)


def _heading(column: str, reading: ColumnReading) -> str:
    return inert(reading.heading or column.replace("_", " "))


def _summary(text: str, width: int) -> list[str]:
    """The question in words, broken between words, and an empty line; nothing for no text."""
    words = " ".join(inert(text).split())
    return [*broken(f"{words[:1].upper()}{words[1:]}", width), ""] if words else []


def broken(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` columns, broken between words, anywhere where there is no blank."""
    if cells(text) <= width:
        return [text]
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cells(longer) <= width:
            lines[-1] = longer
            continue
        *whole, last = _pieces(word, width)
        lines += [*whole, last]
    return lines if lines[0] else lines[1:]


def _pieces(word: str, width: int) -> list[str]:
    """A word in pieces of at most `width` columns; a character that is wider stands alone."""
    pieces = [""]
    for character in word:
        if pieces[-1] and cells(pieces[-1]) + cells(character) > width:
            pieces.append("")
        pieces[-1] += character
    return pieces


def _column_widths(headings: list[str], texts: list[list[str]], width: int, kept: list[bool]) -> tuple[str, list[int]]:
    """Return what stands between the columns of a table and how wide each is; no widths where they do not fit with room to be
    read.

    Values that are not `kept` whole may be broken between words, and where that is not enough all of them; none if all are.
    """
    values = [min(max(cells(row[at]) for row in texts), LONGEST_CELL) for at in range(len(headings))]
    whole = [max(value, min(cells(heading), LONGEST_CELL)) for value, heading in zip(values, headings, strict=True)]
    widths = [max(value, *map(cells, heading.split(" "))) for value, heading in zip(values, headings, strict=True)]
    gaps = len(headings) - 1
    for gap, wanted in ((GAP, whole), (GAP, widths), (NARROW_GAP, widths)):
        if sum(wanted) + len(gap) * gaps <= width:
            return gap, wanted
    room = width - len(NARROW_GAP) * gaps
    least = [0] * len(widths)
    for stays in (kept, [False] * len(kept)) if not all(kept) else ():  # a time in two lines is better than a word cut
        least = [
            _narrowest([heading, *(row[at] for row in texts)], widths[at]) if not stays[at] else widths[at]
            for at, heading in enumerate(headings)
        ]
        if sum(least) <= room:
            break
    else:
        if sum(min(cells, READABLE) for cells in widths) > room:
            return NARROW_GAP, []
        least = [0] * len(widths)
    while sum(widths) > room:
        widths[max((at for at in range(len(widths)) if widths[at] > least[at]), key=lambda at: widths[at])] -= 1
    return NARROW_GAP, widths


def _narrowest(texts: Sequence[str], whole: int) -> int:
    """Return the least width of a column whose texts may break between words."""
    return min(whole, max(cells(word) for text in texts for word in text.split(" ")))


def _heads(headings: list[str], widths: list[int]) -> list[list[str]]:
    """The headings, each over its column, in as many rows as the longest needs; they stand on the rule."""
    split = [broken(heading, width) for heading, width in zip(headings, widths, strict=True)]
    height = max(map(len, split))
    columns = [[""] * (height - len(lines)) + lines for lines in split]
    return [[column[row] for column in columns] for row in range(height)]


def _broken_row(row: Sequence[str], widths: list[int]) -> list[list[str]]:
    """A row in as many lines as its longest value needs; what is in one place stays below itself."""
    split = [broken(clip(text, LONGEST_VALUE), width) for text, width in zip(row, widths, strict=True)]
    return [[lines[at] if at < len(lines) else "" for lines in split] for at in range(max(map(len, split)))]


def _line(row: Sequence[str], widths: list[int], numeric: list[bool], gap: str) -> str:
    parts = []
    for text, width, right in zip(row, widths, numeric, strict=True):
        shown = clip(text, width)
        space = " " * (width - cells(shown))
        parts.append(space + shown if right else shown + space)
    return gap.join(parts).rstrip()


def _records(headings: list[str], texts: list[list[str]], width: int) -> list[str]:
    """A block a row: which one it is, then every column on a line of its own, long values on several."""
    left = max(1, min(max(map(cells, headings)), (width - len(GAP)) // 3))
    right = max(1, width - left - len(GAP))
    lines: list[str] = []
    for number, row in enumerate(texts, start=1):
        lines += [*([""] if lines else []), f"Entry {number}"]
        for heading, value in zip(headings, row, strict=True):
            first, *rest = broken(clip(value.strip(), LONGEST_VALUE), right)
            name = clip(heading, left)
            lines.append(f"{name}{' ' * (left - cells(name))}{GAP}{first}".rstrip())
            lines += [f"{' ' * left}{GAP}{line}".rstrip() for line in rest]
    return lines


def _remarks(table: Table, kept: int) -> list[str]:
    if table.more:
        return ["", f"({kept} rows of more than {len(table.rows)})"]
    return ["", f"({kept} of {len(table.rows)} rows)"] if kept < len(table.rows) else []


def digest(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
