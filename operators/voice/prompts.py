"""Recorded prompts: a folder with a waveform for each canned message, spoken by a person once and played whenever it is sent.

`no-information.wav` is the message `no-information`; .flac and .ogg do too. A message with blanks, a message that nobody has
recorded and the rows of an answer are spoken by another engine.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from operators.voice.reply_sound import played
from session.hub.reply_voice import SpokenSound, VoiceError, VoicePort
from session.study.settings import CannedMessage
from session.values.vocabulary import VoiceEngine

TYPES = (".wav", ".flac", ".ogg")


class RecordedPrompts:
    """The prompts of `folder`, by the canned messages' ids, and a voice for all else; raises VoiceError for a file that is
    not sound, and for what nobody can say."""

    def __init__(self, folder: Path, messages: Iterable[CannedMessage], otherwise: VoicePort | None) -> None:
        self.name = VoiceEngine.RECORDED.value
        self._otherwise = otherwise
        self._prompts: dict[str, SpokenSound] = {}
        self.missing: tuple[str, ...] = ()
        for message in messages:
            file = next((path for kind in TYPES if (path := folder / f"{message.id}{kind}").is_file()), None)
            if file is None or message.blanks:
                self.missing += (message.id,)
            else:
                self._prompts[message.id] = _read(file)
        if otherwise is None:
            lacking = f"the messages {', '.join(self.missing)}" if self.missing else "the answers of the database"
            raise VoiceError(
                f"nobody has recorded {lacking} in {folder}: record them (answers and blanks cannot be), or name under [voice] "
                "what speaks `otherwise`"
            )

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The recorded prompt of a canned message, or what the other voice makes of the text."""
        if (prompt := self._prompts.get(message)) is not None:
            return prompt
        if self._otherwise is None:
            raise VoiceError("this text was not recorded, and no voice is named for it")
        return self._otherwise.sound(text, message)


def _read(file: Path) -> SpokenSound:
    try:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise VoiceError(f"{file}: {error.strerror}") from error
    return SpokenSound(played(file, str(file)), VoiceEngine.RECORDED.value, f"{file.name} {digest[:12]}")
