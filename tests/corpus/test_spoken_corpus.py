"""What the system said, wherever a corpus goes: it follows its session, stays out of blind sets, and names nobody."""

from pathlib import Path

import pytest

from corpus.commands.rename import Renaming
from corpus.dataset import blind
from corpus.dataset.reader import Corpus
from corpus.export.backup import CopySource, write_copy
from corpus.export.madcow import export
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.values.vocabulary import SpokenPart
from tests.corpus.sessions import MemorySource, whole_session

OTHER = "bbn-20261122-1"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("spoken") / "corpus"
    export(
        MemorySource(whole_session(spoken=SpokenPart.ANSWER), whole_session(OTHER, "8k9", spoken=SpokenPart.ANSWER)),
        root,
    )
    return root


def test_every_reply_of_a_spoken_session_is_there_and_nothing_is_against_it(exported: Path) -> None:
    assert [finding for finding in verify(exported).findings if finding.severity is Severity.ERROR] == []
    assert len(list(exported.glob("spoken/bbn-20261121-1/*.wav"))) == 4
    assert b"[Reply_voiced:]" in next(exported.glob("spon/8k8/1/*.log")).read_bytes()


def test_a_sound_is_its_speaker_s(exported: Path) -> None:
    corpus = Corpus(exported)
    paths = [path for path in corpus.manifest.files if path.startswith("spoken/")]
    assert {corpus.speaker_of(path) for path in paths} == {"8k8", "8k9"}
    for path in paths:
        assert not blind.holds(path), "a blind set has no answer"
        assert Renaming({"8k8": "9z9"}).path(path, "8k8") == path


def test_a_copy_of_a_session_has_the_sounds_too(tmp_path: Path) -> None:
    script = whole_session(spoken=SpokenPart.ANSWER)
    source = MemorySource(script)
    write_copy(source, source.collected(script.session), tmp_path / "copy")
    copy = CopySource(tmp_path / "copy")
    assert {sha256: copy.spoken(script.session, sha256) for sha256 in script.spoken} == script.spoken
    assert copy.spoken("bbn-20990101-1", next(iter(script.spoken))) is None


def test_a_sound_that_is_lost_is_said_at_the_export(tmp_path: Path) -> None:
    script = whole_session(spoken=SpokenPart.ANSWER)
    lost = next(iter(script.spoken))
    del script.spoken[lost]
    done = export(MemorySource(script), tmp_path / "corpus")
    assert done.missing == (f"spoken/bbn-20261121-1/{lost}.wav",)
    assert "set.speech-missing" not in {finding.rule for finding in verify(tmp_path / "corpus").findings}
