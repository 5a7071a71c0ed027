"""Times of segments come from the headers of waveforms, and only from those that the manifest seals."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from corpus.dataset.reader import Corpus
from corpus.formats import layout, manifest
from corpus.formats.errors import FormatFault
from corpus.packages import package_writer
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from tests.corpus.corpora import corpus_of, session_of

WAVE = "spon/8k1/1/8k1011ss.wav"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus_of(tmp_path_factory.mktemp("stm") / "corpus", session_of("bbn", "8k1", "m"))


def segments(corpus: Path, target: Path) -> str:
    write_package(contents_of(Corpus(corpus)), target, ExportFormat.STM)
    return (target / "ref.stm").read_text("utf-8")


def changed(corpus: Path, copy: Path, change: Callable[[bytes], bytes], header: bool = True) -> Path:
    """A copy with a waveform changed in place; without `header` its manifest does not list the headers of waveforms."""
    shutil.copytree(corpus, copy)
    (copy / WAVE).write_bytes(change((copy / WAVE).read_bytes()))
    if not header:
        found = manifest.held_in(copy)
        entries = {path: msgspec.structs.replace(entry, header="") for path, entry in found.files.items()}
        (copy / layout.MANIFEST).write_bytes(manifest.render(msgspec.structs.replace(found, files=entries)))
    return copy


@pytest.mark.parametrize(
    ("change", "header"),
    [
        (lambda data: data.replace(b"sample_rate -i 16000", b"sample_rate -i 08000", 1), True),
        (lambda data: data[:-2], True),
        (lambda data: data + b"\0\0", True),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), False),
    ],
    ids=["header", "shorter", "longer", "header not listed"],
)
def test_no_length_is_taken_from_a_waveform_that_is_not_the_listed_one(
    corpus: Path, tmp_path: Path, change: Callable[[bytes], bytes], header: bool
) -> None:
    with pytest.raises(FormatFault, match=r"not the file .*run curtain verify"):
        segments(changed(corpus, tmp_path / "corpus", change, header), tmp_path / "stm")


def test_lengths_are_the_same_whether_or_not_a_sample_has_to_be_read(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = segments(changed(corpus, tmp_path / "corpus", lambda data: data, header=False), tmp_path / "whole")
    monkeypatch.setattr(package_writer, "sound_of", lambda data, path: pytest.fail(f"{path} was decoded"))
    assert segments(corpus, tmp_path / "quick") == whole


@pytest.mark.parametrize("stored", ["more", "fewer"])
def test_a_length_is_that_of_the_samples_where_a_header_tells_another(
    corpus: Path, tmp_path: Path, stored: str
) -> None:
    copy = tmp_path / "corpus"
    shutil.copytree(corpus, copy)
    data = (copy / WAVE).read_bytes()
    data = data + bytes(3_200) if stored == "more" else data[:-3_200]
    (copy / WAVE).write_bytes(data)
    found = manifest.held_in(copy)
    sealed = found.files | {WAVE: manifest.entry_of(data, like=found.files[WAVE])}
    (copy / layout.MANIFEST).write_bytes(manifest.render(msgspec.structs.replace(found, files=sealed)))
    lines = segments(copy, tmp_path / "stm")
    (line,) = [line for line in lines.splitlines() if line.startswith("8k1011ss ")]
    assert line.split(" ")[4] == f"{(len(data) - 1_024) / 32_000:.3f}"
