"""The page in a real browser when something is lost: the page, the browser, the network, the microphone, the wish to go on."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from session import events as e
from session.protocol.messages import DeskTurnedAway
from session.values.vocabulary import AudioTrouble, DeskRefusal, Step
from tests.subject.browser.acting import (
    LONG_ENOUGH_MS,
    agree,
    becomes_true,
    begin_talking,
    begin_task,
    calls,
    likeness,
    pcm,
    speak,
    troubles,
)
from tests.subject.browser.world import browser, served, study, waveform, why_not

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]

KEPT_NODE = """window.AudioWorkletNode = class extends AudioWorkletNode {
  constructor(...given) { super(...given); window.kept = this; }
};"""


async def test_a_reload_in_the_middle_of_a_take_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_talking(page, there)
        await page.wait_for_timeout(1_500)
        take = there.takes[-1].take
        page.on("dialog", lambda dialog: dialog.accept())
        await page.reload()
        await there.until("the take after all", lambda: there.state.takes[take].confirmed)
        known = there.state.takes[take]
        assert known.recovered
        assert known.sealed[0].samples > 16_000
        assert troubles(there, take) == {AudioTrouble.RECOVERED}
        await there.answer(take, "how many cities are there")
        again = await speak(page, there)
        assert again != take
        assert not there.state.takes[again].recovered


@pytest.mark.parametrize("files", [True, False], ids=["in files", "in the database"])
async def test_without_a_network_speaking_goes_on_and_comes_later(tmp_path: Path, files: bool) -> None:
    source = waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        if not files:
            await page.add_init_script("delete StorageManager.prototype.getDirectory")
        await begin_task(page, there)
        await page.locator("#talk[data-look=ready]").wait_for()
        await context.set_offline(True)
        for server in list(there.hub.hosted.hub.sessions[there.session].desks):
            if server.role == "subject":
                server.leave("the network is gone")
        await page.get_by_text("The connection has been interrupted").wait_for()
        await page.locator("#talk").click()
        await page.locator("#talk[data-look=recording]").wait_for()
        await page.wait_for_timeout(LONG_ENOUGH_MS)
        await page.locator("#talk").click()
        await page.wait_for_timeout(800)
        assert there.takes == []
        await context.set_offline(False)
        await there.until("the take", lambda: len(there.takes) == 1 and there.takes[0].confirmed)
        assert min(likeness(source, pcm(there, there.takes[0].take))) > 0.97
        left = "Promise.all((await indexedDB.databases()).map(each => each.name))"
        assert await page.evaluate(f"(async () => {left})()")


async def test_who_is_cut_off_in_a_take_is_not_told_of_a_recording_that_is_over_and_may_go_on(tmp_path: Path) -> None:
    source = waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_talking(page, there)
        await context.set_offline(True)
        for desk in list(there.hub.hosted.hub.sessions[there.session].desks):
            if desk.role == "subject":
                desk.leave("the network is gone")
        await page.get_by_text("You can finish your request").wait_for()
        assert await page.locator("#headline").inner_text() == "You are being recorded."
        await page.wait_for_timeout(LONG_ENOUGH_MS)
        await page.locator("#talk").click()
        await page.get_by_text("Your request is saved on this device").wait_for()
        await page.locator("#headline").get_by_text("You may speak.").wait_for()
        await page.locator("#talk[data-look=ready]").click()
        await page.locator("#talk[data-look=recording]").wait_for()
        await page.wait_for_timeout(LONG_ENOUGH_MS)
        await page.locator("#talk").click()
        await page.locator("#talk[data-look=ready]").wait_for()
        await context.set_offline(False)
        await there.until("both takes", lambda: len(there.takes) == 2 and all(take.confirmed for take in there.takes))
        assert all(min(likeness(source, pcm(there, take.take))) > 0.97 for take in there.takes)
        await page.get_by_text("Your request is saved").wait_for(state="hidden")
        for take in there.takes:
            await there.answer(take.take, "which are they")


async def test_a_killed_browser_sends_its_take_when_it_is_opened_again(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there:
        async with browser(tmp_path / "b", tmp_path / "said.wav") as context:
            page = context.pages[0]
            await begin_talking(page, there)
            await page.wait_for_timeout(2_500)
        take = there.takes[-1].take
        assert there.takes[-1].stopped is None
        async with browser(tmp_path / "b", tmp_path / "said.wav") as context:
            page = context.pages[0]
            await page.goto(there.page)
            await there.until("the take after all", lambda: there.state.takes[take].confirmed)
            assert there.state.takes[take].recovered
            assert len(pcm(there, take)) > 2 * 16_000
            await there.answer(take, "which are they")
            await speak(page, there)


async def test_a_refused_microphone_is_told_and_tried_again_when_the_call_was_answered(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    refusing = """let asked = 0;
    const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = (wish) =>
      asked++ ? real(wish) : Promise.reject(new DOMException("no", "NotAllowedError"));"""
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await page.add_init_script(refusing)
        await page.goto(there.page)
        await agree(page, there)
        await page.get_by_text("This page may not use the microphone").wait_for()
        await there.until("the call", lambda: bool(calls(there)))
        await there.scenario()
        assert await page.locator("#talk[data-look=blocked]").count() == 1
        there.console.answer_call()
        await page.locator("#talk[data-look=ready]").wait_for()
        await speak(page, there)
        assert len(calls(there)) == 1


async def test_an_unplugged_microphone_ends_the_take_and_costs_nothing_that_was_said(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_talking(page, there)
        await page.wait_for_timeout(1_000)
        await page.evaluate("page.microphone.gone('unplugged')")
        await there.until("the take", lambda: bool(there.takes) and there.takes[-1].confirmed)
        assert len(pcm(there, there.takes[-1].take)) > 16_000
        await page.get_by_text("The microphone cannot be used").wait_for()
        await there.until("the loss", lambda: "s" in there.state.lost_microphones)
        there.console.answer_call()
        await there.until("the return", lambda: not there.state.lost_microphones)
        await there.answer(there.takes[-1].take, "which are they")
        await speak(page, there)


async def test_a_permission_withdrawn_in_the_middle_of_a_take_costs_nothing_that_was_said(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_talking(page, there)
        await page.wait_for_timeout(1_000)
        tools = await context.new_cdp_session(page)
        denied = {"permission": {"name": "microphone"}, "setting": "denied", "origin": there.origin}
        await tools.send("Browser.setPermission", denied)
        await page.get_by_text("This page may not use the microphone").wait_for()
        await there.until("the take", lambda: there.takes[-1].confirmed)
        assert len(pcm(there, there.takes[-1].take)) > 16_000
        assert there.takes[-1].ended_by == "microphone lost"
        assert len(calls(there)) == 1
        await there.answer(there.takes[-1].take, "which are they")
        await tools.send("Browser.setPermission", denied | {"setting": "granted"})
        await page.locator("#talk[data-look=ready]").wait_for()
        await page.get_by_text("This page may not use").wait_for(state="hidden")
        await speak(page, there)


async def test_a_microphone_from_which_nothing_comes_is_lost_and_told_within_seconds(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await page.add_init_script(KEPT_NODE)
        await begin_talking(page, there)
        await page.wait_for_timeout(1_000)
        await page.evaluate("window.kept.port.postMessage(null)")  # from here on it hands out nothing
        await page.get_by_text("The microphone cannot be used").wait_for()
        await there.until("the take", lambda: there.takes[-1].confirmed)
        assert len(pcm(there, there.takes[-1].take)) > 16_000
        assert {AudioTrouble.STALL, AudioTrouble.DEVICE_LOST} <= troubles(there, there.takes[-1].take)
        assert len(calls(there)) == 1


async def test_a_full_disk_is_told_and_the_take_arrives_from_memory(tmp_path: Path) -> None:
    source = waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await page.locator("#talk[data-look=ready]").wait_for()
        tools = await context.new_cdp_session(page)
        await tools.send("Storage.overrideQuotaForOrigin", {"origin": f"{there.origin}/", "quotaSize": 1})
        await page.locator("#talk").click()
        await page.get_by_text("There is no room left on this device").wait_for()
        await page.wait_for_timeout(LONG_ENOUGH_MS)
        await page.locator("#talk").click()
        await there.until("the take", lambda: bool(there.takes) and there.takes[-1].confirmed)
        take = there.takes[-1].take
        assert min(likeness(source, pcm(there, take))) > 0.97
        assert troubles(there, take) == {AudioTrouble.DISK}
        await page.get_by_text("There is no room left on this device").wait_for(state="hidden")
        await there.answer(take, "which are they")


async def test_a_reload_in_a_form_keeps_its_place_and_its_answers_until_they_are_given(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", steps=(Step.CONSENT, Step.SCENARIOS, Step.SATISFACTION, Step.COMMENTS))
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await page.goto(there.page)
        await agree(page, there)
        there.console.end_session("done")
        *rated, worst = made.questionnaires["satisfaction"].item
        for item in rated:
            await page.locator("#station legend", has_text=item.text).wait_for()
            await page.get_by_label(item.choices[3], exact=True).check()
            await page.locator("#continue").click()
        await page.get_by_role("textbox").fill("The waiting.")
        await page.reload()
        await page.locator("#station legend", has_text=worst.text).wait_for()
        assert await page.get_by_role("textbox").input_value() == "The waiting."
        await page.get_by_role("button", name="Previous question").click()
        assert await page.get_by_label(rated[-1].choices[3], exact=True).is_checked()
        await page.locator("#continue").click()
        await page.locator("#continue").click()
        await page.locator("#station legend", has_text=made.questionnaires["comments"].item[0].text).wait_for()
        stored = [record.event for record in there.hub.hosted.store.read(there.session)]
        (given,) = [event for event in stored if isinstance(event, e.QuestionnaireAnswered)]
        assert given.answers == {item.id: item.choices[3] for item in rated} | {worst.id: "The waiting."}
        assert "The waiting." not in str(await page.evaluate("Object.values(localStorage)"))


async def test_the_screen_stays_on_until_the_session_is_over(tmp_path: Path) -> None:
    held = """window.locks = [];
    const real = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = async (kind) => { const lock = await real(kind); window.locks.push(lock); return lock; };"""
    async with (
        served(study(tmp_path / "study", steps=(Step.CONSENT, Step.SCENARIOS))) as there,
        browser(tmp_path / "b") as context,
    ):
        page = context.pages[0]
        await page.add_init_script(held)
        await page.goto(there.page)
        await becomes_true(page, "window.locks.length === 1 && !window.locks[0].released")
        await agree(page, there)
        there.console.end_session("done")
        await page.get_by_text("The session is over").wait_for()
        await becomes_true(page, "window.locks.every((lock) => lock.released)")


async def test_a_muted_microphone_is_told_while_its_silence_is_recorded(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "muted.wav", np.zeros(48_000 * 20, dtype=np.int16), 48_000, subtype="PCM_16")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "muted.wav") as context:
        page = context.pages[0]
        await begin_talking(page, there)
        await page.locator("#talk .hint").get_by_text("NO SOUND: is the microphone on?").wait_for()
        await page.locator("#message").get_by_text("NO SOUND: is the microphone on?").wait_for()
        await page.locator("#talk").click()
        await page.locator("#message").get_by_text("NO SOUND").wait_for(state="hidden")
        await there.until("the take", lambda: there.takes[-1].confirmed)
        assert AudioTrouble.SILENCE in troubles(there, there.takes[-1].take)


async def test_who_stops_in_the_middle_of_a_take_is_recorded_no_longer(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_talking(page, there)
        await page.get_by_role("button", name="Stop taking part").click()
        await page.get_by_role("button", name="Stop, and erase what I said.").click()
        await there.until("the withdrawal", lambda: there.state.withdrawn is not None)
        while await page.evaluate("page.microphone.open"):
            await page.wait_for_timeout(50)
        assert there.state.withdrawn is not None
        assert there.state.withdrawn.erase
        await there.until("the take's end", lambda: there.takes[-1].stopped is not None)
        await page.locator("#talk").press("Space")
        await page.locator("#message").get_by_text("You have stopped").wait_for()
        assert "READY" not in await page.locator("main").inner_text()


async def test_a_second_window_does_nothing_and_is_told_of(tmp_path: Path) -> None:
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b") as context:
        page = context.pages[0]
        await page.goto(there.page)
        await page.locator("#continue").wait_for()
        second = await context.new_page()
        await second.goto(there.page)
        await second.get_by_text("This page is open in another place").wait_for()
        await there.until("the word", lambda: there.console.turned_away is not None)
        assert there.console.turned_away == DeskTurnedAway("subject", DeskRefusal.TAKEN)
        third = await context.new_page()
        await third.goto(there.page.replace("#", "#0"))
        wrong = DeskTurnedAway("", DeskRefusal.TOKEN)
        await there.until("the word of a wrong one", lambda: there.console.turned_away == wrong)
        await page.close()
        await second.close()
        await third.reload()
        await third.get_by_text("This address is not valid").wait_for()


@pytest.mark.parametrize(
    "lacking",
    ["let no = module;", "const began = ; // syntax of tomorrow", "import './nothing.js';", ""],
    ids=["fails", "is not understood", "is not there", "lacks sound"],
)
async def test_a_browser_that_cannot_run_the_page_says_so_and_the_experimenter_knows(
    tmp_path: Path, lacking: str
) -> None:
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b") as context:
        page = context.pages[0]
        if lacking:
            await page.route("**/main.js", lambda route: route.fulfill(body=lacking, content_type="text/javascript"))
        else:
            await page.add_init_script("delete window.AudioWorkletNode")
        await page.goto(there.page)
        await page.get_by_text("This browser cannot be used here").wait_for()
        await there.until("the word", lambda: there.console.turned_away is not None)
        assert there.console.turned_away == DeskTurnedAway("subject", DeskRefusal.BROWSER)


async def test_an_address_whose_last_part_was_lost_in_a_message_is_told_to_both_sides(tmp_path: Path) -> None:
    made = study(tmp_path / "study", "de")
    async with served(made) as there, browser(tmp_path / "b") as context:
        page = context.pages[0]
        await page.goto(there.page.partition("#")[0])
        await page.get_by_text(made.words["page.not_admitted"]).wait_for()
        await there.until("the word", lambda: there.console.turned_away is not None)
        assert there.console.turned_away == DeskTurnedAway("", DeskRefusal.TOKEN)
        await page.goto(there.origin)
        await page.get_by_text(made.words["page.not_admitted"]).wait_for()
