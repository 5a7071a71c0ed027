"""The corpus that a command makes something of: nobody in it is about to leave, and all that was transcribed of it is in it."""

from pathlib import Path

from corpus.annotation.overlay import is_behind
from corpus.annotation.submitted import AllFinished, finished_in
from corpus.dataset.reader import Corpus
from corpus.formats.errors import told_of
from corpus.io.staging import Refused
from corpus.release.exports_log import removed_around
from corpus.withdrawal.rebuild import refuse_half_rebuilt
from corpus.withdrawal.unfinished import refuse_corpus
from session.annotation.store import work_path
from session.store.event_store import UNREADABLE


def opened(root: Path) -> Corpus:
    """Return the corpus at `root`.

    Raises `Refused` where a withdrawal from it was interrupted, or where it holds somebody who has withdrawn from it or from a
    study or a corpus of its family.
    """
    refuse_half_rebuilt(root)
    corpus = Corpus(root)
    refuse_corpus(corpus, removed_around([root]))
    return corpus


def finished_beside(root: Path) -> AllFinished:
    """Return what is finished at the transcription desk of a corpus; raises `Refused` where that cannot be read."""
    try:
        return finished_in(work_path(root))
    except UNREADABLE as error:
        raise Refused(
            f"{told_of(error)}: it may hold masks, so nothing is made of {root} before it is mended or moved away"
        ) from None


def current(root: Path) -> Corpus:
    """Return the corpus at `root`, to be handed over or put together with others as it is.

    Raises `Refused` where transcriptions or masks are finished beside it that it does not have: a name would go out that
    somebody has masked.
    """
    corpus = opened(root)
    if is_behind(corpus, finished_beside(root)):
        raise Refused(
            f"{root} does not have all that is transcribed and masked beside it; make a corpus that has, and go on with that: "
            f"curtain export {root} NEW"
        )
    return corpus
