"""Study folders with a real store and real recordings, and what exporting them prints."""

import hashlib
import io
from pathlib import Path
from typing import Any

from corpus.commands.export import ExportRequest, export_command
from session.collection.recordings import recordings_of
from session.store.event_store import Entry, Store
from session.study.folder import load
from tests.corpus.sessions import Script

STUDY = """\
site = "bbn"
profile = "here"
today = "1991-11-21"
[[speakers]]
first = "8k8"
last = "8kz"
[equipment.microphones]
s = "Sennheiser"
"""


def made_study(folder: Path) -> Path:
    """The smallest study that can be loaded."""
    for path, text in {
        "study.toml": STUDY,
        "profiles/here.toml": 'name = "here"\nconsent = false\n',
        "scenarios/one.toml": 'id = "one"\ntitle = "One"\nkind = "trip"\ntext = "Go."\n',
        "canned_messages/all.toml": '[[message]]\nid = "no"\ntext = "No."\nreason = "none"\nresponse = "diagnostic"\n',
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    return folder


def fill(study: Path, script: Script) -> None:
    """Put a script's facts into the study's store and its takes into the recordings."""
    loaded = load(study)
    store = Store(loaded.store_url)
    facts = [Entry(fact.at, fact.by, fact.cause, fact.event) for fact in script.facts]
    store.append(script.session, 0, facts)
    store.close()
    recordings = recordings_of(loaded)
    for take, sounds in script.takes.items():
        for letter, data in sounds.items():
            recordings.write(script.session, take, letter, 0, data)
            assert recordings.seal(script.session, take, letter, len(data) // 2, hashlib.sha256(data).hexdigest())
    recordings.close()


def run(study: Path, target: Path, **more: Any) -> tuple[int, str]:
    err = io.StringIO()
    request = ExportRequest(str(study), str(target), **more)
    return export_command(request, io.StringIO(), err), err.getvalue()
