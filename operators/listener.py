"""A recogniser at its desk: the sound of each take as it comes, partial words on the way, the final ones after its end.

The engine works in a thread of its own, one call after another, so that a slow one holds up nobody; a take whose sound is not
whole when the hub has it confirmed is recognised with silence in the gaps.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor

from operators.desk import Send
from operators.recognition.recogniser import EngineTroubleError, Recogniser, UtteranceRecognition
from operators.recognition.seeded_errors import ErrorModel, worsened
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk
from session.state.fold import SessionState
from session.study.settings import Noise
from session.values.clock import Clock, stamp
from session.values.consent import ConsentScope
from session.values.hypotheses import Hypothesis
from session.values.names import PRIMARY
from session.values.vocabulary import Channel, OperatorTrouble, Sealed, Stage

MOST_AHEAD = 64
"""Pieces of sound that are kept of a take whose beginning is not known yet."""
NO_ERROR_MODEL = (
    "the profile wants errors put in, which takes the study's words: start `curtain operate` with --study STUDY"
)


class _TakeRecognition:
    """One take on its way: what came of its sound, in order, and the engine's view of it."""

    def __init__(self, take: str) -> None:
        self.take = take
        self.rate = 0
        self.given = 0
        self.pieces: dict[int, bytes] = {}
        self.waiting: deque[bytes] = deque()
        self.length: int | None = None
        self.confirmed = False
        self.dropped = False
        self.ended: int | None = None
        self.partials = 0
        self.finished = False
        self.listening: UtteranceRecognition | None = None

    def ready(self) -> list[bytes]:
        """Take the pieces that continue from what the engine has; those that overlap it are cut."""
        found: list[bytes] = []
        for first in sorted(self.pieces):
            pcm = self.pieces[first]
            end = first + len(pcm) // 2
            if first > self.given:
                if not self.confirmed:
                    break
                found.append(bytes(2 * (first - self.given)))
                self.given = first
            del self.pieces[first]
            if end > self.given:
                found.append(pcm[2 * (self.given - first) :])
                self.given = end
        if self.confirmed and self.length is not None and self.given < self.length:
            found.append(bytes(2 * (self.length - self.given)))
            self.given = self.length
        return found

    @property
    def whole(self) -> bool:
        return self.length is not None and self.given >= self.length


def _rate(channels: Sequence[Channel]) -> int:
    return next((channel.rate for channel in channels if channel.letter == PRIMARY), 0)


def _length(sealed: Sequence[Sealed]) -> int:
    return next((seal.samples for seal in sealed if seal.letter == PRIMARY), 0)


