"""Receipts, undoing, guidance and the banner of a slow link: what the screen says quietly, and what it says aloud."""

import re

import pytest

from session import commands as c
from session import events as e
from session.protocol.links import CommandAnswered
from session.protocol.messages import DeskPresence
from session.study.screen_words import CONSOLE_ENGLISH
from session.study.settings import Scenario
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Language, Operator, Outcome, RecordingControl, Role, ScenarioKind, Stage, Step
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, write
from wizard.core.guidance import Guide
from wizard.widgets.cockpit_frame import QuietLine, fitted


def acknowledged(desk: HandPlayed) -> c.AnyCommand:
    """The hub takes in what was given last."""
    given = desk.up.given[-1]
    desk.console.receive(CommandAnswered(given.id))
    return given


async def test_an_action_leaves_a_receipt_once_the_hub_has_it_and_one_key_takes_it_back() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(100, 30)) as pilot:
        desk.console.pause("lunch")
        await pilot.pause()
        assert "√ Paused" not in painted(desk.app)
        acknowledged(desk)
        desk.tell(e.SessionPaused(reason="lunch"))
        await pilot.pause()
        assert "√ Paused. Ctrl+Z undoes it." in painted(desk.app)
        await pilot.press("ctrl+z")
        assert isinstance(acknowledged(desk), c.ResumeSession)
        desk.tell(e.SessionResumed())
        await pilot.pause()
        assert "√ Undone: Paused." in painted(desk.app)
        desk.console.note("nervous")
        acknowledged(desk)
        await pilot.pause()
        assert "√ The note is kept." in painted(desk.app)
        before = len(desk.up.given)
        await pilot.press("ctrl+z")
        assert len(desk.up.given) == before, "a note stays"
        desk.console.note("x")
        desk.refuse("no")
        await pilot.pause()
        assert "NOT DONE: no" in painted(desk.app)


async def test_a_deviation_is_one_key_its_kind_and_note_come_afterwards_and_one_key_takes_it_back() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(150, 40)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        assert "Not now: a query before" in painted(desk.app)
        await pilot.press("alt+d")
        noted = acknowledged(desk)
        assert isinstance(noted, c.NoteDeviation)
        assert (noted.reason, noted.text) == ("procedure", "a query before it is shown")
        desk.tell(e.DeviationNoted(reason=noted.reason, text=noted.text))
        await pilot.pause()
        assert "√ Deviation noted. Ctrl+Z undoes it. Alt+D: kind, note." in painted(desk.app)
        await pilot.press("alt+d")
        await pilot.pause()
        await pilot.press("h")
        await pilot.pause()
        await write(pilot, "asked me")
        await pilot.press("enter")
        back, better = desk.up.given[-2:]
        assert isinstance(back, c.TakeDeviationBack)
        assert (back.reason, back.text) == (noted.reason, noted.text)
        assert isinstance(better, c.NoteDeviation)
        assert (better.reason, better.text) == ("help", "asked me")
        desk.console.receive(CommandAnswered(back.id))
        acknowledged(desk)
        await pilot.press("alt+d", "d")
        again = acknowledged(desk)
        assert isinstance(again, c.NoteDeviation)
        assert (again.reason, again.text) == ("help", "asked me")
        await pilot.press("ctrl+z")
        assert desk.up.given[-1] == c.TakeDeviationBack(id=desk.up.given[-1].id, reason="help", text="asked me")
        acknowledged(desk)
        await pilot.pause()
        assert "√ Undone: Deviation noted." in painted(desk.app)
        assert "Alt+D: kind" not in painted(desk.app), "nothing is left to be told about it"


async def test_a_scenario_started_by_mistake_is_taken_back_until_something_was_said_and_typing_is_undone_first() -> (
    None
):
    desk = HandPlayed()
    async with desk.app.run_test(size=(132, 40)) as pilot:
        desk.console.start_scenario("trip")
        acknowledged(desk)
        desk.scenario()
        await pilot.pause()
        await pilot.press("ctrl+z")
        undone = desk.up.given[-1]
        assert isinstance(undone, c.EndScenario)
        assert (undone.outcome, undone.reason) == (Outcome.INVALIDATED, "started by mistake")
        desk.console.start_scenario("trip")
        acknowledged(desk)
        desk.scenario()
        await pilot.pause()
        assert "√ Started: Trip. Ctrl+Z undoes it." in painted(desk.app)
        desk.spoken()
        await pilot.pause()
        assert "√ Started: Trip. ━" in painted(desk.app), "no key is promised that does nothing any more"
        await write(pilot, "flights")
        given = len(desk.up.given)
        await pilot.press("ctrl+z")
        assert (len(desk.up.given), desk.console.message) == (given, ""), "the typing was undone"
        desk.console.undo()
        assert "something has been said since" in desk.console.message


