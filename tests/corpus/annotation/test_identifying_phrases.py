"""Words that identify a person are found however they were typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.annotation.identifying_phrases import MASK, Phrase, Phrases, without_all

JOHN: Phrase = ("john", "smith")


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        (JOHN, "John SMITH's flight", "[masked]'s flight"),
        (JOHN, "JOHN-SMITH", "[masked]"),
        (JOHN, "john\\nsmith and john smith", "[masked] and [masked]"),
        (JOHN, "johnsmith", "johnsmith"),
        (JOHN, "flights", "flights"),
        (JOHN, "", ""),
        (("o'brien",), "Mr O\u2019BRIEN", "Mr [masked]"),
        (("josé",), "call Jose\u0301", "call [masked]"),
        (("five", "five", "five", "oh"), "at 555-0 or (5 5 5 0)", "at [masked] or ([masked])"),
        (("five", "five", "five", "oh"), "at 15550 five five five oh", "at 15550 [masked]"),
        (("five", "five"), "flight 55", "flight 55"),
        (("s", "m", "i", "t", "h"), "Smith, s-m-i-t-h", "[masked], [masked]"),
        (("d", "f"), "df", "df"),
        ((".*",), "anything", "anything"),
    ],
)
def test_a_phrase_goes_in_every_form(phrase: Phrase, text: str, expected: str) -> None:
    found = Phrases([phrase, ()])
    assert found.without(text.replace("\\n", "\n")) == expected
    assert found.stand_in(text.replace("\\n", "\n")) == (expected != text)


def test_the_longest_goes_first_and_nothing_is_searched_for_when_there_is_nothing() -> None:
    assert Phrases([("john",), JOHN]).without("john smith and john") == f"{MASK} and {MASK}"
    nothing = Phrases([(), ()])
    text = "john"
    assert not nothing
    assert nothing.without(text) is text


def test_the_longest_goes_first_whatever_capitals_it_begins_with() -> None:
    found = Phrases([("John",), ("Jo", "longname"), JOHN, ("ſ",)])
    assert found.without("jo LONGNAME, john smith, S") == f"{MASK}, {MASK}, {MASK}"


def test_names_within_others_and_names_that_overlap_are_all_found() -> None:
    found = Phrases([JOHN, ("smith",), ("smith", "five", "one", "one"), ("five", "one", "one"), ("mary",)])
    assert found.found_in("John Smith 511") == [("five", "one", "one"), JOHN, ("smith",)]
    assert found.found_in("john smith five one one, x511") == [phrase for phrase in found.all if phrase != ("mary",)]
    assert found.found_in("") == Phrases([]).found_in("john") == []


def test_those_that_stand_in_a_text_can_be_left_out() -> None:
    left = Phrases([("john",), ("mary", "ann")]).but("here is john again")
    assert left.all == (("mary", "ann"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("flights", MASK), ("john smith", MASK), ("to john smith please", f"to {MASK} please"), ("", "")],
)
def test_where_a_text_must_hold_a_phrase_and_does_not_nothing_is_let_through(text: str, expected: str) -> None:
    assert without_all(text, [JOHN, ()]) == expected


@given(
    st.lists(st.lists(st.text("abc'5. ", min_size=1, max_size=3), max_size=3).map(tuple)),
    st.text("abc'5 [].", max_size=20),
)
def test_what_was_masked_holds_nothing_more_to_mask(names: list[Phrase], text: str) -> None:
    found = Phrases(tuple(word for word in name if word.strip(" .")) for name in names)
    once = found.without(text)
    if MASK.strip("[]") not in {"".join(name) for name in names}:
        assert not found.stand_in(once)
