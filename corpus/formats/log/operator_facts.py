"""Records about operators as the facts that they tell: the other way round of `corpus.formats.log.operator_wording`."""

from collections.abc import Callable, Mapping

from corpus.formats.log.log_values import Record
from session import events as e
from session.values.clock import Stamp
from session.values.hypotheses import Hypothesis, WordTime
from session.values.vocabulary import Operator, OperatorTrouble, ProposalVerdict, ResponseClass, Stage


def _number(text: str) -> float | None:
    return None if text == "-" else float(text)


def _word(text: str) -> WordTime:
    start, end, confidence, word = text.split(" ", 3)
    return WordTime(word, _number(start), _number(end), _number(confidence))


def _hypotheses(record: Record) -> tuple[Hypothesis, ...]:
    words = tuple(map(_word, record.all("Word_time")))
    found = []
    for place, value in enumerate(record.all("Hypothesis")):
        confidence, _, text = value.partition(" ")
        first = (words, record.get("Original")) if place == 0 else ((), "")
        found.append(Hypothesis(text, _number(confidence), *first))
    return tuple(found)


def _assigned(record: Record, take: str, at: Stamp) -> e.StageAssigned:
    return e.StageAssigned(
        stage=Stage(record.get("Stage")),
        operator=Operator(record.get("Operator")),
        engine=record.get("Engine"),
        version=record.get("Engine_version"),
        reason=record.get("Reason"),
    )


def _troubled(record: Record, take: str, at: Stamp) -> e.OperatorTroubled:
    return e.OperatorTroubled(
        stage=Stage(record.get("Stage")),
        trouble=OperatorTrouble(record.get("Trouble_of_operator")),
        engine=record.get("Engine"),
        take=take,
        detail=record.get("Detail"),
    )


def _heard(record: Record, take: str, at: Stamp) -> e.HypothesisReceived:
    return e.HypothesisReceived(
        at=at,
        take=take,
        final=record.get("Final") == "yes",
        hypotheses=_hypotheses(record),
        engine=record.get("Engine"),
        version=record.get("Engine_version"),
        took=int(record.get("Took")),
    )


def _proposed(record: Record, take: str, at: Stamp) -> e.ReplyProposed:
    return e.ReplyProposed(
        reply=record.get("Reply"),
        take=take,
        text=record.get("Result"),
        attempt=record.get("Attempt"),
        message=record.get("Canned_message"),
        blanks=record.all("Blank"),
        response=ResponseClass(record.get("Response")),
    )


def _judged(record: Record, take: str, at: Stamp) -> e.OutputJudged:
    return e.OutputJudged(
        stage=Stage(record.get("Stage")),
        take=take,
        verdict=ProposalVerdict(record.get("Verdict")),
        choice=int(record.get("Choice") or 1) - 1,
    )


def _consulted(record: Record, take: str, at: Stamp) -> e.ModelConsulted:
    return e.ModelConsulted(
        take=take,
        attempt=record.get("Attempt"),
        model=record.get("Model"),
        version=record.get("Engine_version"),
        prompt=record.get("Prompt_sha256"),
        took=int(record.get("Took")),
        tokens_in=int(record.get("Tokens_in")),
        tokens_out=int(record.get("Tokens_out")),
        failure=record.get("Failed"),
    )


OPERATOR_FACTS: Mapping[str, Callable[[Record, str, Stamp], e.Fact]] = {
    "Stage_assigned": _assigned,
    "Operator_troubled": _troubled,
    "Hypothesis_received": _heard,
    "Reply_proposed": _proposed,
    "Output_judged": _judged,
    "Model_consulted": _consulted,
}
"""The fact of each kind of record about operators."""
