"""Stages that machines operate, as a console sees them: who holds which, what is wrong, and what can be done about it."""

from typing import NamedTuple

from session.commands import permitted
from session.state.fold import SessionState
from session.study.screen_words import console_words_of
from session.values.vocabulary import Operator, OperatorTrouble, RecordingControl, Role, Stage
from wizard.core.permissions import SAMPLES

TROUBLES = {
    OperatorTrouble.DIED: "died",
    OperatorTrouble.LATE: "late",
    OperatorTrouble.ERROR: "error",
    OperatorTrouble.GARBAGE: "garbage",
    OperatorTrouble.UNLEARNT: "unlearnt",
}
"""The keys of their words."""


class Hand(NamedTuple):
    """One thing that can be done about a stage: `what` is `take`, `give`, `accept` or `reject`."""

    what: str
    stage: Stage
    label: str


def hands(state: SessionState, role: Role, take: str) -> list[Hand]:
    """Return what a console of `role` can do about the stages now; `take` is the utterance it acts on."""
    found: list[Hand] = []
    said = console_words_of(state.opened.protocol if state.opened is not None else None)
    known = state.takes.get(take)
    proposed = known.proposed if known is not None else None
    if proposed is not None and permitted(role, SAMPLES["judge"]):
        found.append(Hand("accept", Stage.RESPONSE, said["console_stage.accept"].format(text=proposed.text)))
        found.append(Hand("reject", Stage.RESPONSE, said["console_stage.reject"]))
    if not permitted(role, SAMPLES["hands"]):
        return found
    for stage, held in state.stages.items():
        trouble = state.stage_troubles.get(stage)
        if held.operator is not Operator.HUMAN:
            by = said.name(held.operator)
            label = said["console_stage.take"].format(stage=said.name(stage), operator=by, engine=held.engine)
            found.append(Hand("take", stage, label))
        elif trouble is None or trouble.trouble is not OperatorTrouble.DIED:
            found.append(
                Hand("give", stage, said["console_stage.give"].format(stage=said.name(stage), engine=held.engine))
            )
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
    said = console_words_of(state.opened.protocol if state.opened is not None else None)
    may = permitted(role, SAMPLES["hands"])
    for stage, trouble in state.stage_troubles.items():
        held = state.stages.get(stage)
        detail = f": {said.told(trouble.detail)}" if trouble.detail else ""
        by_person = held is not None and held.operator is Operator.HUMAN
        works = trouble.trouble is OperatorTrouble.UNLEARNT
        remedy = said["console_stage.by_person"] if by_person else said["console_stage.take_over"] if may else ""
        what = f"{said[f'console_stage.{TROUBLES[trouble.trouble]}'].upper()}{detail}"
        told = said["console_stage.trouble"].format(stage=said.name(stage).upper(), trouble=what)
        found.append(("know", told) if works else ("stop", f"{told} {remedy}".strip()))
    if missing := _missing(state):
        names = " and ".join(said.name(stage).upper() for stage in missing)
        found.append(("stop", said["console_stage.missing"].format(stages=names)))
    for stage, held in state.stages.items():
        if held.operator is Operator.HUMAN and stage not in state.stage_troubles:
            hint = f" {said['console_stage.give_back']}" if may else ""
            told = said["console_stage.in_place"].format(
                stage=said.name(stage), engine=held.engine, why=said.told(held.reason)
            )
            found.append(("know", f"{told}{hint}"))
    known = state.takes.get(take)
    if known is not None and known.proposed is not None:
        hint = f" {said['console_stage.judge']}" if permitted(role, SAMPLES["judge"]) else ""
        told = said["console_stage.proposes"].format(text=known.proposed.text.splitlines()[0])
        found.append(("act", f"{told}{hint}"))
    return found
