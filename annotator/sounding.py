"""What a waveform sounds like, whatever it was stored as: its first channel in 16 bits."""

import numpy as np

from corpus import riff, sphere
from corpus.masking import Samples
from corpus.samples import Coding

BITS = 16


def sound_of(data: bytes, path: str) -> tuple[Samples, int]:
    """The samples of the first channel and their rate in Hz of a SPHERE or RIFF file; raises `FormatFault`.

    Linear samples of another width are brought to 16 bits, so that full scale stays full scale.
    """
    file = riff.parse(data, path) if data.startswith(riff.MAGIC) else sphere.parse(data, path)
    header = file.header
    if isinstance(header, riff.RiffHeader):
        rate, width = header.sample_rate, header.sample_n_bytes
    else:
        rate, width = header.number("sample_rate"), header.number("sample_n_bytes")
    first = file.samples()[:, 0]
    bits = 8 * width if header.coding is Coding.PCM else BITS
    if bits > BITS:
        first = first >> (bits - BITS)
    elif bits < BITS:
        first = first.astype(np.int16) << (BITS - bits)
    return first.astype(np.int16), rate
