"""The hub of `curtain wizard STUDY --browser`: the page, the lobby, and who comes from there to the console's session."""

import asyncio
import io
import json
from dataclasses import replace
from pathlib import Path

import msgspec
from websockets.asyncio.client import connect

from session.audio.fake import FileLoudspeaker
from session.study.folder import load
from session.study.study_file import LobbySettings
from session.transport.listen_address import ListenAddress
from session.values.clock import SystemClock
from session.values.vocabulary import Role
from subject.browser.pages import Pages
from tests.server.toy_study import toy_study
from wizard.desk import WizardDesk
from wizard.launch import ConsoleRun, HubRequest
from wizard.own_hub import LOBBY_ADDRESS, own_hub


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
