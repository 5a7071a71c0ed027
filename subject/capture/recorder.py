"""Records takes so that no spoken sample is lost or unaccounted for.

The microphones are opened once, after consent, and stay open. Their threads only enqueue; a writer thread (or a test calling
`step`) does everything else, so nothing that disk, network or screen do can reach an audio thread.
"""

import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from session.audio.devices import DeviceError, Microphone
from session.events import Event
from session.values.clock import Clock, Stamp
from subject.capture.channel_take import OnFrame
from subject.capture.input import Input
from subject.capture.level import Level
from subject.capture.microphone_stream import Intake
from subject.capture.queue_items import Block, Discard, Gone, Item, Listeners, Press, Release, Replaced, SystemSpoke
from subject.capture.recording_loop import Writer
from subject.capture.recording_settings import RecordingSettings
from subject.capture.take_file import SealedTake
from subject.capture.talk_hold import Hold


class Recorder:
    """Records the takes of one subject from one or more inputs, the first channel of the first being the primary one.

    Every callback runs in the writer thread and may only enqueue: `on_fact` receives what is to be reported, `on_frame`
    copies of the sound in pieces of at most 20 ms, `on_level` the loudness ten times a second, `on_sealed` each finished
    channel. A callback that raises is put down in `failures` and costs no sample. Takes are in `directory`, see
    `subject.capture.take_file`.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        clock: Clock,
        directory: Path,
        on_fact: Callable[[Event], None],
        *,
        settings: RecordingSettings = RecordingSettings(),
        on_frame: OnFrame | None = None,
        on_level: Callable[[Level], None] | None = None,
        on_sealed: Callable[[SealedTake], None] | None = None,
    ) -> None:
        letters = "".join(source.letters for source in inputs)
        if not 1 <= len(letters) <= 4 or len(set(letters)) != len(letters):
            raise ValueError(f"channels {letters!r}: a take has one to four, each with a letter of its own")
        self._clock, self._settings = clock, settings
        self._intakes = [Intake(source, clock, settings.pre_roll_ms) for source in inputs]
        self._queue: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._dropped = [0] * len(inputs)
        self._hold = Hold()
        listeners = Listeners(on_fact, on_frame, on_level, on_sealed)
        self._writer = Writer(self._intakes, clock, directory, listeners, settings, self._hold, self._replace)
        self._thread: threading.Thread | None = None
        self._opened = False

    @property
    def failures(self) -> list[Exception]:
        """Return what callbacks raised."""
        return self._writer.failures

    @property
    def recording(self) -> str | None:
        """The take between its press and the end of its tail."""
        return self._hold.take

    def open(self, *, threaded: bool = True) -> None:
        """Open every microphone, after consent, or what takes its place from the beginning.

        Raises `DeviceError` and leaves none open when neither can be had.
        """
        try:
            for number in range(len(self._intakes)):
                self._start_some(number)
        except DeviceError:
            self._close_microphones()
            raise
        self._opened = True
        if threaded:
            self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
            self._thread.start()

    def press(self, take: str, at: Stamp) -> str:
        """Begin a take; gives the id of the take that is recorded: an earlier one if it is still held or in its tail.

        Raises `DeviceError` when no microphone is open.
        """
        if not self._opened:
            raise DeviceError("the microphone is not open: it opens when consent has been given")
        current, again, changed = self._hold.press(take)
        if changed:
            self._queue.put(Press(current, at, again))
        return current

    def spoken_until(self, at: Stamp) -> None:
        """The system was heard until then: no take that begins later holds any of that, from whatever thread this is told."""
        self._queue.put(SystemSpoke(at))

    def release(self, take: str, at: Stamp, *, tail: bool = True) -> None:
        """End the take one tail after `at`, or at once; of no effect on a take that is not held."""
        if self._hold.release(take):
            self._queue.put(Release(take, at, tail))

    def discard(self, take: str) -> None:
        """End the take at once, keep it and mark it discarded; of no effect on a take that is over."""
        if self._hold.discard(take):
            self._queue.put(Discard(take))

    def close(self) -> None:
        """Give the microphones back, seal what is being recorded, end the thread; closing twice does no harm."""
        if not self._opened:
            return
        self._opened = False
        self._close_microphones()
        for number, intake in enumerate(self._intakes):
            self._no_more(number, intake.openings)
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
        self.step()
        self._writer.finish()

    def step(self) -> None:
        """Do everything that waits; for tests, in place of the thread."""
        while not self._queue.empty():
            item = self._queue.get()
            if item is not None:
                self._writer.handle(item)
        self._writer.tick()

    def _run(self) -> None:
        while True:
            try:
                if not self._next():
                    return
            except Exception as error:  # noqa: BLE001 – a fault in one item must be heard of, but not end the recording
                self.failures.append(error)
                threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, self._thread)))

    def _next(self) -> bool:
        """Handle what comes within a twentieth of a second; False at the end."""
        try:
            item = self._queue.get(timeout=0.05)
        except queue.Empty:
            self._writer.tick()
            return True
        if item is not None:
            self._writer.handle(item)
            self._writer.tick()
        return item is not None

    @property
    def rate(self) -> int:
        """Samples in a second of the primary channel, once it is open."""
        return self._intakes[0].rate

    def _start_some(self, number: int) -> None:
        source = self._intakes[number].source
        try:
            self._start(number, source.opener())
        except DeviceError as error:
            if not source.goes_on or not self._replace(number):
                raise
            self._queue.put(Replaced(number, str(error)))

    def _start(self, number: int, microphone: Microphone) -> None:
        intake = self._intakes[number]
        try:
            intake.adopt(microphone)
            microphone.start(self._receiver(number, intake.openings), self._farewell(number, intake.openings))
        except DeviceError:
            microphone.close()
            raise

    def _receiver(self, number: int, opening: int) -> Callable[[bytes, int, bool, int | None], None]:
        def on_block(data: bytes, frames: int, overflowed: bool, captured_ns: int | None) -> None:
            if self._queue.qsize() > self._settings.backlog:
                self._dropped[number] += frames
                return
            moment = self._clock.monotonic_ns() if captured_ns is None else captured_ns
            dropped, self._dropped[number] = self._dropped[number], 0
            self._queue.put(Block(number, opening, data, frames, overflowed, moment, dropped))

        return on_block

    def _no_more(self, number: int, opening: int) -> None:
        """The microphone's last block is in: what found no room just before the end is told of without a block to go with."""
        dropped, self._dropped[number] = self._dropped[number], 0
        if dropped:
            self._queue.put(Block(number, opening, b"", 0, False, self._clock.monotonic_ns(), dropped))

    def _farewell(self, number: int, opening: int) -> Callable[[str], None]:
        def on_gone(reason: str) -> None:
            self._no_more(number, opening)
            self._queue.put(Gone(number, opening, reason))

        return on_gone

    def _replace(self, number: int) -> bool:
        source = self._intakes[number].source
        old = self._intakes[number].microphone
        if old is not None:
            old.close()
        if source.take_over is None:
            return False
        try:
            self._start(number, source.take_over())
        except DeviceError:
            return False
        return True

    def _close_microphones(self) -> None:
        for intake in self._intakes:
            if intake.microphone is not None:
                intake.microphone.close()
