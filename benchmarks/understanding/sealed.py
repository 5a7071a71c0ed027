"""Accuracy on other people's databases as learnt, without edits, on requests that were sealed before.

FOLDER has a database `NAME.sqlite` and its requests `NAME.jsonl` for each, one object a line: `{"question": "…", "sql": "…"}`;
`sql` is a statement, a list of several that are equally right, or null where no answer is right. Whoever writes the requests
seals them before the learner sees the databases:

    python -m benchmarks.understanding.sealed FOLDER --seal
    python -m benchmarks.understanding.sealed FOLDER [--edited DIR] [--today DATE]

The first call writes `SEALED`, the SHA-256 of each file as `sha256sum` does. The second refuses files that have changed since,
learns every database into a folder that is deleted afterwards, and prints right, wrong and no answer of each, never a request.
`--edited DIR` measures domains that somebody has edited instead (DIR/NAME/domain.toml). What is asked is 60 % right and at most
5 % wrong on six databases as learnt, 80 % and 5 % after an hour; the exit status is 1 where that is not met, 2 for files that are
not as they were sealed.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.english import Runner, figures, json_lines, judge
from domain.english.engine import Engine
from domain.learn.learn import learn_command

SEAL = "SEALED"
ENOUGH = 6
_RIGHT, _WRONG = {False: 60.0, True: 80.0}, 5.0


def main(argv: list[str] | None = None) -> int:
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path, help="databases NAME.sqlite and requests NAME.jsonl")
    options.add_argument("--seal", action="store_true", help="write the checksums of its files, and measure nothing")
    options.add_argument("--edited", type=Path, metavar="DIR", help="domains to ask instead of learning them: DIR/NAME")
    options.add_argument("--today", type=date.fromisoformat, help="the day of the requests, if they speak of days")
    args = options.parse_args(argv)
    names = sorted(path.stem for path in args.folder.glob("*.sqlite") if path.with_suffix(".jsonl").is_file())
    if not names:
        options.error(f"{args.folder} has no NAME.sqlite with NAME.jsonl")
    sums = "".join(f"{checksum(args.folder / file)}  {file}\n" for n in names for file in (f"{n}.jsonl", f"{n}.sqlite"))
    seal = args.folder / SEAL
    if args.seal:
        if seal.exists():
            options.error(f"{seal} is there already: what was sealed is not sealed again")
        seal.write_text(sums, encoding="utf-8")
        return 0
    if (seal.read_text(encoding="utf-8") if seal.is_file() else "") != sums:
        sys.stderr.write(f"{seal}: the files are not those that were sealed; sha256sum -c {SEAL} names them\n")
        return 2
    return measured(args.folder, names, args.edited, args.today)


def checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def measured(folder: Path, names: list[str], edited: Path | None, today: date | None) -> int:
    """Print the figures of each database and of all; 0 if they are as wanted."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as kept:
        for name in names:
            domain = edited / name if edited else Path(kept) / name
            url = f"sqlite:///{folder / name}.sqlite"
            told = io.StringIO()
            if not edited and learn_command(url, str(domain), told, told) != 0:
                print(f"{name:24s} not learnt: {told.getvalue().strip().splitlines()[-1]}")
                found += ["none"] * len(read_requests(folder / f"{name}.jsonl"))
                continue
            verdicts = verdicts_of(Engine(domain, url, today), folder / name)
            print(f"{name:24s}", figures(verdicts))
            found += verdicts
    print(f"{'all':24s}", figures(found))
    counted = [verdict for verdict in found if verdict != "void"]
    right, wrong = (100 * counted.count(verdict) / max(1, len(counted)) for verdict in ("right", "wrong"))
    if len(names) < ENOUGH:
        print(f"{len(names)} databases: {ENOUGH} are asked for")
    return 0 if len(names) >= ENOUGH and right >= _RIGHT[edited is not None] and wrong <= _WRONG else 1


def verdicts_of(engine: Engine, base: Path) -> list[str]:
    """How each request fares; where no answer is right, none is."""
    runner = Runner(f"{base}.sqlite", None)
    verdicts = []
    for row in read_requests(base.with_name(f"{base.name}.jsonl")):
        sql = next((reading.sql for reading in engine.ask(row["question"]).readings), None)
        verdicts.append(judge(runner, row["sql"], sql) if row["sql"] else "wrong" if sql else "right")
    runner.close()
    return verdicts


def read_requests(file: Path) -> list[dict[str, Any]]:
    """The requests of a file; SystemExit names a line that is none."""

    def read(row: dict[str, Any]) -> dict[str, Any]:
        sql = row["sql"] or []
        return {"question": str(row["question"]), "sql": [sql] if isinstance(sql, str) else [str(s) for s in sql]}

    return json_lines(file, read, "question and sql")


if __name__ == "__main__":
    sys.exit(main())
