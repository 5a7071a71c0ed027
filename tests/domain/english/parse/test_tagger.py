"""The cover of a request by phrases."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from domain.english.engine import Engine
from domain.english.model.domain import About, DomainModel, Entity
from domain.english.parse.tagger import Lexicon, cover
from domain.english.text import function_words
from domain.english.text.times import Today
from domain.english.text.tokens import read_words

TODAY = Today(date(1991, 6, 3), 1991)
BARE = Lexicon(DomainModel(About("x", "x"), {"x": Entity("x", ("x.id",), ("thing",))}), {})


def test_the_longest_phrase_wins(library: Engine) -> None:
    items = cover(library.lexicon, read_words("books written by ann lee"), TODAY)
    assert [i.words for i in items] == ["books", "written by", "ann lee"]


def test_a_piece_keeps_all_its_senses(library: Engine) -> None:
    (item,) = cover(library.lexicon, read_words("author"), TODAY)
    assert {s.what for s in item.senses} == {"entity", "asked"}


def test_plurals_and_misspellings_are_known_words(library: Engine) -> None:
    said = cover(library.lexicon, read_words("writters in suton"), TODAY)
    assert [i.words for i in said] == ["writers", "in", "sutton"]


def test_a_name_spelt_letter_by_letter_is_known(library: Engine) -> None:
    items = cover(library.lexicon, read_words("books in s u t t o n"), TODAY)
    assert [i.words for i in items] == ["books", "in", "s u t t o n"]
    assert items[-1].all("value")[0].name == "town"


def test_unknown_words_stay_alone(library: Engine) -> None:
    items = cover(library.lexicon, read_words("zebra books"), TODAY)
    assert items[0].has("unknown")
    assert not items[1].has("unknown")


@given(st.text("abcdefgh 0123456789:$", max_size=80))
def test_the_pieces_cover_every_word_once(text: str) -> None:
    tokens = read_words(text)
    items = cover(BARE, tokens, TODAY)
    assert [i.start for i in items] == [0, *(i.end for i in items)][: len(items)]
    assert (items[-1].end if items else 0) == len(tokens)


def test_no_group_of_the_shared_vocabulary_has_empty_phrases() -> None:
    for group in (
        function_words.FILLERS,
        function_words.ASKING,
        function_words.WISHING,
        *function_words.COMPARING.values(),
    ):
        assert all(phrase == phrase.strip() and phrase for phrase in function_words.phrases(group))
