"""Sites that deliver to a centre: small corpora, planted faults, and a centre with a clock of its own."""

import io
import json
import shutil
import tarfile
from pathlib import Path

from annotator.transcription import Transcribing
from corpus.centre.delivery.arrivals import ReceiveOptions, receive_command
from corpus.centre.delivery.deliver import DeliverOptions, deliver_command
from corpus.centre.delivery.delivery_archive import LISTING
from corpus.centre.ledger import Centre, found_centre
from corpus.dataset.reader import Corpus
from session.annotation.store import Work, work_path
from session.values.clock import SECOND, Clock, ManualClock
from tests.corpus.corpora import corpus_of, session_of

BEGUN = 1_795_392_000 * SECOND  # 23 November 2026
DAY = 86_400 * SECOND
STATED = """
title = "Flights by voice"
description = "People ask for flights."
creators = [{ name = "Carberry, Josiah" }]
licence = "CC-BY-4.0"
contact = "josiah@example.org"
"""
"""What the centre states of all that it releases."""


class World:
    """A centre, and the folders of some sites beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = ManualClock(wall=BEGUN)
        self.root = folder / "centre"
        found_centre(self.root, "nist")
        with (self.root / "centre.toml").open("a") as settings:
            settings.write(STATED)
        self.out, self.err = "", ""

    def site(self, name: str, *speakers: str) -> Path:
        """A corpus of some speakers, one session each."""
        scripts = (session_of(name, speaker, "fm"[n % 2], n + 1, 0.1) for n, speaker in enumerate(speakers))
        return corpus_of(self.folder / name, *scripts)

    def pack(self, corpus: Path, file: str, **more: str) -> Path:
        options = DeliverOptions(str(corpus), str(self.folder / file), **more)
        assert deliver_command(options, io.StringIO(), err := io.StringIO()) == 0, err.getvalue()
        return self.folder / file

    def receive(self, archive: Path) -> tuple[int, str]:
        out, err = io.StringIO(), io.StringIO()
        status = receive_command(ReceiveOptions(str(self.root), str(archive)), self.clock, out, err)
        self.err = err.getvalue()
        return status, out.getvalue().strip()

    def centre(self) -> Centre:
        return Centre(self.root, self.clock)

    def next_day(self) -> None:
        self.clock = ManualClock(wall=self.clock.wall_ns() + DAY)


def initial(corpus: Path, target: Path) -> Path:
    """The initial data of a corpus alone."""
    for path in corpus.rglob("*"):
        place = path.relative_to(corpus)
        if place.parts[0] in ("spon", "vspn") and path.suffix in (".log", ".wav", ".sro"):
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target / place)
    (target / "doc").mkdir()
    shutil.copy(corpus / "doc/spkrinfo.log", target / "doc")
    return target


def tarred(folder: Path, target: Path) -> Path:
    """A plain tar of a folder, as somebody without Curtain makes it."""
    with tarfile.open(target, "w") as tar:
        tar.add(folder, arcname=folder.name)
    return target


def answered(speaker: str, utterance: str = "01") -> dict[str, bytes]:
    """The annotations of one utterance of a speaker's first scenario, by path."""
    stem = f"spon/{speaker}/1/{speaker}{utterance}1sx"
    made = {
        "cat": "A: wh-question\n",
        "win": "list flights from boston and to denver\n",
        "sql": "SELECT flight_id FROM flight;\n",
        "sq2": "SELECT flight_id, stops FROM flight;\n",
        "ref": "((101) (102))\n",
        "rf2": "((101 0) (102 1))\n",
    }
    return {f"{stem}.{kind}": text.encode() for kind, text in made.items()}


def transcribe(root: Path, utterance: str, person: str, text: str, clock: Clock | None = None) -> None:
    """Transcribe an utterance at the desk of the corpus in `root`; by a `clock`, one that was transcribed before."""
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, person, clock or ManualClock())
    desk.open(utterance)
    if clock is not None:
        desk.reopen("the site has corrected it")
    desk.submit(text)
    work.close()


def as_packed_before(archive: Path, target: Path) -> Path:
    """Copy an archive of annotations to `target` as an earlier version packed it, without naming what they are about."""
    with tarfile.open(archive) as old, tarfile.open(target, "w") as new:
        for member in old:
            file = old.extractfile(member)
            assert file is not None
            data = file.read()
            if member.name == LISTING:
                data = json.dumps({key: value for key, value in json.loads(data).items() if key != "about"}).encode()
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return target
