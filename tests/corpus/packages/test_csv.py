"""The tables for statistics programs: what a cell holds, whatever was typed and whenever it was."""

import csv
import io
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.turns import courses
from corpus.dataset.reader import Corpus
from corpus.formats.log.timeline import Moment
from corpus.packages.csv import scenario_rows, table, turn_rows
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from tests.corpus.corpora import corpus_of, session_of


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus_of(tmp_path_factory.mktemp("tables") / "corpus", session_of("bbn", "8k1"))


def test_a_time_at_a_whole_second_has_the_form_of_all_others(corpus: Path) -> None:
    """Else pandas, which takes the first row's form for that of all, refuses the column."""
    second = Moment.parse("2026-11-21T09:30:05.000000Z")
    course = msgspec.structs.replace(next(courses(Corpus(corpus))), began=second)
    turn = msgspec.structs.replace(course.turns[0], marks=course.turns[0].marks | {"begin": second})
    course = msgspec.structs.replace(course, turns=(turn,))
    (row,), (spoken,) = scenario_rows(Corpus(corpus), [course]), turn_rows(Corpus(corpus), [course])
    assert row["began"] == spoken["begin"] == "2026-11-21T09:30:05.000000+00:00"


def test_the_readme_of_the_tables_tells_what_stands_for_a_line_end(corpus: Path, tmp_path: Path) -> None:
    write_package(contents_of(Corpus(corpus)), tmp_path / "csv", "csv")  # type: ignore[arg-type]
    (row, _) = csv.DictReader(io.StringIO((tmp_path / "csv/scenarios.csv").read_text("utf-8"), newline=""))
    assert row["q_satisfaction_why"] == "it␊worked"
    assert "a line end as ␊;" in (tmp_path / "csv/README.txt").read_text("utf-8")


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_no_text_can_make_a_row_or_a_formula(texts: list[str]) -> None:
    data = table(
        [f"c{place}" for place in range(len(texts))], [{f"c{place}": text for place, text in enumerate(texts)}]
    )
    (row,) = list(csv.reader(io.StringIO(data.decode(), newline="")))[1:]
    assert len(row) == len(texts)
    assert not any(
        re.match(r"[=+@]|-(?!\d*\.?\d+$)", cell) and not re.fullmatch(r"[=+@-]\d*\.?\d+", cell) for cell in row
    )
