"""Moments of several machines on one line: whatever links and clocks do, the truth lies within what is stated."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.log.timeline import FASTEST_PPM, Moment, Timeline
from session.events import ClockCompared, DeskAttached, Fact, Recorded, RecordingStarted
from session.values.clock import MILLISECOND, SECOND, Stamp

BEGIN = 1_700_000_000 * SECOND
AHEAD = 74 * SECOND


def at_hub(true_ns: int, clock: str = "hub") -> Stamp:
    return Stamp(clock, true_ns, BEGIN + true_ns)


def at_desk(true_ns: int, ppm: float = 0.0) -> Stamp:
    """The desk's clock runs `ppm` faster, began elsewhere, and its wall clock is years off."""
    return Stamp("desk", AHEAD + round(true_ns * (1 + ppm * 1e-6)), 12345 * SECOND)


def recorded(true_ns: int, event: Fact, clock: str = "hub") -> Recorded:
    return Recorded("s", 1, at_hub(true_ns, clock), "hub", "", event)


def compared(true_ns: int, ppm: float, up_ns: int, down_ns: int) -> Recorded:
    """A four-stamp exchange that the desk ends at `true_ns`, its frame having taken so long up and so long down."""
    sent, back = at_desk(true_ns - up_ns - down_ns, ppm).mono, at_desk(true_ns, ppm).mono
    hub = true_ns - down_ns
    offset, uncertainty = hub - (sent + back) // 2, (back - sent) // 2 + 1
    return recorded(true_ns, ClockCompared(clock="desk", mono=back, offset=offset, uncertainty=uncertainty))


def session(ppm: float, seed: int, every_s: float = 4.0, lasting_s: int = 120) -> list[Recorded]:
    draw = random.Random(seed)
    delays = [(draw.choice((1, 1, 5, 40)), draw.choice((1, 1, 5, 40))) for _ in range(int(lasting_s / every_s))]
    facts = [recorded(0, DeskAttached(role="subject", desk="d", clock="desk", version="1"))]
    for number, (up, down) in enumerate(delays, start=1):
        facts.append(compared(round(number * every_s * SECOND), ppm, up * MILLISECOND, down * MILLISECOND))
    return facts


@given(st.floats(-200, 200), st.integers(0, 999), st.lists(st.integers(0, 130 * SECOND), min_size=1, max_size=20))
def test_the_truth_lies_within_what_is_stated_whatever_the_delays_and_the_drift(
    ppm: float, seed: int, moments: list[int]
) -> None:
    line = Timeline(session(ppm, seed))
    for true_ns in moments:
        placed = line.place(at_desk(true_ns, ppm))
        assert placed.within is not None
        assert abs(placed.at * 1000 - (BEGIN + true_ns)) <= placed.within * 1000 + 1000


def test_a_good_comparison_bounds_its_neighbours() -> None:
    facts = [recorded(0, DeskAttached(role="subject", desk="d", clock="desk", version="1"))]
    facts += [compared(4 * SECOND, 0, MILLISECOND, MILLISECOND), compared(8 * SECOND, 0, 0, 80 * MILLISECOND)]
    placed = Timeline(facts).place(at_desk(8 * SECOND))
    assert placed.within is not None
    assert placed.within < 4_000
    assert abs(placed.at * 1000 - BEGIN - 8 * SECOND) <= placed.within * 1000


def test_the_bound_grows_while_the_link_is_cut_and_holds() -> None:
    ppm = 120.0
    facts = [recorded(0, DeskAttached(role="subject", desk="d", clock="desk", version="1"))]
    facts += [compared(second * SECOND, ppm, MILLISECOND, MILLISECOND) for second in (4, 604)]
    line = Timeline(facts)
    near, far = line.place(at_desk(5 * SECOND, ppm)), line.place(at_desk(300 * SECOND, ppm))
    assert near.within is not None
    assert far.within is not None
    assert near.within < 2_000 < far.within <= 300 * FASTEST_PPM + 2_000
    assert abs(far.at * 1000 - BEGIN - 300 * SECOND) <= far.within * 1000


def test_a_step_of_anybodys_wall_clock_moves_nothing() -> None:
    facts = session(0.0, 1)
    line = Timeline(facts)
    stamp = at_desk(30 * SECOND)
    assert line.place(Stamp(stamp.clock, stamp.mono, stamp.wall + 3600 * SECOND)) == line.place(stamp)
    hub = at_hub(31 * SECOND)
    assert line.place(Stamp(hub.clock, hub.mono, hub.wall - 86_400 * SECOND)) == line.place(hub)


