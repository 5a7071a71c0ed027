"""Balance of a corpus with a design: subjects and scenarios by condition and set."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

_SET = re.compile(r"(?:^|; )set ([^;]+)")


Cell = tuple[str, str]
"""A condition and a set of scenarios; empty where there is none."""


class BalanceRow(msgspec.Struct, frozen=True):
    """One condition with one set of scenarios: how many speakers and scenarios, and how many speakers are planned and still
    short; empty names where there are none."""

    condition: str
    set: str
    speakers: int
    scenarios: int
    planned: int | None = None
    short: int | None = None


def balance_rows(
    assigned: Iterable[tuple[str, str, str]], planned: Mapping[Cell, int] = MappingProxyType({})
) -> list[BalanceRow]:
    """Count by condition and set; `assigned` are speaker, condition and `[Assignment:]` of each scenario that a design assigned,
    `planned` the speakers that it is to have, also where nobody has come yet.

    >>> balance_rows([("001", "slow", "slot 1; set A; order x y")], {("slow", "A"): 4})
    [BalanceRow(condition='slow', set='A', speakers=1, scenarios=1, planned=4, short=3)]
    """
    groups: dict[Cell, list[str]] = {cell: [] for cell in planned}
    for speaker, condition, assignment in assigned:
        if assignment:
            found = _SET.search(assignment)
            groups.setdefault((condition, found[1] if found else ""), []).append(speaker)
    return [_row(cell, own, planned.get(cell)) for cell, own in sorted(groups.items())]


def _row(cell: Cell, own: Sequence[str], planned: int | None) -> BalanceRow:
    speakers = len(set(own))
    return BalanceRow(*cell, speakers, len(own), planned, None if planned is None else max(0, planned - speakers))
