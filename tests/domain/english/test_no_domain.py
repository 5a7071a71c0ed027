"""The engine knows no domain: nothing about flights, nor about staff, stands in its code."""

import re
from pathlib import Path

import pytest

import domain.english

CODE = sorted(Path(domain.english.__file__).parent.glob("*.py"))
FOREIGN = re.compile(
    r"\b(flights?|fares?|airlines?|airports?|aircrafts?|airplanes?|planes?|airfares?|tickets?|nonstop|stopovers?|"
    r"passengers?|boston|denver|philly|layover|boeing|departures?|arrivals?|departing|arriving|round.trip|one.way)\b",
    re.I,
)


@pytest.mark.parametrize("file", CODE, ids=lambda p: p.name)
def test_no_word_of_air_travel_stands_in_the_engine(file: Path) -> None:
    found = [f"{n}: {line.strip()}" for n, line in enumerate(file.read_text().splitlines(), 1) if FOREIGN.search(line)]
    assert found == []


def test_the_scan_would_find_one() -> None:
    assert len(CODE) > 10
    assert FOREIGN.search("the cheapest Fare")
