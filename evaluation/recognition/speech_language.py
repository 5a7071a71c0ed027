"""Recognition, understanding of text, and understanding of speech of the same systems side by side (MADCOW 1992, section 4).

SPREC is the word error over all utterances, class X too; NL are answers to transcriptions, SLS answers to speech, both by the
weighted error over classes A and D, as `curtain score --json` tells them. What a system answers rightly from the text and
wrongly from speech was lost to recognition.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from corpus.formats.errors import FormatFault
from evaluation.recognition.rank_variance import RankVariance
from evaluation.recognition.rival_systems import Answers, SystemComparison, answer_variances, compare_answers
from evaluation.recognition.transcripts import stem_of
from evaluation.recognition.word_scores import Interval, RecogniserResult, WordErrorRow
from evaluation.scoring.report_text import percent, table
from evaluation.scoring.significance import RESAMPLES, mcnemar

_RIGHT = "correct"
_NONE = "no answer"
_REMEDY = "make it by curtain score --json"


class _Outcome(msgspec.Struct, frozen=True):
    utterance: str
    verdict: str
    speaker: str


class _System(msgspec.Struct, frozen=True):
    name: str
    outcomes: tuple[_Outcome, ...]
    chance: float | None = None


class ScoredAnswers(msgspec.Struct, frozen=True):
    """A report of `curtain score --json`, as far as it is needed."""

    signature: str
    weight: float
    systems: tuple[_System, ...]
    yes_no: float | None = None
    limits: tuple[str, ...] = ()


class SpeakerErrors(msgspec.Struct, frozen=True):
    """One speaker's word error and weighted errors in per cent; None if nothing was scored."""

    speaker: str
    utterances: int
    word_error: float | None
    nl_error: float | None
    sls_error: float | None


class Correlation(msgspec.Struct, frozen=True):
    """Pearson's r of word error and weighted error over speakers, and its 95 % interval from resampled speakers."""

    over: str
    r: float
    interval: Interval | None
    speakers: int


class Together(msgspec.Struct, frozen=True):
    """One system: its three errors in per cent, its speakers, and the answers lost to recognition, or won by it, by utterance;
    `lost_p` is McNemar's p of that many lost and won."""

    name: str
    sprec: WordErrorRow | None
    nl_error: float | None
    sls_error: float | None
    speakers: tuple[SpeakerErrors, ...]
    correlations: tuple[Correlation, ...]
    lost: tuple[str, ...]
    won: tuple[str, ...]
    lost_p: float | None = None


class SpokenLanguage(msgspec.Struct, frozen=True):
    """The three tests of all systems, and the systems compared by their answers; the signatures are those of the scores."""

    systems: tuple[Together, ...]
    nl: tuple[SystemComparison, ...]
    sls: tuple[SystemComparison, ...]
    nl_variance: tuple[RankVariance, ...]
    sls_variance: tuple[RankVariance, ...]
    signatures: tuple[str, ...]
    limits: tuple[str, ...] = ()


def read_answers(path: Path) -> ScoredAnswers:
    """Read what `curtain score --json` printed; raises `FormatFault` for anything else."""
    try:
        data: Any = json.loads(path.read_bytes())
        return msgspec.convert(data, ScoredAnswers)
    except UnicodeDecodeError:
        raise FormatFault(str(path), 0, "no UTF-8", _REMEDY) from None
    except json.JSONDecodeError as error:
        raise FormatFault(str(path), error.lineno, f"no JSON: {error.msg}", _REMEDY) from None
    except msgspec.ValidationError as error:
        raise FormatFault(str(path), 0, f"no report of scores: {error}", _REMEDY) from None


