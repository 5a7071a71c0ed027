"""What a log alone tells: what the subject saw, how long everything took, which utterances follow an error.

Nothing here looks at events: whoever has the corpus and not the study computes the same figures (MADCOW 1993, section 4).
"""

from collections.abc import Iterator

import msgspec

from corpus.log_values import Block, Log, Record
from corpus.timeline import Moment, seconds
from session.vocabulary import Echo, Outcome, ResponseClass

_ERRORS = {ResponseClass.FAILURE.value: "failure", ResponseClass.DIAGNOSTIC.value: "diagnostic"}


class Line(msgspec.Struct, frozen=True):
    """One turn as the subject knew it; `number` is 0 outside numbered utterances."""

    moment: Moment
    speaker: str
    text: str
    number: int = 0


class TurnFigures(msgspec.Struct, frozen=True):
    """Durations of one utterance in seconds, None where a step is missing.

    `speech` is the recording's length; the others run from its end: until the transcription was sent, the first sentence
    was sent, the answer was found, returned, and shown.
    """

    number: int
    response: str
    speech: float | None
    transcribed: float | None
    sentence: float | None
    found: float | None
    returned: float | None
    shown: float | None
    attempts: int
    rows: int | None


class Figures(msgspec.Struct, frozen=True):
    """A subject-scenario in figures: seconds from start to end without breaks, outcome, turns."""

    completion: float | None
    paused: float
    outcome: str
    turns: tuple[TurnFigures, ...]


def transcript(log: Log) -> tuple[Line, ...]:
    """The dialogue as the subject saw it: no rewording, no query, no note, nothing that was hidden."""
    lines: list[Line] = []
    for block in log.blocks:
        for record in block.records:
            if not record.hidden:
                lines += [msgspec.structs.replace(line, number=block.number) for line in _visible(record, log)]
    return tuple(sorted(lines, key=lambda line: line.moment.at))


def figures(log: Log) -> Figures:
    """The durations of a subject-scenario and of its transactions."""
    started = next(log.records("Scenario_started"), None)
    ended = next(log.records("Scenario_ended"), None)
    turns = tuple(_turn(block) for block in log.utterances)
    outcome = outcome_of(log)
    if started is None or ended is None:
        return Figures(None, 0.0, outcome, turns)
    paused = _paused(log, started.moment, ended.moment)
    return Figures(seconds(started.moment, ended.moment) - paused, paused, outcome, turns)


def outcome_of(log: Log) -> str:
    """How the scenario ended, what was thought of it later included; empty when it never did."""
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


def reply_of(block: Block) -> Record | None:
    """The last reply to an utterance that is more than a filler."""
    replies = [r for r in block.all("Answer_returned") if r.get("Response") != ResponseClass.FILLER]
    return replies[-1] if replies else None


def _error(block: Block, wrong: set[str]) -> str:
    if any(record.get("Reply") in wrong for record in block.all("Answer_returned")):
        return "wrong answer"
    reply = reply_of(block)
    return "no reply" if reply is None else _ERRORS.get(reply.get("Response"), "")


def _visible(record: Record, log: Log) -> Iterator[Line]:
    match record.key:
        case "Utterance_typed" | "Transcription_sent":
            yield Line(record.moment, "subject", record.get("Utterance"))
        case "Answer_returned":
            if log.get("Echo") == Echo.WITH_ANSWER and record.get("Echoed"):
                yield Line(record.moment, "subject", record.get("Echoed"))
            yield Line(record.moment, "system", record.get("Result"))
        case "Solution_declared":
            yield Line(record.moment, "subject", record.get("Solution"))
        case _:
            pass


def _turn(block: Block) -> TurnFigures:
    ended = block.first("Recording_end") or block.first("Utterance_typed")
    reply = reply_of(block)
    found = reply.get("Answer_found") if reply else ""
    attempt = reply.get("Attempt") if reply else ""
    returned = next((each for each in block.all("Query_returned") if each.get("Attempt") == attempt), None)
    return TurnFigures(
        block.number,
        reply.get("Response") if reply else "",
        _speech(block),
        _since(ended, block.first("Transcription_sent")),
        _since(ended, block.first("Sentence_sent")),
        seconds(ended.moment, Moment.parse(found)) if ended and found else None,
        _since(ended, reply),
        _since(ended, _shown(block, reply)),
        len(block.all("Sentence_sent")),
        int(returned.get("Row_count")) if returned else None,
    )


def _speech(block: Block) -> float | None:
    begin, end = block.first("Recording_begin"), block.first("Recording_end")
    if begin is None or end is None:
        return None
    rates = {channel.split()[0]: int(channel.split()[1]) for channel in begin.all("Channel")}
    for letter, count, _ in (sealed.split() for sealed in end.all("Samples")):
        if rates.get(letter):
            return int(count) / rates[letter]
    return seconds(begin.moment, end.moment)


def _shown(block: Block, reply: Record | None) -> Record | None:
    if reply is None:
        return None
    return next((shown for shown in block.all("Answer_shown") if shown.get("Reply") == reply.get("Reply")), None)


def _since(first: Record | None, second: Record | None) -> float | None:
    return seconds(first.moment, second.moment) if first and second else None


def _paused(log: Log, started: Moment, ended: Moment) -> float:
    edges = sorted((*log.records("Session_paused"), *log.records("Session_resumed")), key=lambda r: r.moment.at)
    total, since = 0.0, None
    for record in edges:
        moment = min(max(record.moment, started, key=lambda m: m.at), ended, key=lambda m: m.at)
        if record.key == "Session_paused" and since is None:
            since = moment
        elif record.key == "Session_resumed" and since is not None:
            total, since = total + seconds(since, moment), None
    return total + (seconds(since, ended) if since is not None else 0.0)
