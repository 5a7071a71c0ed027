"""Brings a corpus up to what is finished at the transcription desk, whoever touches it next.

A desk may be killed between the moment when somebody's name is marked and the moment when it has gone from everybody's texts; or
marks were made at the desk of another corpus beside this one. Until somebody leaves a desk, the name would stay, and whatever is
made of the corpus meanwhile would hand it over. So the desk does this when it is opened, and every command that writes something
out of a corpus does it first.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.apply import Fault, Rewriting, originals_of
from corpus.annotation.submitted import AllFinished, Finished, finishing
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import FileEntry, entry_of
from corpus.formats.sro import Sign
from corpus.handover.unfinished_withdrawal import refuse_corpus
from corpus.io.progress import followed
from session.annotation.store import work_path
from session.values.names import StemName


def catch_up(corpus: Corpus, now: Callable[[], AllFinished], err: TextIO | None = None) -> list[Fault]:
    """Write into a corpus whatever is finished `now` and is not there yet, masks included; progress goes to `err`.

    Gives what is at fault with it; everything else is written.
    """
    finished = now()
    if not (finished or finished.kept or originals_of(corpus.root).exists()):
        return []
    rewriting = Rewriting(corpus.root)
    behind, unread = list[str](), list[Fault]()
    for log in followed(corpus.logs, err, "subject-scenarios looked at", len(corpus.logs)):
        try:
            if _is_behind(corpus, log, finished) or rewriting.touches(corpus, log, finished):
                behind.append(log)
        except (FormatFault, OSError) as error:
            unread.append(error)
    changed, faults = rewriting.put_all(corpus, behind, now, err)
    faults = [*unread, *faults]
    try:
        if changed or faults or rewriting.interrupted(corpus):
            rewriting.finish()
    except (FormatFault, OSError) as error:
        faults.append(error)
    return faults


def caught_up(root: Path, err: TextIO) -> Corpus:
    """The corpus at `root` with all that is finished beside it; says on `err` where it was not so.

    Raises `FormatFault` or OSError for what cannot be written: what is made of the corpus would tell who somebody is; `Refused`
    where it holds somebody who is about to leave.
    """
    corpus = Corpus(root)
    refuse_corpus(corpus, removals.held_in(root))
    if not work_path(root).is_file():
        return corpus
    with finishing(work_path(root)) as so_far:
        for fault in catch_up(corpus, so_far.now, err):
            raise fault
    after = Corpus(root)
    if after.manifest != corpus.manifest:
        err.write(f"{root} got what was finished at the transcription desk and was not in it yet\n")
    return after


def _is_behind(corpus: Corpus, log: str, finished: AllFinished) -> bool:
    """Whether the manifest, which is written last, does not tell of what is finished of a subject-scenario."""
    takes = [(stem, finished[take]) for stem, take in corpus.takes(log) if take in finished] if finished else []
    return any(_lacks(corpus, stem, done) for stem, done in takes)


def _lacks(corpus: Corpus, stem: StemName, done: Finished) -> bool:
    """Most often it has the text as it was submitted, which need not be parsed then."""
    listed = corpus.manifest.files.get(str(layout.path_of(layout.file_name(stem, "sro"))))
    marks = FileEntry(0, "", work=done.work)
    if listed is None or msgspec.structs.replace(listed, bytes=0, sha256="") != marks:
        return True
    plain = Sign.IDENTIFYING_BEGINS not in done.text
    return not (plain and listed == entry_of(f"{done.text}\n".encode(), like=marks)) and listed != entry_of(
        done.texts()["sro"], like=marks
    )
