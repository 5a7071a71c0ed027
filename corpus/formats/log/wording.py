"""Each fact of a session as a record of its log: the one place that knows how facts are worded there."""

from collections.abc import Callable, Collection, Mapping
from typing import assert_never

from corpus.formats.log import log_schema
from corpus.formats.log.log_keys import LogKey, ValueKind
from corpus.formats.log.log_values import Record, count_text
from corpus.formats.log.logged_readings import understanding_worded
from corpus.formats.log.operator_wording import operator_record
from corpus.formats.log.reply_wording import reply_record, voice_record
from corpus.formats.log.result_table import table_text
from corpus.formats.log.timeline import Moment
from session import events as e
from session.study.settings import Profile
from session.study.speaker_details import differing
from session.values.clock import Stamp
from session.values.vocabulary import Echo, Sealed
from session.visibility import for_subject

Values = Mapping[str, str | tuple[str, ...] | None]
_Worded = tuple[str, Values]


def record_of(
    recorded: e.Recorded,
    profile: Profile,
    place: Callable[[Stamp], Moment],
    found: Mapping[str, Moment],
    shown: Collection[str],
) -> Record | None:
    """The record of one fact, or None for what is only bookkeeping between clocks.

    `found` gives for each attempt the moment at which its rows came. Hidden is what the curtain hides, and a reply that has not
    been perceived: it is not among `shown`, neither seen nor heard.
    """
    worded = _worded(recorded.event, found)
    if worded is None:
        return None
    key, values = worded
    if "Echoed" in values and profile.echo is not Echo.WITH_ANSWER:
        values = {**values, "Echoed": None}
    stamp = getattr(recorded.event, "at", e.NOWHERE)
    moment = place(recorded.at if stamp == e.NOWHERE else stamp)
    if isinstance(recorded.event, e.RecordingStarted) and moment.within is not None:
        moment = Moment(moment.at, moment.within - (-recorded.event.uncertainty // 1000))
    return Record(
        key,
        moment,
        "".join(char for char in recorded.by.lower() if char.isascii() and (char.isalpha() or char == "_")) or "hub",
        for_subject(recorded.event, profile) is None or _never_seen(recorded.event, shown),
        pairs(log_schema.RECORDS[key].attributes, values),
    )


def _never_seen(event: e.Fact, shown: Collection[str]) -> bool:
    said = e.AnswerSent | e.CannedSent | e.ReplyVoiced | e.VoiceFailed
    return isinstance(event, said) and event.reply not in shown


def pairs(rules: tuple[LogKey, ...], values: Values) -> tuple[tuple[str, str], ...]:
    """Attributes in the schema's order; None and, where it is optional, an empty text leave a key out.

    Raises ValueError for a key that the schema does not name here.
    """
    result: list[tuple[str, str]] = []
    if unknown := set(values) - {rule.name for rule in rules}:
        raise ValueError(f"the schema has no {sorted(unknown)[0]} here")
    for rule in rules:
        value = values.get(rule.name)
        for item in value if isinstance(value, tuple) else (value,):
            if item is not None and (item or not rule.optional or rule.many or rule.kind is ValueKind.FLAG):
                result.append((rule.name, word(item) if rule.kind is ValueKind.WORD else item))
    return tuple(result)


def word(text: str) -> str:
    """`text` as one word: white space becomes `_`, nothing becomes `-`."""
    return "_".join(text.split()) or "-"


def _worded(event: e.Fact, found: Mapping[str, Moment]) -> _Worded | None:
    if isinstance(event, e.SessionFact):
        return _session(event)
    if isinstance(event, e.ScenarioFact):
        return _scenario(event)
    if isinstance(event, e.UtteranceFact):
        return _utterance(event)
    if isinstance(event, e.WizardFact):
        return _wizard(event)
    if isinstance(event, e.ReplyFact):
        return reply_record(event, found)
    if isinstance(event, e.VoiceFact):
        return voice_record(event)
    if isinstance(event, e.FlowFact):
        return _flow(event)
    if isinstance(event, e.OperatorFact):
        return operator_record(event)
    if isinstance(event, e.LinkFact):
        return _link(event)
    if isinstance(event, e.Redacted):
        return "Redacted", {"Of": event.of}
    assert_never(event)


def _session(event: e.SessionFact) -> _Worded:
    match event:
        case e.SessionOpened():
            return "Session_opened", {}
        case e.WizardIdentified():
            return "Wizard_identified", {
                "Wizard": event.name,
                "Role": event.role,
                "Certified": None if event.certified is None else ("yes" if event.certified else "no"),
            }
        case e.ScreenSized():
            return "Screen_sized", {"Columns": count_text(event.columns), "Rows": count_text(event.lines)}
        case e.ConsentGiven():
            return "Consent_given", _consented(event)
        case e.SessionPaused():
            return "Session_paused", {"Reason": event.reason}
        case e.SessionResumed():
            return "Session_resumed", {}
        case e.SessionEnded():
            return "Session_ended", {"Reason": event.reason}
        case e.SpeakerWithdrawn():
            return "Speaker_withdrawn", {"Speaker": event.speaker}
        case e.SpeakerCorrected():
            return "Speaker_corrected", {"Of": differing(event.was, event.now)}
        case e.ExperimenterCalled():
            return "Experimenter_called", {}
        case e.CallAnswered():
            return "Call_answered", {}
        case e.NoteWritten():
            return "Note_written", {"Note": event.text}
        case e.DeviationTakenBack():
            return "Deviation_taken_back", {"Reason": event.reason, "Note": event.text}
        case e.DeviationNoted():
            return "Deviation_noted", {"Reason": event.reason, "Note": event.text}
        case _:
            assert_never(event)


def _flow(event: e.FlowFact) -> _Worded:
    match event:
        case e.InstructionsRead():
            return "Instructions_read", {}
        case e.MicrophoneOpened():
            applied = tuple(f"{name}={value}" for name, value in sorted(event.applied.items()))
            return "Microphone_opened", {
                "Microphone": event.microphone, "Rate": str(event.rate), "Applied": applied, "Program": event.program
            }  # fmt: skip
        case e.MicrophoneChecked():
            return "Microphone_checked", {"Peak": f"{event.peak_db:.1f}", "Passed": "yes" if event.passed else "no"}
        case e.StepBegun():
            return "Step_begun", {"Step": event.step.value}
        case e.QuestionnaireAnswered():
            return "Questionnaire_answered", {"Form": event.form}
        case e.DebriefingRead():
            return "Debriefing_read", {"Sha256": event.sha256}
        case e.ConsentConfirmed():
            return "Consent_confirmed", _consented(event)
        case e.WithdrawalRequested():
            return "Withdrawal_requested", {"Erase": "yes" if event.erase else "no"}
        case _:
            assert_never(event)


def _consented(event: e.ConsentGiven | e.ConsentConfirmed) -> Values:
    scopes = tuple(f"{scope}={'yes' if given else 'no'}" for scope, given in sorted(event.scopes.items()))
    return {"Consent": event.version, "Sha256": event.sha256, "Scope_given": scopes}


def _scenario(event: e.ScenarioFact) -> _Worded:
    match event:
        case e.ScenarioStarted():
            return "Scenario_started", {}
        case e.SolutionDeclared():
            return "Solution_declared", {"Solution": event.solution}
        case e.ScenarioGivenUp():
            return "Scenario_given_up", {}
        case e.ScenarioEnded():
            return "Scenario_ended", {"Outcome": event.outcome.value, "Reason": event.reason}
        case e.ScenarioInvalidated():
            return "Scenario_invalidated", {"Reason": event.reason}
        case _:
            assert_never(event)


def _utterance(event: e.UtteranceFact) -> _Worded:
    match event:
        case e.TalkPressed():
            return "Talk_pressed", {}
        case e.RecordingSwitched():
            return "Recording_switched", {"On": "yes" if event.on else "no"}
        case e.EndPointed():
            return "End_pointed", {
                "Speech_end": None if event.speech_end is None else count_text(event.speech_end),
                "Decided_at": count_text(event.decided_at),
                "Rate": count_text(event.rate),
                "Detector": event.detector or None,
            }
        case e.TalkReleased():
            return "Talk_released", {"Reason": event.why}
        case e.RecordingStarted():
            channels = tuple(f"{channel.letter} {channel.rate} {channel.microphone}" for channel in event.channels)
            offsets = tuple(f"{channel.letter} {channel.offset}" for channel in event.channels if channel.offset)
            return "Recording_begin", {"Channel": channels, "Offset": offsets, "Pre_roll": count_text(event.pre_roll)}
        case e.AudioTroubled():
            return "Audio_troubled", {
                "Trouble": event.trouble.value,
                "Channel": event.letter,
                "At_sample": count_text(event.at_sample),
                "Trouble_samples": count_text(event.samples),
                "Detail": event.detail,
            }
        case e.RecordingStopped():
            recovered = "" if event.recovered else None
            return "Recording_end", {
                "Samples": _sealed(event.sealed),
                "Drift": tuple(
                    f"{seal.letter} {seal.drift_ppm:.2f}" for seal in event.sealed if seal.drift_ppm is not None
                ),
                "Tail": count_text(event.tail),
                "Recovered": recovered,
            }
        case e.TakeConfirmed():
            return "Take_confirmed", {"Samples": _sealed(event.sealed)}
        case e.UtteranceTyped():
            return "Utterance_typed", {"Utterance": event.text}
        case e.TakeDiscarded():
            return "Take_discarded", {}
        case e.UtteranceAccepted():
            return "Utterance_accepted", {}
        case e.ContextSwitched():
            return "Context_switched", {"To": event.target}
        case e.TranscriptionShown():
            return "Transcription_shown", {}
        case _:
            assert_never(event)


def _wizard(event: e.WizardFact) -> _Worded:
    match event:
        case e.Transcribed():
            return "Transcription_sent", {"Utterance": event.text}
        case e.ScopeMarked():
            return "Scope_marked", {"Scope": event.scope.value}
        case e.QuerySubmitted():
            return "Sentence_sent", {
                "Attempt": event.attempt,
                "Language": event.language.value,
                "Origin": event.origin,
                "Alone": None if event.in_context else "",
                "Reading": count_text(event.choice + 1) if event.choice else None,
                "Sentence": event.text,
            }
        case e.QueryReturned():
            return "Query_returned", {
                "Attempt": event.attempt,
                "Query": event.sql,
                "Paraphrase": event.paraphrase,
                **understanding_worded(event),
                "Confidence": f"{event.confidence:.2f}" if event.confidence else None,
                "Unused": event.unused,
                "Unasked": event.unasked,
                "Doubt": event.doubt or None,
                "Database_version": event.database_version,
                "Took": count_text(event.took),
                "Row_count": count_text(len(event.table.rows)),
                "More_rows": "" if event.table.more else None,
                "Table": table_text(event.table),
            }
        case e.QueryFailed():
            return "Query_failed", {
                "Attempt": event.attempt,
                "Failure": event.kind.value,
                "Message": event.message,
                **understanding_worded(event),
                "Query": event.sql or None,
                "Took": count_text(event.took),
            }
        case e.ProposalJudged():
            return "Proposal_judged", {"Attempt": event.attempt, "Verdict": event.verdict.value}
        case e.AnswerPreviewed():
            return "Answer_previewed", {"Attempt": event.attempt, "Sha256": event.sha256}
        case e.ReplyLimitReached():
            return "Reply_limit_reached", {}
        case _:
            assert_never(event)


def _link(event: e.LinkFact) -> _Worded | None:
    match event:
        case e.DeskAttached():
            desk = {"Role": event.role, "Desk": event.desk, "Clock": event.clock, "Version": event.version}
            return "Desk_attached", desk
        case e.DeskDetached():
            return "Desk_detached", {"Role": event.role, "Desk": event.desk, "Reason": event.why}
        case e.DeskRefused():
            return "Desk_refused", {"Role": event.role, "Reason": event.reason.value}
        case e.CommandRefused():
            refused = {"Role": event.role, "Command": event.command, "Reason": event.reason}
            return "Command_refused", refused
        case e.ClockCompared():
            return None
        case _:
            assert_never(event)


def _sealed(sealed: tuple[Sealed, ...]) -> tuple[str, ...]:
    return tuple(f"{channel.letter} {channel.samples} {channel.sha256}" for channel in sealed)
