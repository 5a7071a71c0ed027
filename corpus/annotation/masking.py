"""Masking of identifying words: the stretches of sound that people have marked, and `[masked]` in place of the words.

Which samples and which words is for people to say, at the transcription desk. `corpus.annotation.masked_sound` lays the tone over
the samples.
"""

from collections.abc import Iterable

from corpus.annotation.identifying_phrases import Phrase
from corpus.formats import sro
from corpus.formats.sro import AudibleEvent, Mark, Sign, Token, Transcription, Word

Pair = tuple[int, int]
WHOLE: tuple[Pair, ...] = ((0, 1 << 40),)
"""Of a recording of any length, at any rate."""


def merged(stretches: Iterable[Pair], count: int) -> tuple[Pair, ...]:
    """Stretches in order within `count` samples, those that touch made one, empty ones left out.

    >>> merged([(5, 9), (0, 2), (8, 99), (3, 3)], 12)
    ((0, 2), (5, 12))
    """
    found: list[Pair] = []
    for first, last in sorted((max(0, first), min(last, count)) for first, last in stretches):
        if first >= last:
            continue
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def at_rate(stretches: Iterable[Pair], rate: int, other: int) -> tuple[Pair, ...]:
    """Stretches counted at `rate` as they are in a channel of `other` samples a second, outward to whole samples.

    >>> at_rate([(1, 3)], 16_000, 8_000)
    ((0, 2),)
    """
    return tuple((first * other // rate, -(-last * other // rate)) for first, last in stretches)


def masked(transcription: Transcription) -> Transcription:
    """With `[masked]` in place of every stretch that identifies a person; edges of other stretches stay, so that these close."""
    found: list[Token] = []
    inside = False
    for token in transcription.tokens:
        match token:
            case Mark(Sign.IDENTIFYING_BEGINS):
                inside = True
                found.append(AudibleEvent(sro.MASKED))
            case Mark(Sign.IDENTIFYING_ENDS):
                inside = False
            case _ if not inside or sro.span_edge(token)[0]:
                found.append(token)
    return Transcription(tuple(found))


def phrases(transcription: Transcription) -> tuple[Phrase, ...]:
    """The words of every stretch that identifies a person, in lower case; an empty phrase for one without words."""
    found: list[Phrase] = []
    words: list[str] | None = None
    for token in transcription.tokens:
        match token:
            case Mark(Sign.IDENTIFYING_BEGINS):
                words = []
            case Mark(Sign.IDENTIFYING_ENDS):
                found.append(tuple(words or ()))
                words = None
            case Word(text) if words is not None:
                words.append(text.replace(":", ""))
    return tuple(found)
