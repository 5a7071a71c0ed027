"""What the transcription desk has finished, as an export and a corpus on disk need it: text, masks, provenance.

An utterance is known by its take, so work that was done beside one export comes into the next one by itself.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from corpus import lsn, masking, sro
from corpus.comments import Comments
from corpus.log_values import Block, BlockKind, Log, Record
from corpus.manifest import Provenance
from corpus.masking import Pair, Phrase
from corpus.sro import Transcription
from session.clock import SECOND, Stamp
from session.transcript import Transcript
from session.work import Work

_VERBATIM = frozenset({"Utterance", "Echoed"})
_FREE = frozenset(
    {"Sentence", "Query", "Paraphrase", "Question", "Message", "Table", "Result", "Blank", "Note", "Reason", "Solution"}
)


class Finished(msgspec.Struct, frozen=True):
    """A transcription that is no draft any more. `stretches` identify a person, counted at `rate` samples a second."""

    transcription: Transcription
    stretches: tuple[Pair, ...]
    rate: int
    work: Provenance

    @property
    def names(self) -> tuple[Phrase, ...]:
        """The words that identify a person, stretch by stretch."""
        return masking.phrases(self.transcription)

    def texts(self) -> dict[str, bytes]:
        """`.sro` and `.lsn` as they may leave the lab."""
        public = masking.masked(self.transcription)
        return {"sro": sro.render(public), "lsn": lsn.render(lsn.derive(public))}


def finished_of(transcript: Transcript) -> Finished | None:
    """What is in force of a transcription; None while nothing was submitted."""
    version = transcript.version
    if version is None:
        return None
    checked = version.checked
    work = Provenance(
        transcriber=version.submitted.by,
        transcribed=_moment(version.submitted.at),
        checker=checked.by if checked else "",
        checked=_moment(checked.at) if checked else "",
        seconds=round(transcript.worked / SECOND, 1),
    )
    stretches = tuple((stretch.first, stretch.last) for stretch in version.stretches)
    return Finished(sro.parse(version.text, transcript.utterance), stretches, transcript.rate, work)


def finished_in(path: Path) -> dict[str, Finished]:
    """By take, everything that is finished in the file of later work at `path`; nothing where there is none."""
    if not path.is_file():
        return {}
    work = Work(path)
    try:
        found = {transcript.take: finished_of(transcript) for transcript in work.transcripts()}
    finally:
        work.close()
    return {take: finished for take, finished in found.items() if finished is not None}


def masked_log(log: Log, finished: Mapping[str, Finished]) -> Log:
    """A log without the words that identify a person, in the utterance's block and in whatever belongs to no utterance."""
    by_take = {block.take: finished[block.take].names for block in log.utterances if block.take in finished}
    everything = tuple(name for names in by_take.values() for name in names)
    if not everything:
        return log
    blocks = tuple(
        _masked_block(block, by_take.get(block.take, ()) if block.kind is BlockKind.UTTERANCE else everything)
        for block in log.blocks
    )
    return msgspec.structs.replace(log, blocks=blocks)


def masked_comments(found: Comments, names: tuple[Phrase, ...]) -> Comments:
    """Comments without the words that identify a person."""
    return Comments(tuple(masking.without(line, names) for line in found.lines))


def _masked_block(block: Block, names: tuple[Phrase, ...]) -> Block:
    if not names:
        return block
    return msgspec.structs.replace(block, records=tuple(_masked_record(record, names) for record in block.records))


def _masked_record(record: Record, names: tuple[Phrase, ...]) -> Record:
    attributes = tuple(
        (key, masking.without(value, names, key in _VERBATIM) if key in _VERBATIM | _FREE else value)
        for key, value in record.attributes
    )
    return msgspec.structs.replace(record, attributes=attributes)


def _moment(at: Stamp) -> str:
    return f"{datetime.fromtimestamp(at.wall / 1e9, UTC):%Y-%m-%dT%H:%M:%SZ}"
