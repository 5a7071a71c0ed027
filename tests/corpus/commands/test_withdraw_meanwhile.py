"""A person withdraws while others are at work, or after a check was killed."""

import fcntl
import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from annotator.rules import NotNow
from annotator.transcription import Transcribing
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.verify.session_check import left_behind
from curtain import main
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.commands.withdrawals import (
    SAID,
    STAYS,
    corpus,
    exported,
    found,
    hashes,
    lab,
    needles,
    said,
    told,
    withdraw,
)
from tests.corpus.sessions import MemorySource

__all__ = ["corpus", "lab"]


def test_what_somebody_has_in_hand_at_a_desk_meanwhile_is_never_recorded(corpus: Path) -> None:
    work = Work(work_path(corpus))
    begun, untouched = (Transcribing(Corpus(corpus), work, name, ManualClock()) for name in ("anna", "ben"))
    begun.open("8k9011sx")
    begun.revise("we fly")
    untouched.open("8k9012sx")
    assert withdraw(corpus, "8k9")[0] == 0
    for desk in (begun, untouched):
        with pytest.raises(NotNow):
            desk.submit(SAID.lower())
        desk.leave()
        desk.finish()
    work.close()
    takes = set(told("8k9", SAID).takes)
    wanted = [needle for needle in needles(told("8k9", SAID), SAID) if needle.decode("latin-1") not in takes]
    assert found(corpus.parent, wanted) == []


def test_withdrawing_from_a_study_shuts_what_is_in_hand_at_a_desk_beside_its_export(lab: Path) -> None:
    assert exported(lab / "study", lab / "export") == 0
    work = Work(work_path(lab / "export"))
    desk = Transcribing(Corpus(lab / "export"), work, "anna", ManualClock())
    desk.open("8k9011sx")
    withdraw(lab / "study", "8k9", copies=True)
    with pytest.raises(NotNow):
        desk.submit(SAID.lower())
    work.close()
    assert said(found(lab, [SAID.lower().encode()])) == []


def test_a_check_that_was_killed_leaves_nothing_of_the_person(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(lab))
    for scratch, speaker in (("curtain-closing-a", "8k9"), ("curtain-closing-b", "8k8")):
        export(MemorySource(told(speaker, SAID)), make(lab / scratch) / "corpus")
    _, _, err = withdraw(lab / "study", "8k9", lab / "spool")
    assert f"{lab / 'curtain-closing-a'}, left by a check that was interrupted" in err
    assert [path.name for path in sorted(lab.glob("curtain-*"))] == ["curtain-closing-b"]


def test_a_check_that_is_still_at_work_keeps_its_folder(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(lab))
    export(MemorySource(told("8k9", SAID)), make(lab / "curtain-closing-a") / "corpus")
    at_work = os.open(lab / "curtain-closing-a", os.O_RDONLY)
    fcntl.flock(at_work, fcntl.LOCK_EX)
    assert left_behind(["8k9A1"]) == []
    os.close(at_work)
    assert left_behind(["8k9A1"]) == [lab / "curtain-closing-a"]


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_two_who_leave_at_once_both_stand_in_the_list(lab: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda speaker: withdraw(lab / "study", speaker), ("8k9", "8k8")))
    again = [withdraw(lab / "study", speaker)[0] for speaker in ("8k9", "8k8")]
    assert (again, {status for status, _, _ in done} <= {0, 2}) == ([0, 0], True)
    assert removals.held_in(lab / "study").speakers == {"8k8", "8k9"}
    for script in (told("8k9", SAID), told("8k8", STAYS)):
        assert said(found(lab / "study", needles(script, SAID))) == []


def test_a_spool_that_is_not_there_is_refused_before_anything_is_touched(lab: Path) -> None:
    before = hashes(lab)
    done = CliRunner().invoke(main, ["withdraw", str(lab / "study"), "8k9", "--spool", str(lab / "spol")])
    assert (done.exit_code, hashes(lab)) == (2, before)
    assert "spol' does not exist" in done.output


def test_a_folder_that_cannot_be_deleted_is_named_with_its_place(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", "8k9A1.s.pcm")

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "rmtree", refuse)
        status, _, err = withdraw(lab / "study", "8k9")
    assert (status, f"{lab / 'study/recordings'}/" in err, "Permission denied" in err) == (2, True, True)
    assert withdraw(lab / "study", "8k9")[0] == 0
