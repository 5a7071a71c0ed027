"""The Common Answer Specification: both versions, token by token, and the round trip."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.cas import (
    NO_ANSWER,
    Answer,
    CasError,
    Date,
    Relation,
    Rules,
    Value,
    answer_of,
    canonical,
    parse,
    render,
    render_table,
)
from session.values.answers import Table

OLD = Rules.R1989


def scalar(text: str, rules: Rules = Rules.R1992, lenient: bool = False) -> Value:
    one = parse(text, rules, lenient=lenient).single
    assert isinstance(one, Relation)
    assert one.scalar
    return one.rows[0][0]


def rows(text: str, rules: Rules = Rules.R1992) -> tuple[tuple[Value, ...], ...]:
    one = parse(text, rules).single
    assert isinstance(one, Relation)
    return one.rows


@pytest.mark.parametrize(
    "text",
    ["((false))", "FALSE", "2.9999999999", "(( 3 ))", '"04-JUL-89"', '( (2341 "SMITH") (5573 "JONES") )', "()"],
)
def test_the_samples_of_1989_parse_and_print_back(text: str) -> None:
    answer = parse(text, OLD)
    assert parse(render(answer, OLD), OLD) == answer
    assert parse(render(canonical(answer), OLD), OLD) == canonical(answer)


@pytest.mark.parametrize("text", ["FALSE", "false", "False", "((false))", "((FALSE))", "( (fAlSe)\n)"])
def test_1989_ignores_case_and_the_form_of_a_scalar(text: str) -> None:
    assert parse(text, OLD) == Answer((Relation(((False,),)),))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"01-JAN-80"', Date("01-JAN-80")),
        ('"04-jul-89"', Date("04-JUL-89")),
        ('"1-JAN-80"', "1-JAN-80"),
        ('"01-XXX-80"', "01-XXX-80"),
        ('"00-JAN-80"', "00-JAN-80"),
        ('"1355"', "1355"),
        ("1355", 1355),
    ],
)
def test_dates_of_1989_are_nine_characters_in_quotes(text: str, value: Value) -> None:
    found = scalar(text, OLD)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+5", 5),
        ("-3", -3),
        ("0920", 920),
        ("5.", Decimal(5)),
        ("5.00", Decimal(5)),
        (".5", ".5"),
        ("1e5", "1e5"),
        ("5,000", "5,000"),
        ("BOS", "BOS"),
        ('"BOS"', "BOS"),
        ('"152"', "152"),
        ("152", 152),
        ('"YES"', "YES"),
        ("YES", True),
        ("yes", True),
        ("TRUE", True),
        ("true", True),
        ("NO", False),
        ("no", False),
        ("FALSE", False),
        ("false", False),
        ("True", "True"),
        ("Yes", "Yes"),
        ('"04-JUL-89"', "04-JUL-89"),
        ("AP/57", "AP/57"),
        ("५", "५"),
    ],
)
def test_words_of_1992_are_numbers_before_booleans_before_strings(text: str, value: Value) -> None:
    found = scalar(text)
    assert found == value
    assert type(found) is type(value)


def test_mixed_case_is_a_distinguished_word_only_when_lenient() -> None:
    assert rows("((Nil))") == (("Nil",),)
    assert scalar("True", lenient=True) is True
    assert parse("No_Answer", lenient=True).single == NO_ANSWER
    assert scalar("No_Answer") == "No_Answer"


@pytest.mark.parametrize("text", ["NO_ANSWER", "no_answer", " NO_ANSWER /* nothing */"])
def test_no_answer_is_a_token_of_its_own(text: str) -> None:
    assert parse(text).single == NO_ANSWER


def test_nil_stands_for_any_value_of_a_tuple() -> None:
    assert rows('(("L" 5.00) ("R" nil) ("A" nil) ("R" NIL))') == (
        ("L", Decimal(5)),
        ("R", None),
        ("A", None),
        ("R", None),
    )
    assert rows('((NIL) ("214-545-0306"))', OLD) == ((None,), ("214-545-0306",))


def test_white_space_is_that_of_c_with_its_comments() -> None:
    assert rows('(("AA" /* x */ 1))') == rows('(\t("AA"\v1\f)\r\n)') == rows('(("AA"/**/1))') == (("AA", 1),)
    assert rows("((AA/* ( */BB))") == (("AA", "BB"),)


def test_parentheses_and_quotes_end_a_word() -> None:
    assert rows('((AA"x y"5))') == (("AA", "x y", 5),)


@pytest.mark.parametrize(
    "text",
    [
        "(A OR (B OR C))",
        "(A OR B OR C)",
        '("A" OR "B" or C)',
        "(A OR (((B)) OR C))",
        "(((A)) OR ((B)) OR ((C)))",
    ],
)
def test_alternatives_may_be_flat_or_nested_to_the_right(text: str) -> None:
    assert parse(text) == Answer(tuple(Relation(((word,),)) for word in "ABC"))


def test_a_relation_may_hold_the_string_or() -> None:
    assert rows("((OR) (CA))") == (("OR",), ("CA",))
    assert rows("((WA OR CA))") == (("WA", "OR", "CA"),)
    assert parse("(() OR ((1)))") == Answer((Relation(()), Relation(((1,),))))


@pytest.mark.parametrize(
    ("text", "line", "column", "say"),
    [
        ("", 1, 1, "no answer"),
        ("  \n", 1, 1, "no answer"),
        ("(())", 1, 2, "at least one value"),
        ("((1) ())", 1, 6, "at least one value"),
        ('((1 "A") (2))', 1, 10, "1 values, the first one 2"),
        ('((1)\n ("A"))', 2, 3, "string in column 1, which holds numbers"),
        ("((1) (TRUE))", 1, 7, "boolean in column 1"),
        ("((1)", 1, 5, "closing parenthesis was expected, not the end"),
        ("(", 1, 2, "closing parenthesis"),
        (")", 1, 1, r"an answer was expected, not \)"),
        ("5 6", 1, 3, "complete before 6"),
        ("((1)) OR ((2))", 1, 7, r"\( a OR b \)"),
        ("(5)", 1, 1, r"5 or \(\(5\)\)"),
        ('"abc', 1, 1, "string that begins here has no end"),
        ("((1) /* x", 1, 6, "comment that begins here has no end"),
        ("(((1)))", 1, 1, "a list holds tuples"),
        ("((1 (2)))", 1, 5, "not lists"),
        ("(A OR )", 1, 7, "answer was expected"),
        ("(A OR B C)", 1, 9, "closing parenthesis was expected, not C"),
        ("((1 OR 2) OR 3)", 1, 11, "nested to the right"),
        ("((((1)) OR ((2))) OR ((3)))", 1, 19, "nested to the right"),
        ("(1 OR (2 OR 3) OR 4)", 1, 16, "nested to the right"),
        ("((1)\n (" + "9" * 5000 + "))", 2, 3, "a number of 5000 characters"),
    ],
)
def test_an_error_names_its_place(text: str, line: int, column: int, say: str) -> None:
    with pytest.raises(CasError, match=say) as error:
        parse(text, source="a.ref")
    assert (error.value.line, error.value.column) == (line, column)
    assert str(error.value).startswith(f"a.ref:{line}:{column}: ")


def test_an_error_repeats_no_more_than_a_line_of_what_stands_there() -> None:
    with pytest.raises(CasError) as caught:
        parse(f"(1) {';' * 100_000}")
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "text",
    [
        "NO_ANSWER",
        "(1 OR 2)",
        "YES",
        "no",
        "BOS",
        "1e5",
        ".5",
        "((BOS))",
        "(( /* x */ 1))",
        "nil",
        "contingent-failure",
    ],
)
def test_1989_has_none_of_the_later_additions(text: str) -> None:
    with pytest.raises(CasError):
        parse(text, OLD)


def test_a_bare_nil_is_a_string_with_a_warning() -> None:
    warnings: list[CasError] = []
    assert parse("NIL", warn=warnings.append) == Answer((Relation((("NIL",),)),))
    assert "((NIL))" in str(warnings[0])
    assert parse("((NO_ANSWER))", warn=warnings.append) == Answer((Relation((("NO_ANSWER",),)),))
    assert len(warnings) == 2


def test_true_is_not_one_and_a_string_is_no_number() -> None:
    assert parse("((TRUE))") != parse("((1))")
    assert parse('(("1355"))') != parse("((1355))")
    assert parse("((3))") != parse("((3.0))")


def test_the_canonical_form_orders_rows_and_drops_repeats() -> None:
    assert render(canonical(parse('(("b" 2.50) ("a" 1.0) ("b" 2.5))'))) == '(("a" 1.0)\n ("b" 2.5))'
    assert render(canonical(parse("(YES OR ((yes)) OR 5)"))) == "(((TRUE))\n OR ((5)))"


def test_many_alternatives_are_many_and_each_stands_once() -> None:
    text = "(" + " OR ".join(str(number % 20_000) for number in range(40_000)) + ")"
    assert len(canonical(parse(text)).alternatives) == 20_000


@pytest.mark.parametrize(
    ("one", "two", "text"),
    [
        ("((48) (48.0))", "((48.0) (48))", "((48))"),
        ('((48 "A") (48.0 "B"))', '((48.0 "B") (48.0 "A") (48 "A"))', '((48 "A")\n (48 "B"))'),
        ("((0.0) (-0.0))", "((-0.0) (0.0))", "((0.0))"),
        ("5.", "((5.000))", "((5.0))"),
    ],
)
def test_the_same_numbers_are_the_same_bytes_however_they_were_written(one: str, two: str, text: str) -> None:
    assert [render(canonical(parse(text))) for text in (one, two)] == [text, text]


def test_a_result_of_a_database_keeps_its_types() -> None:
    assert render_table(["a", "b", "c"], [["x", 1, 1e-7], ["1355", None, 1e21]]) == (
        '(("1355" NIL 1000000000000000000000.0)\n ("x" 1 0.0000001))'
    )
    assert render_table(["n"], []) == "()"


@pytest.mark.parametrize(
    ("row", "say"),
    [
        (("x", float("inf")), "row 2, column b"),
        (('a"b', 1), "row 2, column a"),
        ((3, 1), r"column 1 \(a\) holds number and string"),
    ],
)
def test_a_result_that_no_answer_can_hold_is_refused(row: tuple[str | int | float, ...], say: str) -> None:
    with pytest.raises(CasError, match=say):
        answer_of(Table(("a", "b"), (("x", 1), row)))


def test_a_mixed_column_can_become_strings_on_demand() -> None:
    answer = answer_of(Table(("a",), (("x",), (3,), (None,))), mixed_as_strings=True)
    assert answer == Answer((Relation((("x",), ("3",), (None,))),))


def test_what_1989_cannot_say_is_not_printed() -> None:
    for text in ("NO_ANSWER", "(1 OR 2)"):
        with pytest.raises(CasError):
            render(parse(text), OLD)


WORDS = st.text(st.characters(exclude_characters='"', exclude_categories=["Cs"]), max_size=8)
REALS = st.decimals(allow_nan=False, allow_infinity=False, places=4)
COLUMNS = [st.booleans(), st.integers(), REALS, WORDS]


@st.composite
def relations(draw: st.DrawFn) -> Relation:
    columns = draw(st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=4))
    row = st.tuples(*[st.one_of(st.none(), column) for column in columns])
    return Relation(tuple(draw(st.lists(row, max_size=5))))


@given(st.lists(st.one_of(relations(), st.just(NO_ANSWER)), min_size=1, max_size=3))
def test_parse_undoes_render(alternatives: list[Relation]) -> None:
    answer = Answer(tuple(alternatives))
    assert parse(render(answer)) == answer
    assert render(canonical(parse(render(canonical(answer))))) == render(canonical(answer))


@given(st.text(st.sampled_from('()" OR1A.\n/*'), max_size=14), st.sampled_from(Rules))
def test_any_text_is_an_answer_or_one_error_with_its_place(text: str, rules: Rules) -> None:
    try:
        answer = parse(text, rules)
    except CasError as error:
        place = (error.line, error.column)
    else:
        place = (1, 1)
        assert parse(render(answer, rules), rules) == answer
    assert (1, 1) <= place <= (text.count("\n") + 1, len(text) + 1)
