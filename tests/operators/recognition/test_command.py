"""`curtain recognise` over a corpus."""

import io
import re
from pathlib import Path

import pytest

from corpus.formats.nist import trn
from operators.recognition.command import RecogniseOptions, recognise_command
from tests.corpus.packages.packed import corpus, pack

__all__ = ["corpus"]


def run(corpus: Path, engine: str, out: str = "") -> tuple[int, str, str]:
    said, output = io.StringIO(), io.StringIO()
    return (
        recognise_command(str(corpus), RecogniseOptions(engine=engine, out=out), said, output),
        said.getvalue(),
        output.getvalue(),
    )


@pytest.fixture
def references(corpus: Path, tmp_path: Path) -> dict[str, str]:
    return trn.parse((pack(corpus, tmp_path / "packed", "trn") / "ref.trn").read_bytes(), "ref.trn")


def test_words_that_are_all_right_have_no_error_and_go_to_standard_output(
    corpus: Path, tmp_path: Path, references: dict[str, str]
) -> None:
    path = tmp_path / "hyp.trn"
    path.write_bytes(trn.render(references))
    status, said, output = run(corpus, f"replay:{path}")
    found = trn.parse(said, "out")
    spoken = {key: re.sub(r"[()]", "", text) for key, text in references.items()}  # a recogniser is sure of its words
    assert {key: found[key] for key in references} == spoken
    assert status == 1, "one utterance was never transcribed, and so is not in the file"
    assert "word error 0.0 %: 0 substituted, 0 deleted, 0 inserted" in output
    assert "has no utterance 8k2" in output
    assert "WER|cost:4/3/3" in output


def test_errors_are_counted_and_the_file_is_new_and_never_in_the_corpus(
    corpus: Path, tmp_path: Path, references: dict[str, str]
) -> None:
    key = next(key for key, text in references.items() if len(text.split()) > 2)
    wrong = {**references, key: " ".join(["WRONG", *references[key].split()[2:]])}
    (tmp_path / "hyp.trn").write_bytes(trn.render(wrong))
    target = tmp_path / "made.trn"
    _, said, output = run(corpus, f"replay:{tmp_path / 'hyp.trn'}", str(target))
    assert said == ""
    assert "1 substituted, 1 deleted, 0 inserted" in output
    assert trn.parse(target.read_bytes(), "made.trn")[key] == wrong[key]
    status, _, output = run(corpus, f"replay:{tmp_path / 'hyp.trn'}", str(target))
    assert (status, "exists already" in output) == (2, True)
    status, _, output = run(corpus, f"replay:{tmp_path / 'hyp.trn'}", str(corpus / "hyp.trn"))
    assert (status, "would be within the corpus" in output) == (2, True)
    assert not (corpus / "hyp.trn").exists()


@pytest.mark.parametrize(
    ("engine", "line"),
    [
        ("nobody", "there is no recogniser 'nobody'"),
        ("replay:/nowhere.trn", "/nowhere.trn: the hypotheses cannot be read"),
        ("http:///v1", "a host are expected"),
    ],
)
def test_an_engine_that_cannot_be_had_is_one_line(corpus: Path, engine: str, line: str) -> None:
    status, said, output = run(corpus, engine)
    assert (status, said) == (2, "")
    assert line in output
    assert output.count("\n") == 1


def test_what_is_no_corpus_is_said(tmp_path: Path) -> None:
    status, _, output = run(tmp_path, "nobody")
    assert status == 2
    assert "manifest.json" in output
