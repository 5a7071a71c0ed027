"""Values that no desk would send are found wherever they stand in a command."""

import typing
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from session import commands as c
from session import events as e
from session.hub.command_validation import COUNTS, NAMES, objection
from session.values.clock import Stamp
from session.values.vocabulary import AudioTrouble, Channel, Language, Sealed

NOW = Stamp("desk", 5, 5)


def report(fact: e.Fact) -> c.Report:
    return c.Report(id="r1", event=fact)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("command", "field"),
    [
        (report(e.TalkPressed(at=Stamp("desk", 0, 10**30), take="t")), "at"),
        (report(e.TalkPressed(at=Stamp("desk", -(2**70), 0), take="t")), "at"),
        (report(e.TalkPressed(at=NOW, take="../../etc")), "take"),
        (report(e.ScreenSized(at=NOW, columns=-5, lines=20)), "columns"),
        (report(e.ReplyShown(at=NOW, reply="r", first=0, last=-(10**30))), "last"),
        (report(e.RecordingStopped(at=NOW, take="t", sealed=(Sealed("../x", 1, "0" * 64),))), "letter"),
        (report(e.RecordingStopped(at=NOW, take="t", sealed=(Sealed("s", -5, "0" * 64),))), "samples"),
        (report(e.RecordingStopped(at=NOW, take="t", sealed=(Sealed("s", 5, "zz"),))), "sha256"),
        (report(e.RecordingStarted(at=NOW, take="t", channels=(Channel("s", "m", 0),), pre_roll=0)), "rate"),
        (report(e.RecordingStarted(at=NOW, take="t", channels=(), pre_roll=0, uncertainty=-1)), "uncertainty"),
        (report(e.UtteranceTyped(at=NOW, take="t", text="x" * 30_000)), "text"),
        (c.WriteNote(id="../n", text="x"), "id"),
    ],
)
def test_an_impossible_value_is_named(command: c.AnyCommand, field: str) -> None:
    assert objection(command).startswith(f"`{field}`")


@pytest.mark.parametrize(
    "command",
    [
        report(e.AudioTroubled(at=NOW, take="", trouble=AudioTrouble.GAP)),
        report(e.RecordingStopped(at=NOW, take="01ARZ3", sealed=(Sealed("s", 0, "0" * 64),))),
        c.SubmitQuery(id="q", at=NOW, take="t", language=Language.SQL, text="SELECT 1\n; --"),
        c.StartScenario(id="x", scenario="trip", bindings={"A": "São Paulo"}),
    ],
)
def test_what_is_meant_passes(command: c.AnyCommand) -> None:
    assert objection(command) == ""


FREE_TEXTS = {
    "answers",
    "bindings",
    "blanks",
    "clock",
    "detail",
    "detector",
    "form",
    "microphone",
    "name",
    "origin",
    "reason",
    "scopes",
    "solution",
    "text",
    "version",
    "why",
}
SIGNED_NUMBERS = {"mono", "wall", "offset"}


def leaves(kind: Any, field: str = "") -> Iterator[tuple[type, str]]:
    """Type and name of every text and number in a struct, however deep."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for name, hint in typing.get_type_hints(kind).items():
            yield from leaves(hint, name)
    elif typing.get_args(kind):
        for part in typing.get_args(kind):
            yield from leaves(part, field)
    elif kind in (int, str):
        yield kind, field


def test_every_number_and_every_text_of_a_command_has_a_limit_of_its_own_or_is_known_to_need_none() -> None:
    found = set(leaves(c.AnyCommand))
    assert {name for kind, name in found if kind is int} == COUNTS | {
        "columns",
        "lines",
        "uncertainty",
    } | SIGNED_NUMBERS
    assert {name for kind, name in found if kind is str} == NAMES | {"letter", "sha256"} | FREE_TEXTS
