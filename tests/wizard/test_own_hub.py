"""The hub of `curtain wizard STUDY --browser`: the page, the lobby, and who comes from there to the console's session."""

import asyncio
import io
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import connect

from server.study_hub import StudyHub, running_study_hub
from session.audio.fake import FileLoudspeaker
from session.study.folder import load
from session.study.settings import Speaker
from session.study.study_file import LobbySettings
from session.transport.listen_address import ListenAddress
from session.values.clock import SystemClock
from session.values.vocabulary import Role
from subject.browser.pages import Pages
from tests.server.toy_study import toy_study
from wizard import own_hub as module
from wizard.desk import WizardDesk
from wizard.launch import ConsoleRun, HubRequest
from wizard.own_hub import LOBBY_ADDRESS, chosen_session, own_hub


async def test_a_lobby_beside_a_console_leads_to_its_session(tmp_path: Path) -> None:
    study, ids = load(toy_study(tmp_path / "study")), tmp_path / "ids.csv"
    lobby = LobbySettings(open=True, participant="PID")
    study = replace(study, settings=msgspec.structs.replace(study.settings, lobby=lobby))
    clock, sitting = SystemClock("wizard"), ConsoleRun("Oz", None, "dark", io.StringIO())
    desk = WizardDesk(None, clock, lambda: None, loudspeaker=FileLoudspeaker)
    plain = HubRequest(ListenAddress(), Role.WIZARD, pages=Pages)
    async with own_hub(sitting, study, plain, desk):
        assert not (study.folder / LOBBY_ADDRESS).exists(), "nothing would keep the ids"
    async with own_hub(sitting, study, msgspec.structs.replace(plain, participants=str(ids)), desk) as place:
        address = (study.folder / LOBBY_ADDRESS).read_text(encoding="utf-8").strip()
        origin = address.removesuffix("/join")
        at_work = asyncio.create_task(desk.run())
        desk.lead(place.address)
        async with connect(f"{origin.replace('http', 'ws', 1)}/join/link", origin=origin) as page:  # type: ignore[arg-type]
            await page.send(json.dumps({"m": "hello", "code": "", "ticket": "one", "query": "PID=5f3a9c"}))
            while (told := json.loads(await page.recv()))["m"] == "wait":
                pass
        assert f"{origin}{told['address']}" == place.invitation
        at_work.cancel()
        await asyncio.gather(at_work, return_exceptions=True)
    desk.close()
    assert ids.read_text(encoding="utf-8").splitlines()[1].startswith(f"5f3a9c,001,{place.address.session},")
    assert not (study.folder / LOBBY_ADDRESS).exists()


async def test_a_console_takes_up_no_session_that_another_hub_is_at_work_on_but_one_that_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, clock = load(toy_study(tmp_path / "study")), SystemClock("hub")
    monkeypatch.setattr(module, "DEAD_AFTER_S", 0.0)

    async def chosen(hub: StudyHub, *, resume: bool | None = None) -> str:
        return (await chosen_session(hub, Speaker(id=""), "Oz", resume, clock)).name

    async with running_study_hub(study, clock, ListenAddress()) as first:
        held = (await first.open_session()).name
        async with running_study_hub(study, clock, ListenAddress()) as second:
            with pytest.raises(ValueError, match="but those that another hub serves; leave out --resume"):
                await chosen(second, resume=True)
            own = await chosen(second)
            assert own != held
        assert list(first.hosted.hub.sessions) == [held], "nobody asked for it"
        async with running_study_hub(study, clock, ListenAddress()) as third:
            assert await chosen(third) == own, "its hub has ended"
