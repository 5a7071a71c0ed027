"""The schema of the `.log`: its keys, their order, and the form of their values.

Data, so that writer, parser, verifier and document agree: the tables of docs/reference/formats/log.md are held to it by a test.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from corpus.formats.log.log_keys import (
    LogKey,
    LogRule,
    ValueKind,
    choice,
    count,
    lines,
    many,
    maybe,
    text,
    word,
    yes_no,
)
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

HEADER: tuple[LogKey, ...] = (
    LogKey("Log_version", ValueKind.CHOICE, choices=(VERSION,)),
    maybe("Imported"),
    word("Speaker"),
    word("Session"),
    word("Scenario_session"),
    word("Site"),
    word("Scenario"),
    maybe("Title"),
    word("Scenario_kind"),
    yes_no("Common"),
    yes_no("Attended"),
    many("Binding"),
    lines("Scenario_text"),
    text("Mode"),
    choice("Recording_control", RecordingControl),
    choice("Echo", Echo),
    LogKey(END_TO_END, ValueKind.FLAG, optional=True),
    text("Profile"),
    word("Protocol"),
    maybe("Domain"),
    maybe("Database_version"),
    maybe("Today"),
    text("Task"),
    text("Returned_data"),
    text("Collection_method"),
    yes_no("Deception"),
    maybe("Condition"),
    maybe("Assignment"),
    maybe("Frozen"),
    maybe("Wizard"),
    LogKey("Wizard_certified", ValueKind.CHOICE, choices=("yes", "no"), optional=True),
    yes_no("Pilot"),
    yes_no("Rehearsal"),
    word("Pace"),
    word("Reply_limit"),
    maybe("Consent"),
    LogKey("Microphone", ValueKind.TEXT, optional=True, many=True),
    maybe("Digitiser"),
    maybe("Room"),
    maybe("Noise"),
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
_UNDERSTOOD = (maybe("Question"), maybe("Proposer"), *map(many, READING_KEYS))
_SHOWN = (word("Reply"), word("Lines"))

RECORDS: Mapping[str, LogRule] = {
    "Session_opened": LogRule(),
    "Wizard_identified": LogRule(
        (text("Wizard"), word("Role"), LogKey("Certified", ValueKind.CHOICE, choices=("yes", "no"), optional=True))
    ),
    "Screen_sized": LogRule((count("Columns"), count("Rows"))),
    "Consent_given": LogRule((text("Consent"), word("Sha256"), many("Scope_given"))),
    "Session_paused": LogRule((maybe("Reason"),)),
    "Session_resumed": LogRule(),
    "Session_ended": LogRule((maybe("Reason"),)),
    "Speaker_withdrawn": LogRule((word("Speaker"),)),
    "Speaker_corrected": LogRule((many("Of"),)),
    "Experimenter_called": LogRule(),
    "Call_answered": LogRule(),
    "Instructions_read": LogRule(),
    "Microphone_opened": LogRule((text("Microphone"), count("Rate"), many("Applied"), maybe("Program"))),
    "Microphone_checked": LogRule((word("Peak"), yes_no("Passed"))),
    "Step_begun": LogRule((choice("Step", Step),)),
    "Questionnaire_answered": LogRule((text("Form"),)),
    "Debriefing_read": LogRule((word("Sha256"),)),
    "Consent_confirmed": LogRule((text("Consent"), word("Sha256"), many("Scope_given"))),
    "Withdrawal_requested": LogRule((yes_no("Erase"),)),
    "Note_written": LogRule((text("Note"),)),
    "Deviation_noted": LogRule((text("Reason"), maybe("Note"))),
    "Deviation_taken_back": LogRule((text("Reason"), maybe("Note"))),
    "Scenario_started": LogRule(),
    "Solution_declared": LogRule((text("Solution"),)),
    "Scenario_given_up": LogRule(),
    "Scenario_ended": LogRule((choice("Outcome", Outcome, former=(FORMER_OUTCOME,)), maybe("Reason"))),
    "Scenario_invalidated": LogRule((text("Reason"),)),
    "Recording_switched": LogRule((yes_no("On"),)),
    "Talk_pressed": LogRule(),
    "End_pointed": LogRule(
        (
            LogKey("Speech_end", ValueKind.COUNT, optional=True),
            count("Decided_at"),
            count("Rate"),
            maybe("Detector"),
        )
    ),
    "Talk_released": LogRule((maybe("Reason"),)),
    "Recording_begin": LogRule((many("Channel"), many("Offset"), count("Pre_roll"))),
    "Audio_troubled": LogRule(
        (
            choice("Trouble", AudioTrouble),
            word("Channel"),
            count("At_sample"),
            count("Trouble_samples"),
            maybe("Detail"),
        )
    ),
    "Recording_end": LogRule(
        (_SAMPLES, many("Drift"), count("Tail"), LogKey("Recovered", ValueKind.FLAG, optional=True))
    ),
    "Take_confirmed": LogRule((_SAMPLES,)),
    "Recording_imported": LogRule((many("Channel"), _SAMPLES)),
    "Utterance_typed": LogRule((text("Utterance"),)),
    "Take_discarded": LogRule(),
    "Utterance_accepted": LogRule(),
    "Context_switched": LogRule((word("To"),)),
    "Transcription_sent": LogRule((text("Utterance"),)),
    "Transcription_shown": LogRule(),
    "Scope_marked": LogRule((choice("Scope", Scope),)),
    "Sentence_sent": LogRule(
        (
            word("Attempt"),
            choice("Language", Language),
            text("Origin"),
            LogKey("Alone", ValueKind.FLAG, optional=True),
            LogKey("Reading", ValueKind.COUNT, optional=True),
            lines("Sentence"),
        )
    ),
    "Query_returned": LogRule(
        (
            word("Attempt"),
            lines("Query"),
            maybe("Paraphrase"),
            *_UNDERSTOOD,
            maybe("Confidence"),
            many("Unused"),
            many("Unasked"),
            maybe("Doubt"),
            maybe("Database_version"),
            count("Took"),
            count("Row_count"),
            LogKey("More_rows", ValueKind.FLAG, optional=True),
            lines("Table"),
        )
    ),
    "Query_failed": LogRule(
        (
            word("Attempt"),
            choice("Failure", FailureKind),
            text("Message"),
            *_UNDERSTOOD,
            maybe("Query", ValueKind.LINES),
            count("Took"),
        )
    ),
    "Proposal_judged": LogRule((word("Attempt"), choice("Verdict", ProposalVerdict))),
    "Answer_previewed": LogRule((word("Attempt"), word("Sha256"))),
    "Reply_planned": LogRule((word("Reply"), choice("Response", ResponseClass), count("Delay"), lines("Result"))),
    "Reply_stopped": LogRule((word("Reply"),)),
    "Answer_returned": LogRule(
        (
            word("Reply"),
            choice("Response", ResponseClass),
            maybe("Attempt", ValueKind.WORD),
            maybe("Answer_found", ValueKind.TIME),
            maybe("Database_version"),
            maybe("Canned_message"),
            many("Blank"),
            maybe("Reason"),
            count("Delay"),
            maybe("Echoed"),
            maybe("Spoken"),
            lines("Result"),
        )
    ),
    "Reply_marked_wrong": LogRule((word("Reply"), maybe("Reason"))),
    "Reply_limit_reached": LogRule(),
    "Answer_shown": LogRule(_SHOWN),
    "Answer_viewed": LogRule((*_SHOWN, LogKey("Reopened", ValueKind.FLAG, optional=True))),
    "Stage_assigned": LogRule(
        (
            choice("Stage", Stage),
            choice("Operator", Operator),
            maybe("Engine"),
            maybe("Engine_version"),
            maybe("Reason"),
        )
    ),
    "Operator_troubled": LogRule(
        (
            choice("Stage", Stage),
            choice("Trouble_of_operator", OperatorTrouble),
            maybe("Engine"),
            maybe("Detail"),
        )
    ),
    "Hypothesis_received": LogRule(
        (
            yes_no("Final"),
            text("Engine"),
            maybe("Engine_version"),
            count("Took"),
            many("Hypothesis"),
            maybe("Original"),
            many("Word_time"),
        )
    ),
    "Reply_proposed": LogRule(
        (
            word("Reply"),
            choice("Response", ResponseClass),
            maybe("Attempt", ValueKind.WORD),
            maybe("Canned_message"),
            many("Blank"),
            lines("Result"),
        )
    ),
    "Output_judged": LogRule(
        (choice("Stage", Stage), choice("Verdict", ProposalVerdict), LogKey("Choice", ValueKind.COUNT, optional=True))
    ),
    "Model_consulted": LogRule(
        (
            maybe("Attempt", ValueKind.WORD),
            text("Model"),
            maybe("Engine_version"),
            maybe("Prompt_sha256", ValueKind.WORD),
            count("Took"),
            count("Tokens_in"),
            count("Tokens_out"),
            maybe("Failed"),
        )
    ),
    "Reply_voiced": LogRule(
        (
            word("Reply"),
            count("Samples"),
            count("Rate"),
            word("Sha256"),
            text("Engine"),
            maybe("Version"),
            count("Took"),
        )
    ),
    "Voice_failed": LogRule((word("Reply"), text("Engine"), maybe("Detail"))),
    "Playback_started": LogRule((word("Reply"),)),
    "Playback_stopped": LogRule((word("Reply"), count("Samples"), choice("Why", PlaybackEnd), maybe("Detail"))),
    "Desk_attached": LogRule((word("Role"), text("Desk"), text("Clock"), text("Version"))),
    "Desk_detached": LogRule((word("Role"), text("Desk"), maybe("Reason"))),
    "Desk_refused": LogRule((maybe("Role", ValueKind.WORD), choice("Reason", DeskRefusal))),
    "Command_refused": LogRule((word("Role"), text("Command"), text("Reason"))),
    "Redacted": LogRule((word("Of"),)),
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
