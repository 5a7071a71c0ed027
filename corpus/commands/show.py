"""`curtain show`: a log as a person reads it, a dialogue in the order of its times, marked where the participant could not see.

The log alone is enough. What was said is what was typed during the session, by the wizard or the participant, or the best
hypothesis of a recogniser; the transcriptions of a corpus are in files of their own.
"""

import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from corpus.formats.errors import FormatFault, counted
from corpus.formats.log import file, log_schema
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.timeline import Moment, seconds
from session.values.names import base36
from session.values.sanitize import inert
from session.values.vocabulary import Language, ResponseClass

WIDTH = 100
BEHIND = "│ "
_INDENT = 10
_REPLIES = {
    ResponseClass.ANSWER: "System answers",
    ResponseClass.DIAGNOSTIC: "System explains",
    ResponseClass.DIRECTIVE: "System asks",
    ResponseClass.FAILURE: "System did not understand",
    ResponseClass.FILLER: "System, meanwhile",
    ResponseClass.GREETING: "System greets",
}


class _RecordLine(NamedTuple):
    """One record as a label and a text; `hidden` if the participant could not perceive it."""

    who: str
    text: str
    hidden: bool


def show_command(logs: Sequence[str], seen_only: bool, out: TextIO, err: TextIO) -> int:
    """Write each log to `out` as a dialogue; 2 when one cannot be read, the others are shown."""
    status = 0
    for number, name in enumerate(logs):
        try:
            log = file.parse(Path(name).read_bytes(), name)
            text = "\n".join(lines(log, seen_only=seen_only))
        except (FormatFault, ValueError) as error:
            err.write(f"{error}\n")
            status = 2
            continue
        except OSError as error:
            err.write(f"{name}: it cannot be read: {error.strerror}; name the .log of a subject-scenario\n")
            status = 2
            continue
        out.write(("\n\n" if number else "") + text + "\n")
    return status


def lines(log: Log, *, seen_only: bool = False) -> Iterator[str]:
    """The dialogue of a log, line by line; with `seen_only` as the participant perceived it."""
    yield from _heading(log)
    placed = [(_moment(record, block), record, block) for block in log.blocks for record in block.records]
    placed.sort(key=lambda one: one[0].at)
    if not placed:
        yield "(nothing is recorded)"
        return
    began = next(log.records("Scenario_started"), placed[0][1]).moment
    for moment, record, block in placed:
        if record.key in {"Recording_begin", "Utterance_typed"} and block.kind is not BlockKind.INDEPENDENT:
            yield ""
        found = _line(record, block)
        if found is not None and not (seen_only and found.hidden):
            yield from _laid_out(seconds(began, moment), found)


def _heading(log: Log) -> Iterator[str]:
    def said(key: str, otherwise: str = "") -> str:
        return inert(log.get(key)) or otherwise

    title = f" ({said('Title')})" if said("Title") else ""
    yield f"{said('Session')}, subject-scenario {said('Scenario_session')}: {said('Scenario')}{title}"
    if log.imported:
        yield f"speaker {said('Speaker')}; imported ({said('Imported')}): the dialogue around the utterances is unknown"
        yield ""
        return
    condition = f", condition {said('Condition')}" if log.get("Condition") else ""
    yield f"speaker {said('Speaker')}, wizard {said('Wizard', 'none')}, profile {said('Profile')}{condition}"
    yield said("Mode")
    for key, what in (
        ("Rehearsal", "A rehearsal: scripted people and made-up speech, no data."),
        ("Pilot", "A pilot."),
    ):
        if log.get(key) == "yes":
            yield what
    yield ""
    for line in log.get("Scenario_text").splitlines():
        yield f"    {inert(line)}".rstrip()
    yield ""


def _moment(record: Record, block: RecordBlock) -> Moment:
    """Return the moment of a record in the dialogue; a recording's is that of the press, since its pre-roll is older."""
    pressed = block.first("Talk_pressed") if record.key == "Recording_begin" else None
    return record.moment if pressed is None else pressed.moment


def _laid_out(passed: float, found: _RecordLine) -> Iterator[str]:
    passed = max(0.0, passed)
    mark = BEHIND if found.hidden else "  "
    head = f"{int(passed // 60):3}:{passed % 60:04.1f}  {mark}"
    first, *rest = [inert(line) for line in found.text.split("\n")] or [""]
    if rest:
        yield f"{head}{found.who}:"
        yield from (f"{' ' * _INDENT}{mark}  {line}".rstrip() for line in (first, *rest))
        return
    text = f"{found.who}: {first}" if first else found.who
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=f"{' ' * _INDENT}{mark}  ", break_on_hyphens=False
    )


def _line(record: Record, block: RecordBlock) -> _RecordLine | None:
    """Return what a record says, None for what is only of technical interest."""
    tell = TOLD.get(record.key)
    if tell is None:
        return None
    found = tell(record, block)
    return None if found is None else _RecordLine(*found, record.hidden or record.key in log_schema.ALWAYS_HIDDEN)


_Told = Callable[[Record, RecordBlock], tuple[str, str] | None]


def _plain(who: str, *keys: str) -> _Told:
    """The values of these keys, those that are there, after `who`."""
    return lambda record, block: (who, "; ".join(filter(None, (record.get(key) for key in keys))))


