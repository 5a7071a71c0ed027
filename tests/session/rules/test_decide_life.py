"""The rules from consent to the session's end: scenarios, numbers, discarding, late reports, planned replies."""

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.rules.decide import LONGEST_TEXT, RequestRefused, decide
from session.state.fold import SessionState
from session.study.settings import Profile
from session.values.names import LAST_SCENARIO
from session.values.vocabulary import Echo, Outcome, Role
from tests.session.examples import at, opening
from tests.session.play import SEALED, Play

NEVER = Profile(name="test", echo=Echo.NEVER)


@pytest.fixture
def play() -> Play:
    """A session in which scenario `hub` is going on."""
    made = Play()
    made.start()
    return made


def types(facts: list[e.Fact]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


# --- before anything is said ---


def test_nothing_can_be_done_before_the_session_is_opened() -> None:
    decision = decide(SessionState(), c.GiveUp(id="C", at=at(0)), Role.SUBJECT, at(0))
    assert isinstance(decision, RequestRefused)
    assert decision.reason == "The session has not been opened."


def test_no_scenario_starts_without_consent() -> None:
    play = Play(consent=False)
    assert "has not consented" in play.refused(c.StartScenario(id="C", scenario="hub"))


def test_no_scenario_starts_when_the_subject_does_not_want_to_be_recorded() -> None:
    play = Play(consent=False)
    play.report(e.ConsentGiven(at=play.now, version="1", sha256="00", scopes={"record": False}))
    assert "does not consent to being recorded" in play.refused(c.StartScenario(id="C", scenario="hub"))


def test_a_profile_may_do_without_consent() -> None:
    assert types(Play(Profile(name="test", consent=False), consent=False).start()) == ["ScenarioStarted"]


def test_placeholders_are_bound_before_the_scenario_starts() -> None:
    play = Play()
    assert "Fill in A first" in play.refused(c.StartScenario(id="C", scenario="interviews", bindings={"A": " "}))
    longer = {"A": "Boston, and do ask me about the fares of all flights there"}
    assert "The placeholder A takes a name" in play.refused(
        c.StartScenario(id="C", scenario="interviews", bindings=longer)
    )
    (fact,) = play.start("interviews", A="Boston")
    assert isinstance(fact, e.ScenarioStarted)
    assert (fact.text, fact.bindings, fact.common) == ("Go from Boston to Denver and back.", {"A": "Boston"}, True)


def test_scenarios_are_numbered_and_practice_is_not() -> None:
    play = Play()
    for scenario in ("warm-up", "hub", "warm-up", "hub"):
        play.start(scenario)
        play.do(c.GiveUp(id="G" + play.new_id(), at=play.now), Role.SUBJECT)
    assert [run.number for run in play.state.runs] == [None, 1, None, 2]


def test_a_speaker_s_scenarios_go_on_counting_in_the_next_session() -> None:
    play = Play()
    play.hub(msgspec.structs.replace(opening(), first_scenario=7))
    play.start()
    assert play.state.runs[-1].number == 7


def test_when_the_names_are_used_up_the_remedy_is_told() -> None:
    play = Play()
    play.hub(msgspec.structs.replace(opening(), first_scenario=LAST_SCENARIO))
    play.start()
    play.do(c.GiveUp(id="G", at=play.now), Role.SUBJECT)
    assert "open a session under a new speaker id" in play.refused(c.StartScenario(id="C", scenario="hub"))


def test_one_scenario_at_a_time(play: Play) -> None:
    assert "end it first" in play.refused(c.StartScenario(id="C", scenario="warm-up"))


def test_a_scenario_that_the_study_does_not_have_cannot_start() -> None:
    assert "no scenario nowhere" in Play().refused(c.StartScenario(id="C", scenario="nowhere"))


def test_a_profile_limits_the_number_of_scenarios_but_not_of_practice() -> None:
    play = Play(Profile(name="test", max_scenarios=1))
    play.start()
    play.do(c.GiveUp(id="G", at=play.now), Role.SUBJECT)
    assert "allows 1 scenarios" in play.refused(c.StartScenario(id="C", scenario="hub"))
    play.start("warm-up")


def test_an_invalid_scenario_uses_up_none_of_those_allowed_and_its_number_is_not_given_again() -> None:
    play = Play(Profile(name="test", max_scenarios=1))
    play.start()
    assert (
        play.refused(c.EndScenario(id="E", outcome=Outcome.INVALIDATED)) == "Give a reason why the scenario is invalid."
    )
    assert "Give a reason" in play.refused(c.EndScenario(id="E", outcome=Outcome.INVALIDATED, reason=" \n"))
    play.do(c.EndScenario(id="E", outcome=Outcome.INVALIDATED, reason="the bell rang"))
    play.start("hub")
    play.do(c.EndScenario(id="E", outcome=Outcome.ENDED))
    assert "allows 1 scenarios" in play.refused(c.StartScenario(id="C", scenario="hub"))
    play.do(c.InvalidateScenario(id="I", run=1, reason="misread"))
    play.start("hub")
    assert [(run.number, run.counts) for run in play.state.runs] == [(1, False), (2, False), (3, True)]


def test_when_the_session_s_time_is_over_no_scenario_starts() -> None:
    play = Play(Profile(name="test", session_limit_s=3600))
    play.wait(3600)
    assert "60 minutes are over" in play.refused(c.StartScenario(id="C", scenario="hub"))


# --- numbers, discarding, late reports ---


def test_an_utterance_is_numbered_when_the_system_reacts_not_before(play: Play) -> None:
    play.speak()
    assert (play.take().accepted, play.take().number) == (False, None)
    play.transcribe()
    assert (play.take().accepted, play.take().number) == (True, 1)


def test_speaking_again_accepts_what_was_said_before(play: Play) -> None:
    play.speak("T1")
    play.press("T2")
    assert [play.take(name).number for name in ("T1", "T2")] == [1, None]


def test_utterances_are_numbered_in_the_order_in_which_they_were_spoken(play: Play) -> None:
    for name in ("T1", "T2", "T3"):
        play.speak(name)
    play.transcribe("T3")
    assert [play.take(name).number for name in ("T1", "T2", "T3")] == [1, 2, 3]


def test_numbers_begin_anew_with_each_scenario(play: Play) -> None:
    play.turn("T1")
    play.do(c.DeclareSolution(id="S", at=play.now, solution="Denver"), Role.SUBJECT)
    play.start()
    play.turn("T2")
    assert [play.take(name).number for name in ("T1", "T2")] == [1, 1]


def test_practice_is_accepted_without_a_number() -> None:
    play = Play()
    play.start("warm-up")
    play.turn()
    assert (play.take().accepted, play.take().number) == (True, None)


def test_the_subject_may_take_back_what_nobody_has_reacted_to(play: Play) -> None:
    discard = c.DiscardTake(id="D", at=play.now, take="T1")
    assert "nothing to undo" in play.refused(discard, Role.SUBJECT)
    play.press()
    assert "nothing to undo" in play.refused(discard, Role.SUBJECT)
    play.release()
    play.do(discard, Role.SUBJECT)
    assert "too late" in play.refused(discard, Role.SUBJECT)
    assert "taken this utterance back" in play.refused(c.Transcribe(id="T", at=play.now, take="T1", text="x"))
    assert "taken this utterance back" in play.refused(play.canned())
    play.speak("T2")
    play.transcribe("T2")
    assert [play.take(name).number for name in ("T1", "T2")] == [None, 1]


def test_what_was_reacted_to_cannot_be_taken_back(play: Play) -> None:
    play.speak()
    play.transcribe()
    assert "too late" in play.refused(c.DiscardTake(id="D", at=play.now, take="T1"), Role.SUBJECT)


def test_what_was_answered_cannot_be_taken_back_even_outside_a_scenario() -> None:
    play = Play()
    play.speak()
    play.do(play.canned())
    assert "too late" in play.refused(c.DiscardTake(id="D", at=play.now, take="T1"), Role.SUBJECT)


def test_what_is_hidden_does_not_make_it_too_late_to_discard() -> None:
    play = Play(NEVER)
    play.start()
    play.speak()
    play.transcribe()
    play.mark()
    play.query()
    play.do(c.DiscardTake(id="D", at=play.now, take="T1"), Role.SUBJECT)


def test_a_take_that_ends_after_its_scenario_still_becomes_an_utterance_of_it(play: Play) -> None:
    play.press()
    play.do(c.EndScenario(id="E", outcome=Outcome.ENDED))
    play.start()
    assert types(play.release()) == ["RecordingStopped", "UtteranceAccepted"]
    assert (play.take().run, play.take().number) == (0, 1)


def test_two_takes_that_end_together_get_two_numbers(play: Play) -> None:
    play.press("T1")
    play.press("T2")
    play.release("T2")
    play.release("T1")
    play.transcribe("T2")
    assert [play.take(name).number for name in ("T1", "T2")] == [1, 2]


def test_a_take_outside_any_scenario_is_kept_without_a_number() -> None:
    play = Play()
    play.speak()
    play.start()
    play.transcribe()
    assert (play.take().run, play.take().accepted, play.take().number) == (None, False, None)


def test_a_report_is_never_refused_whatever_the_session_s_state(play: Play) -> None:
    play.do(c.GiveUp(id="G", at=play.now), Role.SUBJECT)
    play.do(c.EndSession(id="E", reason="done"))
    play.release("UNKNOWN")
    play.speak("T9")
    assert play.take("T9").stopped is not None
    assert play.refusals == []


def test_telling_the_same_end_of_a_take_again_does_no_harm(play: Play) -> None:
    play.speak()
    since = play.take().waiting_since
    play.wait(10)
    assert play.report(e.RecordingStopped(at=play.now, take="T1", sealed=SEALED)) == []
    assert play.take().waiting_since == since


def test_what_was_typed_is_typed_once(play: Play) -> None:
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="first"))
    assert play.report(e.UtteranceTyped(at=play.now, take="T1", text="second")) == []
    assert play.take().text == "first"


