"""What is new since the screen was last brought up to date."""

from session import events as e
from tests.wizard.desk import HandPlayed
from wizard.core.turn_tracker import TurnTracker


def test_another_utterance_is_news_once_and_asks_for_its_transcription() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.scenario()
    assert not turn.change().take
    desk.spoken()
    moved = turn.change()
    assert (moved.take, moved.anew, moved.text, moved.waits) == (True, False, "", True)
    again = turn.change()
    assert (again.take, again.text, again.waits) == (False, None, False)


def test_words_that_come_from_elsewhere_are_news() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.begin_turn()
    turn.change()
    desk.transcribed("from a second person")
    moved = turn.change()
    assert (moved.text, moved.before, moved.waits) == ("from a second person", "", False)
    assert turn.transcribed
    assert not turn.unsaid(" from a second person ")
    assert turn.unsaid("something else")


def test_an_attempt_is_news_when_it_starts_and_when_it_ends() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.begin_turn()
    turn.change()
    desk.attempted()
    assert turn.change().attempt is not None
    assert turn.change().attempt is None
    desk.returned()
    found = turn.change().attempt
    assert found is not None
    assert found.table is not None


def test_the_canned_messages_are_offered_once_for_each_utterance() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.begin_turn()
    turn.change()
    desk.tell(e.ReplyLimitReached(take="t1"))
    assert turn.change().offer
    assert not turn.change().offer
    assert not turn.offer_once()


def test_an_utterance_that_has_its_reply_is_not_offered_any() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.begin_turn()
    desk.tell(e.ReplyLimitReached(take="t1"))
    desk.answered()
    assert not turn.change().offer


def test_after_a_reply_the_next_one_that_waits_is_at_hand() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.scenario()
    desk.spoken("t1")
    turn.change()
    desk.spoken("t2")
    assert not turn.change().take
    desk.answered("t1")
    moved = turn.change()
    assert (moved.take, moved.anew, moved.waits) == (True, True, True)


def test_sending_twice_is_sending_once_until_something_stood_in_the_way() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    desk.begin_turn()
    desk.attempted()
    desk.returned()
    assert turn.may_send()
    assert not turn.may_send()
    desk.console.message = "The participant's screen has changed since the preview."
    assert turn.may_send()
    desk.console.message = ""
    desk.tell(e.ScreenSized(at=e.NOWHERE, columns=60, lines=20))
    assert turn.may_send()


def test_steps_stay_within_what_there_is() -> None:
    desk = HandPlayed()
    turn = TurnTracker(desk.console)
    turn.step_utterance(1)
    turn.step_attempt(1)
    assert desk.console.take is None
    desk.scenario()
    desk.spoken("t1")
    desk.spoken("t2")
    for step, expected in ((1, "t2"), (1, "t2"), (-1, "t1"), (-1, "t1")):
        turn.step_utterance(step)
        assert desk.console.take is not None
        assert desk.console.take.take == expected
