"""From a reply that was committed to sound at the subject's desk: made by the voice, kept, recorded as a fact, then sent.

The desk is sent what it has not begun to play, again with each connection; a sound that cannot be made costs that sound and
nothing else, for the reply's text is shown in its place.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol

from session import events as e
from session.hub.reply_voice import VoiceError, VoicePort
from session.hub.thread_groups import ThreadGroups
from session.protocol.messages import SPEECH_RATE, SpeechChunk, speech_chunks
from session.state.fold import Reply, SessionState
from session.study.screen_words import Sentence
from session.values.clock import Clock

ARCHIVE_AGAIN_S = 5.0
NO_VOICE = "this hub was started without a voice"


class SpokenStore(Protocol):
    """The part of the hub's recordings that holds what the system says."""

    def keep_spoken(self, session: str, pcm: bytes) -> str: ...

    def archive_spoken(self, session: str, sha256: str) -> None: ...

    def spoken(self, session: str, sha256: str) -> bytes | None: ...


class ReplyVoicing:
    """The spoken replies of one session; `voice` gives that of a reply by its name, as scenarios may have voices of their own,
    `tell` reaches the consoles, `send` the subject's desk."""

    def __init__(
        self, session: str, voice: Callable[[str], VoicePort | None], store: SpokenStore, clock: Clock,
        record: Callable[[e.Fact], Awaitable[None]], send: Callable[[SpeechChunk], None],
        spawn: Callable[[Coroutine[Any, Any, None]], object], tell: Callable[[Sentence], None], threads: ThreadGroups,
    ) -> None:  # fmt: skip
        self._session, self._voice, self._store, self._clock = session, voice, store, clock
        self._record, self._send, self._spawn, self._tell, self._threads = record, send, spawn, tell, threads

    def committed(self, reply: e.AnswerSent | e.CannedSent) -> None:
        """Have a reply spoken, if it has words to be said."""
        if reply.spoken:
            message = reply.message if isinstance(reply, e.CannedSent) else ""
            self._spawn(self._speak(reply.reply, reply.spoken, message))

    def take_up(self, state: SessionState) -> None:
        """Have the replies spoken of which an earlier run of the hub had made no sound, and archived what it had not archived."""
        for reply in state.replies.values():
            if reply.spoken and reply.sound is None and not reply.voice_failed:
                self._spawn(self._speak(reply.reply, reply.spoken, reply.message))
            elif reply.sound is not None:
                self._spawn(self._archive(reply.sound.sha256))

    def send_again(self, state: SessionState) -> None:
        """Send a desk that has come the sounds that none has begun to play."""
        for reply in state.replies.values():
            if reply.sound is not None and reply.heard_from is None and not reply.voiced:
                self._spawn(self._resend(reply))

    async def _speak(self, reply: str, text: str, message: str) -> None:
        began = self._clock.monotonic_ns()
        voice = self._voice(reply)
        engine = voice.name if voice is not None else ""
        try:
            if voice is None:
                raise VoiceError(NO_VOICE)
            sound = await asyncio.to_thread(voice.sound, text, message)
        except VoiceError as error:
            await self._record(e.VoiceFailed(reply=reply, engine=engine, detail=str(error)))
            return
        except Exception as error:
            # A fault is loud, but the subject gets the reply: its text.
            why = f"a fault of this program: {type(error).__name__}"
            await self._record(e.VoiceFailed(reply=reply, engine=engine, detail=why))
            raise
        voiced = e.ReplyVoiced(
            reply=reply,
            sha256=hashlib.sha256(sound.pcm).hexdigest(),
            samples=len(sound.pcm) // 2,
            rate=SPEECH_RATE,
            engine=sound.engine,
            version=sound.version,
            took=self._clock.monotonic_ns() - began,
        )
        # Both wait for the disk, and the subject for both: side by side.
        kept = self._threads.storing(self._store.keep_spoken, self._session, sound.pcm)
        trouble, _ = await asyncio.gather(kept, self._record(voiced), return_exceptions=True)
        if isinstance(trouble, OSError):
            why = f"the hub cannot keep the sound: {trouble.strerror}"
            await self._record(e.VoiceFailed(reply=reply, engine=engine, detail=why))
            return
        self._to_desk(voiced.sha256, sound.pcm)
        await self._archive(voiced.sha256)

    async def _archive(self, sha256: str) -> None:
        """Have a sound archived, however long the archive is out of reach: the subject has heard it meanwhile."""
        while True:
            try:
                await self._threads.storing(self._store.archive_spoken, self._session, sha256)
            except OSError as error:
                self._tell(Sentence("console_trouble.reply_not_archived", {"why": str(error.strerror)}))
                await self._clock.sleep(ARCHIVE_AGAIN_S)
            else:
                return

    async def _resend(self, reply: Reply) -> None:
        assert reply.sound is not None
        try:
            pcm = await self._threads.storing(self._store.spoken, self._session, reply.sound.sha256)
        except OSError:
            pcm = None
        if pcm is None:
            engine, why = reply.sound.engine, "the sound is no longer on the hub's disk"
            await self._record(e.VoiceFailed(reply=reply.reply, engine=engine, detail=why))
            return
        self._to_desk(reply.sound.sha256, pcm)

    def _to_desk(self, sha256: str, pcm: bytes) -> None:
        for chunk in speech_chunks(sha256, pcm):
            self._send(chunk)
