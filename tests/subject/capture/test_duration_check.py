"""Whether as much was recorded as time has passed, told at the end of each take."""

from pathlib import Path

from session.audio.fake import Overflow, Stall
from session.values.clock import SECOND
from session.values.vocabulary import AudioTrouble
from tests.session.stalls import jitter
from tests.subject.bench import BLOCK, RATE, Bench


def spans(bench: Bench) -> list[tuple[str, int, str]]:
    return [(trouble.take, trouble.samples, trouble.detail) for trouble in bench.troubles(AudioTrouble.DURATION)]


def test_a_loss_that_no_gap_could_be_placed_for_yet_is_told_with_the_end_of_its_take(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(120, 25, hidden=True)], blind=True).open()
    bench.take(before=50, talking=120, after=45)
    [(take, samples, detail)] = spans(bench)
    assert (take, samples) == ("T1", 25 * BLOCK)
    assert detail.startswith("0.50 s of the take")
    assert bench.troubles(AudioTrouble.GAP) == []
    bench.run(150)
    [gap] = bench.troubles(AudioTrouble.GAP)
    assert (gap.take, gap.samples) == ("T1", 25 * BLOCK)


def test_it_is_told_once_and_the_next_take_is_not_accused_of_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(120, 25, hidden=True)], blind=True).open()
    bench.take(before=50, talking=120, after=45)
    bench.take(before=0, talking=40, after=30, name="T2")
    bench.take(before=200, talking=40, after=30, name="T3")
    assert [take for take, _, _ in spans(bench)] == ["T1"]


def test_what_was_reported_as_a_gap_is_no_difference(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Overflow(60, 25)], blind=True).open()
    bench.take(before=50, talking=200)
    assert [gap.samples for gap in bench.troubles(AudioTrouble.GAP)] == [25 * BLOCK]
    assert spans(bench) == []


def test_jitter_stalls_and_drift_are_no_difference(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[*jitter(5, 400), Stall(450, 20)], blind=True, drift_ppm=200.0).open()
    bench.take(before=50, talking=600)
    bench.take(before=100, talking=1_000, name="T2")
    assert spans(bench) == []


def test_small_losses_outside_takes_add_up_for_the_session(tmp_path: Path) -> None:
    faults = [Overflow(100, 2, hidden=True), Overflow(700, 2, hidden=True), Overflow(1_300, 2, hidden=True)]
    bench = Bench(tmp_path, faults=faults, blind=True).open()
    findings = []
    for number in range(4):
        bench.take(before=480, talking=60, after=60, name=f"T{number}")
        findings.append(len(spans(bench)))
    placed = sum(gap.samples for gap in bench.troubles(AudioTrouble.GAP))
    lost = 6 * BLOCK
    assert placed + sum(samples for _, samples, _ in spans(bench)) <= lost
    assert lost - placed < 0.06 * RATE + 300e-6 * bench.clock.monotonic_ns() / SECOND * RATE
