"""The start of a scenario: refused with a reason, or a fact."""

from collections.abc import Collection

import msgspec

from session import commands as c
from session import events as e
from session.rules.assigned_scenarios import condition_of, departure, left_to_do
from session.rules.blanks import MOST_WORDS, is_phrase
from session.rules.refusal import RequestRefused, refused
from session.rules.visit_steps import lacking_practice, opening_step
from session.state.fold import SessionState, active
from session.study.screen_words import Sentence
from session.study.settings import Profile
from session.values.clock import SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.names import LAST_SCENARIO
from session.values.sanitize import one_line
from session.values.vocabulary import RecordingControl, ScenarioKind


def lacking_consent(state: SessionState, profile: Profile) -> RequestRefused | None:
    """Return why the participant has agreed to too little for any scenario; None if that is not known, or enough."""
    if state.consent is None:
        return None
    if not state.allows(ConsentScope.RECORD):
        return RequestRefused(Sentence("console_banner.no_recording"))
    if profile.recording is RecordingControl.TYPED and not state.allows(ConsentScope.TRANSCRIBE):
        return refused("not_written_type")
    return None


def _departs(state: SessionState, scenario: str) -> RequestRefused:
    left = left_to_do(state)
    return refused("departs", planned=left[0], scenario=scenario) if left else refused("none_left", scenario=scenario)


def refused_without_certificate(wizard: str, certified: Collection[str]) -> RequestRefused | None:
    """Return why a wizard holds no session that counts, in a study that needs a certificate; None for who has one."""
    if wizard in certified:
        return None
    return refused("not_certified", wizard=wizard) if wizard else refused("nobody_signed_on")


def needs_certificates(state: SessionState, command: c.AnyCommand) -> bool:
    """Return whether a command is decided by who is certified at that moment: drills go on beside a session that is open."""
    marked = state.opened is not None and state.opened.certified is not None
    return marked and isinstance(command, c.IdentifyWizard | c.StartScenario)


def certified_by(state: SessionState, wizards: tuple[str, ...] | None) -> SessionState:
    """Return the state with these wizards certified, in place of those when the session was opened; None: nobody looked."""
    if state.opened is None or wizards is None:
        return state
    return msgspec.structs.replace(state, opened=msgspec.structs.replace(state.opened, certified=wizards))


def start_scenario(
    state: SessionState, command: c.StartScenario, now: Stamp, profile: Profile
) -> list[e.Fact] | RequestRefused:
    """Return the start of a scenario, or why it may not start."""
    if state.opened is None or state.run is not None:
        return refused("scenario_goes_on")
    opened = state.opened
    if opened.must_certify and (why := refused_without_certificate(state.wizard, opened.certified or ())):
        return why
    if state.withdrawn is not None:
        return refused("withdrawn")
    if state.step is not None:
        return refused("scenarios_over")
    if profile.consent and state.consent is None:
        return RequestRefused(Sentence("console_banner.no_consent"))
    if lacking := lacking_consent(state, profile):
        return lacking
    if (step := opening_step(state)) is not None:
        return refused("at_step", step=step.replace("_", " "))
    scenario = state.opened.protocol.scenarios.get(command.scenario)
    if scenario is None:
        return refused("no_scenario", scenario=command.scenario)
    if missing := scenario.unbound(command.bindings):
        return refused("unbound", names=", ".join(missing), scenario=scenario.id)
    if not profile.free_text and (long := [name for name, said in command.bindings.items() if not is_phrase(said)]):
        return refused("placeholder_phrase", placeholder=long[0], most=MOST_WORDS)
    practice = scenario.kind is ScenarioKind.PRACTICE
    if not practice and (why := lacking_practice(state)):
        return why
    if not practice and profile.max_scenarios and state.counted >= profile.max_scenarios:
        return refused("enough_scenarios", most=profile.max_scenarios)
    if profile.session_limit_s and state.began and active(state, now) >= profile.session_limit_s * SECOND:
        return refused("time_over", minutes=f"{profile.session_limit_s / 60:g}")
    numbered = sum(run.number is not None for run in state.runs)
    number = None if practice else state.opened.first_scenario + numbered
    if number is not None and number > LAST_SCENARIO:
        return refused("no_number", speaker=state.opened.speaker.id, most=LAST_SCENARIO)
    aside = "" if practice else departure(state, scenario.id)
    if aside and not command.reason.strip():
        return _departs(state, scenario.id)
    condition = "" if practice else condition_of(state, scenario.id)
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
            condition=condition,
            profile=opened.protocol.scenario_profiles.get(condition),
            certified=opened.certifies(state.wizard),
        ),
    ]
