"""domain.toml: what it may say, and what is said of one that is wrong."""

from pathlib import Path

import pytest

from domain.english.model.column_test import ColumnTest, read_test
from domain.english.model.domain import DomainError, JoinPath, JoinStep, load_domain, read_path
from tests.domain.english.conftest import DOMAIN, SCENARIOS


def test_paths() -> None:
    assert read_path("a.x") == JoinPath((), "a.x")
    assert read_path("a.x = b.y; b.z") == JoinPath((JoinStep("a.x", "b.y"),), "b.z")
    with pytest.raises(DomainError, match="each part but the last"):
        read_path("a.x; b.z")


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("a.x = 'Y'", ColumnTest("a.x", "=", ("Y",))),
        ("a.x is not null", ColumnTest("a.x", "is not null", ())),
        ("a.x in (1, 2)", ColumnTest("a.x", "in", (1, 2))),
        ("a.x >= 1.5", ColumnTest("a.x", ">=", (1.5,))),
        ("a.x > b.y", ColumnTest("a.x", ">", (), "b.y")),
    ],
)
def test_tests(text: str, test: ColumnTest) -> None:
    assert read_test(text) == test


def test_a_test_that_is_none_is_shown() -> None:
    with pytest.raises(DomainError, match="'nonsense'"):
        read_test("nonsense")


def test_shipped_domains_load() -> None:
    for name in ("air_travel", "personnel"):
        assert load_domain(SCENARIOS / name).entity


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[kind.town]", "[kind.town]\nclour = 1"), "clour"),
        (('of = "book"', 'of = "brook"'), "no such entity; known: author, book, loan"),
        (('entity = "book"', 'entity = "brook"'), "no such entity"),
        (("[domain]", "[domain"), "domain.toml"),
    ],
)
def test_a_faulty_domain_is_told_with_file_and_key(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    (tmp_path / "domain.toml").write_text(DOMAIN.replace(*change, 1))
    with pytest.raises(DomainError, match=message) as error:
        load_domain(tmp_path)
    assert "domain.toml" in str(error.value)


def test_a_missing_domain_names_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="curtain learn"):
        load_domain(tmp_path)


def test_a_file_in_the_place_of_a_domain_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DomainError, match=r"domain\.toml: Not a directory; name the folder of a domain$"):
        load_domain(tmp_path / "file")
