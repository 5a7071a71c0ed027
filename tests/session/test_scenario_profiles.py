"""The profile of each scenario, in force from its start to its end: practice, deviations, scenarios held again, crashes."""

import msgspec
import pytest

from desk.keys.actions import in_groups
from desk.subject_view import echoed, reply_lines, turn
from desk.turn_stack import TurnStack
from session import commands as c
from session import events as e
from session.hub.history import History
from session.rules.assigned_scenarios import next_line
from session.state.fold import fold
from session.study.assignment import Assignment, VisitPlan
from session.study.settings import Noise, Profile
from session.values.vocabulary import Echo, Outcome, Role
from session.visibility import for_machine
from subject.browser.view import View
from subject.core.microphone_trial import MicrophoneTrial
from tests.session.examples import SCENARIOS, opening
from tests.session.play import ROWS, SESSION, Play
from tests.subject.stage import Desk, Stage, settle
from wizard.core.session_progress import progress

PLAIN = Profile(name="test", echo=Echo.NEVER)
LEVELS = {
    "answers=seen": Profile(name="test", echo=Echo.BEFORE_QUERY, reply_delay_s=3.0),
    "answers=said": Profile(name="test", echo=Echo.NEVER, show_answers=False, rows_to_interpreter=True, barge_in=True),
}
PLANNED = ("hub", "trip", "stop")


def opened(**changes: Profile) -> e.SessionOpened:
    """A visit of three scenarios, the outer ones under one level and the middle one under the other."""
    plain = opening(PLAIN)
    one, other = LEVELS
    scenarios = {name: msgspec.structs.replace(SCENARIOS["hub"], id=name, title=name) for name in (*PLANNED, "extra")}
    protocol = msgspec.structs.replace(
        plain.protocol, scenarios=SCENARIOS | scenarios, scenario_profiles={**LEVELS, **changes}
    )
    given = Assignment(1, (VisitPlan({}, PLANNED, conditions=(one, other, one)),))
    return msgspec.structs.replace(plain, protocol=protocol, assignment=given)


@pytest.fixture
def play() -> Play:
    found = Play(PLAIN)
    found.hub(opened())
    return found


def in_force(play: Play) -> Profile:
    assert play.state.opened is not None
    return play.state.opened.protocol.profile


def end(play: Play, outcome: Outcome = Outcome.ENDED) -> None:
    play.do(c.EndScenario(id=play.new_id(), outcome=outcome, reason="the lamp broke"))


def test_a_level_holds_from_the_start_of_its_scenario_to_its_end(play: Play) -> None:
    play.start("warm-up")
    assert in_force(play) is PLAIN
    end(play)
    for name, level in zip(PLANNED, ("answers=seen", "answers=said", "answers=seen"), strict=True):
        assert f"next: {name} · {level}" in next_line(play.state)
        (started,) = play.start(name)
        assert isinstance(started, e.ScenarioStarted)
        assert (started.condition, started.profile) == (level, LEVELS[level])
        assert in_force(play) == LEVELS[level]
        end(play)
        assert in_force(play) == PLAIN
    (started,) = play.do(c.StartScenario(id="more", scenario="extra", reason="there is time"))[1:]
    assert isinstance(started, e.ScenarioStarted)
    assert (started.condition, started.profile, in_force(play)) == ("", None, PLAIN)
    lines = [line for line in progress(play.state, play.now) if " · answers=" in line]
    assert [line.split(":")[0].split(" · ")[1] for line in lines] == ["answers=seen", "answers=said", "answers=seen"]
    assert [run.condition for run in play.state.runs] == ["", "answers=seen", "answers=said", "answers=seen", ""]


def test_the_time_that_is_left_is_that_of_the_limits_of_the_levels_before_there_is_another() -> None:
    play = Play(PLAIN)
    limits = {name: msgspec.structs.replace(one, scenario_limit_s=600.0) for name, one in LEVELS.items()}
    limits["answers=said"] = msgspec.structs.replace(LEVELS["answers=said"], scenario_limit_s=1200.0)
    play.hub(opened(**limits))
    assert next_line(play.state).endswith("3 of 3 left, about 40 min")
    play.start("hub")
    play.wait(601)
    assert play.state.runs[0].outcome is Outcome.TIME_UP
    assert next_line(play.state).endswith("2 of 3 left, about 20 min")


def test_what_is_held_in_place_of_another_has_its_level_and_what_is_held_early_its_own(play: Play) -> None:
    noted, started = play.do(c.StartScenario(id="S1", scenario="extra", reason="the sheet is missing"))
    assert isinstance(noted, e.DeviationNoted)
    assert isinstance(started, e.ScenarioStarted)
    assert started.condition == "answers=seen"
    end(play)
    _, started = play.do(c.StartScenario(id="S2", scenario="trip", reason="by mistake"))
    assert isinstance(started, e.ScenarioStarted)
    assert started.condition == "answers=said"


def test_a_scenario_that_was_broken_off_is_held_again_under_its_level(play: Play) -> None:
    for after in (lambda: None, lambda: play.do(c.InvalidateScenario(id="I", run=1, reason="nobody listened"))):
        (started,) = play.start("hub")
        assert isinstance(started, e.ScenarioStarted)
        assert started.condition == "answers=seen"
        end(play, Outcome.INVALIDATED if len(play.state.runs) == 1 else Outcome.ENDED)
        after()
        assert "next: hub · answers=seen" in next_line(play.state)


