"""Word errors of recognisers: every utterance aligned once, then counted by whatever is known of it.

Rates are never averaged: errors and words are added and the rate is taken once. Intervals resample whole utterances and whole
speakers, because the utterances of one speaker resemble each other.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from sys import intern

import msgspec
import numpy as np

from corpus.analysis.word_alignment import WordErrors
from corpus.formats.errors import FormatFault
from evaluation.recognition.alignment import Aligned, align_all, joined
from evaluation.recognition.channel_chunks import Words as Timed
from evaluation.recognition.networks import MarkupFault, Network, Terms, align_networks, network, timed_network
from evaluation.recognition.pairing import UtterancePair, marked_up, paired
from evaluation.recognition.transcripts import TranscriptSide, UtteranceMetadata, of_texts, read
from evaluation.scoring.significance import RESAMPLES, speaker_interval
from session.values.names import PRIMARY

Value = str | int | float | None
GROUPS = ("speaker", "site", "condition", "microphone", "session", "category", "label")
Interval = tuple[float, float]
Words = tuple[str, ...]
ROUGH = 1_000
"""Resamples for each row of a table, of which there may be hundreds."""


class ScoredUtterance(msgspec.Struct, frozen=True, gc=False):
    """One utterance aligned; `about` says who said it, where, and how it was heard."""

    key: str
    about: UtteranceMetadata
    aligned: Aligned
    counts: WordErrors


class WordErrorRow(msgspec.Struct, frozen=True):
    """One row of a table: counts, rates in per cent of the words of the reference (None without one), and 95 % intervals of
    the word error by resampled utterances and by resampled speakers."""

    group: str
    utterances: int
    words: int
    correct: int
    substituted: int
    deleted: int
    inserted: int
    errors: int
    wrong_utterances: int
    word_error: float | None
    sentence_error: float | None
    by_utterance: Interval | None = None
    by_speaker: Interval | None = None

    def row(self) -> dict[str, Value]:
        """Return plain values: intervals as two columns each."""
        found: dict[str, Value] = {}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if name.startswith("by_"):
                found |= {f"{name}_low": value[0] if value else None, f"{name}_high": value[1] if value else None}
            else:
                found[name] = value
        return found


class RecogniserResult(msgspec.Struct, frozen=True, dict=True):
    """The utterances of one recogniser, by every microphone; `official` are those by which it is judged."""

    name: str
    utterances: tuple[ScoredUtterance, ...]
    seed: int

    @cached_property
    def official(self) -> tuple[ScoredUtterance, ...]:
        """The utterances by the official microphone, or by the one that there is."""
        letters = {scored.about.microphone for scored in self.utterances}
        letter = PRIMARY if PRIMARY in letters else min(letters, default="")
        return tuple(scored for scored in self.utterances if scored.about.microphone == letter)

    @cached_property
    def total(self) -> WordErrorRow:
        """The row of all utterances by the official microphone."""
        return line_of("all", self.official, self.seed, RESAMPLES)

    def by(self, group: str) -> list[WordErrorRow]:
        """The rows of a table by `utterance` or one of GROUPS, in order; empty if nothing is known of it.

        By microphone there are the rows of all of them; every other table is that of the official one.
        """
        if group == "utterance":
            return [line_of(scored.key, [scored], None) for scored in self.official]
        if group not in GROUPS:
            raise ValueError(f"a table by {group!r}; it is by utterance, {', '.join(GROUPS)}")
        groups: dict[str, list[ScoredUtterance]] = defaultdict(list)
        for scored in self.utterances if group == "microphone" else self.official:
            names = scored.about.labels if group == "label" else (getattr(scored.about, group),)
            for name in names:
                groups[name].append(scored)
        return [line_of(name, groups[name], self.seed) for name in sorted(groups) if name]

    def rows(self, by: str = "utterance") -> list[dict[str, Value]]:
        """A frame of plain values: `pandas.DataFrame(result.rows("speaker"))`."""
        return [line.row() for line in self.by(by)]

    def confusions(self) -> dict[str, list[tuple[str, str, int]]]:
        """Pairs that were substituted, words deleted, words inserted, each with how often, most first; empty sides are gaps."""
        counted: Counter[tuple[str, str]] = Counter()
        for scored in self.official:
            counted.update(scored.aligned.errors())
        found: dict[str, list[tuple[str, str, int]]] = {"substituted": [], "deleted": [], "inserted": []}
        for (said, heard), count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
            kind = "inserted" if not said else "deleted" if not heard else "substituted"
            found[kind].append((said, heard, count))
        return found


def line_of(group: str, scored: Sequence[ScoredUtterance], seed: int | None, resamples: int = ROUGH) -> WordErrorRow:
    """Count utterances; without a seed there are no intervals."""
    each = [one.counts for one in scored]
    columns = [(one.words, one.substituted, one.deleted, one.inserted, one.wrong) for one in each]
    words, substituted, deleted, inserted, wrong = map(sum, zip(*columns, strict=True)) if columns else (0,) * 5
    errors = substituted + deleted + inserted
    by_speaker = _sums(scored, each) if seed is not None else []
    return WordErrorRow(
        group,
        len(scored),
        words,
        words - substituted - deleted,
        substituted,
        deleted,
        inserted,
        errors,
        wrong,
        100 * errors / words if words else None,
        100 * wrong / len(scored) if scored else None,
        _per_cent(utterance_interval(each, seed=seed, resamples=resamples)) if seed is not None and words else None,
        _per_cent(speaker_interval(by_speaker, seed=seed, resamples=resamples)) if seed is not None else None,
    )


def _sums(scored: Sequence[ScoredUtterance], each: Sequence[WordErrors]) -> list[tuple[float, int]]:
    """Return the errors and the words of each speaker who said a word."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one, counts in zip(scored, each, strict=True):
        entry = sums[one.about.speaker]
        entry[0] += counts.errors
        entry[1] += counts.words
    return [(float(errors), words) for errors, words in sums.values() if words]


