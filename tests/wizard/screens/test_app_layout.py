"""How the console is laid out, and what it offers to whom."""

from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot

from desk.dialogs import Dialog
from desk.keys.actions import in_groups, offers
from desk.keys.help import HelpScreen
from session import commands as c
from session import events as e
from session.protocol.messages import HubTrouble
from session.values.answers import OtherReading, rows_of
from session.values.clock import Stamp
from session.values.vocabulary import RecordingControl, Role
from tests.desk.regions import SIZES, assert_laid_out, each_size, painted
from tests.wizard.desk import HandPlayed
from wizard.app import WizardApp
from wizard.widgets.views import Views


def in_the_middle(desk: HandPlayed) -> None:
    """A turn with an answer to preview, and everything that can cry for attention crying."""
    desk.scenario(text="Plan a trip. " * 30)
    desk.spoken()
    desk.transcribed("show me " * 40)
    desk.attempted()
    desk.returned(
        rows_of([f"column_{n}" for n in range(12)], [[n * 1000] * 12 for n in range(100)]), paraphrase="all " * 50
    )
    desk.tell(e.ExperimenterCalled(at=Stamp("s", 0, 0)), e.SessionPaused(reason=""))
    desk.console.receive(HubTrouble("The disk is full. " * 5))
    desk.console.message = "The participant is still speaking."
    desk.app.changed()


@pytest.mark.parametrize(
    "pressed",
    [(), ("f6",), ("f8",), ("f9",), ("f9", "f9"), ("f6", "escape"), ("ctrl+o",), ("alt+n",), ("alt+k",), ("alt+v",)],
)
async def test_every_state_is_laid_out_at_every_size(pressed: tuple[str, ...]) -> None:
    desks: list[HandPlayed] = []

    def make() -> WizardApp:
        desks.append(HandPlayed())
        return desks[-1].app

    async def check(app: App[Any], pilot: Pilot[Any]) -> None:
        in_the_middle(desks[-1])
        await pilot.pause()
        await pilot.press(*pressed)
        await pilot.pause()

    await each_size(make, check)


async def test_a_growing_and_shrinking_terminal_keeps_its_sense() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=SIZES[2]) as pilot:
        in_the_middle(desk)
        await pilot.pause()
        for size in (*SIZES, SIZES[0]):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            await pilot.pause()
            assert_laid_out(desk.app)
        assert "What was said" in painted(desk.app)


async def test_more_room_shows_more_at_once() -> None:
    shown: dict[int, set[str]] = {}
    for size in SIZES:
        desk = HandPlayed()
        async with desk.app.run_test(size=size) as pilot:
            in_the_middle(desk)
            await pilot.pause()
            views = desk.app.desk.query_one(Views)
            shown[size[0]] = {
                name
                for name in ("preview", "rows", "subject")
                if views.table(name).is_on_screen and views.table(name).size.area
            }
    assert shown == {80: {"preview"}, 120: {"preview", "subject"}, 200: {"preview", "rows", "subject"}}


async def test_a_narrow_screen_shows_every_view_in_turn() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        in_the_middle(desk)
        titles = []
        for _ in range(3):
            await pilot.pause()
            text = painted(desk.app)
            titles += [
                title
                for title in ("What the participant will see", "All rows", "The participant's screen now")
                if title in text
            ]
            await pilot.press("f9")
        assert titles == ["What the participant will see", "All rows", "The participant's screen now"]


@pytest.mark.parametrize("theme", ["dark", "light", "plain"])
async def test_what_has_the_focus_is_seen_without_colour(theme: str) -> None:
    desk = HandPlayed(theme=theme)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        in_the_middle(desk)
        await pilot.press("ctrl+t")
        await pilot.pause()
        assert "┏━ What was said" in painted(desk.app)
        assert "╭─ Ask in English" in painted(desk.app)
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert "╭─ What was said" in painted(desk.app)
        assert "┏━ Ask in English" in painted(desk.app)


OFFERED = {
    Role.WIZARD: {
        "Send",
        "Canned",
        "One moment",
        "English/menu/SQL",
        "Private note",
        "End scenario",
        "Answer the call",
    },
    Role.TRANSCRIBER: {"Show to the participant", "Private note", "Request in scope"},
    Role.EXPERIMENTER: {"Private note", "End scenario", "Pause or go on", "Answer the call", "Deviation"},
    Role.OBSERVER: {"View", "Choose utterance", "End scenario", "Pause or go on", "Answer the call"},
}
FORBIDDEN = {
    Role.WIZARD: set[str](),
    Role.TRANSCRIBER: {"Send", "Canned", "One moment", "English/menu/SQL", "End scenario", "Answer the call"},
    Role.EXPERIMENTER: {"Send", "Canned", "Show to the participant", "English/menu/SQL", "Request in scope"},
    Role.OBSERVER: {
        "Send",
        "Canned",
        "Show to the participant",
        "Private note",
        "Start scenario",
        "End session",
        "Request in scope",
    },
}