class Listener:
    """Operates the stage of recognition with an engine."""

    stage = Stage.RECOGNITION

    def __init__(
        self,
        engine: Recogniser,
        send: Send,
        clock: Clock,
        thread: Executor | None = None,
        errors: ErrorModel | None = None,
        unlearnt: Sequence[str] = (),
    ) -> None:
        """`errors` makes words wrong where the profile wants that; `unlearnt` is what the engine does not know, a line each."""
        self.engine, self.version = engine.name, engine.version
        self._engine = engine
        self._send = send
        self._clock = clock
        self._thread = thread or ThreadPoolExecutor(1, thread_name_prefix="recogniser")
        self._hearing: dict[str, _TakeRecognition] = {}
        self._work: deque[Callable[[], None]] = deque()
        self._working: asyncio.Task[None] | None = None
        self._wanted = False
        self._errors = errors
        self._unlearnt = unlearnt
        self._state = SessionState()
        self._spelling: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()

    def follow(self, state: SessionState, event: e.Fact | None) -> None:
        """Begin, end or forget a take; of what was said before this machine came in, the hub sends the sound again."""
        self._wanted = state.allows(ConsentScope.TRANSCRIBE)
        self._state = state
        match event:
            case e.RecordingStarted():
                hearing = self._of(event.take)
                hearing.rate = _rate(event.channels)
                self._give(hearing)
            case e.RecordingStopped():
                hearing = self._of(event.take)
                hearing.ended = self._clock.monotonic_ns()
                hearing.length = _length(event.sealed)
                self._give(hearing)
            case e.TakeConfirmed() if event.take in self._hearing:
                self._hearing[event.take].confirmed = True
                self._give(self._hearing[event.take])
            case e.TakeDiscarded() if event.take in self._hearing:
                self._drop(self._hearing.pop(event.take))
            case None:
                self._tell_what_is_unlearnt(state)
                self._catch_up(state)
            case _:
                pass

    def hear(self, chunk: AudioChunk) -> None:
        """Take in a piece of the primary channel."""
        if chunk.letter != PRIMARY:
            return
        hearing = self._of(chunk.take)
        if hearing.rate == 0 and len(hearing.pieces) >= MOST_AHEAD:
            return
        hearing.pieces[chunk.first] = chunk.pcm
        self._give(hearing)

    def close(self) -> None:
        """End all work; a call that hangs in the engine ends with its thread."""
        for task in (self._working, *self._spelling):
            if task is not None:
                task.cancel()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _of(self, take: str) -> _TakeRecognition:
        return self._hearing.setdefault(take, _TakeRecognition(take))

    def _catch_up(self, state: SessionState) -> None:
        """Get ready for what was said, or began, while this machine was away. No gap is taken for silence before its time:
        the hub is about to send what it has of these takes."""
        for take in state.takes.values():
            final = take.hypothesis is not None and take.hypothesis.final
            if take.began is None or take.discarded or take.transcriptions or final:
                continue
            hearing = self._of(take.take)
            hearing.rate = hearing.rate or _rate(take.channels)
            if take.stopped is not None:
                hearing.length = _length(take.sealed)
            self._give(hearing)

    def _tell_what_is_unlearnt(self, state: SessionState) -> None:
        """Report unknown words before the session's speech; the machine stays in use."""
        if not self._unlearnt:
            return
        first, *others = self._unlearnt
        detail = f"{first}; {len(others)} more like it" if others else first
        self._send(
            c.ReportTrouble(
                id=f"{state.session}-unlearnt", stage=self.stage, trouble=OperatorTrouble.UNLEARNT, detail=detail
            )
        )

    def _trouble(self, take: _TakeRecognition, trouble: OperatorTrouble, detail: str) -> None:
        command = c.ReportTrouble(
            id=f"{take.take}-unrecognised", stage=self.stage, trouble=trouble, take=take.take, detail=detail
        )
        self._send(command)

    # --- the engine's thread ------------------------------------------------------------------------------------------

    def _give(self, hearing: _TakeRecognition) -> None:
        """Give the engine what continues from what it has, and ask for its words when that was all."""
        if not self._wanted or hearing.rate == 0 or hearing.dropped or hearing.finished:
            return
        pieces = hearing.ready()
        last = hearing.whole
        if pieces or last:
            hearing.finished = last
            hearing.waiting.append(b"".join(pieces))
            self._do(lambda: self._heard(hearing, last))

    def _drop(self, hearing: _TakeRecognition) -> None:
        hearing.dropped = True
        self._do(lambda: hearing.listening.drop() if hearing.listening is not None else None)

    def _do(self, work: Callable[[], None]) -> None:
        self._work.append(work)
        if self._working is None or self._working.done():
            self._working = self._loop.create_task(self._through())

    async def _through(self) -> None:
        while self._work:
            await self._loop.run_in_executor(self._thread, self._work.popleft())

    def _heard(self, hearing: _TakeRecognition, last: bool) -> None:
        """Work through the sound that has come; runs in the engine's thread. An engine that is behind gets it in one: what it
        would do on the way is no longer worth the time."""
        loop = self._loop
        pcm = b"".join(hearing.waiting.popleft() for _ in range(len(hearing.waiting)))
        try:
            if hearing.listening is None:
                hearing.listening = self._engine.begin(hearing.rate)
            if pcm and (partial := hearing.listening.hear(pcm)) is not None:
                loop.call_soon_threadsafe(self._propose, hearing, (partial,), False)
            if last:
                found = hearing.listening.finish()
                loop.call_soon_threadsafe(self._propose, hearing, found, True)
        except EngineTroubleError as trouble:
            hearing.finished = True
            loop.call_soon_threadsafe(self._trouble, hearing, trouble.trouble, trouble.detail)

    # --- words out ----------------------------------------------------------------------------------------------------

    def _noise(self, take: str) -> Noise:
        """Return what an utterance is worsened with: its scenario decides, though it may be over when the words are found."""
        profile = self._state.profile_of(take)
        return profile.noise if profile is not None else Noise()

    def _propose(self, hearing: _TakeRecognition, found: tuple[Hypothesis, ...], final: bool) -> None:
        """Propose an engine's words as the profile wants them: with errors put in, or one word after the other."""
        noise = self._noise(hearing.take)
        if hearing.dropped or (not final and (noise.put_in or noise.word_ms)):
            return
        if final and noise.put_in:
            if self._errors is None:
                self._hearing.pop(hearing.take, None)
                self._trouble(hearing, OperatorTrouble.ERROR, NO_ERROR_MODEL)
                return
            found = self._with_errors(self._errors, hearing.take, found)
        if final and noise.word_ms and found:
            task = self._loop.create_task(self._word_by_word(hearing, found))
            self._spelling.add(task)
            task.add_done_callback(self._spelling.discard)
        else:
            self._give_words(hearing, found, final)

    def _with_errors(self, errors: ErrorModel, take: str, found: tuple[Hypothesis, ...]) -> tuple[Hypothesis, ...]:
        """Put errors in, the same for the same subject's same utterance."""
        opened = self._state.opened
        if opened is None:
            return found
        place = next((place for place, name in enumerate(self._state.takes) if name == take), 0)
        seed = f"{opened.protocol.profile.session_seed}/noise/{opened.speaker.id}/{opened.first_scenario}/{place}"
        return worsened(errors, found, self._noise(take), seed)

    async def _word_by_word(self, hearing: _TakeRecognition, found: tuple[Hypothesis, ...]) -> None:
        words = found[0].text.split()
        for count in range(1, len(words)):
            self._give_words(hearing, (Hypothesis(" ".join(words[:count])),), final=False)
            await self._clock.sleep(self._noise(hearing.take).word_ms / 1000)
        self._give_words(hearing, found, final=True)

    def _give_words(self, hearing: _TakeRecognition, found: tuple[Hypothesis, ...], final: bool) -> None:
        if hearing.dropped:
            return
        now = stamp(self._clock)
        hearing.partials += not final
        took = now.mono - hearing.ended if final and hearing.ended is not None else 0
        self._send(
            c.ProposeTranscription(
                id=f"{hearing.take}-words" if final else f"{hearing.take}-partial-{hearing.partials}",
                at=now,
                take=hearing.take,
                final=final,
                hypotheses=found,
                engine=self.engine,
                version=self.version,
                took=max(0, took),
            )
        )
        if final:
            self._hearing.pop(hearing.take, None)
