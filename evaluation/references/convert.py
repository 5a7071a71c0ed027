"""`curtain cas`: the twenty lines that a participant would otherwise write, from CSV, JSON or a database to an answer.

Types are the database's where there is a database, JSON's where there is JSON. CSV has none: a column is of numbers when all
of it reads as numbers, of Booleans when all of it does, otherwise of strings, unless the types are given. What begins with a
zero, such as 007, is a code, and what is in quotes where other fields do not is text: neither is a number.
"""

import csv
import io
import json
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TextIO

import msgspec

from corpus.formats.cas import (
    LONGEST,
    Answer,
    CasError,
    CasType,
    Relation,
    Row,
    Rules,
    Value,
    answer_of,
    canonical,
    kind_of,
    number_of,
    parse,
    render,
)
from domain.sandbox.sandbox import Limits, Sandbox
from evaluation.comparator.answer_input import FileFault, read_text
from session.values.answers import QueryFailure

_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}
QUOTED = "\x00"
"""Marks a number in quotes while CSV is read."""
_ANY_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_UNQUOTED = re.compile(r'(?m)(?:^|,)[^",\r\n]')
_QUOTED_NUMBER = re.compile(r'(?m)(?<![^,\n\r])"(-?[0-9.]+)"(?=,|\r?$)')
_CODE = re.compile(r"-?0[0-9]")
_TYPES = {"n": CasType.NUMBER, "b": CasType.BOOLEAN, "s": CasType.STRING}


def from_csv(text: str, *, header: bool = True, types: str = "") -> Answer:
    """An answer from CSV; an empty field is NIL. `types` gives a letter a column: n(umber), b(oolean), s(tring)."""
    rows = _csv_rows(text)
    if header and not rows:
        raise CasError("there is nothing in it; a line of column names alone is the empty answer ()")
    body = rows[1:] if header else rows
    if not body:
        return Answer((Relation(()),))
    width = len(rows[0][1])
    for line, row in body:
        if len(row) != width:
            raise CasError(f"{len(row)} fields; the first line has {width}", line, 1)
    if types and (len(types) != width or set(types) - set(_TYPES)):
        raise CasError(f"types {types!r}: write {width} letters out of n, b and s")
    columns = [
        _column(column, _TYPES[types[place]] if types else None, place + 1)
        for place, column in enumerate(zip(*(row for _, row in body), strict=True))
    ]
    return Answer((Relation(tuple(zip(*columns, strict=True))),))


