"""Annotations made after an export, taken into the manifest."""

import shutil
from pathlib import Path

import pytest

from corpus.annotation.reference_answers import take_in
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.formats.errors import FormatFault
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
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


def test_what_was_annotated_after_the_export_is_listed_and_verifies(corpus: Path) -> None:
    (finding,) = [each for each in verify(corpus).findings if each.rule == "manifest.unlisted" and each.path == CAT]
    assert finding.remedy.endswith("curtain answers")
    assert take_in(corpus) == tuple(sorted(ANNOTATIONS))
    assert errors(corpus) == set()
    assert Corpus(corpus).read(CAT)
    assert {*ANNOTATIONS} <= {*Corpus(corpus).manifest.files}
    assert take_in(corpus) == ()


def test_a_change_and_a_loss_are_noticed_until_they_are_taken_in(corpus: Path) -> None:
    take_in(corpus)
    gone = f"{ONE}/8k8041sx.cat"
    (corpus / gone).unlink()
    (corpus / CAT).write_text(ANNOTATIONS[CAT].replace("wh-question", "arithmetic "), "utf-8")
    assert errors(corpus) >= {"manifest.absent", "manifest.hash"}
    assert take_in(corpus) == (CAT, gone)
    assert errors(corpus) == set()


def test_nothing_else_is_taken_in(corpus: Path) -> None:
    before = Corpus(corpus).manifest.files
    (corpus / ONE / "8k8021sx.sro").write_text("other words\n", "utf-8")
    (corpus / ONE / "notes.cat").write_text("A:\n", "utf-8")
    (corpus / "spon/8k8/2/8k8011sx.cat").write_text("A:\n", "utf-8")
    take_in(corpus)
    after = Corpus(corpus).manifest.files
    assert {*after} - {*before} == {*ANNOTATIONS}
    assert after[f"{ONE}/8k8021sx.sro"] == before[f"{ONE}/8k8021sx.sro"]


def test_a_link_is_refused_and_a_directory_without_a_manifest_left_alone(corpus: Path, tmp_path: Path) -> None:
    (corpus / CAT).unlink()
    (corpus / CAT).symlink_to("/etc/hostname")
    with pytest.raises(FormatFault, match="a symbolic link"):
        take_in(corpus)
    assert take_in(tmp_path) == ()
