"""ActionMenu by keys: notes, marks, scenarios, pauses, calls, the end."""

import msgspec
import pytest

from desk.dialogs import AskText, Choose
from desk.editor import Editor
from session import commands as c
from session import events as e
from session.protocol.side_messages import AdmitRequest, LobbyState
from session.values.clock import Stamp
from session.values.vocabulary import Outcome, ResponseClass, Role, Scope
from session.visibility import for_subject
from tests.desk.regions import painted
from tests.together.pipe import opened
from tests.wizard.desk import HandPlayed, write
from wizard.core.console_actions import BY_KEY, ready

At = Stamp("w", 0, 0)


async def test_notes_marks_and_deviations() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        desk.answered()
        await pilot.pause()
        await pilot.press("alt+n")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert "Write something first" in painted(desk.app)
        await write(pilot, "speaks softly")
        await pilot.press("enter")
        assert desk.up.given[-1] == c.WriteNote(id=desk.up.given[-1].id, text="speaks softly", take="t1")
        await pilot.press("alt+o")
        assert desk.up.given[-1] == c.MarkScope(id=desk.up.given[-1].id, take="t1", scope=Scope.OUT)
        await pilot.press("ctrl+o")
        await pilot.pause()
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(desk.up.given[-1], c.NoteDeviation)
        await pilot.press("alt+w")
        await pilot.pause()
        await pilot.press("1")
        await pilot.pause()
        await write(pilot, "old fares")
        await pilot.press("enter")
        assert desk.up.given[-1] == c.MarkReplyWrong(id=desk.up.given[-1].id, reply="r1", reason="old fares")


async def test_the_ability_of_the_system_is_a_page_at_a_key_where_the_study_has_one() -> None:
    desk = HandPlayed(welcome=False)
    fact = opened()
    ability = "It knows flights.\n\nIt books nothing."
    desk.welcome()
    assert not ready(desk.console, BY_KEY["alt+0"], sound=False)
    protocol = msgspec.structs.replace(fact.protocol, ability=ability)
    desk.tell(msgspec.structs.replace(fact, protocol=protocol))
    shown = for_subject(msgspec.structs.replace(fact, protocol=protocol), fact.protocol.profile)
    assert b"books nothing" not in msgspec.json.encode(shown)
    async with desk.app.run_test() as pilot:
        desk.begin_turn()
        await pilot.press("alt+0")
        await pilot.pause()
        seen = painted(desk.app)
        assert "What the system can and cannot do" in seen
        assert "It books nothing." in seen


async def test_what_is_typed_before_a_window_is_ready_is_not_lost() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.scenario()
        window = AskText("Note")
        desk.app.push_screen(window)
        await pilot.press("a", "b")
        await pilot.pause()
        assert window.query_one(Editor).text == "ab"


async def test_a_scenario_is_started_with_its_placeholder_bound_and_ended_with_a_reason() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        await pilot.press("alt+s")
        await pilot.pause()
        assert "difficulty 1, ~4 queries)" in painted(desk.app)
        await pilot.press("2")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert desk.up.of(c.StartScenario) == []
        assert "Fill in A" in painted(desk.app)
        await write(pilot, "Boston")
        await pilot.press("enter")
        started = desk.up.given[-1]
        assert isinstance(started, c.StartScenario)
        assert (started.scenario, started.bindings) == ("trip", {"A": "Boston"})
        desk.scenario()
        await pilot.pause()
        await pilot.press("alt+e")
        await pilot.pause()
        await pilot.press("i")
        await pilot.pause()
        await write(pilot, "bell rang")
        await pilot.press("enter")
        ended = desk.up.given[-1]
        assert isinstance(ended, c.EndScenario)
        assert (str(ended.outcome), ended.reason) == ("invalidated", "bell rang")


async def test_a_letter_held_with_alt_is_never_text_and_what_is_not_on_offer_says_so() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.begin_turn("hello")
        await pilot.pause()
        for place in ("ctrl+t", "ctrl+r"):
            await pilot.press(place, "ctrl+l", "h", "alt+s", "alt+f", "alt+k", "i")
            await pilot.pause()
            editor = desk.app.focused
            assert isinstance(editor, Editor)
            assert editor.text == "hi"
        assert "Not now: other readings." in painted(desk.app)
        assert desk.up.given == []


async def test_ending_and_leaving_ask_once_and_enter_by_habit_means_no() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        await pilot.press("alt+x")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert desk.up.given == []
        await pilot.press("alt+x")
        await pilot.pause()
        await pilot.press("y")
        assert len(desk.up.of(c.EndSession)) == 1
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert isinstance(desk.app.screen, Choose)
        await pilot.press("escape")
        await pilot.pause()
        desk.tell(e.SessionEnded(reason="done"))
        await pilot.pause()
        assert "Checking the rest" in painted(desk.app)
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert not desk.app.is_running


