"""The judgements of several raters as one: by majority, by adjudication or by a model of how reliable each is, with intervals.

Only what a rater has finished counts. What cannot be settled by a majority is left open and listed, never guessed.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum

import msgspec
import numpy as np

from annotator.annotation.annotation_list import judging_order
from annotator.judging.rubric import CANNOT_DECIDE, Rubric
from corpus.analysis.distribution import wilson
from corpus.dataset.reader import Corpus
from evaluation.agreement.coefficients import Agreement, Interval, agreement
from evaluation.agreement.dawid_skene import combine, majority
from session.annotation.judged import JUDGING_RULING, Judged, JudgingStream, fold
from session.annotation.judgement_facts import TurnJudged
from session.annotation.store import Work

OPEN = "open"
ROUNDS = 1000


class Method(StrEnum):
    """Way to make one judgement of several."""

    MAJORITY = "majority"
    ADJUDICATION = "adjudication"
    MODEL = "dawid-skene"


class Judgements(msgspec.Struct, frozen=True):
    """Finished judgements: by dialogue and rater, and the rulings by dialogue."""

    by_dialogue: Mapping[str, Mapping[str, Judged]]
    rulings: Mapping[str, Judged]

    @property
    def raters(self) -> list[str]:
        """Everybody who has finished a dialogue."""
        return sorted({rater for said in self.by_dialogue.values() for rater in said})


class CombinedTurn(msgspec.Struct, frozen=True):
    """One interaction as all raters together have it; `certainty` is the share, or probability, that is behind it."""

    dialogue: str
    number: int
    utterance: str
    request: str
    response: str
    verdict: str
    noticed: str
    lost: float
    certainty: float
    raters: int

    @property
    def label(self) -> str:
        """Response and verdict in one."""
        return f"{self.response}: {self.verdict}" if self.verdict else self.response


class CombinedDialogue(msgspec.Struct, frozen=True):
    """A dialogue as all raters together have it."""

    dialogue: str
    finished: str
    solution: str
    turns: tuple[CombinedTurn, ...]
    minutes: float
    raters: int


def judgements(corpus: Corpus, work: Work) -> Judgements:
    """Everything that raters have finished about the dialogues of a corpus."""
    order = judging_order(corpus, work)
    found: dict[str, dict[str, Judged]] = {}
    rulings: dict[str, Judged] = {}
    wanted = {stream: name for stream in work.lengths() if (name := JudgingStream.parse(stream))}
    for stream, facts in work.read_many(list(wanted)):
        name, judged = wanted[stream], fold(facts)
        if name.dialogue not in order or judged.erased:
            continue
        if name.kind == JUDGING_RULING:
            rulings[name.dialogue] = judged
        elif judged.done:
            found.setdefault(name.dialogue, {})[judged.by] = judged
    ordered = {dialogue: found[dialogue] for dialogue in order if dialogue in found}
    return Judgements(ordered, rulings)


def views() -> dict[str, Callable[[TurnJudged], Hashable]]:
    """The questions over which agreement is told, each with what a rater said."""
    return {
        "request": lambda turn: turn.request,
        "response": lambda turn: turn.response,
        "verdict": lambda turn: f"{turn.response}: {turn.verdict}",
    }


def agreements(found: Judgements, seed: int) -> list[Agreement]:
    """Agreement by question, and over the solutions; dialogues are the clusters."""
    raters = found.raters
    made = []
    for name, view in views().items():
        clusters = [
            [[view(said[rater].turns[n]) if rater in said and n in said[rater].turns else None for rater in raters]
             for n in _numbers(said)]
            for said in found.by_dialogue.values()
        ]  # fmt: skip
        made.append(agreement(name, raters, clusters, seed))
    solutions: list[list[list[Hashable | None]]] = [
        [[_solution(said.get(rater)) for rater in raters]] for said in found.by_dialogue.values()
    ]
    return [*made, agreement("solution", raters, solutions, seed)]


def combined(found: Judgements, method: Method) -> list[CombinedDialogue]:
    """Return one judgement per dialogue; undecided ones are open."""
    raters = found.raters
    units = [(dialogue, n) for dialogue, said in found.by_dialogue.items() for n in _numbers(said)]

    def rows(view: Callable[[TurnJudged], Hashable]) -> list[list[Hashable | None]]:
        return [
            [
                view(said[rater].turns[n]) if rater in (said := found.by_dialogue[dialogue]) and n in said[rater].turns else None
                for rater in raters
            ]
            for dialogue, n in units
        ]  # fmt: skip

    labels = _settled(rows(lambda turn: (turn.response, turn.verdict)), raters, method)
    requests = _settled(rows(lambda turn: turn.request), raters, method)
    by_dialogue: dict[str, list[CombinedTurn]] = {}
    for (dialogue, n), (label, certainty), (request, _) in zip(units, labels, requests, strict=True):
        turn = _turn(found, dialogue, n, label, request, certainty, method)
        by_dialogue.setdefault(dialogue, []).append(turn)
    return [_dialogue(found, dialogue, turns, raters, method) for dialogue, turns in by_dialogue.items()]


def _turn(
    found: Judgements, dialogue: str, n: int, label: Hashable, request: Hashable, certainty: float, method: Method
) -> CombinedTurn:
    said = [one.turns[n] for one in found.by_dialogue[dialogue].values() if n in one.turns]
    ruled = found.rulings[dialogue].turns.get(n) if dialogue in found.rulings else None
    response, verdict = label if isinstance(label, tuple) else (OPEN, "")
    if ruled is not None and method is Method.ADJUDICATION:
        said, response, verdict, request, certainty = [ruled], ruled.response, ruled.verdict, ruled.request, 1.0
    same = [turn for turn in said if (turn.response, turn.verdict) == (response, verdict)]
    noticed = majority([turn.noticed for turn in same if turn.noticed]) if same else None
    lost = sum(turn.lost for turn in same) / len(same) if same else 0.0
    return CombinedTurn(
        dialogue, n, said[0].utterance, str(request or OPEN), response, verdict, str(noticed or ""), lost, certainty,
        len(said),
    )  # fmt: skip


def _dialogue(
    found: Judgements, dialogue: str, turns: Sequence[CombinedTurn], raters: Sequence[str], method: Method
) -> CombinedDialogue:
    said = found.by_dialogue[dialogue]
    ruled = found.rulings[dialogue].scenario if dialogue in found.rulings else None
    scenarios = [one.scenario for one in said.values() if one.scenario is not None]
    solution = majority([one.solution for one in scenarios])
    finished = majority([one.finished for one in scenarios])
    if ruled is not None and method is Method.ADJUDICATION:
        solution, finished = ruled.solution, ruled.finished
    minutes = sum(one.worked for one in said.values()) / 60e9 / max(1, len(said))
    return CombinedDialogue(dialogue, str(finished or OPEN), str(solution or OPEN), tuple(turns), minutes, len(said))


def _settled(
    table: Sequence[Sequence[Hashable | None]], raters: Sequence[str], method: Method
) -> list[tuple[Hashable | None, float]]:
    if method is Method.MODEL and table:
        model = combine(table, raters)
        return [(model.label(unit), model.certainty(unit)) for unit in range(len(table))]
    return [(label := majority(row), _share(row, label)) for row in table]


def _share(row: Sequence[Hashable | None], label: Hashable | None) -> float:
    said = [one for one in row if one is not None]
    return said.count(label) / len(said) if said and label is not None else 0.0


def _numbers(said: Mapping[str, Judged]) -> list[int]:
    return sorted({n for one in said.values() for n in one.turns})


def _solution(judged: Judged | None) -> Hashable | None:
    return judged.scenario.solution if judged is not None and judged.scenario is not None else None


def reliability(found: Judgements) -> Mapping[str, float]:
    """Return how often each rater calls a response what it is, by the model."""
    rows = [
        [said[rater].turns[n].response + said[rater].turns[n].verdict if rater in said and n in said[rater].turns else None
         for rater in found.raters]
        for said in found.by_dialogue.values() for n in _numbers(said)
    ]  # fmt: skip
    return combine(rows, found.raters).reliability if rows else {}


class ErrorCost(msgspec.Struct, frozen=True):
    """Cost of an error in turns, a failure to answer costing one: what weight a wrong answer deserves by the judgements."""

    errors: int
    noticed: int
    weight: Interval


def error_cost(found: Iterable[CombinedDialogue], rubric: Rubric, seed: int, rounds: int = ROUNDS) -> ErrorCost:
    """The weight that the judgements imply, with its interval by a bootstrap over dialogues.

    No answer costs the turn that it took. An error costs that turn, and those that went by before it was out of the way
    (MADCOW 1992, note 4: of a system's errors 90 % were noticed before the next query, which gave 1.25).
    """
    clusters = [
        [turn for turn in one.turns if rubric.is_error(turn.verdict) and turn.response == "answer"] for one in found
    ]
    errors = [turn for cluster in clusters for turn in cluster]
    noticed = sum(turn.noticed == "yes" for turn in errors)
    if not errors:
        return ErrorCost(0, 0, Interval(None))
    draws = np.random.default_rng(seed).integers(0, len(clusters), (rounds, len(clusters)))
    costs = [cost for draw in draws if (cost := _cost([turn for at in draw for turn in clusters[at]])) is not None]
    if sum(bool(cluster) for cluster in clusters) < 2:
        return ErrorCost(len(errors), noticed, Interval(_cost(errors)))
    low, high = np.quantile(costs, (0.025, 0.975))
    return ErrorCost(len(errors), noticed, Interval(_cost(errors), float(low), float(high)))


def _cost(errors: Sequence[CombinedTurn]) -> float | None:
    return 1 + sum(turn.lost for turn in errors) / len(errors) if errors else None


def scores(found: Sequence[CombinedDialogue]) -> list[str]:
    """Return how many responses are what, with 95 % intervals, and how many dialogues are solved rightly."""
    turns = [turn for one in found for turn in one.turns]
    lines = [f"{len(found)} dialogues, {len(turns)} interactions"]
    counts: dict[str, int] = {}
    for turn in turns:
        counts[turn.label] = counts.get(turn.label, 0) + 1
    lines += [
        f"  {label}: {_of(count, len(turns))}" for label, count in sorted(counts.items(), key=lambda one: -one[1])
    ]
    right = sum(one.solution == "right" for one in found)
    lines.append(f"solution right: {_of(right, len(found))}")
    undecided = [f"{turn.utterance}" for turn in turns if turn.response == OPEN or turn.verdict == CANNOT_DECIDE]
    if undecided:
        lines.append(f"not settled: {' '.join(undecided)}")
    return lines


def _of(count: int, total: int) -> str:
    if not total:
        return "none"
    low, high = wilson(count / total, total)
    return f"{count} of {total}, {100 * count / total:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
