"""The scenarios of a study or of one of its domains: a folder of `.toml` files, each named after the scenario in it."""

from collections.abc import Sequence
from pathlib import Path

from session.study.message_files import checked_id
from session.study.settings import Scenario
from session.study.toml_reader import StudyError, nearest, read
from session.values.vocabulary import ScenarioKind


def read_scenarios(folder: Path, study: Path, order: Sequence[str]) -> dict[str, Scenario]:
    """Return the scenarios of a folder in the order in which they are to be worked on; raises StudyError. `study` is the file
    that names the `order`."""
    found: dict[str, Scenario] = {}
    for path in sorted(folder.glob("*.toml")):
        scenario = read(path, Scenario, {"id": path.stem})
        if scenario.id != path.stem:
            raise StudyError(f"{path}: `id` is {scenario.id!r}, but the file is called {path.name}; make them equal")
        found[checked_id(path, scenario.id)] = scenario
    if not found:
        raise StudyError(f"{folder}: there is no scenario; put one in, as a .toml file")
    for name in order:
        if name not in found:
            raise StudyError(f"{study}: `order` names {name!r}, which is no scenario; {nearest(name, found)}")
    rank = {name: place for place, name in enumerate(order)}

    def place(scenario: Scenario) -> tuple[int, bool, int, str]:
        practice = scenario.kind is ScenarioKind.PRACTICE
        return rank.get(scenario.id, len(rank)), not practice, scenario.difficulty, scenario.id

    return {scenario.id: scenario for scenario in sorted(found.values(), key=place)}
