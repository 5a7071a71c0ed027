"""`kill -9` of a withdrawal at any moment: the same call finishes it, nothing of the person is left, all else is as it would be.

A moment is before every change of a file or a folder, before the begin and the end of every transaction that writes, and before
a database is rewritten. All are tried with CURTAIN_CRASHES=every (CI does); without it a part of them, drawn by a seed.
"""

import hashlib
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

from tests.corpus import withdrawal_lab as world
from tests.corpus.searching import holding, of_sound, of_text
from tests.forking import CONTEXT, begin_fork_server
from tests.memory_disk import memory_disk

EVERY = os.environ.get("CURTAIN_CRASHES") == "every"
SAMPLE = {
    "a study": 6,
    "a corpus": 6,
    "a corpus, in two steps": 2,
    "the sound of a study": 2,
    "the sound of a corpus": 2,
}
_FILES = {"unlink", "rename", "fsync"}
_BUILT = {"unlink", "rmdir", "mkdir", "link", "chmod", "fsync"}
_ERASED = {"BEGIN", "COMMIT", "VACUUM", "PRAGMA"}
KINDS = {
    "a study": _FILES | _ERASED,
    "a corpus": _BUILT | _ERASED,
    "a corpus, in two steps": _BUILT | _ERASED | {"rename"},
    "the sound of a study": _FILES | {"BEGIN", "COMMIT"},
    "the sound of a corpus": _BUILT,
}
SHARES = 6 if EVERY else 1  # no test may take minutes
AT_ONCE = 2


class Lab:
    """The lab as it is built, and as it is when she has left in one way undisturbed."""

    def __init__(self, built: Path, name: str) -> None:
        self.built, self.name, self.case = built, name, world.CASES[name]
        self.place = Path(tempfile.mkdtemp(prefix=name.replace(" ", "-"), dir=built.parent))
        self.needles = {*of_sound(world.leaving()), *(() if self.case.sound else of_text(world.SAID))}
        self.names = set[bytes]() if self.case.sound else {*of_text(world.NAME), *of_text(world.LATER)}
        self.moments = self.killed(0, "whole")[1]
        self.after = self.tree(self.place / "whole")
        self.others = world.others(self.place / "whole/lab")

    def killed(self, deadly: int, name: str) -> tuple[int | None, list[str]]:
        """The end of a process that dies at this moment, and the moments that came."""
        folder = self.place / name
        shutil.copytree(self.built, folder / "lab", symlinks=True)
        for memory in (folder / "lab").rglob("*exports.log"):
            text = memory.read_text("utf-8")
            memory.write_text(text.replace(str(self.built), str(folder / "lab")), "utf-8")
        begin_fork_server()
        life = CONTEXT.Process(target=world.live, args=(folder / "lab", self.case, deadly, folder / "moments"))
        life.start()
        life.join()
        listed = folder / "moments"
        return life.exitcode, listed.read_text("utf-8").splitlines()[1:] if listed.is_file() else []

    def tree(self, folder: Path) -> dict[str, str]:
        """The hashes of all files but databases, notes of places, and lists that name what a first call has deleted."""
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted((folder / "lab").rglob("*"))
            if path.is_file() and not any(mark in path.name for mark in (".sqlite", "exports.log", "removals.json"))
        }

    def left(self, lab: Path) -> list[str]:
        """Where something of her is that had to go."""
        places = [path for path in sorted(lab.iterdir()) if path.name not in self.case.stays]
        found = [f"{path} holds {needle[:20]!r}" for path, needle in sorted(holding(places, self.needles))]
        if not self.names:
            return found
        world.export_over(lab / self.case.target, lab / "new")
        found += [f"{path} holds {needle[:20]!r}" for path, needle in holding([lab / "new"], self.names | self.needles)]
        shutil.rmtree(lab / "new")
        return found

    def wrong(self, deadly: int) -> str:
        """What is wrong after a kill at this moment and a second call; empty when nothing is."""
        folder = self.place / str(deadly)
        code, _ = self.killed(deadly, str(deadly))
        status, output = world.withdraw(folder / "lab", self.case)
        found = [] if code in (-signal.SIGKILL, 255) else [f"it ended with {code}"]
        found += [] if status == 1 else [f"status {status}: {output}"]  # copies are named
        found += self.left(folder / "lab")
        after = self.tree(folder)
        found += [f"{name} differs" for name in {*after, *self.after} if after.get(name) != self.after.get(name)]
        found += world.chains(folder / "lab")
        found += [] if world.others(folder / "lab") == self.others else ["the databases hold something else of others"]
        shutil.rmtree(folder)
        return f"{self.moments[deadly - 1]}: {'; '.join(found)}" if found else ""


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="curtain-leaving-", dir=memory_disk()))
    get_temp_dir()  # the fork server's own, which outlives this fixture
    before, tempfile.tempdir = tempfile.tempdir, str(place)  # checks of other tests come and go elsewhere
    yield world.build(place / "lab")
    tempfile.tempdir = before
    shutil.rmtree(place)


@pytest.fixture(scope="module", params=world.CASES)
def lab(built: Path, request: pytest.FixtureRequest) -> Lab:
    return Lab(built, request.param)


def test_undisturbed_nothing_of_her_is_left_in_any_writing(lab: Lab) -> None:
    there = {needle for _, needle in holding([lab.built / "whole", lab.built / "kaldi"], lab.needles | lab.names)}
    assert there & {*of_sound(world.leaving())}, "the search must be able to find"
    assert there >= (set() if lab.case.sound else {world.SAID.lower().encode(), world.LATER.encode()})
    assert lab.left(lab.place / "whole/lab") == []
    assert world.chains(lab.place / "whole/lab") == []
    kinds = {moment.split()[0] for moment in lab.moments}
    assert kinds >= KINDS[lab.name]


@pytest.mark.parametrize("share", range(SHARES))
def test_a_kill_at_any_enumerated_moment_is_finished_by_the_same_call(lab: Lab, share: int) -> None:
    numbers = list(range(1 + share, len(lab.moments) + 1, SHARES))
    if not EVERY:
        numbers = sorted(random.Random(1992).sample(numbers, SAMPLE[lab.name]))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        wrong = [fault for fault in pool.map(lab.wrong, numbers) if fault]
    assert not wrong, f"{len(wrong)} of {len(numbers)}:\n" + "\n".join(wrong)
    print(f"{lab.name}: killed at {len(numbers)} of {len(lab.moments)} moments")
