"""Where two sites' blocks of ids overlapped, one id is two people's: who leaves takes nothing along of the other one."""

import io
from pathlib import Path

import msgspec
import pytest

from annotator.transcription import Transcribing
from corpus.commands.export import export_command
from corpus.commands.withdraw import Call, withdraw_command
from corpus.dataset.reader import Corpus
from session import events as e
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.leaving_world import LEAVES, STAYS, speaking
from tests.corpus.namesakes import exported
from tests.corpus.sessions import Script


def namesake(site: str) -> Script:
    """Somebody else of the id, whose takes are his own."""
    script = speaking("9k9", "the walrus flies", site)
    for at, each in enumerate(script.facts):
        if isinstance(each.event, e.SessionOpened):
            named = msgspec.structs.replace(each.event.speaker, id=LEAVES)
            script.facts[at] = msgspec.structs.replace(each, event=msgspec.structs.replace(each.event, speaker=named))
    return script


def transcribe(corpus: Path, *texts: str) -> None:
    work = Work(work_path(corpus))
    desk = Transcribing(Corpus(corpus), work, "anna", ManualClock())
    for number, text in enumerate(texts, start=1):
        desk.open(f"{LEAVES}0{number}1sx")
        desk.submit(text)
    desk.finish()
    work.close()


@pytest.mark.parametrize("site", ["sri", "bbn"])
@pytest.mark.parametrize("begun", ["study", "corpus"])
def test_what_people_did_on_the_utterances_of_a_namesake_beside_stays(tmp_path: Path, begun: str, site: str) -> None:
    ours = exported(tmp_path, "ours", speaking(LEAVES, "the zeppelin"), speaking(STAYS, "to omaha"))
    theirs = exported(tmp_path, "theirs", namesake(site))
    transcribe(ours, "the zeppelin", "the zeppelin again")
    transcribe(theirs, "the walrus flies", "the walrus flies again")
    target = tmp_path / "study-ours" if begun == "study" else ours
    for _ in range(2):
        err = io.StringIO()
        assert withdraw_command(str(target), Call(LEAVES, copies=True), ManualClock(), io.StringIO(), err) == 0, err
    work = Work(work_path(theirs))
    texts = sorted(each.text for each in work.transcripts())
    assert (texts, work.verify()) == (["the walrus flies", "the walrus flies again"], [])
    work.close()


def test_what_people_did_on_hers_beside_another_corpus_of_her_study_goes(tmp_path: Path) -> None:
    first = exported(tmp_path, "first", speaking(LEAVES, "the zeppelin"), speaking(STAYS, "to omaha"))
    study, target = tmp_path / "study-first", tmp_path / "corpora/part"
    session = Corpus(first).sessions_of(LEAVES)[0]
    call = (str(study), str(target), "sphere", False, (session,), io.StringIO(), io.StringIO())
    assert export_command(*call) == 0
    transcribe(target, "the zeppelin")
    assert withdraw_command(str(first), Call(LEAVES), ManualClock(), io.StringIO(), io.StringIO()) == 0
    work = Work(work_path(first))
    assert [*work.transcripts()] == []
    work.close()


def test_a_second_call_spares_a_namesake_whose_corpus_is_not_beside_any_more(tmp_path: Path) -> None:
    ours = exported(tmp_path, "ours", speaking(LEAVES, "the zeppelin"), speaking(STAYS, "to omaha"))
    theirs = exported(tmp_path, "theirs", namesake("sri"))
    transcribe(ours, "the zeppelin")
    transcribe(theirs, "the walrus flies", "the walrus flies again")
    theirs.rename(tmp_path / "theirs")
    for _ in range(2):
        err = io.StringIO()
        assert withdraw_command(str(tmp_path / "study-ours"), Call(LEAVES), ManualClock(), io.StringIO(), err) == 1
        assert f"{ours} still holds takes of {LEAVES}" in err.getvalue()
    work = Work(work_path(ours))
    assert sorted(each.text for each in work.transcripts()) == ["the walrus flies", "the walrus flies again"]
    work.close()
