"""Charts: ticks that are round, counts that add up, names that are whole, and nothing cut off without a sign."""

import re

from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.distribution import spread
from corpus.report import html, report_page, svg

floats = st.floats(-1e6, 1e6)


@given(st.floats(0.001, 1e7))
def test_ticks_are_few_and_within(largest: float) -> None:
    found = svg.ticks(largest)
    assert 2 <= len(found) <= 8
    assert found[-1] <= largest * (1 + 1e-9)


@given(st.floats(0.001, 1e6))
def test_ticks_of_time_are_those_of_a_clock(seconds: float) -> None:
    found = svg.clock_ticks(seconds)
    step = found[1] - found[0] if len(found) > 1 else 0
    assert 1 <= len(found) <= 9
    assert found[-1] <= seconds
    assert step < 60 or step % 60 == 0


def test_the_median_of_a_histogram_is_that_of_the_tables_and_its_label_stays_inside() -> None:
    assert "median 2.50" in svg.histogram([1.0, 2.0, 3.0, 4.0], "s", "t")
    assert "text-anchor=end y=16>median 9.00" in svg.histogram([1.0, 9.0, 9.0, 9.0], "s", "t")


@given(st.lists(floats, min_size=1, max_size=60))
def test_a_histogram_counts_every_value_once(values: list[float]) -> None:
    drawn = svg.histogram(values, "s", "t")
    assert sum(int(count) for count in re.findall(r"<title>(\d+): ", drawn)) == len(values)


def test_a_line_of_a_spread_that_goes_on_beyond_the_picture_ends_in_an_arrow() -> None:
    within, beyond = spread([1.0, 2.0, 3.0]), spread([*[1.0] * 40, 900.0])
    assert within is not None
    assert beyond is not None
    assert "<path" not in svg.spreads([("reply", within)], "s", "t")
    assert svg.spreads([("reply", within), ("query", beyond)], "s", "t").count("<path class=whisker") == 1


def test_the_names_of_lanes_are_whole_on_a_narrow_screen() -> None:
    """Half an em and a bit is what letters of a sans serif take on average; what lies left of 0 cannot be scrolled to."""
    (size,) = map(int, re.findall(r"\.line svg \{ font-size: (\d+)px", report_page.STYLE))
    drawn = svg.timeline(html.LANES, [], 60.0, "")
    for right, lane in re.findall(r"<text x=(\d+) y=\d+ text-anchor=end>([^<]+)", drawn):
        assert 0.55 * size * len(lane) <= int(right)
