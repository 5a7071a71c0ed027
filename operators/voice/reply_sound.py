"""Conversion of waveforms of any format and rate to the sound that is played: one channel of 16 bits at the rate of all
replies."""

import io
import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from session.hub.reply_voice import LONGEST_SPEECH_S, VoiceError
from session.protocol.messages import SPEECH_RATE

MOST_BYTES = 64 * 1024 * 1024
"""Of a file that an engine gave, whatever it says of itself: three minutes of 48 kHz in two channels have half of it."""
RATES = range(8_000, 96_001)
_QUIET = 1e-4


def played(data: bytes | Path, whose: str) -> bytes:
    """The samples of a WAV, FLAC or Ogg file as they are played; VoiceError says what of `whose` sound is wrong."""
    import soundfile

    size = data.stat().st_size if isinstance(data, Path) else len(data)
    if size > MOST_BYTES:
        raise VoiceError(f"{whose} gave {size:,} bytes of sound; at most {MOST_BYTES:,} are looked at")
    try:
        with soundfile.SoundFile(io.BytesIO(data) if isinstance(data, bytes) else str(data)) as file:
            rate = file.samplerate
            if rate not in RATES:
                raise VoiceError(f"{whose} gave sound at {rate} Hz; 8000 to 96000 Hz are understood")
            frames = file.read(rate * LONGEST_SPEECH_S + 1, dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, RuntimeError, ValueError, TypeError) as error:
        raise VoiceError(f"{whose} gave no sound that can be read: {' '.join(str(error).split())[:200]}") from None
    if len(frames) > rate * LONGEST_SPEECH_S:
        raise VoiceError(f"{whose} returned more than {LONGEST_SPEECH_S} s of sound; make the reply shorter")
    sound = frames.mean(axis=1) if frames.size else np.zeros(0, np.float32)
    if not np.isfinite(sound).all() or not len(sound) or float(np.abs(sound).max()) < _QUIET:
        raise VoiceError(f"{whose} gave silence for a text")
    return at_voice_rate(sound, rate)


def at_voice_rate(sound: npt.NDArray[np.float32], rate: int) -> bytes:
    """Samples between -1 and 1 at `rate`, as 16 bits at the rate of all replies; what lies above half of it is left out."""
    if rate != SPEECH_RATE:
        common = math.gcd(rate, SPEECH_RATE)
        up, down = SPEECH_RATE // common, rate // common
        wanted = math.ceil(len(sound) * up / down)
        # A few blocks of silence behind: the end of a sound is not to ring at its beginning.
        blocks = math.ceil(len(sound) / down) + 8
        spectrum = np.fft.rfft(sound, blocks * down)
        kept = np.zeros(blocks * up // 2 + 1, spectrum.dtype)
        shared = min(len(kept), len(spectrum))
        kept[:shared] = spectrum[:shared]
        sound = (np.fft.irfft(kept, blocks * up) * (up / down)).astype(np.float32)[:wanted]
    return np.clip(np.rint(sound * 32_767), -32_768, 32_767).astype("<i2").tobytes()
