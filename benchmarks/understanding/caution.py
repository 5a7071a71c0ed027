"""Cost, in diagnostics, of a responder that sends no rows of a reading with unused words.

Every turn of FILE is answered as in SRI, where nobody sees which words were left out: with rows, with the front end's question,
or with the message that it was not understood. `held back` are the turns that have a reading and get that message all the same;
`would be right` those of them whose rows are the right ones. With `--word-error` the words are first made wrong as a profile's
`noise` does it, half a dozen seeds each, because a recogniser's words are what SRI's front end reads.

    python -m benchmarks.understanding.caution FILE [--word-error 0.1] [--cache DIR]
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.understanding.dialogues import World, read_turns, world_of
from domain.english.dialogue.references import EarlierTurn
from operators.recognition.pronunciations import by_rule
from operators.recognition.seeded_errors import ErrorModel
from operators.recognition.spoken_words import words_of
from session.study.settings import Noise

SEEDS = 6
REPLIES = (
    "rows right",
    "rows wrong",
    "asked back",
    "held back, would be right",
    "held back, would be wrong",
    "no reading",
)


def main(argv: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path)
    options.add_argument("--word-error", type=float, default=0.0)
    options.add_argument("--cache", type=Path, help="keep databases here")
    args = options.parse_args(argv)
    turns = read_turns(args.file)
    with tempfile.TemporaryDirectory() as folder:
        cache = args.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        worlds = {name: world_of(name, cache, {}, {}) for name in sorted({turn["domain"] for turn in turns})}
        replies = Counter(replied(worlds, turns, args.word_error))
    total = replies.total()
    print(f"word error {args.word_error:.0%}, {total} turns")
    for name in REPLIES:
        print(f"  {name:28s} {replies[name]:5d}  {100 * replies[name] / total:5.1f} %")
    return 0


def replied(worlds: dict[str, World], turns: Sequence[dict[str, Any]], word_error: float) -> Iterator[str]:
    """How each turn is replied to, in the context of those before it."""
    vocabulary = {word for turn in turns for word in words_of(turn["said"])}
    model, noise = ErrorModel({word: [by_rule(word)] for word in vocabulary}), Noise(word_error=word_error)
    for seed in range(SEEDS if word_error else 1):
        earlier: dict[str, list[EarlierTurn]] = {}
        for turn in turns:
            name = f"{turn['domain']} {turn['dialogue']}"
            said = model.worsened(turn["said"], noise, f"{seed} {name} {turn['turn']}") if word_error else turn["said"]
            yield _reply(worlds[turn["domain"]], turn["sql"], said, earlier.setdefault(name, []))


def _reply(world: World, references: Sequence[str], said: str, context: list[EarlierTurn]) -> str:
    found = world.engine.ask(said, context)
    reading = next(iter(found.readings), None)
    context.append(EarlierTurn(said, *world.shown(reading)))
    if found.clarification is not None:
        return "asked back"
    if reading is None:
        return "no reading"
    verdict = "right" if world.verdict(references, reading) == "right" else "wrong"
    return f"held back, would be {verdict}" if reading.unused else f"rows {verdict}"


if __name__ == "__main__":
    sys.exit(main())
