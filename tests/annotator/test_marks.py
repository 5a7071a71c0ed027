import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator import marks
from annotator.marks import SelectedLine
from corpus.formats import sro


def at(text: str) -> SelectedLine:
    """A line out of a text with `|` for the cursor, or two of them around a selection."""
    first = text.index("|")
    second = text.find("|", first + 1)
    plain = text.replace("|", "")
    return SelectedLine(plain, first, second - 1 if second > 0 else first)


@pytest.mark.parametrize(
    ("change", "before", "after"),
    [
        (marks.deleted, "show the| flights", "show <the> flights"),
        (marks.deleted, "show <the>| flights", "show <<the>> flights"),
        (marks.deleted, "show <<the>>| flights", "show the flights"),
        (marks.deleted, "|show the| flights", "<show> <the> flights"),
        (marks.mispronounced, "from bos|tin", "from *bostin*"),
        (marks.mispronounced, "from *bos|tin*", "from bostin"),
        (marks.stressed, "not| that", "!not that"),
        (marks.fragment, "fli| flights", "fli- flights"),
        (marks.fragment, "revo(lutionary)-|", "revo"),
        (marks.lengthened, "lo|ng", "lo:ng"),
        (marks.lengthened, "lo:|ng", "long"),
        (marks.lengthened, "lo|:ng", "long"),
        (marks.cut_off, "to den|ver", "to denver ~"),
        (marks.cut_off, "to den|ver ~", "to denver"),
        (marks.cut_off, "|to denver", "~ to denver"),
        (marks.cut_off, "|~ to denver", "to denver"),
        (marks.silence, "a|", "~~"),
    ],
)
def test_word_marks_come_and_go_with_their_key(change: object, before: str, after: str) -> None:
    assert change(at(before)).text == after  # type: ignore[operator]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("show |please| now", "show (( please )) now"),
        ("show (( plea|se )) now", "show please now"),
        ("show |me please| now", "show (( me please )) now"),
        ("show (( me please| )) now", "show me please now"),
        ("show |(( me please ))| now", "show me please now"),
        ("(( me )) plea|se (( now ))", "(( me )) (( please )) (( now ))"),
        ("show| |me please", "show (( me )) please"),
        ("|", "(( ))"),
    ],
)
def test_stretches_come_and_go_with_their_key(before: str, after: str) -> None:
    assert marks.around(at(before), *marks.UNCERTAIN).text == after


@pytest.mark.parametrize(
    ("where", "before", "after"),
    [
        ("alone", "show| me", "show [cough] me"),
        ("alone", "|show me", "[cough] show me"),
        ("alone", "sh|ow me", "show [cough] me"),
        ("before", "show me|", "show me [<cough]"),
        ("after", "show |me", "show [cough>] me"),
        ("over", "|show me| the", "[cough/] show me [/cough] the"),
    ],
)
def test_noises_lie_where_they_are_put(where: str, before: str, after: str) -> None:
    assert marks.noise(at(before), "cough", where).text == after
    assert not sro.check(after)


def test_what_is_no_word_keeps_its_form() -> None:
    assert marks.deleted(at("[co|ugh] 7")).text == "[cough] 7"
    assert marks.deleted(at("flight |7|")).text == "flight 7"


CHANGES = [
    marks.deleted, marks.mispronounced, marks.stressed, marks.fragment, marks.lengthened, marks.cut_off,
    lambda line: marks.around(line, *marks.UNCERTAIN), lambda line: marks.inserted(line, "[uh]"),
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(["show", "the", "<a>", "*b*", "[uh]", "7", "((", "))", "~", "flights"])).map(" ".join)


def letters(text: str) -> str:
    return re.sub("[^a-z0-9]", "", text.replace("[uh]", ""))


@given(TEXTS, st.data())
def test_no_key_ever_loses_a_letter_or_leaves_the_line(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for change in CHANGES:
        made = change(SelectedLine(text, start, end))
        assert made.text == text or 0 <= made.start == made.end <= len(made.text)
        assert letters(made.text) == letters(text)


@given(TEXTS.filter(lambda text: "((" not in text and "))" not in text and text), st.data())
def test_a_stretch_that_is_marked_twice_is_what_it_was(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    once = marks.around(SelectedLine(text, start, start), *marks.UNCERTAIN)
    assert marks.around(once, *marks.UNCERTAIN).text == " ".join(text.split())
