"""The registry of readers: the reader of each package format, the data that it restores, and the data that is lost.

A format without a reader is an error of the type checker, in `reader_of`.
"""

import io
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, assert_never

from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused
from corpus.packages import package_writer
from corpus.packages.formats import ExportFormat
from corpus.packages.parquet import arrow_library
from corpus.packages.reading import annotation_documents, json_rows, plain_tables
from corpus.packages.reading.read_back import ReadUtterance, files, held, stem_of

WORDS, DETAILED, SECONDS, SOUND = "words", "detailed", "seconds", "sound"
_ALL = frozenset({WORDS, DETAILED, SECONDS, SOUND})
_BESIDE = "the dialogue around an utterance"
_WORDS_ONLY = f"{_BESIDE}, detailed transcriptions, utterances without known words"


class PackageReader(NamedTuple):
    """Reader of one format: `read` yields the utterances of a package and raises `FormatFault`; `keeps` names the fields that
    come back as they were, `loses` says in words what does not."""

    read: Callable[[Path], Iterator[ReadUtterance]]
    keeps: frozenset[str]
    loses: str


def open_package(folder: str | Path, form: str) -> Iterator[ReadUtterance]:
    """Return the utterances of a package of this format, one after the other; raises `FormatFault`, and ValueError for a format
    that there is not."""
    if form not in [*ExportFormat]:
        raise ValueError(f"there is no format {form}; choose {', '.join(ExportFormat)}")
    return reader_of(ExportFormat(form)).read(Path(folder))


def reader_of(form: ExportFormat) -> PackageReader:
    """The reader of a format."""
    match form:
        case ExportFormat.KALDI:
            return PackageReader(plain_tables.kaldi, _ALL - {DETAILED}, _WORDS_ONLY)
        case ExportFormat.AUDIOFOLDER:
            return PackageReader(json_rows.audiofolder, _ALL, _BESIDE)
        case ExportFormat.LHOTSE:
            return PackageReader(json_rows.lhotse, _ALL, _BESIDE)
        case ExportFormat.MANIFEST:
            return PackageReader(json_rows.manifest, _ALL - {DETAILED}, _WORDS_ONLY)
        case ExportFormat.WEBDATASET:
            return PackageReader(json_rows.webdataset, _ALL, _BESIDE)
        case ExportFormat.SHAR:
            return PackageReader(json_rows.shar, _ALL, _BESIDE)
        case ExportFormat.PARQUET:
            return PackageReader(_parquet, _ALL, _BESIDE)
        case ExportFormat.TRN:
            lost = "all but the words; utterances with words that nobody knows"
            return PackageReader(plain_tables.references, frozenset({WORDS}), lost)
        case ExportFormat.STM:
            lost = "all but the words and, to the millisecond, the length"
            return PackageReader(plain_tables.segments, frozenset({WORDS, SECONDS}), lost)
        case ExportFormat.TEXTGRID:
            lost = f"{_BESIDE} but for its times; whether an utterance without words was transcribed"
            return PackageReader(annotation_documents.textgrids, _ALL - {WORDS}, lost)
        case ExportFormat.ELAN:
            lost = "lengths below a millisecond, SQL and replies, whether an utterance without words was transcribed"
            return PackageReader(annotation_documents.elan, frozenset({DETAILED, SECONDS}), lost)
        case ExportFormat.CHAT:
            lost = "lengths below a millisecond, rows and requests that were not sent"
            return PackageReader(annotation_documents.chat, frozenset({WORDS, DETAILED, SECONDS}), lost)
        case ExportFormat.BAGIT:
            return PackageReader(_bagit, _ALL, "nothing")
        case ExportFormat.CSV:
            lost = "detailed transcriptions, and with them whether all words are known; sound, SQL, lengths below a microsecond"
            return PackageReader(plain_tables.turns, frozenset({SECONDS}), lost)
        case ExportFormat.DIALOGUES:
            return PackageReader(
                json_rows.spoken_in_dialogues, frozenset({WORDS, DETAILED}), "the sound, to which paths lead"
            )
        case ExportFormat.TEXT2SQL:
            lost = "all but the question, in the words that are known best, and SQL; utterances without SQL"
            return PackageReader(json_rows.questions, frozenset(), lost)
        case _:
            assert_never(form)


def _parquet(root: Path) -> Iterator[ReadUtterance]:
    arrow_library()
    tables: Any = import_module("pyarrow.parquet")
    columns = ["utterance", "speaker", "transcription", "detailed", "seconds", "audio"]
    for path in files(root, "data/*.parquet"):
        try:
            rows = tables.read_table(io.BytesIO(held(root, path)), columns=columns).to_pylist()
            for row in rows:
                stem, detailed = stem_of(row["utterance"]), row["detailed"] or None
                sound = row["audio"]["bytes"]
                yield ReadUtterance(stem, row["speaker"], row["transcription"], detailed, row["seconds"], sound)
        except (ValueError, KeyError, TypeError) as error:
            raise FormatFault(path, 0, f"no table of utterances: {error}", "export the package again") from None


def _bagit(root: Path) -> Iterator[ReadUtterance]:
    held(root, "bagit.txt")
    try:
        contents = package_writer.contents_of(Corpus(root / "data"))
    except Refused as error:
        raise FormatFault("data", 0, str(error), "name a whole package") from None
    found = list(package_writer.spoken(contents))
    for one, sound in zip(found, contents.sounds(one.path for one in found), strict=True):
        turn = one.turn
        yield ReadUtterance(
            turn.stem, one.speaker.speaker, turn.known_words, turn.sro or None, sound.seconds, sound.data
        )
