"""Puts what the transcription desk has finished into a corpus that lies there already, and keeps what it masks.

Each file is replaced whole and the manifest last; after a crash in between, the same call sets everything right, because what
is written follows from the original files and the work alone. The untouched waveforms, logs and remarks that a mask
replaces are kept beside the corpus, readable by their owner only, so that a stretch marked in the wrong place can be put right.
"""

import hashlib
import re
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TextIO, TypeVar

from corpus.annotation import masking
from corpus.annotation.draft_transcription import from_quick
from corpus.annotation.manifest_editor import ManifestInHand
from corpus.annotation.masking import Pair
from corpus.annotation.submitted import (
    AllFinished,
    Finished,
    masked_answer,
    masked_answers,
    masked_comments,
    masked_log,
)
from corpus.dataset.reader import Corpus, SubjectScenario, Utterance
from corpus.formats import com, layout, lexicon, lsn, squ, sro
from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.formats.manifest import FileEntry, entry_of
from corpus.io.progress import followed
from corpus.io.safe_open import read_plain
from corpus.io.staging import locked, replace, sweep

T = TypeVar("T")
Fault = FormatFault | OSError
Entries = MutableMapping[str, FileEntry]
FEWEST_AT_ONCE = 100
MOST_MANIFESTS = 50
"""Nobody else can write meanwhile, so not all at once; and not always so few, or twice as many would cost four times as much."""
_ESCAPES = re.compile(r"\\(?:[nrt]|u\{[0-9a-f]+\})")


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
        self._alone = False
        self._manifest = ManifestInHand(root)
        self._files, self._new = dict[str, FileEntry](), dict[str, FileEntry]()
        self._said = Counter[str]()
        self._miscounted = False

    def put(self, scenario: SubjectScenario, finished: AllFinished) -> bool:
        """Write what is finished of a subject-scenario, and without what identifies a person all else of it; what is
        written already stays as it is. Whether anything was written.

        Raises `FormatFault` for waveforms that cannot be masked, OSError where nothing can be written.
        """
        with self.alone():
            files = ChainMap(dict[str, FileEntry](), self._files)
            words = self._spoken(scenario, files)
            typed = self._texts(scenario, finished, files)
            for utterance in scenario.utterances:
                if (done := finished.get(utterance.block.take)) is not None:
                    self._utterance(utterance, done, files)
                else:
                    self._draft(utterance, typed[utterance.block.take], finished, files)
            self._said.update(self._spoken(scenario, files))
            self._said.subtract(words)
            return self._take_over(files)

    def put_all(
        self, corpus: Corpus, logs: Sequence[str], now: Callable[[], AllFinished], err: TextIO | None
    ) -> tuple[bool, list[Fault]]:
        """Write what is finished `now` of many subject-scenarios, by their logs, with few manifests for all. Whether anything was
        written, and what is at fault with some: that stops no other."""
        changed, faults = False, list[Fault]()
        at_once = max(FEWEST_AT_ONCE, len(corpus.logs) // MOST_MANIFESTS)
        to_do = followed(logs, err, "subject-scenarios written", len(logs))
        for _ in range(0, len(logs), at_once):
            with self.alone():
                finished = now()
                for log in islice(to_do, at_once):
                    try:
                        changed |= self.put(corpus.scenario(log), finished)
                    except (FormatFault, OSError) as error:
                        faults.append(error)
        return changed, faults

    def original(self, path: str) -> bytes:
        """A file as it was before anything in it was masked; as it is where no original of it is kept."""
        here = self._read(path)
        return self._kept(path, here) or here

    def touches(self, corpus: Corpus, log: str, finished: AllFinished) -> bool:
        """Whether a subject-scenario has words that identify a person somewhere, or had such."""
        kept = self._originals.exists()
        if not (kept or finished.phrases):
            return False
        texts = corpus.texts(log)
        if kept and any((self._originals / each).exists() for each in texts):
            return True
        return any(finished.phrases.stand_in(unescaped(self._read(each))) for each in texts)

    def finish(self) -> None:
        """Count the lexicon anew, and clear away what a desk that was killed has left."""
        with self.alone():
            sweep(self._root, self._originals)
            self._count_anew()

    def interrupted(self, corpus: Corpus) -> bool:
        """Whether the lexicon is not the one that the manifest tells of: whoever wrote it did not come to the manifest."""
        listed = corpus.manifest.files.get(layout.LEXICON)
        return listed is not None and not self._as(listed, layout.LEXICON)

    # --- within ---------------------------------------------------------------------------------------------------------

    def _utterance(self, utterance: Utterance, done: Finished, files: Entries) -> None:
        for kind, data in done.texts().items():
            path = str(layout.path_of(layout.file_name(utterance.stem, kind)))
            self._put(path, data, files, FileEntry(0, "", work=done.work))
        for path in utterance.waves.values():
            if not done.stretches:
                self._restore(path, files)
                continue
            self._mask_wave(path, done.stretches, done.rate, files)

    def _draft(self, utterance: Utterance, typed: str, finished: AllFinished, files: Entries) -> None:
        """What nobody has transcribed, hidden whole where it has words that identify a person elsewhere."""
        if any(not files[path].draft for kind, path in utterance.files.items() if kind == "sro"):
            return
        hidden = finished.hides(utterance.block.take, typed)
        transcription = from_quick(finished.phrases.without(typed))
        made = {"sro": sro.render(transcription), "lsn": lsn.render(lsn.derive(transcription))}
        draft = FileEntry(0, "", draft=True)
        for kind, path in utterance.files.items():
            if kind not in made:
                continue
            if hidden:
                self._mask(path, made[kind], files, draft)
            else:
                self._restore(path, files, draft)
        for path in utterance.waves.values():
            if hidden:
                self._mask_wave(path, masking.WHOLE, 1, files)
            else:
                self._restore(path, files)

    def _mask_wave(self, path: str, stretches: Sequence[Pair], rate: int, files: Entries) -> None:
        data, placed = masking.masked_wave(self.original(path), path, stretches, rate)
        self._mask(path, data, files, FileEntry(0, "", masked=placed))

    def _texts(self, scenario: SubjectScenario, finished: AllFinished, files: Entries) -> dict[str, str]:
        """The texts that are no transcription, out of their originals; what was typed of each take."""
        log = file.parse(self.original(scenario.path), scenario.path)
        made: dict[str, bytes | None] = {scenario.path: _changed(log, masked_log(log, finished), file.render)}
        for kind, path in scenario.files.items():
            if kind == "com":
                remarks = com.parse(self.original(path), path)
                made[path] = _changed(remarks, masked_comments(remarks, finished.phrases), com.render)
            elif kind == "squ":
                answers = squ.parse(self.original(path), path)
                made[path] = _changed(answers, masked_answers(answers, finished.phrases), squ.render)
        for utterance in scenario.utterances:
            for path in (path for path in layout.drafts_of(utterance.stem) if path in files):
                answer = self.original(path)
                made[path] = _changed(answer, masked_answer(answer, finished, utterance.block.take), bytes)
        for path, data in made.items():
            if data is None:
                self._restore(path, files, files[path])
            else:
                self._mask(path, data, files, files[path])
        return {block.take: block.typed for block in log.utterances}

    def _spoken(self, scenario: SubjectScenario, files: Entries) -> Counter[str]:
        """The words of a subject-scenario's transcriptions as they lie there."""
        names = (layout.file_name(each.stem, "sro") for each in scenario.utterances)
        return self._words(path for path in (str(layout.path_of(name)) for name in names) if path in files)

    def _words(self, paths: Iterable[str]) -> Counter[str]:
        """The words of transcriptions; one that cannot be read has none, which `curtain verify` reports."""
        found: Counter[str] = Counter()
        for path in paths:
            with suppress(FormatFault, OSError):
                found.update(lexicon.words(sro.parse(self._read(path), path)))
        return found

    def _count_anew(self) -> None:
        self._write_lexicon(self._words(path for path in self._files if path.endswith(".sro")))

    def _recount(self) -> None:
        """Carry what has changed into the lexicon. Where somebody who was killed may or may not have done so with what he wrote,
        all is counted anew."""
        listed = self._files.get(layout.LEXICON)
        if listed is None or not (self._miscounted or any(self._said.values())):
            return
        if self._miscounted or not self._as(listed, layout.LEXICON):
            self._count_anew()
            return
        with suppress(FormatFault):
            counts = Counter(dict(lexicon.parse(self._read(layout.LEXICON), layout.LEXICON).counts))
            counts.update(self._said)
            self._write_lexicon(+counts)

    def _write_lexicon(self, counts: Counter[str]) -> None:
        files = ChainMap(dict[str, FileEntry](), self._files)
        self._put(layout.LEXICON, lexicon.render(lexicon.of_counts(counts)), files)
        self._take_over(files)

    def _read(self, path: str) -> bytes:
        return read_plain(self._root, path)

    def _mask(self, path: str, data: bytes, files: Entries, like: FileEntry | None = None) -> None:
        """Put the masked form of a file in its place; first keep the original and note what replaces it."""
        here = self._read(path)
        if data != here:
            self._originals.mkdir(mode=0o700, exist_ok=True)
            if self._kept(path, here) is None:
                (self._originals / path).parent.mkdir(parents=True, exist_ok=True)
                replace(self._made(path), b"")
                replace(self._originals / path, here)
            if _digest(data) not in (made := self._made(path).read_bytes()).split():
                replace(self._made(path), made + _digest(data) + b"\n")
        self._put(path, data, files, like)

    def _put(self, path: str, data: bytes, files: Entries, like: FileEntry | None = None) -> None:
        entry = entry_of(data, like=like)
        listed = files.get(path)
        if listed != entry or not self._same(path, entry):
            self._miscounted |= listed is not None and path.endswith(".sro") and not self._as(listed, path)
            replace(self._root / path, data)
            files[path] = entry

    def _same(self, path: str, entry: FileEntry) -> bool:
        try:
            return entry_of(self._read(path), like=entry) == entry
        except FileNotFoundError:
            return False

    def _as(self, listed: FileEntry, path: str) -> bool:
        """Whether a file is what the manifest tells of; one that is no plain file is not."""
        try:
            return self._same(path, listed)
        except (FormatFault, OSError):
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

    def _restore(self, path: str, files: Entries, like: FileEntry | None = None) -> None:
        kept = self._kept(path, self._read(path))
        if kept is not None:
            self._put(path, kept, files, like)

    def _take_over(self, files: ChainMap[str, FileEntry]) -> bool:
        """What was written of one subject-scenario is to stand in the manifest; whether that says anything new."""
        new = {path: entry for path, entry in files.maps[0].items() if self._files.get(path) != entry}
        self._files.update(new)
        self._new.update(new)
        return bool(new)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Nobody else rewrites the corpus meanwhile; the manifest is read once, and written at the end if anything is new."""
        if self._alone:
            yield
            return
        with locked(self._root):
            self._alone, self._files, self._said, self._new = True, self._manifest.read(), Counter(), {}
            self._miscounted = False
            try:
                yield
            finally:
                self._alone = False
                if self._new or self._miscounted:
                    self._recount()
                self._manifest.write(self._new)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()


def _changed(before: T, after: T, render: Callable[[T], bytes]) -> bytes | None:
    """The bytes of what a mask has changed, None where there is nothing to mask."""
    return None if after == before else render(after)


def unescaped(data: bytes) -> str:
    """Text of a line format, its escapes as blanks: enough to see whether words stand in it."""
    return _ESCAPES.sub(" ", data.decode("utf-8", "replace"))
