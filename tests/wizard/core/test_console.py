"""The wizard's use-cases over a hub that is played by hand."""

from typing import Any

import pytest

from session import commands as c
from session import events as e
from session.events import Recorded
from session.protocol.links import CommandAnswered, FactReceived
from session.protocol.messages import AudioChunk, DeskPresence, HubTrouble, Welcome
from session.protocol.side_messages import SideMessage
from session.values.answers import FailureKind, digest, rows_of
from session.values.clock import SECOND, ManualClock, Stamp
from session.values.vocabulary import Channel, Echo, Language, Outcome, ResponseClass, Role, Scope, Sealed
from tests.together.pipe import opened
from wizard.core.console import Console


class FakeUp:
    def __init__(self) -> None:
        self.given: list[c.AnyCommand] = []

    def ask(self, question: SideMessage) -> None:
        """Nobody answers."""

    def give(self, command: c.AnyCommand) -> None:
        self.given.append(command)


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, int]] = []

    def expect(self, take: str, rate: int) -> None:
        self.heard.append((take, rate))

    def frame(self, take: str, letter: str, first: int, pcm: bytes) -> None:
        self.heard.append((take, len(pcm)))

    def finish(self, take: str) -> None:
        self.heard.append((take, -1))


class Desk:
    def __init__(self, english: bool = False, **profile: Any) -> None:
        self.clock = ManualClock("wizard")
        self.up, self.ear = FakeUp(), Ear()
        numbers = iter(range(1, 1000))
        self.console = Console(self.clock, self.up, lambda: None, lambda: f"id{next(numbers)}", english=english)
        self.console.hearing = self.ear
        self.seq = 0
        self.console.receive(Welcome("bbn-20261121-1", "wizard", "hub"))
        self.tell(opened(**profile))
        self.tell(e.ScenarioStarted(number=1, scenario="trip", title="Trip", text="Go.", kind="trip"))

    def tell(self, *facts: e.Fact, after: float = 0.0) -> None:
        for fact in facts:
            self.seq += 1
            at = Stamp("hub", round(after * SECOND), 0)
            self.console.receive(FactReceived(Recorded("bbn-20261121-1", self.seq, at, "hub", "", fact)))

    def utterance(self, take: str) -> None:
        at = Stamp("s", 0, 0)
        self.tell(e.TalkPressed(at=at, take=take), e.RecordingStopped(at=at, take=take, sealed=(Sealed("s", 1, ""),)))

    def rows(self, take: str, attempt: str, count: int = 2) -> None:
        at = Stamp("w", 0, 0)
        self.tell(
            e.QuerySubmitted(at=at, attempt=attempt, take=take, language=Language.SQL, text="x"),
            e.QueryReturned(
                attempt=attempt,
                sql="x",
                table=rows_of(["n"], [[n] for n in range(count)]),
                took=1,
                database_version="1",
            ),
        )


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.utterance("t1")
    return desk


def test_the_keys_act_on_the_oldest_utterance_without_a_reply(desk: Desk) -> None:
    desk.utterance("t2")
    take = desk.console.take
    assert take is not None
    assert take.take == "t1"
    desk.tell(e.CannedSent(reply="r", take="t1", text="Sorry"))
    assert desk.console.take is not None
    assert desk.console.take.take == "t2"
    desk.console.pick("t1")
    assert desk.console.take.take == "t1"


def test_what_an_earlier_scenario_left_without_a_reply_is_not_in_the_way_of_the_next(desk: Desk) -> None:
    desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
    assert [take.take for take in desk.console.waiting] == []
    desk.tell(e.ScenarioStarted(number=2, scenario="trip", title="Trip", text="Go.", kind="trip"))
    assert desk.console.take is None
    assert desk.console.remaining() is None
    desk.utterance("t2")
    assert desk.console.take is not None
    assert desk.console.take.take == "t2"
    desk.console.pick("t1")
    assert desk.console.take.take == "t1"


def test_what_was_looked_at_again_is_left_when_the_next_scenario_starts(desk: Desk) -> None:
    desk.tell(e.CannedSent(reply="r", take="t1", text="Sorry"))
    desk.console.pick("t1")
    desk.tell(e.ScenarioEnded(outcome=Outcome.DECLARED))
    assert desk.console.take is not None, "between tasks it can still be looked at"
    desk.tell(e.ScenarioStarted(number=2, scenario="trip", title="Trip", text="Go.", kind="trip"))
    assert desk.console.take is None
    desk.utterance("t2")
    assert desk.console.take is not None
    assert desk.console.take.take == "t2"
    assert desk.console.remaining() is not None, "the clock is that of who waits"