@pytest.mark.parametrize("role", [*OFFERED])
async def test_a_role_is_offered_what_it_may_do_and_nothing_else(role: Role) -> None:
    desk = HandPlayed(role)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        in_the_middle(desk)
        await pilot.pause()
        found = {offer.does for offer in offers(desk.app.screen) if offer.enabled}
        assert OFFERED[role] <= found
        assert found & FORBIDDEN[role] == set()
        assert_laid_out(desk.app)


@pytest.mark.parametrize("role", [Role.TRANSCRIBER, Role.EXPERIMENTER, Role.OBSERVER])
async def test_no_key_makes_a_role_ask_for_what_it_may_not(role: Role) -> None:
    from session.commands import permitted

    desk = HandPlayed(role)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        in_the_middle(desk)
        await pilot.pause()
        for key in ("f5", "f6", "f7", "f8", "alt+i", "alt+t", "alt+a", "alt+p", "enter", "escape", "escape"):
            await pilot.press(key)
            await pilot.pause()
        assert [command for command in desk.up.given if not permitted(role, command)] == []


async def test_an_observer_sees_both_sides() -> None:
    desk = HandPlayed(Role.OBSERVER)
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.begin_turn("when do I fly")
        desk.attempted()
        desk.returned()
        await pilot.pause()
        text = painted(desk.app)
        assert "> when do I fly" in text
        assert "√ 2 rows" in text
        assert "What was said" not in text
        assert "you: observer" in text
        assert "F5" not in text
        assert desk.app.focused is not None
        assert desk.up.given == []


async def test_the_readings_and_an_answer_record_by_record_have_their_room_at_every_size() -> None:
    desks: list[HandPlayed] = []

    def make() -> WizardApp:
        desks.append(HandPlayed())
        return desks[-1].app

    async def check(app: App[Any], pilot: Pilot[Any]) -> None:
        desk = desks[-1]
        others = tuple(OtherReading("which flights leave " * 9, "SELECT 1", 0.1 * n) for n in range(9))
        table = rows_of([f"a column {n}" for n in range(20)], [["x" * 30] * 20] * 3)
        desk.tell(e.ScreenSized(at=Stamp("s", 0, 0), columns=70, lines=9))
        desk.begin_turn("which flights leave")
        desk.attempted()
        desk.tell(
            e.QueryReturned(
                attempt="a1", sql="SELECT 1", table=table, took=1, database_version="1", paraphrase="p", others=others
            )
        )
        await pilot.pause()
        await pilot.pause()
        assert "Entry 1" in painted(app)
        assert "more below" in painted(app)
        assert_laid_out(app)
        await pilot.press("alt+k")
        await pilot.pause()
        assert "Readings of" in painted(app)

    await each_size(make, check)


@pytest.mark.parametrize("pressed", ["ctrl+o", "alt+n", "alt+v", "alt+e", "alt+s"])
async def test_a_window_has_its_keys_in_the_footer_and_its_help(pressed: str) -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        if pressed != "alt+s":
            in_the_middle(desk)
        await pilot.pause()
        await pilot.press(pressed)
        await pilot.pause()
        window = desk.app.screen
        assert isinstance(window, Dialog)
        keys = {f"{entry.keys} {entry.does}" for entry in in_groups(window)}
        assert "F1 Help" in keys
        assert keys & {"Esc Cancel", "Esc Enter Close"}
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(desk.app.screen, HelpScreen)
        assert window.focused is not None
        assert desk.app.screen.lines[0][:20] == (window.focused.HELP or "?")[:20]


async def test_where_a_participant_types_enter_asks_and_the_footer_says_so() -> None:
    desk = HandPlayed(english=True, recording=RecordingControl.TYPED)
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario()
        desk.tell(e.UtteranceTyped(at=Stamp("s", 0, 0), take="t1", text="show me"))
        await pilot.pause()
        desk.app.desk.action_to("said")
        await pilot.pause()
        footer = painted(desk.app).splitlines()[-2:]
        assert "Enter Ask" in " ".join(footer)
        assert "Show to the participant" not in painted(desk.app)
        await pilot.press("enter")
        assert [type(command) for command in desk.up.given] == [c.SubmitQuery]
