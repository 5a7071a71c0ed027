"""Accuracy on requests that depend on earlier ones.

FILE has one JSON object a line: `{"dialogue": "a1", "domain": "air_travel", "turn": 1, "kind": "change", "said": "…",
"sql": "…"}`. `domain` is air_travel, personnel or clinic; `sql` is the statement that answers the turn, a list of several
that do, or null where no answer is right. The context of a turn is what was said before it, right or wrong,
and the rows of the likeliest readings, as a subject would have seen them. With `--corrected` it is what a wizard would have
sent: of a turn that was answered wrongly, or not at all, the statement of FILE with its rows.

    python -m benchmarks.understanding.dialogues FILE [--cache DIR] [--database DOMAIN=FILE] [--domain DOMAIN=DIR] [--out FILE]
        [--corrected] [--unedited]

Beside this module: `dialogues.jsonl`, `further_dialogues.jsonl` and `fresh_dialogues.jsonl`, by the makers of the grammar;
`outside_dialogues_read.jsonl` and `outside_dialogues_unread.jsonl`, by somebody who knew the databases alone; by two other
such people `outside_dialogues_2_read.jsonl`, in which one reference was added (QX is an airline and the code of a fare), and
`outside_dialogues_2_unread.jsonl`; by four more, of chatty and of hurried people, `outside_dialogues_3_read.jsonl` (954 turns);
by two more `outside_dialogues_4_read.jsonl` and `outside_dialogues_4_unread.jsonl`; single requests by a third,
`outside_requests_read.jsonl` and `outside_requests_unread.jsonl`.
Nobody who works on the grammar opens an unread one, or has its turns printed.

Databases are built, and the clinic's folder learnt, under `--cache` where none is named. The lines of `clinic_edits.toml` are
added to what is learnt: those of somebody who followed the tutorial for an hour and had seen no request; not with `--unedited`.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import scenarios
from benchmarks.english import Runner, figures, json_lines, judge
from benchmarks.figures import percentile
from benchmarks.understanding.edited_domain import write_edited
from domain.database.build import shipped_database
from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.english.reading import Reading
from domain.learn.learn import learn_command
from domain.proposal.earlier_turns import EarlierTurns
from domain.sandbox.sandbox import Sandbox
from session.gc_pauses import settle
from session.values.answers import EarlierRequest, Table
from tests.domain.clinic.database import build as build_clinic

DOMAINS = ("air_travel", "personnel", "clinic")
DAYS = {"clinic": date(2025, 6, 1)}


class World:
    """The engine and the database of one domain."""

    def __init__(self, name: str, folder: Path, file: Path) -> None:
        self.engine = Engine(folder, f"sqlite:///{file}", DAYS.get(name))
        self.runner = Runner(str(file), None)
        sandbox = Sandbox(f"sqlite:///{file}")
        self.turns = EarlierTurns(sandbox.schema, sandbox.dialect, lambda sql: Table(*self.runner.shown(sql)))

    def corrected(self, turn: dict[str, Any], verdict: str, reading: Reading | None) -> EarlierRequest:
        """A turn as it went out when a wizard had looked at it: as it was read, or in SQL."""
        by_hand = verdict != "right" and bool(turn["sql"])
        sql = turn["sql"][0] if by_hand else reading.sql if reading else ""
        columns, rows = self.runner.shown(sql) if sql else ((), ())
        return EarlierRequest(turn["said"], Table(columns, rows), by_hand, sql if by_hand else "")

    def shown(self, reading: Reading | None) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """The columns and rows that a reading brings to the screen."""
        return self.runner.shown(reading.sql) if reading else ((), ())

    def verdict(self, references: Sequence[str], reading: Reading | None) -> str:
        """How a turn was answered; where no answer is right, none is."""
        if not references:
            return "wrong" if reading else "right"
        return judge(self.runner, list(references), reading.sql if reading else None)


def main(argv: list[str] | None = None) -> int:
    options = argparse.ArgumentParser()
    options.add_argument("file", type=Path)
    options.add_argument("--cache", type=Path, help="keep databases here")
    options.add_argument("--database", action="append", default=[], metavar="DOMAIN=FILE")
    options.add_argument("--domain", action="append", default=[], metavar="DOMAIN=DIR")
    options.add_argument("--out", type=Path, help="write one JSON line per turn, with its verdict and reading")
    options.add_argument(
        "--corrected", action="store_true", help="let a wizard put right what the next turn goes on from"
    )
    options.add_argument("--unedited", action="store_true", help="take the clinic's folder as it was learnt")
    args = options.parse_args(argv)
    named = [dict(pair.split("=", 1) for pair in given if "=" in pair) for given in (args.database, args.domain)]
    if wrong := {*named[0], *named[1]} - {*DOMAINS} or len(named[0]) + len(named[1]) < len(args.database + args.domain):
        options.error(f"--database, --domain: DOMAIN=PATH is expected, DOMAIN one of {', '.join(DOMAINS)}; not {wrong}")
    turns = read_turns(args.file)
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        worlds = {
            name: world_of(name, cache, named[0], named[1], args.unedited)
            for name in sorted({turn["domain"] for turn in turns})
        }
        settle()  # as a console does before its first turn
        results = [*measured(worlds, turns, args.corrected)]
    report(results)
    if args.out:
        args.out.write_text("".join(json.dumps(row) + "\n" for row in results))
    return 0


def read_turns(file: Path) -> list[dict[str, Any]]:
    """The turns of FILE in their order; SystemExit names the line that is none."""
    found = json_lines(file, _turn, "dialogue, domain, turn, said and sql")
    return sorted(found, key=lambda row: (row["domain"], row["dialogue"], row["turn"]))


def _turn(row: dict[str, Any]) -> dict[str, Any]:
    sql = row["sql"] or []
    if row["domain"] not in DOMAINS:
        raise ValueError(f"domain {row['domain']!r} is none of {', '.join(DOMAINS)}")
    row = row | {"said": str(row["said"]), "turn": int(row["turn"]), "kind": str(row.get("kind", ""))}
    return row | {"dialogue": str(row["dialogue"]), "sql": [sql] if isinstance(sql, str) else list(sql)}


def measured(
    worlds: dict[str, World], turns: Sequence[dict[str, Any]], corrected: bool = False
) -> list[dict[str, Any]]:
    """Each turn with its verdict in the context of those before it."""
    results = []
    earlier: dict[str, list[EarlierTurn]] = {}
    sent: dict[str, list[EarlierRequest]] = {}
    for turn in turns:
        world, about = worlds[turn["domain"]], f"{turn['domain']} {turn['dialogue']}"
        context = earlier.setdefault(about, [])
        began, worked = time.perf_counter(), time.process_time()
        answered = world.engine.ask(turn["said"], context)
        reading, second = (*answered.readings[:2], None, None)[:2]
        took, busy = time.perf_counter() - began, time.process_time() - worked
        verdict = world.verdict(turn["sql"], reading)
        results.append(
            turn
            | {"verdict": verdict, "took": took, "busy": busy}
            | {"hyp": reading.sql if reading else None, "paraphrase": reading.paraphrase if reading else None}
            | {"confidence": reading.confidence if reading else None}
            | {"unused": [*answered.unused], "reason": answered.reason}
            | {"second": world.verdict(turn["sql"], second) if second else None}
            | {"withheld": [world.verdict(turn["sql"], one) for one in answered.withheld]}
            | {"doubts": [(one.doubt, one.paraphrase) for one in answered.withheld]}
        )
        if corrected:
            sent.setdefault(about, []).append(world.corrected(turn, verdict, reading))
            earlier[about] = world.turns.of(world.engine, sent[about])
        else:
            context.append(EarlierTurn(turn["said"], *world.shown(reading)))
    return results


def report(results: Sequence[dict[str, Any]]) -> None:
    """Right, wrong and no answer, of all, of the later turns, by domain, by number of the turn and by kind."""

    def line(name: str, wanted: Callable[[dict[str, Any]], bool]) -> None:
        if group := [row["verdict"] for row in results if wanted(row)]:
            print(f"{name:24s}", figures(group))

    line("all", lambda row: True)
    line("after the first turn", lambda row: row["turn"] > 1)
    for key in ("domain", "turn", "kind"):
        for value in sorted({row[key] for row in results}):
            line(f"{key} {value}", partial(_has, key, value))
    silent = [row for row in results if row["verdict"] == "none"]
    hung = sum(row["reason"].startswith("it refers to") for row in silent)
    words = sum(bool(row["unused"]) and not row["reason"] for row in silent)
    print(
        f"no answer: {hung} go on from one without, {words} have words without a part, {len(silent) - hung - words} otherwise"
    )
    wrong = [row for row in results if row["verdict"] == "wrong"]
    beside = [row["second"] for row in wrong if row["second"]]
    offered = sum(row["second"] is not None for row in results)
    print(
        f"second readings: {offered}; of {len(wrong)} wrong {len(beside)} have one, {beside.count('right')} a right one"
    )
    held = [row["withheld"] for row in silent if row["withheld"]]
    first, any_of = sum(one[0] == "right" for one in held), sum("right" in one for one in held)
    print(
        f"without an answer: withheld readings beside {len(held)}, the first right for {first}, one of them for {any_of}"
    )
    for what, key in (("processor time", "busy"), ("by the clock", "took")):
        spent = [1000 * row[key] for row in results]
        print(f"milliseconds a turn, {what}: p50 {statistics.median(spent):.1f}  p99 {percentile(spent, 0.99):.1f}")


def _has(key: str, value: Any, row: dict[str, Any]) -> bool:
    return bool(row[key] == value)


def world_of(
    name: str, cache: Path, databases: dict[str, str], domains: dict[str, str], unedited: bool = False
) -> World:
    if name == "clinic":
        file = Path(databases.get(name, cache / "clinic.sqlite"))
        if not file.exists():
            build_clinic(file)
        folder = Path(domains.get(name, cache / "clinic"))
        if not folder.exists() and learn_command(f"sqlite:///{file}", str(folder), io.StringIO(), sys.stderr) != 0:
            raise SystemExit(f"{folder}: the clinic's domain could not be learnt")
        if name not in domains and not unedited:
            write_edited(folder, Path(__file__).parent / "clinic_edits.toml", cache / "clinic-edited")
            folder = cache / "clinic-edited"
        return World(name, folder, file)
    file = Path(databases[name]) if name in databases else shipped_database(name, cache)
    return World(name, Path(domains.get(name, Path(scenarios.__file__).parent / name)), file)


if __name__ == "__main__":
    sys.exit(main())
