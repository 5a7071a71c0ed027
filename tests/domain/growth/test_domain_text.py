"""A line in the text of a domain: nothing else changes, wherever the list stands or if it is not there yet."""

import pytest

from domain.growth.domain_line import DomainLine
from domain.growth.domain_text import UnwrittenLine, with_line

HEAD = '# top\n[domain]\nname = "x"\nentity = "book"\n\n'
BOOK = '[entity.book]\ntable = "book"\n'
WORD = DomainLine(("entity", "book", "words"), "tomes")
VALUE = DomainLine(("kind", "town", "also"), 'the "sticky" town', "SUTTON")
MARK = "# why\n"


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        (WORD, BOOK, f'[entity.book]\n{MARK}words = ["tomes"]\ntable = "book"\n'),
        (WORD, f"{BOOK}words = []\n", f'{BOOK}{MARK}words = ["tomes"]\n'),
        (WORD, f'{BOOK}words = ["a ] b", "#"] # end\n', f'{BOOK}{MARK}words = ["a ] b", "#", "tomes"] # end\n'),
        (
            WORD,
            f'{BOOK}words = [\n  "a",\n  "b" # ]\n]\n',
            f'{BOOK}{MARK}words = [\n  "a",\n  "b", # ]\n  "tomes",\n]\n',
        ),
        (WORD, f"{BOOK}words = ['a', ]\n", f"{BOOK}{MARK}words = ['a', \"tomes\" ]\n"),
        (VALUE, f"{BOOK}[kind.town]\n", f'{BOOK}[kind.town]\n{MARK}also."the \\"sticky\\" town" = "SUTTON"\n'),
        (
            VALUE,
            f'{BOOK}[kind.town]\nalso = {{ "w" = "W" }}\n',
            f'{BOOK}[kind.town]\n{MARK}also = {{ "w" = "W", "the \\"sticky\\" town" = "SUTTON" }}\n',
        ),
        (
            VALUE,
            f'{BOOK}[kind.town.also]\n"w" = "W"',
            f'{BOOK}[kind.town.also]\n{MARK}"the \\"sticky\\" town" = "SUTTON"\n"w" = "W"',
        ),
    ],
)
def test_a_line_is_put_where_its_list_stands(line: DomainLine, before: str, after: str) -> None:
    assert with_line(HEAD + before, line, "why") == HEAD + after


def test_a_list_of_the_whole_domain_is_put_before_its_tables() -> None:
    filler = DomainLine(("fillers",), "kindly")
    assert with_line(HEAD + BOOK, filler, "a\nb") == HEAD.replace("[dom", '# a b\nfillers = ["kindly"]\n\n[dom') + BOOK
    assert with_line(f'fillers = ["a"]\n{HEAD}{BOOK}', filler, "c") == f'# c\nfillers = ["a", "kindly"]\n{HEAD}{BOOK}'


def test_a_text_that_has_no_place_for_it_is_left_to_people() -> None:
    inline = '[domain]\nname = "x"\nentity = "book"\n[entity]\nbook = { table = "book", words = ["a"] }\n'
    with pytest.raises(UnwrittenLine, match="write it by hand"):
        with_line(inline, WORD, "why")
