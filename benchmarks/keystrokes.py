"""Queries per hour that a wizard's typing allows: a keystroke-level model of keys pressed on the real console.

A scripted wizard works through the shipped play on the console itself, key by key, with the English tool and the database
behind it. What is pressed is counted; what it costs is the keystroke-level model of Card, Moran & Newell ("The
keystroke-level model for user performance time with interactive systems", Communications of the ACM 23, 1980; "The psychology
of human-computer interaction", 1983, chapter 8): a letter of running text, another key, a mental operator before each
decision, the machine's response. Counted is wizard-bound time, from the end of the subject's speech to the key that sends.
She types along while the subject speaks, as the console lets her; `--after` has her begin at its end. Requests that the tool
does not take as they are said are reworded by `hands/rewordings.toml`, edited in place where that takes less time than typing
them again.

    python -m benchmarks.keystrokes [--wpm 40] [--after]

The exit status is 1 when fewer than 150 queries an hour come out at a third reworded.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

import scenarios
from benchmarks.hands.wizard_at_work import Deed, HandStep, Rewording, Work, worked
from domain.database.build import open_database
from domain.query_backend import backends

HERE = Path(__file__).parent
AIM = 150
THIRD = 1 / 3
KEY = 0.28  # K: one key that is no part of running text, average non-secretary typist
MENTAL = 1.35  # M: preparing for what comes next
READING_WPM = 250.0
SPEAKING_WPM = 150.0
LETTERS_A_WORD = 5.0


class Operators(NamedTuple):
    """Seconds; `letter` is one character of running text. `along`: she types while the subject speaks."""

    letter: float
    key: float = KEY
    mental: float = MENTAL
    word_read: float = 60 / READING_WPM
    along: bool = True


def operators(wpm: float, *, along: bool = True) -> Operators:
    """`wpm`: words of five letters a minute, the space included as usual."""
    return Operators(60 / (wpm * LETTERS_A_WORD), along=along)


def seconds(work: Work, by: Operators) -> float:
    """Wizard-bound time of one turn, from the end of the speech to the key that sends."""
    before = sum(cost(step, by) for step in work.steps if step.along)
    spoken = 60 * len(work.said.split()) / SPEAKING_WPM if by.along else 0.0
    return max(0.0, before - spoken) + sum(cost(step, by) for step in work.steps if not step.along)


def cost(step: HandStep, by: Operators) -> float:
    """Seconds of one step."""
    each = {Deed.LETTERS: by.letter, Deed.KEY: by.key, Deed.THINK: by.mental, Deed.READ: by.word_read, Deed.WAIT: 1.0}
    return each[step.deed] * step.count


def an_hour(done: Sequence[Work], by: Operators, reworded: float | None = None) -> float:
    """Queries an hour as they were worked; with `reworded`, at that share of those that the database answered."""
    of = {kind: [seconds(work, by) for work in done if work.kind == kind] for kind in ("at once", "reworded", "canned")}
    answered = len(of["at once"]) + len(of["reworded"])
    share = len(of["reworded"]) / answered if reworded is None else reworded
    each = (1 - share) * _mean(of["at once"]) + share * _mean(of["reworded"])
    return 3600 * len(done) / (answered * each + sum(of["canned"]))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def report(done: Sequence[Work], by: Operators, wpm: float) -> int:
    """Print turns, kinds, keys and queries an hour; 0 when the aim is reached, else 1."""
    for work in done:
        print(f"{seconds(work, by):5.1f} s  {work.kind:9}{_counted(work)}  {work.said}")
    print()
    for kind in ("at once", "reworded", "canned"):
        those = [work for work in done if work.kind == kind]
        parts = {
            deed: _mean([sum(cost(s, by) for s in work.steps if s.deed is deed) for work in those]) for deed in Deed
        }
        shown = ", ".join(f"{deed} {parts[deed]:.1f}" for deed in Deed)
        print(f"{kind:9}{len(those):3} turns, mean {_mean([seconds(work, by) for work in those]):.1f} s of {shown}")
    costs = Counter[str]()
    for work in done:
        for step in work.steps:
            if step.deed is Deed.KEY:
                costs[step.what] += 1
    print("keys: " + "; ".join(f"{count} × {what}" for what, count in costs.most_common()))
    print(
        f"letter {by.letter:.2f} s ({wpm:g} words a minute), key {by.key} s, mental {by.mental} s, a word read "
        f"{by.word_read:.2f} s, {'typed along with speech of' if by.along else 'typed after'} {SPEAKING_WPM:g} words a minute"
    )
    print(f"queries an hour: {an_hour(done, by, THIRD):.0f} at a third reworded; aim: {AIM}")
    print(f"  {an_hour(done, by, 0.0):.0f} with none reworded, {an_hour(done, by, 1.0):.0f} with all")
    return 0 if an_hour(done, by, THIRD) >= AIM else 1


def _counted(work: Work) -> str:
    counts = {deed: sum(step.count for step in work.steps if step.deed is deed) for deed in Deed}
    return f"{counts[Deed.LETTERS]:4.0f} letters {counts[Deed.KEY]:2.0f} keys {counts[Deed.THINK]:2.0f} decisions"


def main(argv: list[str] | None = None) -> int:
    """Print what each turn took, and queries an hour."""
    options = argparse.ArgumentParser()
    options.add_argument("--wpm", type=float, default=40.0)
    options.add_argument("--after", action="store_true", help="type when the subject has finished")
    asked = options.parse_args(argv)
    by = operators(asked.wpm, along=not asked.after)
    return report(asyncio.run(measured()), by, asked.wpm)


async def measured(most: int | None = None) -> list[Work]:
    """Work through the shipped play with the shipped domain, or through its first turns."""
    folder = Path(scenarios.__file__).parent / "air_travel"
    with tempfile.TemporaryDirectory() as cache:
        database = open_database(folder, Path(cache))
        backend = backends(folder, database.url, database.version, "")()
        try:
            return await worked(backend, HERE.parent / "canned_messages" / "messages.toml", rewordings(), most)
        finally:
            backend.sandbox.close()


def rewordings() -> dict[str, Rewording]:
    """Return what the wizard makes of the requests that are not taken as they are said, by utterance."""
    return msgspec.toml.decode((HERE / "hands" / "rewordings.toml").read_bytes(), type=dict[str, Rewording])


if __name__ == "__main__":
    raise SystemExit(main())
