"""The voice behind the hub, as it needs it: a text in, sound out. What makes the sound is in `operators.voice`."""

from collections.abc import Callable
from typing import Protocol

import msgspec

from session.study.settings import Profile

LONGEST_SPEECH_S = 180
"""A reply that lasts longer is not spoken; three rows take half a minute."""


class SpokenSound(msgspec.Struct, frozen=True):
    """Sound of one channel, 16-bit little-endian samples at `SPEECH_RATE`, and what made it."""

    pcm: bytes
    engine: str
    version: str


class VoiceError(Exception):
    """A text cannot be spoken; the message says why, and what to do, in one sentence."""


class VoicePort(Protocol):
    """The voice of a study."""

    @property
    def name(self) -> str:
        """The engine's name, for the log of a failure."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the canned messages without a recorded prompt."""

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The sound of a text, which is that of canned message `message` if one is named; blocks, raises `VoiceError`."""


VoiceOf = Callable[[Profile], VoicePort | None]
"""Return the voice of sessions under a profile; None where nothing is spoken."""
