"""From received sound to a confirmed take: ask for what is missing, compare count and hash, and only then confirm.

The subject's desk deletes its copy on the confirmation, so nothing here confirms what is not wholly on the hub's disk.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol

from session.collection.recordings import StudyFull
from session.collection.take_archive import ArchiveTrouble
from session.hub.thread_groups import ThreadGroups
from session.protocol.messages import AudioChunk
from session.state.fold import SessionState, Take
from session.study.screen_words import Sentence
from session.values.limits import LONGEST_TAKE_SAMPLES
from session.values.names import PRIMARY
from session.values.vocabulary import Sealed

UNANNOUNCED, UNANNOUNCED_BYTES = 16, 32 * 1024**2
"""Takes, and bytes of them in all, that may come before the report of their press. More is not kept; it is asked for again."""
LATE_S = 10
"""A take that is stored as slowly as this is told to consoles: what it waits for may not answer at all."""
ASK_AGAIN_S = 2.0
SAID_AGAIN = 20_000
"""Samples that go at once to a recogniser that comes in late."""
SLOWEST = 5
"""Doublings of that time for a take that comes again and again, and never as it was sealed."""

RequestResend = Callable[[str, str, tuple[tuple[int, int], ...]], None]
Spawn = Callable[[Coroutine[Any, Any, None]], object]
Sleep = Callable[[float], Awaitable[None]]


class TakeStore(Protocol):
    """The hub's recordings, as it needs them; `missing` gives (first, count) pairs."""

    def write(self, session: str, take: str, letter: str, first_sample: int, pcm: bytes) -> None: ...

    def missing(self, session: str, take: str, letter: str, samples: int) -> list[tuple[int, int]]: ...

    def seal(self, session: str, take: str, letter: str, samples: int, sha256: str) -> bool: ...

    def read(self, session: str, take: str, letter: str, first: int = 0, count: int = -1) -> bytes: ...

    def keep_spoken(self, session: str, pcm: bytes) -> str: ...

    def archive_spoken(self, session: str, sha256: str) -> None: ...

    def spoken(self, session: str, sha256: str) -> bytes | None: ...


def disk_trouble(error: OSError) -> Sentence:
    """Return the sentence for consoles about a disk or an archive that cannot take audio; it is the same for all takes."""
    if isinstance(error, StudyFull):
        return Sentence("console_trouble.study_full")
    if isinstance(error, ArchiveTrouble):
        return Sentence("console_trouble.archive", {"where": str(error.filename), "why": str(error.kind)})
    return Sentence("console_trouble.disk", {"why": str(error.strerror)})


