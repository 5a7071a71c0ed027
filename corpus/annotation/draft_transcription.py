"""The wizard's quick transcription as a draft `.sro`.

A wizard types what was said in a hurry and for a machine: with digits, capitals and punctuation. Only what is mechanical
is changed. Digits are spelled one by one and marked uncertain, because "732" may have been "seven thirty two": the mark
tells the person of the detailed pass where to listen. A draft is never more than that; exports say so.
"""

import re
import unicodedata
from functools import lru_cache

from corpus.annotation.identifying_phrases import MASK
from corpus.formats import sro
from corpus.formats.sro import AudibleEvent, Mark, Sign, Token, Transcription, Word

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})
_IDENTIFYING = re.compile(r"\{\{|\}\}")  # marks of the transcription desk; typed in a session they mean nothing
_PLAIN_SENTENCE = re.compile(r"([A-Za-z]{1,100}(?:[,;]? [A-Za-z]{1,100})*)[?!,;]?")
_NO_COMMAS = str.maketrans("", "", ",;")
_MAY_BE_LETTERS = re.compile("[A-Z]{2}")
_ACRONYM = re.compile(r"[A-Z]{2,4}|(?:[A-Za-z]\.){2,}")


def quick_words(text: str) -> str:
    """The words of a typed sentence in which nothing but letters, commas and the sign at its end is to be changed, as
    `from_quick` gives them; empty for any other.

    >>> quick_words("Is it Boston, please?"), quick_words("IS IT DFW"), quick_words("is it DFW"), quick_words("is it 7")
    ('is it boston please', 'is it dfw', '', '')
    """
    plain = _PLAIN_SENTENCE.fullmatch(text)
    if plain is None:
        return ""
    words = plain[1].translate(_NO_COMMAS)
    return words.lower() if words.isupper() or not _MAY_BE_LETTERS.search(words) else ""


def from_quick(text: str) -> Transcription:
    """A transcription by the conventions out of any typed text; never raises, and keeps what already obeys them."""
    plain = _IDENTIFYING.sub(" ", unicodedata.normalize("NFC", text).translate(_QUOTES))
    line = " ".join(plain.replace(MASK, f" {MASK} ").split())
    if line and not sro.check(line):
        return sro.parse(line, "")
    cut = line.endswith("~")
    shouted = line.isupper()
    tokens: list[Token] = [token for part in line.replace("~", " ").split() for token in _part(part, shouted)]
    if not tokens:
        tokens = [AudibleEvent(sro.UNINTELLIGIBLE)]
    return Transcription((*tokens, *([Mark(Sign.CUT)] if cut else [])))


@lru_cache(maxsize=2_048)
def _part(part: str, shouted: bool) -> tuple[Token, ...]:
    if not sro.check(part) and part != Sign.PAUSE:
        return sro.parse(part, "").tokens
    bare = part.strip(',;:!?"()')
    if _ACRONYM.fullmatch(bare) and not shouted:
        return tuple(Word(letter.lower()) for letter in bare if letter.isalpha())
    tokens: list[Token] = []
    for piece in re.findall(r"\d+|[^\W\d_]+(?:'[^\W\d_]+)*", part.replace("&", " and ")):
        tokens.extend(_spelled(piece) if piece.isdecimal() else _words(piece))
    return tuple(tokens)


def _spelled(digits: str) -> list[Token]:
    words = [Word(_DIGITS[unicodedata.decimal(digit)]) for digit in digits]
    return [Mark(Sign.UNCERTAIN_BEGINS), *words, Mark(Sign.UNCERTAIN_ENDS)]


def _words(piece: str) -> list[Token]:
    """A word, or nothing if it has letters that have no small or no capital form of letters alone."""
    if sro.check(piece.lower()):
        return [AudibleEvent(sro.UNINTELLIGIBLE)]
    return list(sro.parse(piece.lower(), "").tokens)
