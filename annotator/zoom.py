"""The visible part of a recording in samples: all of it, or a part near the playback position. Pure functions."""

import msgspec

WIDEST_AT_FIRST_S = 30
"""So much of a longer recording is in sight when it is opened: in the whole of ten minutes no word can be seen."""
NARROWEST_S = 0.2
MARGIN = 0.1
"""So far behind the edge of a new part the ear stands, as a share of the part."""


class VisibleSpan(msgspec.Struct, frozen=True):
    """Samples `first` up to, not including, `last` of a recording of `length` samples at `rate`."""

    length: int = 0
    rate: int = 16_000
    first: int = 0
    last: int = 0

    @property
    def width(self) -> int:
        """Samples in sight."""
        return self.last - self.first

    @property
    def whole(self) -> bool:
        """Return whether all of the recording is in sight."""
        return self.width == self.length

    def nearer(self, steps: int, about: int) -> "VisibleSpan":
        """Half as much for each step (below zero: twice as much), with sample `about` in the middle if there is more."""
        width = min(self.length, max(round(self.width * 0.5**steps), round(NARROWEST_S * self.rate)))
        return self._placed(about - width // 2, width)

    def following(self, place: int) -> "VisibleSpan":
        """Return this part where sample `place` is in sight, otherwise the part that begins shortly before it."""
        if self.first <= place < self.last or place >= self.last == self.length:
            return self
        return self._placed(place - round(MARGIN * self.width), self.width)

    def _placed(self, first: int, width: int) -> "VisibleSpan":
        first = max(0, min(first, self.length - width))
        return msgspec.structs.replace(self, first=first, last=first + width)


def at_first(length: int, rate: int) -> VisibleSpan:
    """Return what is in sight of a recording that has just been opened.

    >>> at_first(16_000, 16_000).whole, at_first(16_000_000, 16_000).last
    (True, 480000)
    """
    return VisibleSpan(length, rate, 0, min(length, WIDEST_AT_FIRST_S * rate))
