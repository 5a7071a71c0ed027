"""The curtain: which facts each role may see, and in what form.

One pure function of the fact and the profile alone. It looks at no other fact, so that nothing hidden can change, add or
delay what reaches the subject (BBN 1989, section 6.1: nothing that the wizard does may reach the subject except what is sent).
"""

from typing import assert_never

import msgspec

from session import events as e
from session.study.settings import Operators, Profile, Protocol
from session.values.vocabulary import Echo, Operator, Outcome, Role, Step

_BEFORE_THE_CURTAIN = (
    e.ScreenSized
    | e.ConsentGiven
    | e.SessionResumed
    | e.ExperimenterCalled
    | e.CallAnswered
    | e.InstructionsRead
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
)
_BEHIND_THE_CURTAIN = (
    e.WizardIdentified
    | e.SpeakerWithdrawn
    | e.SpeakerCorrected
    | e.NoteWritten
    | e.DeviationNoted
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
    | e.DeskAttached
    | e.DeskDetached
    | e.ClockCompared
    | e.CommandRefused
    | e.Redacted
)


def for_subject(event: e.Fact, profile: Profile) -> e.Fact | None:
    """The fact as the subject's terminal may know it, or None when it may not."""
    if isinstance(event, _BEFORE_THE_CURTAIN):
        return event
    if isinstance(event, _BEHIND_THE_CURTAIN):
        return None
    match event:
        case e.SessionOpened():
            return e.SessionOpened(
                site=event.site,
                speaker=msgspec.structs.replace(event.speaker, sex="", age=None, dialect="", recruitment=""),
                protocol=_public(event.protocol),
                pace=event.pace,
            )
        case e.SessionPaused():
            return e.SessionPaused(reason="")
        case e.SessionEnded():
            return e.SessionEnded(reason="")
        case e.ScenarioStarted():
            return msgspec.structs.replace(event, scenario="", kind="", common=False, bindings={}, attended=False)
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
                reply=event.reply, take=event.take, text=event.text, transcription=_echoed(event, profile)
            )
        case e.CannedSent():
            return e.CannedSent(
                reply=event.reply,
                take=event.take,
                text=event.text,
                transcription=_echoed(event, profile),
                response=event.response,
            )
        case _:
            assert_never(event)


def _echoed(event: e.AnswerSent | e.CannedSent, profile: Profile) -> str:
    return event.transcription if profile.echo is Echo.WITH_ANSWER else ""


_KNOWN_BEFOREHAND = (Step.CONSENT, Step.INSTRUCTIONS, Step.MICROPHONE_CHECK, Step.PRACTICE, Step.SCENARIOS)
"""What follows the scenarios is told when it comes: that beliefs will be asked for, or a debriefing held, tells a lot."""

_ALIKE = Operators(
    recognition=Operator.MACHINE,
    understanding=Operator.MACHINE,
    database=Operator.MACHINE,
    response=Operator.MACHINE,
)
"""What every subject's terminal is told of the operators, whoever they are; the settings' own defaults would tell of people."""


def _public(protocol: Protocol) -> Protocol:
    """What the subject's terminal needs of a protocol: nothing that tells who operates what."""
    profile = protocol.profile
    shown = Profile(
        name="",
        operators=_ALIKE,
        deception=False,
        recording=profile.recording,
        pre_roll_ms=profile.pre_roll_ms,
        tail_ms=profile.tail_ms,
        longest_take_s=profile.longest_take_s,
        microphones=profile.microphones,
        lost_microphone=profile.lost_microphone,
        echo=profile.echo,
        show_answers=profile.show_answers,
        context_return=profile.context_return,
        consent=profile.consent,
        steps=tuple(step for step in Step if step in profile.steps and step in _KNOWN_BEFOREHAND),
        scenario_limit_s=profile.scenario_limit_s,
        task="",
        returned_data="",
        collection_method="",
    )
    return Protocol(
        site=protocol.site,
        sha256="",
        files={},
        profile=shown,
        domain="",
        database_version="",
        today=protocol.today,
        equipment=protocol.equipment,
        scenarios={},
        canned_messages={},
        consent_version=protocol.consent_version,
        consent_text=protocol.consent_text,
        instructions=protocol.instructions,
    )


def project(recorded: e.Recorded, role: Role, profile: Profile, number: int) -> e.Recorded | None:
    """What goes down the link of a desk, numbered by the link itself, or None.

    The subject's copy names no command but the subject's own and no role but `subject` and `hub`.
    """
    if role is not Role.SUBJECT:
        return msgspec.structs.replace(recorded, seq=number)
    event = for_subject(recorded.event, profile)
    if event is None:
        return None
    own = recorded.by == Role.SUBJECT
    return e.Recorded(
        session=recorded.session,
        seq=number,
        at=recorded.at,
        by=Role.SUBJECT if own else "hub",
        cause=recorded.cause if own else "",
        event=event,
    )
