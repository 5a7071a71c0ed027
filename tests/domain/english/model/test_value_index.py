"""The value index and misspellings."""

from hypothesis import given
from hypothesis import strategies as st

from domain.english.engine import Engine
from domain.english.model.value_index import edits, near, phrase, spread

WORD = st.text("abcde", max_size=6)


def test_phrases_are_read_as_requests_are() -> None:
    assert phrase("St. Paul's") == ("st", "paul")
    assert spread("AP/80") == ("ap", "80")


def test_a_misspelling_is_found_when_one_word_is_nearest() -> None:
    known = dict.fromkeys(["norton", "sutton", "westbury"])
    assert near("nortn", known) == "norton"
    assert near("westburry", known) == "westbury"
    assert near("wsetbury", known) == "westbury"
    assert near("sut", known) is None
    assert near("norfolk", known) is None
    assert near("12345", known) is None


def test_two_words_equally_near_are_none() -> None:
    assert near("marten", dict.fromkeys(["martin", "marton"])) is None


@given(WORD, WORD)
def test_edits_are_symmetric_and_zero_only_for_equals(a: str, b: str) -> None:
    assert edits(a, b, 9) == edits(b, a, 9)
    assert (edits(a, b, 9) == 0) == (a == b)


@given(WORD, WORD, WORD)
def test_edits_never_exceed_the_longer_word(a: str, b: str, c: str) -> None:
    assert edits(a, b, 9) <= max(len(a), len(b))
    assert abs(len(a) - len(c)) <= edits(a, c, 9)


def test_an_index_holds_names_synonyms_and_spelt_out_names(personnel: Engine, library: Engine) -> None:
    starting = dict(library.lexicon.starting(["the", "west"], 0))
    assert any(s.value and s.value.data == ("WESTBURY",) for s in starting.values())
    senses = [s for _, s in personnel.lexicon.starting(["sharon", "lease"], 0)]
    assert [s.value.kind for s in senses if s.value] == ["person"]
