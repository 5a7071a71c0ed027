"""Tests of whether two recognisers differ by more than chance: those of sc_stats, a permutation test, Holm's correction.

MAPSSWE compares errors in segments that both systems bound by two right words; McNemar's test compares whole utterances; the
sign test and Wilcoxon's compare speakers; the permutation test exchanges speakers' errors. ANOVAR, over all systems at once,
is `rank_variance`'s and is beside the others by its pairs. All are two-tailed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from math import comb, erfc, sqrt
from typing import TypeVar

import msgspec

from corpus.formats.errors import FormatFault
from evaluation.recognition.rank_variance import RankVariance, rank_variances, ranks
from evaluation.recognition.word_scores import RecogniserResult
from evaluation.scoring.significance import mcnemar, permutation

MIN_GOOD = 2
"""Right words on either side that bound a segment (Gillick and Cox 1989; sc_stats)."""
LEVEL = 0.05
_EQUAL_RATES = 0.005
"""Rates in per cent that differ by less are equal (sc_stats)."""


class PairTest(msgspec.Struct, frozen=True):
    """One test of a pair: `better` is the name of the better system where the difference is significant at 0.05, otherwise
    empty. `corrected` is the p after Holm's correction over all pairs by this test."""

    name: str
    p: float
    corrected: float
    better: str
    detail: str = ""


class SystemComparison(msgspec.Struct, frozen=True):
    """The tests of two systems."""

    first: str
    second: str
    tests: tuple[PairTest, ...]


NAMES = {
    "MP": "Matched Pair Sentence Segment (Word Error)",
    "SI": "Signed Paired Comparison (Speaker Word Error Rate (%))",
    "WI": "Wilcoxon Signed Rank (Speaker Word Error Rate (%))",
    "MN": "McNemar (Sentence Error)",
    "AN": "Analysis of Variance by Ranks (Speaker Word Error Rate (%))",
    "PE": "Permutation of Speakers (Word Error)",
}
"""Abbreviation of each test and its name, the first five as NIST prints them."""
ANSWER_NAMES = {
    "SI": "Signed Paired Comparison (Speaker Weighted Error (%))",
    "WI": "Wilcoxon Signed Rank (Speaker Weighted Error (%))",
    "MN": "McNemar (Answer Right or Not)",
    "AN": "Analysis of Variance by Ranks (Speaker Weighted Error (%))",
    "PE": "Permutation of Speakers (Weighted Error)",
}
"""The tests that apply to answers: there are no words in which to find segments."""

Kind = TypeVar("Kind")
Found = tuple[float, float, str]
"""The p of a test, how much better the first system is (above 0: fewer errors), and what the p was computed from."""


def compare_all(results: Sequence[RecogniserResult], seed: int) -> list[SystemComparison]:
    """Compare every pair of systems on the utterances of the official microphone; raises `FormatFault` if these differ."""
    keys = [[scored.key for scored in result.official] for result in results]
    for result, own in zip(results, keys, strict=True):
        if own != keys[0]:
            remedy = "compare systems on the same utterances"
            raise FormatFault(result.name, 0, f"other utterances than {results[0].name} has", remedy)

    def pair(first: RecogniserResult, second: RecogniserResult) -> dict[str, Found]:
        rates = [_speakers(result) for result in (first, second)]
        wrong = [[bool(scored.counts.errors) for scored in result.official] for result in (first, second)]
        edits = [[scored.aligned.edits for scored in result.official] for result in (first, second)]
        return {
            "MP": mapsswe(edits[0], edits[1]),
            "SI": sign_test(rates[0], rates[1]),
            "WI": wilcoxon(rates[0], rates[1]),
            "MN": _mcnemar(wrong[0], wrong[1]),
            "PE": _permuted(_errors(first), _errors(second), seed),
        }

    return _compared(results, lambda result: result.name, pair, word_variances(results))


def word_variances(results: Sequence[RecogniserResult]) -> list[RankVariance]:
    """Return the analyses of variance of systems and of speakers."""
    return rank_variances({result.name: _speakers(result) for result in results})


