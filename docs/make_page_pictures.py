"""Pictures of the subject's page, for the documentation: `python docs/make_page_pictures.py [DIRECTORY] [--all]`.

A real hub serves the page, a program answers at the console, and Debian's chromium shows it: it needs playwright. Without
`--all` only the pictures that stand in the documents are made; with it every state at phone's and desk's width, light and dark.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from session.study.folder import Study  # noqa: E402
from session.values.vocabulary import Outcome, RecordingControl, Role, Step  # noqa: E402
from tests.subject.browser.world import Served, browser, served, study, waveform  # noqa: E402

SIZES = {"desk": {"width": 1000, "height": 720}, "phone": {"width": 390, "height": 780}}
PICTURES = ("page-phone-light-answer", "page-desk-light-answer")
OVERVIEW = "page-overview"
ROWS = """SELECT airline_code, flight_number, departure_time, arrival_time, stops FROM flight
WHERE departure_time > 1200 ORDER BY departure_time LIMIT 7"""


async def main(
    folder: Path, sizes: dict[str, dict[str, int]], schemes: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    """Make the pictures of every size and scheme whose names are `wanted`, all of them where none are."""
    for name, size in sizes.items():
        for scheme in schemes:

            def path(state: str, stem: str = f"page-{name}-{scheme}") -> Path | None:
                picture = f"{stem}-{state}"
                return folder / f"{picture}.png" if not wanted or picture in wanted else None

            with tempfile.TemporaryDirectory() as scratch:
                await visit(Path(scratch), size, scheme, path)


def asking(folder: Path) -> Study:
    """A study with every step of a visit."""
    steps = tuple(step for step in Step if step is not Step.COMMENTS)
    return study(folder, recording=RecordingControl.HOLD, steps=steps, expand_codes=True)


async def visit(scratch: Path, size: dict[str, int], scheme: str, path: Any) -> None:
    """One visit, with a picture of each of its states."""
    waveform(scratch / "said.wav", 40.0)
    options = {"viewport": size, "color_scheme": scheme, "has_touch": size["width"] < 500}
    async with (
        served(asking(scratch / "study")) as there,
        browser(scratch / "profile", scratch / "said.wav", **options) as context,
    ):
        page = context.pages[0]

        async def taken(state: str) -> None:
            if (place := path(state)) is not None:
                await page.screenshot(path=place)

        await page.goto(there.page)
        await page.get_by_role("button", name="Tick everything").click()
        await taken("consent")
        await page.locator("#continue").click()
        await there.until("consent", lambda: there.state.consent is not None)
        await taken("instructions")
        await page.locator("#continue").click()
        await page.get_by_text("Sounds good").wait_for()
        await taken("microphone")
        await page.locator("#continue").click()
        await there.scenario()
        await page.locator("#talk[data-look=ready]").wait_for()
        await page.keyboard.down(" ")
        await page.locator("#talk[data-look=recording]").wait_for()
        await page.wait_for_timeout(700)
        await taken("recording")
        await page.keyboard.up(" ")
        await there.until("the take", lambda: bool(there.takes) and there.takes[-1].confirmed)
        await there.answer(there.takes[-1].take, "which flights leave in the afternoon", ROWS)
        await page.wait_for_timeout(300)
        await taken("answer")
        await page.get_by_role("button", name="Stop taking part").click()
        await taken("stopping")
        await page.get_by_role("button", name="Go on taking part").click()
        await after(page, there, taken)


async def overview(place: Path) -> None:
    """The experimenter's page while three sessions go on: one subject waits for an answer, one calls, one has not come."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        waveform(folder / "said.wav", 40.0)
        made = study(folder / "study", recording=RecordingControl.HOLD, steps=(Step.CONSENT, Step.SCENARIOS))
        async with served(made) as there, browser(folder / "profile", folder / "said.wav") as context:
            calling = await there.hub.open_session()
            await there.hub.open_session()
            asking, caller, page = context.pages[0], await context.new_page(), await context.new_page()
            for visitor, address in (
                (asking, there.page),
                (caller, there.hub.address(calling.name, Role.SUBJECT).page),
            ):
                await visitor.goto(address)
                await visitor.get_by_role("button", name="Tick everything").click()
                await visitor.locator("#continue").click()
                await visitor.get_by_role("button", name="Close").click()
            await there.until("consent", lambda: there.state.consent is not None and calling.state.consent is not None)
            await caller.get_by_role("button", name="Call the experimenter").click()
            await asking.bring_to_front()
            await there.scenario()
            await asking.keyboard.down(" ")
            await asking.locator("#talk[data-look=recording]").wait_for()
            await asking.wait_for_timeout(700)
            await asking.keyboard.up(" ")
            await page.set_viewport_size({"width": 1180, "height": 420})
            await page.goto(there.hub.overview_address())
            await page.bring_to_front()
            await page.get_by_role("button", name="Answer the call").wait_for()
            await page.get_by_text("for an answer").wait_for()
            await page.get_by_text("Scenarios that count").wait_for()
            await page.screenshot(path=place)


async def after(page: Any, there: Served, taken: Any) -> None:
    """The first form and the last word."""
    there.console.end_scenario(Outcome.ENDED, "practised")
    await there.until("the practice's end", lambda: there.state.run is None)
    there.console.end_session("done")
    await there.until("a form", lambda: there.state.step is not None)
    await page.wait_for_timeout(300)
    await taken("form")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    asked.directory.mkdir(parents=True, exist_ok=True)
    schemes = ("light", "dark") if asked.all else ("light",)
    asyncio.run(main(asked.directory, SIZES, schemes, () if asked.all else PICTURES))
    asyncio.run(overview(asked.directory / f"{OVERVIEW}.png"))
