"""The schema of the `.log`: its keys, their order, and the form of their values.

Data, so that writer, parser, verifier and document agree: the tables of docs/reference/formats/log.md are held to it by a test.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

import msgspec

from session.state.stage_operators import STAGES
from session.values.answers import FailureKind
from session.values.vocabulary import (
    FORMER_OUTCOME,
    AudioTrouble,
    DeskRefusal,
    Echo,
    Language,
    Operator,
    OperatorTrouble,
    Outcome,
    PlaybackEnd,
    ProposalVerdict,
    RecordingControl,
    ResponseClass,
    Scope,
    Stage,
    Step,
)

VERSION = "curtain-1"
END_TO_END = "End_to_end"
MODE_STAGES = STAGES
NOBODY = "none"


class ValueKind(StrEnum):
    """The shape of a value."""

    TEXT = "text"
    WORD = "word"
    COUNT = "count"
    CHOICE = "choice"
    FLAG = "flag"
    TIME = "time"
    LINES = "lines"


class LogKey(msgspec.Struct, frozen=True):
    """One key: how its value looks, whether it may be left out, whether it may stand several times; `former` are choices of
    earlier logs, and what they are called now."""

    name: str
    kind: ValueKind = ValueKind.TEXT
    optional: bool = False
    many: bool = False
    choices: tuple[str, ...] = ()
    former: dict[str, str] = {}


class LogRule(msgspec.Struct, frozen=True):
    """The attributes that follow the time-stamped line of a record, in this order."""

    attributes: tuple[LogKey, ...] = ()

    @property
    def by_name(self) -> Mapping[str, LogKey]:
        """The attributes by their keys."""
        return {attribute.name: attribute for attribute in self.attributes}


def _choice(name: str, values: type[StrEnum], optional: bool = False, former: tuple[str, ...] = ()) -> LogKey:
    """`former` are values of earlier logs, for which the enumeration knows today's."""
    today = {value: str(values(value).value) for value in former}
    return LogKey(name, ValueKind.CHOICE, optional, choices=tuple(value.value for value in values), former=today)


def _text(name: str) -> LogKey:
    return LogKey(name, ValueKind.TEXT)


def _maybe(name: str, kind: ValueKind = ValueKind.TEXT) -> LogKey:
    return LogKey(name, kind, optional=True)


def _many(name: str) -> LogKey:
    return LogKey(name, ValueKind.TEXT, optional=True, many=True)


def _word(name: str) -> LogKey:
    return LogKey(name, ValueKind.WORD)


def _count(name: str) -> LogKey:
    return LogKey(name, ValueKind.COUNT)


def _lines(name: str) -> LogKey:
    return LogKey(name, ValueKind.LINES)


def _yes_no(name: str) -> LogKey:
    return LogKey(name, ValueKind.CHOICE, choices=("yes", "no"))


HEADER: tuple[LogKey, ...] = (
    LogKey("Log_version", ValueKind.CHOICE, choices=(VERSION,)),
    _maybe("Imported"),
    _word("Speaker"),
    _word("Session"),
    _word("Scenario_session"),
    _word("Site"),
    _word("Scenario"),
    _maybe("Title"),
    _word("Scenario_kind"),
    _yes_no("Common"),
    _yes_no("Attended"),
    _many("Binding"),
    _lines("Scenario_text"),
    _text("Mode"),
    _choice("Recording_control", RecordingControl),
    _choice("Echo", Echo),
    LogKey(END_TO_END, ValueKind.FLAG, optional=True),
    _text("Profile"),
    _word("Protocol"),
    _maybe("Domain"),
    _maybe("Database_version"),
    _maybe("Today"),
    _text("Task"),
    _text("Returned_data"),
    _text("Collection_method"),
    _yes_no("Deception"),
    _maybe("Condition"),
    _maybe("Assignment"),
    _maybe("Frozen"),
    _maybe("Wizard"),
    LogKey("Wizard_certified", ValueKind.CHOICE, choices=("yes", "no"), optional=True),
    _yes_no("Pilot"),
    _yes_no("Rehearsal"),
    _word("Pace"),
    _word("Reply_limit"),
    _maybe("Consent"),
    LogKey("Microphone", ValueKind.TEXT, optional=True, many=True),
    _maybe("Digitiser"),
    _maybe("Room"),
    _maybe("Noise"),
)
IMPORTED = "Imported"
_KNOWN_OF_IMPORTED = frozenset(
    {"Log_version", IMPORTED, "Speaker", "Session", "Scenario_session", "Site", "Scenario", "Protocol", "Collection_method",
     "Pilot", "Rehearsal", "Pace"}
)  # fmt: skip
HEADER_OF_IMPORTED: tuple[LogKey, ...] = tuple(
    msgspec.structs.replace(attribute, optional=attribute.name not in _KNOWN_OF_IMPORTED) for attribute in HEADER
)
"""The header for imported recordings, whose session conditions are unknown."""
HEADER_BY_NAME: Mapping[str, LogKey] = {attribute.name: attribute for attribute in HEADER}

