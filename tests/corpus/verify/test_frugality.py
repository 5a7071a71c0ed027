"""What a verification costs beside time: each file is opened once, and memory hardly grows with the corpus."""

import gc
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from benchmarks.corpus_scale import PER_SESSION, multiply
from corpus.formats import layout, manifest
from corpus.formats.manifest import Provenance
from corpus.verify.rules import manifest_stream
from corpus.verify.rules.manifest_stream import read_manifest
from corpus.verify.rules.scratch_tables import ListedFiles, scratch_tables
from corpus.verify.verify import verify
from tests.corpus.verify.broken import SRO, Corpus, good_corpus

ROOT = Path(__file__).parents[3]
MOST_BYTES_AN_UTTERANCE = 1_200  # it was 3,600; findings and sessions take most of it
COUNTING = """
import collections, json, os, sys
from pathlib import Path
from corpus.verify.verify import verify
root, opened = sys.argv[1], collections.Counter()
def hook(event, args):
    if event == "open" and isinstance(args[0], (str, os.PathLike)) and str(args[0]).startswith(root + "/"):
        opened[str(args[0]).removeprefix(root + "/")] += 1
sys.addaudithook(hook)
verify(Path(root))
print(json.dumps(opened))
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return good_corpus(tmp_path_factory.mktemp("good") / "corpus")


def test_each_file_is_opened_once(corpus: Corpus) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNTING, str(corpus.root)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = {str(path.relative_to(corpus.root)) for path in corpus.root.rglob("*") if path.is_file()}
    assert json.loads(done.stdout) == dict.fromkeys(files, 1)


def _peak(root: Path) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        verify(root, headers=True)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_hardly_grows_with_the_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpus.io.parallel.PART", 4)  # in hand at a time, of either
    monkeypatch.setattr(manifest_stream, "_PIECE", 1 << 12)
    sizes = 20, 60
    for size in sizes:
        multiply(tmp_path / str(size), size, 0.05)
    verify(tmp_path / str(sizes[1]), headers=True)  # so that words are remembered already
    small, large = (_peak(tmp_path / str(size)) for size in sizes)
    assert (large - small) / ((sizes[1] - sizes[0]) * PER_SESSION) < MOST_BYTES_AN_UTTERANCE


@pytest.mark.parametrize("piece", [1, 13, 100, 1 << 18])
@pytest.mark.parametrize("checker", ["rk", "Jürgen Groß", "a {b}, \\ } c"])
def test_a_manifest_is_read_file_by_file_whatever_comes_at_a_time(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int, checker: str
) -> None:
    whole = manifest.held_in(corpus.root)
    marked = msgspec.structs.replace(whole.files[SRO], work=Provenance(checker, "2026-11-21T10:00:00+00:00"))
    data = manifest.render(msgspec.structs.replace(whole, files=whole.files | {SRO: marked}))
    (tmp_path / layout.MANIFEST).write_bytes(data)
    monkeypatch.setattr(manifest_stream, "_PIECE", piece)
    with scratch_tables() as tables:
        files = ListedFiles(tables)
        found = read_manifest(tmp_path, files)
        assert found is not None
        right = manifest.parse(data, layout.MANIFEST)
        assert msgspec.structs.replace(found, files={**files}) == right
        assert dict(files.marked()) == {p: e for p, e in right.files.items() if e.masked or e.work or e.draft}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"sha256": "', b'"sha256":  "'),
        (b'"seal": "', b'"seal": "0'),
        (b'"README.txt"', b'"readme.txt"'),
        (b'\n  "README.txt": {', b'\n  "READ\\u004dE.txt": {'),
        (b'"left_out"', b'"left_in"'),
        (b'"files"', b'"filed"'),
        (b" },", b" }"),
        (b"\n", b"\r\n"),
        (b"bbn", b"b\xffn"),
        (b"bbn", "b\u202en".encode()),
    ],
)
def test_a_manifest_that_is_not_as_it_was_written_is_read_in_one_piece(
    corpus: Corpus, tmp_path: Path, old: bytes, new: bytes
) -> None:
    data = (corpus.root / layout.MANIFEST).read_bytes()
    (tmp_path / layout.MANIFEST).write_bytes(data.replace(old, new, 1))
    with scratch_tables() as tables:
        assert read_manifest(tmp_path, ListedFiles(tables)) is None


def test_a_manifest_that_lists_a_file_twice_is_read_in_one_piece(corpus: Corpus, tmp_path: Path) -> None:
    data = (corpus.root / layout.MANIFEST).read_bytes()
    begun, rest = data.split(b'\n "files": {\n')
    entry = rest[: rest.index(b"\n  },\n") + 6]
    (tmp_path / layout.MANIFEST).write_bytes(manifest.sealed(begun + b'\n "files": {\n' + entry + rest))
    with scratch_tables() as tables:
        assert read_manifest(tmp_path, ListedFiles(tables)) is None


@pytest.mark.parametrize(
    "within", [b'"bytes": 1}, "README.txt": {', b'"a": {"b": 1}, ', b'"bytes": 1}, "other.txt": {']
)
def test_a_manifest_with_two_entries_in_the_place_of_one_is_read_in_one_piece(
    corpus: Corpus, tmp_path: Path, within: bytes
) -> None:
    data = (corpus.root / layout.MANIFEST).read_bytes()
    begins = data.index(b"{\n", data.index(b'"spon/')) + 2
    (tmp_path / layout.MANIFEST).write_bytes(manifest.sealed(data[:begins] + within + data[begins:]))
    with scratch_tables() as tables:
        assert read_manifest(tmp_path, ListedFiles(tables)) is None
