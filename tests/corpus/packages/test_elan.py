"""ELAN documents: tiers, vocabularies, and the sound of a subject-scenario at its places in time."""

from pathlib import Path

import numpy as np
import pytest

from corpus.formats import riff
from corpus.formats.errors import FormatFault
from corpus.packages import eaf
from corpus.packages.eaf import AnnotationTier, Document, EafAnnotation
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.packages.packed import pack


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("elan")
    corpus = corpus_of(folder / "corpus", session_of("bbn", "8k1", "f", 1, 0.1))
    return corpus, pack(corpus, folder / "elan", "elan") / "8k1"


def test_each_utterance_stands_in_the_sound_where_its_words_stand(package: tuple[Path, Path]) -> None:
    corpus, root = package
    document = eaf.parse((root / "8k1001sx.eaf").read_bytes(), "8k1001sx.eaf")
    assert document.media == "8k1001s_timeline.wav"
    whole = riff.read(root / document.media)
    words, system, wizard, pauses = document.tiers
    assert [tier.participant for tier in document.tiers] == ["8k1", "system", "w2", ""]
    samples = whole.samples().ravel()
    silent = np.ones(len(samples), bool)
    for one in words.annotations:
        (path,) = corpus.rglob(f"{one.below['utterance'][:-1]}s.wav")
        spoken = np.frombuffer(path.read_bytes()[1024:], "<i2")
        near = one.begin * 16 - 8, one.begin * 16 + 9
        at = next(at for at in range(*near) if np.array_equal(samples[at : at + len(spoken)], spoken))
        silent[at : at + len(spoken)] = False
    assert not samples[silent].any()
    assert words.annotations[0].text == "SHOW ME FLIGHTS FROM BOSTON TO DENVER PLEASE"
    assert words.annotations[0].below["detailed"].startswith("show me")
    assert [one.below["response"] for one in system.annotations][:2] == ["answer", "diagnostic"]
    assert {one.below["response"] for one in system.annotations} <= document.vocabularies["response"].keys()
    assert wizard.annotations[0].text == "1 transcribes"
    assert [one.text for one in pauses.annotations] == ["pause"]
    for tier in document.tiers:
        assert all(one.end <= then.begin for one, then in zip(tier.annotations, tier.annotations[1:], strict=False))


def test_a_document_is_read_back_byte_by_byte(package: tuple[Path, Path]) -> None:
    for path in package[1].glob("*.eaf"):
        data = path.read_bytes()
        assert eaf.render(eaf.parse(data, path.name)) == data
    below = {"class": "A", "note": "two\nlines"}
    tier = AnnotationTier(
        "words", "8k1", (EafAnnotation(5, 9, "<&> é", below), EafAnnotation(9, 10, "")), ("class", "note")
    )
    made = Document("2026-11-21T09:00:00+00:00", "", "", (tier,), {"class": {"A": "answerable"}})
    assert eaf.parse(eaf.render(made), "x.eaf") == made


@pytest.mark.parametrize(
    ("data", "found"), [(b"<a", "cannot be read"), (b"\xff", "cannot be"), (b"<a/>", "not a document")]
)
def test_what_is_no_document_is_refused(data: bytes, found: str) -> None:
    with pytest.raises(FormatFault, match=found):
        eaf.parse(data, "x.eaf")
