"""Accuracy of the English-to-SQL engine on requests with reference SQL.

A hypothesis is right when the reference answer is contained in it: some mapping takes each column of the reference to
a column of the hypothesis so that, after projection, both are the same set of tuples. Either reference is accepted. A
wrong answer counts twice in the weighted error, no answer once. Requests are grouped by what their reference SQL needs
and by whether its pattern (literals and alias numbers removed) occurs among the requests for development.

Of the requests, a tenth of the patterns with all that have them, then a tenth of the requests, are set aside by a hash of
pattern and id: the same for everybody, whatever the order of the file. They are measured, never read; `--out` refuses them.
`--curve` gives the other ones in batches of 250 in a fixed shuffle.

    python -m benchmarks.english --questions FILE --database URL --domain DIR [--principles SET] [--set SET]
        [--curve] [--today DATE]

`--principles references` for requests about flights whose references are of the 1990s.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import re
import sqlite3
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from domain.english.engine import Engine

SETS = ("development", "by request", "by pattern")
BATCH = 250
Table = tuple[tuple[Any, ...], ...]
Result = tuple[dict[str, Any], str, float, Any]
CONSTRUCTIONS = {
    "fare": r"\bfare",
    "clock time": r"(departure|arrival)_time\S* *(<|>|=|BETWEEN)",
    "day or date": r"\bday_name\b",
    "minimum or maximum": r"\b(MIN|MAX)\s*\(",
    "count": r"\bCOUNT\s*\(",
    "or": r"\bOR\b",
    "not": r"\bNOT\b(?! NULL)|<>|!=",
    "ground transport": r"\bground_service\b",
    "stop": r"\bflight_stop\b",
    "airline": r"\bairline",
    "class": r"\bclass_type\b",
    "aircraft": r"\baircraft\b",
    "meal": r"\bfood_service\b",
    "round trip": r"\bround_trip",
    "group by": r"\bGROUP BY\b",
}


def pattern(sql: str) -> str:
    """The statement with literals and alias numbers removed."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "V", sql)
    bare = re.sub(r"(?<![A-Za-z0-9_])\d+(\.\d+)?(?![A-Za-z0-9_])", "N", bare)
    bare = re.sub(r"(?<=[A-Za-z_])\d+\b", "#", bare)
    return re.sub(r"\s+", " ", bare).strip().lower()


