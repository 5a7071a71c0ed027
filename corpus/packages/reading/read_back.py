"""An utterance as a package has it, and how packages are read: files within them, JSON a line, tables of two columns."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from corpus.formats import sro
from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of, text_of
from corpus.io.safe_open import read_plain

Row = TypeVar("Row")


class ReadUtterance(msgspec.Struct, frozen=True):
    """An utterance of a package. `stem` is its name in the corpus, with x for any microphone. `words` is the lexical form and
    `detailed` the detailed one, `seconds` its length, `sound` a file of RIFF or FLAC; each is None if it is not known or the
    format has no place for it."""

    stem: str
    speaker: str
    words: str | None = None
    detailed: str | None = None
    seconds: float | None = None
    sound: bytes | None = None


def stem_of(name: str) -> str:
    """The name of an utterance without its microphone.

    >>> stem_of("8k1011ss")
    '8k1011sx'
    """
    return f"{name[:-1]}x"


def known(words: str | None, detailed: str | None) -> str | None:
    """The words of an utterance, None if there are some that nobody made out or may know.

    >>> known("SHOW ME", "show me"), known("SHOW", "show [masked]")
    ('SHOW ME', None)
    """
    unknown = any(f"[{mark}]" in (detailed or "") for mark in (sro.UNINTELLIGIBLE, sro.MASKED))
    return None if unknown else words


def text_in(root: Path, path: str) -> str:
    """The text of a file of a package; raises `FormatFault`, also where there is none."""
    return text_of(held(root, path), path)


def held(root: Path, path: str) -> bytes:
    """The bytes of a file of a package; raises `FormatFault`, also where there is none."""
    if not (root / path).exists():
        raise FormatFault(path, 0, "it is not there", "name a whole package")
    return read_plain(root, path)


def files(root: Path, pattern: str) -> list[str]:
    """The files of a package that match, by their paths; raises `FormatFault` for none."""
    found = sorted(path.relative_to(root).as_posix() for path in root.glob(pattern))
    if not found:
        raise FormatFault(pattern, 0, "there is no such file", "name a whole package of this format")
    return found


def rows_of(data: bytes | str, path: str, kind: type[Row]) -> list[Row]:
    """The rows of a file with a JSON object a line; what the type does not name is passed over. Raises `FormatFault`.

    >>> rows_of('{"stem": "8k1011sx", "speaker": "8k1", "more": 1}', "x.jsonl", ReadUtterance)[0].speaker
    '8k1'
    """
    found = list[Row]()
    for number, line in enumerate(lines_of(data, path), start=1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=kind))
            except msgspec.MsgspecError as error:
                raise FormatFault(path, number, str(error), "export the package again") from None
    return found


def table_of(data: bytes | str, path: str) -> dict[str, str]:
    """A table of Kaldi's: a key and its value a line. Raises `FormatFault` for a key that comes twice, or a line without one.

        line = key (" " value)?

    >>> table_of("8k1011ss SHOW ME FLIGHTS", "text")
    {'8k1011ss': 'SHOW ME FLIGHTS'}
    """
    found: dict[str, str] = {}
    for number, line in enumerate(lines_of(data, path), start=1):
        key, _, value = line.strip().partition(" ")
        if not key or key in found:
            what = f"{key} is there twice" if key else "an empty line"
            raise FormatFault(path, number, what, "write one line for each key")
        found[key] = value.strip()
    return found


def every(tables: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """The keys of all tables, each once; raises `FormatFault` if a table lacks one of another."""
    first, *others = tables.items()
    for name, table in others:
        if lacking := sorted({*first[1]} ^ {*table}):
            raise FormatFault(
                name, 0, f"{lacking[0]} is in {first[0]} or here, not in both", "export the package again"
            )
    yield from first[1]
