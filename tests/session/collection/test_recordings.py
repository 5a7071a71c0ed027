"""Takes arrive in any order, twice or never, hubs die at any moment, disks fill up: no sample is lost or invented."""

import errno
import hashlib
import os
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session.collection import recordings as module
from session.collection.recordings import Recordings

SESSION, TAKE = "bbn-20261121-1", "01KAJ9ZZZZZZZZZZZZZZZZZZZZ"
PCM = random.Random(1).randbytes(2000)
SAMPLES = len(PCM) // 2
SHA = hashlib.sha256(PCM).hexdigest()


@pytest.fixture
def takes(tmp_path: Path) -> Iterator[Recordings]:
    made = Recordings(tmp_path)
    yield made
    made.close()


def put(takes: Recordings, first: int, count: int) -> None:
    takes.write(SESSION, TAKE, "s", first, PCM[2 * first : 2 * (first + count)])


def missing(takes: Recordings) -> list[tuple[int, int]]:
    return takes.missing(SESSION, TAKE, "s", SAMPLES)


def seal(takes: Recordings, sha256: str = SHA) -> bool:
    return takes.seal(SESSION, TAKE, "s", SAMPLES, sha256)


def test_a_take_that_comes_in_order_is_sealed_and_read_back(takes: Recordings, tmp_path: Path) -> None:
    for first in range(0, SAMPLES, 100):
        assert missing(takes) == [(first, SAMPLES - first)]
        put(takes, first, 100)
    assert missing(takes) == []
    assert sorted(path.name for path in (tmp_path / SESSION).iterdir()) == [f"{TAKE}.s.pcm.part"]
    with pytest.raises(FileNotFoundError, match="not complete"):
        takes.pcm(SESSION, TAKE, "s")
    assert seal(takes)
    assert takes.pcm(SESSION, TAKE, "s") == PCM
    sealed = tmp_path / SESSION / f"{TAKE}.s.pcm"
    assert takes.takes(SESSION) == [(TAKE, "s")]
    assert (sealed.stat().st_mode & 0o077) == 0


def test_what_lacks_is_named_exactly(takes: Recordings) -> None:
    put(takes, 100, 100)
    put(takes, 300, 50)
    assert missing(takes) == [(0, 100), (200, 100), (350, 650)]
    put(takes, 50, 200)
    assert missing(takes) == [(0, 50), (250, 50), (350, 650)]
    assert takes.missing(SESSION, TAKE, "s", 260) == [(0, 50), (250, 10)]
    assert not seal(takes)


def test_nothing_lacks_of_a_take_without_samples(takes: Recordings) -> None:
    assert takes.missing(SESSION, TAKE, "s", 0) == []
    assert takes.seal(SESSION, TAKE, "s", 0, hashlib.sha256(b"").hexdigest())
    assert takes.pcm(SESSION, TAKE, "s") == b""


@given(
    steps=st.lists(st.tuples(st.integers(0, SAMPLES - 1), st.integers(1, 300), st.booleans()), max_size=15),
)
def test_after_any_pieces_and_any_restarts_only_what_is_there_counts(steps: list[tuple[int, int, bool]]) -> None:
    with TemporaryDirectory() as folder:
        takes = Recordings(Path(folder))
        had = set[int]()
        for first, count, restart in steps:
            put(takes, first, count)
            had |= set(range(first, min(first + count, SAMPLES)))
            if restart:
                takes.close()
                takes = Recordings(Path(folder))
            lacking = {number for start, length in missing(takes) for number in range(start, start + length)}
            assert lacking == set(range(SAMPLES)) - had
        for first, count in missing(takes):
            put(takes, first, count)
        assert seal(takes)
        assert takes.pcm(SESSION, TAKE, "s") == PCM
        takes.close()


