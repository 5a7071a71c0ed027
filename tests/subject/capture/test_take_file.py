import hashlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from session.values.clock import Stamp
from subject.capture import take_file
from subject.capture.take_file import (
    ChannelEnd,
    SealedTake,
    TakeFile,
    TakeHeader,
    UnreadableFile,
    recover,
    stem,
    write_once,
)
from tests import ROOT
from tests.subject.bench import sidecar
from tests.subject.crash_writer import content

HEADER = TakeHeader("T1", "s", 16_000, "a microphone", Stamp("desk", 5, 6), 7, 8, 9)
SOUND = bytes(range(200)) * 10


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def written(directory: Path, header: TakeHeader = HEADER) -> TakeFile:
    file = TakeFile(directory, header)
    file.hold(SOUND)
    file.flush()
    return file


def test_the_sidecar_is_there_before_the_first_sample(tmp_path: Path) -> None:
    file = written(tmp_path)
    assert names(tmp_path) == ["T1.s.json.part", "T1.s.pcm.part"]
    assert (tmp_path / "T1.s.pcm.part").read_bytes() == SOUND
    assert file.written == 1000
    file.close()


def test_a_sealed_take_is_samples_and_a_sidecar_with_count_and_hash(tmp_path: Path) -> None:
    sealed = written(tmp_path).seal(ChannelEnd(overflows=2, tail=3))
    assert names(tmp_path) == ["T1.s.json", "T1.s.pcm"]
    assert sidecar(tmp_path / "T1.s.json") == sealed
    assert sealed == SealedTake(HEADER, 1000, hashlib.sha256(SOUND).hexdigest(), ChannelEnd(overflows=2, tail=3))


def test_a_channel_without_a_sample_leaves_no_file(tmp_path: Path) -> None:
    assert TakeFile(tmp_path, HEADER).seal(ChannelEnd()).samples == 0
    assert names(tmp_path) == []


def test_a_take_is_never_written_over_another(tmp_path: Path) -> None:
    written(tmp_path).seal(ChannelEnd())
    again = TakeFile(tmp_path, HEADER)
    again.hold(b"otherwise")
    with pytest.raises(FileExistsError, match="not replaced"):
        again.flush()
    (tmp_path / "T1.s.pcm.part").write_bytes(b"strange!")
    [found] = recover(tmp_path)
    assert isinstance(found, UnreadableFile)
    assert (tmp_path / "T1.s.pcm").read_bytes() == SOUND
    with pytest.raises(FileExistsError):
        write_once(tmp_path / "T1.s.json", b"{}")


@pytest.mark.parametrize(("take", "letter"), [("../x", "s"), ("", "s"), ("a.b", "s"), ("T1", "S"), ("x" * 65, "s")])
def test_an_id_that_is_no_file_name_is_refused(take: str, letter: str) -> None:
    with pytest.raises(ValueError, match="an id has"):
        stem(take, letter)


def test_recovery_seals_what_was_left_and_says_so(tmp_path: Path) -> None:
    written(tmp_path).close()
    [sealed] = recover(tmp_path)
    assert sealed == SealedTake(HEADER, 1000, hashlib.sha256(SOUND).hexdigest(), recovered=True)
    assert names(tmp_path) == ["T1.s.json", "T1.s.pcm"]
    assert list(recover(tmp_path)) == []


def test_half_a_sample_is_cut_off_and_counted(tmp_path: Path) -> None:
    file = TakeFile(tmp_path, HEADER)
    file.hold(SOUND + b"\x01")
    file.flush()
    file.close()
    [sealed] = recover(tmp_path)
    assert isinstance(sealed, SealedTake)
    assert (sealed.samples, sealed.torn) == (1000, 1)
    assert (tmp_path / "T1.s.pcm").read_bytes() == SOUND


@pytest.mark.parametrize("step", ["write_once", "rename", "unlink"])
def test_a_crash_at_any_step_of_sealing_is_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    class Killed(BaseException):
        pass

    def kill(*_arguments: object, **_options: Any) -> None:
        raise Killed

    file = written(tmp_path)
    with monkeypatch.context() as patch:
        if step == "write_once":
            patch.setattr(take_file, "write_once", kill)
        else:
            patch.setattr(Path, "rename" if step == "rename" else "unlink", kill)
        with pytest.raises(Killed):
            file.seal(ChannelEnd(tail=3))
    file.close()
    found = list(recover(tmp_path))
    assert names(tmp_path) == ["T1.s.json", "T1.s.pcm"]
    assert (tmp_path / "T1.s.pcm").read_bytes() == SOUND
    assert sidecar(tmp_path / "T1.s.json").samples == 1000
    assert len(found) == (0 if step == "unlink" and not found else 1)


def test_a_crash_between_sidecar_and_first_sample_is_a_take_of_no_samples(tmp_path: Path) -> None:
    written(tmp_path).close()
    (tmp_path / "T1.s.pcm.part").unlink()
    [sealed] = recover(tmp_path)
    assert isinstance(sealed, SealedTake)
    assert (sealed.samples, sealed.recovered) == (0, True)


def test_what_cannot_be_understood_is_left_alone_and_named(tmp_path: Path) -> None:
    written(tmp_path).close()
    (tmp_path / "T1.s.json.part").write_text("{")
    (tmp_path / "T2.s.pcm.part").write_bytes(SOUND)
    before = names(tmp_path)
    found = list(recover(tmp_path))
    assert [type(item) for item in found] == [UnreadableFile, UnreadableFile]
    assert all("left as it is" in item.problem for item in found if isinstance(item, UnreadableFile))
    assert names(tmp_path) == before


def test_a_sidecar_that_contradicts_its_samples_is_not_believed(tmp_path: Path) -> None:
    written(tmp_path).seal(ChannelEnd())
    (tmp_path / "T1.s.pcm").rename(tmp_path / "T1.s.pcm.part")
    (tmp_path / "T1.s.pcm.part").write_bytes(SOUND[:-2])
    [found] = recover(tmp_path)
    assert isinstance(found, UnreadableFile)
    assert "another count or hash" in found.problem


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_writer_loses_nothing_that_it_said_was_written(tmp_path: Path, seed: int) -> None:
    wanted = random.Random(seed).randrange(1, 120)
    command = [sys.executable, "-m", "tests.subject.crash_writer", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline().decode() for _ in range(wanted)]
        os.kill(writer.pid, signal.SIGKILL)
        said += [line.decode() for line in writer.stdout if line.endswith(b"\n")]
    assert all(isinstance(item, SealedTake) for item in recover(tmp_path))
    held = {path.name: path.read_bytes() for path in tmp_path.glob("*.pcm")}
    for line in said:
        take, what = line.split()
        data = held[f"T{int(take):05d}.s.pcm"]
        assert data == content(int(take), 0, len(data) // 2)
        assert what == "sealed" or len(data) // 2 >= int(what)
        recorded = sidecar(tmp_path / f"T{int(take):05d}.s.json")
        assert (recorded.samples, recorded.sha256) == (len(data) // 2, hashlib.sha256(data).hexdigest())
    assert list(tmp_path.glob("*.part")) == []
