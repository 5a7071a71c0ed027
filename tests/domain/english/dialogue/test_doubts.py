"""Readings that are withheld because something speaks against them."""

import pytest

from domain.english.engine import Engine

WITHHELD = "what was understood does not answer it"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("average salary of the clerks in department 44", "is there anyone with a phd"),
    ],
)
def test_what_does_not_answer_a_request_is_withheld(personnel: Engine, before: str, said: str) -> None:
    answered = personnel.ask(said, [before])
    assert (answered.readings, answered.reason) == ((), WITHHELD)


def test_a_question_whether_some_are_so_is_answered(personnel: Engine) -> None:
    reading = personnel.ask("do any of them have a phd", ["average salary of clerks"]).readings[0]
    assert reading.paraphrase.startswith("whether there are any ")
