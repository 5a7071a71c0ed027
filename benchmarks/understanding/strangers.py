"""How well requests are understood about databases that nobody has described: `curtain learn`, unedited.

FILE has one JSON object a line: `{"database": "s1", "said": "…", "sql": "…"}`. `sql` is a statement, a list of equally right
ones, or null where no answer is right. DATABASES is the folder with `s1.sqlite` and the like, or with `s1.sql`, which
makes it. Each is learnt under `--cache`, unless `--domain` names an edited folder, or a file of
edits to what is learnt; requests are made on the newest day in it, unless `--today` says another.

    python -m benchmarks.understanding.strangers FILE DATABASES [--cache DIR] [--domain DATABASE=DIR] [--today DATE]
        [--out FILE]

Beside this module: `strangers_read.jsonl` and `strangers_unread.jsonl` about s1 to s6 of `strangers_databases`, by somebody who
knew these alone, `strangers_2_read.jsonl` about n1 to n4, by another, and `strangers_3_read.jsonl` and
`strangers_3_unread.jsonl` about m1 to m4, by a third. Nobody who works on the grammar or on learning opens an unread one, or has
its requests printed.
"""

from __future__ import annotations

import argparse
import io
import json
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.english import Runner, figures, json_lines, judge
from benchmarks.understanding.edited_domain import write_edited
from domain.english.engine import Engine
from domain.learn.learn import learn_command

_DAY = "[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]*"


def main(argv: list[str] | None = None) -> int:
    options = argparse.ArgumentParser()
    options.add_argument("file", type=Path)
    options.add_argument("databases", type=Path)
    options.add_argument("--cache", type=Path, help="keep databases and what is learnt of them here")
    options.add_argument("--domain", action="append", default=[], metavar="DATABASE=DIR", help="or DATABASE=EDITS.toml")
    options.add_argument("--today", type=date.fromisoformat, help="the day that requests are made on (YYYY-MM-DD)")
    options.add_argument("--out", type=Path, help="write one JSON line per request, with its verdict and reading")
    args = options.parse_args(argv)
    edited = dict(pair.split("=", 1) for pair in args.domain)
    rows = json_lines(args.file, _request, "database, said and sql")
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        results = []
        for name in sorted({row["database"] for row in rows}):
            file = database(args.databases, name, cache)
            domain = edited_domain(edited.get(name), file, cache / name)
            results += measured(
                domain, file, args.today or newest_day(file), [row for row in rows if row["database"] == name]
            )
    report(results)
    if args.out:
        args.out.write_text("".join(json.dumps(row) + "\n" for row in results))
    return 0


def _request(row: dict[str, Any]) -> dict[str, Any]:
    sql = row["sql"] or []
    return row | {
        "database": str(row["database"]),
        "said": str(row["said"]),
        "sql": [sql] if isinstance(sql, str) else list(sql),
    }


def database(folder: Path, name: str, cache: Path) -> Path:
    """The database's file; made from its SQL where only that is there."""
    file = folder / f"{name}.sqlite"
    if file.exists():
        return file
    made = cache / f"{name}.sqlite"
    if not made.exists():
        with closing(sqlite3.connect(made)) as link:
            link.executescript((folder / f"{name}.sql").read_text())
    return made


def newest_day(file: Path) -> date | None:
    """The last day of the year in which most columns of dates end: requests are made then, unless another day is given."""
    newest: list[date] = []
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as link:
        for (table,) in link.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in [row[1] for row in link.execute(f'PRAGMA table_info("{table}")')]:
                (most,) = link.execute(
                    f'SELECT MAX(substr("{column}", 1, 10)) FROM "{table}" WHERE "{column}" GLOB ?', (_DAY,)
                ).fetchone()
                newest += [date.fromisoformat(most)] if most else []
    if not newest:
        return None
    years = [day.year for day in newest]
    return max(day for day in newest if day.year == max(years, key=years.count))


def learnt(file: Path, folder: Path) -> Path:
    """The folder that `curtain learn` wrote for `file`, now or before."""
    if not folder.exists() and learn_command(f"sqlite:///{file}", str(folder), io.StringIO(), sys.stderr) != 0:
        raise SystemExit(f"{folder}: {file} could not be learnt")
    return folder


def edited_domain(edited: str | None, file: Path, folder: Path) -> Path:
    """The folder named, or the one learnt with the edits named, or the one learnt."""
    if edited is None or not edited.endswith(".toml"):
        return Path(edited) if edited else learnt(file, folder)
    made = folder.with_name(folder.name + "-edited")
    write_edited(learnt(file, folder), Path(edited), made)
    return made


def measured(domain: Path, file: Path, today: date | None, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each request with its verdict."""
    engine = Engine(domain, f"sqlite:///{file}", today)
    runner = Runner(str(file), None)
    results = []
    for row in rows:
        answered = engine.ask(row["said"])
        reading = answered.readings[0] if answered.readings else None
        unanswerable = "wrong" if reading else "right"
        verdict = judge(runner, row["sql"], reading.sql if reading else None) if row["sql"] else unanswerable
        results.append(
            row
            | {"verdict": verdict, "hyp": reading.sql if reading else None, "unused": [*answered.unused]}
            | {"paraphrase": reading.paraphrase if reading else None, "reason": answered.reason}
            | {"confidence": reading.confidence if reading else None}
        )
    runner.close()
    return results


def report(results: Sequence[dict[str, Any]]) -> None:
    """Right, wrong and no answer, of all and by database."""
    print(f"{'all':12s}", figures([row["verdict"] for row in results]))
    for name in sorted({row["database"] for row in results}):
        print(f"{name:12s}", figures([row["verdict"] for row in results if row["database"] == name]))


if __name__ == "__main__":
    sys.exit(main())
