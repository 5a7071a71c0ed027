"""Archives as they come from sites: whichever program packed them, and damaged on their way."""

import hashlib
import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from corpus.centre.centre_settings import settings_of
from corpus.centre.delivery.unpacking import Unpacking
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused

FORMATS = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}
LONG = "spon/" + "/".join("abcdefghij" * 3 for _ in range(5)) + "/bbb011sx.sro"
FILES = {
    "doc/spkrinfo.log": b"speaker\n",
    "spon/bbb/1/bbb011sx.sro": b"show me flights\n",
    LONG: b"a long name\n",
    "spon/bbb/1/bbb011sx.wav": bytes(range(256)) * 9,
    "doc/empty": b"",
}


def packed(kind: int, **header: Any) -> bytes:
    """An archive of some files, in a format of tar; `header` sets fields of every member."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as tar:
        for name, data in FILES.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            for field, value in header.items():
                setattr(member, field, value)
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


def received(data: bytes, folder: Path) -> dict[str, str]:
    """What an archive of these bytes holds, as it was unpacked: contents by path, held against their hashes."""
    archive, target = folder / "a.tar", folder / "unpacked"
    archive.write_bytes(data)
    target.mkdir()
    with Unpacking(archive, target) as arriving:
        found = arriving.done()
        listed = dict(found.files.hashes())
        assert [*found.files] == sorted(listed)
    assert found.digest == hashlib.sha256(data).hexdigest()
    there = {path.relative_to(target).as_posix(): path for path in target.rglob("*") if path.is_file()}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in there.items()} == listed
    return listed


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("header", [{}, {"uname": "root", "mtime": 1_795_392_000.5}], ids=["bare", "of a person"])
def test_every_format_of_tar_gives_the_same_files(kind: str, header: dict[str, object], tmp_path: Path) -> None:
    wanted = {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
    assert received(packed(FORMATS[kind], **header), tmp_path) == wanted


@pytest.mark.parametrize("place", [0, 20, 124, 135, 148, 156, 157, 257, 262, 345, 511])
def test_a_bit_that_was_flipped_in_any_field_of_a_header_is_refused(place: int, tmp_path: Path) -> None:
    data = bytearray(packed(tarfile.PAX_FORMAT))
    second = 1024  # the header of the second file, after that of the first and its one block
    data[second + place] ^= 1
    with pytest.raises(FormatFault, match=r"no tar archive"):
        received(bytes(data), tmp_path)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_what_is_no_plain_file_is_refused(kind: bytes, tmp_path: Path) -> None:
    with pytest.raises(FormatFault, match="is not a plain file"):
        received(packed(tarfile.PAX_FORMAT, type=kind, linkname="doc/spkrinfo.log"), tmp_path)


def _member(name: str, kind: bytes = tarfile.REGTYPE, size: int = 1, link: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.size, member.linkname = kind, size, link
    return member


@pytest.mark.parametrize(
    "members",
    [
        [_member("../out.txt")],
        [_member("/etc/passwd")],
        [_member("spon/8k1\\..\\x.sro")],
        [_member("doc/link", tarfile.SYMTYPE, 0, "/etc/passwd")],
        [_member("doc/a", tarfile.LNKTYPE, 0, "doc/b")],
        [_member("pipe", tarfile.FIFOTYPE, 0)],
        [_member("doc/a.txt"), _member("DOC/A.txt")],
        [_member("a\x1b[2J.txt")],
        [_member("doc"), _member("doc/a.txt")],
        [_member("doc/a.txt"), _member("doc")],
        [_member("spon/8k1/1/8k1011sx.sro", size=1 << 22)],
    ],
)
def test_no_archive_leads_out_of_its_folder(tmp_path: Path, members: list[tarfile.TarInfo]) -> None:
    with tarfile.open(tmp_path / "bad.tar", "w") as tar:
        for member in members:
            tar.addfile(member, io.BytesIO(bytes(member.size)))
    (tmp_path / "in").mkdir()
    with pytest.raises(FormatFault), Unpacking(tmp_path / "bad.tar", tmp_path / "in") as arriving:
        arriving.done()
    assert not (tmp_path / "out.txt").exists()


def test_a_folder_in_the_place_of_an_archive_or_a_centre_is_told_with_what_to_type(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    with pytest.raises(FormatFault, match=f"pack it: curtain deliver {tmp_path}/corpus FILE"):
        Unpacking(tmp_path / "corpus", tmp_path)
    with pytest.raises(Refused, match=r"corpus is not a centre: .*; name the folder of one"):
        settings_of(tmp_path / "corpus")
    with pytest.raises(Refused, match=f"curtain centre {tmp_path}/new makes one"):
        settings_of(tmp_path / "new")
