"""The curtain: which facts each role may see, in what form, and what else it receives.

`project` is a pure function of the fact and the profile alone. It looks at no other fact, so that nothing hidden can change, add
or delay what reaches the subject (BBN 1989, section 6.1: nothing that the wizard does may reach the subject except what is sent).
"""

from typing import assert_never

import msgspec

from session import events as e
from session.study.screen_words import participants_part
from session.study.settings import Operators, Profile, Protocol, Speaker
from session.values.answers import Table
from session.values.vocabulary import Echo, Operator, Outcome, Role, SpokenPart, Step

_BEFORE_THE_CURTAIN = (
    e.ScreenSized
    | e.ConsentGiven
    | e.SessionResumed
    | e.ExperimenterCalled
    | e.CallAnswered
    | e.InstructionsRead
    | e.MicrophoneOpened
    | e.MicrophoneChecked
    | e.StepBegun
    | e.QuestionnaireAnswered
    | e.DebriefingRead
    | e.ConsentConfirmed
    | e.WithdrawalRequested
    | e.SolutionDeclared
    | e.ScenarioGivenUp
    | e.TalkPressed
    | e.EndPointed
    | e.TalkReleased
    | e.RecordingStarted
    | e.AudioTroubled
    | e.RecordingStopped
    | e.TakeConfirmed
    | e.UtteranceTyped
    | e.TakeDiscarded
    | e.UtteranceAccepted
    | e.ContextSwitched
    | e.TranscriptionShown
    | e.ReplyShown
    | e.ReplyViewed
    | e.PlaybackStarted
    | e.PlaybackStopped
)
_BEHIND_THE_CURTAIN = (
    e.WizardIdentified
    | e.SpeakerWithdrawn
    | e.SpeakerCorrected
    | e.NoteWritten
    | e.DeviationNoted
    | e.DeviationTakenBack
    | e.ScenarioInvalidated
    | e.ScopeMarked
    | e.QuerySubmitted
    | e.QueryReturned
    | e.QueryFailed
    | e.ProposalJudged
    | e.AnswerPreviewed
    | e.ReplyLimitReached
    | e.ReplyPlanned
    | e.ReplyStopped
    | e.ReplyMarkedWrong
    | e.StageAssigned
    | e.OperatorTroubled
    | e.HypothesisReceived
    | e.ReplyProposed
    | e.OutputJudged
    | e.ModelConsulted
    | e.DeskAttached
    | e.DeskDetached
    | e.DeskRefused
    | e.ClockCompared
    | e.CommandRefused
    | e.Redacted
)


def for_subject(event: e.Fact, profile: Profile) -> e.Fact | None:
    """Return the fact as the subject's terminal may know it, or None when it may not."""
    if isinstance(event, _BEFORE_THE_CURTAIN):
        return event
    if isinstance(event, _BEHIND_THE_CURTAIN):
        return None
    match event:
        case e.SessionOpened():
            return e.SessionOpened(
                site=event.site,
                speaker=msgspec.structs.replace(event.speaker, sex="", age=None, dialect="", recruitment=""),
                protocol=_public_protocol(event.protocol),
                pace=event.pace,
            )
        case e.SessionPaused():
            return e.SessionPaused(reason="")
        case e.SessionEnded():
            return e.SessionEnded(reason="")
        case e.ScenarioStarted():
            own = event.profile and _public_profile(event.profile)
            kept = {"scenario": "", "kind": "", "common": False, "bindings": {}, "attended": False, "condition": ""}
            return msgspec.structs.replace(event, profile=own, **kept)
        case e.ScenarioEnded():
            shown = Outcome.ENDED if event.outcome is Outcome.INVALIDATED else event.outcome
            return e.ScenarioEnded(outcome=shown)
        case e.RecordingSwitched():
            return msgspec.structs.replace(event, at=e.NOWHERE)
        case e.Transcribed():
            if profile.echo is not Echo.BEFORE_QUERY:
                return None
            return msgspec.structs.replace(event, at=e.NOWHERE)
        case e.AnswerSent():
            return e.AnswerSent(
                reply=event.reply, take=event.take, text=event.text, transcription=_echo(event, profile)
            )
        case e.ReplyVoiced():
            return msgspec.structs.replace(event, engine="", version="", took=0)
        case e.VoiceFailed():
            return e.VoiceFailed(reply=event.reply)
        case e.CannedSent():
            return e.CannedSent(
                reply=event.reply,
                take=event.take,
                text=event.text,
                transcription=_echo(event, profile),
                response=event.response,
            )
        case _:
            assert_never(event)


