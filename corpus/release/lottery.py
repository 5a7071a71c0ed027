"""Draw speakers by lot until they have said about as much as wanted.

What comes out follows from the seed and the speakers alone.
"""

import hashlib
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from corpus.release.utterance_status import Volume

DRAWS = 32


def drawn(seed: str, new: Sequence[Volume], aim: Fraction, near: Fraction) -> set[str]:
    """Speakers whose utterances together come within `near` of `aim`, or else as near as can be.

    Orders are drawn until taking anyone who brings the sum nearer, one after the other, ends near enough: so anyone who is
    chosen is chosen by lot, and not for having said as much as was lacking. Few speakers leave no room for that; then the sum
    decides.
    """
    order: list[Volume] = []
    for draw in range(DRAWS):
        order = sorted(new, key=lambda volume: _rank(f"{seed}/{draw}" if draw else seed, volume.speaker))
        taken, total = set[str](), 0
        for volume in order:
            if abs(total + volume.utterances - aim) < abs(total - aim):
                taken.add(volume.speaker)
                total += volume.utterances
        if abs(total - aim) <= near:
            return taken
    return {order[place].speaker for place in _nearest([volume.utterances for volume in order], aim)}


def _nearest(counts: Sequence[int], aim: Fraction) -> set[int]:
    """Places of the counts whose sum comes nearest to `aim`; of two sums that are as near, the smaller.

    Sums beyond twice the aim are further off than none at all.
    """
    most, ideal = max(0, int(2 * aim)), max(0, round(aim))
    first = np.full(most + 1, -1, dtype=np.int64)  # the place of the count with which a sum is first reached
    reached = np.zeros(most + 1, dtype=np.bool_)
    reached[0] = True
    for place, count in enumerate(counts):
        if reached[ideal]:
            break
        if 0 < count <= most:
            fresh = np.flatnonzero(reached[:-count] & ~reached[count:]) + count
            reached[fresh], first[fresh] = True, place
    left = min(map(int, np.flatnonzero(reached)), key=lambda total: (abs(total - aim), total))
    found: set[int] = set()
    while left:
        found.add(int(first[left]))
        left -= counts[int(first[left])]
    return found


def _rank(seed: str, speaker: str) -> bytes:
    return hashlib.sha256(f"{seed}/{speaker}".encode()).digest()
