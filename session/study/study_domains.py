"""The domains of a study: its own, in `domain/`, and others, each a folder in `domains/`, which levels of a factor name.

Such a folder is one that `curtain new --domain` and `curtain learn` know: what database and English front end need, and
`scenarios/`. It may have `canned_messages/`, `instructions.txt` and `ability.txt`; without one of them the study's own holds.
"""

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from session.study.design import Design, Factor, Over, crossed, level_keys, sets_are_levels
from session.study.message_files import canned_messages, checked_id
from session.study.settings import CannedMessage, Scenario, Setting
from session.study.toml_reader import StudyError, fault, nearest, read
from session.values.vocabulary import ScenarioKind

OWN = "domain"
OTHERS = "domains"
DOMAIN = "domain"
"""The key of a level."""
INSTRUCTIONS = "instructions.txt"
ABILITY = "ability.txt"


class DomainSettings(Setting, frozen=True):
    """`[domains.NAME]`: the database of the domain in `domains/NAME/`, a SQLAlchemy URL, and the date that it is there."""

    database: str = ""
    today: str = ""


@dataclass(frozen=True, kw_only=True)
class StudyDomain:
    """Parts of a study that belong to one domain, and what its people read; `instructions_file` is relative to the study."""

    name: str
    folder: Path
    database: str
    today: str
    scenarios: dict[str, Scenario]
    canned_messages: dict[str, CannedMessage]
    instructions: str
    ability: str
    instructions_file: str = INSTRUCTIONS


def read_scenarios(folder: Path, order: Sequence[str]) -> dict[str, Scenario]:
    """Return the scenarios of a folder in the order in which they are to be worked on; raises StudyError."""
    found: dict[str, Scenario] = {}
    for path in sorted(folder.glob("*.toml")):
        scenario = read(path, Scenario, {"id": path.stem})
        if scenario.id != path.stem:
            raise fault(path, f"`id` is {scenario.id!r}, but the file is called {path.name}; make them equal")
        found[checked_id(path, scenario.id)] = scenario
    if not found:
        raise StudyError(f"{folder}: there is no scenario; put one in, as a .toml file")
    rank = {name: place for place, name in enumerate(order)}

    def place(scenario: Scenario) -> tuple[int, bool, int, str]:
        practice = scenario.kind is ScenarioKind.PRACTICE
        return rank.get(scenario.id, len(rank)), not practice, scenario.difficulty, scenario.id

    return {scenario.id: scenario for scenario in sorted(found.values(), key=place)}


def read_domains(
    study: Path,
    own: StudyDomain,
    settings: Mapping[str, DomainSettings],
    order: Sequence[str],
    text: Callable[[Path], str],
) -> dict[str, StudyDomain]:
    """Return the domains of the study in the folder `study` by name, `own` first; raises StudyError that names the place.

    `text` reads a text for people; `order` is that of the scenarios of all domains.
    """
    path = study / "study.toml"
    found = {own.name: own}
    folders = {
        folder.name: folder
        for folder in sorted((study / OTHERS).glob("*"))
        if folder.is_dir() and not folder.name.startswith((".", "__"))
    }
    for name in settings:
        if name not in folders:
            raise fault(path, f"[{OTHERS}.{name}]: there is no folder {OTHERS}/{name}/; {nearest(name, folders)}")
    for name, folder in folders.items():
        if name == own.name:
            raise StudyError(
                f"{folder}: {name} is the study's own domain, in {OWN}/; give the folder another name, or take it away"
            )
        given = settings.get(name, DomainSettings())
        messages = folder / "canned_messages"
        instructions, ability = folder / INSTRUCTIONS, folder / ABILITY
        found[name] = StudyDomain(
            name=name,
            folder=folder,
            database=given.database,
            today=given.today or own_date(folder) or own.today,
            scenarios=read_scenarios(folder / "scenarios", order),
            canned_messages=canned_messages(messages) if messages.is_dir() else own.canned_messages,
            instructions=text(instructions) if instructions.is_file() else own.instructions,
            ability=text(ability) if ability.is_file() else own.ability,
            instructions_file=f"{OTHERS}/{name}/{INSTRUCTIONS}" if instructions.is_file() else INSTRUCTIONS,
        )
    return found


def own_date(folder: Path) -> str:
    """Return the date of the database of the domain in a folder; empty if it names none. Raises StudyError."""
    path = folder / "domain.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise StudyError(f"{path}: {error}; this is not TOML") from error
    return str(data.get("domain", {}).get("today", ""))


def every_scenario(domains: Mapping[str, StudyDomain]) -> dict[str, Scenario]:
    """Return the scenarios of all domains by id; raises StudyError if two that count share one."""
    found: dict[str, Scenario] = {}
    of: dict[str, StudyDomain] = {}
    for domain in domains.values():
        for name, scenario in domain.scenarios.items():
            if name in found and not ScenarioKind.PRACTICE == scenario.kind == found[name].kind:
                raise StudyError(
                    f"{domain.folder}: scenario {name!r} is one of domain {of[name].name}, too, and would count as the same; "
                    "give one of them another `id` and file"
                )
            found.setdefault(name, scenario)
            of.setdefault(name, domain)
    return found


def domains_of_conditions(
    conditions: Mapping[str, Mapping[str, str]], factors: Mapping[str, Factor], own: str
) -> dict[str, str]:
    """Return the domain of each condition, which `conditions` gives as levels of the factors."""
    return {name: str(level_keys(levels, factors).get(DOMAIN, own)) for name, levels in conditions.items()}


def check_domains(
    design: Design | None, factors: Mapping[str, Factor], domains: Mapping[str, StudyDomain], path: Path
) -> None:
    """Raise StudyError if a level names a domain that is not there, or a subject would work on what it does not have."""
    own = next(iter(domains))
    for name, factor in factors.items():
        for level, keys in factor.levels.items():
            wanted = keys.get(DOMAIN, own)
            if not isinstance(wanted, str) or wanted not in domains:
                raise fault(
                    path,
                    f"`factor.{name}.levels.{level}.domain` is {wanted!r}, and there is no folder "
                    f"{OTHERS}/{wanted}/ in the study; {nearest(str(wanted), domains)}",
                )
    if design is None:
        return
    for parts in product(*(crossed(factors, over) for over in Over)):
        keys = level_keys({name: level for part in parts for name, level in part.items()}, factors)
        domain = domains[str(keys.get(DOMAIN, own))]
        sets = [str(keys.get("set", ""))] if sets_are_levels(factors) else [*design.sets]
        work = {f"sets.{name}": design.sets[name] for name in sets if name} | {"scenarios": design.scenarios}
        for place, names in work.items():
            if missing := [one for one in names if one not in domain.scenarios]:
                raise fault(
                    path,
                    f"`design.{place}` has {missing[0]!r}, which is not a scenario of domain {domain.name}; a level that "
                    "names a `domain` names a `set` of it, too",
                )


def untrue_of_domains(
    domains: Mapping[str, StudyDomain], conditions: Mapping[str, str], own: Collection[str]
) -> list[tuple[str, str]]:
    """Return what is not true in the instructions, and its remedy, for each domain of a condition whose subjects would read
    about the study's own; `own` are the conditions with instructions of their own."""
    first = next(iter(domains))
    read = {conditions[name] for name in conditions if name not in own} - {first}
    return [
        (
            f"{INSTRUCTIONS} is not true of domain {name}",
            f"write {OTHERS}/{name}/{INSTRUCTIONS}; subjects of that domain read it instead",
        )
        for name in sorted(read)
        if domains[name].instructions_file == INSTRUCTIONS and domains[first].instructions.strip()
    ]
