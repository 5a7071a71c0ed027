"""A reading that leaves out what matters is no reading: it would answer another request."""

import pytest

from domain.english.engine import Engine


@pytest.mark.parametrize(
    ("request_", "unused"),
    [
        ("which states have airports", "airports"),
        ("how much is ground transportation in denver and the fare to boston", "ground transportation"),
        ("ground transportation in denver and flights to boston", "flights"),
        ("flights to all cities in texas", "all cities"),
        ("flights from boston at the same time as flight 100", "the same"),
        ("where does delta come from", "where"),
        ("which flights from boston to and and where serve dinner", "to"),
        ("flights from to denver", "from"),
        ("flights from boston and to", "to"),
        ("why are there flights to denver from boston", "why"),
        ("why is the fare to boston high", "why"),
        ("average fare from boston to denver", "average"),
        ("the total number of seats on flights from boston to denver", "the total"),
        ("flights from boston to denver unless it is on delta", "unless"),
        ("what airports does delta serve in texas", "delta"),
        ("flights from boston to denver with no stops in dallas", "with no stops"),
        ("flights from boston to denver the week after next", "after"),
        ("which aircraft does delta fly and how many seats do they have", "how many seats"),
        ("flights from boston to denver as cheap as the train", "as"),
        ("flights from boston to denver not only on delta", "not only"),
        ("flights from boston to denver with or without dinner", "with or without"),
        ("flights from boston to denver from monday to friday", "monday"),
        ("flights from boston to denver and back again", "again"),
        ("flights from boston to denver near the sea", "near"),
        ("flights from boston to denver on both tuesdays", "both"),
        ("flights from boston to denver an hour after noon", "an hour"),
    ],
)
def test_what_no_part_of_the_meaning_speaks_of_leaves_a_request_unanswered(
    air: Engine, request_: str, unused: str
) -> None:
    answered = air.ask(request_)
    assert answered.readings == ()
    assert unused in answered.unused


@pytest.mark.parametrize(
    ("request_", "unused"),
    [
        ("show me two flights from boston to denver", ("two",)),
        ("flights from boston to denver and back", ("return",)),
        ("the other flights from boston to denver", ("other",)),
        ("flights from boston to denver for three", ("three",)),
        ("flights from boston to denver on time", ("time",)),
        ("flights from boston to denver and return", ("return",)),
    ],
)
def test_what_is_left_out_but_changes_little_is_marked(air: Engine, request_: str, unused: tuple[str, ...]) -> None:
    (reading,) = air.ask(request_).readings
    assert reading.unused == unused
    assert reading.confidence < 0.8
    assert reading.paraphrase == "flights from Boston to Denver"


@pytest.mark.parametrize(
    ("request_", "paraphrase"),
    [
        ("flights from boston to denver any day but friday", "flights from Boston to Denver not on Friday"),
        ("flights from boston to denver but on friday", "flights from Boston to Denver on Friday"),
        ("flights from boston to denver i hate delta", "flights from Boston to Denver not on DL"),
        ("flights from boston to denver nothing on delta", "flights from Boston to Denver not on DL"),
        ("flights from boston to denver but none of the flights on delta", "flights from Boston to Denver not on DL"),
        ("what is the fare from boston i do not want delta", "fares from Boston not on DL"),
        ("what do the flights from boston to denver cost", "fares from Boston to Denver"),
        ("flights from boston to denver and their fares", "flights and fares from Boston to Denver"),
        ("flights with prices from boston to denver", "flights and fares from Boston to Denver"),
        ("flights from boston not on delta or united", "flights from Boston not on DL or UA"),
    ],
)
def test_what_is_asked_for_beside_the_first_is_asked_for_too(air: Engine, request_: str, paraphrase: str) -> None:
    reading = air.ask(request_).readings[0]
    assert (reading.paraphrase, reading.unused) == (paraphrase, ())


def test_a_weekday_that_only_repeats_the_date_is_no_word_left(air: Engine) -> None:
    reading = air.ask("flights from boston to denver on monday june 3 1991", ["flights to dallas"]).readings[0]
    assert reading.paraphrase == "flights from Boston to Denver on June 3, 1991"
    assert air.ask("when do flights to denver leave on monday june 3 1991").unused == ()
