"""Databases built from a domain folder: whole or not at all, named by their rows, never written again."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from domain.database.build import DatabaseError, load_generator, open_database, sha256_of_file, sha256_of_rows
from domain.database.load_rows import load, sha256_of
from domain.database.table_shape import Rows, shape
from domain.sandbox.sandbox import Sandbox

SHAPES = [
    shape("office", "town floor:i", "town"),
    shape("person", "name office age:i", "name office", ["age", "office age"]),
]
ROWS: Rows = {
    "office": [("BERN", 2), ("ULM", None)],
    "person": [("ANNA", "ULM", 40), ("BEAT", "BERN", 41), ("ANNA", "BERN", None)],
}
GENERATOR = """
from domain.database.table_shape import shape
from .people import NAMES

NAME = "staff"
VERSION = 3
SEED = 1
SHAPES = (shape("person", "name number:i", "name"),)


def generate(seed):
    return {"person": [(name, seed + place) for place, name in enumerate(NAMES)]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A domain folder outside every package, whose generator imports a neighbour."""
    made = tmp_path / "my study" / "domain"
    made.mkdir(parents=True)
    (made / "people.py").write_text('NAMES = ["ANNA", "BEAT"]\n')
    (made / "generator.py").write_text(GENERATOR)
    return made


def test_a_generator_is_built_once_and_found_again(folder: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = open_database(folder, cache)
    built = [path.stat().st_mtime_ns for path in sorted(cache.iterdir())]
    assert open_database(folder, cache) == first
    assert [path.stat().st_mtime_ns for path in sorted(cache.iterdir())] == built
    assert first.version == f"staff 3 {first.sha256[:12]}"
    assert [path.name for path in sorted(cache.iterdir())] == ["staff-3.sqlite", "staff-3.sqlite.seal"]
    sandbox = Sandbox(first.url)
    assert sandbox.run("SELECT * FROM person").rows == (("ANNA", 1), ("BEAT", 2))


def test_rows_other_than_promised_are_refused_and_nothing_stays(folder: Path, tmp_path: Path) -> None:
    (folder / "generator.py").write_text(GENERATOR + f'\nROWS_SHA256 = "{"0" * 64}"\n')
    with pytest.raises(DatabaseError, match="a changed generator needs a new VERSION and ROWS_SHA256"):
        open_database(folder, tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_a_build_that_fails_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    (folder / "people.py").write_text('NAMES = ["ANNA", "ANNA"]\n')
    with pytest.raises(sqlite3.IntegrityError):
        open_database(folder, tmp_path / "cache")
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_built_file_that_was_changed_is_refused(folder: Path, tmp_path: Path) -> None:
    path = Path(open_database(folder, tmp_path / "cache").url.removeprefix("sqlite:///"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE person SET number = 99")
    with pytest.raises(DatabaseError, match=r"staff-3.sqlite: it was changed after it was built; delete it"):
        open_database(folder, tmp_path / "cache")
    path.unlink()
    assert open_database(folder, tmp_path / "cache").version.startswith("staff 3 ")


@pytest.mark.parametrize("seal", [None, "", "{}", '{"version": 1}'])
def test_a_missing_or_broken_seal_is_refused(folder: Path, tmp_path: Path, seal: str | None) -> None:
    path = Path(open_database(folder, tmp_path / "cache").url.removeprefix("sqlite:///"))
    sealed = path.with_name("staff-3.sqlite.seal")
    sealed.unlink()
    if seal is not None:
        sealed.write_text(seal)
    with pytest.raises(DatabaseError, match="its seal is missing or unreadable"):
        open_database(folder, tmp_path / "cache")


def test_a_ready_file_is_used_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "personnel.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    load(engine, SHAPES, ROWS)
    engine.dispose()
    opened = open_database(tmp_path, tmp_path / "cache")
    assert opened.version == f"personnel {sha256_of_file(path)[:12]}"
    assert Sandbox(opened.url).run("SELECT count(*) AS n FROM person").rows == ((3,),)


def test_a_folder_with_two_databases_or_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"neither a \.sqlite file nor a generator\.py"):
        open_database(tmp_path, tmp_path)
    for name in ("a.sqlite", "b.sqlite"):
        (tmp_path / name).touch()
    with pytest.raises(DatabaseError, match=r"several databases \(a.sqlite, b.sqlite\); leave one"):
        open_database(tmp_path, tmp_path)


@pytest.mark.parametrize("code", ["import no_such_module_anywhere", "def broken(:"])
def test_a_generator_that_cannot_be_loaded_is_named(tmp_path: Path, code: str) -> None:
    (tmp_path / "generator.py").write_text(code)
    with pytest.raises(DatabaseError, match=r"generator.py: it cannot be loaded"):
        load_generator(tmp_path)


def test_the_hash_does_not_depend_on_the_order_of_rows_and_tables() -> None:
    turned: Rows = {name: list(reversed(rows)) for name, rows in reversed(ROWS.items())}  # type: ignore[call-overload]
    assert sha256_of_rows(list(reversed(SHAPES)), turned) == sha256_of_rows(SHAPES, ROWS)


@pytest.mark.parametrize(
    "other",
    [
        {**ROWS, "office": [("BERN", 2), ("ULM", 0)]},
        {**ROWS, "office": [("BERN", 2)]},
        {**ROWS, "office": [("BERN", "2"), ("ULM", None)]},
        {"office": [], "person": [*ROWS["person"], *ROWS["office"]]},
    ],
)
def test_the_hash_depends_on_every_value_and_its_type(other: Rows) -> None:
    assert sha256_of_rows(SHAPES, other) != sha256_of_rows(SHAPES, ROWS)


def test_rows_come_back_as_they_went_in(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    engine = create_engine(f"sqlite:///{path}")
    assert load(engine, SHAPES, ROWS) == sha256_of_rows(SHAPES, ROWS)
    assert sha256_of(engine) == sha256_of_rows(SHAPES, ROWS)
    engine.dispose()
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = {shape.name: connection.execute(f'SELECT * FROM "{shape.name}"').fetchall() for shape in SHAPES}
    assert sha256_of_rows(SHAPES, rows) == sha256_of_rows(SHAPES, ROWS)


def test_loading_overwrites_nothing(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'x.sqlite'}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE person (mine TEXT)"))
    with pytest.raises(DatabaseError, match="there is a table person already; load into an empty database"):
        load(engine, SHAPES, ROWS)
    with engine.connect() as connection:
        tables = connection.execute(text("SELECT name FROM sqlite_master")).scalars().all()
    engine.dispose()
    assert tables == ["person"]


def test_text_is_compared_without_case_in_a_built_file(folder: Path, tmp_path: Path) -> None:
    sandbox = Sandbox(open_database(folder, tmp_path / "cache").url)
    assert sandbox.run("SELECT name FROM person WHERE name = 'anna'").rows == (("ANNA",),)