def divided(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The requests by set; those for development in a fixed shuffle."""
    tenth = len(rows) // 10
    patterns = sorted({pattern(row["sql"][0]) for row in rows}, key=lambda p: _drawn("pattern", p))
    aside = set(patterns[: len(patterns) // 10])
    rest = sorted((r for r in rows if pattern(r["sql"][0]) not in aside), key=lambda r: _drawn("request", r["id"]))
    by_pattern = [row for row in rows if pattern(row["sql"][0]) in aside]
    return dict(zip(SETS, (rest[tenth:], rest[:tenth], by_pattern), strict=True))


def _drawn(what: str, name: object) -> str:
    return hashlib.sha256(f"{what} {name}".encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip().upper()
    return float(value) if isinstance(value, int | float) else value


def contained(reference: Table, hypothesis: Table) -> bool:
    """Return whether some columns of the hypothesis are, as a set of tuples, the reference."""
    wanted = {tuple(map(_plain, row)) for row in reference}
    given = {tuple(map(_plain, row)) for row in hypothesis}
    if not wanted or not given:
        return not wanted and not given
    columns = [frozenset(column) for column in zip(*wanted, strict=True)]
    offered = [frozenset(column) for column in zip(*given, strict=True)]
    options = [[j for j, found in enumerate(offered) if found == column] for column in columns]
    return any({tuple(row[j] for j in choice) for row in given} == wanted for choice in _choices(options))


def _choices(options: list[list[int]]) -> Iterator[tuple[int, ...]]:
    if not options:
        yield ()
        return
    for first in options[0]:
        for rest in _choices(options[1:]):
            if first not in rest:
                yield (first, *rest)


class Runner:
    """Runs statements on a SQLite file read-only, at most a second each; keeps reference answers between runs."""

    def __init__(self, path: str, cache: Path | None, limit: float = 1.0) -> None:
        self._link = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self._limit = limit
        self._cache_file = cache
        self._cache: dict[str, Table | None] = {}
        self._until = 0.0
        if cache and cache.exists():
            self._cache = pickle.loads(cache.read_bytes())
        self._link.set_progress_handler(lambda: time.monotonic() > self._until, 20_000)

    def run(self, sql: str, limit: float | None = None) -> Table | None:
        """The rows, or None when the statement fails or takes too long."""
        self._until = time.monotonic() + (limit or self._limit)
        try:
            return tuple(self._link.execute(sql).fetchmany(60_000))
        except sqlite3.Error:
            return None

    def shown(self, sql: str) -> tuple[tuple[str, ...], Table]:
        """Columns and rows; nothing when the statement fails or takes too long."""
        self._until = time.monotonic() + self._limit
        try:
            rows = self._link.execute(sql)
            return tuple(column[0] for column in rows.description), tuple(rows.fetchmany(60_000))
        except sqlite3.Error:
            return (), ()

    def reference(self, sql: str) -> Table | None:
        key = hashlib.sha1(sql.encode()).hexdigest()
        if key not in self._cache:
            self._cache[key] = self.run(sql)
        return self._cache[key]

    def close(self) -> None:
        self._link.close()
        if self._cache_file:
            self._cache_file.write_bytes(pickle.dumps(self._cache))


def judge(runner: Runner, references: list[str], hypothesis: str | None) -> str:
    """right, wrong, none (no answer), or void when no reference can be run."""
    answers = [a for s in references if s and (a := runner.reference(s)) is not None]
    if not answers:
        return "void"
    if hypothesis is None:
        return "none"
    given = runner.run(hypothesis, 2.0)
    if given is None:
        return "wrong"
    return "right" if any(contained(a, given) for a in answers) else "wrong"


def figures(verdicts: list[str]) -> str:
    counts = Counter(v for v in verdicts if v != "void")
    total = sum(counts.values()) or 1
    right, wrong, none = (100 * counts[k] / total for k in ("right", "wrong", "none"))
    return (
        f"{total:5d}  right {right:5.1f}  wrong {wrong:5.1f}  none {none:5.1f}  weighted error {2 * wrong + none:5.1f}"
    )


def request_options(about: str | None) -> argparse.ArgumentParser:
    """The options of every measure over requests with reference SQL: where they are, and what answers them."""
    options = argparse.ArgumentParser(description=(about or "").split("\n")[0])
    options.add_argument("--questions", required=True, type=Path)
    options.add_argument("--database", required=True)
    options.add_argument("--domain", required=True, type=Path)
    options.add_argument(
        "--principles", default="", metavar="SET", help="the conventions of the references, if not the domain's"
    )
    options.add_argument("--limit", type=int, help="only so many requests")
    return options


def main(argv: list[str] | None = None) -> int:
    options = request_options(__doc__)
    options.add_argument("--today", type=date.fromisoformat)
    options.add_argument("--set", choices=[*SETS, "all"], default="all")
    options.add_argument("--curve", action="store_true", help="also the figures of each batch of 250 for development")
    options.add_argument("--cache", type=Path, help="keep reference answers here")
    options.add_argument("--out", type=Path, help="write one JSON line per request; not of requests set aside")
    args = options.parse_args(argv)
    rows = requests(args.questions)
    sets = divided(rows)
    seen = {pattern(row["sql"][0]) for row in sets["development"]}
    if args.out and args.set in SETS[1:]:
        options.error(f"--out: the requests {args.set} are set aside to be measured, not read; use --set development")
    chosen = (rows if args.set == "all" else sets[args.set])[: args.limit]
    results = scored(Engine(args.domain, args.database, args.today, args.principles), args, chosen)
    report(results, seen if args.set != "development" else set())
    if args.curve:
        of = {row["id"]: verdict for row, verdict, _, _ in results}
        curve([of[row["id"]] for row in sets["development"] if row["id"] in of])
    if args.out:
        written(results, {row["id"] for row in sets["development"]}, args.out)
    return 0


def requests(file: Path) -> list[dict[str, Any]]:
    """The lines of FILE: `{"id": 1, "question": "…", "sql": "…"}`, `sql` one statement or a list of several that are right;
    SystemExit names the line that is none."""
    return json_lines(file, _request, "id, question and sql")


def _request(row: dict[str, Any]) -> dict[str, Any]:
    sql = [row["sql"]] if isinstance(row["sql"], str) else list(row["sql"])
    if not any(sql):
        raise ValueError("sql is empty; give the statement that answers the request")
    return row | {"id": row["id"], "question": str(row["question"]), "sql": [str(s) for s in sql if s]}


def json_lines(file: Path, read: Callable[[dict[str, Any]], dict[str, Any]], keys: str) -> list[dict[str, Any]]:
    """What `read` makes of each object of FILE, one per line; SystemExit names the line that is none, and the `keys` it has."""
    found = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                found.append(read(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"{file}:{number}: {error}; an object with {keys} is expected") from None
    return found


def scored(engine: Engine, args: argparse.Namespace, rows: list[dict[str, Any]]) -> list[Result]:
    """Each request with its verdict, the seconds that it took, and its first reading."""
    runner = Runner(str(make_url(args.database).database), args.cache)
    results = []
    for row in rows:
        began = time.perf_counter()
        readings = engine.ask(row["question"]).readings
        took = time.perf_counter() - began
        sql = readings[0].sql if readings else None
        results.append((row, judge(runner, row["sql"], sql), took, readings[0] if readings else None))
    runner.close()
    return results


def written(results: list[Result], readable: set[str], file: Path) -> None:
    """One JSON line for each request that may be read."""
    with file.open("w") as out:
        for row, verdict, _, reading in results:
            if row["id"] in readable:
                extra = {"verdict": verdict, "hyp": reading.sql if reading else None}
                extra["paraphrase"] = reading.paraphrase if reading else None
                extra["confidence"] = str(reading.confidence) if reading else None
                extra["unused"] = ", ".join(reading.unused) if reading else None
                out.write(json.dumps(row | extra) + "\n")


def curve(verdicts: list[str]) -> None:
    for start in range(0, len(verdicts), BATCH):
        print(f"{f'batch {start // BATCH + 1}':20s}", figures(verdicts[start : start + BATCH]))


def report(results: list[Result], seen: set[str]) -> None:
    print(f"{'all':20s}", figures([v for _, v, _, _ in results]))
    for name, wanted in CONSTRUCTIONS.items():
        group = [v for row, v, _, _ in results if re.search(wanted, row["sql"][0], re.I)]
        if group:
            print(f"{name:20s}", figures(group))
    if seen:
        for name, known in (("pattern seen", True), ("pattern new", False)):
            group = [v for row, v, _, _ in results if (pattern(row["sql"][0]) in seen) == known]
            print(f"{name:20s}", figures(group))
    times = sorted(1000 * took for _, _, took, _ in results)
    p99 = times[min(len(times) - 1, int(0.99 * len(times)))]
    print(f"milliseconds a request: p50 {statistics.median(times):.2f}  p99 {p99:.2f}  most {times[-1]:.2f}")


if __name__ == "__main__":
    sys.exit(main())
