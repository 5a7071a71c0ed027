"""A responder: sends the answer that was found, asks back, or gives the reason why there is none.

Where no stage of the profile is a person's it also leads the visit: it starts the scenarios in their order, practice first,
and ends them when all are done.
"""

from collections.abc import Iterable

from operators.desk import Send
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk
from session.rules.assigned_scenarios import left_to_do
from session.rules.operator_deadlines import pending_stage
from session.rules.replies import answer_text
from session.rules.stage_holding import leads
from session.rules.visit_steps import lacking_practice, opening_step
from session.state.fold import Attempt, SessionState, Take, active
from session.study.settings import CannedMessage, Scenario
from session.values.answers import FailureKind, digest
from session.values.clock import SECOND, Clock, Stamp, stamp
from session.values.consent import ConsentScope
from session.values.names import derived_reply
from session.values.vocabulary import OperatorTrouble, ResponseClass, ScenarioKind, Stage

ROWS = "rows"
REASONS = {
    FailureKind.NOT_UNDERSTOOD: ("not_understood",),
    FailureKind.TOO_LARGE: ("too_large",),
    FailureKind.TIMEOUT: ("too_large", "tool_failed"),
}
"""Reasons of canned messages that say why a query gave nothing, the fittest first; for all others, that the system cannot."""
NOT_HEARD = ("not_heard", "not_understood")
UNABLE = ("tool_failed", "not_understood")


class Responder:
    """A machine that replies to every utterance with a query result, and leads a visit without people."""

    stage = Stage.RESPONSE
    engine = ROWS

    def __init__(self, version: str, send: Send, clock: Clock) -> None:
        self.version = version
        self._send = send
        self._clock = clock

    def follow(self, state: SessionState, event: e.Fact | None) -> None:
        """Send the reply that is due, or start what is next."""
        if state.opened is None or state.ended or state.paused is not None or state.planned is not None:
            return
        profile = state.opened.protocol.profile
        if state.operator(Stage.RESPONSE) not in (None, profile.operators.response):
            return
        for take in state.waiting():
            if pending_stage(state, take, profile) is Stage.RESPONSE and not _replied(state, take):
                self._send(reply_to(state, take) or _speechless(take))
                return
        if leads(profile) and (following := next_of_visit(state, stamp(self._clock))) is not None:
            self._send(following)

    def hear(self, chunk: AudioChunk) -> None:
        """Nothing: a responder works on rows."""

    def close(self) -> None:
        """Do nothing: no work is pending."""


def _replied(state: SessionState, take: Take) -> bool:
    """Return whether the take had a reply, be it one that a person has marked as wrong: the same again would help nobody."""
    return any(state.replies[name].response is not ResponseClass.FILLER for name in take.replies)


def reply_to(state: SessionState, take: Take) -> c.SendAnswer | c.SendText | c.SendCanned | None:
    """The reply to an utterance whose words or rows are there; None if the study has no message that fits.

    Rows of a reading that left words of the request out, or is wrong too often, are no answer to it: nobody is there to see that.
    """
    name = derived_reply(state.session, take.take, str(len(take.attempts)))
    if not take.attempts:
        return _canned(state, name, take, NOT_HEARD)
    attempt = state.attempts[take.attempts[-1]]
    if attempt.question:
        return c.SendText(id=name, take=take.take, text=attempt.question, response=ResponseClass.DIRECTIVE)
    if attempt.unused or attempt.unasked or attempt.doubtful:
        return _canned(state, name, take, (*REASONS[FailureKind.NOT_UNDERSTOOD], *UNABLE))
    if attempt.table is not None:
        text = answer_text(state, attempt.attempt) or ""
        return c.SendAnswer(id=name, attempt=attempt.attempt, sha256=digest(text))
    return _canned(state, name, take, (*_reasons(attempt), *UNABLE))


def _reasons(attempt: Attempt) -> tuple[str, ...]:
    """Reasons that a failure gives; an engine that was late or said too much, and gave no statement, says nothing of rows."""
    if not attempt.sql and attempt.failure in (FailureKind.TOO_LARGE, FailureKind.TIMEOUT):
        return ()
    return REASONS.get(attempt.failure, ()) if attempt.failure is not None else ()


def _speechless(take: Take) -> c.ReportTrouble:
    return c.ReportTrouble(
        id=f"{take.take}-speechless",
        stage=Stage.RESPONSE,
        trouble=OperatorTrouble.ERROR,
        take=take.take,
        detail="no canned message without blanks says that there is no answer",
    )


def _canned(state: SessionState, name: str, take: Take, reasons: Iterable[str]) -> c.SendCanned | None:
    """The first message without blanks that gives one of the reasons, otherwise the first that tells of a failure."""
    known = [message for message in _messages(state) if not message.blanks]
    fitting = [message for reason in reasons for message in known if message.reason == reason]
    fitting += [message for message in known if message.response is ResponseClass.FAILURE]
    return c.SendCanned(id=name, message=fitting[0].id, take=take.take) if fitting else None


def _messages(state: SessionState) -> Iterable[CannedMessage]:
    return state.opened.protocol.canned_messages.values() if state.opened is not None else ()


def next_of_visit(state: SessionState, now: Stamp) -> c.StartScenario | c.EndSession | None:
    """Return the next step of the visit: the next scenario, or its end; None while the subject is at something."""
    if state.opened is None or state.run is not None or state.step is not None or opening_step(state) is not None:
        return None
    profile = state.opened.protocol.profile
    if state.withdrawn is not None:
        return _end(state, "the participant has withdrawn")
    if profile.consent and state.consent is None:
        return None
    if not state.allows(ConsentScope.RECORD):
        return _end(state, "the subject does not consent to being recorded")
    if not state.allows(ConsentScope.TRANSCRIBE):
        return _end(state, "the subject does not consent to being written down, and the machine works on words")
    if (practice := _practice(state)) is not None:
        return _start(state, practice)
    assignment = state.opened.assignment
    full = profile.max_scenarios and state.counted >= profile.max_scenarios
    late = profile.session_limit_s and active(state, now) >= profile.session_limit_s * SECOND
    by_design = assignment is not None and bool(assignment.now.scenarios)
    done = {run.scenario for run in state.runs if run.number is not None and not (by_design and not run.counts)}
    left = [
        scenario
        for scenario in state.opened.protocol.scenarios.values()
        if scenario.kind is not ScenarioKind.PRACTICE and scenario.id not in done and not scenario.unbound({})
    ]
    if by_design:
        assigned = left_to_do(state)
        left = [scenario for name in assigned[:1] for scenario in left if scenario.id == name]
    if full or late or not left:
        return _end(state, "the scenarios are done")
    return _start(state, left[0])


def _practice(state: SessionState) -> Scenario | None:
    """The practice scenario that the subject still has to hold."""
    if state.opened is None or not lacking_practice(state):
        return None
    bank = [scenario for scenario in state.opened.protocol.scenarios.values() if scenario.kind is ScenarioKind.PRACTICE]
    held = sum(run.number is None for run in state.runs)
    return bank[held % len(bank)] if bank else None


def _start(state: SessionState, scenario: Scenario) -> c.StartScenario:
    return c.StartScenario(id=f"{state.session}-scenario-{len(state.runs) + 1}", scenario=scenario.id)


def _end(state: SessionState, reason: str) -> c.EndSession:
    return c.EndSession(id=f"{state.session}-end-{len(state.runs)}", reason=reason)
