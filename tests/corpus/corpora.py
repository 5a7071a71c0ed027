"""Corpora for the tests of what is done to a corpus: several speakers and sites, exported for real."""

import hashlib
from pathlib import Path

import msgspec

from corpus.export.madcow import export
from corpus.export.session_files import Options
from session.study.settings import Speaker
from tests.corpus.sessions import MemorySource, Script, whole_session


def session_of(site: str, speaker: str, sex: str = "f", number: int = 1, stretch: float = 0.3) -> Script:
    """The whole session at another site, with another speaker."""
    script = whole_session(f"{site}-20261121-{number}", speaker, stretch)
    opened = script.facts[0].event
    sha256 = hashlib.sha256(site.encode()).hexdigest()
    protocol = msgspec.structs.replace(script.protocol, site=site, sha256=sha256)
    who = Speaker(speaker, sex, 30 + number, "New England", "advertisement", "certificate")
    changed = msgspec.structs.replace(opened, site=site, speaker=who, protocol=protocol)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=changed)
    return script


def corpus_of(target: Path, *scripts: Script, riff: bool = False) -> Path:
    """An exported corpus of these sessions."""
    export(MemorySource(*scripts), target, Options(riff=riff))
    return target
