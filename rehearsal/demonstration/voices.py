"""Synthetic voices: those of espeak-ng where it is installed, otherwise a plain one that nobody could take for a person.

The plain one sings vowels by two formants and hisses or hums consonants, a letter after the other: as long and as loud as speech,
in a pitch of its own, and understood by nobody.
"""

import hashlib
import random
import shutil
import subprocess
from collections.abc import Iterator

import msgspec
import numpy as np

from rehearsal.speaking_subject import Samples
from rehearsal.speech_synthesis import RATE, SILENCE, spoken

ESPEAK, PLAIN = "espeak-ng", "a plain voice of Curtain's"
_VARIANTS = {"f": ("f1", "f2", "f3", "f4"), "m": ("m1", "m3", "m5", "m7")}
_FORMANTS = {"a": (750, 1200), "e": (500, 1900), "i": (320, 2300), "o": (500, 900), "u": (350, 800), "y": (330, 2100)}
_HISSED = frozenset("cfhkpqstx")
_LETTER_S, _BLANK_S = 0.045, 0.04


class SyntheticVoice(msgspec.Struct, frozen=True):
    """A voice: the variant of espeak-ng's American English, words a minute, and its pitch, in espeak-ng's units of 0 to 99."""

    variant: str
    speed: int
    pitch: int

    @classmethod
    def drawn(cls, draw: random.Random, sex: str) -> "SyntheticVoice":
        """Draw a voice that fits."""
        return cls(draw.choice(_VARIANTS[sex]), draw.randrange(180, 215), draw.randrange(35, 65))


def synthesiser() -> str:
    """Return the name of what speaks on this machine."""
    return ESPEAK if shutil.which(ESPEAK) else PLAIN


def say(words: str, voice: SyntheticVoice, by: str) -> Samples:
    """The words as 16-bit samples at 16 kHz, with a little noise of a room. The same call gives the same samples.

    Raises OSError or CalledProcessError where espeak-ng fails.
    """
    try:
        samples = spoken(words, voice.variant, voice.speed, voice.pitch) if by == ESPEAK else plain(words, voice)
    except subprocess.CalledProcessError as error:
        raise OSError(f"{ESPEAK} could not speak: it ended with status {error.returncode}") from None
    seed = int.from_bytes(hashlib.sha256(f"{words}{voice}".encode()).digest()[:8])
    room = np.random.default_rng(seed).integers(-5, 6, len(samples), dtype=np.int16)
    return samples + room


def plain(words: str, voice: SyntheticVoice) -> Samples:
    """The words in the plain voice."""
    base = (95 if voice.variant.startswith("m") else 170) + voice.pitch
    pieces = [*_letters(words.lower(), base)] or [np.zeros(RATE // 4)]
    return np.concatenate([SILENCE, (np.concatenate(pieces) * 9000).astype(np.int16), SILENCE])


def _letters(words: str, base: int) -> Iterator["np.typing.NDArray[np.float64]"]:
    time = np.arange(round(_LETTER_S * RATE)) / RATE
    swell = np.sin(np.pi * time / _LETTER_S) ** 0.5
    hiss = np.random.default_rng(base).uniform(-0.3, 0.3, len(time))
    for place, letter in enumerate(words):
        if not letter.isalpha():
            yield np.zeros(round(_BLANK_S * RATE))
        elif letter in _HISSED:
            yield hiss * swell
        else:
            low, high = _FORMANTS.get(letter, (250, 1100))
            pitch = base * (1 + 0.08 * np.cos(place / 5))
            tones = (
                (
                    k * pitch,
                    np.exp(-(((k * pitch - low) / 120) ** 2)) + 0.5 * np.exp(-(((k * pitch - high) / 180) ** 2)),
                )
                for k in range(1, 20)
            )
            yield swell * sum((0.1 + weight) * np.sin(2 * np.pi * tone * time) for tone, weight in tones) / 3
