"""The manifest as a file: read from its bytes, and told of where these are wrong."""

import hashlib
import json
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from corpus.formats import manifest
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import FORMAT, FileEntry, Manifest

FILES = {f"spon/{number:03d}/1/{number:03d}001sx.log": FileEntry(9, f"{number:064d}") for number in range(2_000)}
WHOLE = Manifest(FORMAT, False, (), FILES)
DATA = manifest.render(WHOLE)


@pytest.mark.parametrize("data", [DATA, DATA.decode(), b"\xef\xbb\xbf" + DATA])
def test_bytes_and_text_with_or_without_a_mark_of_their_order_are_one_manifest(data: bytes | str) -> None:
    assert manifest.parse(data, "manifest.json").files == FILES


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        (DATA.replace(b"spon/007", b"spon/\xff07"), DATA[: DATA.index(b"spon/007")].count(b"\n") + 1, "is not UTF-8"),
        (DATA[:-40], 0, "Input data was truncated"),
        (DATA.replace(b'"rehearsal"', b'"rehearsed"'), 0, "rehearsed"),
        (DATA.replace(FORMAT.encode(), b"another 7"), 0, "format 'another 7'"),
    ],
)
def test_what_is_no_manifest_is_told_with_its_place(data: bytes, line: int, found: str) -> None:
    with pytest.raises(FormatFault, match=found) as told:
        manifest.parse(data, "manifest.json")
    assert (told.value.path, told.value.line) == ("manifest.json", line)


def test_reading_it_takes_no_memory_for_a_text_beside_the_bytes() -> None:
    tracemalloc.start()
    try:
        held = manifest.parse(DATA, "manifest.json")
        now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held.files == FILES
    assert most - now < len(DATA) // 4


@pytest.mark.parametrize("count", [0, 1, 511, 512, 513, 2_000])
def test_it_is_written_piece_by_piece_as_one_json_text(tmp_path: Path, count: int) -> None:
    whole = msgspec.structs.replace(
        WHOLE, files=dict(reversed([*FILES.items()][:count])), left_out={"u\u0308b\u202e": 3}
    )
    data = manifest.render(whole)
    written = json.loads(data)
    assert data.decode() == json.dumps(written, indent=1) + "\n"  # escapes what is decomposed or cannot be seen
    assert [*written["files"]] == sorted(whole.files)
    assert msgspec.structs.replace(manifest.parse(data, ""), seal="") == whole
    assert not manifest.broken_seal(data)
    assert manifest.write(tmp_path / "manifest.json", whole) == hashlib.sha256(data).hexdigest()
    assert (tmp_path / "manifest.json").read_bytes() == data


def test_writing_it_takes_no_memory_for_its_bytes(tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        manifest.write(tmp_path / "manifest.json", WHOLE)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < len(DATA) * 1.5  # three times as much before
