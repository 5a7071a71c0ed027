"""The words of the status lines and banners."""

import msgspec
import pytest

from session import events as e
from session.protocol.messages import DeskPresence, DeskTurnedAway
from session.study.screen_words import console_strings
from session.transport.websocket import LinkState
from session.values.clock import Stamp
from session.values.vocabulary import AudioTrouble, DeskRefusal, Outcome, Role, Scope, Step
from tests.wizard.desk import HandPlayed
from wizard.core import status_text
from wizard.core.session_progress import progress

AT = Stamp("s", 0, 0)
UP = LinkState(True)


@pytest.fixture
def desk() -> HandPlayed:
    return HandPlayed(max_scenarios=6, scenario_limit_s=600.0, session_limit_s=3600.0)


def test_the_headline_tells_how_far_the_session_has_come(desk: HandPlayed) -> None:
    assert status_text.headline(HandPlayed(welcome=False).console) == "connecting …"
    assert status_text.headline(desk.console).startswith("no scenario yet · session 0:00 of 60 min · speaker b01")
    desk.scenario("Two cities")
    desk.clock.advance(75)
    assert status_text.headline(desk.console).startswith("scenario 1 of 6: Two cities 1:15/10 min · session 1:15")
    desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
    assert status_text.headline(desk.console).startswith("scenarios done: 1 of 6, 0 common")
    desk.tell(e.SessionEnded(reason=""))
    assert status_text.headline(desk.console).startswith("ENDED")


def test_time_stands_while_the_session_is_paused(desk: HandPlayed) -> None:
    desk.scenario("Trip")
    desk.tell(e.SessionPaused(reason=""), after=30)
    desk.clock.advance(90)
    assert "Trip 0:30" in status_text.headline(desk.console)
    desk.tell(e.SessionResumed(), after=90)
    desk.clock.advance(10)
    assert "Trip 0:40" in status_text.headline(desk.console)


def test_the_utterance_at_hand_and_what_goes_on_with_it(desk: HandPlayed) -> None:
    assert status_text.utterance(desk.console) == "Nothing has been said yet."
    desk.scenario()
    desk.tell(e.TalkPressed(at=AT, take="t1"))
    assert status_text.utterance(desk.console) == "Utterance 1 of 1 · ● pressed"
    desk.spoken()
    assert status_text.utterance(desk.console) == "Utterance 1 of 1 · to be transcribed"
    desk.tell(e.Transcribed(at=AT, take="t1", text="x"))
    assert "transcribed" in status_text.utterance(desk.console)
    desk.transcribed("y")
    desk.tell(e.ScopeMarked(take="t1", scope=Scope.OUT))
    desk.tell(e.AudioTroubled(at=AT, take="t1", trouble=AudioTrouble.CLIPPING))
    desk.tell(e.TalkPressed(at=AT, take="t2"))
    line = status_text.utterance(desk.console)
    assert line.startswith("Utterance 1 of 2 · transcription shown · OUT of scope · sound: clipping")
    assert "THE PARTICIPANT IS SPEAKING" in line
    desk.answered()
    assert "● pressed" in status_text.utterance(desk.console)


def test_every_scope_has_its_words() -> None:
    assert {f"console_status.{scope}" for scope in Scope} <= set(console_strings())


def test_what_came_of_an_attempt(desk: HandPlayed) -> None:
    desk.begin_turn()
    assert status_text.attempt(desk.console) == ""
    desk.attempted("a1")
    assert "asking the database" in status_text.attempt(desk.console)
    desk.failed("no such column", "a1")
    assert status_text.attempt(desk.console) == "× syntax: no such column"
    for name, rows, words in (("a2", 0, "√ no rows"), ("a3", 1, "√ 1 row"), ("a4", 1200, "√ 1,200 rows")):
        desk.attempted(name)
        desk.returned(rows, name, "all of it" if rows else "")
        assert words in status_text.attempt(desk.console)
    assert status_text.attempt(desk.console) == "Attempt 4 of 4: √ 1,200 rows · all of it"


def test_banners_stand_in_the_order_of_their_urgency(desk: HandPlayed) -> None:
    desk.scenario()
    desk.console.message = "No."
    desk.console.trouble = "Disk full."
    desk.tell(e.ExperimenterCalled(at=AT), e.SessionPaused(reason=""))
    found = status_text.banners(desk.console, LinkState(False, "cable"), "by the way")
    assert [urgency for urgency, _ in found] == ["stop", "stop", "stop", "act", "act", "know"]
    assert found[0][1] == "NOT DONE: No."
    assert "cable" in found[1][1]


def test_a_desk_that_was_not_let_in_is_told_of_for_a_minute_and_takes_no_refusal_s_place(desk: HandPlayed) -> None:
    desk.console.message = "No."
    for refused, said in (
        (DeskTurnedAway("", DeskRefusal.TOKEN), "A visitor was rejected: the address does not open this session."),
        (DeskTurnedAway("subject", DeskRefusal.TAKEN), "A desk was rejected: there is already a desk as participant."),
    ):
        desk.console.receive(refused)
        found = status_text.banners(desk.console, UP, "")
        assert found[0] == ("stop", "NOT DONE: No.")
        assert found[-1] == ("know", said)
    desk.console.receive(DeskTurnedAway("subject", DeskRefusal.BROWSER))
    assert "browser is too old to run the page" in status_text.banners(desk.console, UP, "")[-1][1]
    desk.clock.advance(61)
    assert "not let in" not in str(status_text.banners(desk.console, UP, ""))


