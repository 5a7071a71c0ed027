"""The scripted people wait for one another, whoever is quicker."""

import asyncio
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rehearsal.script import Ends, Script, ScriptedAct, ScriptedTurn
from rehearsal.scripted_people import ScriptedSubject, ScriptedWizard
from rehearsal.speaking_subject import READING_S


class World:
    """One take, and desks, clock and waiting that note what is done; a wait ends when the recording is over."""

    def __init__(self, complete: bool) -> None:
        self.done: list[str] = []
        self.slept: list[float] = []
        self.take = SimpleNamespace(take="T1", complete=complete, discarded=False, began=1)
        self.state = SimpleNamespace(takes={"T1": self.take}, takes_of=lambda act: [self.take, self.take])
        self.operated, self.phase, self.message = True, None, ""
        self.profile = SimpleNamespace(speaks=False)

    def monotonic_ns(self) -> int:
        return 0

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.done.append("wait")

    async def until(self, what: str, condition: Any) -> None:
        if not condition():
            self.done.append(what)
            self.take.complete = True
        assert condition()

    def discard(self) -> None:
        self.done.append("discard")
        self.take.discarded = self.take.complete

    def switch_recording(self) -> None:
        self.done.append("switch")


@pytest.mark.parametrize("complete", [True, False])
def test_what_is_still_being_recorded_is_not_discarded_yet(complete: bool) -> None:
    world: Any = World(complete)
    subject = ScriptedSubject(world, world, world, world, world, world)
    asyncio.run(subject._turn(0, 0, ScriptedTurn(speech="wrong-button", said="oh", discard=True)))
    assert world.done == ["the recording to be over"] * (not complete) + ["wait", "discard"]


@pytest.mark.parametrize("place", [0, 1])
def test_nobody_is_recorded_who_is_still_reading(place: int) -> None:
    world: Any = World(True)
    wizard = ScriptedWizard(world, world, world, world, lambda name: np.zeros(1, np.int16))
    turn = ScriptedTurn(speech="snacks", said="which meals are snacks", discard=True)
    asyncio.run(wizard._record(0, place, turn, discarded=False))
    assert world.done == ["wait"] * (place > 0) + ["switch", "wait", "switch"]
    assert not place or world.slept[0] > READING_S


@pytest.mark.parametrize(("most", "kinds"), [(0, "pcqq"), (1, "pc"), (2, "pcq"), (9, "pcqq")])
def test_no_more_scenarios_are_played_than_a_visit_has_and_practice_is_beside_them(most: int, kinds: str) -> None:
    names = {"p": "practice", "c": "common", "q": "problem"}
    acts = tuple(ScriptedAct(kind=names[letter], turn=(), ends=Ends()) for letter in "pcqq")
    play = Script(wizard="w", subject={}, scenario=acts).within(most)
    assert [act.kind for act in play.scenario] == [names[letter] for letter in kinds]
