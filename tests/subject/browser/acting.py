"""A subject at the page: agrees, speaks, tabs; and what the hub holds of what was said."""

from typing import Any

import numpy as np

from session import events as e
from session.collection.recordings import Recordings
from session.values.vocabulary import AudioTrouble
from tests.subject.browser.world import Served

LONG_ENOUGH_MS = 1_500


async def agree(page: Any, there: Served) -> None:
    """Consent to everything, and close the instructions that follow."""
    await page.get_by_role("button", name="Tick everything").click()
    await page.locator("#continue").click()
    await page.get_by_role("button", name="Close").click()
    await there.until("consent", lambda: there.state.consent is not None)


async def begin_task(page: Any, there: Served) -> None:
    """Open the page, agree and get a task."""
    await page.goto(there.page)
    await agree(page, there)
    await there.scenario()


async def begin_talking(page: Any, there: Served) -> None:
    """Open the page, agree, get a task and press: from here on the subject is recorded."""
    await begin_task(page, there)
    await page.locator("#talk[data-look=ready]").click()
    await page.locator("#talk[data-look=recording]").wait_for()


async def speak(page: Any, there: Served, for_ms: int = LONG_ENOUGH_MS) -> str:
    """One utterance by pressing twice; returns its take when the other side has all of it."""
    said = len(there.takes)
    await page.locator("#talk[data-look=ready]").click()
    await page.locator("#talk[data-look=recording]").wait_for()
    await page.wait_for_timeout(for_ms)
    await page.locator("#talk").click()
    await there.until("the take", lambda: len(there.takes) > said and there.takes[-1].confirmed)
    return there.takes[-1].take


async def after_the_tasks(page: Any, there: Served) -> None:
    """Fill in every form, read the last text, confirm."""
    while True:
        await there.until("a station", lambda: there.state.ended or there.state.step is not None)
        if there.state.ended:
            return
        begun = there.state.step
        assert begun is not None
        if begun.form is not None:
            for item in begun.form.item:
                await page.locator("#station legend", has_text=item.text).wait_for()  # the page follows its hub
                if item.choices:
                    await page.get_by_label(item.choices[-1], exact=True).check()
                elif not item.optional:
                    await page.get_by_role("textbox").fill("nothing")
                await page.locator("#continue").click()
        else:
            await page.locator("#continue").click()
        await there.until(
            f"the end of {begun.step}",
            lambda begun=begun: there.state.ended or there.state.step != begun,  # type: ignore[misc]
        )


def pcm(there: Served, take: str) -> np.ndarray:
    """What the hub holds of a take."""
    recordings = Recordings(there.hub.study.recordings)
    try:
        return np.frombuffer(recordings.pcm(there.session, take, "s"), dtype="<i2").astype(float)
    finally:
        recordings.close()


def troubles(there: Served, take: str) -> set[AudioTrouble]:
    return {trouble.trouble for trouble in there.state.takes[take].troubles}


def likeness(source: np.ndarray, heard: np.ndarray, block: int = 4_800, slip: int = 240) -> list[float]:
    """Correlation of each 100 ms of `heard`, at 16 kHz, with the source, at 48 kHz.

    A block may lie `slip` samples (5 ms) off the one before it: a browser's made-up device does not keep time on a busy machine.
    A quantum of 128 frames that is missing lies beyond that. The ends are left out: there the finer copy of `heard` rings.
    """
    spectrum = np.fft.rfft(source)
    spectrum[len(source) // 6 :] = 0  # what 16 kHz cannot hold
    whole = np.fft.irfft(spectrum, len(source))
    finer = np.fft.irfft(np.fft.rfft(heard), 3 * len(heard))  # alignment to a third of a sample
    size = 1 << (len(whole) + len(finer)).bit_length()
    first = finer[: 2 * block]
    lags = np.fft.irfft(np.fft.rfft(whole, size) * np.conj(np.fft.rfft(first, size)))[: len(whole)]
    edge = block // 4
    place, alike = int(np.argmax(lags)) + edge, []
    for at in range(edge, len(finer) - block - edge, block):
        piece = finer[at : at + block]
        tried = range(max(0, place - slip), min(place + slip, len(whole) - block) + 1)
        found = {start: float(np.corrcoef(whole[start : start + block], piece)[0, 1]) for start in tried}
        if not found:
            break
        best = max(found, key=lambda start: found[start])
        alike.append(found[best])
        place = best + block
    return alike


def calls(there: Served) -> list[e.Fact]:
    """Every call for the experimenter."""
    recorded = there.hub.hosted.store.read(there.session)
    return [each.event for each in recorded if isinstance(each.event, e.ExperimenterCalled)]


async def tab_to(page: Any, words: str) -> None:
    """Press Tab until what has the focus bears these words."""
    for _ in range(40):
        named = "(document.activeElement.labels?.[0] ?? document.activeElement).innerText"
        if (await page.evaluate(named) or "").strip().startswith(words):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {words!r}")


async def becomes_true(page: Any, expression: str, tries: int = 400) -> None:
    """Wait until an expression holds in a page, whose policy lets nothing in it evaluate a text (`wait_for_function` would)."""
    for _ in range(tries):
        if await page.evaluate(expression):
            return
        await page.wait_for_timeout(50)
    raise AssertionError(f"waited in vain for {expression}")
