"""The subject of a drill: speaks the lines of whichever scenario the wizard starts, and waits for as long as a learner takes."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from rehearsal.scripted_people import SCREEN
from rehearsal.speaking_subject import REACTION_S, READING_S, Say, SpeakingSubject
from rehearsal.training.drill import Drill, DrillAct, DrillLine
from rehearsal.waiting import Waiting
from session.values.clock import Clock
from subject.core.terminal import Phase, Terminal

OnTurn = Callable[[DrillLine, str], Awaitable[None]]
"""Told of each utterance that was replied to, with its take; the subject goes on when this is over."""


class SceneOver(Exception):
    """The wizard has ended the scenario before its last line."""


class UnlimitedWait(Waiting):
    """Waits without a limit; raises SceneOver when `over` holds first."""

    def __init__(self, clock: Clock, over: Callable[[], bool]) -> None:
        super().__init__("the subject", clock)
        self._over, self._moved = over, asyncio.Event()

    def changed(self) -> None:
        """The desk's state is another one."""
        self._moved.set()

    async def until(self, what: str, condition: Callable[[], bool]) -> None:
        """Return when `condition` holds."""
        while not condition():
            if self._over():
                raise SceneOver
            self._moved.clear()
            await self._moved.wait()


class DrillSubject(SpeakingSubject):
    """`act_of` tells which scenario is the run of a number: the subject's own state does not say."""

    def __init__(
        self,
        drill: Drill,
        terminal: Terminal,
        clock: Clock,
        say: Say,
        act_of: Callable[[int], DrillAct],
        on_turn: OnTurn,
    ) -> None:
        self.waiting = UnlimitedWait(clock, self._scene_over)
        self._number = -1
        self._drill, self._act_of, self._on_turn = drill, act_of, on_turn
        super().__init__(terminal, clock, self.waiting, say, drill.sound)

    def _scene_over(self) -> bool:
        runs = self._terminal.state.runs
        return 0 <= self._number < len(runs) and runs[self._number].outcome is not None

    async def play(self, open_microphone: Callable[[], None]) -> None:
        """Speak in every scenario once; a scenario that the wizard starts again is spoken again, and not counted."""
        terminal = self._terminal
        terminal.sized(*SCREEN)
        await self.waiting.until("the session", lambda: terminal.state.opened is not None)
        open_microphone()
        left = {act.scenario.id for act in self._drill.acts}
        while left:
            number = self._number + 1
            await self._begun(number)
            act = self._act_of(number)
            with contextlib.suppress(SceneOver):
                await self._scene(number, act)
            left.discard(act.scenario.id)

    async def _begun(self, number: int) -> None:
        """Wait for the run of this number; the one before is over."""
        self._number = -1
        await self.waiting.until("the next scenario", lambda: len(self._terminal.state.runs) > number)
        self._number = number

    async def _scene(self, number: int, act: DrillAct) -> None:
        for line in act.lines:
            await self._line(number, line)
        await self._clock.sleep(READING_S)
        if self._scene_over():
            return
        if act.solution:
            self._terminal.declare(act.solution)
        else:
            self._terminal.give_up()
        await self.waiting.until("the end of the scenario", self._scene_over)

    async def _line(self, number: int, line: DrillLine) -> None:
        terminal, place = self._terminal, len(self._terminal.state.takes_of(number))
        if terminal.operated and terminal.phase is Phase.RECORDING:
            place -= 1
        await self._speak(number, place, line)
        take = terminal.state.takes_of(number)[place].take
        if line.discard:
            await self._clock.sleep(REACTION_S)
            terminal.discard()
            await self.waiting.until("the take to be discarded", lambda: terminal.state.takes[take].discarded)
            return
        await self._await_reply(take)
        await self._on_turn(line, take)