def test_a_typed_text_is_one_line_and_not_endless(play: Play) -> None:
    play.report(e.UtteranceTyped(at=play.now, take="T1", text="a\nb\x1b[31m" + "c" * 9000))
    assert play.take().text.startswith("a b␛[31mccc")
    assert len(play.take().text) == LONGEST_TEXT


# --- how a scenario and a session end ---


def test_a_solution_ends_the_scenario_and_accepts_what_was_said(play: Play) -> None:
    play.speak()
    facts = play.do(c.DeclareSolution(id="S", at=play.now, solution=" flight\n101 "), Role.SUBJECT)
    assert types(facts) == ["UtteranceAccepted", "SolutionDeclared", "ScenarioEnded"]
    run = play.state.runs[-1]
    assert (run.outcome, run.solution) == (Outcome.DECLARED, "flight 101")


def test_a_solution_must_be_written_down(play: Play) -> None:
    assert "write down the solution" in play.refused(c.DeclareSolution(id="S", at=play.now, solution=" "), Role.SUBJECT)


def test_giving_up_is_another_end(play: Play) -> None:
    facts = play.do(c.GiveUp(id="G", at=play.now), Role.SUBJECT)
    assert types(facts) == ["ScenarioGivenUp", "ScenarioEnded"]
    assert play.state.runs[-1].outcome is Outcome.GIVEN_UP


