"""`kill -9` of either desk, of the hub, or of all at once, at any moment: the session resumes and the corpus is the same.

A kill while the subject speaks is the one that changes something: what was not heard cannot come back. Then every sample that
had reached the disk must be in the corpus, the take marked as recovered, and everything else as it would have been.
Every moment that is enumerated is tried with CURTAIN_CRASHES=every (CI does); without it a part of them, drawn by a seed.
"""

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from session.state.fold import SessionState
from tests.memory_disk import memory_disk
from tests.together import world
from tests.together.cast import APART, TOGETHER, Cast, substance

EVERY = os.environ.get("CURTAIN_CRASHES") == "every"
SAMPLE = {world.WHOLE: 8, world.HUB: 4, world.SUBJECT: 4, world.WIZARD: 2}
AT_RANDOM = 50 if EVERY else 4
AT_ONCE = 2


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """Where a kill leaves what was written, and no disk is waited for: in memory, if the machine has such a place."""
    folder = Path(tempfile.mkdtemp(prefix="curtain-crash-", dir=memory_disk()))
    yield folder
    shutil.rmtree(folder)


class Unkilled:
    """How the play goes when nobody dies."""

    def __init__(self, place: Path) -> None:
        self._place = place
        together, apart = (Cast(self.folder(), parts).perform() for parts in (TOGETHER, APART))
        self.corpus = together.corpus()
        self.state: SessionState = together.state()
        self.moments = {
            part: cast.moments(part) for cast, parts in ((together, TOGETHER), (apart, APART)) for part in parts
        }
        assert apart.corpus() == self.corpus
        assert Cast(self.folder(), TOGETHER).perform().corpus() == self.corpus

    def folder(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self._place))


@pytest.fixture(scope="module")
def unkilled(place: Path) -> Unkilled:
    return Unkilled(place)


def differences(cast: Cast, unkilled: Unkilled) -> list[str]:
    """What a killed play has other than the unkilled one, in words; empty when nothing was lost."""
    corpus = cast.corpus()
    if not cast.interrupted:
        same = set(corpus) == set(unkilled.corpus)
        return (
            [f"{name} differs" for name in corpus if same and corpus[name] != unkilled.corpus[name]]
            if same
            else ["other files"]
        )
    return _differences_but_for_speech(cast, corpus, unkilled)


def _differences_but_for_speech(cast: Cast, corpus: dict[str, bytes], unkilled: Unkilled) -> list[str]:
    state, found = cast.state(), []
    for take, pcm in cast.interrupted.items():
        known = state.takes.get(take)
        if known is None or not known.complete:
            found.append(f"take {take} never ended")
        elif not pcm:
            found += [] if known.discarded and known.number is None else [f"take {take} without a sample counts"]
        elif not known.recovered or cast.pcm(take) != pcm:
            found.append(f"take {take}: {len(pcm)} bytes were on the disk, the hub holds {len(cast.pcm(take))}")
        elif known.number is not None and not corpus[f"spon/b01/1/b010{known.number}1ss.wav"].endswith(pcm):
            found.append(f"take {take} is not in the corpus as it was")
    if substance(state) != substance(unkilled.state):
        found.append(f"other substance: {substance(state)}")
    drafts = [name for name in unkilled.corpus if name.endswith((".sro", ".lsn", ".ref", ".com", "spkrinfo.log"))]
    found += [f"{name} differs" for name in drafts if corpus.get(name) != unkilled.corpus[name]]
    return found + (["other files"] if set(corpus) != set(unkilled.corpus) else [])


def died(unkilled: Unkilled, parts: tuple[str, ...], deaths: dict[str, list[int]]) -> tuple[int, int, str]:
    """How many kills there were, how many of them in the middle of speech, and what came out other than it should."""
    folder = unkilled.folder()
    cast = Cast(folder, parts, deaths).perform()
    found = differences(cast, unkilled)
    shutil.rmtree(folder)
    return cast.killed, len(cast.interrupted), f"{deaths}: {'; '.join(found)}" if found else ""


@pytest.mark.parametrize("part", [world.WHOLE, *APART])
def test_a_kill_at_any_enumerated_moment_loses_nothing(unkilled: Unkilled, part: str) -> None:
    moments = unkilled.moments[part]
    numbers = list(range(1, len(moments) + 1))
    if not EVERY:
        numbers = numbers[: len(numbers) * 4 // 5]  # a play has a few moments more or less: the last ones may not come
        numbers = sorted(random.Random(1992).sample(numbers, min(SAMPLE[part], len(numbers))))
    parts = TOGETHER if part == world.WHOLE else APART
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda number: died(unkilled, parts, {part: [number]}), numbers))
    wrong = [f"{moments[number - 1]}: {found}" for number, (_, _, found) in zip(numbers, done, strict=True) if found]
    assert not wrong, "\n".join(wrong)
    killed = sum(kills for kills, _, _ in done)
    assert killed >= 0.9 * len(numbers) - 1, "too few of the moments came at all"
    print(
        f"{part}: {killed} kills at {len(numbers)} of {len(moments)} moments, {sum(cut for _, cut, _ in done)} in speech"
    )


def test_kills_at_random_one_after_the_other_lose_nothing(unkilled: Unkilled) -> None:
    def chain(seed: int) -> tuple[int, int, str]:
        draw = random.Random(seed)
        parts = TOGETHER if seed % 2 else APART
        deaths = {
            part: [draw.randint(1, len(unkilled.moments[part])) for _ in range(draw.randint(1, 3))] for part in parts
        }
        return died(unkilled, parts, deaths)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(chain, range(AT_RANDOM)))
    wrong = [found for _, _, found in done if found]
    assert not wrong, "\n".join(wrong)
    assert sum(kills for kills, _, _ in done) > AT_RANDOM
