"""Guidance through the protocol: what comes next, and what the procedure does not allow now, in one quiet line.

It says what the rules of the hub will say (`session.rules.decide`), before anybody runs against them.
"""

from typing import NamedTuple

from session.rules.assigned_scenarios import left_to_do
from session.rules.operator_deadlines import pending_stage
from session.rules.scenario_start import lacking_consent
from session.rules.visit_steps import current_step, lacking_practice
from session.state.fold import SessionState, Take, active
from session.study.settings import Scenario
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import Echo, Operator, ScenarioKind
from wizard.core.cockpit import speaking
from wizard.core.console import Console
from wizard.core.fitting import fitting
from wizard.core.permissions import may
from wizard.core.session_progress import startable


class Guide(NamedTuple):
    """Guidance in parts: what comes next, what is not allowed now, the key for who does it all the same; each may be empty."""

    following: str
    forbidden: str
    deviates: str


NOTHING = Guide("", "", "")
Said = tuple[str, str]
"""Pair of what comes next and what is not allowed now; either may be empty."""


def guidance(console: Console) -> Guide:
    """Return the parts of the line; nothing at a desk that only looks on, and before the session is known."""
    state = console.state
    if state.opened is None or not may(console.role, "note"):
        return NOTHING
    words = console.words
    what, not_now = _said(console)
    return Guide(
        words["console_guide.next"].format(what=what) if what else "",
        words["console_guide.not_yet"].format(what=not_now) if not_now else "",
        words["console_guide.deviates"] if not_now and may(console.role, "deviation") else "",
    )


def forbidden(console: Console) -> str:
    """Return what the procedure does not allow now; empty if nothing is in sight."""
    return "" if console.state.opened is None else _said(console)[1]


def _say(console: Console, key: str, **parts: object) -> str:
    return console.words[f"console_guide.{key}"].format(**parts)


def _say_to(console: Console, permit: str, key: str) -> str:
    """Return what comes next, said to a desk that may do it; to any other, that another person will."""
    return _say(console, key if may(console.role, permit) else "elsewhere")


def _said(console: Console) -> Said:
    state = console.state
    if state.ended:
        return _say(console, "light"), ""
    if state.withdrawn is not None:
        return _say_to(console, "close", "end"), ""
    if state.paused:
        return _say_to(console, "pause", "paused"), ""
    if state.run is None:
        return _between(console)
    take, typed = console.take, console.typed_input
    if take is None or (state.answered(take) and not speaking(take)):
        return _say(console, "lost" if console.subject_lost_for is not None else "type" if typed else "speak"), _say(
            console, "help"
        )
    if speaking(take):
        return _say(console, "listen"), ""
    if state.planned is not None:
        return _say_to(console, "reply", "stop"), ""
    stage = pending_stage(state, take, console.profile)
    if stage is not None and state.operator(stage) is Operator.MACHINE:
        return _say(console, "machine", stage=console.words.name(stage)), ""
    return _in_turn(console, take) if may(console.role, "reply") else (_beside(console, take), "")


def _between(console: Console) -> Said:
    state, profile = console.state, console.profile
    if state.consent is None and profile.consent:
        return _say(console, "consent"), "" if console.typed_input else _say(console, "no_recording")
    if lacking_consent(state, profile):
        return _say_to(console, "close", "end"), ""
    if (step := current_step(state)) is not None and not startable(state):
        return _say(console, "step", step=console.words.name(step)), ""
    if not may(console.role, "start"):
        return _say(console, "elsewhere"), ""
    if profile.max_scenarios and state.counted >= profile.max_scenarios:
        return _say(console, "done"), _say(console, "no_more", most=profile.max_scenarios)
    if profile.session_limit_s and _time_over(console, state):
        return _say(console, "done"), _say(console, "over")
    if (practice := practice_due(console)) is not None:
        return _say(console, "planned", title=practice.title), _say(console, "another")
    if left := left_to_do(state):
        planned = next((scenario.title for scenario in console.scenarios if scenario.id == left[0]), left[0])
        return _say(console, "planned", title=planned), _say(console, "another")
    return _say(console, "start"), ""


def practice_due(console: Console) -> Scenario | None:
    """The practice scenario that has to be held before the others; None when none has, or it was."""
    if lacking_practice(console.state) is None:
        return None
    held = {run.scenario for run in console.state.runs}
    practice = [scenario for scenario in console.scenarios if scenario.kind is ScenarioKind.PRACTICE]
    return next((scenario for scenario in practice if scenario.id not in held), practice[0] if practice else None)


def _time_over(console: Console, state: SessionState) -> bool:
    began = state.began
    if began is None:
        return False
    now = Stamp(began.clock, console.hub_ns(), began.wall)
    return active(state, now) / SECOND >= console.profile.session_limit_s


def _beside(console: Console, take: Take) -> str:
    """Between the end of an utterance and its reply at a desk that sends none; a transcriber's writes down what was said."""
    if not take.text and console.may_write_down and may(console.role, "transcribe"):
        return _say(console, "transcribe")
    return _say(console, "elsewhere")


def _in_turn(console: Console, take: Take) -> Said:
    """Between the end of an utterance and its reply."""
    unwritten = not take.text and not console.may_write_down
    own_words = "" if console.profile.free_text else _say(console, "own_words")
    own_words = _say(console, "no_writing") if unwritten else own_words
    if unwritten and console.attempt is None:
        return _say(console, "unwritten"), own_words
    before_query = console.profile.echo is Echo.BEFORE_QUERY
    if not take.text and not unwritten:
        return _say(console, "transcribe"), _say(console, "query_first") if before_query else ""
    if before_query and not unwritten and not take.transcription_shown and take.typed is None:
        return _say(console, "shown"), _say(console, "query_first")
    attempt = console.attempt
    if attempt is None:
        return _say(console, "ask"), own_words
    if attempt.running:
        return _say(console, "wait"), ""
    if found := fitting(console):
        message = next(message for message in console.canned_messages if message.id == found[0].message)
        if attempt.table is None or not attempt.table.rows:
            return _say(console, "fits", message=message.text), own_words
    if attempt.table is None:
        return _say(console, "reword"), own_words
    if attempt.partial:
        return _say(console, "reword"), _say(console, "unlooked")
    return _say(console, "send"), own_words if unwritten else ""
