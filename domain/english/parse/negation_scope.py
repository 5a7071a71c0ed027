"""The scope of negation: "not clerks and secretaries" negates both, "not clerks and in Austin" only the first.

A negation extends to a conjunct of the same sort: a name of the same kind, or a word for a value of the same column. It
is repeated before that conjunct, so that later stages read two negations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from domain.english.model.domain import DomainModel
from domain.english.parse.tagger import Item
from domain.english.text.function_words import phrases

_COLUMN = re.compile(r"\b[a-z_]\w*\.\w+")
_EXCEPTING = frozenset(
    phrases(
        "without|not counting|not including|without counting|except|except for|excluding|apart from|aside from|leaving out"
        "|leave out|omit|omitting|exclude|everybody but|everyone but|anyone but"
    )
)
_BETWEEN = frozenset(["the", "a", "an", "any", "also"])


def distribute_negation(model: DomainModel, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items with the negation repeated before each conjunct in its scope."""
    done: list[Item] = []
    denial: Item | None = None
    last: Item | None = None
    linked = pointing = False
    for item in items:
        says = item.has("value") or item.has("flag")
        if item.has("not"):
            denial, last, linked, pointing = item, None, False, False
        elif says and last is None:
            last = item
        elif says and denial is not None and linked and last is not None and _denies(model, denial, last, item):
            done.append(denial)
            last, linked, pointing = item, False, False
        elif last is not None and (item.has("and") or item.has("or")) and not linked:
            linked = True
        elif linked and denial is not None and denial.words in _EXCEPTING and (item.has("refer") or pointing):
            pointing = True  # "except novels and those in Norton"
        elif item.words not in _BETWEEN:
            denial, last = (denial, last) if last is None else (None, None)
        done.append(item)
    return tuple(done)


def _denies(model: DomainModel, denial: Item, last: Item, item: Item) -> bool:
    """Return whether the negation of `last` extends to `item`: always after "except", otherwise if both are of one sort."""
    return denial.words in _EXCEPTING or bool(_sort(model, last) & _sort(model, item))


def _sort(model: DomainModel, item: Item) -> set[str]:
    """Return the columns whose values an item can state."""
    kinds = [model.kind[sense.name] for sense in item.all("value") if sense.name in model.kind]
    tests = [test for sense in item.all("flag") for test in model.flag[sense.name].where]
    return {kind.column for kind in kinds} | {column for test in tests for column in _COLUMN.findall(test)}
