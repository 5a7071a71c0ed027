"""Recordings on object storage: the same bytes are exported, nothing is confirmed too early, all of a speaker is erased."""

import hashlib
import io
import pickle
from pathlib import Path
from typing import Any

import fsspec
import pytest

from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.export.study_source import reading, source_of
from session.collection.recordings import Recordings, recordings_of
from session.collection.take_archive import ObjectArchive
from session.store.leases import Leases
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.clock import ManualClock
from tests.corpus.sessions import whole_session
from tests.corpus.studies import fill, made_study, run

SESSION, TAKE = "bbn-20261121-1", "01KAJ9ZZZZZZZZZZZZZZZZZZZZ"
PCM = bytes(range(200))
SHA = hashlib.sha256(PCM).hexdigest()


def archived_study(folder: Path, url: str) -> Path:
    study = made_study(folder)
    settings = study / "study.toml"
    settings.write_text(f'recordings = "{url}"\n{settings.read_text()}')
    return study


def waveforms(corpus: Path) -> dict[str, bytes]:
    return {str(path.relative_to(corpus)): path.read_bytes() for path in corpus.rglob("*.wav")}


def test_a_study_with_its_takes_elsewhere_is_exported_and_withdrawn_from_alike(tmp_path: Path) -> None:
    url = "memory://lab/atis"
    script = whole_session()
    local, remote = made_study(tmp_path / "local"), archived_study(tmp_path / "remote", url)
    for study in (local, remote):
        fill(study, script)
        assert run(study, tmp_path / f"{study.name}-corpus")[0] == 0
    assert [*(remote / "recordings").rglob("*.pcm")] == []
    archive = ObjectArchive(url)
    assert len(archive.names(script.session)) == sum(map(len, script.takes.values()))
    written = [waveforms(tmp_path / f"{side}-corpus") for side in ("local", "remote")]
    assert written[0] == written[1] != {}
    with reading(load(remote)) as store:
        source = pickle.loads(pickle.dumps(source_of(load(remote), store)))
        (take, sounds), *_ = script.takes.items()
        assert source.pcm(script.session, take, "s") == sounds["s"]
        Leases(store, "hub elsewhere").beat()
    call = WithdrawOptions(script.speaker.id)
    assert withdraw_command(str(remote), call, ManualClock(), io.StringIO(), err := io.StringIO()) == 2
    assert "hub elsewhere serves this study; close every hub" in err.getvalue()
    assert archive.names(script.session)
    with reading(load(remote)) as store:
        Leases(store, "hub elsewhere").end()
    told = io.StringIO()
    assert withdraw_command(str(remote), call, ManualClock(), told, io.StringIO()) == 1, (
        "the exported corpus holds them"
    )
    assert archive.names(script.session) == []


def test_a_take_is_sealed_only_when_the_archive_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = ObjectArchive("memory://lab/troubled")
    takes = Recordings(tmp_path, archive)
    takes.write(SESSION, TAKE, "s", 0, PCM)
    memory = type(fsspec.filesystem("memory"))

    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("bucket is read-only")

    def cuts_off(self: Any, source: str, where: str) -> None:
        self.pipe_file(where, Path(source).read_bytes()[:-2])

    for broken, told in (
        (fails, "RuntimeError: bucket is read-only"),
        (cuts_off, "what was sent is not what came back"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(memory, "put_file", broken)
            with pytest.raises(OSError, match=told):
                takes.seal(SESSION, TAKE, "s", len(PCM) // 2, SHA)
        assert takes.pcm(SESSION, TAKE, "s") == PCM, "it is still here"
    assert takes.seal(SESSION, TAKE, "s", len(PCM) // 2, SHA)
    assert archive.read(f"{SESSION}/{TAKE}.s.pcm") == PCM
    sound = takes.keep_spoken(SESSION, b"reply!")
    assert len(archive.names(SESSION)) == 1, "it can be spoken before it is archived"
    for _ in range(2):
        takes.archive_spoken(SESSION, sound)
    assert len(archive.names(SESSION)) == 2
    takes.close()
    assert [*tmp_path.rglob("*.pcm")] == []
    again = Recordings(tmp_path, archive)
    assert (again.read(SESSION, TAKE, "s", 2, 3), again.pcm(SESSION, TAKE, "s")) == (PCM[4:10], PCM)
    assert (again.takes(SESSION), again.spoken(SESSION, sound)) == ([(TAKE, "s")], b"reply!")
    with pytest.raises(FileNotFoundError):
        again.pcm(SESSION, TAKE, "b")
    again.missing(SESSION, TAKE, "s", len(PCM) // 2)
    again.write(SESSION, TAKE, "s", 0, PCM)
    assert again.seal(SESSION, TAKE, "s", len(PCM) // 2, SHA), "sent once more, by a desk that was not told"
    again.close()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("file:///tmp/takes", "it is the URL of object storage"),
        ("s3://key:secret@lab/atis", "without a key in it"),
        ("elsewhere", "it is the URL of object storage"),
    ],
)
def test_an_address_that_is_none_or_holds_a_key_is_refused(tmp_path: Path, url: str, told: str) -> None:
    with pytest.raises(StudyError, match=told):
        load(archived_study(tmp_path, url))


def test_a_store_whose_package_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"names nowhere://lab/atis"):
        recordings_of(load(archived_study(tmp_path, "nowhere://lab/atis")))