def test_a_discarded_utterance_is_left_alone(desk: Desk) -> None:
    desk.tell(e.TakeDiscarded(at=Stamp("s", 0, 0), take="t1"))
    assert desk.console.take is None
    desk.console.transcribe("hello")
    assert desk.up.given == []
    assert "not said anything" in desk.console.message


def test_transcribing_asking_and_sending_name_what_they_are_about(desk: Desk) -> None:
    desk.console.transcribe("hello")
    name = desk.console.ask("SELECT 1", Language.SQL)
    desk.rows("t1", name)
    text = desk.console.preview
    assert text is not None
    desk.console.previewed()
    desk.console.previewed()
    desk.console.send()
    transcribe, ask, preview, send = desk.up.given
    assert isinstance(transcribe, c.Transcribe)
    assert isinstance(ask, c.SubmitQuery)
    assert isinstance(preview, c.Report)
    assert isinstance(send, c.SendAnswer)
    assert send.sha256 == digest(text)


def test_there_is_nothing_to_send_without_rows(desk: Desk) -> None:
    desk.tell(
        e.QuerySubmitted(at=Stamp("w", 0, 0), attempt="a1", take="t1", language=Language.SQL, text="x"),
        e.QueryFailed(attempt="a1", kind=FailureKind.SYNTAX, message="no"),
    )
    desk.console.send()
    assert desk.up.given == []
    assert "no rows" in desk.console.message


def test_an_earlier_attempt_can_be_shown_and_sent_again(desk: Desk) -> None:
    desk.rows("t1", "a1", 1)
    desk.rows("t1", "a2", 3)
    assert desk.console.attempt is not None
    assert desk.console.attempt.attempt == "a2"
    desk.console.pick_attempt("a1")
    desk.console.send()
    sent = desk.up.given[-1]
    assert isinstance(sent, c.SendAnswer)
    assert sent.attempt == "a1"


def test_english_goes_off_by_itself_when_the_subject_has_seen_the_transcription() -> None:
    desk = Desk(english=True)
    desk.utterance("t1")
    desk.console.transcribe("give me two")
    desk.tell(e.Transcribed(at=Stamp("w", 0, 0), take="t1", text="give me two"))
    assert not any(isinstance(command, c.SubmitQuery) for command in desk.up.given)
    desk.tell(e.TranscriptionShown(at=Stamp("s", 0, 0), take="t1"))
    asked = desk.up.given[-1]
    assert isinstance(asked, c.SubmitQuery)
    assert (asked.language, asked.text, asked.origin) == (Language.ENGLISH, "give me two", "transcription")


def test_what_a_transcriber_has_written_is_asked_by_the_other_wizard() -> None:
    desk = Desk(english=True, echo=Echo.WITH_ANSWER)
    desk.console.role = Role.TRANSCRIBER
    desk.utterance("t1")
    desk.console.transcribe("give me two")
    desk.tell(e.Transcribed(at=Stamp("w", 0, 0), take="t1", text="give me two"))
    assert [type(command) for command in desk.up.given] == [c.Transcribe], "the hub refuses a request of hers"


def test_typed_words_are_asked_by_the_key_that_would_have_shown_them() -> None:
    desk = Desk(english=True, echo=Echo.NEVER)
    desk.tell(e.UtteranceTyped(at=Stamp("s", 0, 0), take="t1", text="give me two"))
    desk.console.transcribe("give me two")
    asked = desk.up.given[-1]
    assert isinstance(asked, c.SubmitQuery)
    assert (asked.language, asked.text, asked.origin) == (Language.ENGLISH, "give me two", "transcription")
    assert not any(isinstance(command, c.Transcribe) for command in desk.up.given)


def test_english_does_not_wait_where_the_subject_sees_no_transcription() -> None:
    desk = Desk(english=True, echo=Echo.NEVER)
    desk.utterance("t1")
    desk.console.transcribe("give me two")
    desk.tell(e.Transcribed(at=Stamp("w", 0, 0), take="t1", text="give me two"))
    assert isinstance(desk.up.given[-1], c.SubmitQuery)


