"""A corpus on disk, read back as values: the basis of hold-out, merging, withdrawal, packages and the report.

The manifest says which files there are; the logs say which utterances. One subject-scenario is in memory at a time. What
comes from elsewhere is not trusted: a path that leads out of the corpus is refused before any file is touched.
"""

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from corpus.dataset import initial
from corpus.formats import layout, manifest, spkrinfo
from corpus.formats.errors import FormatFault
from corpus.formats.layout import FileName
from corpus.formats.log import file
from corpus.formats.log.log_values import Log, RecordBlock
from corpus.formats.log.utterance_names import read_off, stem_of
from corpus.formats.manifest import Manifest, SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.io.safe_open import leads_out, read_plain
from session.values.names import PRIMARY, StemName, base36


class CorpusUtterance(msgspec.Struct, frozen=True):
    """One numbered utterance: its name (microphone x), its block of the log, and its files by type.

    `waves` holds the waveforms that are there, by microphone, the primary one first; all paths are relative to the corpus.
    """

    stem: StemName
    block: RecordBlock
    waves: dict[str, str]
    files: dict[str, str]


class SubjectScenario(msgspec.Struct, frozen=True):
    """One log and what belongs to it; `files` are those of the whole subject-scenario by type."""

    stem: StemName
    path: str
    log: Log
    utterances: tuple[CorpusUtterance, ...]
    files: dict[str, str]


class Corpus:
    """A corpus directory; raises `FormatFault` if it is none, OSError where it cannot be read."""

    def __init__(self, root: Path, part: Manifest | None = None, held: bool = False) -> None:
        """`part` stands for the manifest on disk: a corpus of no more files than it lists. With `held` every file that is
        read is compared with it."""
        self.root = root
        self._held = held
        if part is None and not manifest.is_in(root):
            remedy = "name the directory of a corpus: curtain export makes one"
            raise FormatFault(str(root), 0, f"no {layout.MANIFEST} in it", remedy)
        self.manifest = part or (initial.manifest_of if manifest.is_initial(root) else manifest.held_in)(root)
        for path in self.manifest.files:
            _within(path)
        self._owners = {layout.safe(entry.session): entry.speaker for entry in self.manifest.sessions}

    @property
    def sessions(self) -> dict[str, SessionEntry]:
        """The sessions by name."""
        return {entry.session: entry for entry in self.manifest.sessions}

    def sessions_of(self, speaker: str) -> list[str]:
        """The names of a speaker's sessions."""
        return [entry.session for entry in self.manifest.sessions if entry.speaker == speaker]

    def speakers(self) -> dict[str, SpeakerInfo]:
        """The speakers by id; a speaker whom the table forgets is known by id and site alone."""
        table = SpeakerTable(())
        if layout.SPEAKER_TABLE in self.manifest.files:
            table = spkrinfo.parse(self.read(layout.SPEAKER_TABLE), layout.SPEAKER_TABLE)
        listed = {info.speaker: info for info in table.speakers}
        known = {entry.speaker: SpeakerInfo(entry.speaker, site=entry.site) for entry in self.manifest.sessions}
        return dict(sorted((known | listed).items()))

    def read(self, path: str) -> bytes:
        """The bytes of one of its files; raises `FormatFault` for what is not a plain file within it, or not the one listed."""
        return listed(self.root, path, self.manifest.files[path].sha256) if self._held else read_plain(self.root, path)

    def scenarios(self) -> Iterator[SubjectScenario]:
        """Return all subject-scenarios that have a log, by speaker and number; raises `FormatFault` for a log that is none."""
        for log in self.logs:
            yield self.scenario(log)

    @cached_property
    def logs(self) -> tuple[str, ...]:
        """The paths of all logs, by speaker and number of the subject-scenario."""
        return tuple(self._units)

    def parts(self, scenarios: int) -> Iterator[Manifest]:
        """The manifest in parts of so many subject-scenarios each, in their order; what belongs to none is in no part."""
        for first in range(0, len(self.logs), scenarios):
            paths = [path for log in self.logs[first : first + scenarios] for path in self._unit(log).values()]
            files = {path: self.manifest.files[path] for path in paths}
            yield msgspec.structs.replace(self.manifest, sessions=(), files=files, withheld=(), missing=(), left_out={})

    def scenario(self, log: str) -> SubjectScenario:
        """The subject-scenario of the log at this path; raises `FormatFault` for a log that is none."""
        files = self._unit(log)
        return self._scenario(next(name for name, path in files.items() if path == log).stem, log, files)

    def takes(self, log: str) -> list[tuple[StemName, str]]:
        """Name and take of every utterance of the log at this path, which is not parsed for that."""
        name = speech_name(log)
        return [*read_off(self.read(log), name.stem)] if name is not None else []

    def texts(self, log: str) -> list[str]:
        """The paths of the log, the remarks, the questionnaire and the draft answers of a subject-scenario."""
        files = self._unit(log)
        own = [path for name, path in files.items() if name.type in ("log", "com", "squ")]
        stem = next(name.stem for name, path in files.items() if path == log)
        return [*own, *self._drafts.get((stem.speaker, stem.scenario), ())]

    @cached_property
    def _drafts(self) -> dict[tuple[str, int], list[str]]:
        found: dict[tuple[str, int], list[str]] = {}
        for path in self.manifest.files:
            if path.startswith(f"{layout.DRAFTS}/"):
                stem = StemName.parse(path.rpartition("/")[2].partition(".")[0])
                found.setdefault((stem.speaker, stem.scenario), []).append(path)
        return found

    def _unit(self, log: str) -> dict[FileName, str]:
        """The files of the subject-scenario of a log, by name."""
        named = ((speech_name(path), path) for path in self._units[log])
        return {name: path for name, path in named if name is not None}

    @cached_property
    def _units(self) -> dict[str, list[str]]:
        """The paths of each subject-scenario by that of its log: put together by letters, for a name takes long to parse."""
        paths: dict[tuple[str, str, str], list[str]] = {}
        logs: dict[tuple[str, str, int], tuple[FileName, str]] = {}
        for path in self.manifest.files:
            top, _, rest = path.partition("/")
            base = rest.rpartition("/")[2]
            paths.setdefault((top, base[:3], base[5:6]), []).append(path)
            if base.endswith(".log") and (name := speech_name(path)) is not None:
                key = name.stem.speaker, top, name.stem.scenario
                logs[key] = min(logs.get(key, (name, path)), (name, path))
        return {
            path: paths[top, name.stem.speaker, base36(name.stem.scenario, 1)]
            for (_, top, _), (name, path) in sorted(logs.items())
        }

    def _scenario(self, stem: StemName, path: str, files: dict[FileName, str]) -> SubjectScenario:
        log = file.parse(self.read(path), path)
        utterances = tuple(_utterance(stem, block, files) for block in log.utterances)
        own = {name.type: path for name, path in files.items() if layout.UNITS[name.type] is layout.FileUnit.SCENARIO}
        return SubjectScenario(stem, path, log, utterances, own)

    def speaker_of(self, path: str) -> str:
        """Return the speaker whose file this is; empty for a file about the whole corpus."""
        top, _, rest = path.partition("/")
        if top in layout.SPEECH:
            return rest.partition("/")[0]
        if path.startswith(f"{layout.DRAFTS}/"):
            return path.rpartition("/")[2][:3]
        if top in layout.APART:
            return self._owners.get(rest.partition("/")[0], "")
        return ""


