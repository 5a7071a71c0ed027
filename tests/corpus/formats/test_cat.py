import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.formats.cat import CLASSES, TAGS, Category, Characteristics, parse, render
from corpus.formats.errors import FormatFault
from tests import ROOT

POINTERS = st.from_regex(r"Q[0-9a-z]{1,2}", fullmatch=True)
CHARACTERISTICS = st.builds(
    Characteristics,
    tags=st.lists(st.sampled_from(TAGS), unique=True, max_size=3).map(tuple),
    context=st.lists(POINTERS, max_size=2).map(tuple),
)
COMMENTS = st.lists(st.text("abc Q;:#", max_size=9).map(str.strip), max_size=2).map(tuple)


@given(
    st.sampled_from(CLASSES),
    CHARACTERISTICS,
    st.lists(CHARACTERISTICS, max_size=3),
    COMMENTS,
)
def test_what_is_rendered_is_parsed_back(
    evaluation: str, utterance: Characteristics, readings: list[Characteristics], comments: tuple[str, ...]
) -> None:
    category = Category(evaluation, utterance, tuple(enumerate(readings, start=1)), comments)
    if evaluation == "A" or any(reading != Characteristics() for reading in (utterance, *readings)):
        assert parse(render(category), "x.cat") == category


def test_the_interpretations_of_the_1992_paper_are_read_in_its_spelling() -> None:
    category = parse("D:\ninterp#1: yes/no context-dep:Q1\ninterp#2: wh-ques context-dep:Q1\n", "x.cat")
    assert category.interpretations == (
        (1, Characteristics(("yes/no",), ("Q1",))),
        (2, Characteristics(("wh-question",), ("Q1",))),
    )
    assert render(category) == (
        b"D:\ninterp#1: yes/no context-dependent:Q1\ninterp#2: wh-question context-dependent:Q1\n"
    )


@pytest.mark.parametrize(
    ("text", "evaluation", "tags"),
    [
        ("X: ill-formed", "X", ("ill-formed",)),
        ("A:", "A", ()),
        ("; first\nA:\n  yes/no ; a remark\n wh-question", "A", ("yes/no", "wh-question")),
        ("D1: context-dependent:Q2", "D1", ()),
    ],
)
def test_what_the_specification_shows_is_read(text: str, evaluation: str, tags: tuple[str, ...]) -> None:
    category = parse(text, "x.cat")
    assert (category.evaluation, category.utterance.tags) == (evaluation, tags)


def test_each_reason_to_exclude_that_the_document_gives_is_written_and_kept() -> None:
    text = (ROOT / "docs" / "reference" / "formats" / "cat.md").read_text(encoding="utf-8")
    written = re.findall(r"^\| .+ \| .+ \| `(X: .+)` \|$", text, re.MULTILINE)
    assert len(written) == len(set(written)) == 11
    for line in written:
        category = parse(line + "\n", "x.cat")
        assert (category.evaluation, parse(render(category), "x.cat")) == ("X", category)
        assert bool(category.comments) == (";" in line)


def test_nineteen_tags_are_known() -> None:
    assert len(set(TAGS)) == 19


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.cat: no category"),
        ("; only a remark", "no category"),
        ("X:", "x.cat:1: class X without a tag"),
        ("D: ; nothing", "class D without a tag"),
        ("X: interp#1: interp#2:", "class X without a tag"),
        ("\nB: yes/no", "x.cat:2: 'B:' is not a class"),
        ("A wh-question", "'A' is not a class"),
        ("A: wh question", "'wh' is not a tag"),
        ("A: yes/no yes/no", "occurs twice"),
        ("D: context-dep:", "'' is not a pointer"),
        ("D: context-dep:2", "'2' is not a pointer"),
        ("D: context-dep:Q1 context-dep:Q2", "two context tags"),
        ("A: interp#2: yes/no", "interp#2: out of order"),
    ],
)
def test_what_the_grammar_forbids_is_refused_at_the_line(text: str, message: str) -> None:
    with pytest.raises(FormatFault, match=message):
        parse(text, "x.cat")