def _echo(event: e.AnswerSent | e.CannedSent, profile: Profile) -> str:
    return event.transcription if profile.echo is Echo.WITH_ANSWER else ""


_ANNOUNCED_STEPS = (Step.CONSENT, Step.INSTRUCTIONS, Step.MICROPHONE_CHECK, Step.PRACTICE, Step.SCENARIOS)
"""Later steps are announced when they begin: that beliefs will be asked for, or a debriefing held, tells a lot."""

_MACHINES = Operators(
    recognition=Operator.MACHINE,
    understanding=Operator.MACHINE,
    database=Operator.MACHINE,
    response=Operator.MACHINE,
)
"""The operators that every subject's terminal is told of, whoever they are; the settings' own defaults would tell of people."""


def _public_profile(profile: Profile) -> Profile:
    """Return the part of a profile that the subject's terminal needs; a scenario's own is cut in the same way."""
    return Profile(
        name="",
        operators=_MACHINES,
        deception=False,
        recording=profile.recording,
        pre_roll_ms=profile.pre_roll_ms,
        tail_ms=profile.tail_ms,
        longest_take_s=profile.longest_take_s,
        microphones=profile.microphones,
        lost_microphone=profile.lost_microphone,
        echo=profile.echo,
        show_answers=profile.show_answers,
        spoken=SpokenPart.ANSWER if profile.speaks else SpokenPart.NOTHING,
        barge_in=profile.barge_in,
        context_return=profile.context_return,
        consent=profile.consent,
        steps=tuple(step for step in Step if step in profile.steps and step in _ANNOUNCED_STEPS),
        scenario_limit_s=profile.scenario_limit_s,
        task="",
        returned_data="",
        collection_method="",
    )


def _public_protocol(protocol: Protocol) -> Protocol:
    """Return the part of a protocol that the subject's terminal needs: nothing that tells who operates what."""
    return Protocol(
        site=protocol.site,
        sha256="",
        files={},
        profile=_public_profile(protocol.profile),
        domain="",
        database_version="",
        today=protocol.today,
        equipment=protocol.equipment,
        scenarios={},
        canned_messages={},
        consent_version=protocol.consent_version,
        consent_text=protocol.consent_text,
        instructions=protocol.instructions,
        language=protocol.language,
        words=participants_part(protocol.words),
    )


_OF_THE_VISIT = (
    e.ConsentGiven
    | e.ConsentConfirmed
    | e.WithdrawalRequested
    | e.SessionPaused
    | e.SessionResumed
    | e.SessionEnded
    | e.ScenarioStarted
    | e.ScenarioEnded
    | e.ScenarioInvalidated
    | e.UtteranceFact
    | e.StageAssigned
    | e.OperatorTroubled
    | e.Redacted
)
_OF_RECOGNITION = e.Transcribed | e.HypothesisReceived | e.OutputJudged
_OF_UNDERSTANDING = e.Transcribed | e.QuerySubmitted | e.QueryFailed | e.ModelConsulted | e.OutputJudged | e.CannedSent
_OF_RESPONSE = (
    e.Transcribed
    | e.HypothesisReceived
    | e.QuerySubmitted
    | e.QueryReturned
    | e.QueryFailed
    | e.ProposalJudged
    | e.ReplyLimitReached
    | e.ReplyFact
    | e.ReplyProposed
    | e.OutputJudged
    | e.InstructionsRead
    | e.MicrophoneChecked
    | e.StepBegun
    | e.DebriefingRead
    | e.SolutionDeclared
    | e.ScenarioGivenUp
    | e.ScreenSized
)


