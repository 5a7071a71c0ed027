"""A study's database is made ready or its fault is named; a foreign one is known by its rows."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from domain.database.build import DatabaseError
from domain.llm_proposal import Endpoint
from server import study_hub
from server.study_hub import external_database, proposal_endpoint
from session.collection.drills import VERSIONS, DrillBegun, DrillEnded, DrillFact, append
from session.commands import IdentifyWizard
from session.hub.attached_desk import Desk
from session.store.event_store import Store
from session.store.upcasting import Versions
from session.study.create import new
from session.study.folder import load
from session.transport.listen_address import ListenAddress
from session.transport.outside_server import OutsideServer
from session.values.clock import SystemClock, stamp
from session.values.vocabulary import Role


def test_a_foreign_database_is_known_by_its_rows(tmp_path: Path) -> None:
    versions: list[str] = []
    for number in (1, 1, 2):
        path = tmp_path / f"{len(versions)}.sqlite"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE city (name TEXT)")
            connection.execute("INSERT INTO city VALUES (?)", (f"city {number}",))
        connection.close()
        versions.append(external_database(f"sqlite:///{path}", "towns").version)
    assert versions[0] == versions[1] != versions[2]
    assert versions[0].startswith("towns ")


def test_a_database_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"study\.toml: it does not answer; start its server"):
        external_database("postgresql+psycopg://nobody@127.0.0.1:1/none", "towns")
    with pytest.raises(DatabaseError, match=r"study\.toml: it cannot be opened; look whether"):
        external_database(f"sqlite:///{tmp_path}", "towns")
    with pytest.raises(DatabaseError, match=r"in study\.toml: .*slip\.sqlite.*no such file"):
        external_database(f"sqlite:///{tmp_path}/slip.sqlite", "towns")
    assert not (tmp_path / "slip.sqlite").exists()


@pytest.fixture
def study(tmp_path: Path) -> Path:
    new(tmp_path / "study")
    return tmp_path / "study"


def test_no_engine_proposes_unless_study_toml_names_one(study: Path) -> None:
    assert proposal_endpoint(load(study), {}) is None


def test_the_key_is_taken_from_the_environment_and_stands_nowhere_in_the_study(study: Path) -> None:
    settings = study / "study.toml"
    named = '\n[engine]\nurl = "https://h/v1/chat/completions"\nmodel = "m-1"\nkey = "THE_KEY"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + named, encoding="utf-8")
    found = proposal_endpoint(load(study), {"THE_KEY": "s3cret"})
    assert found == Endpoint(OutsideServer("https://h/v1/chat/completions", "s3cret", 20.0), "m-1")
    with pytest.raises(ValueError, match="THE_KEY"):
        proposal_endpoint(load(study), {})


async def test_hubs_that_open_sessions_at_the_same_moment_give_their_subjects_ids_of_their_own(study: Path) -> None:
    settings = study / "study.toml"
    with sqlite3.connect(study / "toy.sqlite") as connection:
        connection.execute("CREATE TABLE city (name TEXT)")
    connection.close()
    text = settings.read_text(encoding="utf-8").replace('database = ""', 'database = "sqlite:///toy.sqlite"')
    settings.write_text(text, encoding="utf-8")
    made, clock = load(study), SystemClock("hub")
    async with (
        study_hub.running_study_hub(made, clock, ListenAddress()) as first,
        study_hub.running_study_hub(made, clock, ListenAddress()) as second,
    ):
        sessions = await asyncio.gather(*(hub.open_session() for hub in (first, second) for _ in range(4)))
        opened = [session.state.opened for session in sessions]
        assert len({session.name for session in sessions}) == 8
        assert {start.speaker.id for start in opened if start} == {f"00{number}" for number in range(1, 9)}
        assert first.hosted.store.check_folds() == []


async def test_a_wizard_who_passes_while_a_session_is_open_is_certified_when_she_signs_on_again(study: Path) -> None:
    settings = study / "study.toml"
    with sqlite3.connect(study / "toy.sqlite") as connection:
        connection.execute("CREATE TABLE city (name TEXT)")
    connection.close()
    text = settings.read_text(encoding="utf-8").replace('database = ""', 'database = "sqlite:///toy.sqlite"')
    settings.write_text(text + "\n[training]\nturns = 1\n", encoding="utf-8")
    made, clock = load(study), SystemClock("hub")
    store = Store(made.store_url, VERSIONS)
    async with study_hub.running_study_hub(made, clock, ListenAddress()) as hub:
        session = await hub.open_session(operator="Ada")
        desk = Desk(Role.WIZARD, "console", "hub", 0, lambda message: None, lambda why: None)
        known: list[bool | None] = [session.state.certified]
        for number, passed in enumerate((True, False)):
            begun = DrillBegun(wizard="Ada", source="play", protocol="")
            append(store, f"{number}", 0, stamp(clock), begun, DrillEnded(whole=True, passed=passed))
            await session.command(desk, IdentifyWizard(id=f"{number}", name="Ada"))
            known.append(session.state.certified)
        later = Versions(DrillFact, {"DrillBegun": 99}, {})
        newer = Store(made.store_url, later)
        append(newer, "9", 0, stamp(clock), DrillBegun(wizard="Ada", source="play", protocol=""))
        newer.close()
        await session.command(desk, IdentifyWizard(id="9", name="Ada"))
        known.append(session.state.certified)
    store.close()
    assert known == [False, True, False, False], (
        "of a later release's drills nothing is known: it stays as at the opening"
    )
