"""The page where it is seen otherwise: enlarged until little of it fits, and written from right to left."""

import dataclasses
from pathlib import Path

import msgspec
import pytest

from session.study.folder import load
from session.study.screen_words import ENGLISH, placeholders, shipped
from session.values.vocabulary import Outcome, RecordingControl, Step
from tests.subject.browser.acting import LONG_ENOUGH_MS, agree, becomes_true, begin_task, speak
from tests.subject.browser.world import Served, browser, served, study, waveform, why_not

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]

NO_PRACTICE = (Step.CONSENT, Step.SCENARIOS)
MORE_THAN_A_WINDOW = "document.documentElement.scrollWidth > window.innerWidth"


@pytest.mark.parametrize(("width", "height"), [(640, 400), (360, 640), (320, 256)], ids=["200 %", "phone", "400 %"])
async def test_enlarged_or_on_a_phone_everything_is_in_reach(tmp_path: Path, width: int, height: int) -> None:
    waveform(tmp_path / "said.wav")
    window = {"viewport": {"width": width, "height": height}, "color_scheme": "dark", "reduced_motion": "reduce"}
    async with (
        served(study(tmp_path / "study", steps=NO_PRACTICE)) as there,
        browser(tmp_path / "b", tmp_path / "said.wav", **window) as context,
    ):
        page = context.pages[0]
        await page.goto(there.page)
        assert not await page.evaluate(MORE_THAN_A_WINDOW)
        await agree(page, there)
        await there.scenario(1)
        take = await speak(page, there)
        if height > 300:
            box = await page.locator("#talk").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height, "the button is in the window while the page is scrolled"
        await there.until("the take at the console", lambda: take in there.console.state.takes)
        there.console.pick(take)
        for said in range(1, 13):
            there.console.send_canned("one-moment")
            await there.until("the newest reply in sight", lambda said=said: replies_shown(there) == said)  # type: ignore[misc]
        await there.answer(take, "which are they")
        assert not await page.evaluate(MORE_THAN_A_WINDOW)
        there.console.end_scenario(Outcome.ENDED, "enough")
        await there.until("the end of the task", lambda: there.state.run is None)
        await there.scenario(2)
        await page.locator("li.heading").wait_for()
        await page.get_by_role("button", name="Solved").click()
        await page.get_by_role("textbox").fill("It is Denver.")
        await page.get_by_role("button", name="Submit").click()
        await there.until("the solution", lambda: there.state.runs[1].solution == "It is Denver.")


SIZES = "['headline', 'heard'].map((id) => document.getElementById(id).getBoundingClientRect().height)"


async def test_how_things_stand_is_said_once_on_the_button_and_unseen_to_who_listens_to_the_page(
    tmp_path: Path,
) -> None:
    waveform(tmp_path / "said.wav")
    async with (
        served(study(tmp_path / "study", steps=NO_PRACTICE)) as there,
        browser(tmp_path / "b", tmp_path / "said.wav") as context,
    ):
        page = context.pages[0]
        await page.goto(there.page)
        await agree(page, there)
        hint, headline = page.locator("#talk .hint"), page.locator("#headline")
        await becomes_true(
            page, f"document.querySelector('#talk .hint').textContent === '{ENGLISH['headline.between']}'"
        )
        assert await page.evaluate(SIZES) == [1, 0]
        await there.scenario()
        assert await headline.text_content() == ENGLISH["headline.ready"]
        assert await page.locator("header").evaluate("(header) => header.getBoundingClientRect().height") < 2
        take = await speak(page, there)
        await there.until("the take at the console", lambda: take in there.console.state.takes)
        there.console.pick(take)
        there.console.transcribe("how many cities")
        await there.until("what was understood on the page", lambda: there.state.takes[take].transcription_shown)
        assert await page.locator("#heard").text_content() == "Understood: how many cities"
        assert await page.evaluate(SIZES) == [1, 1]
        assert await page.locator("summary").get_by_text("how many cities").is_visible()
        there.console.send_canned("one-moment")
        there.console.pause("lunch")
        await page.locator("#talk .hint", has_text=ENGLISH["headline.paused"]).wait_for()
        assert await hint.text_content() == await headline.text_content()


