"""The seconds of each stage, by hand-made streams whose answers are known."""

from session import events as e
from session.state.stage_times import SPANS, Stages, StageSpread, Stopwatch, spreads, stages_of
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Language, Sealed

AT = Stamp("desk", 0, 0)
TURN: list[tuple[float, e.Fact]] = [
    (10.0, e.RecordingStopped(at=AT, take="t1", sealed=(Sealed("s", 1, ""),))),
    (14.0, e.Transcribed(at=AT, take="t1", text="a")),
    (14.5, e.TranscriptionShown(at=AT, take="t1")),
    (15.0, e.QuerySubmitted(at=AT, attempt="a1", take="t1", language=Language.SQL, text="x")),
    (21.0, e.QuerySubmitted(at=AT, attempt="a2", take="t1", language=Language.SQL, text="y")),
    (22.0, e.AnswerPreviewed(at=AT, attempt="a2", sha256="")),
    (24.0, e.AnswerSent(reply="r1", take="t1", text="z")),
    (24.25, e.ReplyShown(at=AT, reply="r1", first=0, last=0)),
]


def stream(turn: list[tuple[float, e.Fact]]) -> list[e.Recorded]:
    stamps = [Stamp("hub", round(at * SECOND), round(at * SECOND)) for at, _ in turn]
    return [
        e.Recorded("s", n, at, "hub", "", fact) for n, (at, (_, fact)) in enumerate(zip(stamps, turn, strict=True), 1)
    ]


def test_each_stage_is_timed_from_the_end_of_speaking() -> None:
    assert stages_of(stream(TURN)) == (Stages("t1", 4.0, 4.5, (5.0, 11.0), 12.0, 14.0, 14.25),)


def test_the_first_transcription_and_the_last_preview_count() -> None:
    more = [*TURN[:6], (23.0, e.Transcribed(at=AT, take="t1", text="b")), (23.5, TURN[5][1])]
    (found,) = stages_of(stream(more))
    assert (found.transcribed, found.previewed, found.sent) == (4.0, 13.5, None)


def test_what_was_taken_back_and_what_is_unknown_is_left_out() -> None:
    assert stages_of(stream([TURN[0], (11.0, e.TakeDiscarded(at=AT, take="t1"))])) == ()
    assert stages_of(stream([TURN[1], TURN[5], TURN[7]])) == ()


def test_typed_requests_are_heard_when_they_are_submitted() -> None:
    typed = [(1.0, e.UtteranceTyped(at=AT, take="t1", text="a")), (3.0, e.CannedSent(reply="r", take="t1", text="b"))]
    assert stages_of(stream(typed)) == (Stages("t1", sent=2.0),)  # type: ignore[arg-type]


def test_stretches_have_median_and_longest() -> None:
    found = spreads([Stages("a", transcribed=4.0, seen=5.0, shown=9.0), Stages("b", transcribed=2.0, shown=30.0)])
    assert found["heard to transcribed"] == StageSpread(2, 3.0, 4.0)
    assert found["transcribed to seen"] == StageSpread(1, 1.0, 1.0)
    assert found["heard to shown"] == StageSpread(2, 19.5, 30.0)
    assert set(found) < set(SPANS)
    assert spreads([]) == {}


def test_a_stopwatch_goes_on_where_it_was() -> None:
    watch = Stopwatch()
    for recorded in stream(TURN):
        watch.add(recorded)
    assert watch.stages == stages_of(stream(TURN))
