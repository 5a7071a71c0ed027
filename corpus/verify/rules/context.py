"""Context shared by all checks of a verification: data about the corpus, and observations so far.

What is known is the same for every subject-scenario, and what is seen of each can be joined afterwards; so they can be checked
in any order and in several processes. Every file is read at most once, through `read`, which also holds it against the manifest.
"""

import hashlib
import os
from collections import Counter
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from corpus.formats.log.log_values import Log, RecordBlock
from corpus.formats.log.logged_consent import LoggedConsent, refused
from corpus.formats.log.timeline import Moment
from corpus.formats.manifest import Manifest, Provenance, SessionEntry
from corpus.io.packed_files import HeldFile
from corpus.io.safe_open import largest, read_whole
from corpus.verify.rules.findings import Findings
from session.study.settings import Scenario
from session.values.consent import ConsentScope


class ProtocolHeaders(msgspec.Struct, frozen=True):
    """Entries that a protocol fixes in the headers of its logs: those that are alike in all of them, and its scenarios by
    name; `machines_alone`: the profile gives every stage to a machine; `under` are the entries of scenarios that
    have a condition of their own, by that condition; `of_machines` are the stages that the protocol gives to machines."""

    header: dict[str, str]
    scenarios: dict[str, Scenario]
    machines_alone: bool = False
    under: dict[str, dict[str, str]] = {}
    of_machines: frozenset[str] = frozenset()


class Spoken(NamedTuple):
    """A sound that the system spoke, as a log tells of it: by its hash, of so many samples at such a rate."""

    session: str
    sha256: str
    samples: str
    rate: str
    log: str


@dataclass(frozen=True)
class CorpusFacts:
    """Facts that the corpus states of itself as a whole. `protocols` are those that are in it, by their hashes; `undescribed`
    says that it has none, nor ever had one by its manifest, as where it was made of initial data; `initial` are the hashes of
    protocols of sessions that came as initial data into a corpus that has others."""

    root: Path
    headers: bool
    manifest: Manifest | None = None
    entries: dict[str, SessionEntry] = field(default_factory=dict)
    protocols: dict[str, ProtocolHeaders] = field(default_factory=dict)
    withheld: frozenset[str] = frozenset()
    undescribed: bool = False
    initial: frozenset[str] = frozenset()


class LogSummary(msgspec.Struct, frozen=True, array_like=True):
    """Summary of a log, with which others must agree: `values` are speaker, site, protocol, and the marks of the
    session.

    `first` is its first stamp, `began` and `ended` those of the scenario, `recorded` the first of a recording. `agreements`
    are what the person agreed to, `consent` is the version that the header names; `waves` is the number of waveforms beside
    the log, `answers` that of the records that a blind test set must not have, `numbered` that of the utterances, `data` that of
    those which are data. `people`: whether somebody did a part of the system's work by the records, None if these were erased or
    withheld; `deception` is what the header says of it.
    """

    path: str
    session: str
    values: tuple[str, ...]
    scenario: str
    first: Moment | None
    began: Moment | None
    ended: Moment | None
    recorded: Moment | None
    agreements: tuple[LoggedConsent, ...]
    consent: str
    waves: int
    answers: int = 0
    people: bool | None = None
    deception: str = ""
    numbered: int = 0
    data: int = 0

    @property
    def speaker(self) -> str:
        """Return the speaker of the log."""
        return self.values[0]

    @property
    def site(self) -> str:
        """Return the site that recorded it."""
        return self.values[1]

    @property
    def protocol(self) -> str:
        """Return the hash of the protocol under which it was recorded."""
        return self.values[2]

    def refuses(self, scope: ConsentScope) -> bool:
        """Return whether the last agreement in this log refuses a use."""
        return scope in refused(self.agreements)


class ExpectedDraft(msgspec.Struct, frozen=True):
    """Draft answer expected by the log: the version of its database, how many rows, the digest of these as they are
    written, and that of their values alone; no digest where a mask lies over the rows."""

    version: str
    rows: int
    digest: bytes
    values: bytes


@dataclass(frozen=True)
class Observations:
    """Observations of some subject-scenarios: takes with the places of their blocks, digests of samples with their files.

    `apart` are those of the utterances that are no data: of pilots, of invalid scenarios, in no log. `logs` are what
    the logs tell; `words` those of the transcriptions, `unread` the transcriptions that could not be read. `drafts` are the
    draft answers by their paths, with version and digest, `answered` what they are by the logs, by utterance.
    """

    takes: list[tuple[str, str, int]] = field(default_factory=list)
    sounds: list[tuple[bytes, str]] = field(default_factory=list)
    logs: list[LogSummary] = field(default_factory=list)
    speakers: set[str] = field(default_factory=set)
    formats: dict[str, str] = field(default_factory=dict)
    utterances: set[str] = field(default_factory=set)
    apart: set[str] = field(default_factory=set)
    words: Counter[str] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)
    drafts: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    answered: dict[str, ExpectedDraft] = field(default_factory=dict)
    spoken: set[Spoken] = field(default_factory=set)

    def join(self, other: "Observations") -> None:
        """Add what was seen of others."""
        self.takes.extend(other.takes)
        self.sounds.extend(other.sounds)
        self.logs.extend(other.logs)
        self.speakers.update(other.speakers)
        self.utterances.update(other.utterances)
        self.apart.update(other.apart)
        self.words.update(other.words)
        self.unread.update(other.unread)
        self.drafts.update(other.drafts)
        self.answered.update(other.answered)
        self.spoken.update(other.spoken)
        for name, path in other.formats.items():
            self.formats.setdefault(name, path)


