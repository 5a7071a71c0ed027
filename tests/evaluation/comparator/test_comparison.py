"""The comparator on the examples that the papers print, and on the rulings where they are silent."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.evaluation import compare as compare_door
from corpus.formats.cas import Rules, parse
from evaluation.comparator.comparison import InputFault, Verdict, compare
from evaluation.comparator.options import Alternatives, Integers, Near, Options, options_for
from tests.evaluation.commands import compare as compare_texts

RIGHT, WRONG, NONE = Verdict.CORRECT, Verdict.INCORRECT, Verdict.NO_ANSWER
OLD = options_for(Rules.R1989)
FIVE = '(("CONCORDE" "JET") ("AIRBUS" "JET") ("ELECTRA" "TURBOPROP") ("FOKKER" "TURBOPROP") ("BOEING" "JET"))'


def verdict(ref: str, hyp: str, most: str | None = None, options: Options | None = None) -> Verdict:
    chosen = options or Options()
    maximum = None if most is None else parse(most, chosen.rules)
    return compare(parse(ref, chosen.rules), parse(hyp, chosen.rules), maximum, chosen).verdict


@pytest.mark.parametrize("options", [Options(), OLD], ids=["1992", "1989"])
@pytest.mark.parametrize(
    ("ref", "hyp", "expected"),
    [
        ('((4456 "TAI"))', '((4456 "TAI" "PAUL"))', RIGHT),
        ('((4456 "TAI"))', '(("TAI" 4456))', RIGHT),
        ('((4456 "TAI"))', "((4456))", WRONG),
        ("53200.0", "53198.8", RIGHT),
        ("53200.0", "53190.9", WRONG),
        ("53200.0", "53205.32", RIGHT),
        ("53200.0", "53205.33", WRONG),
        ("53200", "53199", WRONG),
        ("-53200.0", "-53198.8", RIGHT),
        ("0.1064", "0.11", WRONG),
        ("36.87", "37", WRONG),
        ("0.1064", "0.10637", WRONG),
        ("0.0", "0.0", RIGHT),
        ("0.0", "0.0000001", WRONG),
        ("5", "((5))", RIGHT),
        ("((5))", "5", RIGHT),
        ("48", "48.0", RIGHT),
        ("48", "48.004", RIGHT),
        ('(("JET") ("TURBOPROP"))', FIVE, RIGHT),
        ("((40000))", '(("SMITH" 40000) ("JONES" 40000))', RIGHT),
        ("((1) (2) (1))", "((2) (1) (2) (2))", RIGHT),
        ("((1) (2))", "((1) (2) (3))", WRONG),
        ("((1) (2))", "((1))", WRONG),
        ("()", "()", RIGHT),
        ("()", "((1))", WRONG),
        ("((1))", "()", WRONG),
        ('"6218"', "6218", WRONG),
        ("((NIL))", "((NIL))", RIGHT),
        ("((NIL))", '(("NIL"))', WRONG),
        ('((1 "a") (2 NIL))', '((NIL 2) ("a" 1))', RIGHT),
        ("true", "((true 5))", RIGHT),
        ("true", "1", WRONG),
        ('"a"', '"A"', WRONG),
    ],
)
def test_both_rules_compare_alike(options: Options, ref: str, hyp: str, expected: Verdict) -> None:
    assert verdict(ref, hyp, options=options) is expected


@pytest.mark.parametrize(
    ("ref", "hyp", "expected"),
    [
        ("YES", "((TRUE))", RIGHT),
        ("no", "FALSE", RIGHT),
        ("YES", '"YES"', WRONG),
        ("(YES OR ((1) (2)))", "((2) (1))", RIGHT),
        ("(YES OR ((1) (2)))", "true", RIGHT),
        ("(1 OR 2)", "3", WRONG),
        ("(2 OR (1 OR 3))", "3", RIGHT),
        ("BOS", '"BOS"', RIGHT),
        ('" BOS "', "BOS", RIGHT),
        ("BOS", "bos", WRONG),
        ("1", "NO_ANSWER", NONE),
        ("NIL", "((NIL))", WRONG),
        ("NIL", '"NIL"', RIGHT),
        ("0.3", "0.3000000001", RIGHT),
        ('"04-JUL-89"', '"04-jul-89"', WRONG),
    ],
)
def test_rules_of_1992(ref: str, hyp: str, expected: Verdict) -> None:
    assert verdict(ref, hyp) is expected


@pytest.mark.parametrize(
    ("ref", "hyp", "expected"),
    [
        ('"06-OCT-52"', '"06-oct-52"', RIGHT),
        ('"06-OCT-52"', '"07-OCT-52"', WRONG),
        ('" BOS"', '"BOS"', WRONG),
        ("true", "((true false))", RIGHT),
        ("false", "((true false))", RIGHT),
    ],
)
def test_rules_of_1989(ref: str, hyp: str, expected: Verdict) -> None:
    assert verdict(ref, hyp, options=OLD) is expected


def test_the_hole_of_1989_is_closed_by_a_maximum() -> None:
    assert verdict("true", "((true false))") is RIGHT
    assert verdict("true", "((true false))", "true") is WRONG


def test_an_answer_right_for_three_questions_is_not_with_maxima() -> None:
    answer = '(("AA" 152 0920 1015 "BOS" "CHI" "SNACK"))'
    minima = ["0920", '(("AA" 152))', '"SNACK"']
    maxima = ['(("AA" 152 0920))', '(("AA" 152 0920 "BOS" "CHI"))', '(("AA" 152 0920 "SNACK"))']
    assert [verdict(least, answer) for least in minima] == [RIGHT] * 3
    assert RIGHT not in [verdict(least, answer, most) for least, most in zip(minima, maxima, strict=True)]
    assert [verdict(least, most, most) for least, most in zip(minima, maxima, strict=True)] == [RIGHT] * 3


def test_minimum_and_maximum_of_one_interpretation_belong_together() -> None:
    assert verdict("(1 OR 2)", "((2 5))", "(1 OR ((2 5)))") is RIGHT
    assert verdict("(1 OR 2)", "((1 5))", "(((1 6)) OR ((1 5)))") is WRONG
    with pytest.raises(InputFault, match="2 and 1 alternatives; they go in pairs"):
        verdict("(1 OR 2)", "1", "1")


def test_a_column_may_not_be_repeated_beyond_the_maximum() -> None:
    assert verdict("((1) (2))", "((1 1) (2 2))") is RIGHT
    assert verdict("((1) (2))", "((1 1) (2 2))", "((1 7) (2 8))") is WRONG


def test_readings_of_the_columns_that_disagree_are_flagged() -> None:
    agreeing = compare(parse("((1) (2))"), parse("((1 3) (2 4))"), parse("((3 1) (4 2))")).judgements[0]
    assert (agreeing.mapping, agreeing.placing, agreeing.agreeing) == ((0,), (1, 0), True)
    crossed = compare(parse("((1) (2))"), parse("((1) (2))"), parse("((1) (2) (3))")).judgements[0]
    assert (crossed.placing, crossed.agreeing) == ((0,), False)


def test_all_alternatives_can_be_demanded() -> None:
    strict = Options(alternatives=Alternatives.ALL)
    assert verdict("(((1)) OR ((2)))", "((1 2))", options=strict) is RIGHT
    assert verdict("(((1)) OR ((2)))", "((1))", options=strict) is WRONG


def test_tolerance_can_be_told_three_ways() -> None:
    assert verdict("53200.0", "53190.9", options=Options(tolerance="0.001")) is RIGHT
    assert verdict("53200.0", "53209.0", options=Options(tolerance="digits:4")) is WRONG
    assert verdict("53200.0", "53204.9", options=Options(tolerance="digits:4")) is RIGHT
    assert verdict("0.3", "0.30000001", options=Options(tolerance="0")) is WRONG
    assert verdict("53200", "53199", options=Options(integers=Integers.TOLERANT)) is RIGHT
    with pytest.raises(ValueError, match=r"write a share such as 0\.0001"):
        Options(tolerance="1%")


def test_sets_of_reals_are_paired_not_taken_greedily() -> None:
    loose = Options(tolerance="0.1")
    assert verdict("((1.0) (1.1))", "((1.09) (1.2))", options=loose) is RIGHT
    assert verdict("((1.1) (1.0))", "((1.2) (1.09))", options=loose) is RIGHT
    assert verdict("((1.0) (1.1))", "((1.15) (1.2))", options=loose) is WRONG
    apart = Options(tolerance="0.1", near=Near.APART)
    assert verdict("((1.0))", "((1.0) (1.01))", options=apart) is WRONG
    assert verdict("((1.0))", "((1.0) (1.01))", options=loose) is RIGHT


def test_tuples_that_round_off_alone_tells_apart_are_one_in_1992_and_two_in_1989() -> None:
    """The cost per airline, of which the reference wants the cost: each airline's is off by as much as a machine is."""
    wide = '(("AA" 133.33333333) ("UA" 133.33333334) ("DL" 133.33333333))'
    assert verdict("((133.33333333))", wide) is RIGHT
    assert verdict("((133.33333333))", wide, options=options_for(Rules.R1989)) is WRONG
    assert verdict("((133.33333333))", wide.replace("34", "99")) is RIGHT
    assert verdict("((133.33333333))", wide.replace("34", '34) ("ZZ" 133.5')) is WRONG  # one of them is near nothing
    assert verdict("((133.33333333) (133.33333334))", "((133.33333333))") is WRONG  # and none stands for two


