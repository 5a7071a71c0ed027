"""What all checks of one verification share: the corpus' root, its manifest, and what has been seen so far.

Every file is read at most once, through `read`, which also holds it against the manifest.
"""

import hashlib
from pathlib import Path

from corpus.log_values import Block, Log
from corpus.manifest import Manifest, SessionEntry
from corpus.rules.findings import Findings
from corpus.rules.survey import Survey


class Context:
    """Grows with the number of files, not with their size."""

    def __init__(self, root: Path, survey: Survey, findings: Findings, headers: bool) -> None:
        self.root = root
        self.survey = survey
        self.findings = findings
        self.headers = headers
        self.manifest: Manifest | None = None
        self.sounds: dict[bytes, str] = {}
        self.takes: dict[str, str] = {}
        self.speakers: set[str] = set()
        self.entries: dict[str, SessionEntry] = {}
        self.protocols: dict[str, str] = {}
        self.formats: dict[str, str] = {}
        self.utterances: set[str] = set()

    def draft(self, path: str) -> bool:
        """Whether the manifest marks the file as a draft."""
        entry = self.manifest.files.get(path) if self.manifest else None
        return entry is not None and entry.draft

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, held against the manifest; None, with a finding, where it cannot be read."""
        try:
            data = (self.root / path).read_bytes()
        except OSError as error:
            self.findings.add("file.unreadable", path, error.strerror or "cannot be read")
            return None
        entry = self.manifest.files.get(path) if self.manifest else None
        if entry is not None and entry.bytes == len(data) and hashlib.sha256(data).hexdigest() != entry.sha256:
            self.findings.add("manifest.hash", path, "the content is not the one that was exported")
        return data


class Utterance:
    """One utterance of a subject-scenario: its files by type (waveforms by microphone) and its block of the log."""

    def __init__(self, context: Context, stem: str, number: int) -> None:
        self.context = context
        self.findings = context.findings
        self.stem = stem
        self.number = number
        self.log: Log | None = None
        self.log_path = ""
        self.block: Block | None = None
        self.files: dict[str, str] = {}
        self.waves: dict[str, str] = {}

    @property
    def path(self) -> str:
        """A path to report against when a file is not there: any of the utterance's, or else the log's."""
        return next(iter((*self.waves.values(), *self.files.values())), self.log_path)
