"""Balance of a corpus whose subjects were assigned by a design: who worked on what, by condition and set."""

import re
from collections.abc import Iterable

import msgspec

_SET = re.compile(r"(?:^|; )set ([^;]+)")


class BalanceRow(msgspec.Struct, frozen=True):
    """One condition with one set of scenarios: how many speakers and scenarios; empty names where there are none."""

    condition: str
    set: str
    speakers: int
    scenarios: int


def balance_rows(assigned: Iterable[tuple[str, str, str]]) -> list[BalanceRow]:
    """Count by condition and set; `assigned` are speaker, condition and `[Assignment:]` of each scenario that a design assigned.

    >>> balance_rows([("001", "slow", "slot 1; set A; order x y"), ("001", "slow", "slot 1; set A; order x y")])
    [BalanceRow(condition='slow', set='A', speakers=1, scenarios=2)]
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for speaker, condition, assignment in assigned:
        if assignment:
            found = _SET.search(assignment)
            groups.setdefault((condition, found[1] if found else ""), []).append(speaker)
    return [BalanceRow(*key, len(set(own)), len(own)) for key, own in sorted(groups.items())]
