from hypothesis import given
from hypothesis import strategies as st

from annotator.zoom import VisibleSpan, at_first

RATE = 16_000
MOVES = st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 700 * RATE)), max_size=8)


def test_all_of_a_short_recording_is_in_sight_and_the_beginning_of_a_long_one() -> None:
    assert at_first(5 * RATE, RATE).whole
    assert at_first(600 * RATE, RATE) == VisibleSpan(600 * RATE, RATE, 0, 30 * RATE)
    assert at_first(0, RATE).whole


def test_nearer_is_half_as_much_about_a_place_and_further_is_all_of_it_in_the_end() -> None:
    near = at_first(8 * RATE, RATE).nearer(1, 4 * RATE)
    assert (near.first, near.last) == (2 * RATE, 6 * RATE)
    assert near.nearer(1, 0).first == 0
    assert near.nearer(1, 8 * RATE).last == 8 * RATE
    assert near.nearer(-1, 4 * RATE).whole
    assert near.nearer(-9, 7 * RATE).whole


def test_what_is_in_sight_goes_along_with_the_ear() -> None:
    sight = at_first(600 * RATE, RATE)
    assert sight.following(29 * RATE) == sight
    assert sight.following(30 * RATE).first == 27 * RATE
    assert sight.following(600 * RATE).last == 600 * RATE


@given(st.integers(0, 700 * RATE), MOVES)
def test_what_is_in_sight_lies_in_the_recording_and_holds_the_ear(length: int, moves: list[tuple[int, int]]) -> None:
    sight = at_first(length, RATE)
    for steps, place in moves:
        at = min(place, length)
        sight = sight.nearer(steps, at).following(at)
        assert 0 <= sight.first <= sight.last <= length
        assert sight.first <= at <= sight.last
        assert sight.width > 0 or not length
