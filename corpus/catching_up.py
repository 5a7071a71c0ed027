"""Brings a corpus up to what is finished at the transcription desk, whoever touches it next.

A desk may be killed between the moment when somebody's name is marked and the moment when it has gone from everybody's texts; or
marks were made at the desk of another corpus beside this one. Until somebody leaves a desk, the name would stay, and whatever is
made of the corpus meanwhile would hand it over. So the desk does this when it is opened, and every command that writes something
out of a corpus does it first.
"""

import re
from pathlib import Path
from typing import TextIO

import msgspec

from corpus import layout
from corpus.faults import FormatFault
from corpus.finished import AllFinished, Finished, finished_in
from corpus.manifest import FileEntry, entry_of
from corpus.reading import Corpus, speech_name
from corpus.rewriting import Rewriting, originals_of
from session.names import StemName, from_base36
from session.work import work_path

# A log begins otherwise; and an expression that begins with fixed text is searched for several times faster.
_TAKES = re.compile(rb"\n\[Number:\] ([0-9a-z]{2})\n\[Take:\] (\S+)$", re.MULTILINE)


def takes_of(corpus: Corpus, log: str) -> list[tuple[StemName, str]]:
    """Name and take of every utterance of a subject-scenario, as its log has them, which is not parsed for that."""
    name = speech_name(log)
    found = _TAKES.findall(corpus.read(log)) if name is not None else []
    return [
        (msgspec.structs.replace(name.stem, utterance=from_base36(number.decode())), take.decode())
        for number, take in found
        if name is not None
    ]


def catch_up(corpus: Corpus, finished: AllFinished) -> list[FormatFault | OSError]:
    """Write into a corpus whatever is finished and is not there yet, masks included.

    Gives what is at fault with it; everything else is written.
    """
    if not (finished or finished.kept or originals_of(corpus.root).exists()):
        return []
    rewriting = Rewriting(corpus.root)
    faults = list[FormatFault | OSError]()
    changed = False
    for log in corpus.logs:
        try:
            known = [(stem, finished[take]) for stem, take in takes_of(corpus, log) if take in finished]
            if any(_is_behind(corpus, stem, done) for stem, done in known):
                changed |= rewriting.put(corpus.scenario(log), finished)
        except (FormatFault, OSError) as error:
            faults.append(error)
    try:
        changed |= rewriting.spread(corpus, finished)
        if changed or faults:
            rewriting.finish()
    except (FormatFault, OSError) as error:
        faults.append(error)
    return faults


def caught_up(root: Path, err: TextIO) -> Corpus:
    """The corpus at `root` with all that is finished beside it; says on `err` where it was not so.

    Raises `FormatFault` or OSError for what cannot be written: what is made of the corpus would tell who somebody is.
    """
    corpus = Corpus(root)
    if not work_path(root).is_file():
        return corpus
    if faults := catch_up(corpus, finished_in(work_path(root))):
        raise faults[0]
    after = Corpus(root)
    if after.manifest != corpus.manifest:
        err.write(f"{root} got what was finished at the transcription desk and was not in it yet\n")
    return after


def _is_behind(corpus: Corpus, stem: StemName, done: Finished) -> bool:
    """Whether the manifest, which is written last, does not tell of what is finished."""
    path = str(layout.path_of(layout.file_name(stem, "sro")))
    return corpus.manifest.files.get(path) != entry_of(done.texts()["sro"], like=FileEntry(0, "", work=done.work))
