"""Words aligned as NIST's sclite aligns them: a substitution weighs 4, an insertion or a deletion 3.

The weights decide how errors are distinguished, and sometimes how many there are: `p q r A B` against `A B s t u` has 6
errors so, and 5 where each counts as one.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

SUBSTITUTION, INDEL = 4, 3


class Edit(StrEnum):
    """The fate of a place in the reference, or of what was put between two of them."""

    RIGHT = "right"
    SUBSTITUTED = "substituted"
    DELETED = "deleted"
    INSERTED = "inserted"


class AlignedWords(msgspec.Struct, frozen=True):
    """A word of the reference beside one of the hypothesis; one of them is empty if a word was deleted or inserted."""

    edit: Edit
    reference: str
    hypothesis: str


class WordErrors(msgspec.Struct, frozen=True):
    """Counts of words that add up over utterances; a rate is made of sums only."""

    words: int = 0
    substituted: int = 0
    deleted: int = 0
    inserted: int = 0
    utterances: int = 0
    wrong: int = 0

    def __add__(self, other: "WordErrors") -> "WordErrors":
        return WordErrors(*(getattr(self, name) + getattr(other, name) for name in self.__struct_fields__))

    @property
    def errors(self) -> int:
        return self.substituted + self.deleted + self.inserted

    @property
    def rate(self) -> float | None:
        """Errors for each word of the reference; None without one."""
        return self.errors / self.words if self.words else None


def align(reference: Sequence[str], hypothesis: Sequence[str]) -> list[AlignedWords]:
    """Return the alignment of least weight; of several, one with a right or substituted word before a gap.

    >>> [pair.edit.value for pair in align("a b c".split(), "a x c d".split())]
    ['right', 'substituted', 'right', 'inserted']
    """
    costs = _costs(reference, hypothesis)
    row, column = len(reference), len(hypothesis)
    found = list[AlignedWords]()
    while row or column:
        here = costs[row][column]
        same = bool(row and column) and reference[row - 1] == hypothesis[column - 1]
        if row and column and here == costs[row - 1][column - 1] + (0 if same else SUBSTITUTION):
            row, column = row - 1, column - 1
            found.append(AlignedWords(Edit.RIGHT if same else Edit.SUBSTITUTED, reference[row], hypothesis[column]))
        elif column and here == costs[row][column - 1] + INDEL:
            column -= 1
            found.append(AlignedWords(Edit.INSERTED, "", hypothesis[column]))
        else:
            row -= 1
            found.append(AlignedWords(Edit.DELETED, reference[row], ""))
    return found[::-1]


def _costs(reference: Sequence[str], hypothesis: Sequence[str]) -> list[list[int]]:
    costs = [[INDEL * column for column in range(len(hypothesis) + 1)]]
    for word in reference:
        above, row = costs[-1], [costs[-1][0] + INDEL]
        for column, other in enumerate(hypothesis):
            through = above[column] + (0 if word == other else SUBSTITUTION)
            row.append(min(through, above[column + 1] + INDEL, row[column] + INDEL))
        costs.append(row)
    return costs


def count(reference: Sequence[str], hypothesis: Sequence[str]) -> WordErrors:
    """Return the errors of one utterance."""
    edits = [pair.edit for pair in align(reference, hypothesis)]
    substituted, deleted, inserted = map(edits.count, (Edit.SUBSTITUTED, Edit.DELETED, Edit.INSERTED))
    wrong = bool(substituted or deleted or inserted)
    return WordErrors(len(reference), substituted, deleted, inserted, 1, int(wrong))


def compared(text: str) -> tuple[str, ...]:
    """Return the words of a transcription as they are compared: small letters, no punctuation but apostrophes and hyphens.

    >>> compared("What's the fare, please?")
    ("what's", 'the', 'fare', 'please')
    """
    cleaned = "".join(char if char.isalnum() or char in "'-" else " " for char in text.replace("’", "'").casefold())
    return tuple(word for word in cleaned.split() if word.strip("'-"))
