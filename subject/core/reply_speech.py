"""Spoken replies at this desk: pieces of sound put together, checked, handed to the player; begun and ended are reported.

A reply that cannot be heard is shown as text, so every reply comes to an end of its speaking, one way or the other.
"""

import hashlib
from collections.abc import Callable, Iterable

from session import events as e
from session.protocol.messages import SpeechChunk
from session.state.fold import Reply, SessionState
from session.study.settings import Profile
from session.values.clock import Clock, Stamp, stamp
from session.values.vocabulary import PlaybackEnd
from subject.ports import PlayerPort

LONGEST_BYTES = 16 * 1024 * 1024
DAMAGED = "the sound did not arrive as it was made"
NO_PLAYER = "this desk has no loudspeaker"
STARTED_ANEW = "the desk was started anew while it spoke"


def pause_ms(profile: Profile) -> int:
    """Return for how long the room is to be quiet before a take may begin, so that none begins with the system's own voice."""
    return 0 if profile.barge_in else profile.pre_roll_ms


class ReplySpeech:
    """The spoken replies of one session; every method belongs to the event loop's thread."""

    def __init__(self, clock: Clock, state: Callable[[], SessionState], report: Callable[[e.Fact], None]) -> None:
        self._clock, self._state, self._report = clock, state, report
        self._player: PlayerPort | None = None
        self._arriving: dict[str, bytearray] = {}
        self._taken = set[str]()
        self._over = set[str]()
        self._loud = False

    def use(self, player: PlayerPort | None) -> None:
        """The player that makes it heard."""
        self._player = player

    def go_on(self, replies: Iterable[str], *, loud: bool) -> None:
        """A player that has outlived its connection has these replies, and can be heard with one of them."""
        self._taken.update(replies)
        self._loud = loud

    @property
    def speaking(self) -> bool:
        """Return whether something is being said, or a reply is about to be."""
        return self._loud or any(self._is_due(reply) for reply in self._state().replies.values())

    @property
    def may_be_interrupted(self) -> bool:
        """Return whether the subject may speak now: nothing is being said, or the profile lets her break in."""
        opened = self._state().opened
        return (opened is not None and opened.protocol.profile.barge_in) or not self.speaking

    def _is_due(self, reply: Reply) -> bool:
        profile = self._state().profile_at(reply.run)
        speaks = profile is not None and profile.speaks
        return speaks and not reply.voiced and reply.reply not in self._over

    def receive(self, chunk: SpeechChunk) -> None:
        """A piece of sound has come; with the last one it is played."""
        reply = self._wanted(chunk.sha256)
        if reply is None or reply.sound is None:
            return
        sound, size = reply.sound, reply.sound.samples * 2
        known = self._arriving.setdefault(chunk.sha256, bytearray())
        if chunk.first == 0:
            known.clear()
        if chunk.first * 2 != len(known) or len(known) + len(chunk.pcm) > min(size, LONGEST_BYTES):
            del self._arriving[chunk.sha256]
            self._take(reply, None, DAMAGED)
            return
        known += chunk.pcm
        if len(known) == size:
            pcm = bytes(self._arriving.pop(chunk.sha256))
            whole = hashlib.sha256(pcm).hexdigest() == sound.sha256
            self._take(reply, pcm if whole else None, "" if whole else DAMAGED)

    def _wanted(self, sha256: str) -> Reply | None:
        """The reply that waits for this sound, the oldest first."""
        replies = self._state().replies.values()
        return next(
            (
                reply
                for reply in replies
                if reply.sound is not None and reply.sound.sha256 == sha256 and self._is_due(reply)
                and reply.reply not in self._taken and reply.heard_from is None
            ),
            None,
        )  # fmt: skip

    def _take(self, reply: Reply, pcm: bytes | None, detail: str) -> None:
        self._taken.add(reply.reply)
        if pcm is not None and self._player is not None:
            self._loud = True
            self._player.play(reply.reply, pcm)
        else:
            self.ended(reply.reply, 0, PlaybackEnd.FAILED, detail or NO_PLAYER, stamp(self._clock))

    def began(self, reply: str, at: Stamp) -> None:
        """The first sample was given to the loudspeaker."""
        self._report(e.PlaybackStarted(at=at, reply=reply))

    def ended(self, reply: str, samples: int, why: PlaybackEnd, detail: str, at: Stamp) -> None:
        """The reply is heard no longer."""
        if reply not in self._over:
            self._over.add(reply)
            self._report(e.PlaybackStopped(at=at, reply=reply, samples=samples, why=why, detail=detail))

    def quiet(self) -> None:
        """Nothing has been heard for as long as a recording reaches back."""
        self._loud = False

    def interrupt(self) -> None:
        """Be silent: the subject speaks."""
        if self._player is not None and self._loud:
            self._player.stop()

    def give_up_interrupted(self) -> None:
        """Replies that an earlier run of this desk had begun to play have failed: their text is shown."""
        for reply in self._state().replies.values():
            if reply.heard_from is not None and self._is_due(reply) and reply.reply not in self._taken:
                self.ended(reply.reply, 0, PlaybackEnd.FAILED, STARTED_ANEW, stamp(self._clock))
