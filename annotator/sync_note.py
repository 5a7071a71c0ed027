"""Whether a corpus had everything that is finished when it was last looked over, as a note beside it: then a desk that is opened
need not look again before it shows itself.

The note is a digest of what was compared, the seal of the manifest and how many facts each transcription has, and of the rules by
which one follows from the other. A fact that is new, whoever recorded it, a manifest that was written since or a program that
masks in another way makes it worthless, and everything is looked over as without it.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation import apply, draft_transcription, identifying_phrases, masking, submitted
from corpus.annotation.apply import Fault
from corpus.annotation.submitted import AllFinished
from corpus.dataset.reader import Corpus
from corpus.formats import lsn, manifest, sro, waveform
from corpus.handover import sync_annotations
from corpus.handover.sync_annotations import catch_up
from corpus.io.staging import drop_halves, locked, replace
from session.annotation.store import Work

Now = Callable[[], AllFinished]
RULES = (sync_annotations, draft_transcription, submitted, lsn, masking, identifying_phrases, apply, sro, waveform)
"""What decides which bytes a finished transcription and a mask make; no number has to be raised when one of them changes."""


def note_of(root: Path) -> Path:
    """Where the note lies; it tells nothing of anybody.

    >>> note_of(Path("/data/export")).as_posix()
    '/data/.export.settled'
    """
    here = root.resolve()
    return here.with_name(f".{here.name}.settled")


def settled(corpus: Corpus, lengths: dict[str, int]) -> bool:
    """Whether the corpus was found to lack nothing of so many facts; of a manifest without a seal nobody can say so."""
    try:
        return bool(corpus.manifest.seal) and note_of(corpus.root).read_bytes() == _digest(corpus, lengths)
    except OSError:
        return False


def look_over(corpus: Corpus, work: Work, now: Now, err: TextIO | None) -> list[Fault]:
    """Write into the corpus whatever is finished `now` and is not there; where nothing was to be written, note that. Gives what
    is at fault with it."""
    lengths = work.lengths()
    faults = catch_up(corpus, now, err)
    if not faults and manifest.held_in(corpus.root).seal == corpus.manifest.seal:
        with suppress(OSError), locked(corpus.root):
            drop_halves(note_of(corpus.root))
            replace(note_of(corpus.root), _digest(corpus, lengths))
    return faults


def rules() -> list[str]:
    """A digest of each module of `RULES`, as it lies there."""
    return [hashlib.sha256(Path(str(module.__file__)).read_bytes()).hexdigest() for module in RULES]


def _digest(corpus: Corpus, lengths: dict[str, int]) -> bytes:
    told = msgspec.json.encode((corpus.manifest.seal, lengths, rules()))
    return hashlib.sha256(told).hexdigest().encode()
