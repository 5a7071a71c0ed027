"""Principles of interpretation at their bounds, and the sets as data: base, freeze, impact."""

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.principles import (
    Citation,
    Principle,
    PrinciplesError,
    PrincipleSet,
    changed,
    check_freeze,
    impact,
    load,
)
from tests import ROOT

ROOT = ROOT / "scenarios"
PAPERS = load(ROOT / "air_travel", "papers")
REFERENCES = load(ROOT / "air_travel", "references")
PERSONNEL = load(ROOT / "personnel", "bbn_1989")


def test_lists_are_of_primary_keys_and_meals_are_told_by_three_columns() -> None:
    keys = {
        "aircraft": ("aircraft_code",),
        "airline": ("airline_code",),
        "airport": ("airport_code",),
        "flight_stop": ("flight_id", "stop_number"),
        "dual_carrier": ("main_airline", "low_flight_number", "high_flight_number", "dual_airline"),
    }
    assert {name: tuple(PAPERS.identifiers[name]) for name in keys} == keys
    asked = "SELECT food_service.meal_description, food_service.meal_number, food_service.compartment FROM food_service"
    assert PAPERS.rules["asked meal"] == (asked,)


def test_what_must_be_there_and_what_is_excluded_is_stipulated_for_the_personnel_domain() -> None:
    for number in ("s2.scalar", "s3.head", "s3.list", "3.2.both", "3.2.more", "s8.excluded", "3.1.units"):
        assert PERSONNEL[number].source.startswith("Boisen et al. 1989")
    assert "employee ids and salaries" in PERSONNEL["3.2.both"].examples[0]
    for reason in ("ambiguous", "vague", "not there", "presuppose", "order", "about the database itself"):
        assert reason in PERSONNEL["s8.excluded"].text


def test_stipulated_identifiers_of_the_personnel_domain() -> None:
    assert {name: tuple(columns) for name, columns in PERSONNEL.identifiers.items()} == {
        "employee": ("employee_id",),
        "country": ("country_code",),
        "degree": ("degree", "employee_id", "school_code"),
        "department": ("department",),
        "division": ("division",),
        "major": ("major_code",),
        "school": ("school_code",),
        "state": ("state_code",),
    }


def test_a_principle_that_a_set_has_not_is_a_wrong_key() -> None:
    with pytest.raises(KeyError):
        PAPERS["99"]


def test_every_principle_says_where_it_comes_from_and_the_second_set_differs_only_where_it_says() -> None:
    for chosen in (PAPERS, REFERENCES, PERSONNEL):
        assert all(one.source and one.text and one.dated for one in chosen.principle)
    periods = ("morning", "afternoon", "evening", "day", "night", "early_morning", "mid_afternoon", "red_eye", "others")
    others = {"2.2.5", "2.3.3.round_trip", "2.4.5", "2.4.7", "2.4.8", "2.4.9", "2.4.10", "2.4.11", "2.5", "2.10"}
    assert set(changed(PAPERS, REFERENCES)) == {f"2.4.4.{period}" for period in periods} | others
    assert REFERENCES.maximum == PAPERS.maximum
    files = (ROOT / "air_travel").glob("principles*.toml")
    assert sorted(tomllib.loads(path.read_text("utf-8"))["name"] for path in files) == ["papers", "references"]


TWICE = "name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\n" + "".join(
    f"[[principle]]\nid='{name}'\ntitle='t'\ntext='t'\nsource='s'\ndated=1991-01-01\nrules={{'period day'='x'}}\n"
    for name in ("1", "2")
)


def made(**changes: Any) -> PrincipleSet:
    one = Principle("1", "title", "text", "source", date(1991, 1, 1))
    return msgspec.structs.replace(PrincipleSet("s", "t", "1", date(1991, 1, 1), principle=(one,)), **changes)


def test_a_change_lists_the_annotations_that_cite_it() -> None:
    before = made()
    after = made(principle=(Principle("1", "title", "other text", "source", date(1991, 1, 1)),))
    citations = [Citation("e0001", "1", ("1", "2")), Citation("e0002", "1", ("2",))]
    assert impact(before, after, citations) == [("e0001", ("1",))]
    assert before.digest != after.digest
    with pytest.raises(ValueError, match="e0003 does not say by which version"):
        impact(before, after, [Citation("e0003", "", ("1",))])


def test_a_frozen_set_does_not_change() -> None:
    before = made(frozen_from=date(1992, 8, 1), frozen_until=date(1992, 12, 1))
    after = msgspec.structs.replace(before, principle=())
    check_freeze(before, after, date(1992, 7, 31))
    check_freeze(before, before, date(1992, 9, 1))
    check_freeze(before, after, date(1992, 12, 1))
    with pytest.raises(PrinciplesError, match="frozen since 1992-08-01 until 1992-12-01: 1 may not change"):
        check_freeze(before, after, date(1992, 8, 1))
    with pytest.raises(PrinciplesError, match="its settings"):
        check_freeze(before, msgspec.structs.replace(before, frozen_from=None), date(1992, 9, 1))


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("name = 1", "Expected `str`"),
        ("name = 'a'\n[x", "principles.toml"),
        ("name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\nyes_no='maybe'", "yes_no"),
        ("name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\nbase='b'", "its base 'b' is not there"),
        ("name='a'\ntitle='t'\nversion='1'\ndated=1991-01-01\ncolour='b'", "colour"),
        (TWICE, "two principles of a decide period day; give them one id"),
    ],
)
def test_a_faulty_file_is_named(tmp_path: Path, text: str, say: str) -> None:
    (tmp_path / "principles.toml").write_text(text)
    with pytest.raises(PrinciplesError, match=say):
        load(tmp_path, "a")


def test_an_unknown_set_names_those_there_are() -> None:
    with pytest.raises(PrinciplesError, match="there is papers, references"):
        load(ROOT / "air_travel", "nobody")
