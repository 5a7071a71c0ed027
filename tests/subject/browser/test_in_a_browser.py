"""The page in a real browser, with a waveform for its microphone."""

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from corpus.export.madcow import export
from corpus.export.study_source import source_of
from corpus.formats import waveform as waveforms
from corpus.verify.verify import verify
from operators.attendance import StudyMachines
from session import events as e
from session.study.settings import Operators
from session.values.vocabulary import Operator, Outcome, RecordingControl, Step
from tests.session.play import to_subject
from tests.subject.browser.acting import (
    LONG_ENOUGH_MS,
    after_the_tasks,
    begin_task,
    likeness,
    pcm,
    speak,
    tab_to,
    troubles,
)
from tests.subject.browser.traffic import (
    REVEALING,
    Shown,
    facts_told,
    last_parts,
    retold,
    until_debriefed,
    with_other_secrets,
)
from tests.subject.browser.world import Served, axe, browser, served, study, waveform, why_not
from wizard.core.stage_hands import hands

pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(why_not()), reason=why_not() or "there is one")]


async def test_what_is_said_into_a_browser_is_kept_to_the_last_block(tmp_path: Path) -> None:
    source = waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await page.wait_for_timeout(500)  # a whole pre-roll
        take = await speak(page, there, 3_000)
        known = there.state.takes[take]
        heard = pcm(there, take)
        assert len(heard) == known.sealed[0].samples
        assert known.channels[0].rate == 16_000
        assert known.pre_roll > 3_000
        assert known.tail == 4_800
        alike = likeness(source, heard)
        assert len(alike) > 25
        assert min(alike) > 0.97
        assert float(np.mean(alike)) > 0.99
        assert troubles(there, take) == set()
        opened = [fact.event for fact in there.hub.hosted.store.read(there.session)]
        (applied,) = [fact.applied for fact in opened if isinstance(fact, e.MicrophoneOpened)]
        assert {"echoCancellation", "noiseSuppression", "autoGainControl"} <= {
            name for name, value in applied.items() if value == "false"
        }
        assert known.released is not None
        assert known.pressed is not None
        spoken = (known.released.mono - known.pressed.mono) / 1e9 * 16_000
        assert abs(len(heard) - known.pre_roll - known.tail - spoken) < 16_000 * 0.05


async def test_a_whole_visit_from_consent_to_the_end(tmp_path: Path) -> None:
    source = waveform(tmp_path / "said.wav", 40.0)
    steps = tuple(step for step in Step if step is not Step.COMMENTS)
    made = study(tmp_path / "study", recording=RecordingControl.HOLD, steps=steps, practice_criterion=1)
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page = context.pages[0]
        await page.goto(there.page)
        await page.locator("#continue").click()
        await page.get_by_text("Being recorded is not ticked").wait_for()
        await page.get_by_label("My voice may be recorded").check()
        await page.get_by_label("What I say may be written down").check()
        await page.get_by_label("The recordings may be given").check()
        await page.get_by_label("The written texts").check()
        await page.locator("#continue").click()
        await there.until("consent", lambda: there.state.consent is not None)
        assert there.state.consent is not None
        assert [name for name, given in there.state.consent.scopes.items() if not given] == ["contact"]
        await instructions_and_check(page, there)
        await there.scenario()
        take = await held(page, there, "key")
        await there.answer(take, "how many cities are there")
        there.console.end_scenario(Outcome.ENDED, "practised")
        await there.until("the practice's end", lambda: there.state.run is None)
        await there.scenario(1)
        take = await held(page, there, "mouse")
        await there.answer(take, "and which are they")
        await page.get_by_role("button", name="Solved").click()
        await page.get_by_role("textbox").fill("It is Denver.")
        await page.get_by_role("button", name="Submit").click()
        await there.until("the solution", lambda: there.state.runs[1].solution == "It is Denver.")
        there.console.end_session("done")
        await after_the_tasks(page, there)
        await there.until("the end", lambda: there.state.ended)
        await page.get_by_text("The session is over").wait_for()
        await asyncio.to_thread(exported_as_spoken, there, tmp_path, source)
        await nothing_crossed(there)