async def test_a_second_finger_on_the_button_ends_nothing_that_the_first_one_holds(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", steps=NO_PRACTICE, recording=RecordingControl.HOLD)
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav", **phone) as context:
        page = context.pages[0]
        await begin_task(page, there)
        await (
            page.locator("#talk[data-look=ready]").get_by_text("Keep a finger on this button while you talk").wait_for()
        )
        tools, box = await context.new_cdp_session(page), await page.locator("#talk").bounding_box()
        thumb = {"x": box["x"] + 100, "y": box["y"] + box["height"] / 2}
        await tools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [thumb]})
        await (
            page.locator("#talk[data-look=recording]").get_by_text("Lift the finger when you have finished").wait_for()
        )
        for what in ("pointerdown", "pointerup"):
            palm = {"pointerId": 77, "pointerType": "touch", "button": 0, "bubbles": True}
            await page.locator("#talk").dispatch_event(what, palm)
        await page.wait_for_timeout(LONG_ENOUGH_MS)
        assert there.takes[-1].released is None
        await tools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await there.until("the take", lambda: there.takes[-1].confirmed)
        assert (len(there.takes), there.takes[-1].ended_by) == (1, "released")


def replies_shown(there: Served) -> int:
    return sum(reply.shown is not None for reply in there.state.replies.values())


def in_hebrew_letters(folder: Path) -> None:
    """Have a study say everything in Hebrew letters."""
    lines = []
    for key, english in shipped("en").items():
        table, name = key.split(".")
        blanks = "".join(f" {{{blank}}}" for blank in sorted(placeholders(english)))
        lines += [f"[{table}]"] if f"[{table}]" not in lines else []
        lines.append(f"{name} = {msgspec.json.encode(f'אבג {name[0]}{blanks} דהו.').decode()}")
    (folder / "words.toml").write_text("\n".join(lines), encoding="utf-8")
    settings = folder / "study.toml"
    settings.write_text(settings.read_text("utf-8").replace('language = "en"', 'language = "he"'), encoding="utf-8")


async def test_words_of_a_study_s_own_run_from_right_to_left(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", steps=NO_PRACTICE)
    in_hebrew_letters(made.folder)
    made = dataclasses.replace(load(made.folder), profile=made.profile)
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]

        async def lies(selector: str) -> tuple[float, float]:
            """Return how far the words of an element lie from its left and from its right edge."""
            return tuple(await page.evaluate(EDGES, selector))

        await page.goto(there.page)
        await page.locator("#station .row button").nth(1).click()
        left, right = await lies("#headline")
        assert right < left
        await page.locator("#continue").click()
        await page.locator("#dialog button").click()
        await there.scenario(1)
        await there.answer(await speak(page, there), "which are they?")
        assert await page.evaluate("[document.documentElement.dir, document.documentElement.lang]") == ["rtl", "he"]
        assert not await page.evaluate(MORE_THAN_A_WINDOW)
        buttons = page.locator("#actions button")
        first, second = [await buttons.nth(place).bounding_box() for place in (0, 1)]
        assert first["x"] > second["x"], "buttons run from right to left"
        left, right = await lies("#task-text")
        assert left <= right, "an English task keeps its own direction"


EDGES = """(selector) => {
  const place = document.querySelector(selector);
  const words = document.createRange();
  words.selectNodeContents(place);
  const [line] = words.getClientRects();
  const box = place.getBoundingClientRect();
  return [line.left - box.left, box.right - line.right];
}"""


UNCOVERED = """(() => {
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return top >= document.querySelector("header").getBoundingClientRect().bottom - 1 && top < innerHeight && bottom > 0;
})()"""

READABLE = """document.querySelector("legend").getBoundingClientRect().top
    >= document.querySelector("header").getBoundingClientRect().bottom - 1"""


async def test_where_the_page_scrolls_no_text_begins_beneath_the_headline(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    made = study(tmp_path / "study", steps=(Step.CONSENT, Step.INSTRUCTIONS, Step.SCENARIOS, Step.SATISFACTION))
    enlarged = {"viewport": {"width": 550, "height": 400}}
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav", **enlarged) as context:
        page = context.pages[0]
        await page.goto(there.page)
        await page.get_by_role("button", name="Tick everything").click()
        await page.locator("#continue").click()
        await page.get_by_text("WELCOME").wait_for()
        await becomes_true(page, UNCOVERED)
        for _ in range(6):
            await page.keyboard.press("Tab")
            assert await page.evaluate(f"document.activeElement === document.body || {UNCOVERED}")
        await page.locator("#continue").click()
        await there.scenario()
        await page.locator("#talk[data-look=ready]").wait_for()
        there.console.end_scenario(Outcome.ENDED, "enough")
        await there.until("the end of the task", lambda: there.state.run is None)
        there.console.end_session("done")
        for number in (1, 2, 3):
            await page.get_by_text(f"{number} of 8").wait_for()
            await becomes_true(page, READABLE)
            await page.locator("fieldset input").last.check()
            await page.locator("#continue").click()
        there.console.end_session("enough")
        await page.get_by_text("The session is over").wait_for()
        await page.locator("#talk").wait_for(state="hidden")
        await page.locator("#task").wait_for(state="hidden")
