"""Parquet: typed columns, the sound in the row, and one line for who has not got the extra."""

import importlib.util
import io
import sys
from pathlib import Path

import msgspec
import pytest

from corpus.io.staging import Refused
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import pack


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus_of(tmp_path_factory.mktemp("parquet") / "corpus", session_of("bbn", "8k1", "f", 1, 0.1))


def test_without_the_extra_it_is_refused_with_the_remedy(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(Refused, match=r"pip install 'curtain-woz\[parquet\]'"):
        pack(corpus, tmp_path / "it", "parquet")
    assert not (tmp_path / "it").exists()


@pytest.mark.skipif(not importlib.util.find_spec("pyarrow"), reason="the extra parquet is not installed")
def test_a_row_has_the_sound_and_what_is_known_of_it(corpus: Path, tmp_path: Path) -> None:
    tables = importlib.import_module("pyarrow.parquet")
    root = pack(corpus, tmp_path / "it", "parquet")
    table = tables.read_table(io.BytesIO((root / "data/train-00000.parquet").read_bytes()))
    first = table.to_pylist()[0]
    assert (first["utterance"], first["speaker"], first["age"], first["draft"]) == ("8k1011ss", "8k1", 31, True)
    (original,) = corpus.rglob("8k1011ss.wav")
    assert first["audio"]["bytes"].endswith(original.read_bytes()[1024:])
    told = msgspec.json.decode(table.schema.metadata[b"huggingface"])
    assert told["info"]["features"]["audio"] == {"_type": "Audio"}
    assert [*told["info"]["features"]] == table.column_names
    assert '  - split: train\n    path: "data/train-*.parquet"' in (root / "README.md").read_text("utf-8")
