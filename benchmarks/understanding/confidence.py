"""Calibration of the English front end's confidence: the share of right readings at each confidence.

Measured are requests that nobody who works on the grammar has read: the sealed half of two learnt domains and unread
dialogues of three, which ship, and the air-travel requests set aside by `benchmarks.english`, where `--questions` and
`--database` (or QUESTIONS, DATABASE and PRINCIPLES for `make bench`) name them. The confidence is the one that a
wizard sees, lowered where no row came, under the principles that the domain names. Where the references follow other
conventions (`--principles`), a reading is right if what it means is: it is judged by the statement that those make of the same
meaning.

`--fit [FILE]` fits the weights again and writes them with their origin; without FILE to those that ship. It takes the
requests that may be read, and of the unread dialogues one half by a hash of their names, unseen as the other: those that were
read have been repaired, and would make it too sure.

    python -m benchmarks.understanding.confidence [--questions FILE --database URL] [--domain DIR] [--cache DIR] [--fit [FILE]]
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from sqlalchemy.engine import make_url

import domain.english.confidence
import scenarios
from benchmarks.english import Runner, divided, judge, requests
from benchmarks.figures import figure
from benchmarks.understanding.dialogues import DOMAINS, World, read_turns, world_of
from benchmarks.understanding.modifiers import MODIFIERS, outcomes, set_aside
from domain.english.confidence.calibration import FILE
from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.english.reading import Answered, Clues, Reading
from domain.learn.learn import learn_command
from session.values.answers import SURE
from tests.domain.strangers.databases import SOURCES, build

HERE, ROOT = Path(__file__).parent, Path(__file__).parents[2]
SHIPPED = Path(domain.english.confidence.__file__ or "").with_name(FILE)
BOUNDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)
_SHRINK = 2.0
"""How strongly weights are drawn to nothing, as the square of so many requests' worth."""
DIALOGUES, ADDED = "dialogues", "additions"
_EACH = 8
"""Of so many requests one has words added."""
_KINDS = ("form", "half", "attribute", "end", "whole", "alone", "scope")


class Seen(msgspec.Struct, frozen=True):
    """A request that was answered: its first reading, with what became of it and of the second."""

    part: str
    reading: Reading
    right: bool
    empty: bool
    apart: str = ""
    second: bool = False

    @property
    def confidence(self) -> float:
        return self.reading.if_empty if self.empty else self.reading.confidence


class Sample(msgspec.Struct):
    """Requests with what was answered; `asked` counts those without an answer too, by part. `held` says of each without one
    beside which readings are withheld whether the first of these is right."""

    asked: dict[str, int] = {}
    seen: list[Seen] = []
    held: list[tuple[str, bool]] = []

    def of(self, wanted: Callable[[str], bool]) -> Sample:
        """The parts wanted."""
        asked = {part: number for part, number in self.asked.items() if wanted(part)}
        held = [(part, right) for part, right in self.held if wanted(part)]
        return Sample(asked, [seen for seen in self.seen if wanted(seen.part)], held)

    def add(
        self,
        part: str,
        runner: Runner,
        references: Sequence[str],
        answered: Answered,
        likewise: Sequence[Reading] = (),
    ) -> None:
        """Judge the first two readings of one request, of which none is right without `references`, or the first of those
        withheld; `likewise` are those under the conventions of the references."""
        readings = answered.readings
        judged = [_likewise(reading, likewise) for reading in readings[:2]]
        verdict = judge(runner, list(references), judged[0] if judged else None) if references else "wrong"
        if verdict == "void":
            return
        self.asked[part] = self.asked.get(part, 0) + 1
        if not readings:
            if answered.withheld and references:
                held = judge(runner, list(references), answered.withheld[0].sql)
                self.held.append((part, held == "right"))
            return
        second = readings[1] if len(readings) > 1 else None
        better = bool(second and references) and judge(runner, list(references), judged[1]) == "right"
        empty = runner.run(readings[0].sql, 2.0) == ()
        apart = second.apart if second else ""
        self.seen.append(Seen(part, readings[0], verdict == "right", empty, apart, better))


def _likewise(reading: Reading, others: Sequence[Reading]) -> str:
    """The statement of what a reading means under the conventions of the references."""
    same = (
        other.sql
        for other in others
        if (other.meaning, other.minimal_columns) == (reading.meaning, reading.minimal_columns)
    )
    return next(same, reading.sql)