def utterance_interval(each: Sequence[WordErrors], *, seed: int, resamples: int = RESAMPLES) -> Interval | None:
    """95 % interval of the word error by resampling utterances (Bisani and Ney 2004), as a share; None below two of them.

    Utterances of the same words and errors are drawn together, as often as a multinomial says, which is the same draw.
    """
    if len(each) < 2:
        return None
    kinds = Counter((counts.words, counts.errors) for counts in each)
    values = np.array(list(kinds), dtype=float)
    share = np.array(list(kinds.values()), dtype=float) / len(each)
    drawn = np.random.default_rng(seed).multinomial(len(each), share, size=resamples)
    words, errors = drawn @ values[:, 0], drawn @ values[:, 1]
    low, high = np.quantile(errors[words > 0] / words[words > 0], [0.025, 0.975])
    return float(low), float(high)


def _per_cent(interval: Interval | None) -> Interval | None:
    return None if interval is None else (100 * interval[0], 100 * interval[1])


Side = str | Path | Mapping[str, str]


def score(
    reference: Side | TranscriptSide,
    hypothesis: Side | TranscriptSide,
    *,
    name: str = "",
    terms: Terms | None = None,
    rule: str = "auto",
    missing: str = "error",
    times: bool = False,
    index: Mapping[str, Mapping[str, str]] | None = None,
    seed: int = 1992,
) -> RecogniserResult:
    """Score a recogniser's words: paths, or texts by id.

    `terms` say whether case counts, words in brackets are optional, fragments are right; `rule` how an id names its speaker
    (one of SPEAKER_RULES); `missing` whether an utterance without a hypothesis is an `error` or `deleted`; `times` that two
    CTM files are aligned by their times; `index` what is known of utterances by id. Raises `FormatFault` with file and line.

    >>> result = score({"s-1": "show me flights"}, {"s-1": "show flights please"})
    >>> result.total.word_error, result.utterances[0].aligned.edits
    (66.66666666666667, 'CDCI')
    """
    said = _side(reference)
    heard = _side(hypothesis)
    units = paired(said, heard, rule=rule, deleted=missing == "deleted", index=index)
    found = align_units(units, terms or Terms(), said, heard, times=times)
    label = name or (Path(heard.path).stem if heard.path else "hypothesis")
    return RecogniserResult(label, tuple(found), seed)


def _side(side: Side | TranscriptSide) -> TranscriptSide:
    if isinstance(side, TranscriptSide):
        return side
    return of_texts(side) if isinstance(side, Mapping) else read(Path(side))


def align_units(
    units: Sequence[UtterancePair],
    terms: Terms,
    reference: TranscriptSide,
    hypothesis: TranscriptSide,
    *,
    times: bool = False,
) -> list[ScoredUtterance]:
    """Align every utterance; raises `FormatFault` at alternates that are none, or utterances too long."""
    found: list[list[Aligned | None]] = []
    plain: list[tuple[int, int, Words, Words]] = []
    for unit in units:
        pieces: list[Aligned | None] = []
        for chunk in unit.chunks or (None,):
            texts = (
                [unit.reference, unit.hypothesis] if chunk is None else [" ".join(marked_up(side)) for side in chunk]
            )
            if (chunk is None or not times) and all(map(terms.is_plain, texts)):
                said, heard = (tuple(map(intern, terms.folded(text).split())) for text in texts)
                plain.append((len(found), len(pieces), said, heard))
                pieces.append(None)
            else:
                sides = (reference, hypothesis)
                pieces.append(_aligned(unit.key, texts, sides, terms, chunk if times else None))
        found.append(pieces)
    try:
        edits = align_all([(said, heard) for *_, said, heard in plain])
    except ValueError as error:
        raise FormatFault(reference.path, 0, str(error), "an utterance is a sentence or a few") from None
    for (place, piece, said, heard), letters in zip(plain, edits, strict=True):
        found[place][piece] = Aligned(said, heard, letters)
    aligned = [joined([piece for piece in pieces if piece is not None]) for pieces in found]
    return [ScoredUtterance(unit.key, unit.about, one, one.counts) for unit, one in zip(units, aligned, strict=True)]


def _aligned(
    key: str, texts: Sequence[str], sides: Sequence[TranscriptSide], terms: Terms, timed: tuple[Timed, Timed] | None
) -> Aligned:
    if timed is not None:
        networks = [timed_network(words, terms) for words in timed]
    else:
        networks = [_network(text, terms, side, key) for text, side in zip(texts, sides, strict=True)]
    try:
        return align_networks(networks[0], networks[1], terms, timed is not None)
    except ValueError as error:
        raise sides[0].fault(key, str(error), "an utterance is a sentence or a few") from None


def _network(text: str, terms: Terms, side: TranscriptSide, key: str) -> Network:
    try:
        return network(text, terms)
    except MarkupFault as error:
        raise side.fault(key, f"{key}: {error}", "write alternates as { a / b c / @ }") from None
