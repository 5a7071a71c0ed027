"""The measurement of databases of others: as they were sealed, blind, and never with a request on the screen."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.understanding.sealed import SEAL, main

REQUESTS = [
    ("list the boats", "SELECT boat_id FROM boat"),
    ("how many boats are there", ["SELECT COUNT(*) FROM boat"]),
    ("boats longer than 10", "SELECT boat_id FROM boat WHERE length > 10"),
    ("what is the weather on mars", None),
]


def folder_of(path: Path, names: list[str]) -> Path:
    for name in names:
        with closing(sqlite3.connect(path / f"{name}.sqlite")) as link:
            link.execute("CREATE TABLE boat (boat_id INTEGER PRIMARY KEY, name TEXT, length INTEGER)")
            link.executemany("INSERT INTO boat VALUES (?, ?, ?)", [(1, "Gull", 7), (2, "Tern", 12), (3, "Skua", 15)])
            link.commit()
        lines = [json.dumps({"question": question, "sql": sql}) for question, sql in REQUESTS]
        (path / f"{name}.jsonl").write_text("\n".join(lines))
    return path


def test_six_databases_as_they_were_sealed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path, [f"harbour_{n}" for n in range(6)])
    assert main([str(folder), "--seal"]) == 0
    assert (folder / SEAL).read_text().count("\n") == 12
    assert main([str(folder)]) == 0
    told = capsys.readouterr().out
    assert told.splitlines()[-1].split()[:3] == ["all", "24", "right"]
    assert not any(question in told for question, _ in REQUESTS)
    with pytest.raises(SystemExit):
        main([str(folder), "--seal"])


def test_what_changed_since_is_not_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path, ["harbour"])
    assert main([str(folder)]) == 2, "nothing was sealed"
    assert main([str(folder), "--seal"]) == 0
    requests = folder / "harbour.jsonl"
    requests.write_text(requests.read_text().replace("longer", "shorter"))
    assert main([str(folder)]) == 2
    assert "not those that were sealed" in capsys.readouterr().err


def test_fewer_databases_or_wrong_answers_do_not_suffice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path, ["harbour"])
    assert main([str(folder), "--seal"]) == 0
    assert main([str(folder)]) == 1
    assert "1 databases: 6 are asked for" in capsys.readouterr().out


def test_domains_that_were_edited_are_asked_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path, ["harbour"])
    assert main([str(folder), "--seal"]) == 0
    edited = tmp_path / "edited" / "harbour"
    edited.mkdir(parents=True)
    (edited / "domain.toml").write_text(
        '[domain]\nname = "harbour"\nentity = "boat"\n'
        '[entity.boat]\ntable = "boat"\nkey = ["boat.boat_id"]\nwords = ["boat", "boats"]\n'
    )
    assert main([str(folder), "--edited", str(edited.parent)]) == 1
    told = capsys.readouterr().out.splitlines()[0].split()
    assert told[:4] == ["harbour", "4", "right", "75.0"], "it knows no lengths"
