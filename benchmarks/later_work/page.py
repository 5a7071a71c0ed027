"""The subject's page in Debian's chromium: when it is first painted, what it weighs, Send to painted, mouth to ear.

A real hub serves the page and a program answers at the console. Clicks in noise are the browser's microphone: the page's own
stamps say when each was captured, and a loudspeaker that is paced by the clock when the wizard would have heard it. All three
share a machine and its clock; the page's stamps are uncertain by what the benchmark prints. It needs playwright.

    python -m benchmarks.later_work.page [--loads N] [--replies N] [--seconds S]
"""

import argparse
import asyncio
import functools
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from benchmarks.figures import figure, percentile
from benchmarks.mouth_to_ear import LOUD, PERIOD, RATE, PacedLoudspeaker
from session import events as e
from session.values.clock import SECOND, SystemClock
from session.values.vocabulary import Role
from tests.subject.browser.acting import begin_task, pcm, speak
from tests.subject.browser.world import Served, browser, served, study
from wizard.desk import WizardDesk

SHORT_MS = 300
FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
WEIGHT = """[performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')]
    .reduce((sum, each) => sum + each.transferSize, 0)"""
WATCH = """addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const lines = document.querySelector("#turn-list")?.textContent.length;
  if (lines !== (window.lines ?? 0)) requestAnimationFrame(() => setTimeout(() => {
    window.painted = performance.timeOrigin + performance.now();
  }));
  window.lines = lines;
}).observe(document.body, { subtree: true, childList: true }))"""


def clicks(path: Path, seconds: float) -> None:
    """Noise with a click every half second, for a browser to hear."""
    sound = np.random.default_rng(1992).integers(-300, 301, round(seconds * RATE)).astype(np.int16)
    sound[np.arange(len(sound)) % PERIOD < 8] = 30_000
    soundfile.write(path, sound, RATE, subtype="PCM_16")


async def first_paints(context: Any, there: Served, loads: int) -> None:
    """Print when the page was first painted, and what came over the wire for it."""
    page, painted, weight = context.pages[0], [], 0
    for _ in range(loads):
        await page.goto("about:blank")
        await page.goto(there.page)
        await page.get_by_role("button", name="Tick everything").wait_for()
        painted.append(await page.evaluate(FIRST_PAINT))
        weight = max(weight, await page.evaluate(WEIGHT))
    print(figure("page_first_paint_p50", percentile(painted, 0.5), "ms", "under 1000", digits=0))
    print(figure("page_first_paint_slowest", max(painted), "ms", "under 1000", digits=0))
    print(figure("page_weight", weight / 1000, "kB", "under 300", digits=0), flush=True)


async def replies(page: Any, there: Served, count: int) -> None:
    """Print what lay between Send at the console and the reply's painting."""
    took = []
    for _ in range(count):
        take = await speak(page, there, SHORT_MS)
        sent = functools.partial(time.time_ns)
        before = await page.evaluate("window.painted ?? 0")
        moments: list[int] = []
        send = there.console.send

        def sending(*given: Any, **named: Any) -> Any:
            moments.append(sent())  # noqa: B023
            return send(*given, **named)  # noqa: B023

        there.console.send = sending  # type: ignore[method-assign]
        await there.answer(take, "how many cities are there", "SELECT count(*) FROM city")
        there.console.send = send  # type: ignore[method-assign]
        painted = await page.evaluate("window.painted")
        assert painted != before, "nothing was painted"
        took.append(painted - moments[0] / 1e6)
    print(figure("page_send_to_painted_p50", percentile(took, 0.5), "ms", "under 20"))
    print(figure("page_send_to_painted_p99", percentile(took, 0.99), "ms", "under 50"), flush=True)


async def mouth_to_ear(page: Any, there: Served, seconds: float) -> None:
    """Print how old a click is when the wizard's loudspeaker plays it."""
    speaker, wall = PacedLoudspeaker(), time.time_ns() - time.monotonic_ns()
    address = there.hub.address(there.session, Role.TRANSCRIBER)
    ear = WizardDesk(address, SystemClock("ear"), lambda: None, loudspeaker=lambda: speaker)  # type: ignore[arg-type, return-value]
    ear.listen()
    listening = asyncio.create_task(ear.run())
    await there.until("the ear", lambda: ear.console.state.run is not None)
    take = await speak(page, there, round(seconds * 1000))
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    ear.close()
    sound = pcm(there, take)
    facts = [each.event for each in there.hub.hosted.store.read(there.session)]
    (began,) = [fact for fact in facts if isinstance(fact, e.RecordingStarted) and fact.take == take]
    places = [int(place) for place in np.flatnonzero(np.abs(sound) > LOUD)]
    firsts = [place for at, place in enumerate(places) if not at or place - places[at - 1] > RATE // 10]
    said = [began.at.wall + place * SECOND // RATE for place in firsts]
    heard = [moment + wall for moment in speaker.moments()]
    took = [min((ear_ns - mouth for ear_ns in heard if ear_ns > mouth), default=0) / 1e6 for mouth in said[2:]]
    took = [each for each in took if 0 < each < PERIOD / RATE * 1e3]
    print(figure("page_mouth_to_ear_p50", percentile(took, 0.5), "ms"))
    print(figure("page_mouth_to_ear_p99", percentile(took, 0.99), "ms", "under 150"))
    print(figure("page_clicks", len(took), f"of {len(said) - 2}", digits=0))
    print(figure("page_stamp_uncertainty", began.uncertainty / 1e6, "ms"), flush=True)


async def measured(loads: int, count: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        clicks(folder / "clicks.wav", seconds + 120)
        async with (
            served(study(folder / "study", longest_take_s=3600.0)) as there,
            browser(folder / "profile", folder / "clicks.wav") as context,
        ):
            page = context.pages[0]
            await page.add_init_script(WATCH)
            await first_paints(context, there, loads)
            await begin_task(page, there)
            await mouth_to_ear(page, there, seconds)
            await there.answer(there.takes[-1].take, "how many cities are there", "SELECT count(*) FROM city")
            await replies(page, there, count)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=int, default=10)
    parser.add_argument("--replies", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=40.0)
    options = parser.parse_args()
    asyncio.run(measured(options.loads, options.replies, options.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