class Answers(msgspec.Struct, frozen=True):
    """A system's answers: what each cost, nothing if it was right, by request, and who asked."""

    name: str
    costs: Mapping[str, float]
    speakers: Mapping[str, str]

    @property
    def by_speaker(self) -> dict[str, list[float]]:
        """The costs of each speaker's answers."""
        found: dict[str, list[float]] = {}
        for key, cost in self.costs.items():
            found.setdefault(self.speakers[key], []).append(cost)
        return found

    @property
    def rates(self) -> dict[str, float]:
        """The weighted error of each speaker in per cent."""
        return {who: 100 * sum(each) / len(each) for who, each in self.by_speaker.items()}


def compare_answers(systems: Sequence[Answers], seed: int) -> list[SystemComparison]:
    """Compare every pair of systems by their answers to the same requests; raises `FormatFault` if these differ."""
    for system in systems:
        if system.costs.keys() != systems[0].costs.keys():
            raise FormatFault(system.name, 0, f"other requests than {systems[0].name} has", "compare the same requests")

    def pair(first: Answers, second: Answers) -> dict[str, Found]:
        rates = [system.rates for system in (first, second)]
        sums = [{who: sum(each) for who, each in system.by_speaker.items()} for system in (first, second)]
        wrong = [[system.costs[key] > 0 for key in first.costs] for system in (first, second)]
        return {
            "SI": sign_test(rates[0], rates[1]),
            "WI": wilcoxon(rates[0], rates[1]),
            "MN": _mcnemar(wrong[0], wrong[1]),
            "PE": _permuted(sums[0], sums[1], seed),
        }

    return _compared(systems, lambda system: system.name, pair, answer_variances(systems))


def answer_variances(systems: Sequence[Answers]) -> list[RankVariance]:
    """Return the analyses of variance of systems and of speakers."""
    return rank_variances({system.name: system.rates for system in systems})


def _compared(
    systems: Sequence[Kind],
    name: Callable[[Kind], str],
    pair: Callable[[Kind, Kind], dict[str, Found]],
    variances: Sequence[RankVariance],
) -> list[SystemComparison]:
    pairs = list(combinations(systems, 2))
    found = [pair(first, second) for first, second in pairs]
    corrected = {test: holm([each[test][0] for each in found]) for test in (found[0] if found else {})}
    comparisons = []
    for place, ((first, second), each) in enumerate(zip(pairs, found, strict=True)):
        tests = [
            PairTest(test, p, corrected[test][place], _better(p, gain, name(first), name(second)), detail)
            for test, (p, gain, detail) in each.items()
        ]
        tests[-1:-1] = [_ranked(variance, name(first), name(second)) for variance in variances[:1]]
        comparisons.append(SystemComparison(name(first), name(second), tuple(tests)))
    return comparisons


def _ranked(variance: RankVariance, first: str, second: str) -> PairTest:
    """A pair of the analysis of variance, whose p is one over all pairs already."""
    p = variance.p_between(first, second)
    better = next((pair.better for pair in variance.pairs if {pair.better, pair.worse} == {first, second}), "")
    return PairTest("AN", p, p, better, f"sums of ranks {variance.sums[first]:g} and {variance.sums[second]:g}")


def _better(p: float, gain: float, first: str, second: str) -> str:
    return "" if p >= LEVEL or not gain else first if gain > 0 else second


