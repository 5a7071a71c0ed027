"""A lobby over a hub in memory, pages of it, and what the experimenter is told."""

import io
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from server.lobby.doorkeeper import Doorkeeper
from server.lobby.lobby_page import Lobby, LobbyConnection
from server.lobby.returning import AbsenceWatch
from server.study_hub import DomainInformation
from session import events as e
from session.commands import Report
from session.hub.access_tokens import load_tokens
from session.store.event_store import Store
from session.store.lobby_queue import LobbyQueue
from session.study.create import new
from session.study.folder import Study
from session.study.settings import Speaker
from session.study.study_file import LobbySettings
from session.study.toml_reader import StudyError
from study.invite_command import InviteOptions, invite_command
from tests.together.pipe import SESSION, Bench, PipedDesk, at, opened

DAY = "2023-11-20"
"""The benches' clock stands at 14 November 2023."""


@dataclass
class World:
    """A study with a lobby over a hub in memory; `told` is what the experimenter was told."""

    study: Study
    bench: Bench
    lobby: Lobby
    returning: AbsenceWatch
    told: list[str]
    opened: list[str]

    def invite(self, **options: Any) -> list[str]:
        out, err = io.StringIO(), io.StringIO()
        asked = InviteOptions(study=str(self.study.folder), **{"until": DAY, **options})
        assert invite_command(asked, self.bench.clock, out, err) == 0, err.getvalue()
        return out.getvalue().split("\n")[:-1]

    async def come(self, address: str, ticket: str = "one", query: str = "") -> "Waiting":
        waiting = Waiting(self.lobby)
        code = address.rpartition("#")[2]
        await waiting.connection.receive(json.dumps({"m": "hello", "code": code, "ticket": ticket, "query": query}))
        await self.bench.settle()
        return waiting


class Waiting:
    """A page of the lobby: what it was told last, and why it was closed."""

    def __init__(self, lobby: Lobby) -> None:
        self.told: list[dict[str, Any]] = []
        self.left = ""
        self.connection: LobbyConnection = lobby.connection(
            lambda frame: self.told.append(json.loads(frame)), lambda why: setattr(self, "left", why)
        )


def world_of(folder: Path, participants: str = "", **settings: Any) -> World:
    folder.mkdir(exist_ok=True)
    made = new(folder / "study")
    made = replace(made, settings=msgspec.structs.replace(made.settings, lobby=LobbySettings(**settings)))
    return hub_of(made, "hub", participants)


def hub_of(made: Study, name: str, participants: str = "") -> World:
    """A further hub, of this name, with its part of the study's lobby."""
    tokens, told, wished = load_tokens(made.folder), list[str](), list[str]()
    bench = Bench(Store(made.store_url), beside=lambda clock: DomainInformation(made, "", None, None, clock))

    async def opening(speaker: Speaker) -> Any:
        wished.append(speaker.id)

    try:
        door = Doorkeeper(made, participants, tokens.sealed, told.append, bench.clock)
    except StudyError:
        bench.store.close()
        raise
    queue = LobbyQueue(bench.store, name)
    lobby = Lobby(made, bench.hub, tokens, door, queue, opening, bench.clock)
    return World(made, bench, lobby, AbsenceWatch(made, bench.hub, told.append, bench.clock), told, wished)


def alive(world: World, *names: str) -> None:
    """Have the store believe for the time being that the hubs of these names live, and no others."""
    with world.bench.store.writing("nothing") as connection:
        connection.exec_driver_sql("DELETE FROM hubs")
        for name in names:
            connection.exec_driver_sql(f"INSERT INTO hubs (name, until) VALUES ('{name}', {2**52})")


async def agreed(world: World) -> None:
    """A session whose subject has come and agreed to be recorded."""
    await world.bench.hub.open(SESSION, opened())
    subject = await PipedDesk(world.bench, "t-subject", "sub").connect()
    given = e.ConsentGiven(at=at(), version="1", scopes={"record": True}, sha256="0" * 64)
    await subject.give(Report(id="c", event=given))