def test_a_hub_that_crashed_in_the_middle_goes_on_under_the_level(play: Play) -> None:
    play.start("hub")
    play.speak()
    again = History(play.recorded)
    assert again.state == play.state == fold(play.recorded)
    assert again.state.opened is not None
    assert again.state.opened.protocol.profile == LEVELS["answers=seen"]
    assert again.state.as_opened == opened()
    assert again.state.session_profile == PLAIN


def answered(play: Play, name: str, take: str) -> None:
    """Hold a scenario of one turn."""
    play.start(name)
    play.speak(take)
    play.transcribe(take, f"words of {name}")
    if in_force(play).echo is Echo.BEFORE_QUERY:
        play.show(take)
    play.send(play.query(take))
    play.wait(5)
    reply = play.state.takes[take].replies[-1]
    play.report(e.ReplyShown(at=play.now, reply=reply, first=0, last=3))
    end(play)


def test_the_subject_sees_each_scenario_as_it_was_held_and_nothing_of_what_is_hidden(play: Play) -> None:
    for name, take in zip(PLANNED, ("T1", "T2", "T3"), strict=True):
        answered(play, name, take)
    seen = list(History(play.recorded).seen_by(Role.SUBJECT))
    said = {one.event.text for one in seen if isinstance(one.event, e.Transcribed)}
    assert said == {"words of hub", "words of stop"}
    desk = Desk()
    desk.seq = 0
    page, frames = View(desk.terminal, MicrophoneTrial()), dict[str, str]()
    for one in seen:
        desk.tell(one.event)
        frames = page.frames()
    state = desk.terminal.state
    assert [echoed(state, state.takes[take]) for take in ("T1", "T2", "T3")] == ["words of hub", "", "words of stop"]
    assert [len(reply_lines(state, take)) for take in ("T1", "T2", "T3")] == [1, 0, 1]
    lines = {take: " ".join(turn(state, "1", state.takes[take]).answer) for take in ("T1", "T2")}
    assert "202" in lines["T1"]
    assert "202" not in lines["T2"]
    assert ["202" in frames[f"turn:{take}"] for take in ("T1", "T2", "T3")] == [True, False, True], "on a page, too"
    mirrored = {take: " ".join(turn(play.state, "1", play.state.takes[take]).answer) for take in ("T1", "T2")}
    assert mirrored == lines, "the console's mirror shows the same"
    wire = msgspec.json.encode(seen)
    for hidden in (b"answers=", b'reply_delay_s":3', b'rows_to_interpreter":true'):
        assert hidden not in wire


def test_two_levels_that_differ_behind_the_curtain_are_the_same_bytes_before_it() -> None:
    found = []
    for word_error in (0.0, 0.5):
        play = Play(PLAIN)
        hidden = msgspec.structs.replace(LEVELS["answers=seen"], noise=Noise(word_error=word_error))
        play.hub(opened(**{"answers=seen": hidden}))
        answered(play, "hub", "T1")
        found.append(msgspec.json.encode(list(History(play.recorded).seen_by(Role.SUBJECT))))
    assert found[0] == found[1]


async def test_a_subject_returns_to_an_earlier_request_in_scenarios_that_let_her() -> None:
    stage = Stage()
    async with stage.app.run_test(size=(80, 30)) as pilot:
        stage.desk.utterance("t0")
        for number, may in enumerate((True, False, True)):
            profile = Profile(name="", context_return=may)
            stage.desk.tell(
                e.ScenarioStarted(number=1, scenario="", title="Trip", text="Go.", kind="", profile=profile)
            )
            stage.desk.utterance(f"t{number + 1}")
            stage.desk.tell(e.AnswerSent(reply=f"r{number}", take=f"t{number + 1}", text="flight 12"))
            await settle(pilot)
            stack = stage.app.screen.query_one(TurnStack)
            stack.focus()
            await settle(pilot)
            assert any(entry.does == "Go on from here" for entry in in_groups(stage.app.screen)) is may
            stage.desk.tell(e.ScenarioEnded(outcome=Outcome.ENDED))
            await settle(pilot)


def test_an_interpreter_sees_rows_in_scenarios_that_show_them_however_late_it_comes(play: Play) -> None:
    for name, take in zip(PLANNED[:2], ("T1", "T2"), strict=True):
        answered(play, name, take)
    early = History()
    early.seen_by(Role.INTERPRETER)
    for one in play.recorded:
        early.add(one)
    late = History(play.recorded)
    for history in (early, late):
        tables = [
            one.event.table for one in history.seen_by(Role.INTERPRETER) if isinstance(one.event, e.QueryReturned)
        ]
        assert [table == ROWS for table in tables] == [False, True]
    assert for_machine(play.facts[0], Role.INTERPRETER, PLAIN) is not None
    assert late.facts[0].session == SESSION


def test_what_is_worked_on_after_its_scenario_is_worked_on_as_the_scenario_had_it(play: Play) -> None:
    play.start("hub")
    play.speak("T1")
    end(play)
    play.transcribe("T1")
    play.show("T1")
    assert in_force(play).reply_delay_s == 0
    play.send(play.query("T1"))
    assert play.state.planned is not None
    assert play.wait(4)


def test_words_that_a_scenario_kept_behind_the_curtain_do_not_pass_it_in_the_next_one(play: Play) -> None:
    play.start("hub")
    end(play)
    play.start("trip")
    play.speak("T1")
    end(play)
    play.start("stop")
    play.transcribe("T1", "words of trip")
    play.query("T1")
    seen = History(play.recorded).seen_by(Role.SUBJECT)
    assert not [one for one in seen if isinstance(one.event, e.Transcribed)]
    assert play.state.takes["T1"].text == "words of trip"