def test_what_cannot_be_compared_is_an_input_fault() -> None:
    with pytest.raises(InputFault, match="must not have alternatives; this one has 2"):
        verdict("1", "(1 OR 2)")
    with pytest.raises(InputFault, match="reference is NO_ANSWER"):
        verdict("NO_ANSWER", "1")


def test_past_the_work_limit_the_verdict_is_undecided() -> None:
    rows = "(" + "".join(f"({n} {n * 7 % 50} 0.{n:02})" for n in range(50)) + ")"
    near = rows.replace("0.49)", "0.490001)")
    assert verdict(rows, near, options=Options(work=1)) is Verdict.UNDECIDED
    assert verdict(rows, near) is RIGHT


def test_the_command_says_the_verdict_why_and_what_was_computed() -> None:
    signature = "CAS|rules:1992|ref:min|tol:0.0001|int:exact|near:one|or:any|case:strict|trim:yes|v:1"
    assert compare_texts("((1) (2))", "((2 5) (1 6))") == (0, f"correct\n  {signature}\n", "")
    status, out, _ = compare_texts('((1 "a") (2 "b"))', '(("a" 1) ("b" 3) ("c" 4))')
    assert status == 1
    assert "nearest columns (reference→answer) 1→2, 2→1" in out
    assert 'missing (2 "b"); too much (3 "b") and 1 more' in out
    assert compare_texts("1", "NO_ANSWER")[:2] == (1, f"no answer\n  {signature}\n")


