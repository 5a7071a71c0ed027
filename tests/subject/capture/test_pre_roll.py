import pytest
from hypothesis import given
from hypothesis import strategies as st

from subject.capture.pre_roll import PreRoll


def sound(first: int, samples: int) -> bytes:
    return b"".join((number % 65_536).to_bytes(2, "little") for number in range(first, first + samples))


@given(st.integers(0, 50), st.lists(st.integers(0, 40), max_size=20))
def test_the_last_samples_are_held_and_never_more(capacity: int, blocks: list[int]) -> None:
    ring, total = PreRoll(capacity), 0
    for block in blocks:
        ring.append(sound(total, block))
        total += block
        assert len(ring) == min(capacity, total)
    assert (ring.start, ring.end) == (total - min(capacity, total), total)
    assert ring.take_from(0) == sound(ring.end - min(capacity, total), min(capacity, total))
    assert len(ring) == 0


@given(st.integers(0, 120))
def test_a_take_begins_where_it_is_told_if_that_is_held(start: int) -> None:
    ring = PreRoll(50)
    ring.append(sound(0, 100))
    begin = min(max(50, start), 100)
    assert ring.take_from(start) == sound(begin, 100 - begin)


def test_what_lay_beyond_the_end_of_a_take_comes_back() -> None:
    ring = PreRoll(50)
    ring.append(sound(0, 100))
    ring.take_from(60)
    ring.skip(40)
    ring.give_back(sound(130, 10))
    assert (ring.start, ring.end) == (130, 140)
    assert ring.take_from(0) == sound(130, 10)


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        PreRoll(-1)
