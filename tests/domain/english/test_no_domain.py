"""The code knows no domain: nothing about flights stands in `domain/`, neither in the engine nor in what surrounds it."""

import re
from pathlib import Path

import pytest

import domain

PACKAGE = Path(str(domain.__file__)).parent
CODE = sorted(file for file in PACKAGE.rglob("*") if file.suffix in {".py", ".toml", ".json", ".txt", ".sql"})
FOREIGN = re.compile(
    r"\b(flights?|fares?|airlines?|airports?|aircrafts?|airplanes?|planes?|airfares?|tickets?|nonstop|stopovers?|"
    r"passengers?|boston|denver|philly|layover|boeing|departures?|arrivals?|departing|arriving|round.trip|one.way)\b",
    re.IGNORECASE,
)
# The learner meets columns of any database; these are the English words by which a column of money or of a timetable is
# known: buses, ferries and taxis have fares and leave as well.
COLUMNS = {("learn/columns.py", "fare")} | {
    (f"learn/{file}.py", w)
    for file in ("schema_wording", "everyday_words")
    for w in ("fare", "departure", "departing", "arrival", "arriving")
}
COLUMNS |= {("learn/roles.py", w) for w in ("departure", "departing", "arrival", "arriving")}


def name_of(file: Path) -> str:
    """The file with its folder."""
    return "/".join(file.parts[-2:])


def foreign(file: Path) -> list[str]:
    """Lines with a word of air travel, less those words."""
    return [
        f"{number}: {line.strip()}"
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if any((name_of(file), word.lower()) not in COLUMNS for word in FOREIGN.findall(line))
    ]


@pytest.mark.parametrize("file", CODE, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_word_of_air_travel_stands_in_the_code(file: Path) -> None:
    assert foreign(file) == []


def test_the_scan_would_find_one(tmp_path: Path) -> None:
    assert len(CODE) > 40
    assert PACKAGE / "english" / "engine.py" in CODE
    (tmp_path / "learn").mkdir()
    (tmp_path / "learn" / "columns.py").write_text("fare\nthe cheapest Flight\n")
    assert foreign(tmp_path / "learn" / "columns.py") == ["2: the cheapest Flight"]


def test_what_is_excused_is_still_there() -> None:
    for name, word in COLUMNS:
        assert re.search(rf"\b{word}\b", (PACKAGE / name).read_text())
