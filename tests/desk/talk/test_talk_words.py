"""Each state and each way of talking has a hint of its own."""

from itertools import product

from desk.talk.gate import Control, Grip
from desk.talk.talk_words import SIGNS, TalkWords


def test_ways_of_ending_differ() -> None:
    hints = {TalkWords().hint("recording", grip, Control.HOLD, True) for grip in Grip}
    assert len(hints) == len(Grip)


def test_holding_is_asked_for_only_where_a_release_is_seen() -> None:
    words = TalkWords()
    assert words.hint("ready", None, Control.HOLD, True).startswith("Hold {key} down")
    assert words.hint("ready", None, Control.HOLD, False).startswith("Press {key} to start")
    assert words.hint("ready", None, Control.PRESS, True) == words.to_press


def test_every_look_has_a_word_and_no_word_needs_more_than_the_key() -> None:
    words = TalkWords()
    for look, grip, control, agreed in product(SIGNS, [None, *Grip], Control, (True, False)):
        assert getattr(words, look)
        words.hint(look, grip, control, agreed).format(key="SPACE")
