"""Puts what the transcription desk has finished into a corpus that lies there already, and keeps what it masks.

Each file is replaced whole and the manifest last; after a crash in between, the same call sets everything right, because what
is written follows from the original files and the work alone. The untouched waveforms, logs and remarks that a mask
replaces are kept beside the corpus, readable by their owner only, so that a stretch marked in the wrong place can be put right.
"""

import fcntl
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from corpus import comments, layout, lexicon, logfile, manifest, masking, sro
from corpus.directory import replace
from corpus.faults import FormatFault
from corpus.finished import Finished, masked_comments, masked_log
from corpus.manifest import FileEntry, Manifest, entry_of
from corpus.reading import Corpus, SubjectScenario, Utterance


def originals_of(root: Path) -> Path:
    """Where the files that masks have replaced are kept; `curtain withdraw` has to reach them too.

    >>> originals_of(Path("/data/export")).as_posix()
    '/data/export.originals'
    """
    here = root.resolve()
    return here.with_name(f"{here.name}.originals")


class Rewriting:
    """A corpus whose transcriptions are being finished. Any number of people may do so at once, each with a `Rewriting`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._originals = originals_of(root)

    def put(self, scenario: SubjectScenario, finished: Mapping[str, Finished]) -> None:
        """Write what is finished (by take) of a subject-scenario; what is written already stays as it is.

        Raises `FormatFault` for waveforms that cannot be masked, OSError where nothing can be written.
        """
        with self._locked():
            listed = manifest.parse((self._root / layout.MANIFEST).read_bytes(), layout.MANIFEST)
            files = dict(listed.files)
            words = self._spoken(scenario, files)
            for utterance in scenario.utterances:
                if (done := finished.get(utterance.block.take)) is not None:
                    self._utterance(utterance, done, files)
            self._texts(scenario, finished, files)
            self._recount(words, self._spoken(scenario, files), files)
            if files != listed.files:
                self._seal(msgspec.structs.replace(listed, files=files))

    def original(self, path: str) -> bytes:
        """A file as it was before anything in it was masked; as it is where no original of it is kept."""
        here = self._read(path)
        return self._kept(path, here) or here

    def finish(self) -> None:
        """Count the lexicon anew."""
        with self._locked():
            listed = manifest.parse((self._root / layout.MANIFEST).read_bytes(), layout.MANIFEST)
            paths = sorted(path for path in listed.files if path.endswith(".sro"))
            counted = lexicon.count(sro.parse(self._read(path), path) for path in paths)
            files = dict(listed.files)
            self._put(layout.LEXICON, lexicon.render(counted), files)
            if files != listed.files:
                self._seal(msgspec.structs.replace(listed, files=files))

    # --- within ---------------------------------------------------------------------------------------------------------

    def _utterance(self, utterance: Utterance, done: Finished, files: dict[str, FileEntry]) -> None:
        for kind, data in done.texts().items():
            path = str(layout.path_of(layout.file_name(utterance.stem, kind)))
            self._put(path, data, files, FileEntry(0, "", work=done.work))
        for path in utterance.waves.values():
            if not done.stretches:
                self._restore(path, files)
                continue
            data, placed = masking.masked_wave(self.original(path), path, done.stretches, done.rate)
            self._mask(path, data, files, FileEntry(0, "", masked=placed))

    def _texts(self, scenario: SubjectScenario, finished: Mapping[str, Finished], files: dict[str, FileEntry]) -> None:
        """The log and the remarks of a subject-scenario, out of their originals."""
        here = [finished[each.block.take] for each in scenario.utterances if each.block.take in finished]
        names = tuple(name for done in here for name in done.names)
        made: dict[str, bytes] = {}
        if names:
            log = logfile.parse(self.original(scenario.path), scenario.path)
            made[scenario.path] = logfile.render(masked_log(log, finished))
            if (path := scenario.files.get("com")) is not None:
                remarks = comments.parse(self.original(path), path)
                made[path] = comments.render(masked_comments(remarks, names))
        for path in filter(None, (scenario.path, scenario.files.get("com"))):
            if path in made:
                self._mask(path, made[path], files)
            else:
                self._restore(path, files)

    def _spoken(self, scenario: SubjectScenario, files: dict[str, FileEntry]) -> Counter[str]:
        """The words of a subject-scenario's transcriptions as they lie there."""
        names = (layout.file_name(each.stem, "sro") for each in scenario.utterances)
        paths = [path for path in (str(layout.path_of(name)) for name in names) if path in files]
        found: Counter[str] = Counter()
        for path in paths:
            with suppress(FormatFault):  # an interruption left half a file; `finish` counts anew
                found.update(lexicon.words(sro.parse(self._read(path), path)))
        return found

    def _recount(self, before: Counter[str], after: Counter[str], files: dict[str, FileEntry]) -> None:
        """Carry what has changed into the lexicon; what an interruption left wrong, `finish` sets right."""
        if before == after or layout.LEXICON not in files:
            return
        counts = Counter(dict(lexicon.parse(self._read(layout.LEXICON), layout.LEXICON).counts)) + after - before
        self._put(layout.LEXICON, lexicon.render(lexicon.of_counts(counts)), files)

    def _read(self, path: str) -> bytes:
        return (self._root / path).read_bytes()

    def _mask(self, path: str, data: bytes, files: dict[str, FileEntry], like: FileEntry | None = None) -> None:
        """Put the masked form of a file in its place; first keep the original and note what replaces it."""
        here = self._read(path)
        if data != here:
            self._originals.mkdir(mode=0o700, exist_ok=True)
            if self._kept(path, here) is None:
                (self._originals / path).parent.mkdir(parents=True, exist_ok=True)
                replace(self._made(path), b"")
                replace(self._originals / path, here)
            replace(self._made(path), self._made(path).read_bytes() + _digest(data) + b"\n")
        self._put(path, data, files, like)

    def _put(self, path: str, data: bytes, files: dict[str, FileEntry], like: FileEntry | None = None) -> None:
        entry = entry_of(data, like=like)
        if files.get(path) != entry or not self._same(path, entry):
            replace(self._root / path, data)
            files[path] = entry

    def _same(self, path: str, entry: FileEntry) -> bool:
        try:
            return entry_of(self._read(path), like=entry) == entry
        except FileNotFoundError:
            return False

    def _kept(self, path: str, here: bytes) -> bytes | None:
        """The original of the file that is `here`; None where none is kept, or where another export has come since."""
        try:
            kept, made = (self._originals / path).read_bytes(), self._made(path).read_bytes().split()
        except FileNotFoundError:
            return None
        return kept if kept == here or _digest(here) in made else None

    def _made(self, path: str) -> Path:
        """Lists the hashes of what has ever replaced the file."""
        return self._originals / f"{path}.made"

    def _restore(self, path: str, files: dict[str, FileEntry]) -> None:
        kept = self._kept(path, self._read(path))
        if kept is not None:
            self._put(path, kept, files)

    def _seal(self, listed: Manifest) -> None:
        replace(self._root / layout.MANIFEST, manifest.render(listed))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One at a time, across programs; the lock is on the directory itself, so that no file of ours lies in the corpus."""
        handle = os.open(self._root, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def rewrite(corpus: Corpus, finished: Mapping[str, Finished]) -> Rewriting:
    """Bring a whole corpus up to what is finished, as the desk does when it is opened."""
    rewriting = Rewriting(corpus.root)
    for scenario in corpus.scenarios():
        if any(each.block.take in finished for each in scenario.utterances):
            rewriting.put(scenario, finished)
    return rewriting
