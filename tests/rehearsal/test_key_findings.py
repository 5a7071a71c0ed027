"""`curtain doctor --keys`: the keys are those of the desks' bindings, and what the terminal keeps is told with a remedy."""

import asyncio
import io

import pytest

from annotator.app import TranscriptionApp
from desk.key_trial import KeyAnswer, KeyTrial, NeededKey, needed_keys
from rehearsal.checkup import CheckFinding, CheckLevel
from rehearsal.doctor import keys_command
from rehearsal.key_findings import DESKS, told
from subject.app import SubjectApp
from subject.screens.session_screen import SessionScreen
from wizard.app import WizardApp
from wizard.screens.console_screen import ConsoleScreen


@pytest.mark.parametrize(
    ("desk", "classes"),
    [
        ("subject", (SubjectApp, SessionScreen)),
        ("wizard", (WizardApp, ConsoleScreen)),
        ("annotator", (TranscriptionApp,)),
    ],
)
def test_every_key_of_a_desk_is_asked_for(desk: str, classes: tuple[type, ...]) -> None:
    needed = [one.key for one in needed_keys(DESKS[desk])]
    assert len(set(needed)) == len(needed)
    assert needed[:2] == (["space", "enter"] if desk == "subject" else ["enter", "escape"])
    for one in classes:
        bound = [key for binding in one.BINDINGS for key in binding.key.split(",")]  # type: ignore[attr-defined]
        assert {key for key in bound if len(key) > 1 and not key.isalpha()} <= {*needed, "ctrl+c"}
    assert not {"r", "n", "slash", "1", "shift+enter"} & set(needed)


def test_a_key_that_does_not_come_that_comes_as_another_or_that_comes_is_told_apart() -> None:
    needed = [NeededKey(key, f"does {key}") for key in ("space", "f10", "alt+s", "ctrl+q", "f5", "f6")]

    async def pressed() -> tuple[list[KeyAnswer], str]:
        trial = KeyTrial(needed, patience_s=60)
        async with trial.run_test() as pilot:
            await pilot.press("space", "n", "s", "ctrl+q")
            shown = str(pilot.app.query_one("#asked").render()) + str(pilot.app.query_one("#kept").render())
            await pilot.press("f5", "q")
        return trial.return_value or [], shown

    answers, shown = asyncio.run(pressed())
    assert [(answer.needed.key, answer.came) for answer in answers] == [
        ("space", "space"), ("f10", ""), ("alt+s", "s"), ("ctrl+q", "ctrl+q"), ("f5", "f5"),
    ]  # fmt: skip
    assert "5 of 6:  press  F5   (does f5)" in shown
    assert "Did not arrive: F10, Alt+S" in shown
    out, err = io.StringIO(), io.StringIO()
    assert keys_command("subject", True, out, err, lambda _: told(answers, False)) == 0
    assert out.getvalue().splitlines()[:2] == [
        "[  ok  ] keys: 3 of 5 keys asked for arrive",
        "[ WARN ] F10: does not arrive: the terminal keeps it (does f10)",
    ]
    assert "menu-accelerator-enabled false" in out.getvalue()
    assert "[ WARN ] Alt+S: comes as S (does alt+s)" in out.getvalue()
    assert "this terminal does not say when one is let go" in out.getvalue()
    lost: list[CheckFinding] = list(told([KeyAnswer(NeededKey("space", "Talk"), "")], True))
    assert [finding.level for finding in lost] == [CheckLevel.FAULT, CheckLevel.FAULT, CheckLevel.FINE]
    assert keys_command("subject", False, out, err) == 2
    assert keys_command("desk", True, out, err) == 2
    assert "run it in the desk's terminal" in err.getvalue()


def test_a_key_that_nobody_presses_counts_as_kept() -> None:
    async def waited() -> list[KeyAnswer]:
        trial = KeyTrial([NeededKey("f11", "Fill")], patience_s=0.01)
        async with trial.run_test() as pilot:
            while trial.return_value is None:
                await pilot.pause(0.01)
        return trial.return_value

    assert [answer.came for answer in asyncio.run(waited())] == [""]


def test_a_key_that_comes_after_the_patience_is_told_of_itself_and_not_of_the_next() -> None:
    async def late() -> tuple[list[KeyAnswer], str]:
        trial = KeyTrial([NeededKey(key, key) for key in ("up", "f10", "down")], patience_s=60)
        async with trial.run_test() as pilot:
            trial._answer("")  # as the timer does
            await pilot.press("up")
            shown = str(pilot.app.query_one("#asked").render()) + str(pilot.app.query_one("#kept").render())
            await pilot.press("f10", "n")
        return trial.return_value or [], shown

    answers, shown = asyncio.run(late())
    assert "2 of 3:  press  F10" in shown
    assert "Did not arrive" not in shown
    assert [answer.came for answer in answers] == ["up", "f10", ""]
