"""A whole set-up goes to another site as one archive and comes out as it went in, or not at all."""

import io
import os
import tarfile
from pathlib import Path

import pytest

from session.hub.access_tokens import load_tokens
from session.study.archive import MANIFEST, pack, unpack
from session.study.create import new
from session.study.diff import Difference, diff
from session.study.folder import Study, load
from session.study.settings import Profile
from session.study.toml_reader import StudyError
from session.values.vocabulary import Echo
from tests.session.examples import protocol


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return new(tmp_path / "here")


def contents(archive: Path) -> dict[str, bytes]:
    with tarfile.open(archive) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar if member.isreg()}  # type: ignore[union-attr]


def forged(archive: Path, changes: dict[str, bytes | None], *more: tarfile.TarInfo) -> Path:
    """`archive` again with other contents and members; None takes a file out."""
    path = archive.with_name("forged.tar.gz")
    with tarfile.open(path, "w:gz") as tar:
        for name, data in {**contents(archive), **changes}.items():
            if data is not None:
                member = tarfile.TarInfo(name)
                member.size = len(data)
                tar.addfile(member, io.BytesIO(data))
        for member in more:
            tar.addfile(member, io.BytesIO(bytes(member.size)))
    return path


def test_another_site_runs_what_was_packed_here(study: Study, tmp_path: Path) -> None:
    load_tokens(study.folder)
    (study.folder / "recordings").mkdir()
    (study.folder / "recordings" / "x.pcm").write_bytes(b"voice")
    (study.folder / "collection.sqlite").write_bytes(b"events")
    pack(study, tmp_path / "study.tar.gz")
    there = unpack(tmp_path / "study.tar.gz", tmp_path / "there")
    assert diff(study.protocol("1"), there.protocol("1")) == []
    assert there.sha256 == study.sha256
    assert sorted(path.name for path in there.folder.iterdir()) == [
        "ability.txt", "canned_messages", "consent.txt", "debriefing.txt", "domain", "instructions.txt", "profiles",
        "questionnaires", "scenarios", "study.toml",
    ]  # fmt: skip
    assert set(contents(tmp_path / "study.tar.gz")) == {MANIFEST, *study.files}


def test_the_same_study_packs_to_the_same_bytes(study: Study, tmp_path: Path) -> None:
    pack(study, tmp_path / "a.tar.gz")
    for name in study.files:
        os.utime(study.folder / name, (1, 1))
    pack(load(study.folder), tmp_path / "b.tar.gz")
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "b.tar.gz").read_bytes()


def test_packing_overwrites_nothing(study: Study, tmp_path: Path) -> None:
    (tmp_path / "a.tar.gz").write_text("mine")
    with pytest.raises(StudyError, match="exists already"):
        pack(study, tmp_path / "a.tar.gz")
    with pytest.raises(StudyError, match="none is not a directory; make it first"):
        pack(study, tmp_path / "none" / "a.tar.gz")
    assert (tmp_path / "a.tar.gz").read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar.gz", "here"]


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, size
    return made


@pytest.mark.parametrize(
    ("changes", "more", "said"),
    [
        ({"study.toml": b'site = "evil"'}, [], "study.toml was changed"),
        ({"consent.txt": None}, [], "consent.txt is missing"),
        ({"scenarios/extra.toml": b""}, [], "scenarios/extra.toml is in no list"),
        ({MANIFEST: None}, [], "is not a packed study"),
        ({}, [member("../evil.toml")], "leads out of the folder"),
        ({}, [member("a", tarfile.SYMTYPE, "/etc/passwd")], "is not a plain file"),
        ({}, [member("a", tarfile.LNKTYPE, "study.toml")], "is not a plain file"),
        ({}, [member("a", tarfile.CHRTYPE)], "is not a plain file"),
        ({}, [member("a/b", tarfile.FIFOTYPE)], "is not a plain file"),
    ],
)
def test_a_forged_archive_is_refused_and_leaves_nothing(
    study: Study, tmp_path: Path, changes: dict[str, bytes | None], more: list[tarfile.TarInfo], said: str
) -> None:
    pack(study, tmp_path / "a.tar.gz")
    archive = forged(tmp_path / "a.tar.gz", changes, *more)
    with pytest.raises(StudyError, match=said):
        unpack(archive, tmp_path / "there")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar.gz", "forged.tar.gz", "here"]


