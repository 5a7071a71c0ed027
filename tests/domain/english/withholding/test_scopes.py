"""Readings of a request about another scope than the last result: offered second, never silently first."""

import msgspec
import pytest

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine
from domain.english.withholding.alternatives import by_share

NARROWED = [
    (["flights from detroit to orlando on saturday", "which of those have lunch"], "and on delta",
     "flights from Detroit to Orlando on Saturday on DL"),
    (["flights from montreal to jfk on monday", "leaving in the evening"], "the pan am ones",
     "flights from Montreal to JFK on Monday on PA"),
    (["flights from los angeles to new york on twa"], "show me flights at night",
     "flights from Los Angeles to New York on TW leaving night"),
]  # fmt: skip
NONE = [
    (["flights from boston to denver on monday"], "only the nonstop ones"),
    (["flights from boston to denver", "on united"], "sorry i meant delta"),
    (["flights from boston to denver", "on united"], "flights from dallas to atlanta on friday"),
]


def _scopes(engine: Engine, before: list[str], said: str) -> list[str]:
    first, *others = engine.ask(said, before).readings
    assert first.apart != "scope"
    return [reading.paraphrase.rpartition(") ")[2] for reading in others if reading.apart == "scope"]


@pytest.mark.parametrize(("before", "said", "wider"), NARROWED)
def test_the_list_that_was_narrowed_or_the_last_result_is_the_second_reading(
    air: Engine, before: list[str], said: str, wider: str
) -> None:
    assert _scopes(air, before, said) == [wider]


def test_what_the_other_reading_takes_over_is_said_of_that_one(personnel: Engine) -> None:
    before = ["employees in materials", "who are managers"]
    _, second, *_ = personnel.ask("who do these project managers report to", before).readings
    assert second.paraphrase.startswith("(from before: in department Materials) supervisor of employees")
    assert "managers" not in second.paraphrase


@pytest.mark.parametrize(("before", "said"), NONE)
def test_no_other_scope_is_made_up(air: Engine, before: list[str], said: str) -> None:
    assert _scopes(air, before, said) == []


def test_a_row_at_the_same_place_of_an_earlier_list_is_the_second_reading(personnel: Engine) -> None:
    columns = ("employee_id", "last_name")
    people = EarlierTurn("employees in materials", columns, ((1001, "A"), (1002, "B"), (1003, "C")))
    women = EarlierTurn("which of those are women", columns, ((1002, "B"), (1003, "C")))
    first, second, *_ = personnel.ask("the second one", [people, women]).readings
    assert (first.meaning.rows and first.meaning.rows.keys) == ((1003,),)
    assert (second.apart, second.meaning.rows and second.meaning.rows.keys) == ("scope", ((1002,),))


def test_in_a_dialogue_the_request_alone_and_its_scope_come_before_a_value_s_attribute(personnel: Engine) -> None:
    (first, *_) = personnel.ask("employees in finance").readings
    readings = [msgspec.structs.replace(first, apart=apart) for apart in ("", "attribute", "form", "scope", "alone")]
    assert [reading.apart for reading in by_share(readings)] == ["", "alone", "scope", "attribute", "form"]
    assert [reading.apart for reading in by_share(readings[:3])] == ["", "attribute", "form"]


def test_a_category_that_an_earlier_request_named_is_settled(personnel: Engine) -> None:
    named = personnel.ask("clerks in department 44").readings
    assert [reading.apart for reading in named[1:]] == ["attribute"]
    then = personnel.ask("only women", ["clerks in department 44"]).readings
    assert "attribute" not in [reading.apart for reading in then]