class TakeConfirmation:
    """The takes of one session on their way to the hub's disk."""

    def __init__(
        self,
        session: str,
        recordings: TakeStore,
        confirmed: Callable[[str], None],
        want: RequestResend,
        spawn: Spawn,
        sleep: Sleep,
        announce: Callable[[Sentence], None],
        threads: ThreadGroups,
    ) -> None:
        self._session = session
        self._recordings = recordings
        self._confirmed = confirmed
        self._want = want
        self._spawn = spawn
        self._sleep = sleep
        self._announce = announce
        self._threads = threads
        self.in_the_way: Sentence | None = None
        self._sealing: set[str] = set()
        self._awaited: set[str] = set()
        self._unannounced: dict[str, int] = {}
        self._differed: dict[str, int] = {}

    def received(self, sound: AudioChunk, takes: Mapping[str, Take]) -> None:
        """Keep a piece of a take; raises OSError when the disk cannot take it."""
        known = takes.get(sound.take)
        if sound.first > LONGEST_TAKE_SAMPLES or not (self._admit(sound) if known is None else _wanted(known, sound)):
            return
        if known is not None:
            self._unannounced.pop(sound.take, None)
        self._recordings.write(self._session, sound.take, sound.letter, sound.first, sound.pcm)
        if known is not None and known.stopped is not None and self._complete(known.take, known.sealed):
            self._settle(known.take, known.sealed)

    def stopped(self, take: str, sealed: tuple[Sealed, ...]) -> None:
        """The subject's desk has sealed a take: ask for what is missing, or settle it."""
        self._unannounced.pop(take, None)
        if self._complete(take, sealed):
            self._settle(take, sealed)
        else:
            self._ask(take, sealed)
        if take not in self._awaited:
            self._awaited.add(take)
            self._spawn(self._pursue(take, sealed))

    async def _pursue(self, take: str, sealed: tuple[Sealed, ...]) -> None:
        """Until it is confirmed, ask again whenever nothing has come of it: a disk was full, or a piece was lost."""
        while take in self._awaited:
            before = [self._missing(take, seal) for seal in sealed]
            await self._sleep(ASK_AGAIN_S * 2 ** min(self._differed.get(take, 0), SLOWEST))
            if take in self._awaited and before == [self._missing(take, seal) for seal in sealed]:
                if any(before):
                    self._ask(take, sealed)
                else:
                    self._settle(take, sealed)

    def ask_again(self, state: SessionState) -> None:
        """After a new connection: again for every take that is not confirmed."""
        for take in state.takes.values():
            if take.stopped is not None and not take.confirmed:
                self.stopped(take.take, take.sealed)

    async def say_again(self, state: SessionState, give: Callable[[AudioChunk], None]) -> None:
        """Give the sound of what was said while no machine recognised it, as far as it has come without a gap."""
        for take in [state.takes[name] for name in state.unanswered]:
            final = take.hypothesis is not None and take.hypothesis.final
            if take.began is None or take.run != len(state.runs) - 1 or take.transcriptions or final:
                continue
            lacking = [
                first for seal in take.sealed if seal.letter == PRIMARY for first, _ in self._missing(take.take, seal)
            ]
            first, end = 0, min(lacking, default=LONGEST_TAKE_SAMPLES)
            while first < end:
                count = min(SAID_AGAIN, end - first)
                pcm = await asyncio.to_thread(self._recordings.read, self._session, take.take, PRIMARY, first, count)
                if not pcm:
                    break
                give(AudioChunk(take.take, PRIMARY, first, pcm))
                first += len(pcm) // 2

    def _admit(self, sound: AudioChunk) -> bool:
        """Sound may overtake the report of its press, but only of a few takes, and not for long."""
        there = self._unannounced
        if sound.take not in there and len(there) >= UNANNOUNCED:
            return False
        if sum(there.values()) + len(sound.pcm) > UNANNOUNCED_BYTES:
            return False
        there[sound.take] = there.get(sound.take, 0) + len(sound.pcm)
        return True

    def _complete(self, take: str, sealed: tuple[Sealed, ...]) -> bool:
        return not any(self._missing(take, seal) for seal in sealed)

    def _missing(self, take: str, sealed: Sealed) -> list[tuple[int, int]]:
        return self._recordings.missing(self._session, take, sealed.letter, sealed.samples)

    def _ask(self, take: str, sealed: tuple[Sealed, ...]) -> None:
        for seal in sealed:
            if ranges := self._missing(take, seal):
                self._want(take, seal.letter, tuple(ranges))

    def _settle(self, take: str, sealed: tuple[Sealed, ...]) -> None:
        if take not in self._sealing:
            self._sealing.add(take)
            self._spawn(self._seal(take, sealed))

    async def _seal(self, take: str, sealed: tuple[Sealed, ...]) -> None:
        """Hash in a thread: a take may be hours long, and an archive out of reach."""
        late = asyncio.ensure_future(self._tell_late())
        try:
            for seal in sealed:
                agrees = await self._threads.storing(
                    self._recordings.seal, self._session, take, seal.letter, seal.samples, seal.sha256
                )
                if not agrees:
                    self._differs(take, seal)
                    return
        except OSError as error:
            self._say(disk_trouble(error))
            return
        finally:
            late.cancel()
            self._sealing.discard(take)
        self.in_the_way = None
        self._awaited.discard(take)
        self._differed.pop(take, None)
        self._confirmed(take)

    async def _tell_late(self) -> None:
        await self._sleep(LATE_S)
        if not self.in_the_way:
            self._say(Sentence("console_trouble.late", {"seconds": str(LATE_S)}))

    def _say(self, trouble: Sentence) -> None:
        """Tell consoles what is in the way of takes: it is there, whatever else is recorded, until one is confirmed."""
        self.in_the_way = trouble
        self._announce(trouble)

    def _differs(self, take: str, sealed: Sealed) -> None:
        """Ask for all of it once at once; what differs again will differ again, and somebody must look."""
        self._differed[take] = times = self._differed.get(take, 0) + 1
        if times == 1:
            self._want(take, sealed.letter, ((0, sealed.samples),))
        else:
            told = {"take": take, "letter": sealed.letter, "times": str(times)}
            self._announce(Sentence("console_trouble.changed_take", told))


def _wanted(take: Take, sound: AudioChunk) -> bool:
    """Tell whether anything is still wanted of a take, and of a channel that its desk has said it records."""
    letters = {channel.letter for channel in take.channels} | {seal.letter for seal in take.sealed}
    return not take.confirmed and (not letters or sound.letter in letters)
