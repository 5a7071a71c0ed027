"""Overlay of finished transcriptions on a corpus: the files that differ, for a new corpus made from the old one.

The old corpus stays as it is. What is masked in it stays masked in the new one: whatever the tone has replaced is not there any
more, and only an export of the study can bring it back.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from corpus.annotation import masking
from corpus.annotation.draft_transcription import from_quick
from corpus.annotation.masking import Pair
from corpus.annotation.submitted import (
    AllFinished,
    Finished,
    masked_answer,
    masked_answers,
    masked_comments,
    masked_log,
)
from corpus.dataset.reader import Corpus, CorpusUtterance, SubjectScenario, speech_name
from corpus.formats import com, layout, lsn, squ, sro
from corpus.formats.errors import FormatFault
from corpus.formats.log import file
from corpus.formats.log.utterance_names import read_off
from corpus.formats.manifest import FileEntry, Provenance, entry_of

_ESCAPES = re.compile(r"\\(?:[nrt]|u\{[0-9a-f]+\})")


class Change(NamedTuple):
    """A file of the new corpus that is not in the old one, or not with these bytes and marks."""

    path: str
    data: bytes
    entry: FileEntry


def changes(corpus: Corpus, finished: AllFinished) -> Iterator[Change]:
    """Yield every file in which the corpus differs from one with all that is `finished`, by subject-scenario.

    Raises `FormatFault` for a file that cannot be read or masked, OSError.
    """
    if not (finished or finished.kept):
        return
    for log in corpus.logs:
        if _may_differ(corpus, log, finished):
            yield from _Overlay(corpus, corpus.scenario(log), finished).changes()


def is_behind(corpus: Corpus, finished: AllFinished) -> bool:
    """Return whether anything that is `finished` is not in the corpus; raises what `changes` raises."""
    return next(changes(corpus, finished), None) is not None


def texts_of(corpus: Corpus, utterance: str, finished: AllFinished) -> dict[str, bytes]:
    """Return `.sro` and `.lsn` of an utterance as the next export has them, by path; empty if it has none.

    Raises `FormatFault` for a name that is not an utterance's of the corpus.
    """
    for log in corpus.logs:
        if utterance in (str(stem) for stem, _ in corpus.takes(log)):
            new = {change.path: change.data for change in _Overlay(corpus, corpus.scenario(log), finished).changes()}
            paths = _path(utterance, "sro"), _path(utterance, "lsn")
            return {
                path: new[path] if path in new else corpus.read(path)
                for path in paths
                if path in new or path in corpus.manifest.files
            }
    raise FormatFault(str(corpus.root), 0, f"no utterance {utterance!r}", "name one such as 8k8011sx")


def unescaped(data: bytes) -> str:
    """Return the text of a line format with its escapes as blanks: enough to see whether words are in it."""
    return _ESCAPES.sub(" ", data.decode("utf-8", "replace"))


def _may_differ(corpus: Corpus, log: str, finished: AllFinished) -> bool:
    """Return whether a subject-scenario is worth parsing: one of its utterances is not as finished, or a phrase is in its
    texts."""
    if finished and (name := speech_name(log)) is not None:
        takes = [*read_off(corpus.read(log), name.stem)]
        if any(take in finished and not _is_in(corpus, str(stem), finished[take]) for stem, take in takes):
            return True
    return any(finished.phrases.stand_in(unescaped(corpus.read(path))) for path in corpus.texts(log))


def _is_in(corpus: Corpus, utterance: str, done: Finished) -> bool:
    listed = corpus.manifest.files.get(_path(utterance, "sro"))
    if listed is None or listed.work is None or _alone(listed.work) != done.work:
        return False
    if (
        hashlib.sha256(f"{done.text}\n".encode()).hexdigest() == listed.sha256
    ):  # most often, and then nothing need be parsed
        return not done.stretches
    return hashlib.sha256(done.texts()["sro"]).hexdigest() == listed.sha256


def _alone(work: Provenance) -> Provenance:
    return msgspec.structs.replace(work, before=())


def _path(utterance: str, kind: str) -> str:
    stem = layout.parse_name(f"{utterance}.{kind}").stem
    return str(layout.path_of(layout.file_name(stem, kind)))


class _Overlay:
    """Over one subject-scenario."""

    def __init__(self, corpus: Corpus, scenario: SubjectScenario, finished: AllFinished) -> None:
        self._corpus, self._scenario, self._finished = corpus, scenario, finished
        self._listed = corpus.manifest.files

    def changes(self) -> Iterator[Change]:
        for utterance in self._scenario.utterances:
            done = self._finished.get(utterance.block.take)
            found = self._draft(utterance) if done is None else self._transcribed(utterance, done)
            yield from found
        yield from self._texts()

    def _transcribed(self, utterance: CorpusUtterance, done: Finished) -> Iterator[Change]:
        listed = self._listed.get(_path(str(utterance.stem), "sro"))
        current = _is_in(self._corpus, str(utterance.stem), done)
        marks = listed if current and listed else FileEntry(0, "", work=_provenance(done, listed))
        for kind, data in done.texts().items():
            yield from self._if_new(_path(str(utterance.stem), kind), data, marks)
        for path in utterance.waves.values() if done.stretches else ():
            yield from self._masked(path, done.stretches, done.rate)

    def _draft(self, utterance: CorpusUtterance) -> Iterator[Change]:
        """Hide whole what nobody has transcribed, where it has words that identify a person elsewhere."""
        path, typed = utterance.files.get("sro", ""), utterance.block.typed
        if path and not self._listed[path].draft:
            return
        if not self._finished.hides(utterance.block.take, typed):
            return
        transcription = from_quick(self._finished.phrases.without(typed))
        made = {"sro": sro.render(transcription), "lsn": lsn.render(lsn.derive(transcription))}
        for kind, data in made.items():
            if kind in utterance.files:
                yield from self._if_new(utterance.files[kind], data, FileEntry(0, "", draft=True))
        for path in utterance.waves.values():
            yield from self._masked(path, masking.WHOLE, 1)

    def _texts(self) -> Iterator[Change]:
        scenario, finished = self._scenario, self._finished
        log = masked_log(scenario.log, finished)
        if log != scenario.log:
            yield from self._if_new(scenario.path, file.render(log), self._listed[scenario.path])
        for kind, path in scenario.files.items():
            data = self._corpus.read(path) if kind in ("com", "squ") else b""
            if kind == "com":
                remarks = com.parse(data, path)
                if (left := masked_comments(remarks, finished.phrases)) != remarks:
                    yield from self._if_new(path, com.render(left), self._listed[path])
            elif kind == "squ":
                answers = squ.parse(data, path)
                if (public := masked_answers(answers, finished.phrases)) != answers:
                    yield from self._if_new(path, squ.render(public), self._listed[path])
        for utterance in scenario.utterances:
            for path in (path for path in layout.drafts_of(utterance.stem) if path in self._listed):
                answer = masked_answer(self._corpus.read(path), finished, utterance.block.take)
                yield from self._if_new(path, answer, self._listed[path])

    def _masked(self, path: str, stretches: Sequence[Pair], rate: int) -> Iterator[Change]:
        """A waveform under the tone, which what was masked before is too."""
        before = self._listed[path].masked
        from corpus.annotation.masked_sound import masked_wave  # takes long to load, and most have nothing to mask

        data, placed = masked_wave(self._corpus.read(path), path, stretches, rate)
        both = masking.merged((*before, *placed), max((last for _, last in (*before, *placed)), default=0))
        yield from self._if_new(path, data, msgspec.structs.replace(self._listed[path], masked=both))

    def _if_new(self, path: str, data: bytes, marks: FileEntry) -> Iterator[Change]:
        entry = entry_of(data, like=marks)
        if self._listed.get(path) != entry:
            yield Change(path, data, entry)


def _provenance(done: Finished, listed: FileEntry | None) -> Provenance:
    """Return who finished it, and before that who had: a site's transcribers stay on record when somebody corrects them."""
    known = listed.work if listed is not None else None
    if known is None:
        return done.work
    own = done.work.transcriber, done.work.transcribed
    before = tuple(work for work in (*known.before, _alone(known)) if (work.transcriber, work.transcribed) != own)
    return msgspec.structs.replace(done.work, before=before)
