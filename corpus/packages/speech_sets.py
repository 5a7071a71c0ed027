"""Training, development and test sets by whole speaker, for the formats that hold them beside each other.

Test are those who are held out by lot and for good (`corpus.release`). Of the others about an eighth are for development: a hash
of the id decides, so that nobody changes sides when a later version of the corpus has more speakers. Where it takes nobody, the
one whose hash is the lowest is for development, and goes over to training once a later version has somebody whom the hash takes.
With fewer than eight of them there is no development set.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import groupby

from corpus.packages.package_writer import Contents, SpokenUtterance
from corpus.release import holdout_file
from corpus.release.utterance_status import POOL

_EIGHTH = 8


class SpeechSet(StrEnum):
    """Set of a recogniser's data, by the name that loaders know."""

    TRAIN = "train"
    DEVELOPMENT = "dev"
    TEST = "test"


def speech_sets(contents: Contents) -> dict[str, SpeechSet]:
    """The set of each speaker."""
    speakers = sorted({entry.speaker for entry in contents.corpus.manifest.sessions})
    if holdout_file.set_of(contents.corpus) == POOL:
        return dict.fromkeys(speakers, SpeechSet.TEST)
    others = [speaker for speaker in speakers if contents.sets.get(speaker) != POOL]
    found = dict.fromkeys(speakers, SpeechSet.TEST) | dict.fromkeys(others, SpeechSet.TRAIN)
    if len(others) >= _EIGHTH:
        taken = [speaker for speaker in others if _lot(speaker)[0] % _EIGHTH == 0] or [min(others, key=_lot)]
        found |= dict.fromkeys(taken, SpeechSet.DEVELOPMENT)
    return found


def by_set(
    found: Iterable[SpokenUtterance], sets: Mapping[str, SpeechSet]
) -> Iterator[tuple[SpeechSet, list[SpokenUtterance]]]:
    """The utterances of each set that has any, in the order in which they stand."""
    order = [*SpeechSet]

    def place(utterance: SpokenUtterance) -> int:
        return order.index(sets[utterance.speaker.speaker])

    for number, own in groupby(sorted(found, key=place), place):
        yield order[number], list(own)


def _lot(speaker: str) -> bytes:
    return hashlib.sha256(f"development {speaker}".encode()).digest()
