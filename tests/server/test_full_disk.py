"""A hub on a disk that is really full says so in one line wherever in its beginning that is, and leaves nothing half-written."""

import io
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.torture.small_disk import BALLAST, Disk
from server.hub_command import HubOptions, hub_command
from server.revoke_command import revoke_command
from session.collection.open_session import session_names
from session.store.event_store import Store
from session.study.folder import load
from tests.server.toy_study import EndsAfter, toy_study

GENERATOR = """
from domain.database.table_shape import Field, Shape

NAME, VERSION, SEED = "towns", "1", 1
SHAPES = (Shape("city", (Field("name"), Field("number", integer=True)), key=("number",)),)


def generate(seed):
    return {"city": [(f"city {number} of a land with long names", number) for number in range(2_000)]}
"""
ROOMS_KB = (0, 8, 20, 80, 160, 200, 240, 280, 320, 400)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path / "disk", 2)
    if not disk.real:
        pytest.skip("this user may not mount a file system")
    yield disk
    disk.close()


def _leave(disk: Disk, kilobytes: int) -> None:
    disk.fill()
    ballast = disk.path / BALLAST
    os.truncate(ballast, max(0, ballast.stat().st_size - kilobytes * 1024))


def _half_written(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.name.endswith(".part") or path.suffix == ".sqlite-journal"]


def _begun(study: Path, out: io.StringIO) -> tuple[int, str]:
    err = io.StringIO()
    options = HubOptions(listen="0.0.0.0:0")
    return hub_command(str(study), options, out, err), err.getvalue()


def test_wherever_in_its_beginning_the_disk_is_full_a_hub_says_so_in_a_line(disk: Disk) -> None:
    study = toy_study(disk.path / "study")
    (study / "toy.sqlite").unlink()
    settings = study / "study.toml"
    settings.write_text(settings.read_text().replace("sqlite:///toy.sqlite", ""))
    for path in (study / "domain").iterdir():
        path.unlink()
    (study / "domain" / "generator.py").write_text(GENERATOR)
    (study / "domain" / "__init__.py").write_text("")
    seen, began = list[str](), False
    for room in ROOMS_KB:
        disk.free()
        _leave(disk, room)
        status, err = _begun(study, EndsAfter(1))
        assert _half_written(study) == [], (room, err)
        began = began or status == 0
        if status:
            assert (status, err.count("\n")) == (2, 1), (room, err)
            assert "free some" in err or "No space left on device" in err, (room, err)
            seen.append(err.partition("(")[0].rpartition("/")[2])
    assert began, "there was room enough at last"
    assert len(set(seen)) > 2, seen


def test_a_session_that_a_full_disk_keeps_from_being_opened_is_said_and_the_hub_goes_on(disk: Disk) -> None:
    study = toy_study(disk.path / "study")
    reading, writing = os.pipe()

    class Fills(EndsAfter):
        """Fills the disk once the first session stands there, and asks for a second."""

        def write(self, text: str) -> int:
            if "observer" in text and not self.getvalue().count("observer"):
                disk.fill()
                os.write(writing, b"\n")
            return super().write(text)

    class Frees(io.StringIO):
        """Makes room once the hub has said that there is none, and asks again."""

        def write(self, text: str) -> int:
            if "no space" in text:
                disk.free()
                os.write(writing, b"\n")
            return super().write(text)

    err = Frees()
    with os.fdopen(reading) as requests:
        assert hub_command(str(study), HubOptions(), Fills(2), err, requests=requests) == 0
    os.close(writing)
    (said,) = [line for line in err.getvalue().splitlines() if "space" in line]
    assert said.startswith("The store ")
    with closing(Store(load(study).store_url)) as store:
        assert len(session_names(store)) == 2
    assert _half_written(study) == []


def test_a_token_that_a_full_disk_keeps_from_being_renewed_stays_as_it_is(disk: Disk) -> None:
    study = toy_study(disk.path / "study")
    assert _begun(study, EndsAfter(1))[0] == 0
    (name,) = _names(study)
    with closing(sqlite3.connect(study / "collection.sqlite")) as connection:
        before = connection.execute("SELECT role, token FROM access ORDER BY role").fetchall()
    disk.fill()
    out, err = io.StringIO(), io.StringIO()
    assert revoke_command(str(study), name, ["subject"], out, err) == 2
    assert (out.getvalue(), err.getvalue().count("\n")) == ("", 1)
    assert "free some" in err.getvalue()
    disk.free()
    with closing(sqlite3.connect(study / "collection.sqlite")) as connection:
        assert connection.execute("SELECT role, token FROM access ORDER BY role").fetchall() == before


def _names(study: Path) -> list[str]:
    with closing(Store(load(study).store_url)) as store:
        return session_names(store)
