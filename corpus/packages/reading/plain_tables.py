"""Kaldi's tables, NIST's references and the CSV tables, read back."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from corpus.formats.errors import FormatFault
from corpus.formats.nist import stm, trn
from corpus.packages.reading.read_back import ReadUtterance, every, held, stem_of, table_of, text_in

_BRACKETS = str.maketrans("", "", "()")  # around words that are optional


def kaldi(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of a Kaldi data directory."""
    names = ("text", "wav.scp", "utt2spk", "utt2dur")
    tables = {name: table_of(text_in(root, name), name) for name in names}
    for key in every(tables):
        words, sound, speaker, seconds = (tables[name][key] for name in names)
        yield ReadUtterance(stem_of(key), speaker, words, None, _number(seconds, "utt2dur", key), held(root, sound))


def references(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of `ref.trn`."""
    for key, text in trn.parse(text_in(root, "ref.trn"), "ref.trn").items():
        speaker, _, stem = key.partition("-")
        yield ReadUtterance(stem, speaker, text.translate(_BRACKETS))


def segments(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of `ref.stm`."""
    for one in stm.parse(text_in(root, "ref.stm"), "ref.stm").segments:
        words = None if one.ignored else one.text.translate(_BRACKETS)
        yield ReadUtterance(stem_of(one.file), one.speaker, words, None, one.end - one.begin)


def turns(root: Path) -> Iterator[ReadUtterance]:
    """The rows of `turns.csv`; a length is there for speech alone."""
    table = csv.DictReader(io.StringIO(text_in(root, "turns.csv"), newline=""))
    for number, row in enumerate(table, start=2):
        try:
            stem, speaker, text, count, seconds = (
                row[name] for name in ("stem", "speaker", "text", "words", "speech_s")
            )
        except KeyError as error:
            raise FormatFault("turns.csv", number, f"no column {error}", "export the package again") from None
        length = _number(seconds, "turns.csv", stem) if seconds else None
        yield ReadUtterance(stem, speaker, text if count else None, None, length)


def _number(text: str, path: str, key: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatFault(path, 0, f"{text!r} of {key} is not a number", "export the package again") from None
