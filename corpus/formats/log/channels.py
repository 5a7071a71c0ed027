"""Channels of an utterance by its log."""

import re

from corpus.formats.log.log_values import Record

_RATE = re.compile("[0-9]{1,9}")


def channels_of(began: Record) -> dict[str, tuple[int, str]]:
    """Rate and microphone by channel letter; entries that are none are left out."""
    channels = {}
    for value in began.all("Channel"):
        letter, _, rest = value.partition(" ")
        rate, _, microphone = rest.partition(" ")
        if _RATE.fullmatch(rate):
            channels[letter] = (int(rate), microphone)
    return channels
