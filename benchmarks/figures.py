"""Printed figures of a benchmark: one per line, with name, value, unit and the design's budget."""

from collections.abc import Sequence


def figure(name: str, value: float, unit: str, budget: str = "", digits: int = 1) -> str:
    """`name 12.3 ms   (budget under 100)`."""
    return f"{name} {value:.{digits}f} {unit}" + (f"   (budget {budget})" if budget else "")


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all reach or undercut; not a number where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
