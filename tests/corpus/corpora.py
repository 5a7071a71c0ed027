"""Corpora for the tests of what is done to a corpus: several speakers and sites, exported for real."""

import hashlib
import io
import pickle
import shutil
from functools import cache
from pathlib import Path

import msgspec

from corpus.commands.holdout import HoldoutOptions, holdout_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.release import holdout_file
from corpus.release.holdout_file import Holdout
from session import events as e
from session.events import ScenarioStarted
from session.study.settings import Speaker
from tests.corpus.sessions import MemorySource, Script, whole_session
from tests.scratch import scratch_folder


def session_of(site: str, speaker: str, sex: str = "f", number: int = 1, stretch: float = 0.3) -> Script:
    """The whole session at another site, with another speaker."""
    script = whole_session(f"{site}-20261121-{number}", speaker, stretch)
    opened = script.opened
    sha256 = hashlib.sha256(site.encode()).hexdigest()
    protocol = msgspec.structs.replace(script.protocol, site=site, sha256=sha256)
    who = Speaker(speaker, sex, 30 + number, "New England", "advertisement", "certificate")
    changed = msgspec.structs.replace(opened, site=site, speaker=who, protocol=protocol)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=changed)
    return script


def corpus_of(target: Path, *scripts: Script, riff: bool = False) -> Path:
    """An exported corpus of these sessions; of the same sessions one is made in a process, and copied."""
    told = [(script.session, script.facts, script.takes, script.spoken, script.begin) for script in scripts]
    key = hashlib.blake2b(pickle.dumps((riff, told))).hexdigest()
    if not (made := _made() / key).exists():
        export(MemorySource(*scripts), made, ExportOptions(riff=riff))
    shutil.copytree(made, target, copy_function=shutil.copy)
    return target


@cache
def _made() -> Path:
    return scratch_folder("corpora")


def part(root: Path, target: Path, which: str) -> Path:
    held = root.with_suffix(".sets.json")
    held.write_bytes(holdout_file.render(Holdout("1", dict.fromkeys(Corpus(root).speakers(), which))))
    options = HoldoutOptions(assignments=str(held), **{which: str(target)})  # type: ignore[arg-type]
    assert holdout_command(str(root), options, io.StringIO(), io.StringIO()) == 0
    return target


def second_visit(speaker: str, sex: str, more: int) -> Script:
    """Another session of the same id, whose scenarios are numbered on by so many."""
    script = session_of("bbn", speaker, sex, 2)
    for at, fact in enumerate(script.facts):
        if isinstance(fact.event, ScenarioStarted) and fact.event.number:
            event = msgspec.structs.replace(fact.event, number=fact.event.number + more)
            script.facts[at] = msgspec.structs.replace(fact, event=event)
    return script


class OfStudy(MemorySource):
    """A source that holds a `study.toml` with a block of speaker ids."""

    def __init__(self, study: str, script: Script) -> None:
        self.study = study.encode()
        opened = script.opened
        files = {"study.toml": hashlib.sha256(self.study).hexdigest()}
        protocol = msgspec.structs.replace(opened.protocol, files=files)
        opened = msgspec.structs.replace(opened, protocol=msgspec.structs.replace(protocol, sha256=files["study.toml"]))
        script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
        super().__init__(script)

    def protocol_file(self, sha256: str) -> bytes | None:
        return self.study


AGREED = {"record": True, "transcribe": True, "publish_audio": True, "publish_text": True}


def ending(event_of: str, script: Script, **scopes: bool) -> Script:
    """The script with one more fact before the session's end."""
    last = script.facts.pop()
    at = script.desk()
    if event_of == "confirmed":
        script.add(e.ConsentConfirmed(at=at, version="2", sha256="d4" * 32, scopes=AGREED | scopes), "subject")
    else:
        script.add(e.WithdrawalRequested(at=at, erase=event_of == "erase"), "subject")
    script.facts.append(msgspec.structs.replace(last, seq=len(script.facts) + 1))
    return script


SITE_STUDY = 'site = "{}"\n[[speakers]]\nfirst = "{}"\nlast = "{}"\n'
