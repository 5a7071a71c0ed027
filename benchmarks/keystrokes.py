"""How many queries an hour a wizard at the console has time for: a keystroke-level model over the scripted scenarios.

Counted is wizard-bound time, from the end of the subject's speech to the key that sends: typing the whole transcription after
the speech has ended (a wizard who types along is faster), waiting, reading, deciding, keys. The subject's thinking and
speaking are left out. The operators are those of Card, Moran & Newell, "The psychology of human-computer interaction" (1983),
chapter 8; their values are printed with the result. A request that is not answered at once is charged two rewordings, each
typed again as a whole. How many are not, is measured twice. The first is the share of requests not answered right among those
that real people made and nobody read before, each by itself: no figure of the scenarios (docs/explanation/english.md). The
other is one, and is strict and small: each request of the script is given to the English front end in its context and its
answer held against the rows of the script's own statement, which shows columns and makes choices of its own. The exit status
is 1 when the aim is missed with the first; it is missed with the second.

    python -m benchmarks.keystrokes [--wpm 40] [--reworded SHARE]
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import scenarios
from benchmarks.english import contained
from domain.database.build import open_database
from domain.english.engine import Engine
from domain.sandbox.sandbox import Sandbox
from rehearsal.script import ScriptedTurn, shipped_script
from session.values.answers import QueryFailure, Table

AIM = 120
KEY = 0.28  # K: one key that is no part of running text, average non-secretary typist
MENTAL = 1.35  # M: deciding what comes next
READING_WPM = 250.0
LETTERS_A_WORD = 5.0
REWORDINGS = 2
UNSEEN = 0.074  # not right at once among 434 unseen requests: docs/explanation/english.md


@dataclass(frozen=True)
class Operators:
    """Seconds; `letter` is one character of running text."""

    letter: float
    key: float = KEY
    mental: float = MENTAL
    word_read: float = 60 / READING_WPM

    def typed(self, text: str) -> float:
        return self.letter * len(text) + self.key  # and Enter

    def read(self, text: str) -> float:
        return self.word_read * len(text.split()) + self.mental


@dataclass(frozen=True)
class Request:
    """One scripted utterance: its words, what was understood, whether at once, and how long the machine took."""

    said: str
    paraphrase: str
    at_once: bool
    canned: bool
    response: float
    sql: str = field(default="", repr=False)


def operators(wpm: float) -> Operators:
    """`wpm`: words of five letters a minute, the space included as usual."""
    return Operators(60 / (wpm * LETTERS_A_WORD))


def seconds(request: Request, by: Operators) -> float:
    """Wizard-bound time of one request."""
    return _canned(request, by) if request.canned else _answered(request, by, REWORDINGS * (not request.at_once))


def _answered(request: Request, by: Operators, rewordings: float) -> float:
    heard = by.mental + by.typed(request.said)
    looked = (
        request.response + by.read(request.paraphrase or request.said) + by.mental
    )  # the paraphrase, then the preview
    again = by.mental + by.key + by.typed(request.said) + looked  # think of other words, empty the line
    return heard + looked + rewordings * again + by.key  # F5


def _canned(request: Request, by: Operators) -> float:
    heard = by.mental + by.typed(request.said)
    return (
        heard + by.mental + 3 * by.key + by.mental
    )  # F6, Enter at the message that fits, its blank filled; Enter sends


def with_share(requests: Sequence[Request], by: Operators, share: float) -> float:
    """Mean seconds if this share of the requests that can be answered were reworded."""
    times = [_canned(r, by) if r.canned else _answered(r, by, REWORDINGS * share) for r in requests]
    return sum(times) / len(times)


def by_hand(requests: Sequence[Request], by: Operators) -> float:
    """Mean seconds of the answered ones if each statement were typed in SQL, once and without a fault."""
    times = [
        by.mental + by.typed(r.said) + 2 * by.mental + by.typed(r.sql) + by.read("") + by.key for r in requests if r.sql
    ]
    return sum(times) / len(times)


def measured(engine: Engine, sandbox: Sandbox) -> Iterator[Request]:
    """Every utterance of the shipped script that a wizard replies to."""
    for act in shipped_script().scenario:
        context: list[str] = []
        for turn in act.turn:
            if not turn.discard:
                yield _tried(engine, sandbox, turn, context)
                context.append(turn.said)


def _tried(engine: Engine, sandbox: Sandbox, turn: ScriptedTurn, context: Sequence[str]) -> Request:
    statements = [" ".join(ask.sql.split()) for ask in turn.ask if ask.sql and not ask.fails and not ask.empty]
    began = time.perf_counter()
    readings = engine.ask(turn.said, context).readings
    given = _rows(sandbox, readings[0].sql) if readings else None
    took = time.perf_counter() - began
    if turn.canned is not None or not statements:
        return Request(turn.said, "", at_once=False, canned=True, response=took)
    best = readings[0] if readings else None
    wanted = _rows(sandbox, statements[-1])
    right = best is not None and given is not None and wanted is not None and _same(given, wanted, best.minimal_columns)
    return Request(turn.said, best.paraphrase if best else "", right, False, took, statements[-1])


def _rows(sandbox: Sandbox, sql: str) -> Table | None:
    try:
        return sandbox.run(sql)
    except QueryFailure:
        return None


def _same(given: Table, wanted: Table, minimal: Sequence[str]) -> bool:
    """The script's answer is contained in the engine's, or the engine's minimal answer in the script's, which shows more."""
    at = [given.columns.index(name.rpartition(".")[2]) for name in minimal if name.rpartition(".")[2] in given.columns]
    least = tuple(tuple(row[place] for place in at) for row in given.rows)
    return contained(wanted.rows, given.rows) or (bool(at) and contained(least, wanted.rows))


def main(argv: list[str] | None = None) -> int:
    """Prints operators, constants, each request, and queries an hour."""
    options = argparse.ArgumentParser()
    options.add_argument("--wpm", type=float, default=40.0)
    options.add_argument("--reworded", type=float, default=UNSEEN, help="share of requests not answered at once")
    asked = options.parse_args(argv)
    by = operators(asked.wpm)
    folder = Path(scenarios.__file__).parent / "air_travel"
    with tempfile.TemporaryDirectory() as cache:
        database = open_database(folder, Path(cache))
        sandbox = Sandbox(database.url)
        requests = list(measured(Engine(folder, database.url), sandbox))
        sandbox.close()
    return report(requests, by, asked.wpm, asked.reworded)


def report(requests: Sequence[Request], by: Operators, wpm: float, share: float) -> int:
    """0 when the aim is reached, else 1."""
    for requested in requests:
        how = "canned" if requested.canned else "at once" if requested.at_once else f"{REWORDINGS} rewordings"
        print(f"{seconds(requested, by):5.1f} s  {how:12s}  {requested.said}")
    answerable = [requested for requested in requests if not requested.canned]
    found = sum(not request.at_once for request in answerable) / len(answerable)
    print(
        f"\nletter {by.letter:.2f} s ({wpm:g} words a minute), key {by.key} s, mental {by.mental} s, a word read "
        f"{by.word_read:.2f} s, machine at most {max(requested.response for requested in requests):.2f} s, "
        f"{REWORDINGS} rewordings of a request that fails"
    )
    print(f"{len(requests)} requests, {len(requests) - len(answerable)} of them answered by a canned message")
    per_hour = 3600 / with_share(requests, by, share)
    whose = "measured on unseen requests" if share == UNSEEN else "given"
    print(f"queries an hour: {per_hour:.0f} with {100 * share:.1f} % reworded ({whose}); aim: {AIM}")
    print(
        f"  {3600 / with_share(requests, by, found):.0f} with {100 * found:.0f} %: all that differ from the script's rows"
    )
    print(f"  {3600 / with_share(requests, by, 0.33):.0f} with 33 %: the wizards of BBN 1989")
    print(f"  {3600 / by_hand(answerable, by):.0f} with every statement typed in SQL, once and without a fault")
    return 0 if per_hour >= AIM else 1


if __name__ == "__main__":
    raise SystemExit(main())
