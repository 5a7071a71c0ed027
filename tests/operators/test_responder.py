"""What a responder sends by itself."""

import msgspec
import pytest

from operators.responder import next_of_visit, reply_to
from session import commands as c
from session import events as e
from session.study.assignment import Assignment, VisitPlan
from session.study.settings import CannedMessage
from session.values.answers import FailureKind, rows_of
from session.values.vocabulary import Language, Outcome, ResponseClass
from tests.session.play import Play

LARGE = CannedMessage(id="large", text="Too many rows.", reason="too_large", response=ResponseClass.DIAGNOSTIC)
UNABLE = CannedMessage(id="unable", text="I cannot.", reason="tool_failed", response=ResponseClass.FAILURE)
ROWS = rows_of(["n"], [[1]])
UNKNOWN = CannedMessage(
    id="unknown", text="I do not understand.", reason="not_understood", response=ResponseClass.FAILURE
)


def asked() -> tuple[Play, str]:
    """Return a session in which somebody spoke and was asked about in English, and the attempt's name."""
    play = Play()
    play.start()
    play.speak()
    play.transcribe()
    play.show()
    name = play.new_id()
    play.do(c.SubmitQuery(id=name, at=play.now, take="T1", language=Language.ENGLISH, text="x"))
    return play, name


def test_rows_that_leave_words_of_the_request_out_or_are_doubtful_are_no_answer() -> None:
    for unused, sure, kind in (
        ((), 0.0, c.SendAnswer),
        ((), 0.7, c.SendAnswer),
        ((), 0.6, c.SendCanned),
        (("refundable",), 0.9, c.SendCanned),
    ):
        play, name = asked()
        returned = e.QueryReturned(
            attempt=name, sql="SELECT 1", table=ROWS, took=1, database_version="1", unused=unused
        )
        play.hub(msgspec.structs.replace(returned, confidence=sure))
        assert play.state.opened is not None
        protocol = msgspec.structs.replace(play.state.opened.protocol, canned_messages={"unknown": UNKNOWN})
        play.hub(msgspec.structs.replace(play.state.opened, protocol=protocol))
        reply = reply_to(play.state, play.state.takes["T1"])
        assert isinstance(reply, kind)
        assert not isinstance(reply, c.SendCanned) or reply.message == "unknown"


def test_a_scenario_of_the_design_that_was_broken_off_is_held_again() -> None:
    play = Play()
    assert play.state.opened is not None
    play.hub(msgspec.structs.replace(play.state.opened, assignment=Assignment(1, (VisitPlan({}, ("hub",)),))))
    for outcome, following in ((Outcome.INVALIDATED, c.StartScenario), (Outcome.ENDED, c.EndSession)):
        play.start("hub")
        play.do(c.EndScenario(id=play.new_id(), outcome=outcome, reason="the line was cut"))
        found = next_of_visit(play.state, play.now)
        assert isinstance(found, following)
    assert found == c.EndSession(id=found.id, reason="the scenarios are done")  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", [FailureKind.TOO_LARGE, FailureKind.TIMEOUT])
@pytest.mark.parametrize(("sql", "message"), [("SELECT 1", "large"), ("", "unable")])
def test_who_is_told_to_ask_for_less_asked_for_too_much(kind: FailureKind, sql: str, message: str) -> None:
    """An outside model that is late, or answers with a gigabyte, is no fault of the request."""
    play, name = asked()
    play.hub(e.QueryFailed(attempt=name, kind=kind, message="no", sql=sql))
    assert play.state.opened is not None
    messages = {"large": LARGE, "unable": UNABLE}
    protocol = msgspec.structs.replace(play.state.opened.protocol, canned_messages=messages)
    play.hub(msgspec.structs.replace(play.state.opened, protocol=protocol))
    reply = reply_to(play.state, play.state.takes["T1"])
    assert isinstance(reply, c.SendCanned)
    assert reply.message == message
