"""A corpus whose study states everything about it."""

from pathlib import Path
from typing import Any

from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from session.study.metadata import Creator, Metadata
from tests.corpus.corpora import session_of
from tests.corpus.sessions import MemorySource

STATED: dict[str, Any] = {
    "title": "Flights by voice",
    "description": "People ask for flights.\nA wizard answers.",
    "creators": (
        Creator(name="Carberry, Josiah", orcid="0000-0002-1825-0097", affiliation="Brown University"),
        Creator(name="Institute of Speech"),
    ),
    "licence": "CC-BY-4.0",
    "language": "en-US",
    "contact": "josiah@example.org",
    "funding": "Grant 12 of the Fund",
    "ethics": "Board of Brown, 7/26",
    "citation": "Carberry (2026): Flights <by> voice",
    "keywords": ("spoken dialogue", "travel"),
    "publisher": "Brown Archive",
    "doi": "10.5555/12345678",
    "published": "2026-12-01",
}


def described_corpus(target: Path, **changes: Any) -> Path:
    """A corpus of one short session, by a study that states these metadata."""
    stated = Metadata(**(STATED | changes))
    export(MemorySource(session_of("bbn", "8k1", "m", 1, 0.1)), target, ExportOptions(metadata={"bbn": stated}))
    return target
