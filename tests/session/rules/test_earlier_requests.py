"""An attempt refers to what was said before it, in its own scenario or in the context to which the subject returned."""

from session import commands as c
from session import events as e
from session.rules.earlier_requests import earlier_requests, judged, verdict
from session.study.settings import Profile
from session.values.answers import rows_of
from session.values.vocabulary import EDITED, PROPOSED, Echo, Language, Outcome, ProposalVerdict
from session.visibility import for_subject
from tests.session.play import Play

UNECHOED = Profile(name="plain", echo=Echo.NEVER, show_answers=True)
ROWS = rows_of(["n"], [[1]])


def playing(**utterances: str) -> Play:
    """A scenario in which these were said."""
    play = Play(UNECHOED)
    play.start()
    for take, text in utterances.items():
        said(play, take, text)
    return play


def said(play: Play, take: str, text: str) -> None:
    play.speak(take)
    play.transcribe(take, text)


def asked(
    play: Play,
    take: str,
    *,
    in_context: bool = True,
    language: Language = Language.ENGLISH,
    origin: str = "wizard",
) -> str:
    """Ask about an utterance and have rows; the attempt's name."""
    name = play.new_id()
    play.do(
        c.SubmitQuery(
            id=name, at=play.now, take=take, language=language, text="x", origin=origin, in_context=in_context
        )
    )
    play.hub(e.QueryReturned(attempt=name, sql="SELECT 1", table=ROWS, took=1, database_version="1"))
    return name


def earlier(play: Play, take: str, *, in_context: bool = True) -> list[str]:
    name = asked(play, take, in_context=in_context)
    return [request.text for request in earlier_requests(play.state, play.state.attempts[name])]


def test_what_the_wizard_reworded_is_gone_on_from_once_its_rows_went_out() -> None:
    for language, text in ((Language.ENGLISH, "x"), (Language.SQL, "flites to denver")):
        play = playing(T1="flites to denver", T2="on tuesday")
        attempt = asked(play, "T1", language=language)
        assert earlier(play, "T2") == ["flites to denver"], "nobody has been told its rows"
        play.send(attempt)
        assert earlier(play, "T2") == [text]
        again = asked(play, "T2")
        [request] = earlier_requests(play.state, play.state.attempts[again])
        by_hand = language is Language.SQL
        assert (request.shown, request.by_hand, request.sql) == (ROWS, by_hand, "SELECT 1" if by_hand else "")


def test_only_what_was_said_before_counts_in_order() -> None:
    play = playing(T1="one", T2="two", T3="three")
    assert earlier(play, "T2") == ["one"]
    assert earlier(play, "T3") == ["one", "two"]
    assert earlier(play, "T1") == []


def test_a_discarded_utterance_was_not_said_but_a_return_in_it_counts() -> None:
    play = playing(T1="one", T2="two")
    play.report(e.ContextSwitched(at=play.now, target="T1"))
    said(play, "T3", "three")
    play.hub(e.TakeDiscarded(at=play.now, take="T3"))
    said(play, "T4", "four")
    assert earlier(play, "T4") == ["one"]


def test_a_new_scenario_begins_from_nothing() -> None:
    play = playing(T1="one")
    play.do(c.EndScenario(id=play.new_id(), outcome=Outcome.ENDED))
    play.start()
    said(play, "T2", "two")
    assert earlier(play, "T2") == []


def test_after_a_return_the_target_s_context_goes_on() -> None:
    play = playing(T1="one", T2="two", T3="three")
    play.report(e.ContextSwitched(at=play.now, target="T1"))
    said(play, "T4", "four")
    said(play, "T5", "five")
    assert earlier(play, "T4") == ["one"]
    assert earlier(play, "T5") == ["one", "four"]
    assert earlier(play, "T3") == ["one", "two"]


def test_switched_off_nothing_is_carried_and_the_events_say_so() -> None:
    play = playing(T1="one", T2="two")
    assert earlier(play, "T2", in_context=False) == []
    (fact,) = [fact for fact in play.facts if isinstance(fact, e.QuerySubmitted)]
    assert fact.in_context is False


