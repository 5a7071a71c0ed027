"""Choices among a few by a comparative, and the only row that was counted."""

import msgspec
import pytest

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from domain.english.wording.choices import choose
from domain.sandbox.sandbox import Sandbox
from tests.domain.english.shown_turns import turns_of

CHOSEN = [
    ("which of the two takes less time in the air", "which of those takes the least time"),
    ("and between those two jumbos which has the lower fare", "and which of those has the lowest fare"),
    ("of the two which one is kinder to the wallet", "which of those is the cheapest"),
    ("which of those two is cheaper at the lowest fare", "which of those is the cheapest"),
    ("which one leaves earlier in the day", "which of those leaves the earliest"),
    ("who is older of the pair", "who of those is the oldest"),
    ("who gets more of the two", "who of those gets the most"),
    ("which of them is better paid", "which of those is the best paid"),
    ("who among them is the best earner", "who among them is the best paid"),
    ("which of them has been around longer", "which of them has been here the longest"),
]
LEFT = [
    "which ones are cheaper", "which flights are cheaper than 300", "who earns more than 50000",
    "who makes the cheaper of the two",
    "who has no more", "how much less is the second one", "is the second one cheaper",
]  # fmt: skip


@pytest.mark.parametrize(("said", "plain"), CHOSEN, ids=[said for said, _ in CHOSEN])
def test_a_comparative_without_than_chooses(said: str, plain: str) -> None:
    assert choose(said) == plain


@pytest.mark.parametrize("said", LEFT)
def test_a_comparison_is_no_choice(said: str) -> None:
    assert choose(said) == said


def test_the_two_are_not_guessed(personnel: Engine, personnel_database: BuiltDatabase) -> None:
    sandbox = Sandbox(personnel_database.url)
    many = turns_of(personnel, sandbox, ["employees in finance"])
    pair = [msgspec.structs.replace(many[0], rows=many[0].rows[:2])]
    assert personnel.ask("which of the two is better paid", pair).readings
    answered = personnel.ask("which of the two is better paid", many)
    assert (answered.readings, answered.unused) == ((), ("the two",))
    sandbox.close()


def test_that_one_is_the_only_row_that_was_counted(personnel: Engine, personnel_database: BuiltDatabase) -> None:
    sandbox = Sandbox(personnel_database.url)
    turns = turns_of(personnel, sandbox, ["how many hispanic employees are managers"])
    reading = personnel.ask("what does that one earn", turns).readings[0]
    assert reading.paraphrase.endswith("salary of employees of the employees who are Hispanic who are managers")
    sandbox.close()
