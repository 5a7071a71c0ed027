"""Queries on a log alone: the outcome of a scenario, the last reply, the utterances after an error.

Nothing here looks at events: anyone who has the corpus and not the study computes the same figures (MADCOW 1993, section 4).
"""

from corpus.formats.log.log_values import Log, Record, RecordBlock
from session.values.vocabulary import Outcome, ResponseClass

_ERRORS = {ResponseClass.FAILURE.value: "failure", ResponseClass.DIAGNOSTIC.value: "diagnostic"}


def outcome_of(log: Log) -> str:
    """Return the outcome of the scenario, with what was thought of it later; empty when it never did."""
    if next(log.records("Scenario_invalidated"), None) is not None:
        return Outcome.INVALIDATED.value
    ended = next(log.records("Scenario_ended"), None)
    return ended.get("Outcome") if ended else ""


def after_error(log: Log) -> dict[int, str]:
    """Utterances that follow a system error, with the error's kind.

    Such utterances repeat and correct more than others, an artefact of the collecting system (MADCOW 1993, section 3).
    """
    wrong = {record.get("Reply") for record in log.records("Reply_marked_wrong")}
    found: dict[int, str] = {}
    for before, block in zip(log.utterances, log.utterances[1:], strict=False):
        if kind := _error(before, wrong):
            found[block.number] = kind
    return found


def contexts(log: Log) -> dict[int, str]:
    """Utterances before which the subject went back to the context of an earlier one, with that one's take.

    Whoever goes back does so between two utterances (SRI, MADCOW 1992, section 2.5): the first one that begins then is meant.
    """
    switches = sorted(log.records("Context_switched"), key=lambda record: record.moment.at)
    found: dict[int, str] = {}
    since = None
    for block in log.utterances:
        begin = block.first("Recording_begin") or block.first("Utterance_typed")
        if begin is None:
            continue
        until = begin.moment.at
        between = [one for one in switches if (since is None or one.moment.at > since) and one.moment.at <= until]
        if between:
            found[block.number] = between[-1].get("To")
        since = until
    return found


def reply_of(block: RecordBlock) -> Record | None:
    """The last reply to an utterance that is more than a filler."""
    replies = [r for r in block.all("Answer_returned") if r.get("Response") != ResponseClass.FILLER]
    return replies[-1] if replies else None


def _error(block: RecordBlock, wrong: set[str]) -> str:
    if any(record.get("Reply") in wrong for record in block.all("Answer_returned")):
        return "wrong answer"
    reply = reply_of(block)
    return "no reply" if reply is None else _ERRORS.get(reply.get("Response"), "")