@given(cut=st.integers(0, 60), steps=st.lists(st.tuples(st.integers(0, SAMPLES - 1), st.integers(1, 99)), max_size=6))
def test_a_journal_that_was_cut_off_by_a_crash_claims_nothing_that_is_not_there(
    cut: int, steps: list[tuple[int, int]]
) -> None:
    """Cut within the last record: what a kill between the two writes can leave."""
    with TemporaryDirectory() as folder:
        takes = Recordings(Path(folder))
        for first, count in steps:
            put(takes, first, count)
        put(takes, 100, 200)
        takes.close()
        journal = Path(folder) / SESSION / f"{TAKE}.s.holes"
        if journal.exists():
            kept, _, last = journal.read_bytes().rstrip(b"\n").rpartition(b"\n")
            if last.startswith(b"+"):
                journal.write_bytes(kept + b"\n" + last[:cut])
        takes = Recordings(Path(folder))
        lacking = {number for start, length in missing(takes) for number in range(start, start + length)}
        stored = takes.read(SESSION, TAKE, "s")
        for number in set(range(SAMPLES)) - lacking:
            assert stored[2 * number : 2 * number + 2] == PCM[2 * number : 2 * number + 2]
        for first, count in missing(takes):
            put(takes, first, count)
        assert seal(takes)
        takes.close()


def test_half_a_sample_that_a_crash_left_does_not_count(takes: Recordings, tmp_path: Path) -> None:
    (tmp_path / SESSION).mkdir()
    (tmp_path / SESSION / f"{TAKE}.s.pcm.part").write_bytes(PCM[:501])
    assert missing(takes) == [(250, SAMPLES - 250)]


def noted(folder: Path) -> list[str]:
    """What seals have failed, a line each, for whoever looks into the folder."""
    return (folder / SESSION / f"{TAKE}.s.mismatch").read_text(encoding="ascii").splitlines()


def test_a_wrong_hash_is_noted_put_aside_and_everything_is_missing_again(takes: Recordings, tmp_path: Path) -> None:
    put(takes, 0, SAMPLES)
    assert not seal(takes, "ab" * 32)
    assert missing(takes) == [(0, SAMPLES)]
    assert noted(tmp_path) == [f"{SAMPLES} samples hash to {SHA}; announced was {'ab' * 32}"]
    assert (tmp_path / SESSION / f"{TAKE}.s.pcm.aside1").read_bytes() == PCM
    put(takes, 0, SAMPLES)
    assert seal(takes)
    assert takes.takes(SESSION) == [(TAKE, "s")]


def test_only_the_first_bad_copy_is_kept_lest_the_disk_fill_up(takes: Recordings, tmp_path: Path) -> None:
    for _ in range(3):
        put(takes, 0, SAMPLES)
        assert not seal(takes, "ab" * 32)
    assert len(list((tmp_path / SESSION).glob("*.aside*"))) == 1
    assert len(noted(tmp_path)) == 3


def test_sealing_again_agrees_and_later_pieces_do_not_touch_a_sealed_take(takes: Recordings, tmp_path: Path) -> None:
    put(takes, 0, SAMPLES)
    assert seal(takes)
    takes.write(SESSION, TAKE, "s", 0, bytes(4000))
    assert missing(takes) == []
    assert seal(takes)
    again = Recordings(tmp_path)
    again.write(SESSION, TAKE, "s", 0, bytes(4000))
    assert seal(again)
    assert again.pcm(SESSION, TAKE, "s") == PCM
    again.close()


def test_a_sealed_take_that_is_announced_otherwise_is_kept_beside_the_new_one(
    takes: Recordings, tmp_path: Path
) -> None:
    put(takes, 0, SAMPLES)
    assert seal(takes)
    other = PCM[:1000]
    assert not takes.seal(SESSION, TAKE, "s", 500, hashlib.sha256(other).hexdigest())
    assert takes.missing(SESSION, TAKE, "s", 500) == [(0, 500)]
    takes.write(SESSION, TAKE, "s", 0, other)
    assert takes.seal(SESSION, TAKE, "s", 500, hashlib.sha256(other).hexdigest())
    assert takes.pcm(SESSION, TAKE, "s") == other
    assert (tmp_path / SESSION / f"{TAKE}.s.pcm.aside1").read_bytes() == PCM


