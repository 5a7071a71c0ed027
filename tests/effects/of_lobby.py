"""Effects of a study's lobby: what its page is told, who is admitted, and what becomes of who does not come back."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from session import commands as c
from session.protocol.messages import Rejected
from tests.effects.registry import effect
from tests.server.lobby_world import World, agreed, world_of
from tests.subject.browser.page import PipedPage
from tests.together.pipe import SESSION, PipedDesk, opened


def in_lobby(look: Callable[[World, Path], Awaitable[object]], **settings: Any) -> object:
    """What `look` sees of a new study's lobby with these settings."""

    async def looked() -> object:
        with tempfile.TemporaryDirectory() as scratch:
            ids = Path(scratch) / "ids.csv"
            world = world_of(Path(scratch), str(ids), **settings)
            try:
                return await look(world, ids)
            finally:
                await world.bench.close()

    return asyncio.run(looked())


async def _told(world: World, ids: Path) -> object:
    (address,) = world.invite()
    return (await world.come(address)).told[-1]["duration"]


async def _admitted(world: World, ids: Path) -> object:
    await world.bench.hub.open(SESSION, opened())
    await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    try:
        await world.come("", query="PID=5f3a9c&WORKER=w7")
    except Rejected as rejected:
        return str(rejected)
    return ids.read_text(encoding="utf-8").splitlines()[1]


async def _left(world: World, ids: Path) -> object:
    await agreed(world)
    world.bench.clock.advance(20 * 60)
    await world.returning.look()
    return world.told


async def _parted(world: World, ids: Path) -> object:
    await agreed(world)
    page = await PipedPage(world.bench, desk="sub").connect()
    experimenter = await PipedDesk(world.bench, "t-experimenter", "exp").connect()
    await experimenter.give(c.EndSession(id="e", reason="done"))
    return len(page.parts["screen"]["headline"].split())


effect("study.lobby.completion_codes", "the subject's last screen, and the roster's codes", False, True)(
    lambda value: in_lobby(_parted, completion_codes=value)
)
effect("study.lobby.minutes", "the page of the lobby", 20, 30)(lambda value: in_lobby(_told, minutes=value))


async def _let_in(world: World, ids: Path) -> object:
    (address,) = world.invite()
    await world.bench.hub.open(SESSION, opened())
    await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    return (await world.come(address)).told[-1]["m"]


effect("study.lobby.by_hand", "the time of admission from the lobby", False, True)(
    lambda value: in_lobby(_let_in, by_hand=value)
)
effect("study.lobby.open", "admission to the lobby", False, True)(
    lambda value: in_lobby(_admitted, open=value, participant="PID")
)
effect("study.lobby.participant", "the file of participants", "PID", "WORKER")(
    lambda value: in_lobby(_admitted, open=True, participant=value)
)
effect("study.lobby.return_minutes", "the end of a session, and the roster", 0, 15)(
    lambda value: in_lobby(_left, return_minutes=value)
)