def holm(ps: Sequence[float]) -> list[float]:
    """Return each p corrected for so many comparisons (Holm 1979).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(ps)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        least = max(least, min(1.0, (len(ps) - rank) * ps[place]))
        corrected[place] = least
    return corrected


def mapsswe(first: Sequence[str], second: Sequence[str]) -> Found:
    """Return the p of the matched-pairs test on segments; each side has the edits of the same utterances (Gillick and Cox 1989).

    A segment that differs always by the same number of errors has no variance: its p is 1, as with sc_stats.
    """
    differences = [one - other for pair in zip(first, second, strict=True) for one, other in segments(*pair)]
    count = len(differences)
    mean = sum(differences) / count if count else 0.0
    variance = sum((each - mean) ** 2 for each in differences) / (count - 1) if count > 1 else 0.0
    z = mean / sqrt(variance / count) if variance else 0.0
    return _two_tailed(z), -mean, f"{count} segments, mean difference {mean:.3f}, Z {z:.3f}"


def segments(first: str, second: str, min_good: int = MIN_GOOD) -> Iterator[tuple[int, int]]:
    """Yield the errors of both sides in each segment of an utterance that holds one: words of the reference at which either side
    errs, joined where fewer than `min_good` words that both have right lie between them. Where the sides took alternates of other
    lengths, words are compared by their places.

    >>> list(segments("CCSCCCD", "CCCCCCDI"))
    [(1, 0), (1, 2)]
    """
    good, errors = min_good, [0, 0]
    for one, other in zip_longest(_slots(first), _slots(second), fillvalue=(0, 0)):
        for side, (_, before) in enumerate((one, other)):
            errors[side] += before
            good = 0 if before else good
        if one[0] or other[0]:
            errors[0] += one[0]
            errors[1] += other[0]
            good = 0
            continue
        good += 1
        if good == min_good and any(errors):
            yield errors[0], errors[1]
            errors = [0, 0]
    if any(errors):
        yield errors[0], errors[1]


def _slots(edits: str) -> Iterator[tuple[int, int]]:
    """Yield, for each word of the reference and for the end, whether it was wrong and how many words were inserted before it."""
    before = 0
    for letter in edits:
        if letter == "I":
            before += 1
        else:
            yield int(letter != "C"), before
            before = 0
    yield 0, before


def sign_test(first: Mapping[str, float], second: Mapping[str, float]) -> Found:
    """Return the p of the sign test over speakers' rates; equal ones go half to each side, an odd one against it."""
    differences = _differences(first, second)
    worse = sum(each > _EQUAL_RATES for each in differences)
    better = sum(each < -_EQUAL_RATES for each in differences)
    equal = len(differences) - worse - better
    against = (better if sum(differences) > 0 else worse) + equal // 2 + equal % 2
    count, least = len(differences), min(against, len(differences) - against)
    p = 1.0 if 2 * least == count else 2 * sum(comb(count, k) for k in range(least + 1)) / 2**count
    return p, float(better - worse), f"{better} speakers better, {worse} worse, {equal} equal"


def wilcoxon(first: Mapping[str, float], second: Mapping[str, float]) -> Found:
    """Return the p of Wilcoxon's signed-rank test over speakers' rates, by the normal approximation."""
    differences = _differences(first, second)
    turned = 1.0 if sum(differences) > 0 else -1.0
    differences = [turned * each for each in differences]
    ranked = ranks([abs(each) for each in differences])
    sums, counts, alternate = [0.0, 0.0], [0, 0], 0
    for rank, each in zip(ranked, differences, strict=True):
        side = int(each < 0)
        if abs(each) <= _EQUAL_RATES:
            side, alternate = alternate % 2, alternate + 1
        sums[side] += rank
        counts[side] += 1
    count = len(differences)
    least = sums[0] if counts[0] < counts[1] else sums[1]
    deviation = sqrt(count * (count + 1) * (2 * count + 1) / 24)
    z = (least - count * (count + 1) / 4) / deviation if deviation else 0.0
    return _two_tailed(z), turned * (counts[1] - counts[0]), f"{count} speakers, Z {z:.3f}"


def _differences(first: Mapping[str, float], second: Mapping[str, float]) -> list[float]:
    return [first[speaker] - second[speaker] for speaker in first]


def _two_tailed(z: float) -> float:
    return erfc(abs(z) / sqrt(2))


def _mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Found:
    only_first = sum(one and not other for one, other in zip(first, second, strict=True))
    only_second = sum(other and not one for one, other in zip(first, second, strict=True))
    detail = f"{only_first} wrong by the first only, {only_second} by the second only"
    return mcnemar(only_first, only_second), float(only_second - only_first), detail


def _permuted(first: Mapping[str, float], second: Mapping[str, float], seed: int) -> Found:
    differences = {speaker: [first[speaker] - second[speaker]] for speaker in first}
    total = sum(each[0] for each in differences.values())
    return permutation(differences, seed=seed), -total, f"{len(differences)} speakers"


def _errors(result: RecogniserResult) -> dict[str, float]:
    found: dict[str, float] = {}
    for scored in result.official:
        found[scored.about.speaker] = found.get(scored.about.speaker, 0.0) + scored.counts.errors
    return found


def _speakers(result: RecogniserResult) -> dict[str, float]:
    """Word errors of each speaker in per cent; what nobody said counts as no word."""
    words: dict[str, int] = {}
    for scored in result.official:
        words[scored.about.speaker] = words.get(scored.about.speaker, 0) + scored.counts.words
    return {
        speaker: 100 * errors / words[speaker] if words[speaker] else 0.0 for speaker, errors in _errors(result).items()
    }
