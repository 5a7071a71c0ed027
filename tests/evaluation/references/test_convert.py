"""Foreign results as answers, and what is wrong with them told with its place."""

from pathlib import Path

import pytest

from tests.evaluation.commands import compare as compare_texts
from tests.evaluation.commands import convert


@pytest.mark.parametrize(
    ("name", "text", "options", "expected"),
    [
        ("a.csv", "n,s,b\n2,x,yes\n1,,no\n", {}, '((1 NIL FALSE)\n (2 "x" TRUE))'),
        ("a.csv", "0920\n5\n", {"no_header": True, "types": "s"}, '(("0920")\n ("5"))'),
        ("a.csv", "n\n", {}, "()"),
        ("a.csv", 'code,phone,n\n007,"6218",1\n12,"",02.5\n', {}, '(("007" "6218" "1")\n ("12" NIL "02.5"))'),
        ("a.csv", 'phone,n\n"6218",0\n', {"types": "nn"}, "((6218 0))"),
        ("a.csv", '"phone","n"\n"6218","0.5"\n', {}, "((6218 0.5))"),
        ("a.csv", 'n,s\n1,"two\nlines"\n2,one\u2028line\n', {}, '((1 "two\nlines")\n (2 "one\u2028line"))'),
        ("a.json", "[[2.5e3], [-1E-2]]", {}, "((-0.01)\n (2500.0))"),
        ("a.json", '[[2, "1355", 0.50], [1, null, 1.0]]', {}, '((1 NIL 1.0)\n (2 "1355" 0.5))'),
        ("a.json", '[{"a": 1, "b": true}, {"b": false, "a": 0}]', {"keep_order": True}, "((1 TRUE)\n (0 FALSE))"),
        ("a.json", '{"columns": ["a"], "rows": [[1]]}', {}, "((1))"),
        ("a.json", "true", {"rules": "1989"}, "((true))"),
        ("a.ref", "(BOS OR DEN)", {}, '((("BOS"))\n OR (("DEN")))'),
    ],
)
def test_foreign_results_become_answers(
    tmp_path: Path, name: str, text: str, options: dict[str, object], expected: str
) -> None:
    (tmp_path / name).write_text(text)
    assert convert(str(tmp_path / name), **options) == (0, expected + "\n", "")


@pytest.mark.parametrize(
    ("name", "text", "options", "why"),
    [
        ("a.csv", "a,b\n1\n", {}, "2:1: 1 fields; the first line has 2"),
        ("a.csv", "a\nx\n", {"types": "n"}, "column 1: 'x' is not a number"),
        ("a.csv", "a\nx\n", {"types": "nn"}, "write 1 letters"),
        ("a.json", "[[1],\n [}", {}, "2:"),
        ("a.json", "[[1], [[2]]]", {}, "row 2: [2] is not a value"),
        ("a.json", '[[1], ["a"]]', {}, "a string in column 1, which holds numbers above"),
        ("a.json", '[["a\\"b"]]', {}, "a double quote cannot stand"),
        ("a.xls", "", {}, "name the format"),
    ],
)
def test_what_is_no_answer_is_refused_with_its_place(
    tmp_path: Path, name: str, text: str, options: dict[str, object], why: str
) -> None:
    (tmp_path / name).write_text(text)
    status, out, err = convert(str(tmp_path / name), **options)
    assert (status, out) == (2, "")
    assert why in err
    assert name in err


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("a.json", "[[1, 2], [3]]", "a.json: row 2 has 1 values, the first one 2"),
        ("a.json", '[{"a": 1}, {"a": true}]', "a.json: row 2: a boolean in column 1, which holds numbers above"),
        ("a.json", "[[]]", "a.json: row 1 has 0 values"),
        ("a.json", '{"a":\n', "a.json:2:1: Expecting value"),
        ("a.csv", "a,b\n1\n", "a.csv:2:1: 1 fields"),
        ("a.csv", 'a,b\n"x\ny",1\n2\n', "a.csv:4:1: 1 fields"),
        ("a.csv", 'a\n"x\n', "a.csv:2:1: this is not CSV"),
        ("a.csv", "a\n" + "x" * 200_000 + "\n", "a.csv:2:1: this is not CSV"),
        ("a.csv", "a\n" + "9" * 5000 + "\n", "a.csv: a number of 5000 characters"),
        ("a.json", "[[1e99999999]]", "a.json: the number 1e99999999 is too large"),
        ("a.json", "[[1e99999999999999999999]]", "a.json: the number 1e99999999999999999999 is too large"),
        ("a.json", "[[" + "9" * 5000 + "]]", "a.json: a number of 5000 characters"),
        ("a.json", '[{"id": 1, "id": 2}]', "a.json: the key 'id' occurs twice"),
    ],
)
def test_a_fault_of_foreign_results_is_told_with_its_place(tmp_path: Path, name: str, text: str, fault: str) -> None:
    (tmp_path / name).write_text(text)
    status, _, err = convert(str(tmp_path / name))
    assert status == 2
    assert f"{tmp_path}/{fault}" in err


def test_what_is_no_answer_yet_is_told_with_the_command_that_makes_it_one(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("a\n1\n")
    (tmp_path / "nothing.csv").write_text("")
    status, _, err = compare_texts("((1))", str(tmp_path / "r.csv"))
    assert status == 2
    assert f"`curtain cas {tmp_path / 'r.csv'}` makes it one" in err
    assert "a line of column names alone is the empty answer" in convert(str(tmp_path / "nothing.csv"))[2]
