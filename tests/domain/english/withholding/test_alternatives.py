"""Other meanings of a request in its context, offered beside the likeliest."""

import pytest

from domain.english.engine import Engine


@pytest.mark.parametrize(
    ("before", "said", "others"),
    [
        # a place without a word that leads to it may be the other end
        (
            ["flights from san jose to san francisco on sunday"],
            "oakland that is",
            [("end", "flights from San Jose on Sunday to Oakland")],
        ),
        # one with such a word leaves nothing open
        (["flights from boston to denver"], "what about from oakland", []),
        # a condition after a selection may hold of all
        (
            ["the cheapest flight from atlanta to memphis"],
            "on united",
            [("whole", "flights from Atlanta to Memphis on UA")],
        ),
        # a fragment is not offered by itself
        (["flights from boston to denver on monday"], "on tuesday", []),
    ],
)
def test_what_else_a_request_may_mean_in_its_context_is_offered_beside_it(
    air: Engine, before: list[str], said: str, others: list[tuple[str, str]]
) -> None:
    readings = air.ask(said, before).readings[1:]
    assert [(reading.apart, reading.paraphrase.rpartition(") ")[2]) for reading in readings] == others
