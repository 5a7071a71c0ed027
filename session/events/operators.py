"""Facts about who operates a stage of the system, person or machine, and about what machines put forward.

None of them reaches the subject: that a machine answers, stops answering or is helped by a person is behind the curtain.
"""

from session.events.base import Event
from session.values.clock import Stamp
from session.values.hypotheses import Hypothesis
from session.values.limits import Count, Identifier, Text, WorkTime
from session.values.vocabulary import Operator, OperatorTrouble, ProposalVerdict, ResponseClass, Stage


class StageAssigned(Event, frozen=True):
    """A stage got a new operator: a machine connected, a person took over, or a machine got it back.

    `engine` and `version` name the machine, where there is one.
    """

    stage: Stage
    operator: Operator
    engine: str = ""
    version: str = ""
    reason: str = ""


class OperatorTroubled(Event, frozen=True):
    """A machine that operates a stage died, was late, failed or returned what cannot be used."""

    stage: Stage
    trouble: OperatorTrouble
    engine: str = ""
    take: str = ""
    detail: str = ""


class HypothesisReceived(Event, frozen=True):
    """A recogniser's words, partial ones while the subject speaks and one final set after; `took` is nanoseconds from the end
    of the take to its final words."""

    at: Stamp
    take: str
    final: bool
    hypotheses: tuple[Hypothesis, ...]
    engine: str
    version: str = ""
    took: int = 0


class ReplyProposed(Event, frozen=True):
    """A machine's reply waits for a person's judgement, where the profile has responses corrected."""

    reply: str
    take: str
    text: str
    attempt: str = ""
    message: str = ""
    blanks: tuple[str, ...] = ()
    response: ResponseClass = ResponseClass.ANSWER


class OutputJudged(Event, frozen=True):
    """A person judged a machine's output in a corrected stage; `choice` is the place of what was taken."""

    stage: Stage
    take: str
    verdict: ProposalVerdict
    choice: int = 0


class ModelConsulted(Event, frozen=True):
    """An outside model read a request; `prompt` is the SHA-256 of what it was sent, `took` in nanoseconds, tokens as it says."""

    take: Identifier
    attempt: Identifier
    model: Text
    version: Text = ""
    prompt: Identifier = ""
    took: WorkTime = 0
    tokens_in: Count = 0
    tokens_out: Count = 0
    failure: Text = ""
