"""Test, over any domains, that words added to a request are understood or marked: as `modifiers`, which is about flights alone.

Some modifiers say what no database holds ("near the sea"); the others exclude or include a value of the domain itself, one that
the thing asked for can have ("except Medellin"). They are added to the requests of FILE that are answered right, as learnt.

    python -m benchmarks.understanding.general_modifiers FILE DATABASES [--cache DIR] [--each N] [--show]
    python -m benchmarks.understanding.general_modifiers FILE --domain DIR --database URL [--each N] [--show]

In the first form FILE and DATABASES are those of `strangers`; in the second FILE has dialogues, of which first turns count.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from benchmarks.english import Runner, json_lines, judge
from benchmarks.understanding.modifiers import EXCLUDED, INCLUDED, AdditionOutcome, Modifier, judged, report
from benchmarks.understanding.strangers import database, learnt, newest_day
from domain.english.engine import Engine
from domain.english.reading import Reading

_UNSAYABLE = (
    *("near the sea", "by the lake", "in esperanto", "in alphabetical order of their mothers", "since the accident"),
    *("that john recommended", "until further notice", "at a third of the price", "with free drinks", "twice a week"),
    *(
        "with more legroom",
        "that were on television",
        "before my meeting",
        "an hour before sunset",
        "for left handed people",
    ),
    *("and the weather there", "that nobody likes", "as big as a house", "if the weather holds", "with a window seat"),
    *("on alternate mondays", "which caused trouble", "that smell of smoke", "according to the manual", "in a hurry"),
    *("that i asked for yesterday", "with blue eyes", "made by hand", "that can swim", "other than the usual"),
)
_AHEAD = (
    "half of the",
    "all but one of the",
    "how reliable are the",
    "compare the",
    "cancel the",
    "two of the",
    "the second",
)
_EXCLUDING = (
    "except {}",
    "but not {}",
    "other than {}",
    "apart from {}",
    "excluding {}",
    "unless it is {}",
    "anything but {}",
)
_INCLUDING = (
    "only {}",
    "only if it is {}",
    "as long as it is {}",
    "provided that it is {}",
    "preferably {}",
    "and it must be {}",
)
_DENIES = re.compile(r"\b(?:NOT|IS NULL)\b|!=")
_TEXT = re.compile(r"[A-Za-z][A-Za-z ]{2,}")


def general_modifiers(engine: Engine, found: Reading) -> Iterator[Modifier]:
    """The modifiers that fit a request as it was read: its own things, and values that these can have."""
    yield from (Modifier(words, unsayable=True) for words in _UNSAYABLE)
    yield from (Modifier(words, ahead=True, unsayable=True) for words in _AHEAD)
    if _DENIES.search(
        found.sql
    ):  # "never ordered anything but Joe's": what is excluded from what is not there is no question of signs
        return
    said = {str(v.data[0]).upper() for c in found.meaning.conditions for v in c.values if v.data}
    attributes = {c.attribute for c in found.meaning.conditions}
    for name, attribute in engine.model.attribute.items():
        if attribute.of not in found.meaning.entities or name in attributes:
            continue
        for kind, path in attribute.accepts.items():
            values = _values(engine, kind) if path != "-" and kind in engine.model.kind else []
            for value in [value for value in values if value.upper() not in said][:2]:
                yield from (Modifier(words.format(value.lower()), (value.upper(),), EXCLUDED) for words in _EXCLUDING)
                yield from (Modifier(words.format(value.lower()), (value.upper(),), INCLUDED) for words in _INCLUDING)


def _values(engine: Engine, kind: str) -> list[str]:
    """The values of a kind that are words, in an order of their own."""
    found = {
        str(n.value)
        for named in engine.names.values()
        for n in named
        if n.kind == kind and _TEXT.fullmatch(str(n.value))
    }
    return sorted(found, key=lambda value: hashlib.sha256(value.encode()).digest())


def outcomes(engine: Engine, rows: Sequence[dict[str, Any]], runner: Runner, each: int) -> Iterator[AdditionOutcome]:
    """What became of `each` additions to each request that is answered right and without a rest."""
    for row in rows:
        found = engine.ask(row["said"]).readings
        if not row["sql"] or not found or found[0].unused or judge(runner, row["sql"], found[0].sql) != "right":
            continue
        nouns = {
            word for name in found[0].meaning.entities for word in engine.model.entity[name].words if " " not in word
        }
        asked = re.compile(rf"\b(?:(?:any|all|the|some|a) )*({'|'.join(sorted(map(re.escape, nouns))) or '(?!)'})\b")
        question = row["said"].rstrip(" ?.")
        fitting = [m for m in general_modifiers(engine, found[0]) if not m.ahead or asked.search(question)]
        fitting.sort(key=lambda m: hashlib.sha256(f"{question}|{m.words}".encode()).digest())
        for modifier in fitting[:each]:
            yield judged(engine, modifier, question, found[0], asked)


def main(argv: list[str] | None = None) -> int:
    """Print what became of the additions; 1 where a goal is missed."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", type=Path)
    options.add_argument("databases", type=Path, nargs="?")
    options.add_argument("--cache", type=Path, help="keep databases and what is learnt of them here")
    options.add_argument("--domain", type=Path)
    options.add_argument("--database", help="SQLAlchemy URL of a SQLite file")
    options.add_argument("--today", type=date.fromisoformat, help="the day that requests are made on (YYYY-MM-DD)")
    options.add_argument("--each", type=int, default=8, help="additions to each request")
    options.add_argument("--show", action="store_true", help="list what became of the modifiers that may be read")
    args = options.parse_args(argv)
    if (args.databases is None) == (args.domain is None):
        options.error("name DATABASES, or --domain with --database")
    rows, found = json_lines(args.file, _row, "said and sql"), list[AdditionOutcome]()
    if args.domain:
        file = Path(make_url(args.database).database or "")
        mine = [
            row for row in rows if row.get("domain", args.domain.name) == args.domain.name and row.get("turn", 1) == 1
        ]
        found += outcomes(Engine(args.domain, args.database, args.today), mine, Runner(str(file), None), args.each)
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        for name in sorted({row["database"] for row in rows}) if args.databases else ():
            file = database(args.databases, name, cache)
            engine = Engine(learnt(file, cache / name), f"sqlite:///{file}", args.today or newest_day(file))
            mine = [row for row in rows if row["database"] == name]
            found += outcomes(engine, mine, Runner(str(file), None), args.each)
    report(found, args.show)
    silent = sum(outcome.what == "silent" for outcome in found)
    return int(any(outcome.what == "inverted" for outcome in found) or silent > 0.02 * len(found))


def _row(row: dict[str, Any]) -> dict[str, Any]:
    sql = row["sql"] or []
    return row | {"said": str(row["said"]), "sql": [sql] if isinstance(sql, str) else list(sql)}


if __name__ == "__main__":
    sys.exit(main())