def test_what_became_of_a_proposal() -> None:
    play = playing(T1="one", T2="two", T3="three")
    proposals = [asked(play, take, language=Language.PROPOSAL, origin=PROPOSED) for take in ("T1", "T2", "T3")]
    attempts = play.state.attempts
    assert [verdict(play.state, attempts[name]) for name in proposals] == [None, None, None]
    play.send(proposals[0])
    asked(play, "T2", language=Language.SQL, origin=EDITED)
    own = asked(play, "T3", language=Language.SQL)
    play.send(own)
    attempts = play.state.attempts
    assert [verdict(play.state, attempts[name]) for name in proposals] == [
        ProposalVerdict.ACCEPTED,
        ProposalVerdict.EDITED,
        ProposalVerdict.REJECTED,
    ]
    assert verdict(play.state, attempts[own]) is None


def test_a_second_proposal_rejects_the_first() -> None:
    play = playing(T1="one")
    first, second = (asked(play, "T1", language=Language.PROPOSAL, origin=PROPOSED) for _ in range(2))
    assert verdict(play.state, play.state.attempts[first]) is ProposalVerdict.REJECTED
    assert verdict(play.state, play.state.attempts[second]) is None


def test_what_becomes_of_a_proposal_is_a_fact_of_its_own() -> None:
    play = playing(T1="one", T2="two", T3="three")
    first, second, third = (
        asked(play, take, language=Language.PROPOSAL, origin=PROPOSED) for take in ("T1", "T2", "T3")
    )
    again = asked(play, "T3", language=Language.PROPOSAL, origin=PROPOSED)
    play.send(first)
    asked(play, "T2", language=Language.SQL, origin=EDITED)
    play.send(asked(play, "T3", language=Language.SQL))
    verdicts = [(fact.attempt, fact.verdict) for fact in play.facts if isinstance(fact, e.ProposalJudged)]
    assert verdicts == [
        (third, ProposalVerdict.REJECTED),
        (first, ProposalVerdict.ACCEPTED),
        (second, ProposalVerdict.EDITED),
        (again, ProposalVerdict.REJECTED),
    ]


def test_a_proposal_without_a_reply_is_rejected_when_its_utterance_is_over() -> None:
    play = playing(T1="one", T2="two")
    answered, left = (asked(play, take, language=Language.PROPOSAL, origin=PROPOSED) for take in ("T1", "T2"))
    play.send(answered)
    ended = e.ScenarioEnded(outcome=Outcome.ENDED)
    assert judged(play.state, [ended], play.now) == [
        ended,
        e.ProposalJudged(attempt=left, verdict=ProposalVerdict.REJECTED),
    ]
    back = e.TakeDiscarded(at=play.now, take="T2")
    assert judged(play.state, [back], play.now) == [
        back,
        e.ProposalJudged(attempt=left, verdict=ProposalVerdict.REJECTED),
    ]
    play.hub(ended)
    assert verdict(play.state, play.state.attempts[left]) is ProposalVerdict.REJECTED
    assert verdict(play.state, play.state.attempts[answered]) is ProposalVerdict.ACCEPTED


def test_a_reply_that_waits_judges_a_proposal_only_when_it_goes_out() -> None:
    play = playing(T1="one")
    name = asked(play, "T1", language=Language.PROPOSAL, origin=PROPOSED)
    sent = e.AnswerSent(reply="R", take="T1", text="x", attempt=name)
    planned = e.ReplyPlanned(reply=sent, due=play.now.mono + 1)
    assert judged(play.state, [planned], play.now) == [planned]
    assert judged(play.state, [sent], play.now) == [
        sent,
        e.ProposalJudged(attempt=name, verdict=ProposalVerdict.ACCEPTED),
    ]


def test_the_subject_learns_nothing_of_the_verdict() -> None:
    for verdict_ in ProposalVerdict:
        assert for_subject(e.ProposalJudged(attempt="A", verdict=verdict_), Profile(name="test")) is None
