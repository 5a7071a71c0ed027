"""Spoken replies at the page in a real browser: played there, told in samples, broken into, and shown where nothing is heard."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from rehearsal.session_run import speech
from session import events as e
from session.protocol.messages import SPEECH_RATE
from session.state.fold import Reply
from session.study.extras import endpointer
from session.values.vocabulary import PlaybackEnd, RecordingControl, SpokenPart
from tests.subject.browser.acting import begin_task, pcm, speak
from tests.subject.browser.world import Served, browser, served, study, waveform, why_not

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]

TONE_S = 1.5


def stopped(there: Served) -> list[e.PlaybackStopped]:
    """How each reply came to its end."""
    facts = [record.event for record in there.hub.hosted.store.read(there.session)]
    return [fact for fact in facts if isinstance(fact, e.PlaybackStopped)]


async def said(there: Served) -> Reply:
    """Have the newest take answered by a message; returns the reply when the page has begun to play it."""
    console, take = there.console, there.takes[-1].take
    await there.until(
        "the take at the console", lambda: take in console.state.takes and console.state.takes[take].complete
    )
    console.pick(take)
    console.send_canned("not-heard")
    await there.until(f"the sound {console.message}", lambda: bool(replies_heard(there)))
    return replies_heard(there)[-1]


def replies_heard(there: Served) -> list[Reply]:
    return [reply for reply in there.state.replies.values() if reply.heard_from is not None]


async def test_a_reply_is_heard_to_its_last_sample_and_then_the_recording_goes_on(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", recording=RecordingControl.OPERATOR, spoken=SpokenPart.ANSWER, show_answers=False)
    async with served(made, TONE_S) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await page.get_by_text("Speak when this says RECORDING").wait_for()
        there.console.switch_recording()
        await page.locator("#talk[data-look=recording]").wait_for()
        await page.wait_for_timeout(500)
        there.console.switch_recording()
        await there.until("the take", lambda: there.takes[-1].confirmed)
        reply = await said(there)
        assert await page.locator("#talk[data-look=blocked]").count() == 1
        await there.until("the end of the sound", lambda: bool(stopped(there)))
        (over,) = stopped(there)
        assert (over.reply, over.samples, over.why) == (reply.reply, round(TONE_S * SPEECH_RATE), PlaybackEnd.ENDED)
        assert reply.heard_from is not None
        assert over.at.clock == reply.heard_from.clock
        assert TONE_S - 0.05 < (over.at.mono - reply.heard_from.mono) / 1e9 < TONE_S + 1
        await page.locator("#talk[data-look=recording]").wait_for()
        await there.until("the sound's first sample", lambda: there.takes[-1].began is not None)
        begun = there.takes[-1].began
        assert begun is not None
        assert begun.mono > over.at.mono, "no take begins with the system's own voice"
        assert await page.get_by_text("I did not hear you").count() == 0


async def test_who_breaks_in_is_heard_and_the_reply_falls_silent(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", spoken=SpokenPart.ANSWER, barge_in=True)
    async with served(made, 8.0) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await speak(page, there)
        await said(there)
        await page.wait_for_timeout(700)
        again = await speak(page, there)
        (over,) = stopped(there)
        assert over.why is PlaybackEnd.INTERRUPTED
        assert 0.5 * SPEECH_RATE < over.samples < 6 * SPEECH_RATE
        pressed = there.state.takes[again].pressed
        assert pressed is not None
        assert abs(pressed.mono - over.at.mono) < 0.1e9


async def test_a_reply_goes_on_over_a_lost_connection_and_is_shown_where_the_page_was_left(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", spoken=SpokenPart.ANSWER, show_answers=False)
    async with served(made, 4.0) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await speak(page, there)
        await said(there)
        for desk in list(there.hub.hosted.hub.sessions[there.session].desks):
            if desk.role == "subject":
                desk.leave("the network is gone")
        await there.until("the end of the sound", lambda: bool(stopped(there)))
        assert [(over.why, over.samples) for over in stopped(there)] == [(PlaybackEnd.ENDED, 4 * SPEECH_RATE)]
        await page.locator("#talk[data-look=ready]").wait_for()
        await speak(page, there)
        there.console.pick(there.takes[-1].take)
        there.console.send_canned("not-heard")
        await there.until("the second sound", lambda: len(replies_heard(there)) == 2)
        await page.reload()
        await there.until("the failure", lambda: len(stopped(there)) == 2)
        assert stopped(there)[1].why is PlaybackEnd.FAILED
        await there.until("its text", lambda: list(there.state.replies.values())[-1].shown is not None)


@pytest.mark.skipif(not endpointer(), reason="no end-pointer is installed")
async def test_one_press_begins_and_the_end_of_speech_ends(tmp_path: Path) -> None:
    line, room = speech("boston-denver").repeat(3), np.random.default_rng(5).normal(0, 12, 48_000 * 60)
    said = np.clip(room, -32_768, 32_767).astype(np.int16)
    for begin in range(0, 50, 10):
        said[48_000 * begin + 24_000 :][: len(line)] += line
    soundfile.write(tmp_path / "said.wav", said, 48_000)
    made = study(tmp_path / "study", recording=RecordingControl.ENDPOINTED)
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await page.locator("#talk[data-look=ready]").wait_for()
        await page.keyboard.press(" ")
        await page.locator("#talk[data-look=recording]").wait_for()
        assert await page.get_by_text("The recording ends by itself when you have finished").count() == 1
        await page.locator("#talk[data-look=working]").wait_for()
        await there.until("the take", lambda: there.takes[-1].confirmed)
        take = there.takes[-1]
        facts = [record.event for record in there.hub.hosted.store.read(there.session)]
        (found,) = [fact for fact in facts if isinstance(fact, e.EndPointed)]
        assert found.speech_end is not None
        heard = pcm(there, take.take)
        assert np.abs(heard[found.speech_end - 8_000 : found.speech_end]).max() > 1_000, "somebody spoke until then"
        assert np.abs(heard[found.speech_end + 3_200 :]).max() < 1_000, "nobody did after it"
        assert len(heard) == take.sealed[0].samples
        assert take.tail == 0, "the quiet in which the end was found is tail enough"
