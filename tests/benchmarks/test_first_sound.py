"""Where a turn of a visit without a wizard spends its time, by the facts of the session."""

from benchmarks.first_sound import TurnDelays, turns_of
from session import events as e
from session.values.answers import FailureKind
from session.values.clock import MILLISECOND, Stamp
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import Language, ResponseClass


def at(ms: int) -> Stamp:
    return Stamp("clock", ms * MILLISECOND, ms * MILLISECOND)


def test_the_stages_of_a_turn_add_up_to_the_whole_and_a_turn_that_nobody_heard_is_none() -> None:
    facts: list[tuple[int, e.Fact]] = [
        (1000, e.RecordingStarted(at=at(1000), take="T1", channels=(), pre_roll=0)),
        (3800, e.EndPointed(at=at(3790), take="T1", decided_at=44_000, rate=16_000, speech_end=32_000, detector="x")),
        (3830, e.RecordingStopped(at=at(3800), take="T1", sealed=())),
        (3700, e.HypothesisReceived(at=at(3700), take="T1", final=False, hypotheses=(), engine="x")),
        (3840, e.HypothesisReceived(at=at(3840), take="T1", final=True, hypotheses=(Hypothesis("a"),), engine="x")),
        (3850, e.QuerySubmitted(at=at(3850), attempt="q", take="T1", language=Language.ENGLISH, text="a")),
        (3900, e.QueryFailed(attempt="q", kind=FailureKind.NOT_UNDERSTOOD, message="no")),
        (3910, e.CannedSent(reply="r", take="T1", text="no", message="m", response=ResponseClass.FAILURE)),
        (4100, e.PlaybackStarted(at=at(4000), reply="r")),
        (5000, e.RecordingStarted(at=at(5000), take="T2", channels=(), pre_roll=0)),
        (6000, e.EndPointed(at=at(6000), take="T2", decided_at=9_000, rate=16_000, speech_end=8_000, detector="x")),
    ]
    recorded = [e.Recorded("s", number, at(ms), "hub", "", fact) for number, (ms, fact) in enumerate(facts)]
    (turn,) = turns_of(recorded)
    assert turn == TurnDelays(whole=1000, decided=790, ended=40, heard=10, asked=60, replied=10, sounded=90)
    assert turn.whole == sum(turn[1:])