@pytest.mark.parametrize(
    ("ref", "hyp", "most", "say"),
    [
        ("()", "((1))", None, "the reference is empty, the answer is not; too much (1)"),
        ("((1))", "()", None, "the answer is empty; missing (1)"),
        ("((1 2))", "((1))", None, "the answer has 1 columns, the reference needs 2"),
        ("1", "((1 2 3))", "((1 2))", "the answer has 3 columns, the maximum allows 2"),
        ("1", "((1 3))", "((1 2))", "beyond the maximum; nearest columns (answer→maximum) 1→1, 2→2; too much (1 3)"),
        ("((1.0) (1.00005))", "((1.0))", None, "cannot be given tuples of their own"),
        ("(1 OR 2)", "3", None, "alternative 2: no choice of columns"),
    ],
)
def test_reasons(ref: str, hyp: str, most: str | None, say: str) -> None:
    status, out, _ = compare_texts(ref, hyp, **({} if most is None else {"maximum": most}))
    assert status == 1
    assert say in out


def test_files_are_read_and_faults_name_their_place(tmp_path: Path) -> None:
    ref, bad = tmp_path / "e000e1s.ref", tmp_path / "latin.hyp"
    ref.write_text("((1)\n (2)\n (A))\n")
    bad.write_bytes(b'(("Z\xfcrich"))')
    assert compare_texts(str(ref), "1")[0] == 2
    assert f"{ref}:3:3: a string in column 1" in compare_texts(str(ref), "1")[2]
    assert f"{bad}:1: byte 0xfc is not UTF-8" in compare_texts("1", str(bad))[2]
    assert "there is no such file" in compare_texts("nothing.ref", "1")[2]
    assert "answer:1:1: a list holds tuples" in compare_texts("1", "(1)")[2]
    assert compare_texts("YES", "YES", rules="1989")[0] == 2
    ref.write_text("((1)\n (2))\n")
    assert compare_texts(str(ref), "((2)(1))")[0] == 0


