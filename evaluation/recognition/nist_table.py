"""The table in which NIST printed which systems differ: systems by systems, a line for each test.

`~` says that a test finds no difference at 0.05; otherwise the better system is there. Behind it is p, and stars: one below
0.05, two below 0.01, three below 0.001.
"""

from collections.abc import Iterator, Mapping, Sequence

from evaluation.recognition.rival_systems import LEVEL, PairTest, SystemComparison

_STARS = ((0.001, "***"), (0.01, "**"), (LEVEL, "*"))
_NOTES = (
    "All tests are two-tailed; the null hypothesis is that the two systems perform alike.",
    "~ or the better system at p = 0.05; the smallest such p; * below 0.05, ** below 0.01, *** below 0.001.",
)


def stars(p: float) -> str:
    """Return the stars of a p."""
    return next((mark for level, mark in _STARS if p < level), "")


def render(comparisons: Sequence[SystemComparison], names: Mapping[str, str], title: str) -> Iterator[str]:
    """Yield the lines of the table; nothing for fewer than two systems."""
    if not comparisons:
        return
    systems = list(dict.fromkeys([comparisons[0].first, *(each.second for each in comparisons)]))
    found = {(each.first, each.second): {test.name: test for test in each.tests} for each in comparisons}
    tests = [test.name for test in comparisons[0].tests]
    width = max(len(system) for system in systems)
    cell = max(width, 1) + 12
    rule = "-" * (16 + width) + "".join("+" + "-" * (cell + 2) for _ in systems)
    yield ""
    yield title
    yield from (f"  {short}  {names[short]}" for short in tests)
    yield rule
    yield f"  Test   | {'':{width}}     " + "".join(f"| {system:^{cell}} " for system in systems)
    for row in systems:
        yield rule
        for place, test in enumerate(tests):
            cells = [_cell(found.get((row, column), {}).get(test), width) for column in systems]
            yield f"  {test}     | {row if not place else '':{width}}     " + "".join(
                f"| {one:<{cell}} " for one in cells
            )
    yield rule
    yield from _NOTES
    if len(comparisons) > 1:
        yield f"Corrected for {len(comparisons)} comparisons by each test (Holm):"
        for each in comparisons:
            shown = ", ".join(f"{test.name} {_rounded(test.corrected)}{stars(test.corrected)}" for test in each.tests)
            yield f"  {each.first} : {each.second}  {shown}"


def _cell(test: PairTest | None, width: int) -> str:
    return "" if test is None else f"{test.better or '~':<{width}} {_rounded(test.p)} {stars(test.p)}"


def _rounded(p: float) -> str:
    """A p to three places; one that would seem to be none is said to be below the smallest of these."""
    return f"{p:.3f}" if p >= 0.001 else "<0.001"


FEW_SEGMENTS = 50
"""Segments from which the mean of differences is about normal (Gillick and Cox 1989)."""


def remarks(comparisons: Sequence[SystemComparison], of: str = "") -> Iterator[str]:
    """Yield, for reports, which pairs no test tells apart; `of` names what was compared where it is not words."""
    for each in comparisons:
        if not any(test.corrected < LEVEL for test in each.tests):
            yield f"{each.first} and {each.second} do not differ by more than chance in any test{of and f' of {of}'}."
        if any(test.name == "MP" and int(test.detail.split()[0]) < FEW_SEGMENTS for test in each.tests):
            yield f"MAPSSWE takes {each.first} and {each.second} apart by fewer than {FEW_SEGMENTS} segments: its p is too sure."