async def test_the_quiet_line_says_what_is_next_and_what_is_not_allowed_now() -> None:
    desk = HandPlayed(max_scenarios=3)
    async with desk.app.run_test(size=(160, 50)) as pilot:

        async def guide() -> str:
            await pilot.pause()
            return desk.app.desk.query_one(QuietLine).guide

        desk.scenario()
        assert "Next: the participant speaks" in await guide()
        desk.console.receive(DeskPresence(Role.SUBJECT, False, "the connection was lost"))
        assert "Next: the participant reconnects" in await guide()
        desk.console.receive(DeskPresence(Role.SUBJECT, True, ""))
        assert "Next: the participant speaks" in await guide()
        desk.spoken()
        said = await guide()
        assert "Next: type what was said" in said
        assert "Not now: a query before it is shown" in said
        assert "Alt+D: deviation" in said
        desk.transcribed("flights")
        assert "Next: Enter asks the database" in await guide()
        desk.attempted()
        desk.returned()
        assert "F5 sends the preview" in await guide()
        desk.answered()
        assert "Next: the participant speaks" in await guide()
        desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        assert "Next: Alt+S starts a scenario" in await guide()


@pytest.mark.parametrize(("most", "offered"), [(2, True), (1, False)])
async def test_no_further_scenario_is_offered_than_the_profile_has(most: int, offered: bool) -> None:
    desk = HandPlayed(max_scenarios=most)
    async with desk.app.run_test(size=(160, 50)) as pilot:
        desk.scenario()
        desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        await pilot.pause()
        seen = painted(desk.app)
        assert "is over" in seen
        assert ("Alt+S starts a scenario" in seen) is offered


async def test_the_quiet_line_names_no_key_of_another_desk_and_nothing_that_a_machine_does() -> None:
    desk = HandPlayed(Role.TRANSCRIBER, english=True)
    async with desk.app.run_test(size=(160, 50)) as pilot:

        async def guide() -> str:
            await pilot.pause()
            return desk.app.desk.query_one(QuietLine).guide

        assert "Next: somebody at another desk" in await guide(), "who starts a scenario is not she"
        desk.scenario()
        desk.spoken()
        assert "Next: type what was said" in await guide()
        desk.transcribed("flights")
        assert await guide() == "Next: somebody at another desk"
        desk.attempted()
        desk.returned()
        assert await guide() == "Next: somebody at another desk"
        desk.answered()
        desk.tell(e.StageAssigned(stage=Stage.RECOGNITION, operator=Operator.MACHINE, engine="x"))
        desk.spoken("t2")
        assert await guide() == "Next: the machine of the stage recognition"


async def test_a_slow_or_silent_link_is_a_banner_with_a_bell_and_so_is_a_full_disk() -> None:
    desk = HandPlayed()
    took = [(40_000_000, SECOND)]
    desk.console.exchange = lambda: took[0]
    rung: list[int] = []
    desk.app.bell = lambda: rung.append(1)  # type: ignore[method-assign]
    async with desk.app.run_test(size=(100, 30)) as pilot:
        await pilot.pause()
        assert "LINK" not in painted(desk.app)
        for now, words in (
            ((400_000_000, SECOND), "THE LINK IS SLOW: 400 ms"),
            ((1, 20 * SECOND), "THE HUB IS SILENT for 20 s"),
        ):
            before, took[0] = len(rung), now
            desk.app.desk.tick()
            await pilot.pause()
            assert words in painted(desk.app)
            assert len(rung) == before + 1
            desk.app.desk.tick()
            assert len(rung) == before + 1, "once"
        took[0] = (1, 1)
        desk.trouble("The hub cannot write sound: No space left on device. The participant's desk keeps it.")
        await pilot.pause()
        assert "!! The hub cannot write sound: No space left on device." in painted(desk.app)
        assert len(rung) == 3


async def test_that_nothing_has_been_said_is_said_no_longer_than_it_holds() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario()
        await pilot.press("enter")
        await pilot.pause()
        assert "The participant has not said anything yet." in painted(desk.app)
        desk.spoken()
        await pilot.pause()
        assert "The participant has not said anything yet." not in painted(desk.app)


PAIRS = (
    ("consent", "no_recording"), ("done", "no_more"), ("done", "over"), ("lost", "help"), ("speak", "help"),
    ("unwritten", "no_writing"), ("transcribe", "query_first"), ("shown", "query_first"), ("ask", "own_words"),
    ("reword", "own_words"), ("reword", "unlooked"), ("send", "no_writing"),
)  # fmt: skip
"""What can stand beside each other in the quiet line, of fixed length."""


