"""The light at the end of a session: it comes by itself, says what is not green and how to mend it, and never waits."""

from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from session import events as e
from session.protocol.side_messages import ClosingCheck, ClosingRequest
from session.values.vocabulary import Role
from tests.desk.regions import each_size, painted
from tests.wizard.desk import HandPlayed
from wizard.app import WizardApp
from wizard.screens.session_check_screen import ClosingLight

GREEN = (ClosingCheck("the session has ended"), ClosingCheck("verify finds no error"))
AGAINST = "the second copy: there is no folder /media/b; is the disk there?"
RED = (*GREEN, ClosingCheck("the copy on the second disk exports the same bytes", (AGAINST, "and more " * 30)))


def asked(desk: HandPlayed) -> int:
    return sum(isinstance(request, ClosingRequest) for request in desk.up.asked)


async def test_the_light_is_asked_for_when_every_recording_is_there_and_not_before() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn()
        desk.tell(e.ScenarioEnded(outcome="ended"))  # type: ignore[arg-type]
        assert asked(desk) == 0
        desk.tell(e.SessionEnded(reason="done"))
        await pilot.pause()
        assert asked(desk) == 0
        assert "1 recording is not complete yet" in painted(desk.app)
        desk.confirmed()
        assert asked(desk) == 1
        desk.light()
        await pilot.pause()
        assert "Checking the rest" in painted(desk.app)
        assert not isinstance(desk.app.screen, ClosingLight)


async def test_green_is_said_in_words_and_the_console_goes_on_behind_it() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.tell(e.SessionEnded(reason="done"))
        desk.light(*GREEN)
        await pilot.pause()
        await pilot.pause()
        assert "● GREEN: the session is done" in painted(desk.app)
        assert "√ verify finds no error" in painted(desk.app)
        await pilot.press("enter")
        await pilot.pause()
        assert "GREEN: the session is done. Ctrl+Q leaves." in painted(desk.app)
        before = asked(desk)
        desk.tell(e.NoteWritten(text="forgot the umbrella"))
        assert asked(desk) == before + 1, "what comes after the end may turn the light"


async def test_red_says_what_and_how_to_mend_it_and_can_be_looked_at_again() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.tell(e.SessionEnded(reason="done"))
        desk.light(*RED)
        await pilot.pause()
        await pilot.pause()
        assert "× RED: 2 problems. Fix before the participant leaves" in painted(desk.app)
        assert "- the second copy: there is no folder /media/b; is the disk" in painted(desk.app)
        before = asked(desk)
        await pilot.press("l")
        assert asked(desk) == before + 1
        desk.light()
        await pilot.pause()
        assert "Checking recordings" in painted(desk.app)
        desk.light(*GREEN)
        await pilot.pause()
        assert "● GREEN" in painted(desk.app)
        await pilot.press("escape")
        desk.light(*RED)
        await pilot.pause()
        assert not isinstance(desk.app.screen, ClosingLight), "it comes by itself once"
        assert "!! RED: 2 problems before this session is complete. Alt+L shows them" in painted(desk.app)
        await pilot.press("alt+l")
        await pilot.pause()
        assert isinstance(desk.app.screen, ClosingLight)


async def test_it_comes_over_no_window_that_somebody_is_writing_in() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.tell(e.SessionEnded(reason="done"))
        await pilot.press("alt+n")
        await pilot.pause()
        desk.light(*GREEN)
        await pilot.pause()
        assert not isinstance(desk.app.screen, ClosingLight)
        await pilot.press("escape")
        desk.app.changed()
        await pilot.pause()
        await pilot.pause()
        assert isinstance(desk.app.screen, ClosingLight)


async def test_a_console_that_comes_back_asks_again_only_while_nothing_is_known() -> None:
    desk = HandPlayed()
    desk.tell(e.SessionEnded(reason="done"))
    desk.console.hub_info.welcomed(Role.WIZARD, desk.console.state)
    assert asked(desk) == 2
    desk.light(*GREEN)
    desk.console.hub_info.welcomed(Role.WIZARD, desk.console.state)
    assert asked(desk) == 2


@pytest.mark.parametrize("role", [Role.WIZARD, Role.EXPERIMENTER, Role.OBSERVER, Role.TRANSCRIBER])
async def test_the_light_is_laid_out_at_every_size_for_everybody(role: Role) -> None:
    desks: list[HandPlayed] = []

    def make() -> WizardApp:
        desks.append(HandPlayed(role))
        return desks[-1].app

    async def check(app: App[Any], pilot: Pilot[Any]) -> None:
        desks[-1].tell(e.SessionEnded(reason="done"))
        desks[-1].light(*RED)
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, ClosingLight)

    await each_size(make, check)
