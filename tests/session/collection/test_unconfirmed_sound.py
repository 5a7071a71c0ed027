"""What came of takes and was never confirmed is known in all sessions, and only where some lies there is it looked for."""

import os
from pathlib import Path

import pytest

from session.collection import unconfirmed_sound
from session.collection.recordings import Recordings
from session.collection.unconfirmed_sound import MARKS, unconfirmed_bytes

SHA256_OF_TEN = "01d448afd928065458cf670b60f5a594d735af0172c8d67f22a81680132681ca"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "recordings"


def _looked_into(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen, held = list[str](), unconfirmed_sound._held
    with monkeypatch.context() as patch:
        patch.setattr(unconfirmed_sound, "_held", lambda folder: seen.append(folder.name) or held(folder))
        unconfirmed_bytes(root, ())
    return sorted(seen)


def test_only_marked_sessions_are_looked_into_and_a_mark_goes_with_the_sound(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    takes = Recordings(root)
    for session in ("kept", "left"):
        takes.write(session, "T", "s", 0, bytes(10))
    assert takes.seal("kept", "T", "s", 5, SHA256_OF_TEN)
    assert unconfirmed_bytes(root, ()) == 10
    assert _looked_into(root, monkeypatch) == ["kept", "left"], "its mark is young: sound may be about to come"
    for mark in (root / MARKS).iterdir():
        os.utime(mark, (0, 0))
    assert unconfirmed_bytes(root, ["kept"]) == 10
    assert _looked_into(root, monkeypatch) == ["kept", "left"], "it went on until now"
    assert _looked_into(root, monkeypatch) == ["left"]
    takes.write("kept", "U", "s", 0, bytes(6))
    assert unconfirmed_bytes(root, ()) == 16
    takes.close()


def test_what_an_earlier_release_left_is_found_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for session, name in (("a", "T.s.pcm"), ("b", "T.s.pcm.part"), ("c", "T.s.pcm.aside1")):
        (root / session).mkdir(parents=True)
        (root / session / name).write_bytes(bytes(7))
    assert unconfirmed_bytes(root, ()) == 14
    assert _looked_into(root, monkeypatch) == ["b", "c"]


def test_a_study_without_recordings_has_none(root: Path) -> None:
    assert unconfirmed_bytes(root, ["a"]) == 0
