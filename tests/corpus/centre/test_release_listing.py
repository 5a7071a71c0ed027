"""`release.json` piece by piece: the bytes are those of the whole in one piece, and what is read of it is all of it."""

from pathlib import Path

import msgspec
import pytest

from corpus.centre.release_listing import LISTING, ReleaseListing, read, read_rows, render
from corpus.formats.manifest import FileEntry, Provenance

WORK = Provenance("ann", "2026-11-23T10:00:00Z", before=(Provenance("bob", "2026-11-22T10:00:00Z"),))


@pytest.mark.parametrize("corrected", [0, 1, 600])
@pytest.mark.parametrize("number", [0, 1, 511, 512, 513, 1024])
def test_a_listing_is_written_and_read_piece_by_piece(tmp_path: Path, number: int, corrected: int) -> None:
    entry = FileEntry(7, "a" * 64, masked=((1, 2), (3, 4)), work=WORK)
    files = {f"spon/8k1/1/{at:04}.sro": entry for at in range(number)}
    replaces = {f"spon/8k1/1/{at:04}.sro": "20261122" for at in range(corrected)}
    listing = ReleaseListing("20261123", (), files, replaces, {"README.txt": "b" * 64}, ("gone.sro",), "20261122")
    whole = msgspec.json.format(msgspec.json.encode(listing, order="deterministic"), indent=1) + b"\n"
    assert render(listing) == whole
    (tmp_path / LISTING).write_bytes(whole)
    parts = list[dict[str, FileEntry]]()
    bare = read_rows(tmp_path, lambda some: parts.append(dict(some)))
    assert bare == msgspec.structs.replace(listing, files={}, replaces={})
    assert {path: kept for part in parts for path, kept in part.items()} == files
    assert max(map(len, parts), default=0) <= 512
    (tmp_path / LISTING).write_bytes(msgspec.json.encode(listing))  # as nobody writes it, and means the same
    parts.clear()
    assert read_rows(tmp_path, lambda some: parts.append(dict(some))) == bare
    assert parts == [files]
    assert read(tmp_path) == listing
