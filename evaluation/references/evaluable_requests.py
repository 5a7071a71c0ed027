"""Evaluable requests of a folder: their own classes, and what the requests that they depend on do to them.

Whoever makes reference answers and anyone who scores by them must say the same of this, so that it is in one place.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from corpus.formats import cat
from corpus.formats.errors import FormatFault
from corpus.formats.layout import parse_name
from evaluation.comparator.answer_input import read_text
from evaluation.references.request_readings import Query, unevaluable


def classified(folder: Path) -> tuple[dict[str, cat.Category], Mapping[str, str]]:
    """The categories of a folder's requests by their stems, and for those that are X, by themselves or not, why.

    Raises FormatFault, FileFault, or ValueError for a pointer to a request that has not come before.
    """
    categories = {path.stem: cat.parse(read_text(path), str(path)) for path in sorted(folder.glob("*.cat"))}
    numbers = _numbers(list(categories))
    queries = [
        Query(name, one.evaluation, _pointers(one, numbers, str(folder / f"{name}.cat")), _responds(one))
        for name, one in categories.items()
    ]
    return categories, unevaluable(queries)


def _responds(category: cat.Category) -> bool:
    """Return whether an utterance answers a question of the system and is understandable through that only."""
    return any("responding" in one.tags for one in parts(category))


def parts(category: cat.Category) -> list[cat.Characteristics]:
    """Return what is said of the utterance, and of each of its interpretations."""
    return [category.utterance, *(one for _, one in category.interpretations)]


def _pointers(category: cat.Category, numbers: Mapping[int, str], path: str) -> tuple[str, ...]:
    """Pointers such as Q2 as the requests of the same subject-scenario; raises FormatFault for one to nothing."""
    found: set[str] = set()
    for pointer in {pointer for one in parts(category) for pointer in one.context}:
        number = int(pointer[1:]) if pointer[:1] == "Q" and pointer[1:].isdigit() else 0
        if number not in numbers:
            raise FormatFault(path, 0, f"{pointer} points to no request", "point to one of the same subject-scenario")
        found.add(numbers[number])
    return tuple(sorted(found))


def _numbers(stems: Sequence[str]) -> dict[int, str]:
    """Requests by the number of their utterance, or by their place where the names are not those of a corpus."""
    try:
        return {parse_name(f"{stem}.cat").stem.utterance: stem for stem in stems}
    except ValueError:
        return dict(enumerate(stems, start=1))
