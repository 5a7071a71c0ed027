"""Plain English for a meaning."""

import pytest

from domain.english.engine import Engine


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("books", "books"),
        ("how many books", "number of books"),
        ("average price of books by ann lee", "average price of books by Ann Lee"),
        ("books in norton or sutton", "books in Norton or Sutton"),
        ("books not in norton", "books not in Norton"),
        ("books shown between 8 and 10 am", "books shown between 8 a.m. and 10 a.m."),
        ("books shown at 9 am", "books shown at 9 a.m."),
        ("what percentage of books are novels", "share of books fiction"),
        ("how many books does each author have", "number of books for each of the authors"),
        (
            "loans from norton on monday or from sutton on friday",
            "loans either from Norton on Monday or else from Sutton on Friday",
        ),
    ],
)
def test_paraphrases(library: Engine, said: str, shown: str) -> None:
    assert library.ask(said).readings[0].paraphrase == shown
