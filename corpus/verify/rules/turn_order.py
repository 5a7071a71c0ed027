"""The order of a turn, read off the log: speech, transcription, shown to the subject, query, answer, shown again."""

from collections.abc import Iterator
from itertools import pairwise

from corpus.formats.log.log_values import Log, Record, RecordBlock
from corpus.formats.log.timeline import Moment, certainly_before
from corpus.verify.rules.findings import Findings
from session.values.names import base36
from session.values.vocabulary import Echo, ResponseClass

_OF_ATTEMPT = ("Query_returned", "Query_failed", "Proposal_judged", "Answer_previewed", "Answer_returned")
_CHAIN = ("Talk_pressed", "Recording_end", "Transcription_sent", "Sentence_sent")
_FOLLOWING = (
    ("Talk_pressed", "Talk_released"),
    ("Recording_begin", "Recording_end"),
    ("Recording_end", "Take_confirmed"),
    ("Recording_end", "Utterance_accepted"),
    ("Transcription_sent", "Transcription_shown"),
    ("Reply_voiced", "Playback_started"),
    ("Playback_started", "Playback_stopped"),
)
_OF_SENT = frozenset({"Query_returned", "Query_failed", "Answer_returned"})
# No Proposal_judged: a proposal that comes when the utterance has its reply was rejected before.
_OF_RETURNED = frozenset({"Answer_previewed", "Answer_returned"})
_OF_REPLY = (
    "Answer_shown", "Answer_viewed", "Reply_marked_wrong", "Reply_voiced", "Voice_failed", "Playback_started",
    "Playback_stopped",
)  # fmt: skip
_LATER = _OF_SENT | _OF_RETURNED | {*_OF_REPLY}


def check(findings: Findings, path: str, log: Log) -> None:
    """Return all turns of a log."""
    sent = _sent(findings, path, log)
    replies = {record.get("Reply") for record in log.records("Answer_returned")}
    returned = {record.get("Attempt"): record for record in log.records("Query_returned")}
    for block in log.blocks:
        _references(findings, path, block, sent, replies)
        for record in block.all("Answer_returned"):
            _answer(findings, path, log, record, returned)
        for earlier, later in _pairs(block):
            if certainly_before(later.moment, earlier.moment):
                found = f"{later.key} at {later.moment}, before {earlier.key} at {earlier.moment}"
                findings.add("log.order", path, found, later.line)
    for first, second in pairwise(_openings(log)):
        if certainly_before(second.moment, first.moment):
            found = f"the next utterance began at {second.moment}, before {first.moment}"
            findings.add("log.order", path, found, second.line)
    if log.get("Echo") == Echo.BEFORE_QUERY:
        for block in log.utterances:
            _echo(findings, path, block)


def _sent(findings: Findings, path: str, log: Log) -> set[str]:
    """The attempts that were made."""
    sentences = list(log.records("Sentence_sent"))
    sent = {record.get("Attempt"): record for record in sentences}
    if len(sent) < len(sentences):
        for record in sentences:
            if (last := sent[record.get("Attempt")]) is not record:
                found = f"attempt {record.get('Attempt')} stands at line {record.line} too"
                findings.add("log.attempt", path, found, last.line)
    return {*sent}


def _openings(log: Log) -> Iterator[Record]:
    """Return what the subject did first in each utterance: pressed, or typed; where neither is known, when the recording
    begins."""
    for block in log.utterances:
        first = block.first("Talk_pressed") or block.first("Utterance_typed") or block.first("Recording_begin")
        if first is not None:
            yield first


def outside(log: Log, began: Record | None, ended: Record | None) -> Iterator[Record]:
    """Yield the records that open utterances which began before the scenario did, or after it had ended."""
    for opening in _openings(log):
        early = began is not None and certainly_before(opening.moment, began.moment)
        if early or (ended is not None and certainly_before(ended.moment, opening.moment)):
            yield opening


def _references(findings: Findings, path: str, block: RecordBlock, sent: set[str], replies: set[str]) -> None:
    for record in block.records:
        if record.key in _OF_ATTEMPT and (attempt := record.get("Attempt")) and attempt not in sent:
            findings.add("log.attempt", path, f"{record.key} of {attempt}, which was never sent", record.line)
        if record.key in _OF_REPLY and (reply := record.get("Reply")) not in replies:
            findings.add("log.reply", path, f"{record.key} of {reply}, which was never returned", record.line)


def _answer(findings: Findings, path: str, log: Log, record: Record, returned: dict[str, Record]) -> None:
    attempt = record.get("Attempt")
    if record.get("Response") != ResponseClass.ANSWER or not attempt:
        return
    if not record.get("Database_version"):
        findings.add("log.database-version", path, "an answer without the version of the database", record.line)
    if log.end_to_end and not record.get("Answer_found"):
        findings.add("log.end-to-end", path, "[Answer_found:] is missing", record.line)
    query = returned.get(attempt)
    if query is None:
        findings.add("log.attempt", path, f"an answer out of {attempt}, which gave no rows", record.line)
        return
    if (version := record.get("Database_version")) and version != query.get("Database_version"):
        found = f"an answer of {version} out of rows of {query.get('Database_version') or 'no version'}"
        findings.add("log.database-version", path, found, record.line)
    if record.get("Answer_found") and Moment.parse(record.get("Answer_found")) != query.moment:
        findings.add("log.order", path, "[Answer_found:] is not when the query returned", record.line)


def _pairs(block: RecordBlock) -> Iterator[tuple[Record, Record]]:
    """Records of which the first came before the second."""
    firsts: dict[str, Record] = {}
    for record in block.records:
        firsts.setdefault(record.key, record)
    yield from pairwise([firsts[key] for key in _CHAIN if key in firsts])
    for earlier, later in _FOLLOWING:
        if earlier in firsts and later in firsts:
            yield firsts[earlier], firsts[later]
    if firsts.keys().isdisjoint(_LATER):
        return
    sent = {record.get("Attempt"): record for record in block.all("Sentence_sent")}
    returned = {record.get("Attempt"): record for record in block.all("Query_returned")}
    replies = {record.get("Reply"): record for record in block.all("Answer_returned")}
    for record in block.records:
        key = record.key
        if key in _OF_SENT and (attempt := record.get("Attempt")) in sent:
            yield sent[attempt], record
        if key in _OF_RETURNED and (attempt := record.get("Attempt")) in returned:
            yield returned[attempt], record
        if key in _OF_REPLY and (reply := record.get("Reply")) in replies:
            yield replies[reply], record


def _echo(findings: Findings, path: str, block: RecordBlock) -> None:
    """The subject saw the transcription before the query ran (BBN 1989, section 6.1)."""
    if block.first("Recording_begin") is None:
        return
    for record in block.records:
        if record.key == "Transcription_shown":
            return
        if record.key == "Sentence_sent":
            number = base36(block.number, 2)
            findings.add("log.echo", path, f"utterance {number}: query before the transcription was shown", record.line)
            return
