"""The source corpus of a command, with all finished transcriptions and without pending withdrawals."""

from collections.abc import Callable
from pathlib import Path

from corpus.annotation.overlay import is_behind
from corpus.dataset.reader import Corpus
from corpus.io.staging import Refused
from corpus.release.earlier_exports import finished_around
from corpus.release.exports_log import removed_around
from corpus.withdrawal.rebuild import refuse_half_rebuilt
from corpus.withdrawal.unfinished import refuse_corpus


def opened(root: Path, read: Callable[[Path], Corpus] = Corpus) -> Corpus:
    """Return the corpus at `root`, as `read` gives it.

    Raises `Refused` if a withdrawal from it was interrupted, or where it holds somebody who has withdrawn from it or from a
    study or a corpus of its family.
    """
    refuse_half_rebuilt(root)
    corpus = read(root)
    refuse_corpus(corpus, removed_around([root]))
    return corpus


def current(root: Path, read: Callable[[Path], Corpus] = Corpus) -> Corpus:
    """Return the corpus at `root`, as `read` gives it, to be handed over or put together with others as it is.

    Raises `Refused` if transcriptions or masks are finished beside it, or beside another export of its study, that it does
    not have: a name would go out that somebody has masked.
    """
    corpus = opened(root, read)
    if is_behind(corpus, finished_around(root)):
        raise Refused(
            f"{root} does not have all that is transcribed and masked beside it and beside other exports of its study; make a "
            f"corpus that has, and go on with that: curtain export {root} NEW"
        )
    return corpus
