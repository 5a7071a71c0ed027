"""The registry of formats that can be imported; a format without a reader is an error of the type checker."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import assert_never

from corpus.importing import annotation_sources, disc_source, speech_sources, table_sources
from corpus.importing.source_recordings import Recording, RecordingSource


class ImportFormat(StrEnum):
    """A layout in which recordings and transcriptions may lie."""

    CSV = "csv"
    KALDI = "kaldi"
    LHOTSE = "lhotse"
    TEXTGRID = "textgrid"
    ELAN = "elan"
    BIDS = "bids"
    MADCOW = "madcow"


def source_of(form: ImportFormat) -> Callable[[RecordingSource], Iterator[Recording]]:
    """Return the function that yields the recordings of a source."""
    match form:
        case ImportFormat.CSV:
            return table_sources.csv_tables
        case ImportFormat.KALDI:
            return speech_sources.kaldi
        case ImportFormat.LHOTSE:
            return speech_sources.lhotse
        case ImportFormat.TEXTGRID:
            return annotation_sources.textgrids
        case ImportFormat.ELAN:
            return annotation_sources.elan
        case ImportFormat.BIDS:
            return table_sources.bids
        case ImportFormat.MADCOW:
            return disc_source.madcow
        case _:
            assert_never(form)
