"""A lab with a speaker who withdraws, and the search for what was said."""

import hashlib
import io
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from session import events as e
from session.store.event_store import Entry, Store
from session.study.folder import load
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.sessions import MemorySource, Script
from tests.corpus.studies import fill, made_study

SAID = "my aunt Philippa of Schenectady needs the zeppelin"


STAYS = "the quarrelsome walrus flies to Omaha"


PIECE = 512


def script_saying(speaker: str, words: str) -> Script:
    """A session in which the words are typed, asked, answered, noted and written into a form."""
    script = session_of("bbn", speaker, number=1 if speaker == "8k9" else 2)
    for index, fact in enumerate(script.facts):
        text = {e.Transcribed: "text", e.QuerySubmitted: "text", e.NoteWritten: "text", e.AnswerSent: "text"}
        if field := text.get(type(fact.event)):
            changed = msgspec.structs.replace(fact.event, **{field: f"{words} {index}"})
            script.facts[index] = msgspec.structs.replace(fact, event=changed)
    return script


def needles(script: Script, words: str) -> list[bytes]:
    """What must not be found: the words in every case, pieces of every take, the takes' ids."""
    sounds = [
        data[at : at + PIECE]
        for channels in script.takes.values()
        for data in channels.values()
        for at in (64, len(data) // 2)
    ]
    takes = [take.encode() for take in script.takes]
    return [words.encode(), words.lower().encode(), words.upper().encode(), *takes, *sounds]


def found(root: Path, wanted: list[bytes]) -> list[tuple[str, bytes]]:
    return [
        (path.relative_to(root).as_posix(), needle)
        for path in sorted(root.rglob("*"))
        if path.is_file()
        for data in [path.read_bytes()]
        for needle in wanted
        if needle in data
    ]


def said(finds: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The finds but for names of files that the removal list has to name."""
    return [(path, needle) for path, needle in finds if not (path.endswith("removals.json") and len(needle) == 5)]


def hashes(root: Path) -> dict[str, str]:
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("*")
        if path.is_file()
    }


def withdraw(target: Path, speaker: str, *spools: Path, dry: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = withdraw_command(str(target), WithdrawOptions(speaker, spools, dry_run=dry), ManualClock(), out, err)
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study with two speakers, and a spool that still has a take of the one who will withdraw."""
    study = made_study(tmp_path / "study")
    leaving, staying = script_saying("8k9", SAID), script_saying("8k8", STAYS)
    fill(study, leaving)
    fill(study, staying)
    store = Store(load(study).store_url)
    links = Entry(leaving.facts[0].at, "hub", "", e.CommandRefused(role="subject", command="c", reason=SAID))
    store.append(f"{leaving.session}/links", 0, [links])
    store.close()
    spool = tmp_path / "spool" / leaving.session
    spool.mkdir(parents=True)
    (spool / "8k9A1.s.pcm").write_bytes(leaving.takes["8k9A1"]["s"])
    (spool / "reports.jsonl").write_text(SAID, "utf-8")
    (spool / "in-use").touch()
    (study / "wizard.log").write_text(f"ValueError: {SAID}", "utf-8")
    (study / "recordings" / leaving.session / "8k9A1.s.pcm.aside1").write_bytes(leaving.takes["8k9A1"]["s"])
    return tmp_path


def exported(study: Path, target: Path) -> int:
    return export_command(ExportRequest(str(study), str(target)), io.StringIO(), io.StringIO())


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    source = MemorySource(script_saying("8k9", SAID), script_saying("8k8", STAYS))
    export(source, tmp_path / "corpus", ExportOptions(unnumbered=True))
    return tmp_path / "corpus"
