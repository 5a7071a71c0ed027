"""A corpus of one session with a transcription desk over it, by a clock that is moved by hand."""

import io
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from textual.app import App

from annotator.app import TranscriptionApp
from annotator.screens.transcription_screen import TranscribingScreen
from annotator.transcription import Transcribing
from corpus.commands.export import ExportRequest, export_command
from corpus.dataset.reader import Corpus
from corpus.formats import manifest
from corpus.verify.verify import verify
from desk.recording_player import Player
from desk.safe_text import ForeignText
from session.annotation.store import Work, work_path
from session.audio.fake import FileLoudspeaker
from session.values.clock import SECOND, Stamp
from tests.corpus.corpora import corpus_of, session_of

FIRST = "8k8011sx"
LAST = "8k8032sx"
ONE = "spon/8k8/1"
WAV = f"{ONE}/8k8011ss.wav"
CROWN = f"{ONE}/8k8011sc.wav"
SRO = f"{ONE}/8k8011sx.sro"
LSN = f"{ONE}/8k8011sx.lsn"
LOG = f"{ONE}/8k8001sx.log"
TEXT = "show me flights from boston to denver please"


class HandClock:
    """Stands still until it is moved."""

    name = "desk"

    def __init__(self) -> None:
        self.now = 5 * SECOND

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)

    def monotonic_ns(self) -> int:
        return self.now

    def wall_ns(self) -> int:
        return 1_796_000_000 * SECOND + self.now

    async def sleep(self, seconds: float) -> None:
        self.wait(seconds)

    def stamp(self) -> Stamp:
        return Stamp(self.name, self.monotonic_ns(), self.wall_ns())


class Lab:
    """A corpus, its work, and as many people as are asked for."""

    def __init__(self, folder: Path, stretch: float = 0.6) -> None:
        self.root = corpus_of(folder / "corpus", session_of("bbn", "8k8", stretch=stretch))
        self.work = Work(work_path(self.root))
        self.clock = HandClock()
        self.loudspeaker = FileLoudspeaker()
        self._exported: tuple[dict[str, int], Path] = ({}, self.root)

    def person(self, name: str = "anna") -> Transcribing:
        """A desk of this person, opened again."""
        return Transcribing(Corpus(self.root), self.work, name, self.clock)

    def exported(self) -> Path:
        """The corpus that an export over this one makes now."""
        facts, root = self._exported
        if facts != self.work.lengths():
            self._exported = facts, root = (
                self.work.lengths(),
                self.root.with_name(f"exported-{len(facts)}-{sum(facts.values())}"),
            )
            err = io.StringIO()
            assert export_command(ExportRequest(str(self.root), str(root)), io.StringIO(), err) == 0, err.getvalue()
        return root

    def at(self, stem: str = FIRST, name: str = "anna") -> Transcribing:
        desk = self.person(name)
        desk.open(stem)
        return desk

    def app(self, name: str = "anna", first: str = FIRST, theme: str = "dark") -> TranscriptionApp:
        player = Player(lambda: self.loudspeaker)
        player.open()
        return TranscriptionApp(self.person(name), player, first, theme=theme)

    def text(self, path: str) -> str:
        return (self.exported() / path).read_text("utf-8")

    def close(self) -> None:
        self.work.close()


def rules(lab: Lab, path: str = "") -> Counter[str]:
    return Counter(finding.rule for finding in verify(lab.exported()).findings if path in finding.path)


def entry(lab: Lab, path: str) -> manifest.FileEntry:
    return manifest.parse((lab.exported() / "manifest.json").read_bytes(), "manifest.json").files[path]


def screen(app: App[Any]) -> TranscribingScreen:
    assert isinstance(app, TranscriptionApp)
    return app.transcribing


def said(app: App[Any]) -> str:
    return screen(app).query_one("#said", ForeignText).text


def tone_at(data: bytes) -> float:
    """The strongest frequency's share of the energy of 16-bit samples, to tell a bleep from speech."""
    spectrum = np.abs(np.fft.rfft(np.frombuffer(data, "<i2").astype(float))) ** 2
    return float(spectrum.max() / max(spectrum.sum(), 1))
