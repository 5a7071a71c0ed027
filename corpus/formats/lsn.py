"""`.lsn`: the lexical SNOR form of a transcription, on which speech recognition is scored.

Derived from the `.sro` by this module alone, never edited: upper case, words and fragments only. Deleted and mispronounced
words were spoken and stay; noises, filled pauses, pauses and cut-off marks go (WSJ's mapping; what became of filled pauses in
ATIS is not known, so the choice is ours). Deriving twice changes nothing. An utterance without a word has an empty line:
class X utterances have a `.lsn` too (MADCOW 1992, section 4). The id in brackets with which NIST's scoring form ends a line
is read, and compared with the file's name; it is not written.
"""

import re
from functools import lru_cache
from pathlib import PurePosixPath

import msgspec

from corpus.formats import sro
from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of
from corpus.formats.sro import Transcription, Word

_ID = re.compile(r"\(([0-9a-z]{7})[a-z]\)", re.IGNORECASE)


class Lexical(msgspec.Struct, frozen=True):
    """The words of one utterance in upper case; a fragment ends in a hyphen."""

    words: tuple[str, ...]


def derive(transcription: Transcription) -> Lexical:
    """Return the words that a recogniser ought to put out for the utterance."""
    return Lexical(tuple(_word(token) for token in transcription.tokens if isinstance(token, Word)))


def render(lexical: Lexical) -> bytes:
    """One line of words with one blank between them."""
    return (" ".join(lexical.words) + "\n").encode()


def parse(data: bytes | str, path: str) -> Lexical:
    """The words in a file; raises `FormatFault` for marks, small letters or anything else that is not a SNOR.

    >>> render(parse("SHOW ME FLI-\\n", "x.lsn"))
    b'SHOW ME FLI-\\n'
    """
    words: list[str] = []
    for number, line in enumerate(lines_of(data, path), start=1):
        for word in _without_id(line.split(), path, number):
            if len(word) > sro.LONGEST_TOKEN or not _lexical(word):
                raise FormatFault(path, number, f"{word!r} is not a SNOR word", "derive the .lsn again from the .sro")
            words.append(word)
    return Lexical(tuple(words))


def _without_id(words: list[str], path: str, line: int) -> list[str]:
    match = _ID.fullmatch(words[-1]) if words and words[-1].endswith(")") else None
    if match is None:
        return words
    if not PurePosixPath(path).name.startswith(match[1].lower()):
        raise FormatFault(path, line, f"the words of {words[-1]}", "put them into the file of that utterance")
    return words[:-1]


@lru_cache(maxsize=2_048)
def _word(word: Word) -> str:
    return word.text.replace(":", "").upper() + "-" * word.fragment


@lru_cache(maxsize=2_048)
def _lexical(word: str) -> bool:
    try:
        tokens = sro.parse(word.lower(), "").tokens
    except FormatFault:
        return False
    return len(tokens) == 1 and isinstance(tokens[0], Word) and _word(tokens[0]) == word
