"""The lobby: an address opens one visit once, who comes waits for a wizard, and who does not come back gives the place up."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from session import commands as c
from session.collection.invitations import invitations_of
from session.collection.roster import people_of
from session.protocol.messages import Rejected, encode
from session.protocol.side_messages import AdmitRequest, LobbyState
from session.study.toml_reader import StudyError
from tests.server.lobby_world import DAY, World, agreed, world_of
from tests.together.pipe import SESSION, PipedDesk, opened


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    made = world_of(tmp_path, minutes=20, return_minutes=10)
    yield made
    await made.bench.close()


async def test_an_invitation_waits_for_a_wizard_and_opens_one_visit_once(world: World) -> None:
    first, second, third, guest = *world.invite(count=3, at="https://lab.example.org"), "https://h/join#guessed"
    assert first.startswith("https://lab.example.org/join#")
    waiting = await world.come(first)
    behind = await world.come(second, "two")
    assert waiting.told[-1]["place"] == "You are next."
    assert waiting.told[-1]["duration"] == "It takes about 20 minutes."
    assert behind.told[-1]["place"] == "1 ahead of you. About 20 minutes to go."
    with pytest.raises(Rejected, match="not valid"):
        await world.come(guest, "three")
    with pytest.raises(Rejected, match="used already"):
        await world.come(first, "a stranger's")
    await world.bench.hub.open(SESSION, opened())
    await world.lobby.advance()
    assert waiting.told[-1]["m"] == "wait"  # nobody leads the session yet
    wizard = await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    await world.lobby.advance()
    assert waiting.told[-1]["address"].startswith(f"/visit/{SESSION}#")
    assert behind.told[-1]["place"] == "You are next."
    again = await world.come(first)  # the same browser comes back to the same visit
    assert again.told[-1] == waiting.told[-1]
    with pytest.raises(Rejected, match="used already"):
        await world.come(first, "a stranger's")
    world.invite(revoke=third, until="")
    with pytest.raises(Rejected, match="ask for a new one"):
        await world.come(third, "three")
    world.bench.clock.advance(8 * 86_400)
    late = await world.come(first)
    assert late.told[-1]["m"] == "go"  # it was used in time
    with pytest.raises(Rejected, match="its day is over"):
        await world.come(second, "two")
    (line,) = [line for line in world.invite(until="") if SESSION in line]
    assert "used" in line
    assert DAY in line
    assert line.endswith("used×2")
    assert [one.refused for one in invitations_of(world.bench.store) if one.name == "unknown"] == [("unknown",)]
    assert any("never given out" in line for line in world.told)
    await wizard.cut()


async def test_a_console_sees_who_waits_and_lets_her_in(tmp_path: Path) -> None:
    world = world_of(tmp_path, by_hand=True, minutes=20)
    first, second = world.invite(count=2)
    await world.bench.hub.open(SESSION, opened())
    wizard = await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    transcriber = await PipedDesk(world.bench, "t-transcriber", "tra").connect()
    waiting = await world.come(first)
    world.bench.clock.advance(90)
    behind = await world.come(second, "two")
    told = [happening for happening in wizard.happened if isinstance(happening, LobbyState)]
    assert told[-1] == LobbyState(2, 90, True)
    assert waiting.told[-1]["place"] == "You are next."
    await transcriber.raw(encode(AdmitRequest()))
    assert "its role may not see" in transcriber.closed
    await world.lobby.advance()
    assert waiting.told[-1]["m"] == "wait"  # nobody may let in but those who lead the session
    await wizard.raw(encode(AdmitRequest()))
    await world.lobby.advance()
    assert waiting.told[-1]["m"] == "go"
    subject = await PipedDesk(world.bench, "t-subject", "sub").connect()
    await world.lobby.advance()
    assert behind.told[-1]["place"] == "You are next. It can take up to 20 minutes until it begins."
    told = [happening for happening in wizard.happened if isinstance(happening, LobbyState)]
    assert told[-1] == LobbyState(1, 0, False)
    await subject.cut()
    await behind.connection.closed("")
    await world.lobby.advance()
    assert wizard.happened[-1] == LobbyState()
    await world.bench.close()


async def test_an_address_leads_back_to_the_last_screen_for_an_hour_after_the_end(world: World) -> None:
    (address,) = world.invite()
    await world.bench.hub.open(SESSION, opened())
    wizard = await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    await world.come(address)
    await wizard.give(c.EndSession(id="e", reason="done"))
    assert (await world.come(address)).told[-1]["m"] == "go"
    world.bench.clock.advance(2 * 3600)
    with pytest.raises(Rejected, match="This session is over"):
        await world.come(address)


async def test_who_was_invited_by_her_id_gets_a_session_of_her_own(world: World) -> None:
    (address,) = world.invite(person="007")
    waiting = await world.come(address)
    assert world.opened == ["007"]
    await world.bench.hub.open(SESSION, opened())
    await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    await world.lobby.advance()
    assert waiting.told[-1]["m"] == "wait"  # that session is another speaker's
    world.bench.clock.advance(7 * 3600)
    await world.lobby.advance()
    assert waiting.left.startswith("You have been waiting for a very long time")
    assert world.told[-1].endswith("was left open in the lobby for so long that it was sent away.")
    (line,) = [line for line in world.invite(until="") if "007" in line]
    assert line.endswith("left_open×1")


async def test_who_does_not_come_back_gives_up_the_session_and_the_slot(world: World) -> None:
    state = lambda: world.bench.hub.sessions[SESSION].state  # noqa: E731
    await agreed(world)
    world.bench.clock.advance(9 * 60)
    await world.returning.look()
    assert not state().ended
    world.bench.clock.advance(2 * 60)
    await world.returning.look()
    assert state().ended
    assert people_of(world.bench.store)["b01"].left == "the participant did not come back within 10 minutes"
    assert world.told == [f"Session {SESSION} was ended: the participant did not come back within 10 minutes."]


async def test_a_recruiting_services_id_opens_one_visit_and_stays_out_of_the_study(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="--participants FILE"):
        world_of(tmp_path / "a", participant="PROLIFIC_PID")
    with pytest.raises(StudyError, match="outside"):
        world_of(tmp_path / "b", str(tmp_path / "b" / "study" / "ids.csv"))
    ids = tmp_path / "ids.csv"
    world = world_of(tmp_path / "c", str(ids), participant="PROLIFIC_PID", open=True)
    with pytest.raises(Rejected):
        await world.come("", query="PID=5f3a9c")
    with pytest.raises(Rejected, match="not valid"):
        await world.come("", query="&".join(f"PROLIFIC_PID={number}" for number in range(99)))
    await world.bench.hub.open(SESSION, opened())
    await PipedDesk(world.bench, "t-wizard", "wiz").connect()
    waiting = await world.come("", query="STUDY_ID=7&PROLIFIC_PID=5f3a9c")
    assert waiting.told[-1]["m"] == "go"
    with pytest.raises(Rejected, match="used already"):
        await world.come("", "another", "PROLIFIC_PID=5f3a9c")
    assert ids.read_text().splitlines()[1].startswith(f"5f3a9c,b01,{SESSION},")
    assert ids.stat().st_mode & 0o077 == 0
    await world.bench.close()
    kept = b"".join(path.read_bytes() for path in world.study.folder.rglob("*") if path.is_file())
    assert b"5f3a9c" not in kept
