"""`kill -9` of a withdrawal at any moment: the same call finishes it, nothing of the person is left, all else is as it would be.

A moment is before every change of a file or a folder, before the begin and the end of every transaction that writes, and before
a database is rewritten. All are tried with CURTAIN_CRASHES=every (CI does); without it a part of them, drawn by a seed.
"""

import hashlib
import multiprocessing
import os
import random
import shutil
import signal
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.util import get_temp_dir
from pathlib import Path

import pytest

from tests.corpus import leaving_world as world
from tests.corpus.searching import holding, of_sound, of_text

EVERY = os.environ.get("CURTAIN_CRASHES") == "every"
SAMPLE = 10
AT_ONCE = 2
CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["__main__", "tests.corpus.leaving_world"])


class Lab:
    """The lab as it is built, and as it is when she has left undisturbed."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.built = world.build(place / "lab")
        script = world.leaving()
        self.needles = {*of_text(world.SAID), *of_sound(script)}
        self.names = {*of_text(world.NAME)}
        self.moments = self.killed(0, "whole")[1]
        self.after = self.tree(place / "whole")
        self.others = world.others(place / "whole/lab")

    def killed(self, deadly: int, name: str) -> tuple[int | None, list[str]]:
        """The end of a process that dies at this moment, and the moments that came."""
        folder = self.place / name
        shutil.copytree(self.built, folder / "lab", symlinks=True)
        for memory in (folder / "lab").rglob("*exports.json"):
            text = memory.read_text("utf-8")
            memory.write_text(text.replace(str(self.built), str(folder / "lab")), "utf-8")
        life = CONTEXT.Process(target=world.live, args=(folder / "lab", deadly, folder / "moments"))
        life.start()
        life.join()
        listed = folder / "moments"
        return life.exitcode, listed.read_text("utf-8").splitlines()[1:] if listed.is_file() else []

    def tree(self, folder: Path) -> dict[str, str]:
        """The hashes of all files but databases, notes of places, and lists that name what a first call has deleted."""
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((folder / "lab").rglob("*"))
            if path.is_file() and not any(each in path.name for each in (".sqlite", "exports.json", "removals.json"))
        }

    def wrong(self, deadly: int) -> str:
        """What is wrong after a kill at this moment and a second call; empty when nothing is."""
        folder = self.place / str(deadly)
        code, _ = self.killed(deadly, str(deadly))
        status, told = world.withdraw(folder / "lab")
        found = [] if code in (-signal.SIGKILL, 255) else [f"it ended with {code}"]
        found += [] if status == 0 else [f"status {status}: {told}"]
        found += [f"{path} holds {needle[:20]!r}" for path, needle in sorted(holding([folder], self.needles))]
        masked = holding([folder / "lab/whole", folder / "lab/trn"], self.names)
        found += [f"the name is in {path}" for path, _ in sorted(masked)]
        after = self.tree(folder)
        found += [f"{name} differs" for name in {*after, *self.after} if after.get(name) != self.after.get(name)]
        found += world.chains(folder / "lab")
        found += [] if world.others(folder / "lab") == self.others else ["the databases hold something else of others"]
        shutil.rmtree(folder)
        return f"{self.moments[deadly - 1]}: {'; '.join(found)}" if found else ""


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    memory = Path("/dev/shm")
    place = Path(tempfile.mkdtemp(prefix="curtain-leaving-", dir=memory if os.access(memory, os.W_OK) else None))
    get_temp_dir()  # the fork server's own, which outlives this fixture
    before, tempfile.tempdir = tempfile.tempdir, str(place)  # checks of other tests come and go elsewhere
    yield Lab(place)
    tempfile.tempdir = before
    shutil.rmtree(place)


def test_undisturbed_nothing_of_her_is_left_in_any_writing(lab: Lab) -> None:
    assert {needle for _, needle in holding([lab.built], lab.needles)} >= {
        world.SAID.encode(),
        world.SAID.lower().encode(),
    }
    assert holding([lab.place / "whole"], lab.needles) == set()
    assert holding([lab.place / "whole/lab/whole"], lab.names) == set()
    assert world.chains(lab.place / "whole/lab") == []
    kinds = {moment.split()[0] for moment in lab.moments}
    assert kinds >= {"unlink", "rmdir", "rename", "fsync", "BEGIN", "COMMIT", "VACUUM", "PRAGMA"}


def test_a_kill_at_any_enumerated_moment_is_finished_by_the_same_call(lab: Lab) -> None:
    numbers = list(range(1, len(lab.moments) + 1))
    if not EVERY:
        numbers = sorted(random.Random(1992).sample(numbers, SAMPLE))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        wrong = [each for each in pool.map(lab.wrong, numbers) if each]
    assert not wrong, f"{len(wrong)} of {len(numbers)}:\n" + "\n".join(wrong)
    print(f"killed at {len(numbers)} of {len(lab.moments)} moments")