def test_without_a_scenario_there_is_nothing_to_solve_give_up_or_end() -> None:
    play = Play()
    for command in (c.GiveUp(id="G", at=play.now), c.DeclareSolution(id="S", at=play.now, solution="x")):
        assert play.refused(command, Role.SUBJECT) == "There is no task at the moment."
    assert play.refused(c.EndScenario(id="E", outcome=Outcome.ENDED)) == "No scenario is going on."


@pytest.mark.parametrize("outcome", [Outcome.DECLARED, Outcome.GIVEN_UP])
def test_only_the_subject_solves_or_gives_up(play: Play, outcome: Outcome) -> None:
    assert "Only the participant" in play.refused(c.EndScenario(id="E", outcome=outcome))


def test_a_session_ends_after_its_scenario_and_then_only_notes_are_taken(play: Play) -> None:
    play.turn()
    end = c.EndSession(id="E", reason="all\ndone")
    assert "End the scenario first" in play.refused(end)
    play.do(c.EndScenario(id="S", outcome=Outcome.INVALIDATED, reason="noise"))
    assert play.do(end) == [e.SessionEnded(reason="all done")]
    for command in (c.StartScenario(id="1", scenario="hub"), play.canned(), c.PauseSession(id="2", reason="")):
        assert play.refused(command) == "The session has ended."
    play.do(c.WriteNote(id="3", text="the fan was on"))
    play.do(c.MarkReplyWrong(id="4", reply=next(iter(play.state.replies)), reason="old fares"))
    play.do(c.NoteDeviation(id="5", reason="noise", text="the fan was on"))


