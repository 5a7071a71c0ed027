"""Operators of each stage, by what happened: the record of a session, whatever its profile plans.

People act by way of a desk, whose role is in the envelope of every fact; all else is the program's doing. Where both had a
part in a stage, the machine's work was corrected.
"""

from collections.abc import Iterable, Mapping
from typing import assert_never

import msgspec

from session import events as e
from session.state.session_state import SessionState
from session.values.vocabulary import EDITED, Language, Operator, OperatorTrouble, Role, Stage

STAGES = tuple(stage.value for stage in Stage)
STAGE_OF: Mapping[str, Stage] = {
    Role.RECOGNISER: Stage.RECOGNITION,
    Role.INTERPRETER: Stage.UNDERSTANDING,
    Role.RESPONDER: Stage.RESPONSE,
}
"""The roles of machines, each with the stage that it operates."""
_WORK: Mapping[Stage, tuple[type, ...]] = {
    Stage.RECOGNITION: (e.HypothesisReceived,),
    Stage.UNDERSTANDING: (e.QuerySubmitted,),
    Stage.RESPONSE: (e.ReplyPlanned, e.ReplyProposed, e.AnswerSent),
}
"""The facts by which a machine shows that it works; a message may be what goes out because it does not."""
_OF_PEOPLE = e.Transcribed | e.QuerySubmitted | e.ReplyPlanned | e.AnswerSent | e.CannedSent | e.OutputJudged


def _operates_as_a_person(role: Role) -> bool:
    """Return whether the work of a desk of this role is a person's; a role forgotten here would be taken for a machine's."""
    match role:
        case Role.WIZARD | Role.TRANSCRIBER | Role.EXPERIMENTER:
            return True
        case Role.SUBJECT | Role.OBSERVER | Role.RECOGNISER | Role.INTERPRETER | Role.RESPONDER:
            return False
        case _:
            assert_never(role)


PEOPLE = frozenset(role for role in Role if _operates_as_a_person(role))
"""The roles of people who may do the work of a stage."""


def is_done_by_a_person(recorded: e.Recorded) -> bool:
    """Return whether somebody behind the curtain did a part of the system's work with this fact."""
    return isinstance(recorded.event, _OF_PEOPLE) and recorded.by in PEOPLE


def troubles_with(state: SessionState, trouble: e.OperatorTroubled) -> Mapping[Stage, e.OperatorTroubled]:
    """Return the troubles after one more; a machine that is gone stays gone, however late it then is."""
    known = state.stage_troubles.get(trouble.stage)
    is_gone = known is not None and known.trouble is OperatorTrouble.DIED
    return state.stage_troubles if is_gone else {**state.stage_troubles, trouble.stage: trouble}


def at_work(state: SessionState, recorded: e.Recorded) -> SessionState:
    """Return the state after a fact: a machine that has just done its work is in no trouble any more, unless it is gone."""
    stage = STAGE_OF.get(recorded.by)
    trouble = state.stage_troubles.get(stage) if stage is not None else None
    if stage is None or trouble is None or trouble.trouble is OperatorTrouble.DIED:
        return state
    if not isinstance(recorded.event, _WORK[stage]):
        return state
    left = {other: known for other, known in state.stage_troubles.items() if other is not stage}
    return msgspec.structs.replace(state, stage_troubles=left)


def stage_operators(recorded: Iterable[e.Recorded], state: SessionState) -> Mapping[str, Operator | None]:
    """Return who operated each stage by these facts, of a scenario's log or of a whole session; None if nobody did.

    A greeting that the system opens with answers nobody, and is nobody's reply.
    """
    found: dict[str, set[Operator]] = {stage: set() for stage in STAGES}
    planned: set[str] = set()
    for record in recorded:
        person = Operator.HUMAN if record.by in PEOPLE else Operator.MACHINE
        event = record.event
        take = state.takes.get(_take_of(event, state))
        match event:
            case e.Transcribed():
                found["recognition"].add(person)
            case e.HypothesisReceived() if event.final:
                found["recognition"].add(Operator.MACHINE)
            case e.OutputJudged():
                found[event.stage] |= {Operator.MACHINE, Operator.HUMAN}
            case e.ReplyProposed():
                found["response"].add(Operator.MACHINE)
            case e.QuerySubmitted():
                found["understanding"] |= {person} if person is Operator.MACHINE else _understanding(event, state)
            case e.QueryReturned() | e.QueryFailed():
                found["database"].add(Operator.MACHINE)
            case e.ReplyPlanned():
                planned.add(event.reply.reply)
                found["response"].add(person)
            case e.AnswerSent() | e.CannedSent() if event.reply not in planned:
                if event.take or person is Operator.HUMAN:
                    found["response"].add(person)
            case _:
                pass
        if is_done_by_a_person(record) and take is not None and take.typed is None:
            found["recognition"].add(Operator.HUMAN)  # whoever asks or replies has listened
        if isinstance(event, e.CannedSent) and person is Operator.HUMAN and take is not None:
            found["understanding"].add(Operator.HUMAN)
    return {stage: _together(operators) for stage, operators in found.items()}


def _take_of(event: e.Fact, state: SessionState) -> str:
    if isinstance(event, e.ReplyPlanned):
        return event.reply.take
    if isinstance(event, e.QueryReturned | e.QueryFailed):
        return state.attempts[event.attempt].take if event.attempt in state.attempts else ""
    return str(getattr(event, "take", ""))


def _understanding(event: e.QuerySubmitted, state: SessionState) -> set[Operator]:
    """A person wrote the SQL, or the program understood the words; both where a person changed what the program made or got."""
    if event.language is Language.SQL:
        return {Operator.HUMAN, Operator.MACHINE} if event.origin == EDITED else {Operator.HUMAN}
    take = state.takes.get(event.take)
    said = {" ".join(text.split()).casefold() for text in (*take.transcriptions, take.typed or "")} if take else set()
    reworded = event.language is Language.ENGLISH and " ".join(event.text.split()).casefold() not in said
    return {Operator.MACHINE, Operator.HUMAN} if reworded or event.choice else {Operator.MACHINE}


def _together(operators: set[Operator]) -> Operator | None:
    return Operator.CORRECTED if len(operators) > 1 else next(iter(operators), None)
