"""A channel's words on both sides cut at pauses that both have, in chunks of about fifty words, as sclite cuts them.

Alignment takes time and room by the product of both sides: half an hour of talk is aligned in pieces. Where sclite cuts is
followed step by step, odd as some steps are, because a word on the other side of a cut is counted otherwise.
"""

from collections.abc import Iterator, Sequence

from corpus.formats.nist.ctm import TimedWord

Words = tuple[TimedWord, ...]
_CHUNK = 50
_END = 999_999.99


def chunked(reference: Sequence[TimedWord], hypothesis: Sequence[TimedWord]) -> Iterator[tuple[Words, Words]]:
    """Yield the words of both sides that belong together, in order."""
    sides = _Side(reference), _Side(hypothesis)
    while any(side.first < len(side.words) for side in sides):
        ends, most = None, _CHUNK
        while ends is None:
            ends, most = _cut(sides[0], sides[1], most), 2 * most
        yield sides[0].taken(ends[0]), sides[1].taken(ends[1])


class _Side:
    """The words of one side, and the first of them that no chunk has yet."""

    def __init__(self, words: Sequence[TimedWord]) -> None:
        self.words = words
        self.first = 0
        self.within: list[bool] = []
        opened = False
        for word in words:
            opened = opened or word.text == "<ALT_BEGIN>"
            self.within.append(opened)
            opened = opened and word.text != "<ALT_END>"

    def taken(self, end: int) -> Words:
        first, self.first = self.first, end + 1
        return tuple(self.words[first : end + 1])

    def begin(self, place: int) -> float:
        return self.words[place].begin

    def spoken(self, place: int) -> tuple[float, float]:
        """Begin and end of a word."""
        word = self.words[place]
        return word.begin, word.begin + word.length

    def pause(self, place: int) -> tuple[float, float]:
        """Begin and end of the pause behind a word."""
        return self.spoken(place)[1], self.begin(place + 1) if place + 1 < len(self.words) else _END

    def before(self, place: int) -> tuple[int, bool]:
        """Return the place before, never within alternates, and whether some were passed."""
        place -= 1
        passed = False
        while place >= self.first and self.within[place]:
            place, passed = place - 1, True
        return place, passed


def _cut(reference: _Side, hypothesis: _Side, most: int) -> tuple[int, int] | None:
    """Return the last places of a chunk of at most so many words; None if no pause is found."""
    lasts = len(reference.words) - 1, len(hypothesis.words) - 1
    if lasts[0] - reference.first < most and lasts[1] - hypothesis.first < most:
        return lasts
    r, h = min(reference.first + most, lasts[0]), min(hypothesis.first + most, lasts[1])
    while r >= reference.first and reference.within[r]:
        r -= 1
    while h >= hypothesis.first and hypothesis.within[h]:
        h -= 1
    r, h = _levelled(reference, hypothesis, r, h)
    while r > reference.first and h > hypothesis.first:
        if _common(reference.pause(r), hypothesis.pause(h)) >= 0:
            return r, h
        r, h = _earlier(reference, hypothesis, r, h)
    return (r, h) if r > reference.first or h > hypothesis.first else None


def _levelled(reference: _Side, hypothesis: _Side, r: int, h: int) -> tuple[int, int]:
    """Go back on the side that is later, until its word is not behind that of the other."""
    passed = True
    while passed:
        passed = False
        if reference.begin(r) > hypothesis.begin(h):
            while not passed and _later(reference, r, hypothesis, h):
                r, passed = reference.before(r)
        else:
            while _later(hypothesis, h, reference, r):
                h, _ = hypothesis.before(h)
    return r, h


def _earlier(reference: _Side, hypothesis: _Side, r: int, h: int) -> tuple[int, int]:
    """Go back a word on the side that is later, and on the other one as far as that asks for."""
    passed = True
    while passed:
        passed = False
        if reference.begin(r) > hypothesis.begin(h):
            if r > reference.first:
                r, passed = reference.before(r)
            while not passed and _later(hypothesis, h, reference, r):
                h, _ = hypothesis.before(h)
        else:
            if h > hypothesis.first:
                h, _ = hypothesis.before(h)
            while not passed and _later(reference, r, hypothesis, h):
                r, passed = reference.before(r)
    return r, h


def _later(one: _Side, place: int, other: _Side, beside: int) -> bool:
    """Return whether a word of one side begins behind one of the other, and they do not touch."""
    if place < max(one.first, 0) or beside < 0:
        return False
    return one.begin(place) > other.begin(beside) and _common(one.spoken(place), other.spoken(beside)) < 0


def _common(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the seconds that two stretches share, below 0 the seconds between them."""
    return min(one[1], other[1]) - max(one[0], other[0])