@pytest.mark.parametrize(("following", "forbidden"), PAIRS)
def test_what_is_next_and_what_is_not_allowed_are_both_whole_at_80_columns(following: str, forbidden: str) -> None:
    words = CONSOLE_ENGLISH
    guide = Guide(
        words["console_guide.next"].format(what=words[f"console_guide.{following}"]),
        words["console_guide.not_yet"].format(what=words[f"console_guide.{forbidden}"].format(most=10)),
        words["console_guide.deviates"],
    )
    assert {*guide[:2]} <= {*fitted(guide, 80).split(" · ")}
    assert fitted(guide, 160).endswith("Alt+D: deviation")
    long = guide._replace(following="Next: F6 Enter: " + "x" * 80)
    assert fitted(long, 80).startswith("Next: F6 Enter: xxx")
    assert fitted(long, 80).endswith(f"… · {guide.forbidden}"), "what gives way is the end of a message"


@pytest.mark.parametrize(("role", "framed"), [(Role.WIZARD, True), (Role.EXPERIMENTER, False)])
async def test_a_receipt_and_the_guidance_are_both_read_at_80_columns(role: Role, framed: bool) -> None:
    desk = HandPlayed(role)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("flights [one way]" if framed else "")
        await pilot.press("alt+d")
        acknowledged(desk)
        await pilot.pause()
        line = desk.app.desk.query_one(QuietLine).region
        quiet = painted(desk.app).splitlines()[line.y : line.bottom]
        receipt = "√ Deviation noted. Ctrl+Z undoes it. Alt+D: kind, note."
        assert receipt in painted(desk.app)
        assert "…" not in " ".join(quiet)
        assert (receipt in quiet[-1]) is not framed
        if framed:
            assert quiet[0].strip() == "Next: Enter asks the database · Not now: words of your own · Alt+D: deviation"
            desk.console.send_canned("none", ("[b]hotels[/b]",))
            acknowledged(desk)
            await pilot.pause()
            assert "√ Sent: No information is available on [b]hotels[/b]" in painted(desk.app), (
                "nothing in it is markup"
            )


async def test_practice_that_is_due_is_named_and_stands_first_in_the_list() -> None:
    bank = {
        "try": Scenario(id="try", title="Into town", kind=ScenarioKind.TRIP, text="Go."),
        "warm": Scenario(id="warm", title="Getting used to it", kind=ScenarioKind.PRACTICE, text="Ask."),
    }
    desk = HandPlayed(scenarios=bank, steps=(Step.PRACTICE, Step.SCENARIOS))
    async with desk.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert desk.app.desk.query_one(QuietLine).guide.startswith("Next: Alt+S starts Getting used to it")
        assert "Not now: another scenario" in painted(desk.app)
        await pilot.press("alt+k")
        await pilot.pause()
        assert "Not now: other readings." in painted(desk.app)
        await pilot.press("alt+s", "enter")
        await pilot.pause()
        started = desk.up.given[-1]
        assert isinstance(started, c.StartScenario)
        assert started.scenario == "warm", "Enter takes what is due"
        assert "Not now: other readings." not in painted(desk.app), "it does not stand beside what came after"
        desk.tell(e.ScenarioStarted(number=None, scenario="warm", title="x", text="x", kind="practice"))
        desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        await pilot.pause()
        assert "another scenario" not in painted(desk.app)


async def test_where_a_participant_types_nothing_speaks_of_speaking_and_what_is_answered_is_not_asked_back_about() -> (
    None
):
    desk = HandPlayed(recording=RecordingControl.TYPED)
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.scenario()
        await pilot.pause()
        seen = painted(desk.app)
        assert "Next: the participant types" in seen
        assert "Nothing has been typed yet." in seen
        assert "ready to type 0:00" in seen
        assert "What was typed" in seen
        desk.app.cannot_hear("no loudspeaker")
        await pilot.pause()
        await pilot.pause()
        await pilot.press("f1")
        await pilot.pause()
        seen += painted(desk.app) + "\n".join(desk.app.screen.lines)  # type: ignore[attr-defined]
        assert re.findall("sound|heard? |said|speak(?!er b01)|voice|slower|loudspeaker", seen) == []
        assert "asks for what the participant typed" in seen
        await pilot.press("escape")
        await pilot.pause()
        assert "loudspeaker" not in painted(desk.app)
        assert "[ ready to type ]" in seen
        desk.tell(e.UtteranceTyped(at=Stamp("s", 0, 0), take="t1", text="flights"))
        desk.attempted(text="flights", language=Language.ENGLISH)
        desk.failed(question="Which day?")
        await pilot.pause()
        assert "Alt+Q asks back: Which day?" in painted(desk.app)
        desk.answered()
        await pilot.pause()
        assert "Alt+Q asks back" not in painted(desk.app), "the key would say: not now"


async def test_where_a_participant_speaks_a_missing_loudspeaker_is_told_once_the_session_is_known() -> None:
    desk = HandPlayed(welcome=False)
    async with desk.app.run_test(size=(120, 40)) as pilot:
        desk.app.cannot_hear("no loudspeaker")
        await pilot.pause()
        desk.welcome()
        await pilot.pause()
        await pilot.pause()
        assert "The participant cannot be heard here: no loudspeaker" in painted(desk.app)
        assert "no sound" in painted(desk.app)
