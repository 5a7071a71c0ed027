"""The recorder's work on its queue, one item after the other: the pure sequence behind the threads.

Blocks, presses and releases come in the order in which they happened. Outside takes the writer keeps the pre-roll and
nothing else; a press moves the pre-roll into files and lets the stream follow; a release ends the take one tail later.
Whatever happened to the sound is reported with its place in samples.
"""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ParamSpec

from session.events import AudioTroubled, Event, RecordingStarted, RecordingStopped, TalkReleased
from session.values.clock import MILLISECOND, SECOND, Clock, Stamp, stamp
from session.values.vocabulary import AudioTrouble, Channel, Sealed
from subject.capture.channel_take import ChannelTake
from subject.capture.duration_check import StreamSpan
from subject.capture.input import NOT_FOUND_ANEW
from subject.capture.microphone_stream import Intake
from subject.capture.queue_items import Block, Discard, Gone, Item, Listeners, Press, Release, Replaced, SystemSpoke
from subject.capture.recording_settings import RecordingSettings
from subject.capture.sample_places import Places
from subject.capture.stream_clock import MissingSound
from subject.capture.take_file import ChannelEnd, TakeHeader
from subject.capture.talk_hold import Hold

P = ParamSpec("P")

NO_SAMPLES = hashlib.sha256().hexdigest()


class _Take:
    """The take being recorded."""

    def __init__(self, name: str, pressed: Stamp, tail_ms: int) -> None:
        self.name, self.pressed, self.tail_ms = name, pressed, tail_ms
        self.channels: dict[str, ChannelTake] = {}
        self.released: Stamp | None = None
        self.started = False
        self.spans: dict[str, StreamSpan] = {}