def test_json_for_other_programs() -> None:
    status, out, _ = compare_texts("((1))", "((2))", as_json=True)
    assert status == 1
    assert '"verdict": "incorrect"' in out
    assert '"missing": "(1)"' in out
    status, out, _ = compare_texts("((1))", "(2)", as_json=True)
    assert status == 2
    assert '"verdict": "input error"' in out


def test_the_command_takes_negative_numbers_and_still_knows_its_options() -> None:
    run = CliRunner().invoke
    assert run(compare_door, ["-5", "-5.0"]).output.startswith("correct")
    assert run(compare_door, ["-5.0", "-5.1", "--tolerance", "0.1"]).exit_code == 0
    assert run(compare_door, ["-5", "5"]).exit_code == 1
    assert run(compare_door, ["1", "--jsn"]).exit_code == 2


def test_an_input_error_names_the_file_of_the_answer(tmp_path: Path) -> None:
    given = tmp_path / "given.cas"
    given.write_text("(1 OR 2)")
    found = CliRunner().invoke(compare_door, ["1", str(given)])
    assert (found.exit_code, "given.cas: an answer must not have alternatives" in found.output) == (2, True)
    given.write_bytes(b"\xef\xbb\xbf1")
    assert "given.cas:1: begins with a byte order mark" in CliRunner().invoke(compare_door, ["1", str(given)]).output


def test_what_looks_like_the_name_of_a_missing_file_is_told() -> None:
    for given in ("out/answers", "answers.txt", "."):
        status, _, err = compare_texts(given, "5")
        assert status == 1
        assert f"warning: reference: {given} is read as a string; there is no file of that name" in err
    for given in ("BOS", "5.", "5.5", "(A/B)"):
        assert "no file" not in compare_texts(given, "5")[2]


def test_an_undecided_comparison_says_how_to_go_on() -> None:
    rows = "(" + "".join(f"({n} {n * 7 % 50} 0.{n:02})" for n in range(50)) + ")"
    near = rows.replace("0.49)", "0.490001)")
    status, out, _ = compare_texts(rows, near, work=1)
    assert (status, out.splitlines()[:2]) == (
        2,
        ["undecided", "  undecided within 1 steps; raise the limit with --work"],
    )
    assert compare_texts(rows, rows, work=0)[0] == 2


def test_expressions_longer_than_names_of_files_are_compared() -> None:
    for many in (60, 300, 5000):
        rows = "(" + "".join(f"({n} 0.5)" for n in range(many)) + ")"
        assert compare_texts(rows, rows)[0] == 0
        assert compare_texts('"' + "a." * many + '"', "a." * many)[0] == 0


def test_an_expression_that_is_no_utf_8_is_an_input_error() -> None:
    status, _, err = compare_texts("5", '"Z\udcfcrich"')
    assert (status, err) == (2, 'error: answer: "Z␦rich" is not UTF-8\n')


def test_a_maximum_without_its_own_minimum_is_an_input_error() -> None:
    for least, most in (("((1) (2))", "((1 3))"), ("((1))", "()"), ("(1 OR 2)", "(1 OR 3)")):
        status, _, err = compare_texts(
            least, "((1) (2))" if least == "((1) (2))" else least.strip("()").split()[-1], maximum=most
        )
        assert status == 2
        assert "does not hold its own minimum" in err
    status, out, _ = compare_texts("((1) (2))", "((1 9) (2 8))", maximum="((1 5) (2 6))")
    assert status == 1
    assert "beyond the maximum; nearest columns (answer→maximum) 1→1, 2→2; too much (1 9) and 1 more" in out
