"""`curtain learn`: a first domain for a database that nobody has described."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.english.engine import Engine
from domain.english.model.domain import load_domain
from domain.learn.learn import learn_command
from domain.learn.names_in_words import in_words
from domain.learn.schema_wording import (
    both,
    is_keylike,
    measures,
    plural,
    singular,
    value_cues,
    without_key_ending,
)
from domain.learn.write_toml import write_domain
from tests.domain.english.conftest import SCENARIOS

KEYED = """
CREATE TABLE river (river_id INTEGER PRIMARY KEY, river_name TEXT, length_km INTEGER);
CREATE TABLE country (country_id INTEGER PRIMARY KEY, name TEXT, population INTEGER, founded INTEGER, landlocked TEXT);
CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, country_id INTEGER REFERENCES country(country_id),
    inhabitants INTEGER, motto TEXT);
CREATE TABLE flows_through (river_id INTEGER REFERENCES river(river_id),
    country_id INTEGER REFERENCES country(country_id), PRIMARY KEY (river_id, country_id));
"""
ROWS = """
INSERT INTO river VALUES (1, 'Ald', 300), (2, 'Bren', 900), (3, 'Cavor', 120);
INSERT INTO country VALUES (1, 'Avaria', 1000, 1800, 'yes'),
    (2, 'Borland', 5000, 1900, 'no'), (3, 'Cestia', 200, 1950, 'yes');
INSERT INTO town VALUES (1, 'Aston', 1, 100, NULL), (2, 'Avel', 1, 300, NULL),
    (3, 'Bree', 2, 900, NULL), (4, 'Cald', 3, 50, NULL);
