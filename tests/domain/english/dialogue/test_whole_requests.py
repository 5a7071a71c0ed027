"""Requests that are about everything although they follow others, and some like them that go on."""

import pytest

from domain.english.dialogue.references import EarlierTurn
from domain.english.engine import Engine

KIM = "when was henry kim hired"
FEW = ["employees in materials earning under fifty thousand", "hired in the seventies"]
STAFF = [
    ([KIM], "hired after 1988 earning over fifty thousand", "employees hired after 1988 earning over 50000"),
    (FEW, "anybody in materials born in 1926", "employees in department Materials born 1926"),
    (["employees in finance", "schools they went to"], "richest accountant", "employees who are accountants, only the best paid"),
    (["employees aged over sixty"], "who is our very oldest clerk", "employees who are clerks, only the oldest"),
    (["managers"], "next item what percentage of the programmers is female",
     "share, among employees who are programmers, of employees who are programmers female"),
    # these go on
    (["employees in finance"], "women hired in the seventies", "employees in department Finance hired the seventies female"),
    (["employees in finance"], "the oldest of everybody there", "employees in department Finance, only the oldest"),
    (FEW, "those in materials born in 1926",
     "employees earning under 50000 hired the seventies in department Materials born 1926"),
]  # fmt: skip


@pytest.mark.parametrize(("context", "request_", "meant"), STAFF)
def test_a_request_about_everything_takes_nothing_over(
    personnel: Engine, context: list[str], request_: str, meant: str
) -> None:
    readings = personnel.ask(request_, [EarlierTurn(text) for text in context]).readings
    assert (readings[0].paraphrase.rpartition(") ")[2] if readings else "") == meant


def test_of_what_is_asked_of_one_row_another_list_is_made(air: Engine) -> None:
    (reading, *_) = air.ask(
        "propeller planes with more than thirty seats", [EarlierTurn("what is the range of a 757")]
    ).readings
    assert reading.paraphrase == "aircraft seating over 30 turboprop"
