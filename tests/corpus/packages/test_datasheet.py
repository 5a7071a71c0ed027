"""The datasheet tells of a release what its classes are, by site and with their shares."""

from pathlib import Path

from corpus.dataset.reader import Corpus
from corpus.packages import datasheet
from corpus.packages.package_writer import contents_of
from tests.corpus.annotated import annotated
from tests.corpus.corpora import corpus_of, session_of


def text_of(root: Path) -> str:
    contents = contents_of(Corpus(root))
    return datasheet.text(contents.corpus, contents.courses)


def test_classes_are_told_by_site_with_per_cent_of_its_own(tmp_path: Path) -> None:
    root = corpus_of(tmp_path / "corpus", session_of("bbn", "8k1"), session_of("cmu", "9a1"), session_of("sri", "9z1"))
    assert "classified" not in text_of(root).replace("not yet classified", "")
    kinds = {
        "8k1": ("A:", "A:", "D: context-dependent:Q1", "X: hopelessly-vague"),
        "9a1": ("A:", "D: context-dependent:Q1", "D: context-dependent:Q2"),
    }
    for speaker, given in kinds.items():
        for number, kind in enumerate(given, start=1):
            place = root / f"spon/{speaker}/1/{speaker}{number:02}1sx.cat"
            place.write_text(f"{kind}\n", "utf-8")
    lines = [line for line in text_of(annotated(root)).splitlines() if line.startswith("* classified")]
    assert lines == [
        "* classified, bbn: A 2 (50.0 %), D 1 (25.0 %), X 1 (25.0 %) of 4",
        "* classified, cmu: A 1 (33.3 %), D 2 (66.7 %), X 0 (0.0 %) of 3",
        "* classified, total: A 3 (42.9 %), D 3 (42.9 %), X 1 (14.3 %) of 7",
    ]
