"""`curtain export CORPUS NEW`: a new corpus out of an exported one, with all that was transcribed and masked beside it since."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.overlay import Change, changes
from corpus.annotation.submitted import AllFinished
from corpus.commands.sources import opened
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import REMOVALS
from corpus.dataset.subset import CorpusPart, copy_part
from corpus.export.study_source import FAULTS
from corpus.export.waveform_conversion import in_format
from corpus.formats.errors import counted, status_of
from corpus.formats.manifest import FileEntry, Manifest
from corpus.io.parallel import MANY, chosen
from corpus.io.progress import counting
from corpus.io.staging import refuse_existing, refuse_nowhere, replace, staged, stopped
from corpus.packages.formats import WaveformFormat
from corpus.release import earlier_exports, holdout_file
from corpus.release.exports_log import CORPUS, heads_of, record


class DeriveOptions(msgspec.Struct, frozen=True):
    """Options of `derive_command`; `form` is that of the waveforms, empty for that which they have; `jobs` and `cluster` as in
    `corpus.verify.verify.VerifyOptions`."""

    source: str
    directory: str
    work: Sequence[str] = ()
    form: str = ""
    jobs: int | None = None
    cluster: str = ""


def derive_command(
    options: DeriveOptions,
    out: TextIO,
    err: TextIO,
    annotated: Callable[[Corpus], Iterator[Change]] = lambda _: iter(()),
) -> int:
    """Write the corpus in `source` to the new folder `directory`, with what is finished beside it and beside other exports of its
    study, in the named files of later `work`, and what is `annotated`; its path goes to `out`. 2 when nothing was written.

    Nothing changes in the old corpus, nor in assignments to sets, which hold for the new one too.
    """
    target = Path(options.directory)
    try:
        refuse_existing(target)
        refuse_nowhere(target)
        corpus = opened(Path(options.source))
        finished = earlier_exports.finished_around(corpus.root, options.work)
        sets = holdout_file.carried([corpus.root], target)
        part = CorpusPart(corpus, {entry.speaker for entry in corpus.manifest.sessions} | {*corpus.speakers()})
        extra = {path: corpus.read(path) for path in (REMOVALS,) if path in corpus.manifest.files}
        by, total = chosen(options.jobs, options.cluster, len(corpus.logs) >= MANY), len(corpus.manifest.files)
        record([corpus.root], CORPUS, target, heads_of(part.sessions), err)
        with staged(target) as staging, counting(err, "files", total) as tell:
            staging.tell(tell)
            made = copy_part([part], staging, extra, by, lambda one: _changed(one, options.form, finished, annotated))
        for path, data in sets.items():
            replace(path, data)
    except (*FAULTS, KeyboardInterrupt) as error:
        err.write(stopped(error, target))
        return status_of(error)
    err.write(f"{counted(len(made.files), 'file')}; {_new(corpus.manifest, made)}\n")
    out.write(f"{options.directory}\n")
    return 0


def _changed(
    corpus: Corpus, form: str, finished: AllFinished, annotated: Callable[[Corpus], Iterator[Change]]
) -> Iterator[Change]:
    found = chain(changes(corpus, finished), annotated(corpus))
    return in_format(corpus, found, form == WaveformFormat.RIFF) if form else found


def _new(before: Manifest, after: Manifest) -> str:
    def changed(ending: str, mark: Callable[[FileEntry], object]) -> int:
        old = {path: mark(entry) for path, entry in before.files.items() if path.endswith(ending)}
        return sum(path.endswith(ending) and mark(entry) != old.get(path) for path, entry in after.files.items())

    transcribed, masked = changed(".sro", lambda entry: entry.work), changed(".wav", lambda entry: entry.masked)
    return f"{counted(transcribed, 'transcription')} and {counted(masked, 'masked waveform')} are new"
