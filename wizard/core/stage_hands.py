"""Stages that machines operate, as a console sees them: who holds which, what is wrong, and what can be done about it."""

from typing import NamedTuple

from session.commands import permitted
from session.state.fold import SessionState
from session.values.vocabulary import Operator, OperatorTrouble, RecordingControl, Role, Stage
from wizard.core.permissions import SAMPLES

TROUBLES = {
    OperatorTrouble.DIED: "is gone",
    OperatorTrouble.LATE: "is late",
    OperatorTrouble.ERROR: "has failed",
    OperatorTrouble.GARBAGE: "says what cannot be used",
}


class Hand(NamedTuple):
    """One thing that can be done about a stage: `what` is `take`, `give`, `accept` or `reject`."""

    what: str
    stage: Stage
    label: str


def hands(state: SessionState, role: Role, take: str) -> list[Hand]:
    """Return what a console of `role` can do about the stages now; `take` is the utterance it acts on."""
    found: list[Hand] = []
    known = state.takes.get(take)
    proposed = known.proposed if known is not None else None
    if proposed is not None and permitted(role, SAMPLES["judge"]):
        found.append(Hand("accept", Stage.RESPONSE, f"Send the machine's reply: {proposed.text}"))
        found.append(Hand("reject", Stage.RESPONSE, "Reject the machine's reply"))
    if not permitted(role, SAMPLES["hands"]):
        return found
    for stage, held in state.stages.items():
        trouble = state.stage_troubles.get(stage)
        if held.operator is not Operator.HUMAN:
            found.append(Hand("take", stage, f"Take over: {stage} ({held.operator} {held.engine})"))
        elif trouble is None or trouble.trouble is not OperatorTrouble.DIED:
            found.append(Hand("give", stage, f"Give back: {stage}, to {held.engine}"))
    return found


def _missing(state: SessionState) -> list[Stage]:
    """Return the stages that the profile gives to machines and for which none has come in yet. Where understanding and replies
    are corrected, a person may do all of it."""
    if state.opened is None or state.opened.rehearsal:
        return []
    profile = state.opened.protocol.profile
    planned, typed = profile.operators, profile.recording is RecordingControl.TYPED
    corrected = planned.recognition is Operator.CORRECTED
    wanted = {
        Stage.RECOGNITION: (corrected or planned.recognition is Operator.MACHINE) and not typed,
        Stage.UNDERSTANDING: planned.understanding is Operator.MACHINE,
        Stage.RESPONSE: planned.response is Operator.MACHINE,
    }
    return [stage for stage, needed in wanted.items() if needed and stage not in state.stages]


def stage_banners(state: SessionState, role: Role, take: str) -> list[tuple[str, str]]:
    """Return the banners of the stages: machines in trouble, stages taken over, a reply that waits for a judgement."""
    found: list[tuple[str, str]] = []
    if state.ended:
        return found
    may = permitted(role, SAMPLES["hands"])
    for stage, trouble in state.stage_troubles.items():
        held = state.stages.get(stage)
        detail = f": {trouble.detail}" if trouble.detail else ""
        by_person = held is not None and held.operator is Operator.HUMAN
        remedy = " A person operates it now." if by_person else " Alt+F takes the stage over." if may else ""
        name = stage.upper()
        found.append(("stop", f"THE MACHINE OF {name} {TROUBLES[trouble.trouble].upper()}{detail}.{remedy}"))
    if missing := _missing(state):
        names = " and ".join(stage.upper() for stage in missing)
        found.append(
            (
                "stop",
                f"NO MACHINE YET FOR {names}: the hub starts it, or `curtain operate` where it is apart.",
            )
        )
    for stage, held in state.stages.items():
        if held.operator is Operator.HUMAN and stage not in state.stage_troubles:
            hint = " Alt+F gives it back." if may else ""
            found.append(("know", f"A person operates {stage} in place of {held.engine} ({held.reason}).{hint}"))
    known = state.takes.get(take)
    if known is not None and known.proposed is not None:
        hint = " Alt+F sends or rejects it." if permitted(role, SAMPLES["judge"]) else ""
        found.append(("act", f"The machine proposes: {known.proposed.text.splitlines()[0]}{hint}"))
    return found
