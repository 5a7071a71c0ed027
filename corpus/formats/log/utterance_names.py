"""The utterances of a subject-scenario as its log numbers them, and the takes that they were.

Of a log that is parsed, the blocks say it. Who asks it of every log of a corpus reads it off the bytes: no value can make a line.
"""

import re
from collections.abc import Iterator

import msgspec

from corpus.formats.log.log_values import Log, RecordBlock
from session.values.names import StemName, from_base36

_NUMBERED = b"\n[Number:] "
# A log begins otherwise; and an expression that begins with fixed text is searched for several times faster.
_TAKES = re.compile(_NUMBERED.replace(b"[", rb"\[") + rb"([0-9a-z]{2})\n\[Take:\] (\S+)$", re.MULTILINE)


def stem_of(block: RecordBlock, scenario: StemName) -> StemName:
    """The name of an utterance of a subject-scenario, for all its microphones."""
    return msgspec.structs.replace(scenario, utterance=block.number, mic="x")


def by_take(log: Log, scenario: StemName) -> dict[str, str]:
    """The names of a subject-scenario's utterances by their takes."""
    return {block.take: str(stem_of(block, scenario)) for block in log.utterances}


def read_off(log: bytes, scenario: StemName) -> Iterator[tuple[StemName, str]]:
    """Name and take of every utterance in the bytes of a log, in their order."""
    for number, take in _TAKES.findall(log):
        yield msgspec.structs.replace(scenario, utterance=from_base36(number.decode())), take.decode()


def taken_in(log: bytes) -> list[str]:
    """The numbers of the utterances in the bytes of a log, as they stand there."""
    return [number.decode() for number, _ in _TAKES.findall(log)]


def numbered_in(log: bytes) -> int:
    """Return how many utterances the bytes of a log number."""
    return log.count(_NUMBERED)
