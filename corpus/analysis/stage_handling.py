"""Judgements of the output of machines, changes of hands in their stages, and their troubles, as the logs tell of them."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from corpus.formats.log.log_values import Log
from session.state.stage_operators import PEOPLE
from session.values.vocabulary import Operator, OperatorTrouble, ProposalVerdict, Stage

TAKEN_OVER, HANDED_OVER, GIVEN_BACK, TROUBLED = "taken over", "handed over", "given back", "troubled"
Handling = tuple[str, str]
"""A stage, and what happened there: a verdict, or one of the above."""


class StageRow(msgspec.Struct, frozen=True):
    """One stage under one condition: judgements of a machine's output; how often a person took the stage over from the machine,
    how often the profile handed it to one because the machine was late or gone, how often it was given back; troubles."""

    stage: str
    condition: str
    accepted: int
    edited: int
    rejected: int
    taken_over: int
    handed_over: int
    given_back: int
    troubled: int


def handlings(log: Log) -> tuple[Handling, ...]:
    """Return what happened in the stages, in the order of the log."""
    found: list[Handling] = []
    for record in (record for block in log.blocks for record in block.records):
        stage, machine = record.get("Stage"), record.get("Operator") != Operator.HUMAN
        match record.key:
            case "Output_judged":
                found.append((stage, record.get("Verdict")))
            case "Operator_troubled" if record.get("Trouble_of_operator") != OperatorTrouble.UNLEARNT:
                found.append((stage, TROUBLED))
            case "Stage_assigned" if not record.get("Reason").startswith("attached"):
                taken = TAKEN_OVER if record.by in PEOPLE else HANDED_OVER
                found.append((stage, GIVEN_BACK if machine else taken))
            case _:
                pass
    return tuple(found)


def stage_rows(found: Iterable[tuple[str, Handling]]) -> list[StageRow]:
    """Return a row for each stage under each condition in which anything happened, stages in the order of a turn."""
    counts = Counter((stage, condition, what) for condition, (stage, what) in found)
    order = {stage.value: place for place, stage in enumerate(Stage)}
    rows = sorted({key[:2] for key in counts}, key=lambda row: (order[row[0]], row[1]))
    kinds = (*(verdict.value for verdict in (ProposalVerdict.ACCEPTED, ProposalVerdict.EDITED, ProposalVerdict.REJECTED)),
             TAKEN_OVER, HANDED_OVER, GIVEN_BACK, TROUBLED)  # fmt: skip
    return [StageRow(*row, *(counts[(*row, kind)] for kind in kinds)) for row in rows]