async def nothing_crossed(there: Served) -> None:
    """The curtain over what this very browser was sent: no text names what is behind it, and no hidden fact changes a byte."""
    traffic, profile = there.pages.traffic, there.hub.study.profile
    said = list(until_debriefed(traffic))
    assert len(said) > 50
    assert [found for text in said for found in REVEALING.findall(text)] == []
    stored = list(there.hub.hosted.store.read(there.session))
    told = facts_told(traffic)
    assert told == to_subject(stored, profile)
    other = to_subject(with_other_secrets(stored, profile), profile)
    frames = await retold(traffic, told)
    assert await retold(traffic, other) == frames
    shown = [each.frame for each in traffic if isinstance(each, Shown)]
    assert last_parts(frames) == last_parts(shown), "the page that is retold is the one that there was"


def exported_as_spoken(there: Served, folder: Path, source: np.ndarray) -> None:
    """Export the session: the file of the task's one utterance is like the source in every block, the log has the microphone."""
    study_source = source_of(there.hub.study, there.hub.hosted.store, [there.session])
    export(study_source, folder / "corpus")
    (file,) = (folder / "corpus").rglob("*s.wav")
    heard = waveforms.parse(file.read_bytes(), file.name).samples().astype(float)
    alike = likeness(source, heard.reshape(-1))
    assert len(alike) > 15
    assert min(alike) > 0.97
    assert float(np.mean(alike)) > 0.99
    assert any("Microphone_opened" in log.read_text() for log in (folder / "corpus").rglob("*.log"))
    assert [str(finding) for finding in verify(folder / "corpus").findings if finding.severity == "error"] == []


async def instructions_and_check(page: Any, there: Served) -> None:
    """Read the instructions where the study has some, and try the microphone."""
    if there.state.opened is not None and there.state.opened.protocol.instructions:
        await page.locator("#continue").click()
        await there.until("the instructions", lambda: there.state.instructed)
    await page.get_by_text("Sounds good").wait_for()
    await page.locator("#continue").click()
    await there.until("the check", lambda: there.state.checked is not None)
    checked = there.state.checked
    assert checked is not None
    assert checked.passed
    assert -30 < checked.peak_db < 0


async def held(page: Any, there: Served, by: str) -> str:
    """One utterance as long as the space bar, or the mouse button, is down."""
    said = len(there.takes)
    await page.locator("#talk[data-look=ready]").wait_for()
    if by == "key":
        await page.keyboard.down(" ")
    else:
        await page.locator("#talk").hover()
        await page.mouse.down()
    await page.locator("#talk[data-look=recording]").wait_for()
    await page.wait_for_timeout(LONG_ENOUGH_MS)
    await (page.keyboard.up(" ") if by == "key" else page.mouse.up())
    await there.until("the take", lambda: len(there.takes) > said and there.takes[-1].confirmed)
    return there.takes[-1].take


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_nobody_is_shut_out(tmp_path: Path, scheme: str) -> None:
    waveform(tmp_path / "said.wav")
    steps = (Step.CONSENT, Step.MICROPHONE_CHECK, Step.SCENARIOS, Step.SATISFACTION)
    made = study(tmp_path / "study", steps=steps)
    options = {"color_scheme": scheme, "bypass_csp": True}
    async with served(made) as there, browser(tmp_path / "b", tmp_path / "said.wav", **options) as context:
        page = context.pages[0]
        found: dict[str, list[str]] = {}

        async def looked(state: str) -> None:
            await page.evaluate(axe())
            result = await page.evaluate(
                "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
            )
            found[state] = [
                f"{violation['id']}: {node['html']}"
                for violation in result["violations"]
                for node in violation["nodes"]
            ]

        await page.goto(there.page)
        await page.get_by_role("button", name="Tick everything").click()
        await looked("consent")
        await page.locator("#continue").click()
        await page.get_by_text("Sounds good").wait_for()
        await looked("microphone")
        await page.locator("#continue").click()
        await there.until("the check", lambda: there.state.checked is not None)
        await there.scenario(1)
        await there.answer(await speak(page, there), "which are they")
        await looked("answer")
        await page.get_by_role("button", name="Stop taking part").click()
        await looked("stopping")
        await page.get_by_role("button", name="Go on taking part").click()
        there.console.end_scenario(Outcome.ENDED, "enough")
        await there.until("the end of the task", lambda: there.state.run is None)
        there.console.end_session("done")
        await page.get_by_role("group").first.wait_for()
        await looked("form")
        assert found == {state: [] for state in found}
        assert len(found) == 5


