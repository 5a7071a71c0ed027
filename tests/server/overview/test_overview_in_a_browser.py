"""The experimenter's page in a real browser: what it shows of a session that goes on, a call answered, nobody shut out."""

from contextlib import closing
from pathlib import Path

import pytest

from session.collection.roster import VERSIONS, PersonInvited, append
from session.store.event_store import Store
from session.values.clock import Stamp
from tests.subject.browser.acting import becomes_true, begin_task
from tests.subject.browser.world import axe, browser, served, study, waveform, why_not

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]
AXE = "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"


async def test_a_session_is_followed_and_its_call_is_answered(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav", 60.0)
    made = study(tmp_path / "study")
    with closing(Store(made.store_url, VERSIONS)) as store:
        append(store, None, "zz9", Stamp("test", 1, 1), PersonInvited(speaker="zz9"))
    options = {"bypass_csp": True}  # for axe alone, which is put into the page
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav", **options) as context:
        console, asked = await context.new_page(), list[str]()
        console.on("request", lambda request: asked.append(request.url))
        await console.goto(there.hub.overview_address())
        line = console.locator(f"tr[data-session={there.session}]")
        await line.get_by_text("open; no subject yet").wait_for()
        subject = context.pages[0]
        await begin_task(subject, there)
        await line.get_by_text("practice: ").wait_for()
        await subject.locator("#talk[data-look=ready]").click()
        await line.get_by_text("the subject is talking").wait_for()
        await becomes_true(console, "document.querySelector('meter').value > 20")
        await subject.locator("#talk").click()
        await line.get_by_text("the subject, for an answer").wait_for()
        await subject.get_by_role("button", name="Call the experimenter").click()
        for scheme in ("light", "dark"):
            await console.emulate_media(color_scheme=scheme)
            await console.evaluate(axe())
            found = (await console.evaluate(AXE))["violations"]
            assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        await console.get_by_role("button", name="Answer the call").click()
        await there.until("the answer", lambda: not there.state.called)
        await line.get_by_role("button").wait_for(state="detached")
        await console.get_by_text("Open sessions").wait_for()
        await console.locator("#people").get_by_text("invited").wait_for()
        assert {url.split("/overview/")[0] for url in asked} == {f"http://127.0.0.1:{there.port}"}
        await console.goto("about:blank")
        await console.goto(there.hub.overview_address()[:-1])
        await console.get_by_text("This address is not valid here").wait_for()
