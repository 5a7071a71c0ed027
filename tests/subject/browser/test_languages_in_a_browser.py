"""A visit in each language that ships, in Debian's browser: from the first text to the last nothing on the page is English."""

import re
from pathlib import Path

import pytest

from session.study.screen_words import languages
from session.values.vocabulary import Outcome, Step
from tests.subject.browser.acting import after_the_tasks, speak
from tests.subject.browser.world import browser, served, study, waveform, why_not

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]
ENGLISH = re.compile(r"\b(?:the|you|your|and|are|please|with|what|this|that|how|of|to|is)\b", re.IGNORECASE)
KEEP = """() => {
  window.read = new Set();
  const keep = () => { for (const word of document.body.innerText.match(/[\\p{L}]+/gu) ?? []) window.read.add(word); };
  new MutationObserver(keep).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  keep();
}"""


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
async def test_from_the_first_text_to_the_last_nothing_is_english(tmp_path: Path, language: str) -> None:
    waveform(tmp_path / "said.wav", 40.0)
    steps = tuple(step for step in Step if step is not Step.MICROPHONE_CHECK)
    made = study(tmp_path / "study", language, steps=steps, practice_criterion=0)
    words = made.words
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await page.goto(there.page)
        await page.locator("#continue").wait_for()
        await page.evaluate(KEEP)
        assert await page.evaluate("document.documentElement.lang") == language
        await page.get_by_text(made.consent_text.splitlines()[0]).wait_for()
        await page.get_by_role("button", name=words["button.tick_all"]).click()
        await page.locator("#continue").click()
        await there.until("consent", lambda: there.state.consent is not None)
        await page.get_by_text(made.instructions.splitlines()[0]).wait_for()
        await page.locator("#continue").click()
        await there.until("the instructions", lambda: there.state.instructed)
        await there.scenario()
        await page.get_by_text(made.scenarios["practice"].title).wait_for()
        take = await speak(page, there)
        there.console.pick(take)
        there.console.transcribe("unverständlich")
        there.console.send_canned("not-understood")
        await there.until("the canned message", lambda: there.shown(take))
        await page.get_by_text(made.canned_messages["not-understood"].text).wait_for()
        there.console.end_scenario(Outcome.ENDED, "practised")
        await there.until("the practice's end", lambda: there.state.run is None)
        there.console.end_session("done")
        await after_the_tasks(page, there)
        await page.get_by_text(words["headline.ended"]).wait_for()
        read = " ".join(await page.evaluate("[...window.read]"))
        assert len(read.split()) > 500
        assert sorted(set(ENGLISH.findall(read))) == []
