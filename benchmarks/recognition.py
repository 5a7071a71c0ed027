"""Measures pocketsphinx on the spoken rehearsal of a shipped domain: word error, marks on unsure words, end of speech to words.

Times are the processor's, so that others on the machine count for nothing.

`python -m benchmarks.recognition [--domain personnel]` needs the extra `recogniser`. The speech is espeak-ng's, unlike people
of whom the acoustic model was made. Three models are compared: of the domain alone; of the domain and all other requests of the
rehearsal, as after pilots; of the domain and the very requests, as where people repeat themselves.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import scenarios
from corpus.analysis.distribution import quantile
from corpus.analysis.word_alignment import Edit, WordErrors, align, count
from domain.database.build import open_database
from domain.query_backend import English, english_of
from operators.recognition.knowledge import prepare, sources_of
from operators.recognition.pocketsphinx_engine import PocketsphinxRecogniser, dictionary
from rehearsal.script import shipped_script
from rehearsal.session_run import speech

CHUNK = 640
"""Bytes that come at a time: 20 ms."""
BUDGET_S = 1.0
"""Seconds of processor time from the end of the sound to the final words, at most, for one utterance of the rehearsal."""


class Measured:
    """Figures over all utterances of one model."""

    def __init__(self) -> None:
        self.errors = WordErrors()
        self.delays: list[float] = []
        self.behind: list[float] = []
        self.sound_s = self.work_s = 0.0
        self.unsure = self.unsure_wrong = self.wrong = 0

    def hear(self, engine: PocketsphinxRecogniser, said: str, sound: bytes) -> None:
        """Take in one utterance as it would come, without the waiting."""
        listening, began = engine.begin(16_000), time.process_time()
        for at in range(0, len(sound), CHUNK):
            piece = time.process_time()
            listening.hear(sound[at : at + CHUNK])
            self.behind.append(time.process_time() - piece)
        ended = time.process_time()
        found = listening.finish()
        self.delays.append(time.process_time() - ended)
        self.work_s += time.process_time() - began
        self.sound_s += len(sound) / 32_000
        words = found[0].text.split() if found else []
        self.errors += count(said.split(), words)
        edits = [pair.edit for pair in align(said.split(), words) if pair.edit is not Edit.DELETED]
        marks = [(word.confidence or 0.0) < 0.5 for word in found[0].words] if found else []
        self.unsure += sum(marks)
        self.wrong += sum(edit is not Edit.RIGHT for edit in edits)
        self.unsure_wrong += sum(mark and edit is not Edit.RIGHT for mark, edit in zip(marks, edits, strict=True))

    def line(self, name: str) -> str:
        """Return the row of the table."""
        errors, delays = self.errors, sorted(self.delays)
        return (
            f"{name:<34} {100 * (errors.rate or 0):5.1f} % ({errors.substituted} s, {errors.deleted} d, {errors.inserted} i of "
            f"{errors.words})  right {errors.utterances - errors.wrong}/{errors.utterances}  delay p50 "
            f"{quantile(delays, 0.5):.2f} s, p99 {quantile(delays, 0.99):.2f} s  piece of 20 ms at most "
            f"{1000 * max(self.behind):.0f} ms  work {self.work_s / self.sound_s:.2f} of the sound  unsure words wrong "
            f"{self.unsure_wrong}/{self.unsure}, wrong words marked {self.unsure_wrong}/{self.wrong}"
        )


def main() -> int:
    """Print the table; 1 when an utterance took longer than the budget."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--domain", default="air_travel", help="a shipped domain that has a spoken rehearsal")
    domain = Path(scenarios.__file__).parent / options.parse_args().domain
    turns = [turn for scenario in shipped_script(domain).scenario for turn in scenario.turn]
    sounds = {turn.speech: speech(turn.speech, domain).tobytes() for turn in turns}
    said = {turn.speech: turn.said for turn in turns}
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        english = english_of(domain, open_database(domain, cache).url, "")
        began = time.perf_counter()
        alone = _engine(domain, english, cache, [])
        print(f"model made and loaded in {time.perf_counter() - began:.2f} s; {alone.version}")
        models = {
            "the domain alone": lambda _: alone,
            "and the other requests": lambda name: _engine(
                domain, english, cache, [said[each] for each in said if each != name]
            ),
            "and the very requests": lambda _: _engine(domain, english, cache, list(said.values())),
        }
        slowest = 0.0
        for title, engine in models.items():
            measured = Measured()
            for name, sound in sounds.items():
                measured.hear(engine(name), said[name], sound)
            print(measured.line(title))
            slowest = max(slowest, *measured.delays)
    print(f"slowest final words {slowest:.2f} s after the end of the sound; budget {BUDGET_S:g} s")
    return int(slowest > BUDGET_S)


def _engine(domain: Path, english: English | None, cache: Path, requests: list[str]) -> PocketsphinxRecogniser:
    return PocketsphinxRecogniser(prepare(sources_of(domain, english, (), requests), dictionary(), cache))


if __name__ == "__main__":
    sys.exit(main())
