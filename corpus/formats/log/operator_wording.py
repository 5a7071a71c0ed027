"""Records of a log for the operators of stages and for proposals of machines."""

from collections.abc import Mapping
from typing import assert_never

from corpus.formats.log.log_values import count_text
from session import events as e
from session.values.hypotheses import Hypothesis, WordTime

Worded = tuple[str, Mapping[str, str | tuple[str, ...] | None]]


def operator_record(event: e.OperatorFact) -> Worded:
    """Return the key and the attributes of the record."""
    match event:
        case e.StageAssigned():
            return "Stage_assigned", {
                "Stage": event.stage.value,
                "Operator": event.operator.value,
                "Engine": event.engine,
                "Engine_version": event.version,
                "Reason": event.reason,
            }
        case e.OperatorTroubled():
            return "Operator_troubled", {
                "Stage": event.stage.value,
                "Trouble_of_operator": event.trouble.value,
                "Engine": event.engine,
                "Detail": event.detail,
            }
        case e.HypothesisReceived():
            return "Hypothesis_received", {
                "Final": "yes" if event.final else "no",
                "Engine": event.engine,
                "Engine_version": event.version,
                "Took": count_text(event.took),
                "Hypothesis": tuple(_hypothesis(hypothesis) for hypothesis in event.hypotheses),
                "Original": (event.hypotheses[0].original or None) if event.hypotheses else None,
                "Word_time": tuple(_word(word) for word in event.hypotheses[0].words) if event.hypotheses else (),
            }
        case e.ReplyProposed():
            return "Reply_proposed", {
                "Reply": event.reply,
                "Response": event.response.value,
                "Attempt": event.attempt or None,
                "Canned_message": event.message,
                "Blank": event.blanks,
                "Result": event.text,
            }
        case e.OutputJudged():
            choice = str(event.choice + 1) if event.choice > 0 else None
            return "Output_judged", {
                "Stage": event.stage.value,
                "Verdict": event.verdict.value,
                "Choice": choice,
            }
        case e.ModelConsulted():
            return "Model_consulted", {
                "Attempt": event.attempt,
                "Model": event.model,
                "Engine_version": event.version,
                "Prompt_sha256": event.prompt,
                "Took": count_text(event.took),
                "Tokens_in": count_text(event.tokens_in),
                "Tokens_out": count_text(event.tokens_out),
                "Failed": event.failure,
            }
        case _:
            assert_never(event)


def _hypothesis(found: Hypothesis) -> str:
    return f"{_number(found.confidence)} {found.text}"


def _word(found: WordTime) -> str:
    return f"{_number(found.start)} {_number(found.end)} {_number(found.confidence)} {found.text}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