def test_pauses_come_and_go_in_turn(play: Play) -> None:
    pause, resume = c.PauseSession(id="P", reason="break"), c.ResumeSession(id="R")
    assert "not paused" in play.refused(resume)
    play.do(pause)
    assert "paused already" in play.refused(pause)
    play.do(resume)
    assert "not paused" in play.refused(resume)


def test_a_call_is_answered_once(play: Play) -> None:
    answer = c.AnswerCall(id="A")
    assert "Nobody has called" in play.refused(answer)
    play.report(e.ExperimenterCalled(at=play.now))
    play.do(answer, Role.EXPERIMENTER)
    assert "Nobody has called" in play.refused(answer)


def test_notes_and_names_are_one_line_and_not_empty(play: Play) -> None:
    assert "note is empty" in play.refused(c.WriteNote(id="N", text="\n"))
    assert "who you are" in play.refused(c.IdentifyWizard(id="I", name=" "))
    play.do(c.IdentifyWizard(id="J", name="Ida\nB."))
    assert play.state.wizard == "Ida B."
    play.do(c.WriteNote(id="O", text=" cheerful\tsubject "))
    assert play.state.notes == ("cheerful subject",)


def test_a_transcriber_s_name_does_not_replace_the_wizard_s(play: Play) -> None:
    play.do(c.IdentifyWizard(id="I", name="Tom"), Role.TRANSCRIBER)
    assert play.state.wizard == "Ida"


# --- planned replies ---


def test_a_reply_that_is_held_back_can_be_stopped_until_it_goes_out() -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER, hold_back_s=3))
    play.start()
    play.speak()
    (planned,) = play.do(play.canned())
    assert isinstance(planned, e.ReplyPlanned)
    assert planned.reply.planned_delay == 3_000_000_000
    assert "on its way already" in play.refused(play.canned("no-info", "T1", "fares"))
    play.do(c.StopReply(id="S", reply=planned.reply.reply))
    assert play.wait(10) == []
    play.do(play.canned())
    assert types(play.wait(3)) == ["UtteranceAccepted", "CannedSent"]
    assert "has been sent" in play.refused(c.StopReply(id="S2", reply=planned.reply.reply))


def test_replies_come_no_sooner_than_the_profile_s_delay_counted_from_the_end_of_speech() -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER, reply_delay_s=5))
    play.start()
    play.speak("T1")
    play.wait(2)
    play.do(play.canned())
    assert play.wait(2.9) == []
    assert types(play.wait(0.1)) == ["UtteranceAccepted", "CannedSent"]
    play.speak("T2")
    play.wait(7)
    assert types(play.do(play.canned("unable", "T2"))) == ["UtteranceAccepted", "CannedSent"]


def test_a_filler_is_not_delayed() -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER, reply_delay_s=5, hold_back_s=5))
    play.start()
    play.speak()
    assert types(play.do(play.canned("wait"))) == ["UtteranceAccepted", "CannedSent"]


def test_discarding_takes_a_planned_reply_with_it() -> None:
    play = Play(Profile(name="test", echo=Echo.NEVER, hold_back_s=3))
    play.start()
    play.speak()
    play.do(play.canned())
    play.do(c.DiscardTake(id="D", at=play.now, take="T1"), Role.SUBJECT)
    assert play.wait(10) == []
    assert play.state.replies == {}


def test_an_empty_take_that_a_crash_left_is_discarded_unless_it_was_answered(play: Play) -> None:
    empty = (msgspec.structs.replace(SEALED[0], samples=0),)
    play.press("T1")
    assert types(play.report(e.RecordingStopped(at=play.now, take="T1", sealed=empty, recovered=True))) == [
        "RecordingStopped",
        "TakeDiscarded",
    ]
    play.speak("T2")
    play.do(play.canned("unable", "T2"))
    play.report(e.RecordingStopped(at=play.now, take="T2", sealed=empty, recovered=True))
    assert (play.take("T2").accepted, play.take("T2").discarded) == (True, False)


def test_a_take_of_which_a_crash_left_nothing_is_put_aside_instead_of_waiting_for_a_reply(play: Play) -> None:
    play.press()
    facts = play.report(e.RecordingStopped(at=play.now, take="T1", sealed=(), recovered=True))
    assert types(facts) == ["RecordingStopped", "TakeDiscarded"]
    assert play.state.waiting() == []