def test_a_file_that_a_study_does_not_have_is_refused_even_when_it_is_listed(study: Study, tmp_path: Path) -> None:
    pack(study, tmp_path / "a.tar.gz")
    listing = contents(tmp_path / "a.tar.gz")[MANIFEST]
    empty = b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    for name in (b"tokens.json", b"recordings/x.pcm", b"scenarios/.hidden.toml"):
        archive = forged(tmp_path / "a.tar.gz", {name.decode(): b"", MANIFEST: listing + empty + b"  " + name + b"\n"})
        with pytest.raises(StudyError, match="does not belong into a study"):
            unpack(archive, tmp_path / "there")


def test_an_absolute_path_stays_inside(study: Study, tmp_path: Path) -> None:
    pack(study, tmp_path / "a.tar.gz")
    archive = forged(tmp_path / "a.tar.gz", {f"{tmp_path}/evil.toml": b""})
    with pytest.raises(StudyError):
        unpack(archive, tmp_path / "there")
    assert not (tmp_path / "evil.toml").exists()


@pytest.mark.parametrize(("bytes_", "files"), [(1000, 10_000), (10**9, 5)])
def test_too_much_is_refused_before_it_is_written(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_: int, files: int
) -> None:
    pack(study, tmp_path / "a.tar.gz")
    monkeypatch.setattr("session.study.archive.MOST_BYTES", bytes_)
    monkeypatch.setattr("session.study.archive.MOST_FILES", files)
    with pytest.raises(StudyError, match="holds more than"):
        unpack(tmp_path / "a.tar.gz", tmp_path / "there")


@pytest.mark.parametrize("cut", [0, 1, 20, 500, -2000, -100])
def test_a_cut_archive_or_no_archive_is_named(study: Study, tmp_path: Path, cut: int) -> None:
    pack(study, tmp_path / "a.tar.gz")
    (tmp_path / "cut.tar.gz").write_bytes((tmp_path / "a.tar.gz").read_bytes()[:cut])
    with pytest.raises(StudyError, match=r"cut\.tar\.gz"):
        unpack(tmp_path / "cut.tar.gz", tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_unpacking_overwrites_nothing(study: Study, tmp_path: Path) -> None:
    pack(study, tmp_path / "a.tar.gz")
    with pytest.raises(StudyError, match="exists already"):
        unpack(tmp_path / "a.tar.gz", study.folder)
    with pytest.raises(StudyError, match=r"none\.tar\.gz cannot be unpacked"):
        unpack(tmp_path / "none.tar.gz", tmp_path / "there")


def test_two_protocols_differ_by_key() -> None:
    first, second = protocol(), protocol(Profile(name="test", echo=Echo.NEVER))
    assert diff(first, first) == []
    assert diff(first, second) == [Difference("profile.echo", "before_query", "never")]


def test_what_only_one_protocol_has_is_absent_from_the_other() -> None:
    import msgspec

    first = protocol()
    fewer = {name: scenario for name, scenario in first.scenarios.items() if name != "hub"}
    found = diff(first, msgspec.structs.replace(first, scenarios=fewer, files={"a.toml": "ab"}))
    assert Difference("files.a.toml", "absent", "ab") in found
    assert Difference("scenarios.hub.title", "An airline's hub", "absent") in found
    assert {difference.key.split(".")[0] for difference in found} == {"files", "scenarios"}


def test_a_place_where_no_archive_can_be_made_is_named_and_nothing_stays(study: Study, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    before = sorted(tmp_path.iterdir())
    for name, message in {
        "none/a.tar.gz": "none is not a directory; make it first",
        "here/study.toml/a.tar.gz": "study.toml is not a directory; make it first",
        "link": "link exists already",
        "": "exists already",
    }.items():
        with pytest.raises(StudyError, match=message):
            pack(study, tmp_path / name)
    with pytest.raises(StudyError, match=r"none cannot be unpacked: No such file or directory$"):
        unpack(tmp_path / "none", tmp_path / "there")
    assert sorted(tmp_path.iterdir()) == before
