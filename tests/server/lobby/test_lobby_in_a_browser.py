"""The lobby in a real browser: from an invitation to the visit and back to it, nobody shut out."""

import asyncio
import io
from pathlib import Path

import pytest

from server.study_hub import running_study_hub
from session.audio.fake import FileLoudspeaker
from session.transport.listen_address import ListenAddress
from session.values.clock import SystemClock
from session.values.vocabulary import Role
from study.invite_command import InviteOptions, invite_command
from subject.browser.pages import Pages
from tests.subject.browser.world import axe, browser, study, waveform, why_not
from wizard.desk import WizardDesk

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]
AXE = "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"


async def test_an_invitation_leads_from_the_lobby_to_the_visit(tmp_path: Path) -> None:
    made, clock, told, out = study(tmp_path / "study"), SystemClock("hub"), list[str](), io.StringIO()
    waveform(tmp_path / "said.wav")
    pages = Pages(made.profile, ("127.0.0.1",))
    options = {"bypass_csp": True}  # for axe alone, which is put into the page
    async with (
        running_study_hub(made, clock, ListenAddress(), pages=pages, participants="", tell=told.append) as hub,
        browser(tmp_path / "b", tmp_path / "said.wav", **options) as context,
    ):
        session = await hub.open_session()
        asked = InviteOptions(study=str(made.folder), until="2999-01-01", at=f"http://127.0.0.1:{hub.hosted.port}")
        assert await asyncio.to_thread(invite_command, asked, clock, out, out) == 0
        page, stranger = context.pages[0], await context.new_page()
        await page.goto(out.getvalue().strip())
        await page.get_by_text("You are next").wait_for()
        await page.evaluate(axe())
        found = (await page.evaluate(AXE))["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        await stranger.goto(f"http://127.0.0.1:{hub.hosted.port}/join#guessed")
        await stranger.get_by_text("not valid").wait_for()
        assert told == ["A visitor came to the lobby with an address that was never given out."]
        desk = WizardDesk(
            hub.address(session.name, Role.WIZARD), SystemClock("c"), lambda: None, loudspeaker=FileLoudspeaker
        )
        running = asyncio.create_task(desk.run())
        await page.get_by_role("button", name="Tick everything").wait_for()
        await page.goto("about:blank")
        await page.goto(out.getvalue().strip())
        await page.get_by_role("button", name="Tick everything").wait_for()
        assert f"/visit/{session.name}#" in page.url
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        desk.close()
