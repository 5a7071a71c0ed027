"""The rule by which the benchmark calls an answer right."""

import pytest

from benchmarks.english import Table, contained, pattern


@pytest.mark.parametrize(
    ("reference", "hypothesis", "right"),
    [
        (((1,), (2,)), ((2, "x"), (1, "y")), True),
        (((1,), (2,)), ((1,), (1,), (2,)), True),
        (((1, "a"),), (("A ", 1.0),), True),
        (((1,), (2,)), ((1,), (2,), (3,)), False),
        (((1, 1),), ((1, 2),), False),
        (((1, 2), (2, 1)), ((1, 1), (2, 2)), False),
        (((1, 1),), ((1,),), False),
        ((), (), True),
        ((), ((1,),), False),
        (((None,),), ((None, 3),), True),
    ],
)
def test_a_minimal_answer_is_contained_or_not(reference: Table, hypothesis: Table, right: bool) -> None:
    assert contained(reference, hypothesis) == right


def test_patterns_leave_literals_and_alias_numbers_out() -> None:
    one = pattern("SELECT a_1.x FROM a a_1 WHERE a_1.y = 'P'  AND a_1.z < 12.5")
    assert one == pattern("SELECT a_7.x FROM a a_7 WHERE a_7.y = 'Q' AND a_7.z < 3")
    assert one != pattern("SELECT a_7.x FROM a a_7 WHERE a_7.y = 'Q'")
