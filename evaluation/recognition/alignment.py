"""Utterances aligned as sclite aligns them, many at once: tables of least weight over whole batches of utterances.

The weights and the choice among alignments of equal weight are those of `corpus.analysis.word_alignment.align`, which a test
holds this module to. Utterances of like length share one table, a row of which is computed at a time; an insertion looks to the
left in its own row, which a running minimum over (weight − 3·column) does for all columns together.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from corpus.analysis.word_alignment import INDEL, SUBSTITUTION, AlignedWords, Edit, WordErrors

RIGHT, SUBSTITUTED, DELETED, INSERTED = "CSDI"
"""Letters of the edits, as sclite writes them."""
EDITS = {RIGHT: Edit.RIGHT, SUBSTITUTED: Edit.SUBSTITUTED, DELETED: Edit.DELETED, INSERTED: Edit.INSERTED}
_THROUGH, _LEFT, _UP = 0, 1, 2
_CELLS = 4_000_000
"""Cells of the tables of one batch, a byte each for the way back and some four more while a row is computed."""
_MOST_CELLS = 250_000_000
"""Cells of one utterance's table: 15,000 words on either side. Beyond, somebody has joined what belongs apart."""


class Aligned(msgspec.Struct, frozen=True, gc=False):
    """Words of one utterance and how they came together, a letter each of `CSDI`.

    `spared` are places in `edits` of optional words that were not said, which are right and have no word beside them.
    """

    reference: tuple[str, ...]
    hypothesis: tuple[str, ...]
    edits: str
    spared: tuple[int, ...] = ()

    def pairs(self) -> Iterator[AlignedWords]:
        """Yield the words side by side; one of them is empty if the other stands alone."""
        said, heard = iter(self.reference), iter(self.hypothesis)
        for place, letter in enumerate(self.edits):
            alone = letter == DELETED or place in self.spared
            reference = "" if letter == INSERTED else next(said)
            yield AlignedWords(EDITS[letter], reference, "" if alone else next(heard))

    def errors(self) -> Iterator[tuple[str, str]]:
        """Yield what was said and what was heard at each error; one of them is empty if the other stands alone."""
        if self.spared:
            yield from (
                (pair.reference, pair.hypothesis)
                for letter, pair in zip(self.edits, self.pairs(), strict=True)
                if letter != RIGHT
            )
            return
        said = heard = 0
        for letter in self.edits:
            if letter == RIGHT:
                said, heard = said + 1, heard + 1
            elif letter == DELETED:
                yield self.reference[said], ""
                said += 1
            elif letter == INSERTED:
                yield "", self.hypothesis[heard]
                heard += 1
            else:
                yield self.reference[said], self.hypothesis[heard]
                said, heard = said + 1, heard + 1

    @property
    def counts(self) -> WordErrors:
        """Return the errors, which add up."""
        substituted, deleted, inserted = (self.edits.count(letter) for letter in "SDI")
        return WordErrors(
            len(self.reference), substituted, deleted, inserted, 1, int(bool(substituted or deleted or inserted))
        )


def joined(parts: Sequence[Aligned]) -> Aligned:
    """Return the alignment of what was aligned in parts."""
    if len(parts) == 1:
        return parts[0]
    begins = accumulate((len(part.edits) for part in parts), initial=0)
    return Aligned(
        tuple(chain.from_iterable(part.reference for part in parts)),
        tuple(chain.from_iterable(part.hypothesis for part in parts)),
        "".join(part.edits for part in parts),
        tuple(begin + place for begin, part in zip(begins, parts, strict=False) for place in part.spared),
    )


