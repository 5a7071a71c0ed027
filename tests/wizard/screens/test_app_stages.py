"""Machines at a console: one in trouble is shown, a stage is taken over and given back by keys, a proposed reply is judged."""

import pytest

from session import commands as c
from session import events as e
from session.study.settings import Operators
from session.values.vocabulary import Operator, OperatorTrouble, ProposalVerdict, Role, Stage
from tests.desk.regions import painted
from tests.wizard.desk import HandPlayed, write
from wizard.core.stage_hands import hands

MACHINE = e.StageAssigned(
    stage=Stage.RESPONSE, operator=Operator.MACHINE, engine="rows", version="1", reason="attached"
)
HUMAN = e.StageAssigned(stage=Stage.RESPONSE, operator=Operator.HUMAN, engine="rows", version="1", reason="stuck")


async def test_a_stage_is_taken_over_with_a_reason_and_given_back() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(110, 30)) as pilot:
        desk.begin_turn()
        desk.tell(MACHINE)
        await pilot.press("alt+f")
        await pilot.pause()
        assert "Take over: response (machine rows)" in painted(desk.app)
        await pilot.press("1")
        await pilot.pause()
        await write(pilot, "it is stuck")
        await pilot.press("enter")
        taken = desk.up.given[-1]
        assert taken == c.TakeOverStage(id=taken.id, stage=Stage.RESPONSE, reason="it is stuck")
        desk.tell(HUMAN)
        await pilot.pause()
        assert "A person operates response in place of rows (stuck)" in painted(desk.app)
        await pilot.press("alt+f")
        await pilot.pause()
        await pilot.press("1")
        await pilot.pause()
        await write(pilot, "it goes again")
        await pilot.press("enter")
        given = desk.up.given[-1]
        assert given == c.GiveBackStage(id=given.id, stage=Stage.RESPONSE, reason="it goes again")


async def test_a_machine_that_has_not_come_yet_is_missed_at_the_console() -> None:
    desk = HandPlayed(operators=Operators(recognition=Operator.CORRECTED, response=Operator.MACHINE))
    async with desk.app.run_test(size=(110, 30)) as pilot:
        desk.begin_turn()
        await pilot.pause()
        assert "NO MACHINE YET FOR RECOGNITION and RESPONSE" in painted(desk.app)
        desk.tell(MACHINE)
        await pilot.pause()
        assert "NO MACHINE YET FOR RECOGNITION:" in painted(desk.app)


@pytest.mark.parametrize("role", [Role.WIZARD, Role.OBSERVER])
async def test_a_machine_in_trouble_shows_at_every_console(role: Role) -> None:
    desk = HandPlayed(role=role)
    async with desk.app.run_test(size=(110, 30)) as pilot:
        desk.begin_turn()
        desk.tell(MACHINE)
        trouble = e.OperatorTroubled(stage=Stage.RESPONSE, trouble=OperatorTrouble.DIED, detail="killed")
        desk.tell(trouble)
        await pilot.pause()
        seen = painted(desk.app)
        assert "THE MACHINE OF RESPONSE IS GONE: killed." in seen
        assert ("Alt+F takes the stage over" in seen) is (role is Role.WIZARD)
        desk.tell(HUMAN)
        assert hands(desk.console.state, role, "t1") == []  # nobody is there to give it back to


async def test_what_a_machine_could_not_learn_is_told_and_nobody_is_asked_to_take_its_place() -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(110, 30)) as pilot:
        desk.begin_turn()
        desk.tell(MACHINE)
        desk.tell(
            e.OperatorTroubled(
                stage=Stage.RESPONSE, trouble=OperatorTrouble.UNLEARNT, detail="'xyz' is in no dictionary"
            )
        )
        await pilot.pause()
        seen = painted(desk.app)
        assert "·· THE MACHINE OF RESPONSE WORKS, BUT DOES NOT KNOW ALL WORDS: 'xyz' is in no dictionary." in seen
        assert "Alt+F takes" not in seen


@pytest.mark.parametrize(("key", "verdict"), [("1", ProposalVerdict.ACCEPTED), ("2", ProposalVerdict.REJECTED)])
async def test_a_reply_that_a_machine_proposes_is_sent_or_rejected(key: str, verdict: ProposalVerdict) -> None:
    desk = HandPlayed()
    async with desk.app.run_test(size=(110, 30)) as pilot:
        desk.begin_turn()
        desk.tell(e.ReplyProposed(reply="r9", take="t1", text="Where will you be leaving from?"))
        await pilot.pause()
        assert "The machine proposes: Where will you be leaving from?" in painted(desk.app)
        await pilot.press("alt+f")
        await pilot.pause()
        await pilot.press(key)
        judged = desk.up.given[-1]
        assert judged == c.JudgeOutput(id=judged.id, stage=Stage.RESPONSE, take="t1", verdict=verdict)
