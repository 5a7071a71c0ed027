"""Ways to break what the system spoke: the log tells of a sound, and the file is not that one."""

import hashlib

from corpus.formats import riff
from tests.corpus.sessions import RATE, pcm
from tests.corpus.verify.broken import LOG, Breakage, Corpus

SOUND = pcm("spoken")
SHA256 = hashlib.sha256(SOUND).hexdigest()
PATH = f"spoken/bbn-20261121-1/{SHA256}.wav"


def _told(corpus: Corpus) -> None:
    """Have the log tell of the sound, where the first answer has been shown."""
    record = rf"[Reply:] r1\n[Samples:] {len(SOUND) // 2}\n[Rate:] {RATE}\n[Sha256:] {SHA256}\n[Engine:] x\n[Took:] 5\n"
    shown = r"^(\[Answer_shown:\] (\S+).*\n\[Reply:\] r1\n\[Lines:\] 0-3\n)"
    corpus.edit(LOG, shown, rf"\1[Reply_voiced:] \2 hub\n{record}")


def _spoken(corpus: Corpus, sound: bytes, rate: int = RATE) -> None:
    _told(corpus)
    corpus.write(PATH, riff.render(riff.pcm_file(sound, rate)))


SPEECH = [
    Breakage("a lost sound of the system", "set.speech-missing", _told),
    Breakage(
        "a sound of which no log tells",
        "set.unlogged",
        lambda c: c.write(PATH, riff.render(riff.pcm_file(SOUND, RATE))),
    ),
    Breakage("a sound cut short", "speech.count", lambda c: _spoken(c, SOUND[:-2])),
    Breakage("a sound at another rate", "speech.count", lambda c: _spoken(c, SOUND, 8_000)),
    Breakage("a sound that is another", "speech.seal", lambda c: _spoken(c, pcm("other"))),
    Breakage("a sound that is none", "speech.form", lambda c: (_told(c), c.write(PATH, b"RIFF and no more"))[1]),
]
