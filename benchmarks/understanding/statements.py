"""Share of a wizard's statements that are read back into a meaning which returns the same rows.

Each FILE is one of `benchmarks.understanding.dialogues`; its statements stand for what a wizard wrote by hand. Of one that is not
read, the rows may still be known by their keys, so that the next request can ask of them. Prints totals alone.

    python -m benchmarks.understanding.statements FILE… [--cache DIR]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.understanding.dialogues import World, read_turns, world_of
from session.values.answers import EarlierRequest, Table

_PARTS = ("meaning", "rows", "none")


def main(argv: list[str] | None = None) -> int:
    options = argparse.ArgumentParser()
    options.add_argument("files", type=Path, nargs="+", metavar="FILE")
    options.add_argument("--cache", type=Path, help="keep databases here")
    args = options.parse_args(argv)
    found: dict[str, Counter[str]] = {}
    took: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        worlds: dict[str, World] = {}
        for turn in (turn for file in args.files for turn in read_turns(file) if turn["sql"]):
            name = turn["domain"]
            world = worlds.get(name) or worlds.setdefault(name, world_of(name, cache, {}, {}))
            began = time.perf_counter()
            part = how_read(world, turn["sql"][0])
            took.append(1000 * (time.perf_counter() - began))
            for key in (name, "all"):
                found.setdefault(key, Counter())[part] += 1
    for name in sorted(found):
        total = sum(found[name].values())
        shares = "  ".join(f"{part} {100 * found[name][part] / total:5.1f}" for part in _PARTS)
        print(f"{name:12s} {total:5d}  {shares}")
    if took:
        took.sort()
        print(f"milliseconds a statement: p50 {took[len(took) // 2]:.1f}  p99 {took[int(0.99 * len(took))]:.1f}")
    return 0


def how_read(world: World, sql: str) -> str:
    """What is known of a statement: its meaning, its rows by their keys, or none of both."""
    shown = Table(*world.runner.shown(sql))
    if world.turns.meaning(world.engine, sql, shown):
        return "meaning"
    (turn,) = world.turns.of(world.engine, [EarlierRequest("", shown, by_hand=True, sql=sql)])
    return "rows" if turn.meaning else "none"


if __name__ == "__main__":
    sys.exit(main())
