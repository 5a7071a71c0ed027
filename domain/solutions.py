"""Whether what a subject declares solves a scenario, by the rows of the scenario's solution query.

A scenario for end-to-end evaluation has a defined solution set (MADCOW 1993, section 4). The columns of its query are
the fields that a declared solution must give, all of one row, in any order and among other words. When the first
column is called `part`, the problem has several parts, and a solution gives a row of each.
"""

import re
from collections import defaultdict
from collections.abc import Mapping

from session.answers import Table, Value
from session.study import PLACEHOLDER, Scenario

PART = "part"


def solution_query(scenario: Scenario, bindings: Mapping[str, str]) -> str:
    """The SQL of a scenario's solution set, its placeholders bound as capitals in literals.

    Raises ValueError when the scenario has none, or while a placeholder is unbound.
    """
    if scenario.solution is None:
        raise ValueError(f"scenario {scenario.id}: it has no solution set; add [solution] with sql")
    if missing := scenario.unbound(bindings):
        raise ValueError(f"scenario {scenario.id}: nothing is bound to {', '.join(missing)}")
    values = {name: bindings.get(name) or default for name, default in scenario.placeholders.items()}
    return PLACEHOLDER.sub(lambda found: values[found[1]].strip().upper().replace("'", "''"), scenario.solution.sql)


def solves(declared: str, solutions: Table) -> bool:
    """Whether a declared solution holds all fields of a row, of every part when there are parts.

    >>> found = Table(("town", "room"), (("ULM", 201), ("BERN", 77)))
    >>> solves("It is 201, in Ulm", found), solves("Ulm 77", found), solves("ULM201", found)
    (True, False, True)
    """
    text = f" {' '.join(_words(declared))} "
    parts: dict[Value, list[tuple[Value, ...]]] = defaultdict(list)
    for row in solutions.rows:
        if solutions.columns[0] == PART:
            parts[row[0]].append(row[1:])
        else:
            parts[None].append(row)
    return bool(parts) and all(any(_holds(text, row) for row in rows) for rows in parts.values())


def _holds(text: str, row: tuple[Value, ...]) -> bool:
    return all(f" {' '.join(_words(str(value)))} " in text for value in row if value is not None)


def _words(text: str) -> list[str]:
    """Words and numbers apart, without case, signs and leading zeros: "UA0201" is "ua" and "201", "$1,020" is "1020"."""
    joined = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.casefold())
    return [word.lstrip("0") or "0" for word in re.findall(r"\d+|[^\W\d_]+", joined)]
