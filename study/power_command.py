"""`curtain design --simulate`: how many subjects an effect takes, with the study's own design and the spread of a pilot."""

import math
from contextlib import closing
from pathlib import Path
from typing import TextIO

import msgspec

from session.collection.open_session import session_names
from session.store.event_store import UNREADABLE, Store
from session.study.design import Over
from session.study.folder import Study, load
from session.study.toml_reader import StudyError, nearest
from study.design_command import table
from study.power import ALPHA, MOST, ROUNDS, PowerError, Spread, scenarios_apart, simulate, spread_of
from study.solutions_command import attempts


class PowerOptions(msgspec.Struct, frozen=True):
    """Request: `ratio` of times, the factor's name (empty: the only one), the power, and the spread if no pilot tells it."""

    ratio: float
    factor: str = ""
    power: float = 0.8
    spread: tuple[float, float] | None = None


def power_command(folder: str, options: PowerOptions, out: TextIO, err: TextIO) -> int:
    """Write how many subjects the effect takes; 1 where no number up to `MOST` does, 2 where nothing can be simulated."""
    try:
        study = load(Path(folder))
        name = _factor(study, options)
        spread = _given(options.spread) if options.spread else _of_pilot(study)
        design = study.settings.planned
        assert design is not None, "factors make a design"
        factors = study.settings.factor
        found = simulate(design, factors, name, options.ratio, spread, study.settings.seed, options.power)
    except (StudyError, PowerError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    first, *_, last = factors[name].levels
    how = "between" if factors[name].over is Over.SUBJECTS else "within"
    source = f"{spread.times} scenarios of {spread.subjects} subjects" if spread.subjects else "as given"
    visits = ", within each visit" if factors[name].over is Over.SCENARIOS else ""
    out.write(
        f"{name}, {how} subjects{visits}: {last} takes {options.ratio:g} times as long as {first}; two-sided test at {ALPHA:g}\n"
        f"standard deviation of log times: subjects {spread.subject:.3f}, residual {spread.residual:.3f} ({source})\n\n"
    )
    out.write(table(("subjects", "power"), [(one.subjects, f"{one.power:.3f}") for one in found]))
    if scenarios_apart(design, factors, name, study.settings.seed):
        err.write(
            f"No scenario is worked on under both {first} and {last}: how hard each one's scenarios are is part of the effect.\n"
        )
    reached = bool(found) and found[-1].power >= options.power
    answer = f"{found[-1].subjects} subjects" if reached else f"more than {MOST} subjects"
    margin = 1.96 * math.sqrt(options.power * (1 - options.power) / ROUNDS)
    out.write(f"\nneeded for a power of {options.power:g}: {answer} (by {ROUNDS} simulated studies, ±{margin:.3f})\n")
    planned = design.subjects
    if reached and planned and planned < found[-1].subjects:
        out.write(f"the design has {planned}\n")
    return 0 if reached else 1


def _factor(study: Study, options: PowerOptions) -> str:
    factors = study.settings.factor
    place = study.folder / "study.toml"
    if not 0 < options.power < 1:
        raise PowerError(f"--power must be between 0 and 1, not {options.power:g}")
    if options.ratio <= 0 or options.ratio == 1:
        raise PowerError(f"--simulate is a ratio of times other than 1, such as 1.3, not {options.ratio:g}")
    if not factors:
        raise PowerError(f"{place} has no [factor.NAME]: there is nothing to compare")
    if not options.factor and len(factors) > 1:
        raise PowerError(f"{place} has the factors {', '.join(factors)}: name one with --factor")
    name = options.factor or next(iter(factors))
    if name not in factors:
        raise PowerError(f"{place} has no factor {name}; {nearest(name, factors)}")
    if len(factors[name].levels) < 2:
        raise PowerError(f"{place}: factor {name} has one level: there is nothing to compare")
    return name


def _given(spread: tuple[float, float]) -> Spread:
    subject, residual = spread
    if not (0 <= subject < 10 and 0 < residual < 10):
        raise PowerError(
            "--spread takes two standard deviations of natural logarithms: 0 or more, and more than 0; at most 10"
        )
    return Spread(subject, residual)


def _of_pilot(study: Study) -> Spread:
    """The spread of the study's pilots, or where there are none of what it has collected so far."""
    with closing(Store(study.store_url)) as store:
        names = session_names(store)
        pilots = [one for name in names for one in attempts(store.read(name), lambda *_: None, pilots=True)]
        return spread_of(pilots or [one for name in names for one in attempts(store.read(name), lambda *_: None)])
