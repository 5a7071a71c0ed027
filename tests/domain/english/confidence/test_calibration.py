"""Confidence: a probability out of a few clues, by weights that a domain may bring itself."""

from pathlib import Path

import pytest
from sqlalchemy import Engine as Connected

from domain.english.confidence.calibration import Calibration, Shares, load_calibration
from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from domain.english.reading import Clues
from tests.domain.english.conftest import DOMAIN

FILE = """fitted = "by hand"
base = -4.0
[weight]
headless = 9.0
[share]
half = 0.5
"""


def test_each_clue_adds_to_the_odds() -> None:
    calibration = Calibration("by hand", 0.0, Clues(unused=1.0, empty=2.0), Shares())
    shares = [calibration.right(clues) for clues in (Clues(), Clues(unused=1), Clues(unused=2), Clues(empty=1))]
    assert shares[0] == 0.5
    assert shares == sorted(shares, reverse=True)
    assert shares[2] == shares[3]
    assert calibration.against(Clues(unused=1, empty=1, several=1)) == ["empty", "unused"]


@pytest.mark.parametrize(
    ("surer", "less"),
    [
        ("books in norton", "books kept in norton"),  # an unknown word
        ("books shown before 9 a.m.", "books shown before 9"),  # a half of the day that conventions chose
        ("books by ann lee in norton", "books in norton on monday or in sutton on friday"),  # what belongs to what
        ("loans to sutton on monday", "books sutton norton"),
    ],
)
def test_what_was_left_open_or_out_makes_a_reading_less_sure(library: Engine, surer: str, less: str) -> None:
    readings = library.ask(less).readings
    assert library.ask(surer).readings[0].confidence > (readings[0].confidence if readings else 0)


def test_no_rows_make_a_reading_less_sure(library: Engine) -> None:
    reading = library.ask("books in norton").readings[0]
    assert 0 < reading.if_empty < reading.confidence


def test_readings_share_what_is_sure_and_stand_in_its_order(library: Engine) -> None:
    for said in ("books shown at 9", "are there any books shown after 9 by ann lee", "books in norton"):
        shares = [reading.confidence for reading in library.ask(said).readings]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1.02, "rounded"


def test_a_domain_brings_its_own_weights(tmp_path: Path, library: Engine, library_database: Connected) -> None:
    (tmp_path / "domain.toml").write_text(DOMAIN)
    (tmp_path / "confidence.toml").write_text(FILE)
    own = Engine(tmp_path, library_database)
    assert own.ask("by ann lee").readings[0].confidence < 0.1 < library.ask("by ann lee").readings[0].confidence


@pytest.mark.parametrize("text", ["[weight", FILE.replace("headless", "hedless"), FILE.replace("base = -4.0", "")])
def test_a_file_that_does_not_fit_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "confidence.toml").write_text(text)
    with pytest.raises(DomainError, match=r"confidence\.toml: .*understanding\.confidence --fit"):
        load_calibration(tmp_path)


def test_a_request_that_takes_nothing_from_those_before_is_less_sure_than_alone(library: Engine) -> None:
    alone = library.ask("books by ann lee in norton").readings[0]
    after = library.ask("books by ann lee in norton", ["loans to sutton on monday"]).readings[0]
    assert (alone.clues.later, after.clues.later, after.carried) == (0, 1, "")
    assert after.confidence < alone.confidence
