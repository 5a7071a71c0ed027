"""The rule by which the benchmark calls an answer right."""

from pathlib import Path

import pytest

from benchmarks.english import Table, contained, divided, pattern, requests


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


def test_requests_are_divided_alike_whatever_their_order() -> None:
    rows = [{"id": f"r{n}", "sql": [f"SELECT a{'_' * (n % 50)} FROM b WHERE c = {n}"]} for n in range(200)]
    sets, again = divided(rows), divided(rows[::-1])
    names = {name: {row["id"] for row in found} for name, found in sets.items()}
    assert names == {name: {row["id"] for row in found} for name, found in again.items()}
    assert {name: len(found) for name, found in names.items()} == {
        "development": 160,
        "by request": 20,
        "by pattern": 20,
    }
    shapes = {name: {pattern(row["sql"][0]) for row in found} for name, found in sets.items()}
    assert not shapes["by pattern"] & (shapes["development"] | shapes["by request"])


def test_a_statement_may_stand_alone_or_in_a_list(tmp_path: Path) -> None:
    file = tmp_path / "requests.jsonl"
    file.write_text(
        '{"id": 1, "question": "a", "sql": "SELECT 1"}\n\n{"id": 2, "question": "b", "sql": ["SELECT 2", ""]}\n'
    )
    assert [row["sql"] for row in requests(file)] == [["SELECT 1"], ["SELECT 2"]]


@pytest.mark.parametrize(
    "line", ["SELECT 1", '{"id": 1, "question": "a"}', '{"id": 1, "question": "a", "sql": []}', "[1]"]
)
def test_a_line_that_is_no_request_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "requests.jsonl"
    file.write_text('{"id": 1, "question": "a", "sql": "SELECT 1"}\n' + line + "\n")
    with pytest.raises(SystemExit, match=r"requests\.jsonl:2: "):
        requests(file)
