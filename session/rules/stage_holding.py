"""The hold of a person or a machine on a stage: what it allows, how it changes hands, and how a machine's output is treated."""

from collections.abc import Sequence

import msgspec

from session import commands as c
from session import events as e
from session.rules.operator_deadlines import back, failed
from session.rules.refusal import RequestRefused, refused
from session.state.fold import SessionState, Take
from session.state.stage_operators import PEOPLE
from session.state.stage_operators import STAGE_OF as STAGE_OF
from session.study.settings import Profile
from session.values.hypotheses import bounded
from session.values.sanitize import one_line
from session.values.vocabulary import Operator, OperatorTrouble, ProposalVerdict, Role, Stage

LONGEST_DETAIL = 300
MOST_TROUBLES = 3
"""Troubles of one stage with one utterance that are recorded; a machine that goes on complaining fills no store."""
_HANDS = tuple(STAGE_OF.values())

Work = c.Transcribe | c.ProposeTranscription | c.SubmitQuery | c.SendAnswer | c.SendCanned | c.SendText | c.JudgeOutput


def stage_of(command: Work) -> Stage:
    """Return the stage whose work the command does."""
    match command:
        case c.Transcribe() | c.ProposeTranscription():
            return Stage.RECOGNITION
        case c.SubmitQuery():
            return Stage.UNDERSTANDING
        case c.JudgeOutput():
            return command.stage
        case _:
            return Stage.RESPONSE


def objection_to_work(state: SessionState, stage: Stage, role: Role) -> RequestRefused | None:
    """Return why a desk of this role may not do the work of a stage now; None if it may."""
    holder = state.operator(stage)
    if role in PEOPLE:
        if holder is Operator.MACHINE:
            return refused("machine_operates", stage=stage)
        return None
    if role not in STAGE_OF:
        return None
    if holder is None or STAGE_OF[role] is not stage:
        return refused("not_this_machine", stage=stage)
    return refused("person_operates", stage=stage) if holder is Operator.HUMAN else None


def leads(profile: Profile) -> bool:
    """Return whether a visit under this profile is led by the machine: no stage is a person's."""
    return all(getattr(profile.operators, stage) is Operator.MACHINE for stage in Stage)


def objection_to_leading(state: SessionState, role: Role) -> RequestRefused | None:
    """Return why a desk of this role may not start scenarios and end the visit now; None if it may."""
    if role is not Role.RESPONDER:
        return None
    if state.opened is None or not leads(state.opened.protocol.profile):
        return refused("people_lead")
    return objection_to_work(state, Stage.RESPONSE, role)


def operate(
    state: SessionState, command: c.OperateStage, role: Role, profile: Profile
) -> list[e.Fact] | RequestRefused:
    """Return the assignment of a machine that is ready; a person who has taken the stage over keeps it."""
    stage = command.stage
    planned = Operator(getattr(profile.operators, stage))
    if STAGE_OF.get(role) is not stage:
        return refused("not_this_desk", stage=stage)
    if planned is Operator.HUMAN:
        return refused("person_by_profile", profile=profile.name, stage=stage)
    held = state.stages.get(stage)
    engine, version = one_line(command.engine)[:LONGEST_DETAIL], one_line(command.version)[:LONGEST_DETAIL]
    if held is not None and (held.engine, held.version) == (engine, version) and stage not in state.stage_troubles:
        return []
    holder = Operator.HUMAN if held is not None and held.operator is Operator.HUMAN else planned
    reason = "attached" if held is None else "attached again"
    if holder is Operator.HUMAN:
        reason = "attached again; a person goes on until the stage is given back"
    assigned = e.StageAssigned(stage=stage, operator=holder, engine=engine, version=version, reason=reason)
    return [assigned, *back(state, stage)]


def take_over(state: SessionState, command: c.TakeOverStage) -> list[e.Fact] | RequestRefused:
    """Return the assignment of a stage to a person, and the end of a pause that waited for its machine."""
    held, reason = state.stages.get(command.stage), one_line(command.reason)[:LONGEST_DETAIL]
    if command.stage not in _HANDS:
        return refused("hub_asks")
    if held is None or held.operator is Operator.HUMAN:
        return refused("person_already", stage=command.stage)
    if not reason:
        return refused("why_taken_over")
    return [msgspec.structs.replace(held, operator=Operator.HUMAN, reason=reason), *back(state, command.stage)]


