"""Waveforms to test voices with."""

import io

import numpy as np
import soundfile


def silence_free_wave(seconds: float = 0.2, rate: int = 22_050, kind: str = "WAV") -> bytes:
    """A tone of 440 Hz as a file's bytes."""
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(round(seconds * rate)) / rate)
    out = io.BytesIO()
    soundfile.write(out, tone, rate, format=kind, subtype="PCM_16")
    return out.getvalue()
