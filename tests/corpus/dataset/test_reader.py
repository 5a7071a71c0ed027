"""A corpus is read back without more work than what is asked of it needs."""

from pathlib import Path

import pytest

from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.layout import FileName
from corpus.formats.manifest import entry_of
from tests.corpus.corpora import corpus_of, session_of


def test_only_the_names_of_logs_are_parsed_to_list_what_was_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k8")))
    parsed = list[str]()
    parse = layout.parse_name

    def counted(text: str) -> FileName:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(layout, "parse_name", counted)
    assert [str(stem) for log in corpus.logs for stem, _ in corpus.takes(log)]
    assert {text.rpartition(".")[2] for text in parsed} == {"log"}


def test_a_file_with_a_wrong_name_belongs_to_no_scenario(tmp_path: Path) -> None:
    corpus = Corpus(corpus_of(tmp_path / "corpus", session_of("bbn", "8k8")))
    log = corpus.logs[0]
    folder, _, name = log.rpartition("/")
    misnamed = f"{folder}/{name[:7]}x.sro"  # utterance 00
    corpus.manifest.files[misnamed] = entry_of(b"")
    corpus.manifest.files[f"{folder}/{name[:6]}.log"] = entry_of(b"")
    again = Corpus(corpus.root, corpus.manifest)
    assert again.logs == corpus.logs
    listed = [path for part in again.parts(1) for path in part.files]
    assert misnamed not in listed
    assert log in listed