def for_machine(event: e.Fact, role: Role, profile: Profile) -> e.Fact | None:
    """Return the fact as a machine that operates a stage may know it, or None: what the stage needs, and nobody's person.

    An interpreter, which may be a model on another person's machine, sees no rows unless the profile says so.
    """
    if isinstance(event, e.SessionOpened):
        return msgspec.structs.replace(event, speaker=Speaker(id=event.speaker.id), operator="")
    if isinstance(event, _OF_THE_VISIT):
        return event
    match role:
        case Role.RECOGNISER:
            return event if isinstance(event, _OF_RECOGNITION) else None
        case Role.INTERPRETER:
            rows = profile.rows_to_interpreter
            if isinstance(event, e.QueryReturned):
                return event if rows else msgspec.structs.replace(event, table=Table((), ()), reading=())
            if isinstance(event, e.AnswerSent):
                return event if rows else msgspec.structs.replace(event, text="")
            return event if isinstance(event, _OF_UNDERSTANDING) else None
        case Role.RESPONDER:
            return event if isinstance(event, _OF_RESPONSE) else None
        case _:
            return None


def project(recorded: e.Recorded, role: Role, profile: Profile, number: int) -> e.Recorded | None:
    """Return what goes down the link of a desk, numbered by the link itself, or None.

    The subject's copy names no command but the subject's own and no role but `subject` and `hub`.
    """
    match role:
        case Role.WIZARD | Role.TRANSCRIBER | Role.EXPERIMENTER | Role.OBSERVER:
            return recorded if recorded.seq == number else msgspec.structs.replace(recorded, seq=number)
        case Role.RECOGNISER | Role.INTERPRETER | Role.RESPONDER:
            seen = for_machine(recorded.event, role, profile)
            return None if seen is None else msgspec.structs.replace(recorded, seq=number, event=seen)
        case Role.SUBJECT:
            event = for_subject(recorded.event, profile)
        case _:
            assert_never(role)
    if event is None:
        return None
    own = recorded.by == role
    return e.Recorded(
        session=recorded.session,
        seq=number,
        at=recorded.at,
        by=role if own else "hub",
        cause=recorded.cause if own else "",
        event=event,
    )


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """The rights of a desk beside events and commands: none that is not granted."""

    console: bool = False
    """Learns of other desks, of the hub's trouble and of the closing checks."""
    drafts: bool = False
    """Reads the transcription along that another desk is typing."""
    listens: bool = False
    """Receives a copy of what the subject says."""
    records: bool = False
    """Its audio is kept, and it is asked for what the hub lacks."""
    only_one: bool = False
    """A second desk of the role is turned away."""


_SUBJECT = Access(records=True, only_one=True)
_WIZARD = Access(console=True, drafts=True, listens=True, only_one=True)
_TRANSCRIBER = Access(console=True, drafts=True, listens=True)
_HELPER = Access(console=True, listens=True)
_RECOGNISER = Access(listens=True, only_one=True)
_MACHINE = Access(only_one=True)


def hears(role: Role, profile: Profile) -> bool:
    """Return whether a desk of this role receives what the subject says; a wizard may have the string alone."""
    return access(role).listens and (role is not Role.WIZARD or profile.subject_heard)


def access(role: Role) -> Access:
    """Return what a desk of this role receives and sends beside events and commands."""
    match role:
        case Role.SUBJECT:
            return _SUBJECT
        case Role.WIZARD:
            return _WIZARD
        case Role.TRANSCRIBER:
            return _TRANSCRIBER
        case Role.EXPERIMENTER | Role.OBSERVER:
            return _HELPER
        case Role.RECOGNISER:
            return _RECOGNISER
        case Role.INTERPRETER | Role.RESPONDER:
            return _MACHINE
        case _:
            assert_never(role)