def main(argv: list[str] | None = None) -> int:
    """Print the curve and the figures; 1 where a goal is missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--questions", type=Path, default=os.environ.get("QUESTIONS"))
    options.add_argument("--database", default=os.environ.get("DATABASE"))
    options.add_argument("--domain", type=Path, default=Path(scenarios.__file__).parent / "air_travel")
    options.add_argument(
        "--principles",
        default=os.environ.get("PRINCIPLES", ""),
        metavar="SET",
        help="the conventions of the references, if not the domain's: a reading is judged by its meaning under them",
    )
    options.add_argument("--cache", type=Path, help="keep databases and learnt domains here")
    options.add_argument(
        "--fit", nargs="?", const=SHIPPED, type=Path, metavar="FILE", help="fit the weights, write them"
    )
    args = options.parse_args(argv)
    if bool(args.questions) != bool(args.database):
        options.error("--questions and --database go together")
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        if args.fit:
            sample = Sample()
            _gather(sample, args, cache, unread=False)
            args.fit.write_text(fitted(sample), encoding="utf-8")
            print(f"{args.fit}: fitted on {len(sample.seen)} readings")
        sample = Sample()
        _gather(sample, args, cache, unread=True)
    return report(sample)


def _gather(sample: Sample, args: argparse.Namespace, cache: Path, unread: bool) -> None:
    """The requests that nobody reads, or those that anybody may."""
    if args.questions:
        engine = Engine(args.domain, args.database)
        other = Engine(args.domain, args.database, principles=args.principles) if args.principles else None
        if other:
            engine.today = other.today  # on the days of the references, of which no principle is right or wrong
        runner = Runner(str(make_url(args.database).database), cache / "answers" if args.cache else None)
        for name, rows in divided(requests(args.questions)).items():
            for row in rows if (name != "development") == unread else ():
                likewise = other.ask(row["question"]).readings if other else ()
                sample.add("air travel", runner, row["sql"], engine.ask(row["question"]), likewise)
            if name == "development" and not unread:
                _additions(sample, other or engine, runner, rows[::_EACH])
        runner.close()
    for name in SOURCES:
        engine, runner = _stranger(name, cache)
        rows = requests(ROOT / f"tests/domain/strangers/{name}_{'sealed' if unread else 'open'}.jsonl")
        for row in rows:
            sample.add("learnt domains", runner, row["sql"], engine.ask(row["question"]))
    worlds = {name: world_of(name, cache, {}, {}) for name in DOMAINS}
    if not unread:
        clinic = worlds["clinic"]
        for line in (ROOT / "tests/domain/clinic/requests.jsonl").read_text().splitlines():
            row = json.loads(line)
            sample.add("learnt domains", clinic.runner, row["sql"], clinic.engine.ask(row["question"]))
    _dialogues(sample, worlds, half=int(unread))


def _additions(sample: Sample, engine: Engine, runner: Runner, rows: Sequence[dict[str, Any]]) -> None:
    """Add words to some requests that should have changed the answer and did not: in the corpus an unused word seldom matters,
    which people who say more than the grammar knows must not be told."""
    readable = [modifier for modifier in MODIFIERS if not set_aside(modifier)]
    for outcome in outcomes(engine, rows, runner, 1, readable):
        if outcome.what == "said":
            sample.add(ADDED, runner, [], engine.ask(outcome.request))


def _stranger(name: str, cache: Path) -> tuple[Engine, Runner]:
    """The engine of a database that nobody has described, as it is learnt."""
    rows, folder = cache / f"{name}.sqlite", cache / f"{name}-learnt"
    url = f"sqlite:///{rows}" if rows.exists() else build(name, rows)
    output = io.StringIO()
    if not folder.exists() and learn_command(url, str(folder), output, output) != 0:
        raise SystemExit(f"{folder}: {output.getvalue()}")
    return Engine(folder, url, date(2025, 6, 1)), Runner(str(rows), None)


def _dialogues(sample: Sample, worlds: dict[str, World], half: int) -> None:
    """Add the turns of one half of the dialogues that nobody reads, each after what a wizard would have sent before it."""
    earlier: dict[str, list[EarlierTurn]] = {}
    turns = [turn for file in sorted(HERE.glob("outside_dialogues*_unread.jsonl")) for turn in read_turns(file)]
    names = sorted({_name(turn) for turn in turns}, key=lambda name: hashlib.sha256(name.encode()).digest())
    for turn in turns:
        name = _name(turn)
        if name not in names[half::2]:
            continue
        place = worlds[turn["domain"]]
        context = earlier.setdefault(name, [])
        answered = place.engine.ask(turn["said"], context)
        sample.add(DIALOGUES, place.runner, turn["sql"], answered)
        first = answered.readings[0] if answered.readings else None
        sent = place.corrected(turn, place.verdict(turn["sql"], first), first)
        context += place.turns.of(place.engine, [sent])


def _name(turn: dict[str, Any]) -> str:
    return f"{turn['domain']} {turn['dialogue']}"


def report(sample: Sample) -> int:
    """Print the curve and the figures of each part and of the whole; 1 where a goal is missed for single requests."""
    single = sample.of(lambda part: part != DIALOGUES)
    for name in sample.asked:
        print(f"{name}:")
        _figures(sample.of(lambda part, name=name: part == name))  # type: ignore[misc]
    print("single requests:")
    print("  confidence      readings   said   right")
    for low, high in pairwise(BOUNDS):
        if group := [seen for seen in single.seen if low <= seen.confidence < high]:
            said = sum(seen.confidence for seen in group) / len(group)
            right = sum(seen.right for seen in group) / len(group)
            print(f"  {low:.2f} to {min(high, 1):.2f} {len(group):11d} {said:6.2f} {right:7.2f}")
    return _figures(single)


def _figures(sample: Sample) -> int:
    asked = max(1, sum(sample.asked.values()))
    sure = [seen for seen in sample.seen if seen.confidence >= SURE]
    high = 100 * sum(not seen.right for seen in sure) / asked
    wrong = sum(not seen.right for seen in sample.seen)
    print(f"  {asked} requests, {len(sample.seen)} answered, {wrong} of them wrongly")
    print("  " + figure("expected calibration error", error(sample.seen), "", "under 0.1", 3))
    print("  " + figure(f"requests at {SURE} or surer", 100 * len(sure) / asked, "%"))
    print("  " + figure("of all requests wrong at that", high, "%", "under 2 %", 2))
    offered = [seen for seen in sample.seen if seen.apart not in {"", "form"}]
    missed = [seen for seen in offered if not seen.right]
    found = 100 * sum(seen.second for seen in missed) / max(1, len(missed))
    print("  " + figure("another meaning is offered second for", 100 * len(offered) / asked, "%"))
    print(
        "  "
        + figure(f"the first of these wrong {len(missed)} times, then the second right", found, "%", "over 50 %", 0)
    )
    held = [right for _, right in sample.held]
    if held:
        share = 100 * sum(held) / len(held)
        print("  " + figure(f"the first withheld reading beside {len(held)} without an answer right", share, "%"))
    return int(error(sample.seen) >= 0.1 or high >= 2)


def error(sample: Sequence[Seen]) -> float:
    """The expected calibration error: how far confidence is from the share that is right, over tenths."""
    tenths: dict[int, list[Seen]] = {}
    for seen in sample:
        tenths.setdefault(min(9, int(10 * seen.confidence)), []).append(seen)
    apart = (abs(sum(s.confidence for s in group) - sum(s.right for s in group)) for group in tenths.values())
    return sum(apart) / max(1, len(sample))


def fitted(sample: Sample) -> str:
    """The weights as TOML: the likeliest ones by logistic regression, drawn to nothing."""
    names = Clues.__struct_fields__
    clues = [msgspec.structs.replace(seen.reading.clues, empty=float(seen.empty)) for seen in sample.seen]
    x = np.array([[1.0, *(getattr(one, name) for name in names)] for one in clues])
    y = np.array([float(not seen.right) for seen in sample.seen])
    shrink = np.diag([0.0] + [_SHRINK] * len(names))
    weights = np.zeros(x.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (p - y) + shrink @ weights
        weights = weights - np.linalg.solve((x.T * (p * (1 - p))) @ x + shrink, slope)
    return "".join(_lines(sample, names, weights.tolist()))


def _lines(sample: Sample, names: Sequence[str], weights: Sequence[float]) -> Iterator[str]:
    parts = {
        part: sum(seen.part == part for seen in sample.seen) for part in dict.fromkeys(s.part for s in sample.seen)
    }
    origin = ", ".join(f"{number} of {part}" for part, number in parts.items())
    wrong = sum(not seen.right for seen in sample.seen)
    yield "# Weights of the confidence of readings, by `python -m benchmarks.understanding.confidence --fit`; fitted on:\n"
    yield "# What a clue is, domain/english/reading.py says. A positive weight speaks for a wrong reading.\n\n"
    yield f"fitted = {json.dumps(f'{len(sample.seen)} readings, {wrong} of them wrong: {origin}')}\n"
    yield f"base = {weights[0]:.3f}\n\n[weight]\n"
    yield from (f"{name} = {weight:.3f}\n" for name, weight in zip(names, weights[1:], strict=True))
    yield "\n# How often the second reading is right where the first is wrong, by what it differs in.\n[share]\n"
    for kind in _KINDS:
        group = [seen for seen in sample.seen if not seen.right and seen.apart == kind and seen.part != ADDED]
        yield f"{kind} = {(sum(seen.second for seen in group) + 1) / (len(group) + 2):.2f}\n"
    held = [right for part, right in sample.held if part != ADDED]
    yield f"withheld = {(sum(held) + 1) / (len(held) + 2):.2f}\n"


if __name__ == "__main__":
    sys.exit(main())
