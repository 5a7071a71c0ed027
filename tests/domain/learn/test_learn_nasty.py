"""Databases as strangers bring them: `curtain learn` takes each, and no request about one ends in a traceback."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from domain.english.engine import Engine
from domain.learn.learn import learn_command

NASTY = {
    "signs and digits in names": (
        """CREATE TABLE pier (id INTEGER PRIMARY KEY, name TEXT, "2nd name" TEXT);
        INSERT INTO pier VALUES (1, 'Pier 39 & 41', '/'), (2, '50% off', '&'), (3, '{}', ':x'), (4, '--', '''q''');""",
        ("piers called Pier 39 & 41", "list the piers", "{}", "50% off"),
    ),
    "keys to a table and a column that are not there": (
        """CREATE TABLE town (id INTEGER PRIMARY KEY, name TEXT, country_id INT REFERENCES country (id));
        CREATE TABLE visit (id INTEGER PRIMARY KEY, town_id INT REFERENCES town (code), name TEXT);
        INSERT INTO town VALUES (1, 'Aston', 3), (2, 'Bree', 4); INSERT INTO visit VALUES (1, 1, 'Fair'), (2, 2, 'Ball');""",
        ("list the towns", "visits of Aston", "how many towns are there"),
    ),
    "no key, and a column called value": (
        """CREATE TABLE reading (value REAL, place TEXT);
        INSERT INTO reading VALUES (1.5, 'roof'), (1.5, 'roof'), (2, 'cellar');""",
        ("highest value", "readings in the roof", "average value"),
    ),
    "reserved words": (
        """CREATE TABLE "order" ("select" INTEGER PRIMARY KEY, "group" TEXT, "where" INT);
        INSERT INTO "order" VALUES (1, 'alpha', 5), (2, 'beta', 6);""",
        ("list the orders", "orders with where above 5", "alpha"),
    ),
    "other alphabets and bytes": (
        """CREATE TABLE "Straße" ("Nr" INTEGER PRIMARY KEY, "Größe" REAL, "日本" TEXT, bild BLOB);
        INSERT INTO "Straße" VALUES (1, 2.5, '東京', x'ff00'), (2, 3.5, 'Åsgård', NULL);
        CREATE VIEW broken AS SELECT * FROM gone;""",
        ("how many Straße are there", "東京", "the größe of Åsgård"),
    ),
}


@pytest.mark.parametrize("kind", NASTY)
def test_a_nasty_database_is_learnt_and_asked(tmp_path: Path, kind: str) -> None:
    script, requests = NASTY[kind]
    output = io.StringIO()
    with closing(sqlite3.connect(tmp_path / "nasty.sqlite")) as link:
        link.executescript(script)
        url = f"sqlite:///{tmp_path / 'nasty.sqlite'}"
        assert learn_command(url, str(tmp_path / "learnt"), output, output) == 0, output.getvalue()
        engine = Engine(tmp_path / "learnt", url)
        answered = [engine.ask(request).readings for request in requests]
        for readings in answered:
            for reading in readings:
                link.execute(reading.sql).fetchall()
    assert any(answered)
    told = (
        "left out: the reference of town.country_id to country.id, which is not there; a [[join]] can give it another"
    )
    assert (told in output.getvalue()) == ("not there" in kind)
