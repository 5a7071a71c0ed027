"""The Comparator: is this answer that answer, whatever the order of its rows and columns and whatever it adds?

An answer is correct when some choice of its columns, put in some order, gives exactly the tuples of the reference (the
minimum), and, where a maximal reference is given, when everything in it is in the maximum too (Boisen & Bates 1992, section
2.2.2). It compares and does not evaluate: usefulness, partial credit and reasons for being right are beyond it.
"""

from enum import StrEnum

import msgspec

from corpus.formats.cas import Answer, NoAnswer, Relation, Rules
from evaluation.comparator.column_candidates import candidates
from evaluation.comparator.options import Alternatives, Options
from evaluation.comparator.search_plan import find
from evaluation.comparator.small_relations import quickly
from evaluation.comparator.value_codes import PairCodes
from evaluation.comparator.work_limit import OutOfWork, WorkMeter


class Verdict(StrEnum):
    """Verdict of a comparison."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    NO_ANSWER = "no answer"
    UNDECIDED = "undecided"


class InputFault(ValueError):
    """A reference or an answer that cannot be compared at all, such as an answer with alternatives."""


class Judgement(msgspec.Struct, frozen=True):
    """The verdict on one answer against one alternative (`number` counts from 1).

    `mapping` gives for every column of the minimum its column in the answer, `placing` for every column of the answer
    its column in the maximum, both counted from 0. `agreeing` is False when the two could not be brought together.
    """

    verdict: Verdict
    number: int
    mapping: tuple[int, ...] | None = None
    placing: tuple[int, ...] | None = None
    agreeing: bool = True


class Comparison(msgspec.Struct, frozen=True):
    """The verdict over all alternatives, with the judgement on each that was looked at, and the signature."""

    verdict: Verdict
    judgements: tuple[Judgement, ...]
    signature: str


def compare(
    reference: Answer, answer: Answer, maximum: Answer | None = None, options: Options | None = None
) -> Comparison:
    """Compare an answer with a reference and, where given, with its maximum; alternatives go in pairs.

    Raises InputFault for what has no verdict: an answer with alternatives, NO_ANSWER as a reference, or a maximum with
    another number of alternatives.
    """
    chosen = options or Options()
    check_reference(reference, maximum, chosen)
    given = answer.single
    if given is None:
        raise InputFault(f"an answer must not have alternatives; this one has {len(answer.alternatives)}")
    signature = chosen.signature(maximum=maximum is not None)
    if isinstance(given, NoAnswer):
        return Comparison(Verdict.NO_ANSWER, (), signature)
    judgements: list[Judgement] = []
    for number, least in enumerate(_relations(reference), start=1):
        most = _relations(maximum)[number - 1] if maximum is not None else None
        judgements.append(_judge(least, given, most, chosen, number))
        if judgements[-1].verdict is Verdict.CORRECT and chosen.alternatives is Alternatives.ANY:
            break
    return Comparison(_overall(judgements, chosen.alternatives), tuple(judgements), signature)


def check_reference(reference: Answer, maximum: Answer | None, options: Options) -> None:
    """Raise InputFault for a reference that nothing can be compared with."""
    for name, answer in (("reference", reference), ("maximum", maximum)):
        for one in answer.alternatives if answer is not None else ():
            if isinstance(one, NoAnswer):
                raise InputFault(
                    f"the {name} is NO_ANSWER; a request without a reference answer is not scored; class it X or leave it out"
                )
    if len(reference.alternatives) > 1 and options.rules is Rules.R1989:
        raise InputFault("the reference has alternatives, which the rules of 1989 do not know")
    if maximum is not None and len(maximum.alternatives) != len(reference.alternatives):
        counts = f"{len(reference.alternatives)} and {len(maximum.alternatives)}"
        raise InputFault(f"minimum and maximum have {counts} alternatives; they go in pairs")


def _relations(answer: Answer) -> list[Relation]:
    return [one for one in answer.alternatives if isinstance(one, Relation)]


def _overall(judgements: list[Judgement], wanted: Alternatives) -> Verdict:
    verdicts = [judgement.verdict for judgement in judgements]
    if wanted is Alternatives.ALL:
        settled, open_ = Verdict.INCORRECT, Verdict.CORRECT
    else:
        settled, open_ = Verdict.CORRECT, Verdict.INCORRECT
    if settled in verdicts:
        return settled
    return Verdict.UNDECIDED if Verdict.UNDECIDED in verdicts else open_


def _judge(least: Relation, given: Relation, most: Relation | None, options: Options, number: int) -> Judgement:
    meter = WorkMeter(options.work)
    try:
        mapping = contains(least, given, options, meter)
        if mapping is None:
            return Judgement(Verdict.INCORRECT, number)
        if most is None:
            return Judgement(Verdict.CORRECT, number, mapping)
        placing, agreeing = _place(least, given, most, mapping, options, meter)
    except OutOfWork:
        return Judgement(Verdict.UNDECIDED, number)
    verdict = Verdict.INCORRECT if placing is None else Verdict.CORRECT
    return Judgement(verdict, number, mapping, placing, agreeing)


def contains(least: Relation, given: Relation, options: Options, meter: WorkMeter) -> tuple[int, ...] | None:
    """For every column of the minimum its column in the answer so that the tuples are the same; None if there is none."""
    if not least.rows or not given.rows:
        return () if not least.rows and not given.rows else None
    if least.arity > given.arity:
        return None
    quick = quickly(least.rows, given.rows, options)
    if quick is not None:
        return quick.mapping
    coding = PairCodes(least.rows, given.rows, options, a_is_reference=True)
    coding, open_ = candidates(coding, both=True)
    found = find(coding, meter, both=True, candidates=open_)
    return None if found is None else tuple(coding.b_columns[j] for j in found)


def _place(
    least: Relation, given: Relation, most: Relation, mapping: tuple[int, ...], options: Options, meter: WorkMeter
) -> tuple[tuple[int, ...] | None, bool]:
    """Return where the answer's columns are in the maximum, where possible so that the minimum's stand where they belong."""
    if not given.rows:
        return (), True
    if given.arity > most.arity or not most.rows:
        return None, True
    coding = PairCodes(given.rows, most.rows, options, a_is_reference=False)
    coding, free = candidates(coding, both=False)
    homes = _homes(least, most)
    tied = [list(row) for row in free]
    for column, place in enumerate(mapping):
        tied[place] = [j for j in free[place] if coding.b_columns[j] in homes[column]]
    found = find(coding, meter, both=False, candidates=tied)
    agreeing = found is not None
    if found is None:
        found = find(coding, meter, both=False, candidates=free)
    return (None if found is None else tuple(coding.b_columns[j] for j in found)), agreeing or found is None


def _homes(least: Relation, most: Relation) -> list[set[int]]:
    """For every column of the minimum the columns of the maximum that hold the same values."""
    there = [set(column) for column in zip(*most.rows, strict=True)]
    return [{j for j, values in enumerate(there) if values == set(column)} for column in zip(*least.rows, strict=True)]
