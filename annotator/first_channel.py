"""First channel of a waveform of any coding, in 16 bits."""

import numpy as np

from annotator.rules import NotNow
from corpus.annotation.masked_sound import Samples
from corpus.dataset.reader import Corpus
from corpus.formats import waveform
from corpus.formats.errors import FormatFault, message_of
from corpus.formats.pcm import SampleCoding
from corpus.formats.waveform import Waveform

BITS = 16


def sound_at(corpus: Corpus, path: str) -> tuple[Samples, int] | None:
    """The sound of a waveform of a corpus with its rate; None for typed input, which has no `path`. Raises NotNow where it cannot
    be read."""
    if not path:
        return None
    try:
        return sound_of(waveform.parse(corpus.read(path), path))
    except (FormatFault, OSError) as error:
        raise NotNow(f"It cannot be heard: {message_of(error)}") from None


def sound_of(file: Waveform) -> tuple[Samples, int]:
    """The samples of the first channel and their rate in Hz.

    Linear samples of another width are brought to 16 bits, so that full scale stays full scale.
    """
    header = file.header
    first = file.samples()[:, 0]
    bits = 8 * header.sample_n_bytes if header.coding is SampleCoding.PCM else BITS
    if bits > BITS:
        first = first >> (bits - BITS)
    elif bits < BITS:
        first = first.astype(np.int16) << (BITS - bits)
    return first.astype(np.int16), header.sample_rate