class Context:
    """Grows with the number of files, not with their size. `held` are files that were unpacked a moment ago."""

    def __init__(self, known: CorpusFacts, findings: Findings) -> None:
        self.known = known
        self.root = known.root
        self._below = f"{known.root}/"
        self.manifest = known.manifest
        self.findings = findings
        self.seen = Observations()
        self.held: dict[str, HeldFile] = {}

    def guarding(self, path: str) -> "Guard":
        """Checks of one file: what no rule foresaw becomes a finding, and the checks of all other files go on."""
        return Guard(self.findings, path)

    def draft(self, path: str) -> bool:
        """Return whether the manifest marks the file as a draft."""
        entry = self.manifest.files.get(path) if self.manifest else None
        return entry is not None and entry.draft

    def masked(self, path: str) -> tuple[tuple[int, int], ...]:
        """The stretches of a waveform that are masked, by the manifest."""
        entry = self.manifest.files.get(path) if self.manifest else None
        return entry.masked if entry is not None else ()

    def work(self, path: str) -> Provenance | None:
        """Return the provenance of a transcription by the manifest."""
        entry = self.manifest.files.get(path) if self.manifest else None
        return entry.work if entry is not None else None

    def open(self, path: str) -> FileIO:
        """A file of the corpus, to read its first bytes alone, without a buffer."""
        return FileIO(self._below + path)

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, compared with the manifest; None, with a finding, where it cannot be read."""
        data = self.take(path)
        if data is not None:
            self.hold(path, data)
        return data

    def take(self, path: str) -> bytes | None:
        """The bytes of a file, which anyone who takes them holds against the manifest; None as for `read`."""
        if (held := self.held.get(path)) is not None:
            return held.data
        try:
            handle = os.open(self._below + path, os.O_RDONLY)
            try:
                return self._whole(path, handle)
            finally:
                os.close(handle)
        except OSError as error:
            self.findings.add("file.unreadable", path, error.strerror or "cannot be read")
        return None

    def _whole(self, path: str, handle: int) -> bytes | None:
        if (size := os.fstat(handle).st_size) > (limit := largest(path)):
            found, remedy = f"larger than {limit} bytes: it is not looked into", "no such file is; remove it"
            self.findings.add("file.unreadable", path, found, remedy=remedy)
            return None
        return read_whole(handle, size)

    def hold(self, path: str, data: bytes) -> bool:
        """Hold the bytes of a file against its hash in the manifest; False, with a finding, where they are others."""
        entry = self.manifest.files.get(path) if self.manifest else None
        if entry is not None and entry.bytes == len(data) and self._sha256(path, data) != entry.sha256:
            self.findings.add("manifest.hash", path, "the content is not the one that the manifest lists")
            return False
        return True

    def same_header(self, path: str, header: bytes) -> bool | None:
        """Return whether this is the header of the waveform that the manifest lists; None where it lists no header."""
        entry = self.manifest.files.get(path) if self.manifest else None
        return hashlib.sha256(header).hexdigest() == entry.header if entry is not None and entry.header else None

    def _sha256(self, path: str, data: bytes) -> str:
        held = self.held.get(path)
        return held.sha256 if held is not None and held.data is data else hashlib.sha256(data).hexdigest()


class Guard:
    """The block of `Context.guarding`."""

    __slots__ = ("_findings", "_path")

    def __init__(self, findings: Findings, path: str) -> None:
        self._findings = findings
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if not isinstance(error, Exception):
            return False
        found = f"it cannot be checked: {type(error).__name__}: {error}"
        self._findings.add("file.unreadable", self._path, found, remedy="restore the file")
        return True


class Utterance:
    """One utterance of a subject-scenario: its files by type (waveforms by microphone) and its block of the log; `answers` are
    the texts of its answers by type, once read."""

    def __init__(self, context: Context, stem: str, number: int) -> None:
        self.context = context
        self.findings = context.findings
        self.stem = stem
        self.number = number
        self.log: Log | None = None
        self.log_path = ""
        self.block: RecordBlock | None = None
        self.files: dict[str, str] = {}
        self.waves: dict[str, str] = {}
        self.answers: dict[str, str | None] = {}

    @property
    def path(self) -> str:
        """A path to report against when a file is not there: any of the utterance's, or else the log's."""
        return next(iter((*self.waves.values(), *self.files.values())), self.log_path)
