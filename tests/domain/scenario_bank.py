"""The scenarios of air travel as they ship, and the cities that the common one is bound to."""

import msgspec

from session.study.settings import Scenario
from tests.domain.conftest import AIR_TRAVEL

FILES = sorted((AIR_TRAVEL / "scenarios").glob("*.toml"))
BINDINGS = {"A": "Boston", "B": "St. Louis", "C": "San Diego"}


def bank() -> list[Scenario]:
    return [msgspec.toml.decode(path.read_bytes(), type=Scenario) for path in FILES]


def bindings(scenario: Scenario) -> dict[str, str]:
    return BINDINGS if scenario.common else {}
