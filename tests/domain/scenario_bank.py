"""The scenarios as they ship, and the cities that the common one of air travel is bound to."""

from pathlib import Path

import msgspec

import scenarios
from session.study.settings import Scenario

SHIPPED = Path(scenarios.__file__).parent
BINDINGS = {"A": "Boston", "B": "St. Louis", "C": "San Diego"}


def files(domain: str = "air_travel") -> list[Path]:
    return sorted((SHIPPED / domain / "scenarios").glob("*.toml"))


def bank(domain: str = "air_travel") -> list[Scenario]:
    return [msgspec.toml.decode(path.read_bytes(), type=Scenario) for path in files(domain)]


def bindings(scenario: Scenario) -> dict[str, str]:
    return {name: BINDINGS[name] for name in scenario.placeholders}
