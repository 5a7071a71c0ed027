"""The metadata of a new study: asked for, passed over, told of where they are wrong, and in force when they stand there."""

import io
from pathlib import Path

from session.study.create import new_command
from session.study.folder import Study, load

WORDS = 'Flights "by voice" \\ 2026'


def made(folder: Path, lines: str | None) -> tuple[Study, str]:
    err, answers = io.StringIO(), None if lines is None else io.StringIO(lines)
    status = new_command(str(folder), "air_travel", "BBN-89", "bbn", io.StringIO(), err, answers=answers)
    assert status == 0, err.getvalue()
    return load(folder), err.getvalue()


def test_what_is_answered_is_stated_and_a_release_lacks_nothing(tmp_path: Path) -> None:
    creators = "Carberry, Josiah 0000-0002-1825-0098\nCarberry, Josiah 0000-0002-1825-0097; A University"
    answers = f"{WORDS}\nPeople ask for flights.\n{creators}\nCC-BY\nCC-BY-4.0\nme@example.org\n\n"
    study, told = made(tmp_path / "study", answers)
    stated = study.settings.metadata
    assert (stated.title, stated.licence, stated.contact, stated.language) == (WORDS, "CC-BY-4.0", "me@example.org", "")
    assert [(one.name, one.orcid) for one in stated.creators] == [
        ("Carberry, Josiah", "0000-0002-1825-0097"),
        ("A University", ""),
    ]
    assert told.count("The authors") == 2
    assert "check digit" in told
    assert "is not an SPDX identifier" in told
    assert stated.lacking == ()
    assert "keywords" in stated.unsaid
    text = (tmp_path / "study/study.toml").read_text("utf-8")
    assert "\n# keywords" in text
    assert "Next: look at" in told


def test_questions_can_be_passed_over_and_are_not_asked_where_nobody_sits(tmp_path: Path) -> None:
    template = made(tmp_path / "script", None)
    assert "Title" not in template[1]
    assert template[0].settings.metadata.lacking
    over, told = made(tmp_path / "over", "\n" * 6)
    assert told.count(": ") >= 6
    assert over.settings.metadata == template[0].settings.metadata
    ended, _ = made(tmp_path / "ended", "Only a title\n")
    assert (ended.settings.metadata.title, ended.settings.metadata.licence) == ("Only a title", "")
