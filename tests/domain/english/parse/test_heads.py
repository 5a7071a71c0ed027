"""What a request asks for."""

from datetime import date

import pytest

from domain.english.engine import Engine
from domain.english.parse.combine_comparisons import combine
from domain.english.parse.heads import find_projection
from domain.english.parse.tagger import cover
from domain.english.text.times import Today
from domain.english.text.tokens import read_words


@pytest.mark.parametrize(
    ("said", "entities", "attributes"),
    [
        ("which authors in norton have books", ("author",), ()),
        ("a list of the books", ("book",), ()),
        ("give me every book's price", ("book",), ("price",)),
        ("books and their prices", ("book",), ("price",)),
        ("books and authors", ("book", "author"), ()),
        ("in norton", ("book",), ()),
        ("i want a book in norton what is the price", ("book",), ("price",)),
        ("show me the books in norton and also the prices", ("book",), ("price",)),
    ],
)
def test_heads(library: Engine, said: str, entities: tuple[str, ...], attributes: tuple[str, ...]) -> None:
    nodes = combine(cover(library.lexicon, read_words(said), Today(date(1991, 6, 3), 1991)))
    asked = find_projection(library.model, nodes)
    assert (asked.entities, asked.attributes) == (entities, attributes)


def test_counting_and_aggregates(library: Engine) -> None:
    def asked(said: str) -> tuple[bool, str, str]:
        found = find_projection(
            library.model, combine(cover(library.lexicon, read_words(said), Today(date(1991, 6, 3), 1991)))
        )
        return found.count, found.aggregate, found.per

    assert asked("how many books") == (True, "", "")
    assert asked("average price of books") == (False, "avg", "")
    assert asked("which author has the most books") == (False, "", "book")
    assert asked("books") == (False, "", "")
