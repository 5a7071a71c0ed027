"""The device check in a real browser: another microphone chosen and kept, and what was said heard again."""

from pathlib import Path

import pytest

from session import events as e
from session.values.vocabulary import Step
from tests.subject.browser.acting import becomes_true
from tests.subject.browser.world import Served, browser, served, study, waveform, why_not

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]

ASKING_LATE = """
const real = navigator.mediaDevices.enumerateDevices.bind(navigator.mediaDevices);
navigator.mediaDevices.enumerateDevices = async () =>
  window.page?.microphone.open ? real() : (await real()).map(({ kind }) => ({ kind, deviceId: "", label: "" }));"""
PLAYED = """
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (...when) {
  window.played = [this.buffer.duration, this.context.state];
  return start.apply(this, when);
};"""


def opened(there: Served) -> list[str]:
    """The names of the microphones that were opened, one after the other."""
    facts = [record.event for record in there.hub.hosted.store.read(there.session)]
    return [fact.microphone for fact in facts if isinstance(fact, e.MicrophoneOpened)]


async def test_a_microphone_is_chosen_tried_by_ear_and_kept_over_a_reload(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", steps=(Step.CONSENT, Step.MICROPHONE_CHECK, Step.SCENARIOS))
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await page.add_init_script(ASKING_LATE + PLAYED)
        await page.goto(there.page)
        await page.get_by_role("button", name="Tick everything").click()
        await page.locator("#continue").click()
        choice = page.get_by_label("Microphone", exact=True)
        await choice.wait_for()
        names = await choice.locator("option").all_inner_texts()
        assert len(set(names)) > 1, "the names are there once a microphone is open"
        await there.until("the first microphone", lambda: len(opened(there)) == 1)
        other = next(name for name in names if name != opened(there)[0])
        await choice.select_option(label=other)
        await there.until("the other one", lambda: opened(there)[1:] == [other])
        await page.get_by_text("Sounds good").wait_for()
        for _ in range(40):  # what the other microphone has given grows from nothing
            await page.get_by_role("button", name="Hear what was just recorded").click()
            await becomes_true(page, "window.played?.[1] === 'running'")
            if (seconds := (await page.evaluate("window.played"))[0]) > 0.5:
                break
        assert 0.5 < seconds <= 4.1
        assert await choice.evaluate("each => each.selectedOptions[0].text") == other
        await page.reload()
        await there.until("it again", lambda: len(opened(there)) == 3)
        assert opened(there)[2] == other
        await page.get_by_text("Sounds good").wait_for()
        await page.locator("#continue").click()
        await there.until("the check", lambda: there.state.checked is not None)