def test_the_countdown_starts_when_the_recording_stops_and_leaves_pauses_out(desk: Desk) -> None:
    desk.clock.advance(20)
    remaining = desk.console.remaining()
    assert remaining is not None
    assert remaining.seconds == 40
    desk.tell(e.SessionPaused(reason="break"), after=20)
    desk.tell(e.SessionResumed(), after=50)
    desk.clock.advance(30)
    remaining = desk.console.remaining()
    assert remaining is not None
    assert remaining.seconds == 40
    desk.tell(e.CannedSent(reply="r", take="t1", text="Sorry"))
    assert desk.console.remaining() is None


def test_a_canned_message_goes_to_the_utterance_that_waits_or_to_none(desk: Desk) -> None:
    desk.console.send_canned("none", ("fares",))
    desk.tell(e.CannedSent(reply="r", take="t1", text="Sorry"))
    desk.console.send_canned("wait")
    first, second = desk.up.given
    assert isinstance(first, c.SendCanned)
    assert isinstance(second, c.SendCanned)
    assert (first.take, second.take) == ("t1", "")


def test_messages_with_a_digit_come_first() -> None:
    assert [message.id for message in Desk().console.canned_messages] == ["none", "wait"]


def test_scope_notes_and_marks_go_up(desk: Desk) -> None:
    desk.console.mark_scope(Scope.META)
    desk.console.note("mumbles")
    desk.console.deviate("noise", "a door")
    desk.console.pause("break")
    assert [type(command).__name__ for command in desk.up.given] == [
        "MarkScope", "WriteNote", "NoteDeviation", "PauseSession",
    ]  # fmt: skip


def test_a_reply_that_is_held_back_can_be_stopped(desk: Desk) -> None:
    sent = e.CannedSent(reply="r", take="t1", text="Sorry", response=ResponseClass.DIAGNOSTIC)
    desk.tell(e.ReplyPlanned(reply=sent, due=5))
    desk.console.stop_reply()
    stop = desk.up.given[-1]
    assert isinstance(stop, c.StopReply)
    assert stop.reply == "r"


def test_what_arrives_beside_facts_is_kept(desk: Desk) -> None:
    desk.console.receive(DeskPresence("subject", True))
    assert desk.console.subject_connected
    desk.console.receive(HubTrouble("disk full"))
    assert desk.console.trouble == "disk full"
    desk.console.receive(CommandAnswered("x", "no"))
    assert desk.console.message == "no"
    desk.console.receive(AudioChunk("t1", "s", 0, b"\0\0"))
    assert desk.ear.heard[-1] == ("t1", 2)
    desk.console.lost()
    assert not desk.console.connected
    assert not desk.console.subject_connected


def test_a_running_query_can_be_cancelled(desk: Desk) -> None:
    desk.tell(e.QuerySubmitted(at=Stamp("w", 0, 0), attempt="a1", take="t1", language=Language.SQL, text="x"))
    desk.console.cancel()
    cancel = desk.up.given[-1]
    assert isinstance(cancel, c.CancelQuery)
    assert cancel.attempt == "a1"


def test_the_ear_is_told_when_a_take_begins_and_ends(desk: Desk) -> None:
    at = Stamp("s", 0, 0)
    channels = (Channel("s", "head-mounted", 16000), Channel("c", "telephone", 8000))
    desk.tell(e.RecordingStarted(at=at, take="t2", channels=channels, pre_roll=0))
    desk.utterance("t2")
    assert desk.ear.heard[-2:] == [("t2", 16000), ("t2", -1)]


def test_the_name_of_a_reply_tells_no_time() -> None:
    desk = Desk()
    clock = ManualClock("wizard")
    console = Console(clock, desk.up, lambda: None)
    console.state = desk.console.state
    console.send_canned("wait")
    sent = desk.up.given[-1]
    assert isinstance(sent, c.SendCanned)
    assert sent.id.startswith("0" * 10)


def test_what_had_happened_before_a_console_came_is_shown_once_and_not_fact_by_fact() -> None:
    shown: list[int] = []
    console = Console(ManualClock("wizard"), FakeUp(), lambda: shown.append(len(console.state.takes)), str)
    console.receive(Welcome("bbn-20261121-1", "wizard", "hub", facts=51))
    at = Stamp("s", 0, 0)
    facts = [opened(), *(e.UtteranceTyped(at=at, take=f"t{number}", text="x") for number in range(52))]
    for seq, fact in enumerate(facts, start=1):
        console.receive(FactReceived(Recorded("bbn-20261121-1", seq, at, "hub", "", fact)))  # type: ignore[arg-type]
    assert shown == [0, 50, 51, 52]
