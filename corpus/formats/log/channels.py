"""Channels of an utterance by its log."""

import re
from collections.abc import Mapping
from functools import lru_cache

from corpus.formats.log.log_values import Record

_RATE = re.compile("[0-9]{1,9}")


def channels_of(began: Record) -> Mapping[str, tuple[int, str]]:
    """Rate and microphone by channel letter; entries that are none are left out."""
    return _channels(began.all("Channel"))


@lru_cache(maxsize=256)
def _channels(values: tuple[str, ...]) -> Mapping[str, tuple[int, str]]:
    """Remembered, for one booth says the same of all its recordings."""
    channels = {}
    for value in values:
        letter, _, rest = value.partition(" ")
        rate, _, microphone = rest.partition(" ")
        if _RATE.fullmatch(rate):
            channels[letter] = (int(rate), microphone)
    return channels