def listed(root: Path, path: str, sha256: str) -> bytes:
    """The bytes of a file of the corpus at `root`; raises `FormatFault` if they are not those that the manifest lists."""
    data = read_plain(root, path)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise FormatFault(path, 0, "not the file that the manifest lists", f"run curtain verify {root}")
    return data


def speech_name(path: str) -> FileName | None:
    """The parsed name of a file of a speech directory; None for any other file, or one that is misnamed."""
    top, _, _ = path.partition("/")
    if top not in layout.SPEECH:
        return None
    try:
        return layout.parse_name(path.rpartition("/")[2])
    except ValueError:
        return None


def is_annotation(path: str) -> bool:
    """Return whether a file of this name is of a type that annotators or their programs make."""
    name = speech_name(path)
    return name is not None and name.type in layout.ANNOTATIONS


def _utterance(stem: StemName, block: RecordBlock, files: dict[FileName, str]) -> CorpusUtterance:
    own = {name: path for name, path in files.items() if name.stem.utterance == block.number}
    waves = {name.stem.mic: path for name, path in own.items() if name.type == "wav"}
    ordered = {letter: waves[letter] for letter in sorted(waves, key=lambda letter: (letter != PRIMARY, letter))}
    others = {name.type: path for name, path in own.items() if name.type != "wav"}
    return CorpusUtterance(stem_of(block, stem), block, ordered, others)


def _within(path: str) -> None:
    if leads_out(path):
        raise FormatFault(layout.MANIFEST, 0, f"the path {path!r} leads out of the corpus", "do not trust this corpus")
