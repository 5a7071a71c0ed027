"""Erasure of a person's records at the transcription desk, with the masks kept.

Words that her transcriptions mark as identifying somebody are in what others said and wrote too. They go into the list of
masks, which belongs to nobody: no export that uses the list shows them, anyone who has left.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from corpus.annotation.identifying_phrases import TELLING, Phrase
from corpus.annotation.submitted import finished_in
from corpus.dataset.removals import Removal
from session.annotation.store import LOG_FILE, Work
from session.values.clock import Clock, stamp

_BY = "experimenter"


def marked_in(path: Path, takes: Iterable[str]) -> set[Phrase]:
    """Return the words that the transcriptions of some takes mark, in a file of later work; raises what the store raises."""
    finished = finished_in(path)
    names = {name for take in takes if take in finished for name in finished[take].names}
    return {name for name in names if len("".join(name)) >= TELLING}


def keep(path: Path, words: Iterable[Phrase], clock: Clock) -> None:
    """Put words on the list of masks in a file of later work, which is made if need be."""
    if not (wanted := set(words)):
        return
    work = Work(path)
    try:
        work.keep_names(sorted(wanted), stamp(clock), _BY)
    finally:
        work.close()


def forget(path: Path, removal: Removal, takes: Mapping[str, str], clock: Clock) -> int:
    """Erase what is recorded of a person's takes, which are given with the names of the utterances, and let nobody record a word
    of them; how many facts went. Where no take can be told any more, the names of the utterances decide.

    Raises what the store raises.
    """
    path.with_name(LOG_FILE).unlink(missing_ok=True)
    if not path.is_file():
        return 0
    work = Work(path)
    try:
        hers = takes or work.named(frozenset(removal.utterances))
        work.shut(removal.speaker, hers, stamp(clock), _BY)
        return work.withdraw(removal.speaker, hers, stamp(clock), _BY)
    finally:
        work.close()