class Writer:
    """Handles one item at a time; `tick` does what only the passing of time brings about."""

    def __init__(
        self,
        intakes: Sequence[Intake],
        clock: Clock,
        directory: Path,
        listeners: Listeners,
        settings: RecordingSettings,
        hold: Hold,
        replace: Callable[[int], bool],
    ) -> None:
        self.failures: list[Exception] = []
        self._intakes, self._clock, self._directory = intakes, clock, directory
        self._listeners, self._settings, self._hold, self._replace = listeners, settings, hold, replace
        self._take: _Take | None = None
        self._spoken_until: Stamp | None = None
        self._places = Places()
        self._session: dict[str, StreamSpan] = {}
        self._done_ns = clock.monotonic_ns()

    def handle(self, item: Item) -> None:
        """One item of the queue."""
        match item:
            case Block():
                self._block(self._intakes[item.intake], item)
            case Press():
                self._press(item)
            case Release(take=take, at=at, tail=tail):
                self._release(take, at, tail)
            case Discard(take=take):
                if self._take is not None and self._take.name == take:
                    self._seal(self._take, discarded=True)
            case SystemSpoke(until=until):
                self._spoken_until = until
            case Gone():
                if item.opening == self._intakes[item.intake].openings:
                    self._gone(item)
            case Replaced(intake=number, reason=reason):
                intake = self._intakes[number]
                self._trouble(intake, intake.total, AudioTrouble.DEVICE_LOST, 0, reason)
                self._took_over(intake)

    def tick(self) -> None:
        """To be called several times a second."""
        now = self._clock.monotonic_ns()
        for number, intake in enumerate(self._intakes):
            self._watch(number, intake, now)
        if self._take is not None:
            self._watch_take(self._take, now)
        if now - self._done_ns >= SECOND:
            self._done_ns = now
            self._every_second()

    def finish(self) -> None:
        """No more blocks will come: report what is missing and seal what is being recorded."""
        for intake in self._intakes:
            self._behind(intake, intake.clock.settle())
        if self._take is not None:
            if self._hold.release(self._take.name):
                self._take.released, self._take.tail_ms = stamp(self._clock), 0
                self._fact(TalkReleased(at=self._take.released, take=self._take.name, why="closed"))
                self._set_ends(self._take, self._intakes)
            self._hold.end(self._take.name)
            self._seal(self._take)

    # --- the stream -------------------------------------------------------------------------------------------------------

    def _block(self, intake: Intake, block: Block) -> None:
        if block.opening != intake.openings:
            return
        changed = intake.missing_since_change(block.frames, block.captured_ns)
        if changed:
            self._missing(intake, intake.total, changed, "while the microphone was replaced")
        if block.dropped:
            intake.clock.skip(block.dropped)
            self._missing(intake, intake.total, block.dropped, "the disk was too slow for too long")
        if not block.frames:
            return
        if block.overflowed:
            self._trouble(intake, intake.total, AudioTrouble.OVERFLOW, 0, "the device lost samples just before")
            intake.clock.suspect()
        gap = intake.advance(block.frames, block.captured_ns)
        self._session.setdefault(intake.letters, StreamSpan.of(intake))
        self._distribute(intake, block)
        self._behind(intake, gap)
        self._end_if_complete()

    def _behind(self, intake: Intake, gap: MissingSound | None) -> None:
        if gap is not None:
            self._missing(intake, gap.at_sample, gap.samples, "missing by the clock; the device reported nothing")

    def _missing(self, intake: Intake, place: int, samples: int, detail: str) -> None:
        self._trouble(intake, place, AudioTrouble.GAP, samples, detail)
        for letter in intake.letters:
            intake.rings[letter].forget(place)
        if self._take is not None:
            self._set_ends(self._take, [intake])

    def _distribute(self, intake: Intake, block: Block) -> None:
        take = self._take
        if take is not None and intake.letters[0] not in take.channels:
            self._join(take, intake)
        columns = intake.columns(block.data)
        for letter, data in columns.items():
            if take is None:
                intake.rings[letter].append(data)
            else:
                intake.rings[letter].skip(block.frames)
                take.channels[letter].overflows += block.overflowed
                take.channels[letter].feed(data)
        if take is not None and not take.started and intake is self._intakes[0]:
            self._started(take)
        if self._listeners.on_level is not None:
            for level in intake.levels(columns):
                self._call(self._listeners.on_level, level)

    def _gone(self, gone: Gone) -> None:
        intake = self._intakes[gone.intake]
        others = intake.source.take_over is not None and any(
            not other.gone for other in self._intakes if other is not intake
        )
        self._trouble(
            intake, intake.total, AudioTrouble.DEVICE_LOST, 0, gone.reason + (NOT_FOUND_ANEW if others else "")
        )
        intake.gone, intake.tried_ns = True, self._clock.monotonic_ns()
        if intake.source.goes_on:
            self._try_replacing(gone.intake)
        elif self._take is not None:
            self._release_early(self._take, "microphone lost")
        self._end_if_complete()

    def _try_replacing(self, number: int) -> bool:
        intake = self._intakes[number]
        if intake.source.take_over is None or not self._replace(number):
            return False
        self._took_over(intake)
        return True

    def _took_over(self, intake: Intake) -> None:
        self._trouble(intake, intake.total, AudioTrouble.DEVICE_CHANGED, 0, f"{intake.name!r} took over")

    # --- takes ------------------------------------------------------------------------------------------------------------

    def _press(self, press: Press) -> None:
        if press.again and self._take is not None:
            self._take.released = None
            for channel in self._take.channels.values():
                channel.go_on()
            return
        self._take = take = _Take(press.take, press.at, self._settings.tail_ms)
        for intake in self._intakes:
            if intake.clock.running:
                self._join(take, intake)

    def _join(self, take: _Take, intake: Intake) -> None:
        stale = intake.silent_ns(self._clock.monotonic_ns()) > self._settings.stall_ms * MILLISECOND
        for letter in intake.letters:
            start, pre_roll, data = intake.begin(letter, take.pressed, stale, self._spoken_until)
            anchor, lacking = intake.anchor(start), 0
            if take.started:
                primary = self._in_order(take)[0].header
                lacking = max(0, anchor.mono - primary.anchor.mono) * intake.rate // SECOND
                anchor = primary.anchor
            header = TakeHeader(
                take.name, letter, intake.rate, intake.name, anchor, intake.clock.uncertainty_ns, start, pre_roll
            )
            channel = ChannelTake(self._directory, header, self._report, self._frame, self._settings.silence_ms)
            take.channels[letter] = channel
            self._places.begin(header)
            if lacking:
                self._report(take.name, AudioTrouble.GAP, letter, 0, lacking, "the microphone began after the take")
            channel.feed(data)
            self._set_end(take, intake, channel)
        if intake.clock.running:
            take.spans[intake.letters] = StreamSpan.of(intake)

    def _set_ends(self, take: _Take, intakes: Sequence[Intake]) -> None:
        for intake in intakes:
            for letter in intake.letters:
                if letter in take.channels:
                    self._set_end(take, intake, take.channels[letter])

    def _set_end(self, take: _Take, intake: Intake, channel: ChannelTake) -> None:
        if take.released is not None:
            released = intake.place_of(take.released) - channel.header.start
            channel.end(released, intake.rate * take.tail_ms // 1000)

    def _started(self, take: _Take) -> None:
        take.started = True
        first = self._in_order(take)[0].header
        # A channel that has not begun yet is told of too: what is not told of has no file in the corpus.
        channels = tuple(
            take.channels[letter].header.channel(first)
            if letter in take.channels
            else Channel(letter, intake.name, intake.rate)
            for intake in self._intakes
            for letter in intake.letters
        )
        self._fact(
            RecordingStarted(
                at=first.anchor,
                take=take.name,
                channels=channels,
                pre_roll=first.pre_roll,
                uncertainty=first.uncertainty_ns,
            )
        )

    def _in_order(self, take: _Take) -> list[ChannelTake]:
        letters = [letter for intake in self._intakes for letter in intake.letters]
        return [take.channels[letter] for letter in letters if letter in take.channels]

    def _release(self, name: str, at: Stamp, tail: bool = True) -> None:
        take = self._take
        if take is None or take.name != name:
            return
        if not tail:
            take.tail_ms = 0
        take.released = at
        self._set_ends(take, self._intakes)
        self._end_if_complete()

    def _release_early(self, take: _Take, why: str) -> None:
        if self._hold.release(take.name):
            at = stamp(self._clock)
            self._fact(TalkReleased(at=at, take=take.name, why=why))
            self._release(take.name, at)

    def _end_if_complete(self) -> None:
        take = self._take
        if take is None or take.released is None:
            return
        waited_for = [letter for intake in self._intakes if not intake.gone for letter in intake.letters]
        if all(letter in take.channels and take.channels[letter].complete for letter in waited_for):
            self._end(take)

    def _end(self, take: _Take) -> None:
        if self._hold.end(take.name):
            self._seal(take)

    def _seal(self, take: _Take, *, discarded: bool = False) -> None:
        for intake in self._intakes:
            self._check_length(take, intake)
        self._take = None
        sealed = []
        tail = 0
        for intake in self._intakes:
            for letter in intake.letters:
                if letter not in take.channels:
                    sealed.append(Sealed(letter, 0, NO_SAMPLES))
                    self._nothing(take, letter, intake.rate)
                    continue
                channel = take.channels[letter]
                finished, surplus = channel.seal(
                    ChannelEnd(discarded, channel.overflows, channel.tail, intake.clock.drift_ppm())
                )
                intake.rings[letter].give_back(surplus)
                self._places.end(letter, channel.count)
                sealed.append(finished.as_sealed)
                if self._listeners.on_sealed is not None:
                    self._call(self._listeners.on_sealed, finished)
        if take.channels and not take.started:
            self._started(take)
        if take.channels:
            tail = self._in_order(take)[0].tail
        self._fact(RecordingStopped(at=stamp(self._clock), take=take.name, sealed=tuple(sealed), tail=tail))

    def _nothing(self, take: _Take, letter: str, rate: int) -> None:
        if take.channels:
            first = self._in_order(take)[0]
            lacking = first.count * rate // first.header.rate
            self._report(take.name, AudioTrouble.GAP, letter, 0, lacking, "the microphone gave nothing")

    def _check_length(self, take: _Take, intake: Intake) -> None:
        """Tell of time that passed in the take, or in the session so far, and is neither recorded nor known to be missing."""
        for name, span in (("take", take.spans.get(intake.letters)), ("session", self._session.get(intake.letters))):
            if span is not None and not intake.gone and (lacking := span.unaccounted_ns(intake)):
                detail = f"{lacking / SECOND:.2f} s of the {name} were neither recorded nor found missing so far"
                self._trouble(intake, intake.total, AudioTrouble.DURATION, lacking * intake.rate // SECOND, detail)
                self._session[intake.letters] = StreamSpan.of(intake)
                return

    # --- time -------------------------------------------------------------------------------------------------------------

    def _watch(self, number: int, intake: Intake, now: int) -> None:
        patience = self._settings.stall_ms if intake.clock.running else self._settings.lost_ms
        stalled = not intake.gone and intake.silent_ns(now) > patience * MILLISECOND
        if stalled and not intake.stalled:
            detail = f"no sound for {intake.silent_ns(now) / SECOND:.1f} s"
            self._trouble(intake, intake.total, AudioTrouble.STALL, 0, detail)
        intake.stalled = stalled
        if (
            stalled
            and intake.silent_ns(now) > self._settings.lost_ms * MILLISECOND
            and intake.source.take_over is not None
        ):
            self._gone(Gone(number, intake.openings, "the microphone gives nothing any more"))
        if intake.gone and now - intake.tried_ns >= SECOND:
            intake.tried_ns = now
            self._try_replacing(number)

    def _watch_take(self, take: _Take, now: int) -> None:
        if take.released is None:
            if now - take.pressed.mono >= self._settings.longest_s * SECOND:
                self._release_early(take, "longest")
        elif now - take.released.mono > (self._settings.tail_ms + self._settings.patience_ms) * MILLISECOND:
            self._end(take)

    def _every_second(self) -> None:
        if self._take is not None:
            for channel in self._take.channels.values():
                channel.sync()

    # --- telling ----------------------------------------------------------------------------------------------------------

    def _trouble(self, intake: Intake, place: int, trouble: AudioTrouble, samples: int, detail: str) -> None:
        intake.missing += samples if trouble is AudioTrouble.GAP else 0
        for letter in intake.letters:
            take, at_sample = self._places.within(letter, place)
            self._report(take, trouble, letter, at_sample, samples, detail)

    def _report(self, take: str, trouble: AudioTrouble, letter: str, at_sample: int, samples: int, detail: str) -> None:
        self._fact(
            AudioTroubled(
                at=stamp(self._clock),
                take=take,
                trouble=trouble,
                letter=letter,
                at_sample=at_sample,
                samples=samples,
                detail=detail,
            )
        )

    def _fact(self, fact: Event) -> None:
        self._call(self._listeners.on_fact, fact)

    def _frame(self, take: str, letter: str, first: int, data: bytes) -> None:
        if self._listeners.on_frame is not None:
            self._call(self._listeners.on_frame, take, letter, first, data)

    def _call(self, listener: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        try:
            listener(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 – whatever is wrong with a listener, it must not cost speech
            self.failures.append(error)
