"""The fold is total, does not depend on where it was cut, and tells of a session what its events tell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from session import commands as c
from session import events as e
from session.state.fold import SessionState, elapsed, evolve, fold
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Outcome, ResponseClass, Role, Scope
from tests import THOROUGH
from tests.session.examples import at, opening, recorded
from tests.session.play import Play
from tests.session.strategies import FACTS, envelopes

STREAMS = st.lists(envelopes(), max_size=25)


@given(stream=STREAMS)
@settings(max_examples=150 if THOROUGH else 50)
def test_every_stream_gives_a_state_whatever_its_facts_and_their_order(stream: list[e.Recorded]) -> None:
    state = fold(stream)
    assert isinstance(state, SessionState)
    assert len(state.waiting()) <= len(state.takes)
    assert state.run is None or state.run is state.runs[-1]


@given(stream=STREAMS, data=st.data())
def test_folding_a_part_and_then_the_rest_is_folding_all(stream: list[e.Recorded], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(stream)))
    assert fold(stream[cut:], fold(stream[:cut])) == fold(stream)


@pytest.mark.parametrize("kind", FACTS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=10)
def test_every_kind_of_fact_can_be_the_first(kind: type[e.Event], data: st.DataObject) -> None:
    from tests.session.strategies import BY_TYPE

    assert isinstance(fold(recorded(data.draw(BY_TYPE[kind]))), SessionState)


def test_evolving_leaves_the_earlier_state_as_it_was() -> None:
    play = Play()
    play.start()
    play.speak()
    before = play.state
    takes = dict(before.takes)
    play.turn("T2")
    assert before.takes == takes
    assert "T2" not in before.takes


@given(stream=STREAMS)
@settings(max_examples=150 if THOROUGH else 50)
def test_what_is_kept_at_hand_is_what_a_look_at_everything_would_find(stream: list[e.Recorded]) -> None:
    state = fold(stream)
    takes = list(state.takes.values())
    open_ = [take for take in takes if not take.discarded and not state.answered(take)]
    assert [state.takes[name] for name in state.unanswered] == open_
    here = len(state.runs) - 1 if state.run is not None else None
    assert state.waiting() == [take for take in open_ if take.complete and here is not None and take.run == here]
    assert {*state.asking} == {attempt.attempt for attempt in state.attempts.values() if attempt.running}
    for run in range(len(state.runs)):
        assert state.takes_of(run) == [take for take in takes if take.run == run]


def test_link_facts_and_redacted_ones_change_nothing() -> None:
    state = fold(recorded(opening()))
    for fact in (e.Redacted(of="NoteWritten"), e.CallAnswered(), e.DeskDetached(role="subject", desk="d", why="")):
        assert evolve(state, recorded(fact)[0]) == state


def test_facts_about_things_that_nobody_announced_change_nothing() -> None:
    state = fold(recorded(opening()))
    facts: list[e.Fact] = [
        e.UtteranceAccepted(take="?", number=1),
        e.TakeConfirmed(take="?", sealed=()),
        e.TakeDiscarded(at=at(0), take="?"),
        e.Transcribed(at=at(0), take="?", text="x"),
        e.ScopeMarked(take="?", scope=Scope.OUT),
        e.ReplyShown(at=at(0), reply="?", first=0, last=1),
        e.ReplyMarkedWrong(reply="?", reason=""),
        e.AnswerPreviewed(at=at(0), attempt="?", sha256=""),
        e.ScenarioEnded(outcome=Outcome.ENDED),
        e.SessionResumed(),
    ]
    assert fold(recorded(*facts), state) == state


def test_a_whole_visit_is_told_by_its_events() -> None:
    play = Play()
    play.report(e.ScreenSized(at=play.now, columns=100, lines=30))
    play.start("warm-up")
    play.turn("P1")
    play.do(c.GiveUp(id="G", at=play.now), Role.SUBJECT)
    play.start("interviews", A="Boston")
    play.turn("T1")
    reply = list(play.state.replies)[-1]
    play.report(e.ReplyShown(at=play.now, reply=reply, first=0, last=5))
    play.mark(Scope.META)
    play.do(c.DeclareSolution(id="S", at=play.now, solution="flight 101"), Role.SUBJECT)
    state = fold(play.recorded)
    assert state == play.state
    assert (state.session, state.wizard, state.screen) == ("bbn-20261121-1", "Ida", (100, 30))
    assert [(run.number, run.outcome, run.solution) for run in state.runs] == [
        (None, Outcome.GIVEN_UP, None),
        (1, Outcome.DECLARED, "flight 101"),
    ]
    take = state.takes["T1"]
    assert (take.number, take.text, take.scope, take.run) == (1, "flights to Denver", Scope.META, 1)
    assert state.answered(take)
    assert state.replies[reply].shown == play.now
    assert state.run is None
    assert [take.take for take in state.takes_of(1)] == ["T1"]


def test_a_reply_that_was_marked_wrong_leaves_its_utterance_waiting() -> None:
    play = Play()
    play.start()
    play.turn()
    assert play.state.waiting() == []
    play.do(c.MarkReplyWrong(id="W", reply=next(iter(play.state.replies)), reason="x"))
    assert play.state.waiting() == [play.take()]


def test_a_query_runs_until_it_has_rows_or_a_failure() -> None:
    play = Play()
    play.start()
    play.speak()
    play.transcribe()
    play.show()
    attempt = play.query(table=None)
    assert [attempt.attempt for attempt in (play.state.running,) if attempt] == [attempt]
    play.hub(e.QueryFailed(attempt=attempt, kind="timeout", message="too slow"))  # type: ignore[arg-type]
    assert play.state.running is None
    assert play.state.attempts[attempt].message == "too slow"


def test_what_went_wrong_with_the_sound_is_kept_with_its_take() -> None:
    play = Play()
    play.start()
    play.press()
    trouble = e.AudioTroubled(at=play.now, take="T1", trouble="overflow", at_sample=160, samples=80)  # type: ignore[arg-type]
    play.report(trouble)
    play.report(e.AudioTroubled(at=play.now, take="NEW", trouble="gap"))  # type: ignore[arg-type]
    assert play.take().troubles == (trouble,)
    assert len(play.take("NEW").troubles) == 1


def test_the_response_class_of_a_reply_is_kept() -> None:
    play = Play()
    play.start()
    play.send(play.hear_and_ask(), ResponseClass.DIRECTIVE)
    assert next(iter(play.state.replies.values())).response is ResponseClass.DIRECTIVE


def test_time_is_measured_by_the_monotonic_clock_and_across_restarts_by_the_wall_clock() -> None:
    since = Stamp("hub", 100 * SECOND, 5000 * SECOND)
    assert elapsed(since, Stamp("hub", 103 * SECOND, 1 * SECOND)) == 3 * SECOND
    assert elapsed(since, Stamp("other", 1 * SECOND, 5007 * SECOND)) == 7 * SECOND
    assert elapsed(since, Stamp("other", 1 * SECOND, 4000 * SECOND)) == 0


def test_nested_pauses_count_once() -> None:
    def stamped(seconds: float, fact: e.Fact) -> e.Recorded:
        return e.Recorded("s", 1, at(seconds), "hub", "", fact)

    pause, resume = e.SessionPaused(reason=""), e.SessionResumed()
    state = fold([stamped(10, pause), stamped(12, pause), stamped(15, resume), stamped(20, resume)])
    assert (state.paused, state.paused_total) == (None, 5 * SECOND)
