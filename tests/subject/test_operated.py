"""A subject's desk whose takes somebody else switches: over a link that breaks, after a crash, beside a reply to be read."""

from typing import Any

from session import events as e
from session.events import Recorded
from session.protocol.links import FactReceived
from session.protocol.messages import Welcome
from session.values.clock import Stamp
from session.values.vocabulary import RecordingControl
from subject.core.terminal import Phase
from tests.subject.stage import Desk

AT = Stamp("wizard", 0, 0)


def operated(**profile: Any) -> Desk:
    desk = Desk(recording=RecordingControl.OPERATOR, **profile)
    desk.scenario()
    return desk


def switch(on: bool) -> e.RecordingSwitched:
    return e.RecordingSwitched(at=AT, on=on)


def calls(desk: Desk) -> list[str]:
    return [call for call, _ in desk.recorder.calls]


def test_a_switch_presses_and_releases() -> None:
    desk = operated()
    assert not desk.terminal.press()
    desk.tell(switch(True))
    assert desk.terminal.phase is Phase.PRESSED
    desk.terminal.release()
    assert desk.terminal.held, "the subject's own keys end nothing"
    desk.tell(switch(False))
    assert desk.terminal.held == ""
    assert calls(desk) == ["press", "release"]
    released = desk.up.facts()[-1]
    assert isinstance(released, e.TalkReleased)
    assert released.why == "switched off"


def test_on_and_off_and_on_in_quick_order_is_two_presses() -> None:
    desk = operated()
    desk.tell(switch(True), switch(False), switch(True))
    assert calls(desk) == ["press", "release", "press"]


def test_what_was_switched_while_the_link_was_down_is_done_once_it_is_known_how_things_stand() -> None:
    desk = operated()
    desk.terminal.lost()
    desk.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", desk.seq + 2))
    desk.tell(switch(True))
    assert calls(desk) == [], "one more fact is to come, which may take it back"
    desk.tell(switch(False))
    assert calls(desk) == []
    desk.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", desk.seq + 1))
    desk.tell(switch(True))
    assert calls(desk) == ["press"]


def test_a_take_that_an_earlier_run_of_this_desk_was_told_to_record_does_not_begin_again() -> None:
    desk = operated()
    desk.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", desk.seq + 4))
    desk.tell(switch(True))
    desk.tell(e.TalkPressed(at=AT, take="t1"), e.TalkReleased(at=AT, take="t1"))
    desk.tell(e.RecordingStopped(at=AT, take="t1", sealed=()))
    assert calls(desk) == []


def test_nothing_begins_in_a_pause_or_after_the_scenario() -> None:
    desk = operated()
    desk.utterance("t1")
    desk.tell(e.CannedSent(reply="r1", take="t1", text="Sorry"))
    desk.tell(switch(True), e.SessionPaused(reason=""))
    desk.terminal.reply_painted("r1", 0, 0)
    desk.tell(e.SessionResumed())
    assert calls(desk) == []


def test_the_subjects_own_seal_of_a_reply_starts_it() -> None:
    desk = operated()
    desk.utterance("t1")
    desk.tell(e.CannedSent(reply="r1", take="t1", text="Sorry"), switch(True))
    assert calls(desk) == []
    desk.terminal.reply_painted("r1", 0, 0)
    assert calls(desk) == ["press"]


def test_where_replies_are_heard_and_not_seen_nothing_has_to_be_painted() -> None:
    desk = operated(show_answers=False)
    desk.utterance("t1")
    desk.tell(e.CannedSent(reply="r1", take="t1", text="Sorry"), switch(True))
    assert calls(desk) == ["press"]


def test_a_switch_that_comes_twice_acts_once() -> None:
    desk = operated()
    again = FactReceived(Recorded("bbn-20261121-1", desk.seq + 1, Stamp("hub", 0, 0), "hub", "", switch(True)))
    desk.terminal.receive(again)
    desk.terminal.receive(again)
    assert calls(desk) == ["press"]
    desk.terminal.fact(e.TalkReleased(at=AT, take=desk.terminal.held, why="longest"))
    desk.tell(e.SessionResumed())
    assert calls(desk) == ["press"]
