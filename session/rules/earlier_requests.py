"""Context to which an attempt may refer: the requests that came before it in its dialogue, and what became of a proposal.

A subject continues from the utterance before, within one scenario; or from an earlier one to whose context she returned (SRI:
MADCOW 1992, section 2.5), and then from there as if nothing had been said in between.
"""

from collections.abc import Sequence

from session import events as e
from session.rules.replies import rows_seen
from session.state.fold import Attempt, SessionState, Take, fold
from session.values.answers import EarlierRequest
from session.values.clock import Stamp
from session.values.vocabulary import EDITED, Language, ProposalVerdict


def earlier_requests(state: SessionState, attempt: Attempt) -> list[EarlierRequest]:
    """The utterances that `attempt` may refer to, oldest first, in the wizard's rewording where that was answered, so that
    what she put right stays so; none when it is to be read by itself."""
    if not attempt.in_context:
        return []
    found: list[EarlierRequest] = []
    take = _before(state, state.takes[attempt.take])
    while take is not None:
        if take.text and not take.discarded:
            found.append(_said(state, take))
        take = _before(state, take)
    return found[::-1]


def _said(state: SessionState, take: Take) -> EarlierRequest:
    """An utterance with what went out last: reworded where the wizard asked in English, as said where she asked in SQL."""
    sent = [state.replies[name].attempt for name in take.replies if state.replies[name].attempt in state.attempts]
    attempt = state.attempts[sent[-1]] if sent else None
    if attempt is None:
        return EarlierRequest(take.text)
    by_hand = attempt.language in {Language.SQL, Language.PROPOSAL}
    text = attempt.text if attempt.language is Language.ENGLISH else take.text
    chosen = by_hand or attempt.choice > 0
    sql = (attempt.sql or attempt.text) if chosen else ""
    return EarlierRequest(text, rows_seen(state, attempt.attempt), by_hand, sql)


def _before(state: SessionState, take: Take) -> Take | None:
    """The utterance that this one continues from."""
    order = list(state.takes)
    at = order.index(take.take)
    if take.context in order[:at]:
        return state.takes[take.context]
    same = [state.takes[name] for name in order[:at] if state.takes[name].run == take.run]
    return same[-1] if same else None


def verdict(state: SessionState, attempt: Attempt) -> ProposalVerdict | None:
    """Return the verdict on a proposal; None for other attempts, and while nothing has been decided.

    Accepted when its rows went out as they were, edited when the wizard asked with a changed statement, rejected when the
    utterance was replied to in another way, was taken back, or its scenario ended without a reply.
    """
    if attempt.language is not Language.PROPOSAL:
        return None
    take = state.takes[attempt.take]
    if any(state.replies[name].attempt == attempt.attempt for name in take.replies):
        return ProposalVerdict.ACCEPTED
    later = take.attempts[take.attempts.index(attempt.attempt) + 1 :]
    for name in later:
        if state.attempts[name].origin == EDITED:
            return ProposalVerdict.EDITED
        if state.attempts[name].language is Language.PROPOSAL:
            return ProposalVerdict.REJECTED
    over = take.discarded or (take.run is not None and state.runs[take.run].outcome is not None)
    return ProposalVerdict.REJECTED if over or state.answered(take) else None


def judged(state: SessionState, facts: Sequence[e.Fact], now: Stamp) -> list[e.Fact]:
    """The facts, each followed by what it decides of proposals that were open until then."""
    found: list[e.Fact] = []
    for fact in facts:
        open_ones = _open(state, fact)
        state = fold([e.Recorded("", 0, now, "", "", fact)], state) if len(facts) > 1 or open_ones else state
        found.append(fact)
        for name in open_ones:
            if (decided := verdict(state, state.attempts[name])) is not None:
                found.append(e.ProposalJudged(attempt=name, verdict=decided))
    return found


def _open(state: SessionState, fact: e.Fact) -> list[str]:
    """The proposals for the utterance of this fact of which nothing has become yet."""
    match fact:
        case e.QuerySubmitted() | e.AnswerSent() | e.CannedSent() | e.TakeDiscarded():
            takes = [state.takes[fact.take]] if fact.take in state.takes else []
        case e.ScenarioEnded():
            takes = state.takes_of(len(state.runs) - 1)
        case _:
            takes = []
    attempts = [state.attempts[name] for take in takes for name in take.attempts]
    return [
        attempt.attempt
        for attempt in attempts
        if attempt.language is Language.PROPOSAL and verdict(state, attempt) is None
    ]
