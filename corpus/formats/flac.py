"""FLAC: the samples of a RIFF file without loss in about half the room, as most programs of today read it."""

import io

from corpus.formats import riff


def render(file: riff.RiffFile) -> bytes:
    """The bytes of a FLAC file with the samples of a linear file of 16 bits; the same samples give the same bytes.

    >>> found = render(riff.pcm_file(bytes(3200), 16_000))
    >>> found[:4], len(found) < 3200
    (b'fLaC', True)
    """
    import soundfile

    made = io.BytesIO()
    samples = file.samples().astype("<i2")
    soundfile.write(made, samples, file.header.sample_rate, format="FLAC", subtype="PCM_16")
    return made.getvalue()