def give_back(state: SessionState, command: c.GiveBackStage, profile: Profile) -> list[e.Fact] | RequestRefused:
    """Return the assignment of a stage to its machine, where that is at work."""
    held, reason = state.stages.get(command.stage), one_line(command.reason)[:LONGEST_DETAIL]
    if held is None or held.operator is not Operator.HUMAN:
        return refused("not_taken_over", stage=command.stage)
    if (trouble := state.stage_troubles.get(command.stage)) is not None and trouble.trouble is OperatorTrouble.DIED:
        return refused("no_machine", stage=command.stage)
    if not reason:
        return refused("why_given_back")
    return [msgspec.structs.replace(held, operator=getattr(profile.operators, command.stage), reason=reason)]


def troubled(
    state: SessionState, command: c.ReportTrouble, role: Role, profile: Profile
) -> list[e.Fact] | RequestRefused:
    """Return the trouble that a machine reports of itself, and what follows from it; nothing if it only repeats itself."""
    held = state.stages.get(command.stage)
    if STAGE_OF.get(role) is not command.stage or held is None:
        return refused("not_this_machine", stage=command.stage)
    told = state.stage_troubles.get(command.stage)
    if told is not None and (told.trouble, told.take) == (command.trouble, command.take):
        return []
    known = state.takes.get(command.take)
    if (known is None and told is not None) or (known is not None and known.late.count(command.stage) >= MOST_TROUBLES):
        return []
    detail = one_line(command.detail)[:LONGEST_DETAIL]
    fact = e.OperatorTroubled(
        stage=command.stage, trouble=command.trouble, engine=held.engine, take=command.take, detail=detail
    )
    return failed(state, fact, profile)


def hypothesis(command: c.ProposeTranscription) -> e.HypothesisReceived | RequestRefused:
    """Return a recogniser's words as a fact, within bounds."""
    try:
        found = bounded(command.hypotheses)
    except ValueError as error:
        return refused("unusable_words", why=error)
    return e.HypothesisReceived(
        at=command.at,
        take=command.take,
        final=command.final,
        hypotheses=tuple(hypothesis for hypothesis in found if hypothesis.text),
        engine=one_line(command.engine)[:LONGEST_DETAIL],
        version=one_line(command.version)[:LONGEST_DETAIL],
        took=max(0, command.took),
    )


def proposed_words(state: SessionState, take: Take, place: int) -> str | RequestRefused:
    """Return the recogniser's words at this place of the order, which somebody takes as they stand."""
    if why := _objection_to_judging(state, take):
        return why
    found = take.hypothesis.hypotheses if take.hypothesis is not None else ()
    return found[place].text if 0 <= place < len(found) else refused("no_hypothesis", place=place + 1)


def rejected_words(state: SessionState, take: Take) -> list[e.Fact] | RequestRefused:
    """Return the judgement that the recogniser's words are of no use."""
    if why := _objection_to_judging(state, take):
        return why
    return [e.OutputJudged(stage=Stage.RECOGNITION, take=take.take, verdict=ProposalVerdict.REJECTED)]


def judged_by_transcribing(state: SessionState, take: Take, place: int | None) -> list[e.Fact]:
    """Return what a person's transcription says of the recogniser's words: those at `place` taken as they stand, or all of
    them put right; nothing if there are none, or they were judged before."""
    if state.operator(Stage.RECOGNITION) is not Operator.CORRECTED or _objection_to_judging(state, take):
        return []
    verdict = ProposalVerdict.EDITED if place is None else ProposalVerdict.ACCEPTED
    return [e.OutputJudged(stage=Stage.RECOGNITION, take=take.take, verdict=verdict, choice=place or 0)]


def _objection_to_judging(state: SessionState, take: Take) -> RequestRefused | None:
    if take.hypothesis is None or not take.hypothesis.final:
        return refused("no_words_proposed")
    if any(judgement.stage is Stage.RECOGNITION for judgement in take.judged):
        return refused("judged_already")
    return None


def judged_by_replying(take: Take, facts: Sequence[e.Fact], role: Role) -> list[e.Fact]:
    """Return the facts of a person's own reply behind what that says of the reply that a machine has proposed."""
    if take.proposed is None or role not in PEOPLE:
        return list(facts)
    return [e.OutputJudged(stage=Stage.RESPONSE, take=take.take, verdict=ProposalVerdict.EDITED), *facts]
