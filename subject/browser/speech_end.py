"""Ends a page's takes when the subject has stopped speaking, where the profile has it so: by the sound that arrives here.

A page has no end-pointer of its own. While its network is away nothing is found, and a take ends as its subject ends it.
"""

import asyncio
from collections.abc import Callable

from session.audio.devices import WIDTH, DeviceError
from session.protocol.messages import AudioChunk
from session.values.clock import Clock, stamp
from session.values.vocabulary import RecordingControl
from subject.capture.endpointer import Decision, EndPointer, EndPointing, SpeechDetector, log_no_end
from subject.core import texts
from subject.core.terminal import Terminal
from subject.ports import RecorderPort


class SpeechEnd:
    """The end-pointer behind one page, for as long as its connection lasts; `detector` makes what hears speech at a rate."""

    def __init__(self, terminal: Terminal, clock: Clock, detector: Callable[[int], SpeechDetector]) -> None:
        self._terminal, self._clock, self._detector = terminal, clock, detector
        self._pointing: EndPointing | None = None
        self._loop = asyncio.get_running_loop()
        self._next: tuple[str, int] = ("", 0)

    def over(self, recorder: RecorderPort, rate: int) -> RecorderPort:
        """The recorder of a microphone of that rate, whose takes are followed if the profile says so."""
        profile = self._terminal.profile
        if profile is None or profile.recording is not RecordingControl.ENDPOINTED:
            return recorder
        if self._pointing is not None:
            self._loop.run_in_executor(None, self._pointing.close)
            self._pointing = None
        try:
            self._detector(rate)
        except DeviceError as error:
            log_no_end(str(error))
            self._failed()
            return recorder
        self._pointing = EndPointing(
            recorder,
            EndPointer(
                lambda: self._detector(rate), rate, lambda decision: self._post(lambda: self._decided(decision))
            ),
            lambda: self._post(self._failed),
        )
        return self._pointing

    def follow(self, take: str) -> None:
        """A take was begun at the page, or is gone on with."""
        if self._pointing is not None:
            self._pointing.follow(take)

    def frame(self, sound: AudioChunk) -> None:
        """A piece of the take that is being recorded; behind one that is missing, its end is looked for again."""
        if self._pointing is None or sound.take != self._terminal.held:
            return
        if self._next != (sound.take, sound.first):
            self._pointing.follow(sound.take)
        self._next = sound.take, sound.first + len(sound.pcm) // WIDTH
        self._pointing.frame(sound.take, sound.letter, sound.first, sound.pcm)

    async def close(self) -> None:
        """End the thread."""
        if (pointing := self._pointing) is not None:
            self._pointing = None
            await asyncio.to_thread(pointing.close)

    def _decided(self, decision: Decision) -> None:
        self._terminal.end_pointed(decision.as_fact(stamp(self._clock)), decision.why)

    def _failed(self) -> None:
        self._terminal.show_message(texts.not_by_itself(self._terminal))

    def _post(self, action: Callable[[], None]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(action)
