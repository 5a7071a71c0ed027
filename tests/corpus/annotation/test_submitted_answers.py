"""Annotations made after an export, laid over the corpus for a new one; the old one stays as it is."""

import shutil
from pathlib import Path

import pytest

from corpus.annotation.submitted_answers import annotations
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.formats.errors import FormatFault
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from tests.corpus.annotated import annotated
from tests.corpus.sessions import MemorySource, whole_session
from tests.corpus.verify.broken import ANNOTATIONS, CAT, ONE


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("exported") / "corpus"
    export(MemorySource(whole_session()), root)
    return root


@pytest.fixture
def corpus(exported: Path, tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    shutil.copytree(exported, root)
    for path, text in ANNOTATIONS.items():
        (root / path).write_text(text, "utf-8")
    return root


def errors(root: Path) -> set[str]:
    return {finding.rule for finding in verify(root).findings if finding.severity is Severity.ERROR}


def test_what_was_annotated_after_the_export_is_listed_in_the_new_corpus_alone(corpus: Path) -> None:
    before = (corpus / "manifest.json").read_bytes()
    (finding,) = [one for one in verify(corpus).findings if one.rule == "manifest.unlisted" and one.path == CAT]
    assert finding.remedy.endswith("curtain answers --out")
    new = annotated(corpus)
    assert errors(new) == set()
    assert Corpus(new).read(CAT)
    assert {*Corpus(new).manifest.files} - {*Corpus(corpus).manifest.files} == {*ANNOTATIONS}
    assert (corpus / "manifest.json").read_bytes() == before


def test_a_change_is_noticed_until_it_is_laid_over(corpus: Path) -> None:
    first = annotated(corpus)
    (first / CAT).write_text(ANNOTATIONS[CAT].replace("wh-question", "arithmetic "), "utf-8")
    assert errors(first) >= {"manifest.hash"}
    second = annotated(first, {f"{ONE}/8k8011sx.ref": b"((1))\n"})
    assert "manifest.hash" not in errors(second)
    assert Corpus(second).read(f"{ONE}/8k8011sx.ref") == b"((1))\n"
    assert b"arithmetic" in Corpus(second).read(CAT)


def test_nothing_else_is_laid_over(corpus: Path) -> None:
    before = Corpus(corpus).manifest.files
    (corpus / ONE / "notes.cat").write_text("A:\n", "utf-8")
    (corpus / "spon/8k8/2/8k8011sx.cat").write_text("A:\n", "utf-8")
    after = Corpus(annotated(corpus)).manifest.files
    assert {*after} - {*before} == {*ANNOTATIONS}


def test_a_link_is_refused(corpus: Path) -> None:
    (corpus / CAT).unlink()
    (corpus / CAT).symlink_to("/etc/hostname")
    with pytest.raises(FormatFault, match="a symbolic link"):
        list(annotations(Corpus(corpus), {}))
