import io

import numpy as np
import pytest
import soundfile

from annotator.first_channel import sound_of
from corpus.formats import waveform
from corpus.formats.errors import FormatFault

RATE = 8_000


def stored(kind: str, coding: str, channels: int = 1, count: int = 800) -> bytes:
    """A tone at half of full scale, in the first channel alone."""
    tone = np.sin(np.arange(count) / 5) / 2
    out = io.BytesIO()
    sound = np.stack([tone, *[np.zeros(count)] * (channels - 1)], axis=1)
    soundfile.write(out, sound, RATE, format=kind, subtype=coding)
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "coding"),
    [
        *(("WAV", coding) for coding in ("PCM_16", "PCM_24", "PCM_32", "ULAW", "ALAW")),
        ("NIST", "PCM_16"),
        ("NIST", "ULAW"),
    ],
)
@pytest.mark.parametrize("channels", [1, 2])
def test_half_of_full_scale_is_heard_as_that_whatever_it_was_stored_as(kind: str, coding: str, channels: int) -> None:
    sound, rate = sound_of(waveform.parse(stored(kind, coding, channels), "x.wav"))
    assert (rate, len(sound), sound.dtype) == (RATE, 800, np.int16)
    assert abs(int(sound.max()) - 16_384) < 600
    assert abs(int(sound.min()) + 16_384) < 600


@pytest.mark.parametrize(("kind", "coding"), [("WAV", "PCM_U8"), ("NIST", "PCM_S8")])
def test_eight_bits_are_not_heard_as_silence(kind: str, coding: str) -> None:
    sound, _ = sound_of(waveform.parse(stored(kind, coding), "x.wav"))
    assert abs(int(sound.max()) - 16_384) < 600


def test_nothing_is_an_empty_sound_and_nonsense_is_named() -> None:
    assert len(sound_of(waveform.parse(stored("NIST", "PCM_16", count=0), "x.wav"))[0]) == 0
    with pytest.raises(FormatFault):
        sound_of(waveform.parse(b"NIST_1A\n   1024\nsample_count -i 99999\nend_head\n", "x.wav"))
