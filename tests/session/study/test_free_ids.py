"""A new study takes what the studies beside it have left free, whatever is wrong with them and whoever else makes one."""

import fcntl
import os
from pathlib import Path

import pytest

from session.study import create
from session.study.create import new
from session.study.folder import Study, load
from session.study.free_ids import Free, free_beside
from session.study.toml_reader import StudyError


def test_two_made_at_the_same_moment_take_turns_from_the_look_at_what_is_free_until_the_study_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = list[bool]()

    def looked(folder: Path, site: str) -> Free:
        taken.append(is_taken(tmp_path))
        return free_beside(folder, site)

    def read(folder: Path) -> Study:
        taken.append(is_taken(tmp_path))
        return load(folder)

    monkeypatch.setattr(create, "free_beside", looked)
    monkeypatch.setattr(create, "load", read)
    assert new(tmp_path / "one").settings.first_session == 1
    assert taken == [True, True, False]


def is_taken(folder: Path) -> bool:
    """Whether somebody else would have to wait."""
    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(place)


def test_what_is_no_folder_is_never_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)  # so that to open it for reading would not wait here either
    monkeypatch.setattr(fcntl, "flock", lambda *_: pytest.fail("a pipe was opened"))
    try:
        with pytest.raises(StudyError, match="is not a directory; make it first"):
            new(tmp_path / "pipe/study")
    finally:
        os.close(writer)


def test_what_a_study_beside_it_has_wrong_does_not_stand_in_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "wrong").mkdir()
    (tmp_path / "wrong/study.toml").write_text('site = "bbn"\nfirst_session = -500\nspeakers = 1\n', "utf-8")
    assert new(tmp_path / "one", site="bbn").settings.first_session == 101
