"""Spans behave like sets of samples."""

from hypothesis import given
from hypothesis import strategies as st

from session.collection.sample_ranges import Span, punched, without

SPAN = st.tuples(st.integers(0, 30), st.integers(0, 10))


def members(spans: list[Span]) -> set[int]:
    return {sample for first, count in spans for sample in range(first, first + count)}


@given(spans=st.lists(SPAN), more=SPAN)
def test_spans_add_and_subtract_as_sets_do(spans: list[Span], more: Span) -> None:
    built: list[Span] = []
    for span in spans:
        built = punched(built, span)
    assert members(built) == members(spans)
    assert members(punched(built, more)) == members(spans) | members([more])
    assert members(without(built, more)) == members(spans) - members([more])
    for result in (built, without(built, more)):
        assert sum(count for _, count in result) == len(members(result))
        assert result == sorted(result)