_SAMPLES = LogKey("Samples", ValueKind.TEXT, many=True, optional=True)
READING_KEYS = ("Other_reading", "Withheld_reading", "Withheld_because")
_UNDERSTOOD = (_maybe("Question"), _maybe("Proposer"), *map(_many, READING_KEYS))
_SHOWN = (_word("Reply"), _word("Lines"))

RECORDS: Mapping[str, LogRule] = {
    "Session_opened": LogRule(),
    "Wizard_identified": LogRule(
        (_text("Wizard"), _word("Role"), LogKey("Certified", ValueKind.CHOICE, choices=("yes", "no"), optional=True))
    ),
    "Screen_sized": LogRule((_count("Columns"), _count("Rows"))),
    "Consent_given": LogRule((_text("Consent"), _word("Sha256"), _many("Scope_given"))),
    "Session_paused": LogRule((_maybe("Reason"),)),
    "Session_resumed": LogRule(),
    "Session_ended": LogRule((_maybe("Reason"),)),
    "Speaker_withdrawn": LogRule((_word("Speaker"),)),
    "Speaker_corrected": LogRule((_many("Of"),)),
    "Experimenter_called": LogRule(),
    "Call_answered": LogRule(),
    "Instructions_read": LogRule(),
    "Microphone_opened": LogRule((_text("Microphone"), _count("Rate"), _many("Applied"), _maybe("Program"))),
    "Microphone_checked": LogRule((_word("Peak"), _yes_no("Passed"))),
    "Step_begun": LogRule((_choice("Step", Step),)),
    "Questionnaire_answered": LogRule((_text("Form"),)),
    "Debriefing_read": LogRule((_word("Sha256"),)),
    "Consent_confirmed": LogRule((_text("Consent"), _word("Sha256"), _many("Scope_given"))),
    "Withdrawal_requested": LogRule((_yes_no("Erase"),)),
    "Note_written": LogRule((_text("Note"),)),
    "Deviation_noted": LogRule((_text("Reason"), _maybe("Note"))),
    "Deviation_taken_back": LogRule((_text("Reason"), _maybe("Note"))),
    "Scenario_started": LogRule(),
    "Solution_declared": LogRule((_text("Solution"),)),
    "Scenario_given_up": LogRule(),
    "Scenario_ended": LogRule((_choice("Outcome", Outcome, former=(FORMER_OUTCOME,)), _maybe("Reason"))),
    "Scenario_invalidated": LogRule((_text("Reason"),)),
    "Recording_switched": LogRule((_yes_no("On"),)),
    "Talk_pressed": LogRule(),
    "End_pointed": LogRule(
        (
            LogKey("Speech_end", ValueKind.COUNT, optional=True),
            _count("Decided_at"),
            _count("Rate"),
            _maybe("Detector"),
        )
    ),
    "Talk_released": LogRule((_maybe("Reason"),)),
    "Recording_begin": LogRule((_many("Channel"), _many("Offset"), _count("Pre_roll"))),
    "Audio_troubled": LogRule(
        (
            _choice("Trouble", AudioTrouble),
            _word("Channel"),
            _count("At_sample"),
            _count("Trouble_samples"),
            _maybe("Detail"),
        )
    ),
    "Recording_end": LogRule(
        (_SAMPLES, _many("Drift"), _count("Tail"), LogKey("Recovered", ValueKind.FLAG, optional=True))
    ),
    "Take_confirmed": LogRule((_SAMPLES,)),
    "Recording_imported": LogRule((_many("Channel"), _SAMPLES)),
    "Utterance_typed": LogRule((_text("Utterance"),)),
    "Take_discarded": LogRule(),
    "Utterance_accepted": LogRule(),
    "Context_switched": LogRule((_word("To"),)),
    "Transcription_sent": LogRule((_text("Utterance"),)),
    "Transcription_shown": LogRule(),
    "Scope_marked": LogRule((_choice("Scope", Scope),)),
    "Sentence_sent": LogRule(
        (
            _word("Attempt"),
            _choice("Language", Language),
            _text("Origin"),
            LogKey("Alone", ValueKind.FLAG, optional=True),
            LogKey("Reading", ValueKind.COUNT, optional=True),
            _lines("Sentence"),
        )
    ),
    "Query_returned": LogRule(
        (
            _word("Attempt"),
            _lines("Query"),
            _maybe("Paraphrase"),
            *_UNDERSTOOD,
            _maybe("Confidence"),
            _many("Unused"),
            _many("Unasked"),
            _maybe("Doubt"),
            _maybe("Database_version"),
            _count("Took"),
            _count("Row_count"),
            LogKey("More_rows", ValueKind.FLAG, optional=True),
            _lines("Table"),
        )
    ),
    "Query_failed": LogRule(
        (
            _word("Attempt"),
            _choice("Failure", FailureKind),
            _text("Message"),
            *_UNDERSTOOD,
            _maybe("Query", ValueKind.LINES),
            _count("Took"),
        )
    ),
    "Proposal_judged": LogRule((_word("Attempt"), _choice("Verdict", ProposalVerdict))),
    "Answer_previewed": LogRule((_word("Attempt"), _word("Sha256"))),
    "Reply_planned": LogRule((_word("Reply"), _choice("Response", ResponseClass), _count("Delay"), _lines("Result"))),
    "Reply_stopped": LogRule((_word("Reply"),)),
    "Answer_returned": LogRule(
        (
            _word("Reply"),
            _choice("Response", ResponseClass),
            _maybe("Attempt", ValueKind.WORD),
            _maybe("Answer_found", ValueKind.TIME),
            _maybe("Database_version"),
            _maybe("Canned_message"),
            _many("Blank"),
            _maybe("Reason"),
            _count("Delay"),
            _maybe("Echoed"),
            _maybe("Spoken"),
            _lines("Result"),
        )
    ),
    "Reply_marked_wrong": LogRule((_word("Reply"), _maybe("Reason"))),
    "Reply_limit_reached": LogRule(),
    "Answer_shown": LogRule(_SHOWN),
    "Answer_viewed": LogRule((*_SHOWN, LogKey("Reopened", ValueKind.FLAG, optional=True))),
    "Stage_assigned": LogRule(
        (
            _choice("Stage", Stage),
            _choice("Operator", Operator),
            _maybe("Engine"),
            _maybe("Engine_version"),
            _maybe("Reason"),
        )
    ),
    "Operator_troubled": LogRule(
        (
            _choice("Stage", Stage),
            _choice("Trouble_of_operator", OperatorTrouble),
            _maybe("Engine"),
            _maybe("Detail"),
        )
    ),
    "Hypothesis_received": LogRule(
        (
            _yes_no("Final"),
            _text("Engine"),
            _maybe("Engine_version"),
            _count("Took"),
            _many("Hypothesis"),
            _maybe("Original"),
            _many("Word_time"),
        )
    ),
    "Reply_proposed": LogRule(
        (
            _word("Reply"),
            _choice("Response", ResponseClass),
            _maybe("Attempt", ValueKind.WORD),
            _maybe("Canned_message"),
            _many("Blank"),
            _lines("Result"),
        )
    ),
    "Output_judged": LogRule(
        (_choice("Stage", Stage), _choice("Verdict", ProposalVerdict), LogKey("Choice", ValueKind.COUNT, optional=True))
    ),
    "Model_consulted": LogRule(
        (
            _maybe("Attempt", ValueKind.WORD),
            _text("Model"),
            _maybe("Engine_version"),
            _maybe("Prompt_sha256", ValueKind.WORD),
            _count("Took"),
            _count("Tokens_in"),
            _count("Tokens_out"),
            _maybe("Failed"),
        )
    ),
    "Reply_voiced": LogRule(
        (
            _word("Reply"),
            _count("Samples"),
            _count("Rate"),
            _word("Sha256"),
            _text("Engine"),
            _maybe("Version"),
            _count("Took"),
        )
    ),
    "Voice_failed": LogRule((_word("Reply"), _text("Engine"), _maybe("Detail"))),
    "Playback_started": LogRule((_word("Reply"),)),
    "Playback_stopped": LogRule((_word("Reply"), _count("Samples"), _choice("Why", PlaybackEnd), _maybe("Detail"))),
    "Desk_attached": LogRule((_word("Role"), _text("Desk"), _text("Clock"), _text("Version"))),
    "Desk_detached": LogRule((_word("Role"), _text("Desk"), _maybe("Reason"))),
    "Desk_refused": LogRule((_maybe("Role", ValueKind.WORD), _choice("Reason", DeskRefusal))),
    "Command_refused": LogRule((_word("Role"), _text("Command"), _text("Reason"))),
    "Redacted": LogRule((_word("Of"),)),
}

