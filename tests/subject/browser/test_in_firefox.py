"""The page in Debian's Firefox: a visit begins, and what is said into it arrives without a hole."""

import asyncio
from pathlib import Path

import pytest

from session import events as e
from tests.subject.browser.acting import likeness, pcm, troubles
from tests.subject.browser.firefox import Firefox, firefox, why_not
from tests.subject.browser.world import Served, served, study, waveform

pytestmark = [pytest.mark.pulse, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]
TALK = "document.querySelector('#talk[data-look={}]')"
SPEAKING_MS = 1_500


def named(words: str) -> str:
    """The button that bears these words."""
    return f"[...document.querySelectorAll('button')].find(each => each.textContent === {words!r})"


async def begin_task(page: Firefox, there: Served) -> None:
    """Open the page, agree and get a task."""
    await page.go(there.page)
    await page.click(named("Tick everything"))
    await page.click("document.getElementById('continue')")
    await page.click(named("Close"))
    await there.scenario()


async def test_without_anything_to_play_to_the_subject_is_told_and_the_experimenter_called(tmp_path: Path) -> None:
    async with served(study(tmp_path / "study")) as there, firefox(tmp_path / "f", deaf=True) as page:
        await begin_task(page, there)
        await page.click("document.getElementById('task')")
        await page.until("document.getElementById('message').textContent.includes('The microphone cannot be used')")
        await there.until("the call", lambda: there.state.called)


async def test_what_is_said_into_firefox_arrives_without_a_hole(tmp_path: Path) -> None:
    source = waveform(tmp_path / "said.wav", 90.0)
    async with served(study(tmp_path / "study")) as there, firefox(tmp_path / "f") as page:
        speaking = await asyncio.create_subprocess_exec("paplay", "--device=mic_in", str(tmp_path / "said.wav"))
        await begin_task(page, there)
        for number in (1, 2):
            await page.click(TALK.format("ready"))
            await page.until(TALK.format("recording"))
            await page.evaluate(f"new Promise(done => setTimeout(done, {SPEAKING_MS}))")
            await page.click(TALK.format("recording"))
            await there.until(
                "the take",
                lambda number=number: len(there.takes) == number and there.takes[-1].confirmed,  # type: ignore[misc]
            )
            await there.answer(there.takes[-1].take, "how many cities are there")
        speaking.terminate()
        await speaking.wait()
        opened = [each.event for each in there.hub.hosted.store.read(there.session)]
        (applied,) = [event.applied for event in opened if isinstance(event, e.MicrophoneOpened)]
        assert {applied[name] for name in ("echoCancellation", "noiseSuppression", "autoGainControl")} == {"false"}
        for take in there.takes:
            assert troubles(there, take.take) == set()
            alike = likeness(source, pcm(there, take.take))
            assert len(alike) > SPEAKING_MS // 100
            # Firefox stretches sound for a second where a busy host made it late; a block that is missing is like nothing.
            assert min(alike) > 0.3
            assert sorted(alike)[len(alike) // 2] > 0.97
