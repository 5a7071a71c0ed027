"""`curtain` alone, or without its study, says what to do first in this folder."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from curtain import main


def test_an_empty_folder_and_a_study_are_told_what_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, [])
    assert done.exit_code == 0
    assert done.output.startswith("There is no study in this folder. First:\n  curtain new my-study")
    (tmp_path / "study.toml").touch()
    assert CliRunner().invoke(main, []).output.startswith("This folder is a study. Next:\n  curtain doctor .")


def test_a_command_without_its_study_says_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["wizard"])
    assert done.exit_code == 2
    assert (
        "Missing argument 'STUDY|URL'.\n\nThere is no study in this folder. First:\n  curtain new my-study"
        in done.output
    )
    assert "There is no study" not in CliRunner().invoke(main, ["verify"]).output
