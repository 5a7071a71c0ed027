"""Words that a recogniser learns of a study's own sessions: those of finished transcriptions, else what was typed."""

from pathlib import Path

import pytest

from annotator.transcription import Transcribing
from corpus.dataset.reader import Corpus
from operators.recognition.recogniser import MissingEngineError
from operators.recognition.study_transcriptions import transcribed
from session.annotation.store import Work, work_path
from session.collection.erase_speaker import erase
from session.store.event_store import Store
from session.study.folder import Study, load
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.studies import fill, made_study, run

LEARNS = "\n[machines]\nlearns = true\n"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study with a session that was exported."""
    folder = made_study(tmp_path / "study")
    fill(folder, session_of("bbn", "8k8", stretch=0.6))
    (tmp_path / "elsewhere").mkdir()
    assert run(folder, tmp_path / "elsewhere" / "corpus")[0] == 0
    settings = folder / "study.toml"
    settings.write_text(settings.read_text() + LEARNS)
    return load(folder)


def correct(tmp_path: Path, text: str) -> Path:
    """Transcribe the first utterance at the desk, beside the exported corpus."""
    root = tmp_path / "elsewhere" / "corpus"
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, "anna", ManualClock())
    desk.open("8k8011sx")
    if "{{" in text:
        desk.mark(1000, 2000)
    desk.submit(text)
    work.close()
    return work_path(root)


def test_a_finished_transcription_takes_the_place_of_what_was_typed(study: Study, tmp_path: Path) -> None:
    typed = transcribed(study)
    assert len(typed) > 1
    correct(tmp_path, "show me fli- [um] flights to Albuquerque")
    learnt = transcribed(study)
    assert "show me flights to albuquerque" in learnt
    assert len(set(typed) - set(learnt)) == 1
    assert len(learnt) == len(typed)


def test_what_is_masked_is_not_learnt_from_it_or_from_what_was_typed(study: Study, tmp_path: Path) -> None:
    typed = transcribed(study)
    longest = max(typed, key=len)
    correct(tmp_path, f"i am {{{{ {longest.split()[-1].strip('.?')} }}}}")
    learnt = " ".join(transcribed(study))
    assert "i am" in learnt
    assert longest.split()[-1].strip(".?") not in learnt.split()


def test_nobody_who_left_is_learnt_from(study: Study, tmp_path: Path) -> None:
    correct(tmp_path, "show me flights to albuquerque")
    store = Store(study.store_url)
    erase(study, store, "8k8", [], ManualClock())
    store.close()
    assert transcribed(study) == ()


def test_work_that_cannot_be_read_is_told_with_its_place(study: Study, tmp_path: Path) -> None:
    place = correct(tmp_path, "show me flights to albuquerque")
    place.write_bytes(b"no database, whatever its name says")
    with pytest.raises(MissingEngineError, match=r"work\.sqlite"):
        transcribed(study)
