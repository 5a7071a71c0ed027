"""What the subject's screen shows, told to the wizard."""

import pytest

from session import events as e
from session.values.clock import Stamp
from session.values.vocabulary import Echo, ResponseClass
from tests.wizard.desk import HandPlayed
from wizard.core.subject_mirror import mark, mirror, replied

AT = Stamp("s", 0, 0)


def seen(desk: HandPlayed) -> str:
    return "\n".join(mirror(desk.console.state, here=True))


def test_before_anything_it_says_what_is_waited_for() -> None:
    desk = HandPlayed(welcome=False)
    assert mirror(desk.console.state, here=False) == ["(no session yet)"]
    desk.welcome()
    assert mirror(desk.console.state, False, "curtain subject 'ws://x'")[-3:] == [
        "The participant is not connected.",
        "Run on the participant's machine:",
        "curtain subject 'ws://x'",
    ]


@pytest.mark.parametrize(
    ("echo", "before", "after"),
    [(Echo.BEFORE_QUERY, True, True), (Echo.WITH_ANSWER, False, True), (Echo.NEVER, False, False)],
)
def test_the_transcription_is_there_when_the_profile_shows_it(echo: Echo, before: bool, after: bool) -> None:
    desk = HandPlayed(echo=echo)
    desk.begin_turn("when do I fly")
    assert ("when do I fly" in seen(desk)) is before
    desk.tell(e.AnswerSent(reply="r", take="t1", text="at nine", transcription="when do I fly"))
    assert ("when do I fly" in seen(desk)) is after
    assert "at nine" in seen(desk)


def test_nothing_from_behind_the_curtain_is_ever_in_it() -> None:
    desk = HandPlayed()
    desk.begin_turn("words")
    desk.attempted(text="secret query")
    desk.failed("secret failure")
    desk.tell(e.NoteWritten(text="secret note"), e.DeviationNoted(reason="talk", text="secret talk"))
    assert "secret" not in seen(desk)


def test_each_reply_has_what_became_of_it_behind_it() -> None:
    desk = HandPlayed()
    desk.begin_turn()
    desk.answered("t1", "head\nline", "r1")
    assert "line\n  (sent, not shown yet)" in seen(desk)
    desk.tell(e.ReplyShown(at=AT, reply="r1", first=0, last=1), e.ReplyMarkedWrong(reply="r1", reason="old"))
    assert "shown to the participant, 0.0 s after the utterance; marked as wrong: old" in seen(desk)
    assert mark(desk.console.state) == "ready to talk", (
        "the participant is not told of a reply that was marked as wrong"
    )


def test_the_button_is_as_the_subject_has_it() -> None:
    desk = HandPlayed()
    marks = [mark(desk.console.state)]
    desk.scenario()
    marks.append(mark(desk.console.state))
    desk.tell(e.TalkPressed(at=AT, take="t1"))
    marks.append(mark(desk.console.state))
    desk.spoken()
    marks.append(mark(desk.console.state))
    desk.tell(e.SessionPaused(reason=""))
    marks.append(mark(desk.console.state))
    desk.tell(e.SessionEnded(reason=""))
    marks.append(mark(desk.console.state))
    assert marks == ["please wait", "ready to talk", "● recording", "working", "pause", "the session is over"]


def test_fillers_and_replies_marked_already_are_not_offered_for_marking() -> None:
    desk = HandPlayed()
    desk.begin_turn()
    desk.tell(e.CannedSent(reply="f", take="t1", text="One moment", response=ResponseClass.FILLER))
    desk.answered(reply="r1")
    desk.answered(reply="r2", text="again")
    desk.tell(e.ReplyMarkedWrong(reply="r1", reason="x"))
    assert [reply.reply for reply in replied(desk.console.state)] == ["r2"]
