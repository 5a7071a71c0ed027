"""Times of which nobody said which half of the day: one meaning for the statement and its paraphrase."""

import pytest

from domain.database.build import BuiltDatabase
from domain.english.engine import Engine
from domain.english.model.domain import Conventions
from domain.english.model.meaning import Condition, Meaning, Value
from domain.english.model.open_times import left_open, settled
from tests.domain.english.conftest import SCENARIOS

BOTH, SAID, AFTERNOON = Conventions(), Conventions(open_clock="as said"), Conventions(afternoon_below=601)


def times(use: Conventions, op: str, *data: int) -> list[tuple[object, ...]]:
    """The settled times of one condition, and how each is said."""
    meaning = Meaning(("book",), conditions=(Condition("opening", (Value("clock", data, op, "as it was"),)),))
    found = [found.conditions[0].values[0] for found in settled(meaning, use)]
    return [(*value.data, value.say) for value in found]


@pytest.mark.parametrize(
    ("use", "op", "data", "expected"),
    [
        (BOTH, ">", (500, 0), [(1700, 1, "after 5 p.m."), (500, 1, "after 5 a.m.")]),
        (BOTH, "<", (800, 0), [(800, 1, "before 8 a.m."), (2000, 1, "before 8 p.m.")]),
        (BOTH, ">", (500, 1), [(500, 1, "as it was")]),
        (BOTH, "between", (1200, 100, 0),
         [(1200, 1300, 1, "between 12 p.m. and 1 p.m."), (0, 100, 1, "between 12 a.m. and 1 a.m.")]),
        (BOTH, "between", (1000, 200, 0),
         [(1000, 1400, 1, "between 10 a.m. and 2 p.m."), (2200, 200, 1, "between 10 p.m. and 2 a.m.")]),
        (BOTH, "=", (800, 0), [(800, 0, "8 a.m. or 8 p.m.")]),
        (SAID, ">", (500, 0), [(500, 0, "as it was")]),
        (AFTERNOON, ">", (500, 0), [(1700, 1, "after 5 p.m.")]),
        (AFTERNOON, ">", (800, 0), [(800, 1, "after 8 a.m.")]),
        (AFTERNOON, "between", (300, 500, 0), [(1500, 1700, 1, "between 3 p.m. and 5 p.m.")]),
        (AFTERNOON, "between", (500, 700, 0), [(500, 700, 1, "between 5 a.m. and 7 a.m.")]),
        (AFTERNOON, "between", (1200, 100, 0), [(1200, 1300, 1, "between 12 p.m. and 1 p.m.")]),
    ],
)  # fmt: skip
def test_a_time_is_settled_once_for_statement_and_paraphrase(
    use: Conventions, op: str, data: tuple[int, ...], expected: list[tuple[object, ...]]
) -> None:
    assert times(use, op, *data) == expected
    assert all(not left_open(m) for m in settled(Meaning(("book",)), use))


def test_two_halves_are_two_readings_that_say_what_their_sql_asks(air_travel: BuiltDatabase) -> None:
    readings = Engine(SCENARIOS / "air_travel", air_travel.url, principles="papers").ask(
        "flights from boston to denver after 5"
    ).readings  # fmt: skip
    assert [(r.sql.rpartition(" ")[2], r.paraphrase.rpartition("leaving ")[2]) for r in readings] == [
        ("1700", "after 5 p.m."),
        ("500", "after 5 a.m."),
    ]
    assert {r.undecided for r in readings} == {"after 5 a.m."}
    assert readings[0].confidence > readings[1].confidence
