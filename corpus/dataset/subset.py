"""A corpus made of parts of others: whole speakers are included or left out, and files about the whole corpus are rewritten.

Hold-out, merging and withdrawal differ only in which files they take. No file is renamed and no byte of a speaker's
files changes; the speaker table, the README, the lexicon and the manifest follow from what is there.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, TextIO

import msgspec

from corpus.dataset import blind, ndx
from corpus.dataset.reader import Corpus, listed, speech_name
from corpus.dataset.removals import REMOVALS
from corpus.formats import layout, lexicon, manifest, readme, spkrinfo
from corpus.formats.log.utterance_names import numbered_in
from corpus.formats.manifest import FORMAT, FileEntry, Manifest, SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.parallel import Jobs
from corpus.io.progress import followed
from corpus.io.staging import Refused, Staging
from session.values.names import SessionName, base36

_BATCH = 64  # files that a process gets at a time
_BATCH_BYTES = 1 << 22
_NEVER = ("", 0)
_FIRST_KEPT = (f"{layout.PROTOCOLS}/", f"{layout.METADATA}/")
MADE_ANEW = frozenset({layout.MANIFEST, layout.README, layout.SPEAKER_TABLE, layout.LEXICON, *layout.INDEXES.values()})


class TextSummary(msgspec.Struct):
    """Facts about the whole, gathered from logs and transcriptions: how many utterances are numbered, which are data, words
    with their counts."""

    utterances: int = 0
    data: list[str] = []
    words: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, path: str, data: bytes) -> None:
        """Count one more file."""
        if path.endswith(".log") and path[:4] in layout.SPEECH:
            self.utterances += numbered_in(data)
            if (name := speech_name(path)) is not None:
                self.data += ndx.data_in(data, name.stem)
        elif path.endswith(".sro"):
            self.words.update(lexicon.words_in(data, path))

    def join(self, other: "TextSummary") -> None:
        """Add what was gathered from other files."""
        self.utterances += other.utterances
        self.data += other.data
        self.words.update(other.words)


class WantedFile(msgspec.Struct, frozen=True):
    """A file of a corpus with its entry in the manifest; one that is `held` already is read only for what it tells."""

    path: str
    entry: FileEntry
    held: bool = False


class _Part(msgspec.Struct, frozen=True):
    """Part of `doc/holdout.json` that tells of the corpus in which it lies; `corpus.release.draw` reads all of it."""

    of: Literal["", "pool", "release"] = ""


def taken(
    corpus: Corpus, files: Iterable[WantedFile], jobs: Jobs, summary: TextSummary | None = None
) -> Iterator[tuple[WantedFile, bytes]]:
    """The files that are not held yet with their bytes, in their order; `told`, if given, gathers what all of them tell.

    Raises `FormatFault` for a file that is not the one its manifest lists.
    """
    reading = _Reading(jobs.path_of(corpus.root), summary is not None)
    with closing(jobs.over(_take, reading, _batches(files, 1 if jobs.alone else _BATCH), corpus.root)) as found:
        for batch, data, more in found:
            if summary is not None:
                summary.join(more)
            yield from ((wanted, content) for wanted, content in zip(batch, data, strict=True) if not wanted.held)


class _Reading(msgspec.Struct, frozen=True):
    root: Path
    telling: bool


def _take(reading: _Reading, batch: tuple[WantedFile, ...]) -> tuple[tuple[WantedFile, ...], list[bytes], TextSummary]:
    found, summary = list[bytes](), TextSummary()
    for wanted in batch:
        telling = reading.telling and wanted.path.endswith((".log", ".sro"))
        data = listed(reading.root, wanted.path, wanted.entry.sha256) if telling or not wanted.held else b""
        if telling:
            summary.add(wanted.path, data)
        found.append(b"" if wanted.held else data)
    return batch, found, summary


def _batches(files: Iterable[WantedFile], size: int) -> Iterator[tuple[WantedFile, ...]]:
    """So many files at a time, or fewer where they are long."""
    batch, total = list[WantedFile](), 0
    for wanted in files:
        batch.append(wanted)
        total += 0 if wanted.held else wanted.entry.bytes
        if len(batch) >= size or total >= _BATCH_BYTES:
            yield tuple(batch)
            batch, total = [], 0
    if batch:
        yield tuple(batch)


class CorpusPart:
    """Selection from a corpus: all that is of some speakers, or, without `pilots`, all but their pilot sessions; with `blind`,
    nothing of it that tells an answer (`corpus.dataset.blind`)."""

    def __init__(self, corpus: Corpus, speakers: Collection[str], pilots: bool = True, blind: bool = False) -> None:
        self.corpus = corpus
        self.blind = blind
        own = [entry for entry in corpus.manifest.sessions if entry.speaker in speakers]
        self.sessions = [entry for entry in own if pilots or not entry.pilot]
        self.speakers = {*speakers} if pilots else {entry.speaker for entry in self.sessions}
        apart = [] if pilots else [entry for entry in own if entry.pilot]
        self._scenarios = {(entry.speaker, base36(number, 1)) for entry in apart for number in entry.scenarios}
        self._apart = tuple(f"{top}/{layout.safe(entry.session)}/" for entry in apart for top in layout.APART)
        self._protocols = {
            path for entry in self.sessions for path in layout.protocol_paths(entry.site, entry.protocol)
        }
        self._solutions = set(self._answering_files()) if blind else set[str]()

    def _answering_files(self) -> Iterator[str]:
        for path in self.corpus.manifest.files:
            if path in self._protocols:
                yield from blind.answering_files(self.corpus.read(path))

    def speaker_infos(self) -> Iterator[tuple[tuple[str, int], SpeakerInfo]]:
        """Return what is known of each speaker, and the last visit, by date and number, at which it was told."""
        last = dict[str, tuple[str, int]]()
        for entry in self.sessions:
            with suppress(ValueError):
                name = SessionName.parse(entry.session)
                last[entry.speaker] = max(last.get(entry.speaker, _NEVER), (name.date, name.number))
        for info in self.corpus.speakers().values():
            if info.speaker in self.speakers:
                yield last.get(info.speaker, _NEVER), info

    def holds(self, path: str) -> bool:
        """Return whether a file is taken."""
        if self.blind and not blind.holds(path, self._solutions):
            return False
        owner = self.corpus.speaker_of(path)
        if layout.is_protocol(path):
            return path in self._protocols
        name = path.rpartition("/")[2]
        apart = bool(owner) and (path.startswith(self._apart) or (owner, name[5:6]) in self._scenarios)
        return (owner in self.speakers and not apart) or (not owner and path != REMOVALS)


def copy_part(
    parts: Sequence[CorpusPart],
    staging: Staging,
    extra: dict[str, bytes],
    jobs: Jobs | None = None,
    changes: Callable[[Corpus], Iterable[tuple[str, bytes, FileEntry]]] = lambda _: (),
) -> Manifest:
    """Write what is taken of each corpus into `staging`, with `extra` files of the whole; the new manifest.

    `changes` gives the files of a corpus that are written in place of its own, with their bytes and entries.

    Raises `FormatFault` for a file that is not the one its manifest lists, `Refused` for two that would get the same path. Of a
    protocol that several corpora describe, which its hash names, the first description is kept, and so are the first metadata of
    a site. `jobs` read the files, which this process writes.
    """
    summary = TextSummary()
    for part in parts:
        changed = set[str]()
        for path, data, entry in changes(part.corpus):
            if part.holds(path):
                staging.put(path, data, entry)
                summary.add(path, data)
                changed.add(path)
        for wanted, data in taken(part.corpus, _files(part, staging, {*extra, *changed}), jobs or Jobs(), summary):
            held = staging.files.get(wanted.path)
            if part.blind and blind.changes(wanted.path):
                staging.write(wanted.path, blind.blinded(wanted.path, data), like=wanted.entry)
            elif held is None:
                staging.put(wanted.path, data, wanted.entry)
            elif held.sha256 != wanted.entry.sha256 and not wanted.path.startswith(_FIRST_KEPT):
                raise Refused(f"{wanted.path} of {part.corpus.root} is another file than that of the corpora before it")
    for path, data in sorted(extra.items()):
        staging.write(path, data)
    return _whole(parts, staging, summary)


def _files(part: CorpusPart, staging: Staging, others: Collection[str]) -> Iterator[WantedFile]:
    for path, entry in part.corpus.manifest.files.items():
        if path not in MADE_ANEW and path not in others and part.holds(path):
            held = not (part.blind and blind.changes(path)) and staging.keep(path, entry)
            yield WantedFile(path, entry, held)


def _whole(parts: Sequence[CorpusPart], staging: Staging, summary: TextSummary) -> Manifest:
    sessions = tuple(entry for part in parts for entry in part.sessions)
    table = dict[str, SpeakerInfo]()
    for _, info in sorted((info for part in parts for info in part.speaker_infos()), key=lambda row: row[0]):
        table[info.speaker] = spkrinfo.completed(table.get(info.speaker), info)
    left_out = Counter[str]()
    if layout.HOLDOUT not in staging.files:  # of a part nobody knows whose they would have been
        for part in parts:
            left_out.update(part.corpus.manifest.left_out)
    made = shared_files(
        sessions,
        SpeakerTable(tuple(table.values())),
        staging.files,
        lambda path: (staging.root / path).read_bytes(),
        summary,
        left_out=left_out.total(),
    )
    for path, data in made.items():
        staging.write(path, data)

    def lacking(kind: str) -> tuple[str, ...]:
        return tuple(sorted(path for part in parts for path in getattr(part.corpus.manifest, kind) if part.holds(path)))

    found = Manifest(
        FORMAT,
        any(entry.rehearsal for entry in sessions),
        sessions,
        dict(staging.files),
        lacking("withheld"),
        lacking("missing"),
        left_out,
    )
    staging.write(layout.MANIFEST, manifest.render(found))
    return found


def shared_files(
    sessions: Sequence[SessionEntry],
    speakers: SpeakerTable,
    files: Collection[str],
    read: Callable[[str], bytes],
    summary: TextSummary | None = None,
    err: TextIO | None = None,
    left_out: int = 0,
) -> dict[str, bytes]:
    """README, speaker table and lexicon of the files that a corpus consists of now, in a part its index too; `told` where they
    have been read already. Progress goes to `err`; `left_out` counts utterances of sessions of which nothing is there."""
    first = min((path for path in files if path.endswith(".wav")), default="")
    waveform = "RIFF" if first and read(first)[:4] == b"RIFF" else "NIST SPHERE"
    rehearsal = any(entry.rehearsal for entry in sessions)
    if summary is None:
        summary = TextSummary()
        telling = [path for path in sorted(files) if path.endswith((".log", ".sro"))]
        for path in followed(telling, err, "files read again", len(telling)):
            summary.add(path, read(path))
    of = msgspec.json.decode(read(layout.HOLDOUT), type=_Part).of if layout.HOLDOUT in files else ""
    indexes = {layout.INDEXES[of]: ndx.render(of, summary.data)} if of else {}
    if sessions and all(entry.protocol == manifest.IMPORTED for entry in sessions):
        about = readme.of_imported(sessions, speakers, summary.utterances, waveform)
    else:
        about = readme.text(sessions, speakers, summary.utterances, waveform, rehearsal, left_out)
    return indexes | {
        layout.SPEAKER_TABLE: spkrinfo.render(speakers),
        layout.README: about,
        layout.LEXICON: lexicon.render(lexicon.of_counts(summary.words)),
    }
