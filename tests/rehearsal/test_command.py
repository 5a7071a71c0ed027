"""A rehearsal that is not held leaves nothing, so that the same call can be made again."""

import io
from pathlib import Path

import pytest

from rehearsal.command import rehearse_command
from rehearsal.session_run import RehearsalPlan, Rehearsed
from rehearsal.waiting import StuckError


def rehearse(study: str, target: Path) -> tuple[int, str]:
    err = io.StringIO()
    return rehearse_command(study, str(target), 8, False, io.StringIO(), err), err.getvalue()


def fails(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    async def perform(stage: RehearsalPlan) -> Rehearsed:
        raise error

    monkeypatch.setattr(RehearsalPlan, "perform", perform)


def test_a_study_that_is_none_makes_no_folder(tmp_path: Path) -> None:
    status, output = rehearse(str(tmp_path / "none"), tmp_path / "out")
    assert (status, "is not a study folder" in output, list(tmp_path.iterdir())) == (2, True, [])


def test_what_was_interrupted_or_refused_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        rehearse("", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
    fails(monkeypatch, OSError(28, "No space left on device"))
    status, output = rehearse("", tmp_path / "out")
    assert (status, "No space left on device" in output, list(tmp_path.iterdir())) == (2, True, [])


def test_what_got_stuck_stays_and_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch, StuckError("the wizard waits for ever"))
    status, output = rehearse("", tmp_path / "out")
    assert (status, output) == (
        2, f"the rehearsal could not be held: the wizard waits for ever; what there is of it is in {tmp_path / 'out'}\n"
    )  # fmt: skip
    assert (tmp_path / "out" / "study" / "study.toml").is_file()
    assert rehearse("", tmp_path / "out") == (2, f"{tmp_path / 'out'} exists already; name another folder with --out\n")
