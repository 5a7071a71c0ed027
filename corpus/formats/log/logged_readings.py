"""The understanding of a request in the log: what one would ask back, who proposed the statement, and the further readings.

Those that could be taken stand apart from those that were withheld, each of which says why.
"""

from collections.abc import Mapping

from corpus.formats.log.log_schema import READING_KEYS
from corpus.formats.log.log_values import Record
from session import events as e
from session.values.answers import OtherReading

OTHER, WITHHELD, BECAUSE = READING_KEYS


def understanding_worded(event: e.QueryReturned | e.QueryFailed) -> Mapping[str, str | tuple[str, ...] | None]:
    """Return what the log says of how a request was understood."""
    withheld = [reading for reading in event.others if reading.doubt]
    return {
        "Question": event.question or None,
        "Proposer": event.proposer or None,
        OTHER: tuple(reading.paraphrase for reading in event.others if not reading.doubt),
        WITHHELD: tuple(reading.paraphrase for reading in withheld),
        BECAUSE: tuple(reading.doubt for reading in withheld),
    }


def readings_of(record: Record) -> tuple[OtherReading, ...]:
    """Return the readings that a record tells of, without their SQL; ValueError where a withheld one does not say why."""
    others = [OtherReading(paraphrase, "", 0.0) for paraphrase in record.all(OTHER)]
    withheld = zip(record.all(WITHHELD), record.all(BECAUSE), strict=True)
    return (*others, *(OtherReading(paraphrase, "", 0.0, doubt) for paraphrase, doubt in withheld))
