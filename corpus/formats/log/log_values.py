"""A session log as values: records in blocks under a header. `corpus.formats.log.file` writes and reads them."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cached_property

import msgspec

from corpus.formats.log import log_schema
from corpus.formats.log.timeline import Moment

NUMBER = "Number"
TAKE = "Take"
UNNUMBERED = "Unnumbered"
INDEPENDENT = "Independent"


def count_text(number: int) -> str:
    """Return a number as a log has it, never below 0."""
    return str(max(0, number))


class BlockKind(StrEnum):
    """Kind of a block, by what it belongs to."""

    UTTERANCE = "utterance"
    UNNUMBERED = "unnumbered"
    INDEPENDENT = "independent"


class Record(msgspec.Struct, frozen=True, gc=False):
    """One thing that happened: what, when, by whom, whether behind the curtain, and its attributes in the schema's order.

    Attributes that may stand several times do so under the same key; a text of several lines is one attribute here.
    """

    key: str
    moment: Moment
    by: str
    hidden: bool = False
    attributes: tuple[tuple[str, str], ...] = ()
    line: int = 0

    def get(self, key: str) -> str:
        """The first attribute of this key, empty if there is none."""
        for name, value in self.attributes:
            if name == key:
                return value
        return ""

    def all(self, key: str) -> tuple[str, ...]:
        """Return all attributes of this key."""
        return tuple([value for name, value in self.attributes if name == key])


class RecordBlock(msgspec.Struct, frozen=True, dict=True):
    """Records that belong together, in the order in which the hub came to know of them."""

    kind: BlockKind
    records: tuple[Record, ...]
    number: int = 0
    take: str = ""
    line: int = 0

    @property
    def typed(self) -> str:
        """Return the text last typed of an utterance during the session; empty if nothing was."""
        records = (*self.all("Utterance_typed"), *self.all("Transcription_sent"))
        return records[-1].get("Utterance") if records else ""

    @property
    def recorded(self) -> Record | None:
        """Return the record that names its channels: of the recording's begin, or of its import."""
        return self.first("Recording_begin") or self.first("Recording_imported")

    @property
    def sealed(self) -> Record | None:
        """Return the record that seals its samples: of the recording's end, or of its import."""
        return self.first("Recording_end") or self.first("Recording_imported")

    @cached_property
    def by_key(self) -> dict[str, tuple[Record, ...]]:
        """The records by their keys; rules ask for many of them, one after the other."""
        return _by_key(self.records)

    def first(self, key: str) -> Record | None:
        """The first record of this key."""
        return found[0] if (found := self.by_key.get(key)) else None

    def all(self, key: str) -> tuple[Record, ...]:
        """Return all records of this key."""
        return self.by_key.get(key, ())


class Log(msgspec.Struct, frozen=True, dict=True):
    """One subject-scenario: the header's entries in the schema's order, and the blocks."""

    header: tuple[tuple[str, str], ...]
    blocks: tuple[RecordBlock, ...]

    def get(self, key: str) -> str:
        """The first header entry of this key, empty if there is none."""
        return self._entries.get(key, "")

    @cached_property
    def _entries(self) -> dict[str, str]:
        return dict(reversed(self.header))

    @property
    def end_to_end(self) -> bool:
        """Return whether the scenario has a defined set of solutions, so that `Answer_found` is mandatory."""
        return log_schema.END_TO_END in self._entries

    @property
    def imported(self) -> bool:
        """Return whether its utterances were recorded elsewhere, so that nothing is known of what happened around them."""
        return log_schema.IMPORTED in self._entries

    @cached_property
    def utterances(self) -> tuple[RecordBlock, ...]:
        """The numbered blocks."""
        return tuple(block for block in self.blocks if block.kind is BlockKind.UTTERANCE)

    @cached_property
    def by_key(self) -> dict[str, tuple[Record, ...]]:
        """The records of all blocks by their keys."""
        return _by_key([record for block in self.blocks for record in block.records])

    def records(self, key: str) -> Iterator[Record]:
        """Return all records of this key in all blocks."""
        return iter(self.by_key.get(key, ()))


def _by_key(records: Sequence[Record]) -> dict[str, tuple[Record, ...]]:
    found: dict[str, tuple[Record, ...]] = {}
    for record in records:
        found[record.key] = (*found[record.key], record) if record.key in found else (record,)
    return found
