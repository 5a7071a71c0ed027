"""The manifest as a file: read from its bytes, and told of where these are wrong."""

import tracemalloc

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
