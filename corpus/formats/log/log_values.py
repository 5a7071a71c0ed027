"""A session log as values: records in blocks under a header. `corpus.formats.log.file` writes and reads them."""

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from corpus.formats.log import log_schema
from corpus.formats.log.timeline import Moment

NUMBER = "Number"
TAKE = "Take"
UNNUMBERED = "Unnumbered"
INDEPENDENT = "Independent"


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
        """The first attribute of this key, empty where there is none."""
        for name, value in self.attributes:
            if name == key:
                return value
        return ""

    def all(self, key: str) -> tuple[str, ...]:
        """All attributes of this key."""
        return tuple([value for name, value in self.attributes if name == key])


class Block(msgspec.Struct, frozen=True, gc=False):
    """Records that belong together, in the order in which the hub came to know of them."""

    kind: BlockKind
    records: tuple[Record, ...]
    number: int = 0
    take: str = ""
    line: int = 0

    @property
    def typed(self) -> str:
        """Return the text last typed of an utterance during the session; empty where nothing was."""
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

    def first(self, key: str) -> Record | None:
        """The first record of this key."""
        for record in self.records:
            if record.key == key:
                return record
        return None

    def all(self, key: str) -> tuple[Record, ...]:
        """All records of this key."""
        return tuple([record for record in self.records if record.key == key])


class Log(msgspec.Struct, frozen=True):
    """One subject-scenario: the header's entries in the schema's order, and the blocks."""

    header: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]

    def get(self, key: str) -> str:
        """The first header entry of this key, empty where there is none."""
        for name, value in self.header:
            if name == key:
                return value
        return ""

    @property
    def end_to_end(self) -> bool:
        """Return whether the scenario has a defined set of solutions, so that `Answer_found` is mandatory."""
        return any(name == log_schema.END_TO_END for name, _ in self.header)

    @property
    def imported(self) -> bool:
        """Return whether its utterances were recorded elsewhere, so that nothing is known of what happened around them."""
        return any(name == log_schema.IMPORTED for name, _ in self.header)

    @property
    def utterances(self) -> tuple[Block, ...]:
        """The numbered blocks."""
        return tuple(block for block in self.blocks if block.kind is BlockKind.UTTERANCE)

    def records(self, key: str) -> Iterator[Record]:
        """All records of this key in all blocks."""
        return (record for block in self.blocks for record in block.records if record.key == key)
