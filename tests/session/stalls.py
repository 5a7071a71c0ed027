"""Stalls of a microphone, as many machines have them."""

import numpy as np

from session.audio.fake import Stall


def jitter(seed: int, blocks: int, most: int = 2) -> tuple[Stall, ...]:
    """Short stalls of one to `most` blocks scattered over so many blocks; the same for the same seed."""
    random = np.random.default_rng(seed)
    stalls: list[Stall] = []
    at = 1
    while at < blocks:
        length = int(random.integers(1, most + 1))
        stalls.append(Stall(at, length))
        at += length + int(random.integers(1, 8))
    return tuple(stalls)
