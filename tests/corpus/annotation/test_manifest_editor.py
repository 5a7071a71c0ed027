"""A manifest in hand is at any moment the manifest that would have been rendered anew, whoever else has written meanwhile."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.annotation.manifest_editor import ManifestInHand, amended
from corpus.formats import layout, manifest
from corpus.formats.manifest import FORMAT, FileEntry, Manifest, Provenance

PATHS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
WORK = st.builds(Provenance, st.text(max_size=5), st.just("2026-11-22T10:00:00Z"), seconds=st.floats(0, 1e6))
ENTRIES = st.builds(
    FileEntry,
    st.integers(0, 2**40),
    st.just("ab" * 32),
    st.booleans(),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2).map(tuple),
    st.none() | WORK,
)


@given(st.data())
def test_what_is_amended_is_what_would_be_rendered(data: st.DataObject) -> None:
    files = data.draw(st.dictionaries(PATHS, ENTRIES, min_size=1, max_size=6))
    new = data.draw(st.dictionaries(st.sampled_from(sorted(files)), ENTRIES))
    rendered = manifest.render(Manifest(FORMAT, False, (), files | new, left_out={"lab": 2}))
    found = amended(manifest.render(Manifest(FORMAT, False, (), dict(files), left_out={"lab": 2})), new)
    assert found == rendered
    assert not manifest.broken_seal(rendered)


def test_what_it_does_not_list_cannot_be_amended() -> None:
    assert amended(manifest.render(Manifest(FORMAT, False, (), {"b": ENTRY})), {"a": ENTRY}) is None


def test_what_is_new_is_listed_and_what_another_has_written_stays(tmp_path: Path) -> None:
    mine, other = _hands(tmp_path, 2)
    for hand, path in ((mine, "a"), (mine, "c"), (other, "b"), (mine, "a")):
        _write(hand, path)
    read = (tmp_path / layout.MANIFEST).read_bytes()
    listed = manifest.held_in(tmp_path)
    assert {path: entry.bytes for path, entry in listed.files.items()} == {"a": 3, "b": 2, "c": 1}
    assert manifest.render(listed) == read


def test_what_could_not_be_written_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hand,) = _hands(tmp_path, 1)
    _write(hand, "a")
    with monkeypatch.context() as full:
        full.setattr("corpus.annotation.manifest_editor.replace", _no_space)
        with pytest.raises(OSError, match="no space"):
            _write(hand, "a")
    assert hand.read()["a"].bytes == 2


def test_so_is_what_was_changed_in_hand_and_never_written(tmp_path: Path) -> None:
    (hand,) = _hands(tmp_path, 1)
    _write(hand, "a")
    hand.read()["a"] = FileEntry(99, "")
    assert hand.read()["a"].bytes == 2


ENTRY = FileEntry(1, "ab")


def _hands(root: Path, hands: int) -> list[ManifestInHand]:
    files = {"a": ENTRY, "b": ENTRY}
    (root / layout.MANIFEST).write_bytes(manifest.render(Manifest(FORMAT, False, (), files)))
    return [ManifestInHand(root) for _ in range(hands)]


def _write(hand: ManifestInHand, path: str) -> None:
    """The file has grown by one byte; a new one begins with one."""
    files = hand.read()
    files[path] = FileEntry(files[path].bytes + 1 if path in files else 1, "cd")
    hand.write({path: files[path]})


def _no_space(path: Path, data: bytes) -> None:
    raise OSError(28, "no space")