def together(
    results: Sequence[RecogniserResult], nl: ScoredAnswers | None, sls: ScoredAnswers | None, seed: int
) -> SpokenLanguage:
    """Put the tests of systems of the same name together; raises `FormatFault` for answers to what was not recognised."""
    words = {result.name: result for result in results}
    _refuse_other_terms(nl, sls)
    told = {_plain(scored.key): scored.about.speaker for result in results for scored in result.official}
    nl, sls = (_said_by(test, told) if test else None for test in (nl, sls))
    tests = [{system.name: system for system in (test.systems if test else ())} for test in (nl, sls)]
    names = list(dict.fromkeys([*words, *tests[0], *tests[1]]))
    weight = next((test.weight for test in (nl, sls) if test), 2.0)
    answers = [[_answers(system, weight) for system in test.values()] for test in tests]
    return SpokenLanguage(
        tuple(_together(name, words.get(name), [test.get(name) for test in tests], weight, seed) for name in names),
        tuple(compare_answers(answers[0], seed)),
        tuple(compare_answers(answers[1], seed)),
        tuple(answer_variances(answers[0])),
        tuple(answer_variances(answers[1])),
        tuple(test.signature for test in (nl, sls) if test),
        tuple(dict.fromkeys(line for name, test in (("NL", nl), ("SLS", sls)) if test for line in _limits(name, test))),
    )


def _refuse_other_terms(nl: ScoredAnswers | None, sls: ScoredAnswers | None) -> None:
    terms = [(test.signature.partition("|seed:")[0], test.weight) for test in (nl, sls) if test]
    if nl and sls and terms[0] != terms[1]:
        found = f"answers to text scored as {nl.signature}, those to speech as {sls.signature}"
        raise FormatFault("NL and SLS", 0, found, "score both by the same options of curtain score")


def _said_by(test: ScoredAnswers, speakers: Mapping[str, str]) -> ScoredAnswers:
    """The answers by the speakers of their words: lists of answers guess them from names, and one person would have two rows."""

    def named(each: _Outcome) -> _Outcome:
        who = speakers.get(_plain(each.utterance), "-")
        return each if who == "-" else msgspec.structs.replace(each, speaker=who)

    systems = (msgspec.structs.replace(one, outcomes=tuple(map(named, one.outcomes))) for one in test.systems)
    return msgspec.structs.replace(test, systems=tuple(systems))


def _limits(name: str, test: ScoredAnswers) -> Iterator[str]:
    """Yield what the answers do not say, and how much of them chance may have answered."""
    yield from test.limits
    if test.yes_no:
        yield f"{name}: {test.yes_no:.0f} % of the requests can be answered by yes or no, and half of those by chance."
    for system in test.systems:
        if system.chance:
            yield f"{name}: {system.chance:.1f} % of the answers of {system.name} would pass for another request of the test."


def _answers(system: _System, weight: float) -> Answers:
    return Answers(
        system.name,
        {each.utterance: _cost(each, weight) for each in system.outcomes},
        {each.utterance: each.speaker for each in system.outcomes},
    )


def _cost(outcome: _Outcome, weight: float) -> float:
    return {_RIGHT: 0.0, _NONE: 1.0}.get(outcome.verdict, weight)


def _together(
    name: str, words: RecogniserResult | None, answers: Sequence[_System | None], weight: float, seed: int
) -> Together:
    costs = [_costs(system, weight) for system in answers]
    verdicts = [{each.utterance: each.verdict for each in system.outcomes} if system else {} for system in answers]
    both = [key for key in verdicts[0] if key in verdicts[1]]
    errors = [_mean([cost for own in side.values() for cost in own]) for side in costs]
    rows = _speakers(words, costs)
    known = {_plain(scored.key) for scored in words.official} if words else set()
    for system in answers:
        for each in system.outcomes if system and words else ():
            if _plain(each.utterance) not in known:
                found = f"{name} has an answer to {each.utterance}, whose words are not scored"
                raise FormatFault(name, 0, found, "score words and answers of the same test")
    lost = tuple(key for key in both if verdicts[0][key] == _RIGHT != verdicts[1][key])
    won = tuple(key for key in both if verdicts[0][key] != _RIGHT == verdicts[1][key])
    return Together(
        name,
        words.total if words else None,
        errors[0],
        errors[1],
        tuple(rows),
        tuple(_correlations(rows, seed)),
        lost,
        won,
        mcnemar(len(lost), len(won)) if both else None,
    )


def _plain(key: str) -> str:
    """An utterance's name without its microphone, where it has one."""
    return stem_of(key.lower())[0] or key.lower()