def _csv_rows(text: str) -> list[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line that it ends on; a field in quotes may run over lines.

    Numbers in quotes get QUOTED before them, unless everything is in quotes, which then say nothing.
    """
    if _UNQUOTED.search(_ANY_QUOTED.sub('""', text)):
        text = _QUOTED_NUMBER.sub(rf'"{QUOTED}\1"', text)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        raise CasError(f"this is not CSV: {error}", reader.line_num, 1) from error


def _column(fields: Sequence[str], kind: CasType | None, place: int) -> list[Value]:
    given = [field for field in fields if field.strip()]
    if kind is None:
        numbers = all(number_of(field.strip()) is not None and not _CODE.match(field.strip()) for field in given)
        booleans = all(field.strip().lower() in _BOOLEANS for field in given)
        kind = CasType.NUMBER if numbers else CasType.BOOLEAN if booleans else CasType.STRING
    return [_field(field.replace(QUOTED, ""), kind, place) if field.strip() else None for field in fields]


def _field(field: str, kind: CasType, place: int) -> Value:
    if kind is CasType.STRING:
        return field
    found = number_of(field.strip()) if kind is CasType.NUMBER else _BOOLEANS.get(field.strip().lower())
    if found is None:
        raise CasError(f"column {place}: {field!r} is not a {kind}")
    return found


def from_json(text: str) -> Answer:
    """An answer from JSON: a scalar, a list of lists, a list of objects, or an object with `rows`."""
    try:
        data: Any = json.loads(text, parse_float=_real, parse_int=number_of, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise CasError(error.msg, error.lineno, error.colno) from error
    if isinstance(data, dict):
        data = data.get("rows", [list(data.values())])
    if not isinstance(data, list):
        return Answer((Relation(((_json_value(data, 1),),), scalar=data is not None),))
    names = list(data[0]) if data and isinstance(data[0], dict) else []
    rows: list[Row] = []
    kinds: list[CasType | None] = []
    for number, row in enumerate(data, start=1):
        if isinstance(row, dict):
            if set(row) != set(names):
                raise CasError(f"row {number} has the keys {', '.join(row)}; the first has {', '.join(names)}")
            row = [row[name] for name in names]
        if not isinstance(row, list):
            row = [row]
        rows.append(tuple(_json_value(value, number) for value in row))
        kinds = kinds or [None] * len(rows[0])
        _check_row(rows[-1], kinds, number)
    return Answer((Relation(tuple(rows)),))


def _real(text: str) -> Decimal:
    """A number of JSON with a point or an exponent; raises CasError if an answer could not write it in digits."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("inf")
    if not found.is_finite() or abs(found.adjusted()) > LONGEST or len(text) > LONGEST:
        raise CasError(f"the number {text[:30]} is too large or too small to be written in {LONGEST} digits")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; raises CasError for a key that stands twice, of which one value would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise CasError(f"the key {twice!r} occurs twice in one object; give each column a name of its own")
    return found


def _check_row(row: Row, kinds: list[CasType | None], number: int) -> None:
    """Note the row's types; raises CasError for one that is not as long, or not of the types, of those above."""
    if not row or len(row) != len(kinds):
        raise CasError(f"row {number} has {len(row)} values, the first one {len(kinds)}; a tuple holds at least one")
    for column, value in enumerate(row):
        if value is None:
            continue
        kind, known = kind_of(value), kinds[column]
        if known is not None and kind is not known:
            raise CasError(f"row {number}: a {kind} in column {column + 1}, which holds {known}s above")
        kinds[column] = kind


def _json_value(value: Any, number: int) -> Value:
    if value is None or isinstance(value, bool | int | str | Decimal):
        return value
    raise CasError(f"row {number}: {json.dumps(value, default=str)} is not a value of an answer")


class CasOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain cas`.

    `source` is a file or `-`. `form` is cas, csv or json, by default what the name ends in. With `database` (a URL),
    `source` is SQL or a `.sql` file with one statement.
    """

    source: str
    form: str = ""
    no_header: bool = False
    types: str = ""
    database: str = ""
    rules: str = "1992"
    keep_order: bool = False


def cas_command(given: CasOptions, stdin: TextIO | None, out: TextIO, err: TextIO) -> int:
    """Print a file (or standard input) as an answer in CAS; 0, or 2 with what is wrong and where."""
    source, rules = given.source, Rules(given.rules)
    try:
        answer = _read(given, stdin)
        text = render(answer if given.keep_order else canonical(answer), rules)
        parse(text, rules, source=source)
    except (CasError, FileFault, QueryFailure, ValueError) as error:
        placed = isinstance(error, CasError) and error.line
        place = "" if given.database or source in str(error) else f"{source}:" if placed else f"{source}: "
        print(f"error: {place}{error}", file=err)
        return 2
    print(text, file=out)
    return 0


def _read(given: CasOptions, stdin: TextIO | None) -> Answer:
    source = given.source
    if given.database:
        sandbox = Sandbox(given.database, Limits(rows=200_000, bytes=400_000_000, seconds=60.0))
        try:
            table = sandbox.run(read_text(Path(source)) if Path(source).suffix == ".sql" else source)
        finally:
            sandbox.close()
        if table.more:
            raise FileFault(f"more than {len(table.rows)} rows")
        return answer_of(table)
    text = stdin.read() if source == "-" and stdin is not None else read_text(Path(source))
    match given.form or Path(source).suffix.lstrip(".").lower():
        case "csv":
            return from_csv(text, header=not given.no_header, types=given.types)
        case "json":
            return from_json(text)
        case "cas" | "ref" | "rf2":
            return parse(text, Rules(given.rules), source=source)
    raise FileFault(f"{source}: name the format: --from cas, csv or json")
