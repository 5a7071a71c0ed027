"""Scenarios that sites submit, put together: each site's with their solution sets, checked before any is taken.

In the end-to-end evaluation of 1992 each site submitted four scenarios with defined solution sets, assembled in one place
(MADCOW 1993, section 4).
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from domain.database.solution_set import MEANINGFUL, solution_query
from session.study.folder import Study
from session.study.message_files import checked_id
from session.study.settings import Scenario
from session.study.toml_reader import StudyError, read
from session.values.answers import QueryFailure, Table
from session.values.vocabulary import ScenarioKind
from study.model_sentences import in_text


class SubmittedScenario(msgspec.Struct, frozen=True):
    """One submitted scenario: the site (its folder's name), its file, how many solutions its set has, and what is wrong."""

    site: str
    path: Path
    scenario: Scenario
    solutions: int
    faults: tuple[str, ...]


def submitted(study: Study, folders: Iterable[Path], run: Callable[[str], Table]) -> list[SubmittedScenario]:
    """Read the scenarios in the folders of sites and check each; raises StudyError for a file that is not a scenario, a
    folder without one, and an id that is used twice or in the study."""
    found: list[SubmittedScenario] = []
    known = {name: f"domain {one.name} of the study" for one in study.domains.values() for name in one.scenarios}
    for folder in folders:
        paths = sorted(folder.glob("*.toml"))
        if not paths:
            raise StudyError(f"{folder}: there is no scenario in it; name a site's folder of .toml files")
        for path in paths:
            scenario = read(path, Scenario, {"id": path.stem})
            if scenario.id != path.stem or scenario.id in known:
                where = (
                    f", as in {known[scenario.id]}" if scenario.id in known else f", but the file is called {path.name}"
                )
                raise StudyError(f"{path}: `id` is {scenario.id!r}{where}; give it an id of its own, the file's name")
            known[checked_id(path, scenario.id)] = str(folder)
            count, faults = _faults(scenario, run)
            found.append(SubmittedScenario(folder.resolve().name, path, scenario, count, tuple(faults)))
    return found


def _faults(scenario: Scenario, run: Callable[[str], Table]) -> tuple[int, list[str]]:
    """Return how many solutions the scenario has, and what keeps it from being taken."""
    faults = [f"a sentence that subjects could repeat: {sentence!r}" for sentence in in_text(scenario.text)]
    if scenario.kind is ScenarioKind.PRACTICE:
        faults.append("practice is not evaluated")
    if scenario.solution is None:
        return 0, [*faults, "no solution set: give it [solution] with sql"]
    try:
        count = len(run(solution_query(scenario, {})).rows)
    except (ValueError, QueryFailure) as error:
        return 0, [*faults, f"its solution set cannot be computed: {error}"]
    if not count:
        faults.append("its solution set is empty: it cannot be solved")
    elif count > MEANINGFUL:
        faults.append(f"its solution set has {count} rows, at most {MEANINGFUL}: nearly anything would be right")
    return count, faults


def sets_of(found: Sequence[SubmittedScenario]) -> dict[str, list[str]]:
    """Return two sets of one size, over which the scenarios of each site are spread by difficulty: the next one goes to the
    set that is smaller, then easier. One that is left over is in neither."""
    sets: dict[str, list[Scenario]] = {"A": [], "B": []}
    by_site = sorted(found, key=lambda one: (-one.scenario.difficulty, one.site, one.scenario.id))
    for one in by_site[: len(by_site) // 2 * 2]:
        least = min(
            sets,
            key=lambda name: (
                len(sets[name]),
                sum(other.site == one.site and other.scenario in sets[name] for other in found),
                sum(scenario.difficulty for scenario in sets[name]),
            ),
        )
        sets[least].append(one.scenario)
    return {name: sorted(scenario.id for scenario in own) for name, own in sets.items()}


def take_in(study: Study, found: Sequence[SubmittedScenario]) -> None:
    """Copy the scenarios into the study: all of them, or none; raises OSError."""
    made: list[Path] = []
    try:
        for one in found:
            target = study.folder / "scenarios" / one.path.name
            with target.open("xb") as file:
                made.append(target)
                file.write(one.path.read_bytes())
    except OSError:
        for target in made:
            target.unlink(missing_ok=True)
        raise