def _spoken(record: Record, block: RecordBlock) -> tuple[str, str]:
    if block.kind is BlockKind.UNNUMBERED or not block.number:
        return "Participant (speech that is not an utterance)", ""
    return f"Participant, utterance {block.number}", _words(block) or "(speech; not transcribed)"


def _words(block: RecordBlock) -> str:
    if block.typed:
        return block.typed
    final = [record for record in block.all("Hypothesis_received") if record.get("Final") == "yes"]
    return f"{_hypothesis(final[-1])} (by the recogniser)" if final else ""


def _hypothesis(record: Record) -> str:
    """The words of the best hypothesis, its confidence left out."""
    return record.get("Hypothesis")


def _typed(record: Record, block: RecordBlock) -> tuple[str, str]:
    return f"Participant, utterance {block.number}, typed", record.get("Utterance")


def _asked(record: Record, block: RecordBlock) -> tuple[str, str]:
    by = "in SQL" if record.get("Language") == Language.SQL else "in English"
    return f"Asked {by} by {record.get('Origin') or record.by}", " ".join(record.get("Sentence").split())


def _found(record: Record, block: RecordBlock) -> tuple[str, str]:
    rows = counted(int(record.get("Row_count") or 0), "row")
    more = " and more" if any(key == "More_rows" for key, _ in record.attributes) else ""
    reading = f"; read as: {record.get('Paraphrase')}" if record.get("Paraphrase") else ""
    return "Database", f"{rows}{more} in {int(record.get('Took') or 0) / 1e6:.0f} ms{reading}"


def _returned(record: Record, block: RecordBlock) -> tuple[str, str]:
    response = record.get("Response")
    who = next((text for kind, text in _REPLIES.items() if kind == response), f"System ({response})")
    spoken = record.get("Spoken")
    if spoken and not record.get("Result"):
        return f"{who}, aloud", spoken
    return who, record.get("Result") + (f"\n(aloud: {spoken})" if spoken else "")


def _cut_off(record: Record, block: RecordBlock) -> tuple[str, str] | None:
    why = record.get("Why")
    return None if why in {"", "ended"} else ("Playback stopped", why)


TOLD: dict[str, _Told] = {
    "Scenario_started": _plain("The scenario starts"),
    "Recording_begin": _spoken,
    "Utterance_typed": _typed,
    "Recording_imported": lambda _, block: (f"Utterance {base36(block.number, 2)}", "recorded elsewhere"),
    "Transcription_shown": lambda record, block: ("On the screen, the words understood", block.typed),
    "Take_discarded": _plain("The recording is discarded"),
    "Context_switched": _plain("Back to the context of", "To"),
    "Scope_marked": _plain("Scope", "Scope"),
    "Sentence_sent": _asked,
    "Query_returned": _found,
    "Query_failed": _plain("Database, failure", "Failure", "Message"),
    "Reply_stopped": _plain("The held-back reply is stopped"),
    "Answer_returned": _returned,
    "Playback_stopped": _cut_off,
    "Voice_failed": _plain("No voice", "Engine", "Detail"),
    "Reply_marked_wrong": _plain("The wizard marks the reply as wrong", "Reason"),
    "Reply_limit_reached": _plain("The limit for a reply is reached"),
    "Stage_assigned": _plain("Stage", "Stage", "Operator", "Engine", "Reason"),
    "Operator_troubled": _plain("Trouble of an operator", "Stage", "Trouble_of_operator", "Detail"),
    "Audio_troubled": _plain("Trouble of the sound", "Trouble", "Detail"),
    "Experimenter_called": _plain("The participant calls the experimenter"),
    "Call_answered": _plain("The call is answered"),
    "Session_paused": _plain("Pause", "Reason"),
    "Session_resumed": _plain("The session goes on"),
    "Note_written": _plain("Note", "Note"),
    "Deviation_noted": _plain("Deviation", "Reason", "Note"),
    "Deviation_taken_back": _plain("A deviation is taken back", "Reason", "Note"),
    "Solution_declared": _plain("The participant declares a solution", "Solution"),
    "Scenario_given_up": _plain("The participant gives up"),
    "Scenario_ended": _plain("The scenario ends", "Outcome", "Reason"),
    "Scenario_invalidated": _plain("The scenario is declared invalid", "Reason"),
}

LEFT_OUT = frozenset(
    {
        *(
            "Session_opened",
            "Wizard_identified",
            "Screen_sized",
            "Session_ended",
            "Speaker_withdrawn",
            "Speaker_corrected",
        ),
        *("Consent_given", "Consent_confirmed", "Withdrawal_requested", "Instructions_read", "Microphone_opened"),
        *("Microphone_checked", "Step_begun", "Questionnaire_answered", "Debriefing_read"),
        *("Recording_switched", "Talk_pressed", "End_pointed", "Talk_released", "Recording_end", "Take_confirmed"),
        *("Utterance_accepted", "Transcription_sent", "Hypothesis_received", "Answer_previewed", "Answer_shown"),
        *("Answer_viewed", "Reply_planned", "Reply_proposed", "Reply_voiced", "Playback_started", "Proposal_judged"),
        *("Output_judged", "Model_consulted", "Desk_attached", "Desk_detached", "Desk_refused", "Command_refused"),
        "Redacted",
    }
)
"""Records around the dialogue: of the visit, the machinery, and of what another line says already."""