async def test_a_whole_task_by_the_keyboard_alone(tmp_path: Path) -> None:
    waveform(tmp_path / "said.wav")
    async with served(study(tmp_path / "study")) as there, browser(tmp_path / "b", tmp_path / "said.wav") as context:
        page, keys = context.pages[0], context.pages[0].keyboard
        await page.goto(there.page)
        await page.locator("#continue").wait_for()
        await tab_to(page, "My voice may be recorded")
        await keys.press(" ")
        await tab_to(page, "What I say may be written down")
        await keys.press(" ")
        await tab_to(page, "Continue")
        await keys.press("Enter")
        await page.get_by_role("button", name="Close").wait_for()
        await keys.press("Escape")
        await there.until("consent", lambda: there.state.consent is not None)
        await there.scenario()
        await page.locator("#talk[data-look=ready]").wait_for()
        await keys.press(" ")
        await page.locator("#talk[data-look=recording]").wait_for()
        await page.wait_for_timeout(LONG_ENOUGH_MS)
        await keys.press(" ")
        await there.until("the take", lambda: bool(there.takes) and there.takes[-1].confirmed)
        await there.answer(there.takes[-1].take, "which are they")
        await tab_to(page, "Solved")
        await keys.press("Enter")
        await keys.type("Denver")
        await tab_to(page, "Submit")
        await keys.press("Enter")
        await there.until("the solution", lambda: there.state.runs[0].solution == "Denver")


async def test_typed_requests_and_a_return_to_an_earlier_one(tmp_path: Path) -> None:
    made = study(tmp_path / "study", recording=RecordingControl.TYPED, context_return=True)
    async with served(made) as there, browser(tmp_path / "b") as context:
        page = context.pages[0]
        await begin_task(page, there)
        await page.get_by_label("Your request").fill("which cities are there <b>now</b>")
        await page.get_by_role("button", name="Send").click()
        await there.until("the request", lambda: len(there.takes) == 1)
        assert there.takes[0].typed == "which cities are there <b>now</b>"
        await there.answer(there.takes[0].take, "")
        assert await page.get_by_text("which cities are there <b>now</b>").count() == 1
        assert await page.locator("tbody tr").count() == 40
        await page.get_by_role("button", name="Go on from here").click()
        await page.get_by_label("Your request").fill("and the")
        await page.keyboard.press("Shift+Enter")
        await page.keyboard.type("other ones")
        await page.keyboard.press("Enter")
        await there.until("the second request", lambda: len(there.takes) == 2)
        assert there.takes[1].typed == "and the other ones"
        assert there.takes[1].context == there.takes[0].take


async def test_nothing_on_the_page_tells_a_person_from_a_machine_that_is_taken_over_and_given_back(
    tmp_path: Path,
) -> None:
    by_machine = Operators(understanding=Operator.MACHINE, response=Operator.MACHINE)
    made = study(tmp_path / "study", recording=RecordingControl.TYPED, operators=by_machine)
    async with served(made, machines=StudyMachines) as there, browser(tmp_path / "b") as context:
        page, console = context.pages[0], there.console
        await begin_task(page, there)
        seen = []

        async def asked(words: str, answered: bool) -> None:
            said = len(there.takes)
            await page.get_by_label("Your request").fill(words)
            await page.keyboard.press("Enter")
            await there.until("the request", lambda: len(there.takes) > said)
            take = there.takes[-1].take
            if answered:
                await there.answer(take, "", "SELECT DISTINCT state_code FROM city WHERE city_name = 'BOSTON'")
            await there.until("the answer", lambda: there.shown(take))
            seen.append(await page.locator("#headline, #message, #actions").all_inner_texts())

        async def change(what: str, by: Operator) -> None:
            for hand in [each for each in hands(console.state, console.role, "") if each.what == what]:
                console.change_hands(hand, "as planned")
            held = lambda: {each.operator for each in there.state.stages.values()}  # noqa: E731
            await there.until(f"the stages to {what}", lambda: held() == {by})
            seen.append(await page.locator("#headline, #message, #actions").all_inner_texts())

        await asked("show me all the airports in boston", answered=False)
        await change("take", Operator.HUMAN)
        await asked("which state is boston in", answered=True)
        await change("give", Operator.MACHINE)
        await asked("show me all the airports in denver", answered=False)
        assert seen == [seen[0]] * 5
        assert await page.locator("#turn-list > li").count() == 3
