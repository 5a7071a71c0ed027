"""What the transcription desk does to the files is told in tests/annotator; here, what it does to the rest of the house."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus import lexicon, manifest, sphere
from corpus.directory import staged
from corpus.finished import finished_in
from corpus.masking import unbleeped
from corpus.reading import Corpus
from corpus.rebuilding import LEXICON, copy_part
from corpus.rewriting import Rewriting, originals_of, rewrite
from corpus.verify import verify
from corpus.withdrawing import withdraw_command
from session.work import work_path
from tests.annotator.desk import CROWN, LSN, SRO, WAV, Lab
from tests.corpus.broken import Corpus as Broken


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    desk = lab.at()
    desk.mark(1000, 2000)
    desk.submit("show me flights from {{ boston to denver }} please")
    yield lab
    lab.close()


def test_a_whole_corpus_is_brought_up_to_what_is_finished(lab: Lab, tmp_path: Path) -> None:
    made = {path: (lab.root / path).read_bytes() for path in (WAV, CROWN, SRO, LSN, "manifest.json")}
    (tmp_path / "other").mkdir()
    plain = Lab(tmp_path / "other")
    rewrite(Corpus(plain.root), finished_in(work_path(lab.root)))
    plain.close()
    assert {path: (plain.root / path).read_bytes() for path in made} == made


def test_a_part_of_a_corpus_keeps_masks_and_provenance(lab: Lab, tmp_path: Path) -> None:
    corpus = Corpus(lab.root)
    with staged(tmp_path / "part") as staging:
        copy_part([(corpus, {"8k8"})], staging, {})
    part = manifest.parse((tmp_path / "part/manifest.json").read_bytes(), "manifest.json")
    assert {path: part.files[path] for path in (WAV, CROWN, SRO, LSN)} == {
        path: corpus.manifest.files[path] for path in (WAV, CROWN, SRO, LSN)
    }
    assert verify(tmp_path / "part").findings == verify(lab.root).findings


def test_the_lexicon_follows_the_transcriptions(lab: Lab) -> None:
    corpus = Broken(lab.root)
    corpus.write(LEXICON, b"boston\t1\n")
    corpus.reseal()
    Rewriting(lab.root).finish()
    words = dict(lexicon.parse((lab.root / LEXICON).read_bytes(), LEXICON).counts)
    assert words["please"] == 1
    assert "boston" not in words
    assert not [each for each in verify(lab.root).findings if each.rule.startswith("manifest.")]


def test_who_withdraws_leaves_no_original_behind(lab: Lab) -> None:
    assert list(originals_of(lab.root).rglob("*.wav"))
    assert withdraw_command(str(lab.root), "8k8", (), False, lab.clock, io.StringIO(), io.StringIO()) == 0
    assert not [path for path in originals_of(lab.root).rglob("*") if path.is_file()]
    assert list(lab.work.transcripts()) == []


def test_a_mask_in_the_manifest_is_a_mask_in_the_file(lab: Lab) -> None:
    listed = Corpus(lab.root).manifest.files
    for path, rate in ((WAV, 16_000), (CROWN, 8_000)):
        sound = sphere.read(lab.root / path).samples()[:, 0].astype("int16")
        assert listed[path].masked
        assert not unbleeped(sound, listed[path].masked, rate)
