"""A spoken session's order: the system opens, recording opens behind each reply, and nothing of it needs a person."""

import pytest

from session import commands as c
from session import events as e
from session.rules.replies import answer_speech
from session.study.settings import Profile
from session.values.vocabulary import Echo, PlaybackEnd, RecordingControl, SpokenPart
from tests.session.play import ROWS, SEALED, Play

ATT = Profile(
    name="test", recording=RecordingControl.OPERATOR, echo=Echo.NEVER, show_answers=False, spoken=SpokenPart.ANSWER,
    opening="hello",
)  # fmt: skip


def begun(profile: Profile = ATT) -> Play:
    play = Play(profile)
    play.start()
    play.wait(0)
    return play


def stopped(play: Play, reply: str, why: PlaybackEnd = PlaybackEnd.ENDED) -> list[e.Fact]:
    return play.report(e.PlaybackStopped(at=play.now, reply=reply, samples=5, why=why))


def test_the_system_opens_each_dialogue_once() -> None:
    play = begun()
    assert play.names[-2:] == ["ScenarioStarted", "CannedSent"]
    assert play.recorded[-1].by == "hub"
    assert play.wait(100) == []
    play.do(c.EndScenario(id="E", outcome="ended"))  # type: ignore[arg-type]
    play.start("warm-up")
    assert [type(fact) for fact in play.wait(1)] == [e.CannedSent]
    assert len({fact.reply for fact in play.facts if isinstance(fact, e.CannedSent)}) == 2


def test_recording_opens_when_the_opening_was_heard() -> None:
    play = begun()
    assert [type(fact) for fact in stopped(play, "opening-1")] == [e.PlaybackStopped, e.RecordingSwitched]
    assert play.state.switched_on


def test_recording_opens_when_the_text_was_read_of_what_could_not_be_spoken() -> None:
    play = begun()
    play.hub(e.VoiceFailed(reply="opening-1", detail="no voice"))
    shown = e.ReplyShown(at=play.now, reply="opening-1", first=0, last=0)
    assert [type(fact) for fact in play.report(shown)] == [e.ReplyShown, e.RecordingSwitched]


def test_a_reply_that_could_not_be_heard_opens_nothing_before_it_is_read() -> None:
    play = begun()
    assert [type(fact) for fact in stopped(play, "opening-1", PlaybackEnd.FAILED)] == [e.PlaybackStopped]
    shown = e.ReplyShown(at=play.now, reply="opening-1", first=0, last=0)
    assert [type(fact) for fact in play.report(shown)] == [e.ReplyShown, e.RecordingSwitched]


@pytest.mark.parametrize("recording", [RecordingControl.PRESS, RecordingControl.HOLD, RecordingControl.ENDPOINTED])
def test_elsewhere_the_subject_begins(recording: RecordingControl) -> None:
    play = begun(Profile(name="test", recording=recording, spoken=SpokenPart.ANSWER, opening="hello"))
    assert [type(fact) for fact in stopped(play, "opening-1")] == [e.PlaybackStopped]


def test_nothing_opens_while_more_is_to_be_said() -> None:
    play = begun()
    play.do(play.canned("hello", ""))
    second = list(play.state.replies)[-1]
    assert [type(fact) for fact in stopped(play, "opening-1")] == [e.PlaybackStopped]
    assert [type(fact) for fact in stopped(play, second)] == [e.PlaybackStopped, e.RecordingSwitched]


def test_behind_a_filler_nothing_opens() -> None:
    play = begun()
    play.do(play.canned("wait", ""))
    filler = list(play.state.replies)[-1]
    assert [type(fact) for fact in stopped(play, filler)] == [e.PlaybackStopped]


def test_a_recording_that_was_opened_for_nobody_is_taken_back() -> None:
    play = begun()
    stopped(play, "opening-1")
    play.press()
    play.do(c.EndScenario(id="E", outcome="ended"))  # type: ignore[arg-type]
    play.report(e.TalkReleased(at=play.now, take="T1", why="scenario over"))
    play.report(e.RecordingStopped(at=play.now, take="T1", sealed=SEALED))
    assert play.take().discarded
    assert play.take().number is None


def test_canned_messages_are_said_and_answers_in_sentences() -> None:
    play = begun()
    play.speak()
    (said,) = [fact for fact in play.do(play.canned("unable")) if isinstance(fact, e.CannedSent)]
    assert said.spoken == said.text == "The request cannot be answered."
    silent = Play(Profile(name="test"))
    silent.start()
    silent.speak()
    (sent,) = [fact for fact in silent.do(silent.canned("unable")) if isinstance(fact, e.CannedSent)]
    assert sent.spoken == ""


def test_the_question_is_said_without_remarks_on_how_it_was_read() -> None:
    play = begun(Profile(name="test", echo=Echo.NEVER, spoken=SpokenPart.SUMMARY, summary=True))
    play.speak()
    name = play.query(table=None)
    play.hub(
        e.QueryReturned(
            attempt=name,
            sql="",
            table=ROWS,
            took=1,
            database_version="1",
            spoken="Two fares were found.",
            paraphrase="fares to Denver (from before: to Denver)",
        )
    )
    assert answer_speech(play.state, name) == "Fares to Denver. Two fares were found."
    proposed = play.query(table=None)
    play.hub(
        e.QueryReturned(
            attempt=proposed, sql="", table=ROWS, took=1, database_version="1", spoken="Two fares were found.",
            paraphrase="fares to Buy Now", proposer="m-1",
        )
    )  # fmt: skip
    assert answer_speech(play.state, proposed) == "Two fares were found.", "a stranger's literals are not said"
