"""The keystroke-level model adds up what it says that it adds up."""

import pytest

from benchmarks.keystrokes import KEY, MENTAL, Request, by_hand, operators, report, seconds, with_share

BY = operators(40)
ASKED = Request("ten chars!", "four words read here", True, False, 0.5, "SELECT 1")


def test_forty_words_a_minute_are_two_hundred_letters() -> None:
    assert BY.letter == pytest.approx(0.3)
    assert BY.typed("ten chars!") == pytest.approx(3.0 + KEY)


def test_a_request_understood_at_once_costs_its_words_a_look_and_a_key() -> None:
    words, look = MENTAL + 3.0 + KEY, 0.5 + 4 * 0.24 + MENTAL + MENTAL
    assert seconds(ASKED, BY) == pytest.approx(words + look + KEY)


def test_rewording_costs_more_and_a_share_lies_between() -> None:
    failed = Request("ten chars!", "four words read here", False, False, 0.5)
    none, all_of_them = with_share([ASKED], BY, 0.0), with_share([ASKED], BY, 1.0)
    assert none == pytest.approx(seconds(ASKED, BY))
    assert all_of_them == pytest.approx(seconds(failed, BY))
    assert with_share([ASKED], BY, 0.5) == pytest.approx((none + all_of_them) / 2)
    assert by_hand([ASKED], BY) > 0


def test_the_aim_decides_the_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([ASKED], BY, 40, 0.0) == 0
    assert report([ASKED], BY, 40, 10.0) == 1
    assert "letter 0.30 s (40 words a minute), key 0.28 s, mental 1.35 s" in capsys.readouterr().out