def test_a_hub_that_came_back_with_another_clock_binds_only_its_own_time() -> None:
    later = 1000 * SECOND
    facts = [
        *session(0.0, 3, lasting_s=40),
        Recorded(
            "s", 9, Stamp("hub-2", 7, BEGIN + later + 5 * SECOND), "hub", "", DeskAttached("wizard", "w", "w", "1")
        ),
        Recorded(
            "s",
            10,
            Stamp("hub-2", 7, BEGIN + later + 5 * SECOND),
            "hub",
            "",
            ClockCompared(
                clock="desk", mono=at_desk(later).mono, offset=7 - at_desk(later).mono, uncertainty=MILLISECOND
            ),
        ),
    ]
    line = Timeline(facts)
    assert abs(line.place(at_desk(20 * SECOND)).at * 1000 - BEGIN - 20 * SECOND) < 50 * MILLISECOND
    assert abs(line.place(at_desk(later)).at * 1000 - BEGIN - later - 5 * SECOND) < 2 * MILLISECOND


@pytest.mark.parametrize("back", [30, 3600])
@pytest.mark.parametrize("stayed", [True, False])
def test_a_hub_that_came_back_with_a_clock_set_back_goes_on_where_the_other_ended(back: int, stayed: bool) -> None:
    def hub(true_s: int) -> Stamp:
        return Stamp("hub-2", true_s * SECOND, BEGIN + (true_s - back) * SECOND)

    facts = session(0.0, 3, lasting_s=40)
    if stayed:
        offset = -at_desk(0).mono
        again = ClockCompared(clock="desk", mono=at_desk(61 * SECOND).mono, offset=offset, uncertainty=MILLISECOND)
        facts.append(Recorded("s", 98, hub(61), "hub", "", again))
    else:
        facts.append(Recorded("s", 98, hub(61), "hub", "", DeskAttached("wizard", "w", "w", "1")))
    line = Timeline(facts)
    moments = [line.place(at_hub(39 * SECOND)), line.place(hub(62)), line.place(hub(70))]
    assert moments == sorted(moments, key=lambda moment: moment.at)
    assert moments[2].at - moments[1].at == 8_000_000
    if stayed:
        assert abs(moments[1].at * 1000 - BEGIN - 62 * SECOND) < 60 * MILLISECOND
        desk = [line.place(at_desk(second * SECOND)).at for second in range(30, 80, 2)]
        assert desk == sorted(desk)


@pytest.mark.parametrize("rate", [8_000, 16_000, 48_000])
@given(seed=st.integers(0, 999), true_ns=st.integers(50 * SECOND, 70 * SECOND), wrong_ns=st.integers(-9, 9))
def test_an_event_of_any_desk_is_placed_on_the_waveform_within_the_stated_samples(
    rate: int, seed: int, true_ns: int, wrong_ns: int
) -> None:
    ppm, anchor = 80.0, 60 * SECOND
    said = Stamp("desk", at_desk(anchor, ppm).mono + wrong_ns * MILLISECOND, 0)
    began = RecordingStarted(at=said, take="T", channels=(), pre_roll=0, uncertainty=abs(wrong_ns) * MILLISECOND)
    line = Timeline(session(ppm, seed))
    truth = (true_ns - anchor) * rate / SECOND
    for stamp in (at_desk(true_ns, ppm), at_hub(true_ns)):
        found = line.sample(began, stamp, rate)
        assert found.within is not None
        assert abs(found.at - truth) <= found.within + abs(truth) * ppm * 1e-6


def test_a_clock_that_was_never_compared_is_placed_without_a_bound() -> None:
    line = Timeline(session(0.0, 1))
    began = RecordingStarted(at=at_desk(0), take="T", channels=(), pre_roll=0)
    assert line.sample(began, Stamp("stranger", 5, BEGIN), 16_000).within is None


@given(st.integers(-30_610_224_000 * 10**6, 253_402_300_799 * 10**6), st.one_of(st.none(), st.integers(0, 10**9)))
def test_a_moment_is_read_as_it_was_written(at: int, within: int | None) -> None:
    assert Moment.parse(str(Moment(at, within))) == Moment(at, within)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2026-11-21T09:30:00.00000Z", "is not a time; one reads 2026-11-21T09:30:00.000000Z"),
        ("2026-11-21 09:30:00.000000Z", "is not a time; one reads"),
        ("2026-11-21T09:30:00.000000Z ±", "is not a time; one reads"),
        ("2026-11-21T09:30:00.000000Z ±0.5", "is not a time; one reads"),
        ("2026-13-21T09:30:00.000000Z", "month must be in 1..12"),
        ("2026-11-31T09:30:00.000000Z", "day is out of range for month"),
        ("2026-11-21T09:30:60.000000Z", "is not a time; one reads"),
        ("2026-11-21T24:00:00.000000Z", "hour must be in 0..23"),
        ("0001-01-01T00:00:00.000000Z", "is not a time; one reads"),
        ("2026-11-21T09:30:00.000000Z ±007.000000", "is not a time; one reads"),
        ("2026-11-21T09:30:00.000000Z ±٣.٠٠٠٠٠١", "is not a time; one reads"),
        ("2026-11-21T09:30:00.000000Z ±0.000000", "an uncertainty of 0 is not written"),
    ],
)
def test_what_is_no_moment_is_refused_with_its_reason(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        Moment.parse(text)
