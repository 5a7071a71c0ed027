"""The stations of a visit: which one the subject is at, and what comes after it.

Before the scenarios the subject's own reports carry her from one to the next. After them the hub opens each station with what
belongs to it, so that no question and no text that could tell of the wizard is on the subject's terminal before its time:
satisfaction and belief first, the debriefing after them, and only then comments and consent (MADCOW 1992, section 2).
"""

import re
from typing import assert_never

from session import events as e
from session.rules.refusal import RequestRefused, refused
from session.state.fold import SessionState, advanced
from session.study.settings import Profile, Protocol
from session.values.consent import ConsentScope
from session.values.vocabulary import Operator, RecordingControl, ScenarioKind, Step

WIZARD = "{wizard}"
Completion = e.QuestionnaireAnswered | e.DebriefingRead | e.ConsentConfirmed


def opening_step(state: SessionState) -> Step | None:
    """The station before the scenarios that the subject is still at; None when scenarios may start."""
    if state.opened is None or state.runs or state.step is not None or state.ended or state.withdrawn is not None:
        return None
    profile, protocol = state.opened.protocol.profile, state.opened.protocol
    if profile.consent and state.consent is None:
        return Step.CONSENT
    if not state.allows(ConsentScope.RECORD):
        return None
    if Step.INSTRUCTIONS in profile.steps and protocol.instructions and not state.instructed:
        return Step.INSTRUCTIONS
    typed = profile.recording is RecordingControl.TYPED
    if Step.MICROPHONE_CHECK in profile.steps and not typed and state.checked is None:
        return Step.MICROPHONE_CHECK
    return None


def current_step(state: SessionState) -> Step | None:
    """The station with a screen of its own that the subject is at, before or after the scenarios."""
    if state.ended:
        return None
    return state.step.step if state.step is not None else opening_step(state)


def practised(state: SessionState) -> int:
    """Utterances of practice that were answered (MADCOW 1993, section 5.1: train all subjects to one criterion)."""
    practice = [
        place for place, run in enumerate(state.runs) if run.kind == ScenarioKind.PRACTICE or run.number is None
    ]
    return sum(state.answered(take) for place in practice for take in state.takes_of(place) if not take.discarded)


def lacking_practice(state: SessionState) -> RequestRefused | None:
    """Return why the subject has to practise before a scored scenario; None when she need not, or has.

    A study whose steps have `practice`, and that has a scenario for it, holds at least one in each visit.
    """
    if state.opened is None or Step.PRACTICE not in state.opened.protocol.profile.steps:
        return None
    wanted = state.opened.protocol.profile.practice_criterion
    bank = state.opened.protocol.scenarios.values()
    held = any(run.number is None and run.outcome is not None for run in state.runs)
    if not held and any(scenario.kind is ScenarioKind.PRACTICE for scenario in bank):
        return refused("practice_first")
    done = practised(state)
    return refused("more_practice", count=done, wanted=wanted) if done < wanted else None


def next_step(state: SessionState) -> e.StepBegun | None:
    """The next station after the scenarios; anyone who has withdrawn, or agreed to no recording, is asked nothing, only told."""
    if state.opened is None:
        return None
    protocol = state.opened.protocol
    only_told = state.withdrawn is not None or (state.consent is not None and not state.allows(ConsentScope.RECORD))
    for step in protocol.profile.steps:
        if step in state.done or (only_told and step is not Step.DEBRIEFING):
            continue
        match step:
            case Step.CONSENT | Step.INSTRUCTIONS | Step.MICROPHONE_CHECK | Step.PRACTICE | Step.SCENARIOS:
                continue
            case Step.SATISFACTION | Step.BELIEF | Step.COMMENTS:
                if (form := protocol.questionnaires.get(step)) is not None:
                    return e.StepBegun(step=step, form=form)
            case Step.DEBRIEFING:
                if text := debriefing(protocol, state.people_acted):
                    return e.StepBegun(step=step, text=text)
            case Step.CONFIRM_CONSENT:
                if state.consent is not None:
                    return e.StepBegun(step=step, text=protocol.consent_text)
            case _:
                assert_never(step)
    return None


def onward(state: SessionState) -> list[e.Fact]:
    """The next station, or the end of the visit."""
    following = next_step(state)
    return [following] if following is not None else [e.SessionEnded(reason="done")]


def completed(state: SessionState, event: Completion) -> list[e.Fact]:
    """Lead on from the station that the subject has completed to the next; told twice, it leads on once."""
    after = advanced(state, event)
    if state.ended or state.step is None or state.step.step in state.done or state.step.step not in after.done:
        return [event]
    return [event, *onward(after)]


def debriefing(protocol: Protocol, people_acted: bool) -> str:
    """The text that the subject is told; paragraphs marked {wizard} only where a person worked behind the system.

    That follows from what happened, `people_acted`, and else from a profile that hides people.
    """
    paragraphs = re.split(r"\n\s*\n", protocol.debriefing.strip())
    unveil = people_acted or deceived(protocol.profile)
    shown = [paragraph.replace(WIZARD, "").strip() for paragraph in paragraphs if unveil or WIZARD not in paragraph]
    return "\n\n".join(text for text in shown if text)


def deceived(profile: Profile) -> bool:
    """Return whether the subject was made to believe in a machine where people worked."""
    mix = profile.operators
    people = any(
        operator is not Operator.MACHINE
        for operator in (mix.recognition, mix.understanding, mix.database, mix.response)
    )
    return profile.deception and people
