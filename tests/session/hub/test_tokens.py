"""Tokens give roles, stay the same, and show themselves to nobody."""

import json
import stat
from pathlib import Path

import pytest

from session.hub.tokens import FILE, Tokens, load_tokens
from session.study.toml_reader import StudyError
from session.values.vocabulary import Role


def test_every_role_has_a_token_of_its_own_that_survives_a_restart(tmp_path: Path) -> None:
    first, second = load_tokens(tmp_path), load_tokens(tmp_path)
    found = [first.of(role) for role in Role]
    assert found == [second.of(role) for role in Role]
    assert len(set(found)) == len(Role)
    assert min(map(len, found)) >= 32
    assert [first.role(token) for token in found] == list(Role)
    assert tokens_elsewhere(tmp_path).of(Role.SUBJECT) != first.of(Role.SUBJECT)


def tokens_elsewhere(tmp_path: Path) -> Tokens:
    (tmp_path / "other").mkdir()
    return load_tokens(tmp_path / "other")


def test_the_file_is_for_its_owner_only_and_is_made_so_again(tmp_path: Path) -> None:
    load_tokens(tmp_path)
    path = tmp_path / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    load_tokens(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("shown", ["", "subject", "x" * 10_000, "\ud800", "ü", "\0"])
def test_any_other_text_gives_no_role(tmp_path: Path, shown: str) -> None:
    assert load_tokens(tmp_path).role(shown) is None


def test_a_token_gives_a_role_only_whole(tmp_path: Path) -> None:
    made = load_tokens(tmp_path)
    token = made.of(Role.WIZARD)
    assert [made.role(each) for each in (token[:-1], token + "x", token.upper(), f" {token}")] == [None] * 4


def test_printing_shows_no_token(tmp_path: Path) -> None:
    made = load_tokens(tmp_path)
    assert [token for role in Role if (token := made.of(role)) in f"{made!r} {made} {[made]}"] == []


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", '"x"', "\xff", json.dumps(dict.fromkeys(Role, "x" * 20)),
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