ALWAYS_HIDDEN = frozenset(
    {
        "Wizard_identified", "Speaker_withdrawn", "Note_written", "Deviation_noted", "Scope_marked", "Sentence_sent",
        "Query_returned", "Query_failed", "Proposal_judged", "Answer_previewed", "Reply_limit_reached", "Reply_planned",
        "Reply_stopped", "Reply_marked_wrong", "Desk_attached", "Desk_detached", "Desk_refused", "Command_refused",
        "Redacted", "Scenario_invalidated", "Speaker_corrected", "Stage_assigned", "Operator_troubled", "Hypothesis_received",
        "Reply_proposed", "Output_judged", "Model_consulted", "Deviation_taken_back",
    }
)  # fmt: skip
"""Records of what no profile lets the subject perceive."""
NEVER_HIDDEN = frozenset(
    {
        "Screen_sized", "Consent_given", "Session_resumed", "Experimenter_called", "Call_answered", "Instructions_read",
        "Microphone_opened", "Microphone_checked", "Step_begun", "Questionnaire_answered", "Debriefing_read", "Consent_confirmed",
        "Withdrawal_requested", "Solution_declared", "Scenario_given_up", "Talk_pressed", "End_pointed", "Talk_released",
        "Recording_begin", "Audio_troubled", "Recording_end", "Take_confirmed", "Utterance_typed", "Take_discarded",
        "Utterance_accepted", "Context_switched", "Transcription_shown", "Answer_shown", "Answer_viewed",
        "Playback_started", "Playback_stopped",
    }
)  # fmt: skip
"""Records of what the subject does or sees, whatever the profile."""


def mode_text(operators: Mapping[str, Operator | None]) -> str:
    """The value of Mode: the wizard's part in each stage (log_spec, section 3.1)."""
    return " ".join(f"{stage}={operators[stage] or NOBODY}" for stage in MODE_STAGES)


@lru_cache(maxsize=64)
def mode_of(text: str) -> Mapping[str, Operator | None]:
    """The operator of each stage, None where nobody acted; raises ValueError for anything that `mode_text` does not write."""
    pairs = [word.partition("=") for word in text.split(" ")]
    if tuple(stage for stage, _, _ in pairs) != MODE_STAGES:
        raise ValueError(f"{text!r} does not name the operators of {', '.join(MODE_STAGES)}")
    if strangers := [operator for _, _, operator in pairs if operator not in [*Operator, NOBODY]]:
        raise ValueError(f"{strangers[0]!r} is no operator; known: {', '.join([*Operator, NOBODY])}")
    return {stage: None if operator == NOBODY else Operator(operator) for stage, _, operator in pairs}
