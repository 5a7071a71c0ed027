"""The defined solution set of a scenario for end-to-end evaluation (MADCOW 1993, section 4): the rows of its query.

The columns are the fields that a declared solution must give, all of one row, in any order and among other words. When the
first column is called `part`, the problem has several parts, and a solution gives a row of each. Whether one does is for a
judge to say.
"""

from collections.abc import Mapping

from session.study.settings import PLACEHOLDER, Scenario

MEANINGFUL = 60
"""More rows than this, and nearly anything that a subject writes down would be a solution."""


def solution_query(scenario: Scenario, bindings: Mapping[str, str]) -> str:
    """Return the SQL of a scenario's solution set, its placeholders bound as capitals in literals.

    Raises ValueError when the scenario has none, or while a placeholder is unbound.
    """
    if scenario.solution is None:
        raise ValueError(f"scenario {scenario.id}: it has no solution set; add [solution] with sql")
    if missing := scenario.unbound(bindings):
        raise ValueError(f"scenario {scenario.id}: nothing is bound to {', '.join(missing)}")
    values = {name: bindings.get(name) or default for name, default in scenario.placeholders.items()}
    return PLACEHOLDER.sub(lambda found: values[found[1]].strip().upper().replace("'", "''"), scenario.solution.sql)