def align_all(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[str]:
    """Return the edits of each pair of reference and hypothesis, words of which are equal or not.

    >>> align_all([("p q r a b".split(), "a b s t u".split()), ((), ("x",))])
    ['DDDCCIII', 'I']

    Raises ValueError for one that is too long for any memory.
    """
    codes: defaultdict[str, int] = defaultdict()
    codes.default_factory = codes.__len__
    sizes = np.array([(len(reference), len(hypothesis)) for reference, hypothesis in pairs], np.int64).reshape(-1, 2)
    sides = [_NumberedWords.of([pair[side] for pair in pairs], codes, sizes[:, side]) for side in (0, 1)]
    edits = [""] * len(pairs)
    order = np.lexsort((sizes[:, 1], sizes[:, 0]))
    for batch in _batches(order, sizes):
        said, heard = sides[0].table(batch, -1), sides[1].table(batch, -2)
        for number, found in zip(batch, _letters(_ways(said, heard), said, heard, sizes[batch]), strict=True):
            edits[number] = found
    return edits


class _NumberedWords(NamedTuple):
    """The words of all utterances as numbers, one after another; where each begins and how many it has."""

    numbers: NDArray[np.int32]
    begins: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def of(
        cls, texts: Sequence[Sequence[str]], codes: defaultdict[str, int], sizes: NDArray[np.int64]
    ) -> "_NumberedWords":
        numbers = np.fromiter(map(codes.__getitem__, chain.from_iterable(texts)), np.int32, int(sizes.sum()))
        return cls(np.append(numbers, np.int32(0)), np.cumsum(sizes) - sizes, sizes)

    def table(self, batch: NDArray[np.int64], gap: int) -> NDArray[np.int32]:
        """Return the numbers of some utterances, a row each, with `gap` behind the shorter ones."""
        columns = np.arange(self.sizes[batch].max())
        places = np.minimum(self.begins[batch, None] + columns, len(self.numbers) - 1)
        return np.where(columns < self.sizes[batch, None], self.numbers[places], np.int32(gap)).astype(np.int32)


def _batches(order: NDArray[np.int64], sizes: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers of utterances of like size, so many that their tables are not too large."""
    first, widest = 0, 0
    for place, number in enumerate(order):
        rows, columns = (int(size) + 1 for size in sizes[number])
        if rows * columns > _MOST_CELLS:
            raise ValueError(
                f"an utterance of {rows - 1} words against {columns - 1} is too long to be aligned; split it"
            )
        wider = max(widest, columns)
        if place > first and (place + 1 - first) * rows * wider > _CELLS:
            yield order[first:place]
            first, wider = place, columns
        widest = wider
    if first < len(order):
        yield order[first:]


def _ways(said: NDArray[np.int32], heard: NDArray[np.int32]) -> NDArray[np.uint8]:
    """Return where each cell's least weight comes from: row by row of the reference, for all utterances together."""
    count, rows = said.shape
    columns = heard.shape[1]
    slope = INDEL * np.arange(columns + 1, dtype=np.int32)
    ways = np.empty((rows + 1, count, columns + 1), np.uint8)
    ways[0] = _LEFT
    above = np.broadcast_to(slope, (count, columns + 1))
    for row in range(1, rows + 1):
        through = above[:, :-1] + np.where(said[:, row - 1, None] == heard, 0, SUBSTITUTION).astype(np.int32)
        best = above + np.int32(INDEL)
        np.minimum(best[:, 1:], through, out=best[:, 1:])
        here = np.minimum.accumulate(best - slope, axis=1) + slope
        way = ways[row]
        way[:] = _UP
        way[:, 1:][here[:, 1:] == here[:, :-1] + INDEL] = _LEFT
        way[:, 1:][here[:, 1:] == through] = _THROUGH
        above = here
    return ways


def _letters(
    ways: NDArray[np.uint8], said: NDArray[np.int32], heard: NDArray[np.int32], sizes: NDArray[np.int64]
) -> Iterator[str]:
    """Yield the edits of each utterance of a batch, by its way back from the last cell."""
    count = len(sizes)
    row, column = sizes[:, 0].copy(), sizes[:, 1].copy()
    each = np.arange(count)
    longest = int((row + column).max(initial=0))
    written = np.zeros((longest, count), np.uint8)
    letters = np.frombuffer(b"SID", np.uint8)
    for step in range(longest):
        way = ways[row, each, column]
        letter = letters[way]
        back_row, back_column = (way != _LEFT) & (row > 0), (way != _UP) & (column > 0)
        if not (back_row | back_column).any():
            break
        through = np.flatnonzero(way == _THROUGH)
        same = through[said[through, row[through] - 1] == heard[through, column[through] - 1]]
        letter[same] = ord(RIGHT)
        written[step] = np.where(back_row | back_column, letter, 0)
        row -= back_row
        column -= back_column
    for place in range(count):
        yield written[:, place].tobytes().rstrip(b"\0")[::-1].decode("ascii")
