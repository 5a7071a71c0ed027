"""The tables for statistics: every column has one type in every corpus, and times to a solution can be analysed as they are."""

import csv
import io
import itertools
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from corpus.analysis.distribution import survival_median
from corpus.dataset.reader import Corpus
from corpus.packages.csv import table
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from corpus.report.statistics import figures_of, gather
from session import events as e
from tests.corpus.corpora import corpus_of, session_of

READERS: dict[str, Any] = {
    "string": str, "integer": int, "number": float, "boolean": {"0": False, "1": True}.__getitem__,
    "datetime": datetime.fromisoformat,
}  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five visits at different speeds; in one the solved scenario was declared invalid, of one nobody knows age and sex."""
    folder = tmp_path_factory.mktemp("columns")
    scripts = [session_of("bbn", f"8e{number}", "m", number, 0.3 * number) for number in range(1, 6)]
    scripts[3].add(e.ScenarioInvalidated(run=1, reason="the bell rang"), "experimenter")
    opened = scripts[4].opened
    unknown = msgspec.structs.replace(opened.speaker, age=None, sex="")
    scripts[4].facts[0] = msgspec.structs.replace(
        scripts[4].facts[0], event=msgspec.structs.replace(opened, speaker=unknown)
    )
    write_package(contents_of(Corpus(corpus_of(folder / "corpus", *scripts))), folder / "csv", ExportFormat.CSV)
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8"), newline="")))


def test_every_cell_is_of_the_type_that_its_column_is_said_to_have(root: Path) -> None:
    package = msgspec.json.decode((root / "csv/datapackage.json").read_bytes())
    for resource in package["resources"]:
        found = rows(root / "csv" / resource["path"])
        fields = {field["name"]: field for field in resource["schema"]["fields"]}
        assert list(fields) == list(found[0])
        assert all(field["description"] for field in fields.values())
        for row, (name, cell) in itertools.product(found, fields.items()):
            if row[name]:
                READERS[cell["type"]](row[name])
        keys = [tuple(row[name] for name in resource["schema"]["primaryKey"]) for row in found]
        assert len(set(keys)) == len(keys)
    turns, scenarios = (rows(root / "csv" / name) for name in ("turns.csv", "scenarios.csv"))
    reference = {(row["session"], row["scenario_number"]) for row in scenarios}
    assert {(row["session"], row["scenario_number"]) for row in turns} == reference


def test_times_to_a_solution_give_the_median_of_the_report(root: Path) -> None:
    corpus = Corpus(root / "corpus")
    found = rows(root / "csv/scenarios.csv")
    for scenario in figures_of(corpus, gather(corpus)).difficulty:
        own = [row for row in found if row["scenario"] == scenario.scenario and row["observed_s"]]
        median = survival_median((float(row["observed_s"]), row["censored"] == "1") for row in own)
        assert (median is None) == (scenario.declare_min is None)
        assert median == pytest.approx(60 * scenario.declare_min if scenario.declare_min is not None else None)
    (invalid,) = [row for row in found if row["outcome"] == "invalidated"]
    assert (invalid["observed_s"], invalid["censored"]) == ("", "1")
    assert all(row["observed_s"] == (row["declared_s"] or row["time_s"]) for row in found if row is not invalid)


def test_signs_of_a_table_within_a_text_stay_in_their_cell() -> None:
    texts = {"a": 'a,b "c"', "b": "two\nlines", "c": '=cmd|"x"', "d": "-5", "e": "@SUM(A1)", "f": "NA", "g": None}
    (row,) = list(csv.DictReader(io.StringIO(table(tuple(texts), [texts]).decode(), newline="")))
    assert row == {
        "a": 'a,b "c"',
        "b": "two␊lines",
        "c": """'=cmd|"x\"""",
        "d": "-5",
        "e": "'@SUM(A1)",
        "f": "NA",
        "g": "",
    }
