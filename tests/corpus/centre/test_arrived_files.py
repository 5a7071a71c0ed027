"""What is known of a delivery's files while it arrives: the same however its listing is written, in memory that does not grow."""

import hashlib
import hmac
import io
import tarfile
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from corpus.centre.delivery.delivery_archive import LISTING, DeliveryListing, content_of, signature_of
from corpus.centre.delivery.unpacking import Unpacking
from corpus.formats.errors import FormatFault

KEY = b"k" * 32
FILES = {
    "doc/spkrinfo.log": b"speaker\n",
    "doc/protocol/\u00e4\U0001f600\uffee.json": b"{}",
    "spon/bbb/1/bbb001sx.log": b"log\n",
    "spon/bbb/1/bbb011sx.sro": b"show me flights\n",
}


def listing_of(files: dict[str, bytes]) -> DeliveryListing:
    hashes = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    return DeliveryListing("bbn", 'tape "files":{} one', hashes, signature="s")


def written(listing: DeliveryListing, way: str) -> bytes:
    whole = msgspec.json.encode(listing)
    return whole if way == "one line" else msgspec.json.format(whole, indent=1 if way == "as delivered" else 4) + b"\n"


def archive_of(folder: Path, files: dict[str, bytes], listing: bytes) -> Path:
    with tarfile.open(folder / "a.tar", "w") as tar:
        for path, data in {LISTING: listing, **files}.items():
            member = tarfile.TarInfo(path)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    (folder / "in").mkdir()
    return folder / "a.tar"


@pytest.mark.parametrize("way", ["as delivered", "one line", "wide"])
def test_a_listing_is_the_same_however_it_is_written(tmp_path: Path, way: str) -> None:
    listing = listing_of(FILES)
    with Unpacking(archive_of(tmp_path, FILES, written(listing, way)), tmp_path / "in") as arriving:
        found = arriving.done()
        assert found.listing == msgspec.structs.replace(listing, files={})
        assert dict(found.files.sent()) == dict(found.files.hashes()) == listing.files
        assert found.content == content_of(sorted(listing.files.items())) == listing.content
        bare = msgspec.json.encode(msgspec.structs.replace(listing, signature=""), order="deterministic")
        whole = hmac.new(KEY, bare, hashlib.sha256).hexdigest()
        assert signature_of(found.listing, found.files.sent(), KEY) == whole
    assert {path.name for path in (tmp_path / "in").iterdir()} == {"doc", "spon"}


@pytest.mark.parametrize("way", ["as delivered", "one line"])
@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("doc/spkrinfo.log", "is missing"),
        ("spon/bbb/1/bbb001sx.log", "was changed"),
        ("spon/bbb/1/bbb011sx.sro", "is in no list"),
    ],
)
def test_the_first_file_that_is_not_as_listed_is_named(tmp_path: Path, way: str, path: str, what: str) -> None:
    listing, sent = listing_of(FILES), {**FILES}
    if what == "is missing":
        del sent[path]
    elif what == "was changed":
        sent[path] = b"other\n"
    else:
        del listing.files[path]
    archive = archive_of(tmp_path, sent, written(listing, way))
    with pytest.raises(FormatFault, match=f"{path} {what}"), Unpacking(archive, tmp_path / "in") as arriving:
        arriving.done()


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[: len(data) // 2], lambda data: data.replace(b'": "', b'": 1"'), lambda data: b"[]"],
    ids=["cut off", "no text", "no object"],
)
def test_a_listing_that_is_none_is_told(tmp_path: Path, damage: object) -> None:
    spoilt = damage(written(listing_of(FILES), "as delivered"))  # type: ignore[operator]
    archive = archive_of(tmp_path, FILES, spoilt)
    with pytest.raises(FormatFault, match=r"delivery\.json"), Unpacking(archive, tmp_path / "in") as arriving:
        arriving.done()


def test_memory_does_not_grow_with_the_number_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.centre.delivery.tar_stream.PIECE", 1 << 15)  # of which each archive has many
    most = []
    for number in (500, 2500):
        files = {f"spon/{n // 50:03}/1/{n // 50:03}{n % 50:02}1sx.sro": b"x\n" for n in range(number)}
        folder = tmp_path / str(number)
        folder.mkdir()
        archive = archive_of(folder, files, written(listing_of(files), "as delivered"))
        del files
        tracemalloc.start()
        with Unpacking(archive, folder / "in") as arriving:
            assert len(arriving.done().files) == number
        most.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert most[1] - most[0] < 50 * 2000, most  # bytes; names and hashes in memory would take ten times as many