async def test_the_call_of_the_subject_is_seen_and_answered() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        assert not desk.app.desk.actions.may_run("call")
        desk.tell(e.ExperimenterCalled(at=At))
        await pilot.pause()
        assert "The participant calls the experimenter" in painted(desk.app)
        await pilot.press("alt+a")
        assert len(desk.up.of(c.AnswerCall)) == 1


async def test_who_waits_in_the_lobby_is_seen_and_let_in() -> None:
    desk = HandPlayed()
    async with desk.app.run_test() as pilot:
        desk.console.receive(LobbyState(1, 75))
        await pilot.pause()
        assert "Somebody has been waiting in the lobby for 1:15." in painted(desk.app)
        await pilot.press("alt+a")
        assert not any(isinstance(asked, AdmitRequest) for asked in desk.up.asked)
        desk.console.receive(LobbyState(2, 75, True))
        await pilot.pause()
        assert "2 are waiting in the lobby, the first for 1:15. Alt+A admits the first." in painted(desk.app)
        await pilot.press("alt+a")
        assert desk.up.asked[-1] == AdmitRequest()
        desk.console.receive(LobbyState())
        await pilot.pause()
        assert "lobby" not in painted(desk.app)


async def test_the_wizard_s_name_is_told_once_the_session_is_there() -> None:
    desk = HandPlayed(welcome=False)
    desk.app._wizard = "Ann"
    async with desk.app.run_test() as pilot:
        await pilot.pause()
        assert "connecting" in painted(desk.app)
        desk.welcome()
        await pilot.pause()
        assert desk.up.given == [c.IdentifyWizard(id="id1", name="Ann")]
        desk.tell(e.WizardIdentified(name="Ann", role="wizard"))
        await pilot.pause()
        assert len(desk.up.given) == 1


async def test_a_word_to_the_wizard_goes_away_by_itself_and_an_observer_is_not_signed_on() -> None:
    desk = HandPlayed(Role.OBSERVER, welcome=False)
    desk.app._wizard = "Ann"
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.app.desk.show_notice("The participant cannot be heard here.")
        desk.welcome()
        await pilot.pause()
        assert "cannot be heard" in painted(desk.app)
        desk.clock.advance(31)
        desk.app.desk.tick()
        await pilot.pause()
        assert "cannot be heard" not in painted(desk.app)
        assert desk.up.given == []


async def test_a_text_of_one_s_own_only_where_the_profile_allows_it() -> None:
    strict, free = HandPlayed(), HandPlayed(free_text=True)
    for desk, allowed in ((strict, False), (free, True)):
        async with desk.app.run_test() as pilot:
            desk.begin_turn()
            await pilot.pause()
            await pilot.press("alt+t")
            await pilot.pause()
            assert isinstance(desk.app.screen, AskText) is allowed


async def test_greetings_need_no_utterance() -> None:
    from session.study.settings import CannedMessage

    hello = CannedMessage(id="hello", digit=8, text="Welcome.", reason="opening", response=ResponseClass.GREETING)
    desk = HandPlayed(messages=(hello,))
    async with desk.app.run_test() as pilot:
        await pilot.press("f6", "8", "enter")
        await pilot.pause()
        assert desk.up.given == [c.SendCanned(id="id1", message="hello")]
        assert desk.role is Role.WIZARD


@pytest.mark.parametrize("role", [Role.WIZARD, Role.EXPERIMENTER, Role.OBSERVER])
async def test_a_scenario_that_is_over_is_declared_invalid_with_a_reason_that_is_asked(role: Role) -> None:
    desk = HandPlayed(role)
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.scenario(title="Boston")
        await pilot.pause()
        await pilot.press("alt+j")
        await pilot.pause()
        assert "Not now: scenario invalid." in painted(desk.app), "one that goes on is ended as invalid"
        desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
        desk.scenario(title="Denver")
        await pilot.pause()
        await pilot.press("alt+j")
        await pilot.pause()
        assert "Boston: declared" in painted(desk.app)
        assert "Denver:" not in painted(desk.app)
        await pilot.press("1")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert "Write something first" in painted(desk.app)
        await write(pilot, "misread")
        await pilot.press("enter")
        (given,) = desk.up.of(c.InvalidateScenario)
        assert given == c.InvalidateScenario(id=given.id, run=0, reason="misread")
        desk.tell(e.ScenarioInvalidated(run=0, reason="misread"))
        await pilot.pause()
        await pilot.press("alt+v")
        await pilot.pause()
        assert "Boston: invalidated (misread)" in painted(desk.app)