def _costs(system: _System | None, weight: float) -> dict[str, list[float]]:
    """Return what each speaker's answers cost, in the order of the test."""
    found: dict[str, list[float]] = defaultdict(list)
    for each in system.outcomes if system else ():
        found[each.speaker].append(_cost(each, weight))
    return found


def _mean(costs: Sequence[float]) -> float | None:
    return 100 * sum(costs) / len(costs) if costs else None


def _speakers(words: RecogniserResult | None, costs: Sequence[Mapping[str, list[float]]]) -> list[SpeakerErrors]:
    lines = {line.group: line for line in words.by("speaker")} if words else {}
    names = sorted({*lines, *costs[0], *costs[1]})
    return [
        SpeakerErrors(
            name,
            lines[name].utterances if name in lines else 0,
            lines[name].word_error if name in lines else None,
            _mean(costs[0].get(name, [])),
            _mean(costs[1].get(name, [])),
        )
        for name in names
    ]


def _correlations(rows: Sequence[SpeakerErrors], seed: int) -> Iterator[Correlation]:
    for over in ("nl_error", "sls_error"):
        pairs = [(row.word_error, getattr(row, over)) for row in rows]
        known = np.array([pair for pair in pairs if None not in pair], dtype=float).reshape(-1, 2)
        r = pearson(known)
        if r is not None:
            yield Correlation(over.partition("_")[0].upper(), r, _interval(known, seed), len(known))


def pearson(pairs: "np.typing.NDArray[np.float64]") -> float | None:
    """Return the correlation of two columns; None below three rows, or where one of them does not vary."""
    if len(pairs) < 3:
        return None
    x, y = (column - column.mean() for column in pairs.T)
    spread = sqrt(float((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / spread if spread else None


def _interval(pairs: "np.typing.NDArray[np.float64]", seed: int) -> Interval | None:
    drawn = pairs[np.random.default_rng(seed).integers(0, len(pairs), (RESAMPLES, len(pairs)))]
    x, y = (drawn[:, :, side] - drawn[:, :, side].mean(axis=1, keepdims=True) for side in (0, 1))
    spread = np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))
    known = spread > 1e-9
    if not known.any():
        return None
    low, high = np.quantile((x * y).sum(axis=1)[known] / spread[known], [0.025, 0.975])
    return float(low), float(high)


def render(found: SpokenLanguage) -> Iterator[str]:
    """Yield the lines of the three tests."""
    yield ""
    yield "Speech and language: errors in % (SPREC: of the words, all utterances; NL, SLS: weighted, classes A and D)"
    rows = [
        [one.name, percent(one.sprec.word_error if one.sprec else None), percent(one.nl_error), percent(one.sls_error),
         str(len(one.lost)), str(len(one.won)), _p(one.lost_p)]
        for one in found.systems
    ]  # fmt: skip
    yield from table(
        ("system", "SPREC", "NL", "SLS", "lost to recognition", "right from speech only", "McNemar p"), rows
    )
    for one in found.systems:
        yield f"  {one.name}, by speaker"
        cells = [
            [row.speaker, str(row.utterances), percent(row.word_error), percent(row.nl_error), percent(row.sls_error)]
            for row in one.speakers
        ]
        yield from table(("speaker", "utt.", "SPREC", "NL", "SLS"), cells)
        for each in one.correlations:
            few = "; too few speakers to tell" if each.speakers < 8 else ""
            yield f"    word error and {each.over} error: r {each.r:.2f}, 95 % {_span(each.interval)}{few}"
        both = [
            row for row in one.speakers if row.word_error is not None and (row.nl_error, row.sls_error) != (None, None)
        ]
        if both and not one.correlations:
            yield "    no correlation: fewer than three speakers, or all of them alike"
        if one.lost:
            yield f"    right from the text, not from speech: {', '.join(one.lost)}"
    yield from (f"  {line}" for line in found.signatures)


def _p(value: float | None) -> str:
    return "-" if value is None else "<0.0001" if value < 0.0001 else f"{value:.4f}"


def _span(interval: Interval | None) -> str:
    return "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
