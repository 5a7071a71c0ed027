"""What a person agreed to last is what every export obeys, whatever was agreed to before."""

from pathlib import Path

import pytest

from corpus.dataset.reader import Corpus
from corpus.io.staging import Refused
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from tests.corpus.corpora import corpus_of, ending, session_of


def test_what_was_confirmed_after_the_debriefing_counts(tmp_path: Path) -> None:
    narrowed = ending("confirmed", session_of("bbn", "8k1"), publish_audio=False)
    root = corpus_of(tmp_path / "corpus", narrowed, session_of("bbn", "8k2", number=2))
    assert {path.parent.parent.name for path in root.rglob("*.wav")} == {"8k2"}
    assert len(Corpus(root).manifest.withheld) == 8
    write_package(contents_of(Corpus(root)), tmp_path / "csv", "csv")  # type: ignore[arg-type]
    assert "8k1011sx" in (tmp_path / "csv/turns.csv").read_text("utf-8")


@pytest.mark.parametrize("event_of", ["erase", "confirmed"])
def test_a_person_who_wants_nothing_kept_or_no_text_passed_on_is_in_no_export(tmp_path: Path, event_of: str) -> None:
    leaving = ending(event_of, session_of("bbn", "8k1"), publish_text=False)
    root = corpus_of(tmp_path / "corpus", leaving, session_of("bbn", "8k2", number=2))
    assert set(Corpus(root).speakers()) == {"8k2"}
    assert b"8k1" not in b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file())
    with pytest.raises(Refused):
        corpus_of(tmp_path / "alone", ending(event_of, session_of("bbn", "8k1"), publish_text=False))


def test_a_person_who_only_stops_stays_in_the_corpus(tmp_path: Path) -> None:
    stopping = ending("stop", session_of("bbn", "8k1"))
    assert set(Corpus(corpus_of(tmp_path / "corpus", stopping)).speakers()) == {"8k1"}
