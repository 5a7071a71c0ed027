"""Level that a meter shows; kept apart from how it is measured, for which a screen need not wait."""

import msgspec

CLIPPED = 32_767
"""A sample of this magnitude stands at the end of the scale."""


class Level(msgspec.Struct, frozen=True):
    """Loudness of one channel over 100 ms up to sample `end` of the stream; `peak` and `rms` are fractions of full scale."""

    letter: str
    end: int
    peak: float
    rms: float