def test_a_key_is_named_only_to_those_who_may_press_it() -> None:
    for role, starts in ((Role.WIZARD, True), (Role.EXPERIMENTER, True), (Role.OBSERVER, False)):
        desk = HandPlayed(role)
        desk.tell(e.ExperimenterCalled(at=AT))
        words = " ".join(text for _, text in status_text.banners(desk.console, UP, ""))
        assert "Alt+A" in words
        assert ("Alt+S" in words) is starts


@pytest.mark.parametrize(
    "fact", [e.StepBegun(step=Step.DEBRIEFING, text="Thank you."), e.WithdrawalRequested(at=AT, erase=False)]
)
def test_no_key_is_named_for_what_the_visit_is_past(desk: HandPlayed, fact: e.Fact) -> None:
    assert "Alt+S" in " ".join(text for _, text in status_text.banners(desk.console, UP, ""))
    desk.tell(fact)
    assert "Alt+S" not in " ".join(text for _, text in status_text.banners(desk.console, UP, ""))


def test_who_may_not_reply_is_told_of_no_key_to_ask_back_with(desk: HandPlayed) -> None:
    desk.begin_turn()
    desk.attempted()
    desk.returned(question="Which day?", proposer="m")
    attempt = desk.console.attempt
    assert attempt is not None
    assert "Alt+Q asks back: Which day?" in status_text.outcome(attempt)
    assert "Ctrl+G" in status_text.outcome(attempt)
    assert "Alt+Q" not in status_text.outcome(attempt, Role.OBSERVER)
    assert "Ctrl+G" not in status_text.outcome(attempt, Role.OBSERVER)


def test_between_scenarios_it_says_how_the_last_one_ended(desk: HandPlayed) -> None:
    assert "No scenario has been started" in status_text.banners(desk.console, UP, "")[0][1]
    desk.scenario("Trip")
    assert status_text.banners(desk.console, UP, "") == []
    desk.tell(e.SolutionDeclared(at=AT, solution="UA 343"), e.ScenarioEnded(outcome=Outcome.DECLARED))
    assert status_text.banners(desk.console, UP, "") == [
        ("know", "“Trip” is over: declared, solution: UA 343. Alt+S starts a scenario.")
    ]


def test_the_end_names_what_is_still_on_its_way(desk: HandPlayed) -> None:
    desk.begin_turn()
    desk.tell(e.SessionEnded(reason=""))
    assert "1 recording is not complete yet" in status_text.banners(desk.console, UP, "")[0][1]
    desk.confirmed()
    assert "every recording is complete" in status_text.banners(desk.console, UP, "")[0][1]


def test_durations_never_run_backwards() -> None:
    assert status_text.clocked(-5) == "0:00"
    assert msgspec.json.encode(status_text.clocked(3_661_000_000_000)) == b'"61:01"'


def test_that_the_subject_has_stopped_or_is_at_the_last_steps_is_told() -> None:
    desk = HandPlayed()
    link = LinkState(True)
    desk.tell(e.StepBegun(step=Step.SATISFACTION))
    assert any("at this step: satisfaction" in text for _, text in status_text.banners(desk.console, link, ""))
    desk.tell(e.WithdrawalRequested(at=Stamp("s", 0, 0), erase=True))
    assert any("STOPPED TAKING PART" in text for _, text in status_text.banners(desk.console, link, ""))
    desk.tell(e.SessionEnded(reason=""))
    assert not any("STOPPED TAKING PART" in text for _, text in status_text.banners(desk.console, link, ""))


def texts_of(desk: HandPlayed) -> str:
    return "\n".join(text for _, text in status_text.banners(desk.console, UP, ""))


def test_a_lost_subject_is_a_banner_with_seconds_until_she_is_back(desk: HandPlayed) -> None:
    desk.scenario()
    desk.tell(e.TalkPressed(at=AT, take="t1"))
    desk.console.receive(DeskPresence(Role.SUBJECT, False))
    desk.clock.advance(12)
    assert status_text.banners(desk.console, UP, "")[0] == (
        "stop",
        "PARTICIPANT LOST 0:12: the terminal is not connected. It keeps the speech so far.",
    )
    assert "● " not in status_text.utterance(desk.console)
    desk.console.receive(DeskPresence(Role.SUBJECT, True))
    assert "LOST" not in texts_of(desk)


def test_a_wish_for_erasure_stays_until_it_was_done(desk: HandPlayed) -> None:
    desk.tell(e.WithdrawalRequested(at=AT, erase=True))
    assert "EVERYTHING ERASED" in texts_of(desk)
    desk.tell(e.SessionEnded(reason=""))
    assert "curtain withdraw STUDY b01" in texts_of(desk)
    desk.tell(e.SpeakerWithdrawn(speaker="b01", erased=1))
    assert "ERASED" not in texts_of(desk)


@pytest.mark.parametrize("agreed", [True, False])
def test_who_is_not_to_be_written_down_is_not_transcribed(desk: HandPlayed, agreed: bool) -> None:
    desk.tell(e.ConsentGiven(at=AT, version="1", sha256="", scopes={"record": True, "transcribe": agreed}))
    desk.begin_turn()
    assert ("DO NOT TRANSCRIBE" in texts_of(desk)) is not agreed
    assert ("to be transcribed" in status_text.utterance(desk.console)) is agreed
    output = "\n".join(progress(desk.console.state, AT))
    assert ("√ transcribe" if agreed else "× transcribe") in output
    assert "× contact" in output
