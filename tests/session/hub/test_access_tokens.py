"""Tokens give roles, stay the same, and show themselves to nobody."""

import json
import stat
from pathlib import Path

import pytest

from session.hub.access_tokens import FILE, load_tokens
from session.study.toml_reader import StudyError
from session.values.vocabulary import Role

SESSION = "lab-20261121-1"
OTHER = "lab-20261121-2"


def test_every_role_has_a_token_of_its_own_in_every_session_that_survives_a_restart(tmp_path: Path) -> None:
    first, second = load_tokens(tmp_path), load_tokens(tmp_path)
    found = {(role, session): first.of(role, session) for role in Role for session in (SESSION, OTHER)}
    assert found == {place: second.of(*place) for place in found}
    assert len(set(found.values())) == 2 * len(Role)
    assert min(map(len, found.values())) >= 32
    (tmp_path / "other").mkdir()
    assert load_tokens(tmp_path / "other").of(Role.SUBJECT, SESSION) != first.of(Role.SUBJECT, SESSION)


@pytest.mark.parametrize("role", list(Role))
def test_a_token_opens_its_own_session_only(tmp_path: Path, role: Role) -> None:
    made = load_tokens(tmp_path)
    token = made.of(role, SESSION)
    assert (made.role(token, SESSION), made.role(token, OTHER)) == (role, None)


def test_a_role_that_an_old_study_lacks_gets_a_token_and_the_others_keep_theirs(tmp_path: Path) -> None:
    before = load_tokens(tmp_path)
    path = tmp_path / FILE
    kept = json.loads(path.read_text())
    del kept[Role.OBSERVER]
    path.write_text(json.dumps({**kept, "of a later release": "y" * 20}))
    after = load_tokens(tmp_path)
    assert {role: after.of(role, SESSION) == before.of(role, SESSION) for role in Role} == {
        role: role is not Role.OBSERVER for role in Role
    }
    assert after.of(Role.OBSERVER, SESSION) == load_tokens(tmp_path).of(Role.OBSERVER, SESSION)
    assert json.loads(path.read_text())["of a later release"] == "y" * 20
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_file_is_for_its_owner_only_and_is_made_so_again(tmp_path: Path) -> None:
    load_tokens(tmp_path)
    path = tmp_path / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    load_tokens(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("shown", ["", "subject", "x" * 10_000, "\ud800", "ü", "\0"])
def test_any_other_text_gives_no_role(tmp_path: Path, shown: str) -> None:
    assert load_tokens(tmp_path).role(shown, SESSION) is None


def test_a_token_gives_a_role_only_whole(tmp_path: Path) -> None:
    made = load_tokens(tmp_path)
    token = made.of(Role.WIZARD, SESSION)
    assert [made.role(attempt, SESSION) for attempt in (token[:-1], token + "x", token.upper(), f" {token}")] == [
        None
    ] * 4


def test_printing_shows_no_token(tmp_path: Path) -> None:
    made = load_tokens(tmp_path)
    assert [token for role in Role if (token := made.of(role, SESSION)) in f"{made!r} {made} {[made]}"] == []


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", '"x"', "\xff", json.dumps(dict.fromkeys(Role, "x" * 20)),
     json.dumps({role: role for role in Role}), json.dumps({role: number for number, role in enumerate(Role)})],
)  # fmt: skip
def test_a_spoilt_file_is_named_and_not_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    with pytest.raises(StudyError, match=f"{FILE} is not in order"):
        load_tokens(tmp_path)
    assert (tmp_path / FILE).read_text(encoding="latin-1") == text


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be made: No such file"):
        load_tokens(tmp_path / "none")
