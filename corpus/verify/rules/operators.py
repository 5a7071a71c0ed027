"""Comparison of the operators in a log's header with the operators in its records."""

from collections.abc import Iterator

from corpus.dataset import blind
from corpus.formats.log import log_schema
from corpus.formats.log.log_values import Log, Record, RecordBlock
from corpus.verify.rules.findings import Findings
from session.state.stage_operators import PEOPLE
from session.values.vocabulary import EDITED, Language, Operator, Stage

_REPLIES = ("Reply_planned", "Answer_returned")
_BY_PEOPLE = ("Transcription_sent", "Sentence_sent", *_REPLIES, "Output_judged")
_TELLING = frozenset(
    {"Hypothesis_received", "Reply_proposed", "Query_returned", "Query_failed", *_BY_PEOPLE}
)  # who did what
_UNFOLDED = ("Redacted",)


def check(findings: Findings, path: str, log: Log) -> None:
    """Compare `[Mode:]` with the records; what was erased or withheld from a blind set tells nothing any more."""
    try:
        mode = log_schema.mode_of(log.get("Mode"))
    except ValueError as error:
        findings.add("log.mode", path, str(error))
        return
    if _tells_nothing(log):
        return
    found: dict[str, set[Operator]] = {stage: set() for stage in Stage}
    for block in log.blocks:
        for stage, operator in _operators(block):
            found[stage].add(operator)
    for stage in Stage:
        did = Operator.CORRECTED if len(found[stage]) > 1 else next(iter(found[stage]), None)
        if mode[stage] is not did:
            said, done = mode[stage] or log_schema.NOBODY, did or log_schema.NOBODY
            findings.add("log.mode", path, f"{stage}={said} in the header, {stage}={done} by the records")


def people_acted(log: Log) -> bool | None:
    """Return whether somebody behind the curtain did a part of the system's work, None if the records do not tell it any
    more; `session.state.stage_operators.is_done_by_a_person` says the same of facts."""
    if any(record.key in _BY_PEOPLE and record.by in PEOPLE for block in log.blocks for record in block.records):
        return True
    return None if _tells_nothing(log) else False


def _tells_nothing(log: Log) -> bool:
    """Return whether something was erased, or everything withheld."""
    erased = not log.by_key.keys().isdisjoint(_UNFOLDED)
    return erased or not any(blind.answers_in(log))


def _operators(block: RecordBlock) -> Iterator[tuple[Stage, Operator]]:
    """Yield who did what part of which stage."""
    spoken = block.take and block.first("Utterance_typed") is None
    planned = {record.get("Reply") for record in block.all("Reply_planned")}
    for record in block.records:
        if record.key not in _TELLING:
            continue
        person = Operator.HUMAN if record.by in PEOPLE else Operator.MACHINE
        match record.key:
            case "Transcription_sent":
                yield Stage.RECOGNITION, person
            case "Hypothesis_received" if record.get("Final") == "yes":
                yield Stage.RECOGNITION, Operator.MACHINE
            case "Output_judged":
                yield Stage(record.get("Stage")), Operator.MACHINE
                yield Stage(record.get("Stage")), Operator.HUMAN
            case "Reply_proposed":
                yield Stage.RESPONSE, Operator.MACHINE
            case "Sentence_sent":
                for operator in _understanding(block, record, person):
                    yield Stage.UNDERSTANDING, operator
            case "Query_returned" | "Query_failed":
                yield Stage.DATABASE, Operator.MACHINE
            case "Reply_planned":
                yield Stage.RESPONSE, person
            case "Answer_returned" if record.get("Reply") not in planned:
                if block.take or person is Operator.HUMAN:
                    yield Stage.RESPONSE, person
            case _:
                pass
        if block.take and record.key in _BY_PEOPLE and person is Operator.HUMAN:
            if spoken:
                yield Stage.RECOGNITION, Operator.HUMAN
            if record.key == "Answer_returned" and not record.get("Attempt"):
                yield Stage.UNDERSTANDING, Operator.HUMAN


def _understanding(block: RecordBlock, record: Record, person: Operator) -> set[Operator]:
    """The operators of the stage by one text for the database: `session.state.stage_operators` says the same of its fact."""
    if person is Operator.MACHINE:
        return {Operator.MACHINE}
    if record.get("Language") == Language.SQL:
        return {Operator.HUMAN, Operator.MACHINE} if record.get("Origin") == EDITED else {Operator.HUMAN}
    said = {
        " ".join(record.get("Utterance").split()).casefold()
        for key in ("Transcription_sent", "Utterance_typed")
        for record in block.all(key)
    }
    words = " ".join(record.get("Sentence").split()).casefold()
    reworded = record.get("Language") == Language.ENGLISH and words not in said
    chosen = bool(record.get("Reading"))
    return {Operator.MACHINE, Operator.HUMAN} if reworded or chosen else {Operator.MACHINE}
