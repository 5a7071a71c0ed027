"""Other meanings of a request in its context, offered beside the likeliest."""

from domain.english.engine import Engine


def _others(engine: Engine, before: list[str], said: str) -> list[tuple[str, str]]:
    readings = engine.ask(said, before).readings[1:]
    return [(reading.apart, reading.paraphrase.rpartition(") ")[2]) for reading in readings]


def test_a_place_without_a_word_that_leads_to_it_may_be_the_other_end(air: Engine) -> None:
    before = ["delta salt lake city to san francisco sunday"]
    assert _others(air, before, "oakland that is") == [
        ("end", "flights from Salt Lake City on DL on Sunday to Oakland")
    ]


def test_one_place_more_may_stand_beside_the_other_end(air: Engine) -> None:
    before = ["flights to orlando from atlanta"]
    assert _others(air, before, "or tampa") == [("end", "flights from Atlanta to Orlando or Tampa")]


def test_a_word_that_leads_to_one_end_leaves_nothing_open(air: Engine) -> None:
    assert not _others(air, ["flights from boston to denver"], "what about from oakland")


def test_a_condition_after_a_selection_may_hold_of_all(air: Engine) -> None:
    before = ["flights from atlanta to memphis before 9 a m", "the latest of these"]
    assert _others(air, before, "too early put me after seven p m")[0] == (
        "whole", "flights from Atlanta to Memphis leaving after 7 p.m."
    )  # fmt: skip


def test_a_fragment_is_not_offered_by_itself(air: Engine) -> None:
    readings = air.ask("on tuesday", ["flights from boston to denver on monday"]).readings
    assert [reading.paraphrase.rpartition(") ")[2] for reading in readings] == [
        "flights from Boston to Denver on Tuesday"
    ]
