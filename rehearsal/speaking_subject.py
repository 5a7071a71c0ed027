"""A scripted subject that speaks into a desk: presses, says a line, releases, and reads the reply, as a person does."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import numpy.typing as npt

from rehearsal.waiting import StuckError, Waiting
from session.state.session_state import is_shown
from session.values.clock import Clock
from session.values.vocabulary import RecordingControl
from subject.core.terminal import Phase, Terminal

Samples = npt.NDArray[np.int16]
Say = Callable[[Samples], float]
Speech = Callable[[str], Samples]
RATE = 16_000
REACTION_S = 0.4
READING_S = 1.0


class ScriptedUtterance(Protocol):
    """One utterance of a play: the name of its sound, and its words."""

    @property
    def speech(self) -> str: ...

    @property
    def said(self) -> str: ...


class SpeakingSubject:
    """`say` speaks samples into the microphone and tells how long that takes, `speech` gives the sound of a line.

    Who `interrupts` waits for the first sound of a spoken reply and talks on, where the profile lets her.
    """

    interrupts = False

    def __init__(self, terminal: Terminal, clock: Clock, waiting: Waiting, say: Say, speech: Speech) -> None:
        self._terminal = terminal
        self._clock = clock
        self._waiting = waiting
        self._say = say
        self._speech = speech

    def read(self) -> None:
        """Do what a screen would do on every change: report what can now be seen on it."""
        terminal = self._terminal
        for take in terminal.state.takes.values():
            if take.transcriptions:
                terminal.transcription_painted(take.take)
        for reply in terminal.state.replies.values():
            if is_shown(terminal.state, reply):
                terminal.reply_painted(reply.reply, 0, reply.text.count("\n"))

    async def _speak(self, number: int, place: int, turn: ScriptedUtterance) -> None:
        terminal = self._terminal
        if terminal.typed:
            terminal.type(turn.said)
            await self._waiting.until("the typed request", lambda: len(terminal.state.takes_of(number)) > place)
            return
        if terminal.operated:
            await self._waiting.until("the light", lambda: terminal.phase is Phase.RECORDING)
        else:
            await self._waiting.until("a free talk button", lambda: terminal.may_talk)
            if not terminal.press():
                raise StuckError(f"the talk button did nothing: {terminal.message}")
        await self._clock.sleep(REACTION_S / 4)
        await self._clock.sleep(self._say(self._speech(turn.speech)))
        if terminal.profile is not None and terminal.profile.recording is not RecordingControl.ENDPOINTED:
            await self._clock.sleep(REACTION_S / 4)
            terminal.release()
        await self._waiting.until(
            "the recording to be complete",
            lambda: len(taken := terminal.state.takes_of(number)) > place and taken[place].complete,
        )

    async def _await_reply(self, take: str, what: str = "the reply") -> None:
        """Wait for the reply to a take, listen to it where it is spoken, and read it."""
        terminal = self._terminal
        await self._waiting.until(what, lambda: terminal.state.answered(terminal.state.takes[take]))
        if terminal.profile is not None and terminal.profile.speaks:
            if self.interrupts and terminal.profile.barge_in:
                await self._waiting.until("the reply to begin", lambda: self._is_heard(take))
                return
            await self._waiting.until("the reply to end", lambda: not terminal.speech.speaking)
        await self._clock.sleep(READING_S)

    def _is_heard(self, take: str) -> bool:
        state = self._terminal.state
        said = [state.replies[name] for name in state.takes[take].replies if state.replies[name].spoken]
        return all(reply.heard_from is not None or reply.voice_failed for reply in said)
