"""From a study folder with a real store and real recordings to a verified corpus."""

import hashlib
import io
from pathlib import Path

import msgspec
import pytest

from corpus.export import export
from corpus.exporting import export_command
from corpus.verify import verify_command
from session.recordings import Recordings
from session.store import Entry, Store
from session.studyfolder import load
from tests.corpus.sessions import MemorySource, Script, whole_session

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


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
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
    facts = [Entry(each.at, each.by, each.cause, each.event) for each in script.facts]
    store.append(script.session, 0, facts)
    store.close()
    recordings = Recordings(loaded.recordings)
    for take, sounds in script.takes.items():
        for letter, data in sounds.items():
            recordings.write(script.session, take, letter, 0, data)
            assert recordings.seal(script.session, take, letter, len(data) // 2, hashlib.sha256(data).hexdigest())


def run(study: Path, target: Path, **more: object) -> tuple[int, str]:
    err = io.StringIO()
    call = {"form": "sphere", "unnumbered": False, "sessions": (), **more}
    return export_command(str(study), str(target), out=io.StringIO(), err=err, **call), err.getvalue()  # type: ignore[arg-type]


def own_protocol(script: Script, study: Path) -> Script:
    """The script's session as if it had been run under the study's protocol."""
    protocol = msgspec.structs.replace(script.protocol, files=load(study).files)
    opened = msgspec.structs.replace(script.facts[0].event, protocol=protocol)
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=opened)
    return script


def test_a_study_is_exported_and_verified(study: Path, tmp_path: Path) -> None:
    fill(study, own_protocol(whole_session(), study))
    status, told = run(study, tmp_path / "corpus")
    assert status == 0
    assert "1 sessions, 2 subject-scenarios, 7 utterances" in told
    assert verify_command(str(tmp_path / "corpus"), False, False, False, io.StringIO(), io.StringIO()) == 0
    held = {path.read_text("utf-8") for path in (tmp_path / "corpus/doc/protocol/files").iterdir()}
    assert STUDY in held


def test_only_the_named_sessions_are_exported(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    fill(study, whole_session("bbn-20261122-1", "8k9"))
    assert run(study, tmp_path / "corpus", sessions=("bbn-20261122-1",))[0] == 0
    assert [path.name for path in (tmp_path / "corpus/spon").iterdir()] == ["8k9"]


def test_a_take_that_is_not_complete_is_named(study: Path, tmp_path: Path) -> None:
    script = whole_session()
    del script.takes["8k8A2"]
    fill(study, script)
    status, told = run(study, tmp_path / "corpus")
    assert status == 1
    assert "left out: spon/8k8/1/8k8021ss.wav" in told


@pytest.mark.parametrize(
    ("more", "message"),
    [({"form": "mp3"}, "choose sphere, riff, kaldi"), ({"sessions": ("bbn-20000101-1",)}, "no session has a scenario")],
)
def test_a_call_that_leads_nowhere_is_refused(
    study: Path, tmp_path: Path, more: dict[str, object], message: str
) -> None:
    fill(study, whole_session())
    status, told = run(study, tmp_path / "corpus", **more)
    assert (status, message in told) == (2, True)
    assert not (tmp_path / "corpus").exists()


def test_what_is_no_study_and_what_exists_already_are_refused(study: Path, tmp_path: Path) -> None:
    assert run(tmp_path, tmp_path / "corpus")[0] == 2
    (tmp_path / "corpus").mkdir()
    status, told = run(study, tmp_path / "corpus")
    assert (status, "exists already" in told) == (2, True)


def test_a_microphone_that_names_cannot_tell_is_refused(study: Path, tmp_path: Path) -> None:
    script = whole_session()
    for index, each in enumerate(script.facts):
        if hasattr(each.event, "channels"):
            channels = tuple(msgspec.structs.replace(channel, letter="t") for channel in each.event.channels)
            event = msgspec.structs.replace(each.event, channels=channels)
            script.facts[index] = msgspec.structs.replace(each, event=event)
    fill(study, script)
    status, told = run(study, tmp_path / "corpus")
    assert (status, "names of files know the microphones s and c only" in told) == (2, True)


def test_the_store_gives_the_same_corpus_as_the_facts_themselves(study: Path, tmp_path: Path) -> None:
    fill(study, whole_session())
    run(study, tmp_path / "one")
    export(MemorySource(whole_session()), tmp_path / "two")
    for path in (tmp_path / "two/spon").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "one" / path.relative_to(tmp_path / "two")).read_bytes()
