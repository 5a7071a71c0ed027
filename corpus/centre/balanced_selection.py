"""Choice of a test from the pool: whole subject-scenarios, evenly over sites, outliers left out, balanced as far as the pool
allows.

MADCOW took about 1,000 utterances, 200 a site, by session, left out extreme outliers and wanted balance in speakers, sex and
scenarios (1993, section 2.2); "extreme" is not defined there. Here it is a robust z of more than the centre's limit, by the
number
of unevaluable utterances, of utterances and of repeated ones (Iglewicz and Hoaglin 1993). Sites give the same amount: where one
has less than its share, all give less, and the report says so.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median

import msgspec

from corpus.centre.centre_settings import Outliers


class PooledScenario(msgspec.Struct, frozen=True, order=True):
    """One subject-scenario of the pool: `unevaluable` are its utterances of class X, `repeats` those that say again word for word
    what was said before in it; `second` counts utterances with a second microphone, `unclassified` those that nobody has given
    a class."""

    name: str
    session: str
    site: str
    speaker: str
    sex: str
    scenario: str
    utterances: int
    unevaluable: int = 0
    repeats: int = 0
    second: int = 0
    unclassified: int = 0


class BalancedSelection(msgspec.Struct, frozen=True):
    """Units of a test, those that were left out with the reason, the target a site, and what else there was."""

    units: tuple[PooledScenario, ...]
    left_out: tuple[tuple[PooledScenario, str], ...]
    share: int
    wanted: int
    pool: tuple[PooledScenario, ...]


_FEATURES: tuple[tuple[str, str, Callable[[PooledScenario], int]], ...] = (
    ("unevaluable", "utterances of class X", lambda unit: unit.unevaluable),
    ("length", "utterances", lambda unit: unit.utterances),
    ("repeats", "repeated utterances", lambda unit: unit.repeats),
)


def outliers(units: Sequence[PooledScenario], rules: Outliers) -> list[tuple[PooledScenario, str]]:
    """Return the units that lie too far from the others, each with the rule that it breaks."""
    found = dict[PooledScenario, str]()
    for key, what, of in _FEATURES:
        values = [of(unit) for unit in units]
        if not getattr(rules, key) or not values:
            continue
        middle = median(values)
        spread = 1.4826 * median(abs(value - middle) for value in values)
        spread = spread or 1.2533 * fmean(abs(value - middle) for value in values)
        for unit in units:
            z = (of(unit) - middle) / spread if spread else 0.0
            if z > rules.z or (key == "length" and z < -rules.z):
                found.setdefault(unit, f"{of(unit)} {what}, median {middle:g}: z {z:.1f}, limit {rules.z:g}")
    return sorted(found.items())


def choose(pool: Iterable[PooledScenario], size: int, rules: Outliers, seed: str) -> BalancedSelection:
    """Choose about `size` utterances; the same pool and seed give the same test."""
    every = tuple(sorted(unit for unit in pool if unit.utterances))
    apart = outliers(every, rules)
    left = [unit for unit in every if unit not in {out for out, _ in apart}]
    sites = sorted({unit.site for unit in left})
    share = size // len(sites) if sites else 0
    for site in sites:
        share = min(share, sum(unit.utterances for unit in left if unit.site == site))
    chosen = list[PooledScenario]()
    used = Counter[str]()
    for site in sites:
        chosen += _of_site([unit for unit in left if unit.site == site], share, used, f"{seed}/{site}")
    return BalancedSelection(tuple(sorted(chosen)), tuple(apart), share, size, every)


def _of_site(units: list[PooledScenario], share: int, used: Counter[str], seed: str) -> list[PooledScenario]:
    """Take what is rarest so far, until one more would lead further from the share than it is."""
    chosen, total, left = list[PooledScenario](), 0, list(units)

    def rarity(unit: PooledScenario) -> tuple[int, int, int, str]:
        lot = hashlib.sha256(f"{seed}/{unit.name}".encode()).hexdigest()
        return used[f"speaker {unit.speaker}"], used[f"sex {unit.sex}"], used[f"scenario {unit.scenario}"], lot

    while left and total < share:
        unit = min(left, key=rarity)
        left.remove(unit)
        if total + unit.utterances - share > share - total:
            continue
        chosen.append(unit)
        total += unit.utterances
        used.update((f"speaker {unit.speaker}", f"sex {unit.sex}", f"scenario {unit.scenario}"))
    return chosen


def report(found: BalancedSelection) -> str:
    """A page on what was wanted and what came of it, what was left out and why."""
    sites = Counter[str]()
    for unit in found.units:
        sites[unit.site] += unit.utterances
    lines = [
        f"wanted {found.wanted} utterances, {found.wanted // max(1, len(sites))} a site; got {sum(sites.values())}"
    ]
    if sites and found.share < found.wanted // len(sites):
        lines.append(f"the pool of one site has no more than {found.share}: every site gives as much")
    lines += [f"  {site}: {number}" for site, number in sorted(sites.items())]
    for what, key in (("speakers", "speaker"), ("sex", "sex"), ("scenarios", "scenario")):
        lines += _balance(what, key, found)
    second, there = (sum(unit.second for unit in units) for units in (found.units, found.pool))
    every = sum(unit.utterances for unit in found.pool)
    lines.append(f"second microphone: wanted {_percent(there, every)} as in the pool")
    lines.append(f"  {_percent(second, sum(sites.values()))}, {second} of {sum(sites.values())} utterances")
    left, unevaluable = (sum(getattr(unit, key) for unit in found.units) for key in ("unclassified", "unevaluable"))
    lines.append(
        f"classified so far: {sum(sites.values()) - left} of {sum(sites.values())} utterances, {unevaluable} as X"
    )
    lines += (
        [f"  {left} are not, and will not be scored unless a ruling gives them class and reference"] if left else []
    )
    lines.append(f"left out as outliers: {len(found.left_out)}")
    lines += [f"  {unit.name}: {why}" for unit, why in found.left_out]
    return "\n".join((*lines, ""))


def _percent(number: int, of: int) -> str:
    return f"{100 * number / (of or 1):.1f} %"


def _balance(what: str, key: str, found: BalancedSelection) -> list[str]:
    """The share of each value in the test beside an even one."""
    counts, there = Counter[str](), {str(getattr(unit, key)) or "not stated" for unit in found.pool}
    for unit in found.units:
        counts[str(getattr(unit, key)) or "not stated"] += unit.utterances
    total, even = sum(counts.values()) or 1, 100 / max(1, len(there))
    if key == "speaker":
        least, most = min(counts.values(), default=0), max(counts.values(), default=0)
        return [f"{what}: {len(counts)} of {len(there)}, {least} to {most} utterances each"]
    lines = [f"{what}: wanted {even:.1f} % each"]
    return lines + [f"  {value}: {100 * counts[value] / total:.1f} %" for value in sorted(there)]


def shares(found: BalancedSelection) -> Mapping[str, int]:
    """Return the utterances of each site."""
    sums = Counter[str]()
    for unit in found.units:
        sums[unit.site] += unit.utterances
    return sums