def test_samples_beyond_the_announced_count_are_cut_off(takes: Recordings) -> None:
    put(takes, 0, SAMPLES)
    assert takes.seal(SESSION, TAKE, "s", 400, hashlib.sha256(PCM[:800]).hexdigest())
    assert takes.pcm(SESSION, TAKE, "s") == PCM[:800]


def test_channels_and_takes_keep_apart(takes: Recordings) -> None:
    put(takes, 0, SAMPLES)
    takes.write(SESSION, TAKE, "c", 0, PCM[:20])
    takes.write(SESSION, "OTHER", "s", 0, PCM[:10])
    assert seal(takes)
    assert takes.missing(SESSION, TAKE, "c", 20) == [(10, 10)]
    assert takes.missing(SESSION, "OTHER", "s", 20) == [(5, 15)]


def test_a_take_can_be_heard_before_it_is_complete(takes: Recordings) -> None:
    put(takes, 0, 10)
    put(takes, 20, 10)
    assert takes.read(SESSION, TAKE, "s") == PCM[:20] + bytes(20) + PCM[40:60]
    assert takes.read(SESSION, TAKE, "s", 5, 2) == PCM[10:14]
    assert takes.read(SESSION, "NONE", "s") == b""


@pytest.mark.parametrize(
    ("session", "take", "letter"),
    [
        ("../x", TAKE, "s"),
        (SESSION, "../../x", "s"),
        (SESSION, "a/b", "s"),
        (SESSION, "", "s"),
        (SESSION, TAKE, "/"),
        (SESSION, TAKE, "ss"),
        (SESSION, "a\0b", "s"),
        ("/etc", TAKE, "s"),
        (SESSION, TAKE + "\n", "s"),
    ],
)
def test_no_name_leads_out_of_the_folder(
    takes: Recordings, tmp_path: Path, session: str, take: str, letter: str
) -> None:
    with pytest.raises(ValueError, match="is no"):
        takes.write(session, take, letter, 0, b"ab")
    with pytest.raises(ValueError, match="is no"):
        takes.pcm(session, take, letter)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("first", "pcm"), [(-1, b"ab"), (0, b"abc")])
def test_half_samples_and_negative_places_are_refused(takes: Recordings, first: int, pcm: bytes) -> None:
    with pytest.raises(ValueError, match="no whole samples"):
        takes.write(SESSION, TAKE, "s", first, pcm)


def test_a_full_disk_is_an_oserror_and_nothing_that_was_confirmed_is_lost(
    takes: Recordings, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, room = os.pwrite, 333

    def full(file: int, data: bytes, offset: int) -> int:
        written = real(file, data[: max(0, room - offset)], offset) if offset < room else 0
        if not written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return written

    with monkeypatch.context() as patch:
        patch.setattr("session.collection.recordings.os.pwrite", full)
        put(takes, 0, 100)
        with pytest.raises(OSError, match="No space left") as raised:
            put(takes, 100, 900)
        assert raised.value.strerror == "No space left on device"
        assert missing(takes) == [(166, SAMPLES - 166)]
    for first, count in missing(takes):
        put(takes, first, count)
    assert seal(takes)
    assert takes.pcm(SESSION, TAKE, "s") == PCM


def test_when_the_disk_fails_to_keep_a_take_it_is_not_sealed_and_asked_for_again(
    takes: Recordings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(file: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    put(takes, 0, SAMPLES)
    with monkeypatch.context() as patch:
        patch.setattr("session.collection.recordings.os.fsync", failing)
        with pytest.raises(OSError, match="Input/output error"):
            seal(takes)
    assert takes.takes(SESSION) == []
    assert missing(takes) == [(0, SAMPLES)]
    put(takes, 0, SAMPLES)
    assert seal(takes)


def test_few_files_stay_open_however_many_takes_there_are(takes: Recordings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OPEN_FILES", 3)
    for round_ in range(2):
        for number in range(10):
            takes.write(SESSION, f"T{number}", "s", round_ * 5, PCM[round_ * 10 : round_ * 10 + 10])
    assert sum(part._file is not None for part in takes._parts.values()) == 3
    for number in range(10):
        assert takes.seal(SESSION, f"T{number}", "s", 10, hashlib.sha256(PCM[:20]).hexdigest())
