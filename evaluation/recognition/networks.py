"""Transcriptions that leave a choice, as networks of words: alternates, optional words, fragments, times.

    <text>      ::= (<word> | <optional> | <alternates>)*
    <optional>  ::= "(" word ")"
    <alternates>::= "{" <text> ("/" <text>)+ "}"

`@` stands for nothing, where one of the alternates is not a word. Two networks are aligned as sclite's manual says: a
substitution weighs 4, a word alone 3, an optional word alone 2, nothing alone 0.001; on equal weight a pair of words goes
before a word alone, and a word of the hypothesis alone before one of the reference. Weights are added up in single precision,
as there: what is equal but for a thousandth would be chosen otherwise. With times a word alone weighs its length in seconds,
a pair the distances of beginnings and ends.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import cast

import msgspec
import numpy as np

from corpus.analysis.word_alignment import INDEL, SUBSTITUTION
from corpus.formats.nist.ctm import ALTERNATES, TimedWord
from evaluation.recognition.alignment import DELETED, INSERTED, RIGHT, SUBSTITUTED, Aligned

NOTHING = "@"
MARKED = re.compile(r"[{}@()*]")
"""What a text holds that is more than a line of plain words."""
_SPLIT = re.compile(r"[{}]|[^\s{}]+")
_SPLIT_WITHIN = re.compile(r"[^/]+|/")
_NOTHING_ALONE, _NOTHING_PAIRED, _OPTIONAL_ALONE = 0.001, 1.0, 2.0
_MOST_CELLS = 4_000_000
_SINGLE = cast("Callable[[float], float]", np.float32)


class MarkupFault(ValueError):
    """Alternates that are none."""


class Terms(msgspec.Struct, frozen=True):
    """Terms of a comparison: whether case counts, words in brackets may be missing, and a fragment is right beside
    any word that it begins or ends."""

    case: bool = False
    optional: bool = True
    fragments: bool = False

    def folded(self, text: str) -> str:
        """Return a text as it is compared."""
        return text if self.case else text.lower()

    def is_plain(self, text: str) -> bool:
        """Return whether a text is a line of words that are equal or not."""
        if MARKED.search(text):
            return False
        return not (self.fragments and re.search(r"(?:^|\s)-\S|\S-(?:\s|$)", text))


class ArcWord(msgspec.Struct, frozen=True, gc=False):
    """One word; begin and length in seconds where they are known."""

    text: str
    optional: bool = False
    begin: float = 0.0
    length: float = 0.0

    @property
    def core(self) -> str:
        return self.text[1:-1] if self.optional else self.text


class Network(msgspec.Struct, frozen=True):
    """Words with, for each, those that may stand before it; word 0 is the start. `last` are those that may end the text."""

    words: tuple[ArcWord, ...]
    before: tuple[tuple[int, ...], ...]
    last: tuple[int, ...]


def network(text: str, terms: Terms) -> Network:
    """Return the network of a text; raises `MarkupFault`."""
    return _Builder([_word(token, terms) for token in _tokens(terms.folded(text))]).whole()


def timed_network(words: Iterable[TimedWord], terms: Terms) -> Network:
    """Return the network of words with times, in whose alternates an empty one is nothing; raises `MarkupFault`."""
    found: list[ArcWord] = []
    for word in words:
        mark = ALTERNATES.get(word.text)
        if mark in ("/", "}") and found and found[-1].text in ("{", "/"):
            found.append(ArcWord(NOTHING))
        text = terms.folded(word.text)
        found.append(
            ArcWord(mark) if mark else msgspec.structs.replace(_word(text, terms), begin=word.begin, length=word.length)
        )
    return _Builder(found).whole()


def _tokens(text: str) -> Iterator[str]:
    """Yield words and marks; within braces a slash parts alternates even where no blanks stand around it."""
    depth = 0
    for token in _SPLIT.findall(text):
        depth += (token == "{") - (token == "}")
        yield from _SPLIT_WITHIN.findall(token) if depth > 0 else (token,)


def _word(token: str, terms: Terms) -> ArcWord:
    """A word; a star behind it marks that it was mispronounced."""
    if len(token) > 1 and token.endswith("*"):
        token = token[:-1]
    return ArcWord(token, terms.optional and len(token) > 2 and token[0] == "(" and token[-1] == ")")


MOST_DEEP = 50
"""Alternates within alternates; no transcription needs more than two or three."""


class _Builder:
    """Reads words and marks into a network."""

    def __init__(self, tokens: Sequence[ArcWord]) -> None:
        self._tokens = tokens
        self._place = 0
        self._words, self._before = [ArcWord("")], list[tuple[int, ...]]([()])

    def whole(self) -> Network:
        last = self._text((0,), 0)
        if self._place < len(self._tokens):
            raise MarkupFault("a } that closes nothing; write { before the first alternate, or take it away")
        return Network(tuple(self._words), tuple(self._before), last)

    def _text(self, ends: tuple[int, ...], depth: int) -> tuple[int, ...]:
        """Read until the text or the alternate ends; `ends` are the words before it."""
        while self._place < len(self._tokens):
            token = self._tokens[self._place]
            if token.text == "}" or (token.text == "/" and depth):
                break
            self._place += 1
            if token.text == "{":
                ends = self._alternates(ends, depth + 1)
            else:
                self._words.append(token)
                self._before.append(ends)
                ends = (len(self._words) - 1,)
        return ends

    def _alternates(self, ends: tuple[int, ...], depth: int) -> tuple[int, ...]:
        if depth > MOST_DEEP:
            raise MarkupFault(f"alternates within alternates, more than {MOST_DEEP} deep; write them beside each other")
        found: tuple[int, ...] = ()
        while True:
            first = len(self._words)
            branch = self._text(ends, depth)
            if len(self._words) == first:
                raise MarkupFault(f"an alternate without a word; write {NOTHING} for nothing")
            found += branch
            if self._place >= len(self._tokens):
                raise MarkupFault("a { that nothing closes; write } behind the last alternate")
            self._place += 1
            if self._tokens[self._place - 1].text == "}":
                return found


def align_networks(reference: Network, hypothesis: Network, terms: Terms, timed: bool = False) -> Aligned:
    """Return the alignment of least weight over all choices.

    >>> terms = Terms()
    >>> align_networks(network("the { a / b c } (uh) dog", terms), network("the b c dog", terms), terms).edits
    'CCCCC'
    """
    cells = len(reference.words) * len(hypothesis.words)
    if cells > _MOST_CELLS:
        size = f"{len(reference.words) - 1} words against {len(hypothesis.words) - 1}"
        raise ValueError(f"an utterance with alternates, optional words or times of {size} is too long; split it")
    equal = _equality(terms)
    weigh = _timed(equal) if timed else _weights(equal)
    # Whole weights add up alike in either precision, and Python's own numbers are the faster ones.
    whole = not timed and all(word.text != NOTHING for side in (reference, hypothesis) for word in side.words)
    table, back = _table(reference, hypothesis, weigh, float if whole else _SINGLE)
    ends = [(a, b) for a in reference.last for b in hypothesis.last]
    a, b = min(ends, key=lambda end: table[end[0]][end[1]])
    return _walked(reference, hypothesis, back, (a, b), equal)


Weigh = Callable[[ArcWord | None, ArcWord | None], float]
Equal = Callable[[ArcWord, ArcWord], bool]


def _table(
    reference: Network, hypothesis: Network, weigh: Weigh, single: Callable[[float], float]
) -> tuple[list[list[float]], list[list[tuple[int, int]]]]:
    """Return the least weight at each pair of words, and the pair before it; `single` rounds a weight as sclite does."""
    rows, columns = len(reference.words), len(hypothesis.words)
    table = [[single(0.0)] * columns for _ in range(rows)]
    back = [[(0, 0)] * columns for _ in range(rows)]
    inserted = [single(0.0), *(single(weigh(None, word)) for word in hypothesis.words[1:])]
    for a, said in enumerate(reference.words):
        above, here, ways = reference.before[a], table[a], back[a]
        deleted = single(weigh(said, None) if a else 0.0)
        for b, heard in enumerate(hypothesis.words):
            earlier = hypothesis.before[b]
            least = inf if a or b else here[0]
            weight = single(weigh(said, heard)) if a and b else inf
            for p in above:
                for q in earlier:
                    if table[p][q] + weight < least:
                        least, ways[b] = table[p][q] + weight, (p, q)
            for q in earlier:
                if here[q] + inserted[b] < least:
                    least, ways[b] = here[q] + inserted[b], (a, q)
            for p in above:
                if table[p][b] + deleted < least:
                    least, ways[b] = table[p][b] + deleted, (p, b)
            here[b] = least
    return table, back


def _walked(
    reference: Network, hypothesis: Network, back: list[list[tuple[int, int]]], end: tuple[int, int], equal: Equal
) -> Aligned:
    a, b = end
    letters: list[str] = []
    spared: list[int] = []
    said: list[str] = []
    heard: list[str] = []
    while a or b:
        p, q = back[a][b]
        one, other = reference.words[a], hypothesis.words[b]
        if p != a and q != b:
            letters.append(RIGHT if equal(one, other) else SUBSTITUTED)
            said.append(one.text)
            heard.append(other.text)
        elif p != a and one.text != NOTHING:
            letters.append(RIGHT if one.optional else DELETED)
            spared += [len(letters)] if one.optional else []
            said.append(one.text)
        elif q != b and other.text != NOTHING and not other.optional:
            letters.append(INSERTED)
            heard.append(other.text)
        a, b = p, q
    places = tuple(sorted(len(letters) - place for place in spared))
    return Aligned(tuple(said[::-1]), tuple(heard[::-1]), "".join(letters)[::-1], places)


def _weights(equal: Equal) -> Weigh:
    def weigh(said: ArcWord | None, heard: ArcWord | None) -> float:
        if said is None or heard is None:
            alone = said or heard or ArcWord("")
            return _NOTHING_ALONE if alone.text == NOTHING else _OPTIONAL_ALONE if alone.optional else float(INDEL)
        if said.text == heard.text == NOTHING:
            return _NOTHING_PAIRED
        return 0.0 if equal(said, heard) else float(SUBSTITUTION)

    return weigh


def _timed(equal: Equal) -> Weigh:
    def weigh(said: ArcWord | None, heard: ArcWord | None) -> float:
        if said is None or heard is None:
            alone = said or heard or ArcWord("")
            return _NOTHING_ALONE if alone.text == NOTHING else alone.length
        ends = abs(said.begin + said.length - heard.begin - heard.length)
        return abs(said.begin - heard.begin) + ends + (0.0 if equal(said, heard) else 0.001)

    return weigh


def _equality(terms: Terms) -> Equal:
    def equal(said: ArcWord, heard: ArcWord) -> bool:
        one, other = said.core, heard.core
        if not terms.fragments:
            return one == other
        for part, whole in ((one, other), (other, one)):
            if len(part) > 1 and part[0] == "-":
                return whole.endswith(part[1:])
            if len(part) > 1 and part[-1] == "-":
                return whole.startswith(part[:-1])
        return one == other

    return equal
