"""Work that was killed, interrupted or stopped by a full disk goes on where it was, and the same bytes come out."""

import io
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.dataset.reader import Corpus, listed
from corpus.export.madcow import export
from corpus.export.study_source import StudySource
from corpus.io.staging import Refused, partial_of, staged
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from corpus.release.exports_log import record
from corpus.release.utterance_status import RELEASE
from session import events as e
from session.values.clock import ManualClock
from tests import ROOT
from tests.corpus.interruptions import TAKES, Counting, bytes_of, interrupted, scripts
from tests.corpus.sessions import MemorySource, whole_session
from tests.corpus.studies import fill, made_study


class FullDisk(Counting):
    def stop(self) -> None:
        raise OSError(28, "No space left on device")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("whole") / "corpus"
    export(MemorySource(*scripts()), target)
    return target


def test_an_export_that_was_killed_goes_on_and_gives_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    play = (
        "from pathlib import Path; from corpus.export.madcow import export; "
        "from tests.corpus.test_resuming import Counting, scripts; "
        f"export(Counting(*scripts(), at={TAKES + 3}), Path({str(target)!r}))"
    )
    killed = subprocess.run([sys.executable, "-c", play], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not target.exists()
    assert any(partial_of(target).rglob("*.wav"))
    again = Counting(*scripts())
    done = export(again, target)
    assert "bbn-20261120-1" not in again.asked
    assert set(again.asked) == {"bbn-20261121-1", "bbn-20261122-1"}
    assert bytes_of(target) == bytes_of(whole)
    assert done.sessions == 3
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_full_disk_leaves_what_was_written_for_the_next_attempt(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        export(FullDisk(*scripts(), at=2 * TAKES + 1), tmp_path / "corpus")
    again = Counting(*scripts())
    export(again, tmp_path / "corpus")
    assert set(again.asked) == {"bbn-20261122-1"}
    assert bytes_of(tmp_path / "corpus") == bytes_of(whole)


def test_what_was_altered_since_is_made_again(whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    interrupted(target)
    partial = partial_of(target)
    (partial / "files/spon/8k1/1/8k1011ss.wav").write_bytes(b"NIST_1A\n")
    (partial / "files/spon/8k1/1/8k1999sx.sro").write_bytes(b"of somebody else\n")
    with (partial / "done.jsonl").open("ab") as record:
        record.write(b'\n{"key": "cut o')
    export(MemorySource(*scripts()), target)
    assert bytes_of(target) == bytes_of(whole)


def test_somebody_who_has_withdrawn_meanwhile_is_not_in_the_corpus(tmp_path: Path) -> None:
    target = tmp_path / "corpus"
    interrupted(target)
    assert any(partial_of(target).rglob("8k1*.wav"))
    changed = scripts()
    opened = changed[0].facts[0]
    withdrawn = e.SpeakerWithdrawn(speaker="8k1", erased=3)
    changed[0].facts.append(msgspec.structs.replace(opened, seq=len(changed[0].facts) + 1, event=withdrawn))
    done = export(MemorySource(*changed), target)
    assert done.sessions == 2
    assert not [path for path in bytes_of(target) if "8k1" in path]
    assert not any(path.name.startswith("8k1") for path in tmp_path.rglob("*"))


def test_two_at_once_do_not_write_the_same_corpus(tmp_path: Path) -> None:
    with staged(tmp_path / "corpus") as staging:
        staging.write("a", b"1")
        with pytest.raises(Refused, match="is being written by another process"), staged(tmp_path / "corpus"):
            pass
    assert (tmp_path / "corpus/a").read_bytes() == b"1"


def test_a_partial_directory_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    partial_of(tmp_path / "corpus").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"), staged(tmp_path / "corpus"):
        pass
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("form", ["bagit", "kaldi"])
def test_a_package_goes_on_too(whole: Path, tmp_path: Path, form: ExportFormat) -> None:
    def stop(files: int) -> None:
        if files == 9:
            raise KeyboardInterrupt

    corpus = Corpus(whole)
    with pytest.raises(KeyboardInterrupt):
        write_package(contents_of(corpus), tmp_path / "package", form, stop)
    written = {path: path.stat().st_ino for path in partial_of(tmp_path / "package").rglob("*") if path.is_file()}
    write_package(contents_of(corpus), tmp_path / "package", form)
    write_package(contents_of(corpus), tmp_path / "other", form)
    assert bytes_of(tmp_path / "package") == bytes_of(tmp_path / "other")
    inodes = {path.stat().st_ino for path in (tmp_path / "package").rglob("*") if path.is_file()}
    assert len(inodes & set(written.values())) == 9


def test_a_part_of_a_corpus_goes_on_too(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def stopping(root: Path, path: str, sha256: str) -> bytes:
        asked.append(path)
        if path.endswith("8k3021ss.wav"):
            raise KeyboardInterrupt
        return listed(root, path, sha256)

    err = io.StringIO()
    call = (
        str(whole),
        HoldoutOptions("7", str(tmp_path / "holdout.json"), str(tmp_path / RELEASE)),
        io.StringIO(),
        err,
    )
    monkeypatch.setattr("corpus.dataset.subset.listed", stopping)
    assert holdout_command(*call) == 130
    kept = partial_of(tmp_path / RELEASE)
    assert err.getvalue() == f"interrupted; partial output is kept in {kept}; run the same command to continue\n"
    before = [path for path in asked if path.endswith(".wav")]
    monkeypatch.setattr("corpus.dataset.subset.listed", lambda *file: asked.append(file[1]) or listed(*file))
    asked.clear()
    assert holdout_command(*call) == 0
    assert not set(asked) & set(before[:-1])
    assert any(path.endswith(".wav") for path in asked)


@pytest.mark.parametrize("form", ["sphere", "kaldi"])
def test_who_withdraws_is_in_no_interrupted_export_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: ExportFormat
) -> None:
    study = made_study(tmp_path / "study")
    for speaker, session in (("8k8", "bbn-20261121-1"), ("8k9", "bbn-20261122-1")):
        fill(study, whole_session(session, speaker))
    asked = StudySource.pcm

    def stopping(source: StudySource, session: str, take: str, letter: str) -> bytes | None:
        if session == "bbn-20261122-1":
            raise KeyboardInterrupt
        return asked(source, session, take, letter)

    monkeypatch.setattr(StudySource, "pcm", stopping)
    err = io.StringIO()
    assert export_command(ExportRequest(str(study), str(tmp_path / "out"), form=form), io.StringIO(), err) == 130
    assert "run the same command to continue" in err.getvalue()
    (left,) = tmp_path.glob(".*.partial")
    assert any(left.rglob("8k8*.wav"))
    kept = tmp_path / ".mine.partial"
    kept.mkdir()
    record([study], "csv", tmp_path / "mine", {}, err)
    withdraw_command(str(study), WithdrawOptions("8k8"), ManualClock(), io.StringIO(), err)
    assert f"{left}, left by an export that was interrupted, was deleted" in err.getvalue()
    assert not left.exists()
    assert kept.is_dir()
