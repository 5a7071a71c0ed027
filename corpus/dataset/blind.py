"""A blind test set: the files of a test pool that contain no answer and can be handed out.

Whoever is tested gets the speech, the transcriptions, and from the logs what the subjects did and when. Requests, rows, replies,
reference answers, drafts of them, remarks, the scenarios' solutions and requests that were kept with their SQL stay in the whole
corpus, with the site that scores.
"""

from collections.abc import Collection, Iterator
from pathlib import PurePosixPath

import msgspec

from corpus.formats import layout
from corpus.formats.log import file
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock

ANSWERS = frozenset({*layout.ANSWER_TYPES, layout.DRAFT, "cat", "com"})
"""Types of files that a blind set has none of."""
WITHHELD = "withheld from a blind test set"
_ANSWERING = frozenset({"scenarios", "rehearsal"})
_KEPT_REQUESTS = "requests.jsonl"
INVALIDATED = "Scenario_invalidated"
PERCEIVED = frozenset(
    {
        "Session_opened", "Screen_sized", "Consent_given", "Session_paused", "Session_resumed", "Session_ended",
        "Experimenter_called", "Call_answered", "Instructions_read", "Microphone_checked", "Microphone_opened", "Step_begun",
        "Questionnaire_answered", "Debriefing_read", "Consent_confirmed", "Withdrawal_requested", "Scenario_started",
        "Scenario_given_up", "Scenario_ended", "Recording_switched", "Talk_pressed", "End_pointed", "Talk_released",
        "Recording_begin", "Audio_troubled", "Recording_end", "Take_confirmed", "Utterance_typed", "Take_discarded",
        "Utterance_accepted", "Context_switched", "Transcription_sent", "Transcription_shown", "Recording_imported",
    }
)  # fmt: skip
"""Records that a blind log keeps, where they are not hidden; of a declaration that a scenario is invalid it keeps the fact."""


def holds(path: str, answering: Collection[str] = ()) -> bool:
    """Return whether a blind set has the file of this path; `answering` are the study's files that answer something."""
    kind = PurePosixPath(path).suffix.removeprefix(".")
    below = path.startswith((*(f"{directory}/" for directory in layout.SPEECH), f"{layout.DRAFTS}/"))
    if path.startswith(f"{layout.SPOKEN}/"):
        return False
    return not (below and (kind in ANSWERS or path.startswith(f"{layout.DRAFTS}/"))) and path not in answering


def blinded(path: str, data: bytes) -> bytes:
    """A file as a blind set has it."""
    if layout.is_protocol(path):
        return _without_solutions(data)
    if path.endswith(".log") and path.partition("/")[0] in layout.SPEECH:
        log = file.parse(data, path)
        return file.render(msgspec.structs.replace(log, blocks=tuple(_blocks(log))))
    return data


def changes(path: str) -> bool:
    """Return whether a file may differ in a blind set."""
    return path.endswith((".log", ".json")) and path.partition("/")[0] in (*layout.SPEECH, "doc")


def answers_in(log: Log) -> Iterator[Record]:
    """The records of a log that a blind set must not have."""
    for block in log.blocks:
        for record in block.records:
            reason_given = record.key == INVALIDATED and record.get("Reason") != WITHHELD
            if reason_given or (record.key != INVALIDATED and not _kept(record)):
                yield record


def solutions_in(data: bytes) -> bool:
    """Return whether a protocol tells a solution."""
    scenarios = msgspec.json.decode(data, type=_Scenarios).scenarios.values()
    return any(scenario.solution is not None and scenario.solution.sql != WITHHELD for scenario in scenarios)


def answering_files(protocol: bytes) -> Iterator[str]:
    """The paths in a corpus of those files of a protocol that answer something: scenarios have solutions, kept requests and plays
    statements."""
    for name, sha256 in msgspec.json.decode(protocol, type=_Files).files.items():
        *folders, last = name.split("/")
        if last == _KEPT_REQUESTS or {*folders} & _ANSWERING:
            yield from layout.protocol_files(name, sha256)


class _Solution(msgspec.Struct, frozen=True):
    sql: str = ""


class _Scenario(msgspec.Struct, frozen=True):
    solution: _Solution | None = None


class _Scenarios(msgspec.Struct, frozen=True):
    scenarios: dict[str, _Scenario] = {}


class _Files(msgspec.Struct, frozen=True):
    files: dict[str, str] = {}


def _without_solutions(data: bytes) -> bytes:
    stored = msgspec.json.decode(data)
    for scenario in stored.get("scenarios", {}).values():
        if scenario.get("solution") is not None:
            scenario["solution"] = {"sql": WITHHELD, "explanation": ""}
    return msgspec.json.format(msgspec.json.encode(stored, order="deterministic"), indent=1) + b"\n"


def _kept(record: Record) -> bool:
    return record.key in PERCEIVED and not record.hidden


def _blocks(log: Log) -> Iterator[RecordBlock]:
    for block in log.blocks:
        records = tuple(_blinded(record) for record in block.records if _kept(record) or record.key == INVALIDATED)
        if records or block.kind is not BlockKind.INDEPENDENT:
            yield msgspec.structs.replace(block, records=records)


def _blinded(record: Record) -> Record:
    """Remove the reason of an action: it is in the site's own words, which may reveal anything."""
    if record.key == INVALIDATED:
        return msgspec.structs.replace(record, attributes=(("Reason", WITHHELD),))
    return msgspec.structs.replace(
        record, attributes=tuple([(key, value) for key, value in record.attributes if key != "Reason"])
    )
