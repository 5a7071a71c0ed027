"""Verdict on a solution that was declared: right or wrong against the rows of the scenario's own SQL, at once."""

from study.rightness import Rightness, judge
from wizard.core.console import Console

WORDS = {
    Rightness.RIGHT: "√ RIGHT",
    Rightness.WRONG: "× WRONG",
    Rightness.WRONG_FORM: "× INCOMPLETE: right as far as it goes",
}


def verdict(console: Console, place: int) -> str:
    """Say whether the solution of the session's scenario number `place` is right; nothing where nobody can tell."""
    run = console.state.runs[place]
    if not run.solution or place not in console.hub_info.solutions:
        return ""
    return WORDS.get(judge(run.solution, console.hub_info.solutions[place]), "")
