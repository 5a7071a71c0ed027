"""Second readings: the other half of the day, and a value that may be said of another attribute."""

import pytest

from domain.english.engine import Engine


def others(engine: Engine, said: str) -> list[tuple[str, str]]:
    """What the further readings say, and in what they differ."""
    return [(reading.apart, reading.paraphrase) for reading in engine.ask(said).readings[1:]]


@pytest.mark.parametrize(
    ("said", "first", "further"),
    [
        (
            "flights from boston to denver at five",
            "leaving at 5 a.m. or 5 p.m.",
            [("half", "leaving at 5 p.m."), ("half", "leaving at 5 a.m.")],
        ),
        ("flights from boston to denver after 5", "leaving after 5 p.m.", [("half", "leaving after 5 a.m.")]),
        ("flights from boston to denver after 5 p.m.", "leaving after 5 p.m.", []),
        ("flights from boston to denver at noon", "leaving at 12 p.m.", []),
    ],
)
def test_a_bare_hour_offers_both_halves_of_the_day(
    air: Engine, said: str, first: str, further: list[tuple[str, str]]
) -> None:
    route = "flights from Boston to Denver "
    assert air.ask(said).readings[0].paraphrase == route + first
    assert others(air, said) == [(apart, route + told) for apart, told in further]


def test_each_half_of_the_day_has_its_own_statement(air: Engine) -> None:
    asked = [reading.sql.rpartition("departure_time")[2] for reading in air.ask("flights to denver at five").readings]
    assert asked == [" = 1700)", " = 1700", " = 500"]


def test_a_word_far_from_its_value_leaves_open_of_what_it_is_said(air: Engine) -> None:
    said = "flights arriving in boston from atlanta on august fifth"
    assert air.ask(said).readings[0].paraphrase.endswith("arriving on August 5, 1991")
    assert others(air, said) == [("attribute", "flights to Boston from Atlanta on August 5, 1991")]


def test_what_is_said_of_both_has_no_rival(air: Engine) -> None:
    assert others(air, "flights from boston to denver leaving after 4 p.m. arriving before 9 p.m.") == []
    assert others(air, "flights from boston to denver on monday with dinner") == []
