"""The start of a scenario: refused with a reason, or a fact."""

from session import commands as c
from session import events as e
from session.rules.assigned_scenarios import departure
from session.rules.blanks import MOST_WORDS, is_phrase
from session.rules.replies import NOT_WRITTEN, Refused
from session.rules.visit_steps import lacking_practice, opening_step
from session.state.fold import SessionState, active
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.names import LAST_SCENARIO
from session.values.sanitize import one_line
from session.values.vocabulary import RecordingControl, ScenarioKind


def lacking_consent(state: SessionState, profile: Profile) -> str:
    """Return why the participant has agreed to too little for any scenario; empty where that is not known, or enough."""
    if state.consent is None:
        return ""
    if not state.allows(ConsentScope.RECORD):
        return "The participant does not consent to being recorded; end the session."
    if profile.recording is RecordingControl.TYPED and not state.allows(ConsentScope.TRANSCRIBE):
        return f"{NOT_WRITTEN}, and to type is to write; end the session."
    return ""


def start_scenario(
    state: SessionState, command: c.StartScenario, now: Stamp, profile: Profile
) -> list[e.Fact] | Refused:
    """Return the start of a scenario, or why it may not start."""
    if state.opened is None or state.run is not None:
        return Refused("A scenario is going on; end it first.")
    if state.withdrawn is not None:
        return Refused("The participant has stopped taking part; end the session.")
    if state.step is not None:
        return Refused("The scenarios of this visit are over.")
    if profile.consent and state.consent is None:
        return Refused("The participant has not given consent yet.")
    if lacking := lacking_consent(state, profile):
        return Refused(lacking)
    if (step := opening_step(state)) is not None:
        return Refused(f"The participant is still at this step: {step.replace('_', ' ')}.")
    scenario = state.opened.protocol.scenarios.get(command.scenario)
    if scenario is None:
        return Refused(f"There is no scenario {command.scenario}.")
    if missing := scenario.unbound(command.bindings):
        return Refused(f"Bind {', '.join(missing)} first; then scenario {scenario.id} can start.")
    if not profile.free_text and (long := [name for name, said in command.bindings.items() if not is_phrase(said)]):
        most = f"a name or a phrase of up to {MOST_WORDS} words, no text of your own"
        return Refused(f"The placeholder {long[0]} takes {most}.")
    practice = scenario.kind is ScenarioKind.PRACTICE
    if not practice and (why := lacking_practice(state)):
        return Refused(why)
    if not practice and profile.max_scenarios and state.counted >= profile.max_scenarios:
        return Refused(f"The profile allows {profile.max_scenarios} scenarios, and they are done.")
    if profile.session_limit_s and state.began and active(state, now) >= profile.session_limit_s * SECOND:
        return Refused(f"The session's {profile.session_limit_s / 60:g} minutes are over.")
    numbered = sum(run.number is not None for run in state.runs)
    number = None if practice else state.opened.first_scenario + numbered
    if number is not None and number > LAST_SCENARIO:
        return Refused(
            f"Speaker {state.opened.speaker.id} has had {LAST_SCENARIO} scenarios, as many as names allow; "
            "open a session under a new speaker id."
        )
    aside = "" if practice else departure(state, scenario.id)
    if aside and not command.reason.strip():
        return Refused(f"{aside[0].upper()}{aside[1:]}; give a reason to start {scenario.id} instead.")
    noted = e.DeviationNoted(reason=f"{aside}, not {scenario.id}", text=one_line(command.reason))
    return [
        *([noted] if aside else []),
        e.ScenarioStarted(
            number=number,
            scenario=scenario.id,
            title=scenario.title,
            text=scenario.bound(command.bindings),
            kind=scenario.kind,
            common=scenario.common,
            bindings=command.bindings,
            attended=command.attended,
        ),
    ]
