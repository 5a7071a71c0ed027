"""Progress of a session, for anyone who looks on: steps, scenarios, time left, the common scenario's share."""

from collections.abc import Callable, Mapping

from session.rules.visit_steps import opening_step, practised
from session.state.fold import ScenarioRun, SessionState, active, elapsed, paused_until
from session.study.screen_words import ConsoleWords, console_words_of
from session.values.answers import Table
from session.values.clock import SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.vocabulary import Outcome, Step
from study.rightness import Rightness, judge

COMMON = 0.1
VERDICTS = {
    Rightness.RIGHT: "√ RIGHT",
    Rightness.WRONG: "× WRONG",
    Rightness.WRONG_FORM: "× INCOMPLETE: right as far as it goes",
}


def verdict(state: SessionState, solutions: Mapping[int, Table | None], place: int) -> str:
    """Return whether the solution that was declared in the session's scenario number `place` is right, by the rows of the
    scenario's own SQL; empty if nobody can tell."""
    run = state.runs[place]
    return VERDICTS.get(judge(run.solution, solutions[place]), "") if run.solution and place in solutions else ""


def progress(state: SessionState, now: Stamp, judged: Callable[[int], str] = lambda place: "") -> list[str]:
    """The lines of the view; `now` is a moment of the hub's clock, `judged` says whether a scenario's solution is right."""
    if state.opened is None:
        return [_say(state, "no_session")]
    profile = state.opened.protocol.profile
    lines = [_say(state, "now", what=_now(state)), _say(state, "steps", steps=_steps(state)), *_agreed(state)]
    stopped = state.paused is not None
    lines.append(_time(state, "session", active(state, now), profile.session_limit_s, stopped=stopped))
    if state.run is not None and state.run.number is not None:
        lines.append(_time(state, "scenario", _used(state, state.run, now), profile.scenario_limit_s, stopped=False))
    if Step.PRACTICE in profile.steps and profile.practice_criterion:
        lines.append(_say(state, "practice", count=practised(state), wanted=profile.practice_criterion))
    return [*lines, _share(state), "", *_runs(state, judged)]


def startable(state: SessionState) -> bool:
    """Return whether the visit is where scenarios are worked on, none going on: what a key to start one is good for."""
    idle = state.opened is not None and not state.ended and state.run is None and state.step is None
    return idle and state.withdrawn is None and opening_step(state) is None


def invalidable(state: SessionState) -> list[int]:
    """Places of the scenarios that are over and count, the newest first."""
    counts = (None, Outcome.INVALIDATED)
    return [place for place, run in enumerate(state.runs) if run.outcome not in counts][::-1]


def _words(state: SessionState) -> ConsoleWords:
    return console_words_of(state.opened.protocol if state.opened is not None else None)


def _say(state: SessionState, key: str, **parts: object) -> str:
    return _words(state)[f"console_progress.{key}"].format(**parts)


def _now(state: SessionState) -> str:
    if state.ended:
        return _say(state, "over")
    if state.withdrawn is not None:
        return _say(state, "erase" if state.withdrawn.erase else "withdrawn")
    if state.step is not None:
        return _say(state, "step", step=_named(state, state.step.step))
    if (step := opening_step(state)) is not None:
        return _say(state, "step", step=_named(state, step))
    if state.called:
        return _say(state, "call")
    return _say(state, "work", title=state.run.title) if state.run is not None else _say(state, "between")


def _agreed(state: SessionState) -> list[str]:
    """The scopes of the consent, those that were refused too."""
    if state.consent is None:
        return []
    scopes = (f"{'√' if state.allows(scope) else '×'} {_words(state).name(scope)}" for scope in ConsentScope)
    return [_say(state, "consent", scopes=", ".join(scopes))]


def _named(state: SessionState, step: Step) -> str:
    return _words(state).name(step)


def _steps(state: SessionState) -> str:
    """Return all stations of the visit, done ones ticked."""
    if state.opened is None:
        return ""
    return ", ".join(
        f"{'√ ' if _is_done(state, step) else ''}{_named(state, step)}" for step in state.opened.protocol.profile.steps
    )


def _is_done(state: SessionState, step: Step) -> bool:
    over = state.step is not None or state.ended
    match step:
        case Step.CONSENT:
            return state.consent is not None
        case Step.INSTRUCTIONS:
            return state.instructed
        case Step.MICROPHONE_CHECK:
            return state.checked is not None
        case Step.PRACTICE:
            return any(run.number is None and run.outcome is not None for run in state.runs)
        case Step.SCENARIOS:
            return over
        case _:
            return step in state.done


def _time(state: SessionState, what: str, used: int, limit_s: float, *, stopped: bool) -> str:
    still, name = _say(state, "stopped") if stopped else "", _say(state, what)
    if not limit_s:
        return _say(state, "unlimited", what=name, time=_clock(used)) + still
    limit = round(limit_s * SECOND)
    return _say(state, "limited", what=name, time=_clock(used), most=_clock(limit), left=_clock(limit - used)) + still


def _clock(nanoseconds: int) -> str:
    seconds = max(0, nanoseconds) // SECOND
    return f"{seconds // 60}:{seconds % 60:02d}"


def _used(state: SessionState, run: ScenarioRun, now: Stamp) -> int:
    return elapsed(run.started, now) - (paused_until(state, now) - run.paused_before)


def _share(state: SessionState) -> str:
    """The site's share of the common scenario, this session's scenarios included."""
    if state.opened is None:
        return ""
    own = [run.common for run in state.runs if run.counts]
    total, common = state.opened.scenarios_before + len(own), state.opened.common_before + sum(own)
    if not total:
        return _say(state, "no_share")
    share = common / total
    parts = {"count": common, "total": total, "share": f"{100 * share:.0f}", "target": f"{100 * COMMON:.0f}"}
    return _say(state, "share_met" if share >= COMMON else "share_missed", **parts)


def _runs(state: SessionState, judged: Callable[[int], str]) -> list[str]:
    most = state.opened.protocol.profile.max_scenarios if state.opened else 0
    counted = state.counted
    head = _say(state, "scenarios_of" if most else "scenarios", count=counted, most=most)
    return [
        head,
        *(f"  {' '.join(filter(None, (run_line(state, place), judged(place))))}" for place in range(len(state.runs))),
    ]


def run_line(state: SessionState, place: int) -> str:
    """One scenario of the session: which, how it ended, how much was said and answered in it."""
    run = state.runs[place]
    takes = [take for take in state.takes_of(place) if not take.discarded]
    outcome = _words(state).name(run.outcome) if run.outcome else _say(state, "under_way")
    name = f"{run.number}" if run.number is not None else _words(state)["console_status.practice"]
    why = f" ({_words(state).told(run.reason)})" if run.reason else ""
    common = _say(state, "common") if run.common else ""
    planned = state.opened.protocol.scenarios.get(run.scenario) if state.opened else None
    about = _say(state, "about", queries=planned.expected_queries) if planned else ""
    counts = _say(state, "answered", takes=len(takes), count=f"{sum(map(state.answered, takes))}{about}")
    title = f"{run.title} · {run.condition}" if run.condition else run.title
    return f"{name:<9}{title}{common}: {outcome}{why}, {counts}"
