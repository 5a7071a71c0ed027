"""Benchmark of the annotation desk on a large corpus: opening it, and going to the next utterance.

Run `python -m benchmarks.later_work.next_item --utterances 14000`. Half of the utterances are annotated before. What is
timed is the whole handler of a key: dialogue and sound read from the disk, the annotation from the store, its sentence
understood and its rows fetched, everything laid out; then the time until it is painted as well. The second walk is held while
the reference answers of a wide request are made again and again.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from pathlib import Path

import scenarios
from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotating import Annotating
from annotator.annotation.references_apart import ReferencesApart
from annotator.annotation.sentence_reader import SentenceReader
from annotator.app import AnnotationApp
from benchmarks.corpus_scale import PER_SESSION, multiply
from corpus.dataset.reader import Corpus
from desk.recording_player import Player
from domain.database.build import open_database
from session.annotation.annotated import ANNOTATION, StreamName
from session.annotation.annotation_facts import Annotation, AnnotationBegun, AnnotationRevised, AnnotationSubmitted
from session.annotation.events import WorkFact
from session.annotation.store import Work, work_path
from session.audio.fake import FileLoudspeaker
from session.gc_pauses import settle
from session.values.clock import SECOND, SystemClock, stamp

AIR = Path(scenarios.__file__).parent / "air_travel"
SENTENCE = "flights from boston to denver in the morning"
WITHIN_MS = 50.0


def annotate_half(corpus: Corpus, work: Work, by: str) -> int:
    """Record an annotation of every other utterance; how many there are."""
    made = rules.with_sentence(rules.classed(Annotation(), "A"), 0, SENTENCE)
    takes = [take for log in corpus.logs for take in corpus.takes(log)]
    clock = SystemClock("benchmark")
    for stem, take in takes[::2]:
        facts: list[WorkFact] = [
            AnnotationBegun(utterance=str(stem), take=take),
            AnnotationRevised(annotation=made, worked=SECOND),
            AnnotationSubmitted(principles="1", digest="", worked=0),
        ]
        work.append(str(StreamName(ANNOTATION, str(stem), by, take)), 0, facts, stamp(clock), by)
    return len(takes)


async def make_references(apart: ReferencesApart) -> None:
    """Let the reference answers of a wide request be made until this is cancelled."""
    wide = rules.with_sentence(rules.classed(Annotation(), "A"), 0, "fares")
    while await apart.refusal(wide, "") == "":
        pass
    raise SystemExit("the process that makes reference answers is gone")


async def walk(desk: Annotating, steps: int, apart: ReferencesApart | None = None) -> tuple[list[float], list[float]]:
    """Milliseconds of each handler, and each until it is painted."""
    making = asyncio.create_task(make_references(apart)) if apart is not None else None
    player = Player(FileLoudspeaker)
    player.open()
    settle()
    app = AnnotationApp(desk, player, desk.list.first())
    handled, painted = [], []
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        app.annotating._filter = "a"
        for _ in range(steps):
            began = time.perf_counter()
            app.annotating.action_go(1)
            handled.append((time.perf_counter() - began) * 1000)
            seen = asyncio.Event()
            app.call_after_refresh(seen.set)
            await seen.wait()
            painted.append((time.perf_counter() - began) * 1000)
            await pilot.pause()
    player.close()
    if making is not None:
        assert not making.done()
        making.cancel()
    return handled, painted


def p99_of(taken: list[float]) -> float:
    """The time that 99 in 100 stay within."""
    return sorted(taken)[min(len(taken) - 1, round(0.99 * len(taken)))]


def told(name: str, taken: list[float]) -> None:
    middle, worst = statistics.median(taken), max(taken)
    print(f"{name} p50 {middle:.1f} ms, p99 {p99_of(taken):.1f} ms, worst {worst:.1f} ms", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--utterances", type=int, default=14_000)
    parser.add_argument("--steps", type=int, default=200)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "corpus"
        multiply(root, -(-chosen.utterances // PER_SESSION), 0.25)
        corpus, work = Corpus(root), Work(work_path(root))
        count = annotate_half(corpus, work, "anna")
        reader = SentenceReader(AIR, open_database(AIR, Path(folder)).url)
        began = time.perf_counter()
        desk = Annotating(Corpus(root), work, "bea", SystemClock("desk"), reader)
        print(f"opening_over_{count} {time.perf_counter() - began:.2f} s")
        handled, painted = asyncio.run(walk(desk, chosen.steps))
        told("next_item_handler", handled)
        told("next_item_painted", painted)
        with ReferencesApart(reader) as apart:
            beside, beside_painted = asyncio.run(walk(desk, chosen.steps, apart))
        told("next_item_while_references_are_made_handler", beside)
        told("next_item_while_references_are_made_painted", beside_painted)
        began = time.perf_counter()
        desk.list.look_around()
        print(f"looking_around {1000 * (time.perf_counter() - began):.0f} ms")
        reader.close()
        work.close()
    return 0 if max(p99_of(painted), p99_of(beside_painted)) < WITHIN_MS else 1


if __name__ == "__main__":
    raise SystemExit(main())
