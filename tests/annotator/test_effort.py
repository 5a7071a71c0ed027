import io
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from annotator.effort import IDLE_NS, Attention, Effort, effort_of
from corpus.commands.report import StatsOptions, stats_command
from session.annotation.events import Pass
from session.annotation.transcript import Share, Transcript
from session.values.clock import SECOND
from tests.annotator.desk import FIRST, LAST, HandClock, Lab


def test_attention_begins_with_the_first_deed_and_is_taken_once() -> None:
    clock = HandClock()
    attention = Attention(clock)
    clock.wait(500)
    attention.touch()
    assert attention.take() == 0
    clock.wait(4)
    attention.touch()
    assert attention.take() == 4 * SECOND
    assert attention.take() == 0


def test_who_leaves_is_not_counted_when_coming_back() -> None:
    clock = HandClock()
    attention = Attention(clock)
    attention.touch()
    attention.leave()
    clock.wait(10)
    attention.touch()
    assert attention.worked == 0


@given(st.lists(st.floats(0, 200), max_size=20))
def test_no_silence_counts_for_more_than_half_a_minute(waits: list[float]) -> None:
    clock = HandClock()
    attention = Attention(clock)
    attention.touch()
    for seconds in waits:
        clock.wait(seconds)
        attention.touch()
    assert attention.worked == sum(min(round(seconds * SECOND), IDLE_NS) for seconds in waits)


def test_nothing_begun_took_nothing() -> None:
    assert effort_of([]) == Effort(0, 0, 0, 0.0, 0.0, ())
    assert effort_of([]).minutes_each == 0


def test_shares_are_summed_by_person_and_pass() -> None:
    one = Transcript(events=1, shares=(Share("a", Pass.WORDS, 60 * SECOND), Share("b", Pass.CHECK, 30 * SECOND)))
    two = Transcript(events=1, shares=(Share("a", Pass.WORDS, 120 * SECOND),))
    effort = effort_of([one, two])
    assert [(row.by, row.utterances, row.minutes, row.minutes_each) for row in effort.rows] == [
        ("a", 2, 3.0, 1.5), ("b", 1, 0.5, 0.5)
    ]  # fmt: skip
    assert effort.minutes == 3.5


def test_the_minutes_of_an_utterance_stand_in_the_figures_of_the_corpus_by_who_transcribed(tmp_path: Path) -> None:
    lab = Lab(tmp_path)
    try:
        for name, stem, worked in (("anna", FIRST, 20), ("carla", LAST, 10)):
            desk = lab.at(stem, name)
            lab.clock.wait(worked)
            desk.submit("never mind")
        checking = lab.at(name="ben")
        lab.clock.wait(10)
        checking.check("never mind")
        out = io.StringIO()
        assert stats_command(StatsOptions(str(lab.exported())), out, io.StringIO()) == 0
    finally:
        lab.close()
    output = out.getvalue()
    table = [
        line.split()
        for line in output[output.index("This table shows how long transcription took.") :].splitlines()[1:8]
    ]
    assert ["anna", "1", "1", "0.5", "0.50"] in table
    assert ["carla", "1", "0", "0.2", "0.17"] in table
    assert ["total", "2", "1", "0.7", "0.33"] in table