INSERT INTO flows_through VALUES (1, 1), (2, 1), (2, 2), (3, 3);
"""


def make(folder: Path, tables: str = KEYED) -> str:
    path = folder / "places.sqlite"
    with closing(sqlite3.connect(path)) as link:
        link.executescript(tables + ROWS)
    return f"sqlite:///{path}"


def learnt(folder: Path, url: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = learn_command(url, str(folder / "places"), out, err)
    return status, out.getvalue(), err.getvalue()


REQUESTS = [
    ("towns in Avaria", {(1,), (2,)}),
    ("how many towns are in avaria", {(2,)}),
    ("which country is the most populous", {(2,)}),
    ("the longest river", {(2,)}),
    ("rivers in borland", {(2,)}),
    ("which countries are landlocked", {(1,), (3,)}),
    ("towns with more than 200 inhabitants", {(2,), (3,)}),
    ("countries founded after 1850", {(2,), (3,)}),
    ("population of cestia", {(200,)}),
    ("how many towns does each country have", {(1,), (2,), (3,)}),
    ("towns not in avaria", {(3,), (4,)}),
    ("rivers in cestia or borland", {(2,), (3,)}),
]


NOT_KNOWN = [
    "how old is Avaria",
    "towns in Norway",
    "how much does Aston cost",
    "list the towns and their codes",
    "towns with less than 3 minutes",
    "the first town in Avaria",
    "towns older than a century",
    "the oldest town",
]


@pytest.mark.parametrize("request_", NOT_KNOWN)
def test_what_the_database_does_not_hold_has_no_answer(tmp_path: Path, request_: str) -> None:
    url = make(tmp_path)
    learnt(tmp_path, url)
    assert Engine(tmp_path / "places", url).ask(request_).readings == ()


@pytest.mark.parametrize("tables", [KEYED, KEYED.replace("REFERENCES country(country_id)", "").replace(
    "REFERENCES river(river_id)", "")], ids=["keys declared", "keys guessed"])  # fmt: skip
def test_a_learnt_domain_answers_simple_requests(tmp_path: Path, tables: str) -> None:
    url = make(tmp_path, tables)
    assert learnt(tmp_path, url)[0] == 0
    engine = Engine(tmp_path / "places", url)
    with closing(sqlite3.connect(tmp_path / "places.sqlite")) as link:
        for request, wanted in REQUESTS:
            readings = engine.ask(request).readings
            assert readings, request
            assert {row[:1] for row in link.execute(readings[0].sql)} == wanted, request


def test_it_says_what_it_guessed_and_what_it_could_not(tmp_path: Path) -> None:
    url = make(tmp_path, KEYED.replace("REFERENCES country(country_id)", ""))
    status, out, err = learnt(tmp_path, url)
    assert (status, err) == (0, "")
    assert "3 entities" in out
    assert "guessed: town.country_id refers to country.country_id" in out
    assert "not guessed: town.motto is empty" in out


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    url = make(tmp_path)
    learnt(tmp_path, url)
    before = (tmp_path / "places" / "domain.toml").read_bytes()
    status, _, err = learnt(tmp_path, url)
    assert status == 2
    assert "nothing is overwritten" in err
    assert (tmp_path / "places" / "domain.toml").read_bytes() == before
    written = ["domain.toml", "rehearsal", "scenarios", "subject_overview.md"]
    assert sorted(p.name for p in (tmp_path / "places").iterdir()) == written


def test_a_database_without_rows_or_none_at_all_is_told(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "empty.sqlite")) as link:
        link.execute("CREATE TABLE t (x)")
    status, _, err = learnt(tmp_path, f"sqlite:///{tmp_path}/empty.sqlite")
    assert (status, "no table with rows" in err) == (2, True)
    assert learnt(tmp_path, "nosuch://x")[0] == 2


def test_a_database_that_cannot_be_read_to_its_end_is_told_and_let_go(tmp_path: Path, connected: list[object]) -> None:
    url = make(tmp_path)
    with closing(sqlite3.connect(tmp_path / "places.sqlite")) as link, link:
        link.execute("UPDATE town SET name = CAST(x'ff' AS TEXT)")
    status, _, err = learnt(tmp_path, url)
    assert (status, "Could not decode to UTF-8" in err) == (2, True)
    assert connected == []


@pytest.mark.parametrize("name", ["air_travel", "personnel"])
def test_what_is_written_is_read_back_the_same(tmp_path: Path, name: str) -> None:
    model = load_domain(SCENARIOS / name)
    (tmp_path / "domain.toml").write_text(write_domain(model))
    assert load_domain(tmp_path) == model


def test_names_of_columns_as_words() -> None:
    assert in_words("hireDate") == "hire date"
    assert in_words("DEPT_NO") == "department number"
    assert without_key_ending("author_id") == "author"
    assert without_key_ending("id") == "id"
    assert is_keylike("customer_no")
    assert not is_keylike("title")
    assert value_cues("birth_year") == ["born", "born in", "born on"]
    assert value_cues("annual_visitors")[:2] == ["visitors", "visited"]
    assert measures("list_price")[1][0] == "cheapest"
    assert measures("colour") == ([], [])


@pytest.mark.parametrize(
    ("one", "many"),
    [("city", "cities"), ("box", "boxes"), ("person", "people"), ("film actor", "film actors"), ("day", "days")],
)
def test_plurals_and_singulars(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert both(many) == [one, many]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("sqlite:///{}/slip.sqlite", "there is no such file; give the path of one that is there"),
        (f"sqlite:///{{}}/{'x' * 300}", "there is no such file"),
        ("nonsense", "is not an SQLAlchemy URL"),
        ("postgresql+psycopg://x:port/towns", "does not work: invalid literal"),
        ("nosuch://me:secret@x", "'nosuch://me:***@x' names a kind"),
        ("nosuch://x", "names a kind of database or driver that nothing here knows"),
        ("oracle+oracledb://x", "needs a driver that is not installed here"),
    ],
)
def test_a_url_that_leads_to_no_database_is_told_and_makes_none(tmp_path: Path, url: str, message: str) -> None:
    status, _, err = learnt(tmp_path, url.format(tmp_path))
    assert (status, message in err, list(tmp_path.iterdir())) == (2, True, []), err


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    url = make(tmp_path)
    (tmp_path / "places").write_text("a file")
    assert learnt(tmp_path, url) == (2, "", f"{tmp_path / 'places'}: File exists; choose another folder\n")


def test_a_disk_that_is_full_is_told_and_keeps_no_half(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = make(tmp_path)

    def full(*_: object, **__: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert learnt(tmp_path, url) == (2, "", f"{tmp_path / 'places'}: No space left on device; choose another folder\n")
    assert list((tmp_path / "places").iterdir()) == []


def test_signs_that_part_names_in_paths_are_written_otherwise(tmp_path: Path) -> None:
    tables = """
CREATE TABLE "a.b" (id INTEGER PRIMARY KEY, "size;x" INTEGER); INSERT INTO "a.b" VALUES (1, 3), (2, 4);
CREATE TABLE "my guest" (id INTEGER PRIMARY KEY, "first name" TEXT, "last name" TEXT, "x.y" TEXT, s TEXT, "paid = ?" TEXT);
INSERT INTO "my guest" VALUES (1, 'Ann', 'Bell', 'quiet', 'u', 'Y'), (2, 'Bob', 'Cook', 'loud', 'v', 'N');
"""
    status, message, _ = learnt(tmp_path, url := make(tmp_path, KEYED + tables))
    assert (status, message.count("left out: ")) == (0, 0)
    assert "my guest.x%2Ey" in (tmp_path / "places" / "domain.toml").read_text()
    engine = Engine(tmp_path / "places", url)
    with closing(sqlite3.connect(tmp_path / "places.sqlite")) as link:
        for request, rows in (
            ("list my guests", 2), ("quiet guests", 1), ("guests who have paid", 1), ("ann bell", 1), ("list the a bs", 2)
        ):  # fmt: skip
            reading = engine.ask(request).readings[0]
            assert len(link.execute(reading.sql).fetchall()) == rows, reading.sql
    assert both("s")[0] == "s"
