"""What was painted is new once, however often it is painted and whoever painted it first."""

from session import events as e
from session.values.clock import Stamp
from subject.core.shown_on_screen import ScreenRecord
from subject.ports import Seen

AT = Stamp("desk", 1, 2)


def test_a_reply_is_shown_once_and_viewed_after_what_is_new() -> None:
    painted = ScreenRecord()
    assert painted.lacks(["r1"])
    first = painted.replies([Seen("r0", 0, 1, again=True), Seen("r1", 0, 3)], AT)
    assert [type(fact) for fact in first] == [e.ReplyShown, e.ReplyViewed]
    assert painted.replies([Seen("r1", 0, 3)], AT) == []
    assert not painted.lacks(["r1"])


def test_what_the_hub_knows_to_be_shown_is_no_news_until_the_session_is_told_again() -> None:
    painted = ScreenRecord()
    painted.reply_known("r1")
    assert painted.replies([Seen("r1", 0, 0)], AT) == []
    painted.forget()
    assert painted.replies([Seen("r1", 0, 0)], AT) == [e.ReplyShown(at=AT, reply="r1", first=0, last=0)]
