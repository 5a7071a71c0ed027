"""`curtain export CORPUS NEW`: what holds of a corpus holds of the one that is derived from it."""

import io
from pathlib import Path

import pytest

from annotator.transcription import Transcribing
from corpus.commands.derive import DeriveOptions, derive_command
from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.release import holdout_file
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.commands.withdrawals import withdraw
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.interruptions import bytes_of

SHARED = {"manifest.json", "README.txt"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    scripts = [session_of("bbn", f"8k{digit}", "f", digit) for digit in (1, 2, 3)]
    return corpus_of(tmp_path / "corpus", *scripts)


def derived(root: Path, target: Path) -> tuple[int, str]:
    err = io.StringIO()
    return derive_command(DeriveOptions(str(root), str(target)), io.StringIO(), err), err.getvalue()


def holdout(root: Path, release: Path | None = None, pool: Path | None = None) -> tuple[int, str]:
    out = io.StringIO()
    call = HoldoutOptions(release=str(release or ""), pool=str(pool or ""))
    return holdout_command(str(root), call, out, io.StringIO()), out.getvalue()


def transcribe(root: Path, stem: str, text: str) -> None:
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, "anna", ManualClock())
    desk.open(stem)
    desk.submit(text)
    work.close()


def test_with_nothing_finished_all_files_are_the_same(root: Path, tmp_path: Path) -> None:
    status, output = derived(root, tmp_path / "new")
    assert (status, "0 transcriptions and 0 masked waveforms are new" in output) == (0, True)
    assert bytes_of(tmp_path / "new") == bytes_of(root)
    status, output = derived(root, tmp_path / "new")
    assert (status, "exists already" in output) == (2, True)


def test_only_what_was_transcribed_differs(root: Path, tmp_path: Path) -> None:
    before = bytes_of(root)
    transcribe(root, "8k1011sx", "show me the blimps")
    status, output = derived(root, tmp_path / "new")
    assert (status, "1 transcription and 0 masked waveforms are new" in output) == (0, True)
    after = bytes_of(tmp_path / "new")
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed - SHARED == {"doc/lexicon.doc", "spon/8k1/1/8k1011sx.sro", "spon/8k1/1/8k1011sx.lsn"}
    assert "blimps" in (tmp_path / "new/doc/lexicon.doc").read_text("utf-8")
    assert not verify(tmp_path / "new").count(Severity.ERROR)
    assert bytes_of(root) == before
    assert derived(tmp_path / "new", tmp_path / "again")[0] == 0
    assert bytes_of(tmp_path / "again") == after


def test_sets_hold_for_a_derived_corpus_and_its_parts(root: Path, tmp_path: Path) -> None:
    status, sets = holdout(root)
    assert (status, "pool" in sets) == (0, True)
    (tmp_path / "far").mkdir()
    transcribe(root, "8k1011sx", "show me the blimps")
    assert derived(root, tmp_path / "far/new")[0] == 0
    assert holdout_file.known(tmp_path / "far/new") == holdout_file.known(root)
    new = tmp_path / "far/new"
    assert holdout(root, tmp_path / "release", tmp_path / "pool")[0] == 2, "the old corpus lacks a transcription"
    assert holdout(new, tmp_path / "release", tmp_path / "pool") == (0, sets)
    for part in ("release", "pool"):
        assert derived(tmp_path / part, tmp_path / f"{part}-new")[0] == 0
        assert bytes_of(tmp_path / f"{part}-new") == bytes_of(tmp_path / part)


def test_who_left_stays_out(root: Path, tmp_path: Path) -> None:
    withdraw(root, "8k2")
    assert derived(root, tmp_path / "new")[0] == 0
    assert removals.held_in(tmp_path / "new").speakers == {"8k2"}
    assert sorted(Corpus(tmp_path / "new").speakers()) == ["8k1", "8k3"]
