"""What is masked stays so: after a desk was killed, when who marked it leaves, and no longer than anybody needs it."""

import io
import shutil
from pathlib import Path

import msgspec
import pytest

from annotator.transcription import Transcribing
from corpus.commands.export import export_command
from corpus.commands.merge import merge_command
from corpus.commands.withdraw import Call, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.handover.sync_annotations import caught_up
from session import events as e
from session.annotation.events import NameKept
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.masked import FIRST, desk, holding, marked, naming, root, source, withdrawn
from tests.corpus.sessions import MemorySource, Script
from tests.corpus.studies import fill, made_study

__all__ = ["desk", "root", "source"]


def killed_after_marking(desk: Transcribing) -> None:
    """The mark is recorded and its own subject-scenario is written; the desk never comes to leave."""
    desk.open(FIRST)
    desk.mark(1000, 2000)
    desk.submit("this is {{ philippa o'schenectady }} please")


def test_a_desk_that_was_killed_after_a_mark_leaves_the_name_in_nothing_that_is_made_afterwards(
    root: Path, desk: Transcribing, tmp_path: Path
) -> None:
    killed_after_marking(desk)
    assert any("8k9" in path for path in holding(root)), "else there is nothing to catch up with"
    other = Path(shutil.copytree(root, tmp_path / "other"))
    err = io.StringIO()
    assert export_command(str(root), str(tmp_path / "csv"), "csv", False, (), io.StringIO(), err) == 0
    assert f"{root} got what was finished at the transcription desk" in err.getvalue()
    assert merge_command([str(other)], str(tmp_path / "merged"), io.StringIO(), err) == 0
    assert [path for made in (root, other, tmp_path / "csv", tmp_path / "merged") for path in holding(made)] == []


def test_a_desk_that_was_killed_after_a_mark_is_caught_up_with_when_the_next_is_opened(
    root: Path, desk: Transcribing, tmp_path: Path
) -> None:
    killed_after_marking(desk)
    work = Work(work_path(root))
    assert Transcribing(Corpus(root), work, "ben", ManualClock()).catch_up() == []
    work.close()
    assert holding(root) == []
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    assert caught_up(root, io.StringIO()).manifest == Corpus(root).manifest
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def misspelling(speaker: str, number: int) -> Script:
    """Somebody of whom the wizard wrote the name in haste."""
    script = session_of("bbn", speaker, "m", number, stretch=0.3)
    for at, each in enumerate(script.facts):
        if isinstance(each.event, e.Transcribed) and each.event.take == f"{speaker}A2":
            event = msgspec.structs.replace(each.event, text="for phillipa o'schenektady please")
            script.facts[at] = msgspec.structs.replace(each, event=event)
    return script


def test_a_name_that_is_misspelt_is_told_at_the_desk_and_when_somebody_leaves_and_is_not_masked(tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    export(MemorySource(naming(session_of("bbn", "8k8", stretch=0.3), ("8k8A1",)), misspelling("8k7", 3)), root)
    work = Work(work_path(root))
    desk = Transcribing(Corpus(root), work, "anna", ManualClock())
    marked(desk)
    assert [item.stem for item in desk.nearly_named()] == ["8k7021sx"]
    assert [item.stem for item in desk.nearly_named(desk.names)] == ["8k7021sx"]
    desk.open("8k7011sx")
    desk.submit("with felippa o'schenectady in boston")
    desk.open("8k7012sx")
    desk.submit("with philippa o'schenectady in boston")
    work.close()
    status, told = withdrawn(root)
    told_of = "nearly such words, perhaps misspelt, stand in 8k7011sx 8k7021sx: nothing was masked"
    assert (status, told_of in told) == (0, True)
    assert "phillipa" in (root / "spon/8k7/1/8k7021sx.sro").read_text("utf-8")


def test_a_misspelling_in_a_remark_a_solution_or_a_questionnaire_is_told_too(tmp_path: Path) -> None:
    root, said = tmp_path / "corpus", "of phillipa o'schenektady"
    script = session_of("bbn", "8k7", "m", 3)
    for at, each in enumerate(script.facts):
        changes: dict[str, object] = {}
        if isinstance(each.event, e.NoteWritten):
            changes = {"text": said}
        if isinstance(each.event, e.QuestionnaireAnswered):
            changes = {"answers": dict.fromkeys(each.event.answers, said)}
        script.facts[at] = msgspec.structs.replace(each, event=msgspec.structs.replace(each.event, **changes))
    export(MemorySource(naming(session_of("bbn", "8k8"), ("8k8A1",)), script), root)
    work = Work(work_path(root))
    marked(Transcribing(Corpus(root), work, "anna", ManualClock()))
    work.close()
    status, told = withdrawn(root)
    found = "nearly such words, perhaps misspelt, stand in 8k7001sx.log 8k7002sx.squ: nothing was masked there"
    assert (status, found in told, "with --named WORDS" in told) == (0, True, True)
    assert "phillipa" in (root / "spon/8k7/2/8k7002sx.squ").read_text("utf-8"), "likeness masks nothing"


def test_a_name_is_forgotten_when_all_who_wrote_it_have_left_and_not_before(tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    sessions = (naming(session_of("bbn", speaker, number=at)) for at, speaker in enumerate(("8k7", "8k9"), 2))
    export(MemorySource(naming(session_of("bbn", "8k8"), ("8k8A1",)), *sessions), root)
    work = Work(work_path(root))
    marked(Transcribing(Corpus(root), work, "anna", ManualClock()))
    for speaker, left, told in (
        ("8k8", [("8k7", "8k9")], "they stay masked"),
        ("8k7", [("8k7", "8k9")], ""),
        ("8k9", [], "1 names that were kept masked are forgotten"),
    ):
        err = io.StringIO()
        assert withdraw_command(str(root), Call(speaker), ManualClock(), io.StringIO(), err) == 0
        assert [fact.speakers for fact in work.kept()] == left
        assert told in err.getvalue()
    work.close()
    assert holding(tmp_path) == []
    assert b"philippa" not in work_path(root).read_bytes()


def test_a_name_that_a_study_s_others_wrote_outlives_a_corpus_that_has_them_not(tmp_path: Path) -> None:
    root = tmp_path / "corpus"
    export(MemorySource(naming(session_of("bbn", "8k8"), ("8k8A1",))), root)
    work = Work(work_path(root))
    kept = NameKept(words=("philippa", "smith"), speakers=("8k1",))
    work.keep_names([kept], e.NOWHERE, "withdrawal of 8k0")
    assert withdrawn(root)[0] == 0
    assert work.kept() == [kept]
    work.close()


def test_a_name_that_only_another_site_s_corpus_beside_has_stays_masked_there(tmp_path: Path) -> None:
    study, root, other = made_study(tmp_path / "study"), tmp_path / "corpus", tmp_path / "other"
    fill(study, naming(session_of("bbn", "8k8"), ("8k8A1",)))
    assert export_command(str(study), str(root), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
    export(MemorySource(naming(session_of("sri", "9k3", number=2), ("9k3A1",))), other)
    work = Work(work_path(root))
    marked(Transcribing(Corpus(root), work, "anna", ManualClock()))
    work.close()
    caught_up(other, io.StringIO())
    assert holding(other) == []
    assert withdraw_command(str(study), Call("8k8", copies=True), ManualClock(), io.StringIO(), io.StringIO()) == 0
    assert export_command(str(other), str(tmp_path / "csv"), "csv", False, (), io.StringIO(), io.StringIO()) == 0
    assert holding(other) + holding(tmp_path / "csv") == []


@pytest.fixture
def early(tmp_path: Path) -> Path:
    """A study with two who speak of her, the corpus `early` that was made when only she had spoken, in which it is marked, and
    one of somebody else that lies elsewhere."""
    study = made_study(tmp_path / "study")
    fill(study, naming(session_of("bbn", "8k8"), ("8k8A1",)))
    assert export_command(str(study), str(tmp_path / "early"), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
    fill(study, naming(session_of("bbn", "8k9", number=2), ("8k9A1",)))
    fill(study, naming(session_of("bbn", "8k7", number=3)))
    (tmp_path / "far").mkdir()
    far, only = str(tmp_path / "far/others"), ("bbn-20261121-2",)
    assert export_command(str(study), far, "sphere", False, only, io.StringIO(), io.StringIO()) == 0
    work = Work(work_path(tmp_path / "early"))
    marked(Transcribing(Corpus(tmp_path / "early"), work, "anna", ManualClock()))
    work.close()
    return tmp_path


def left(target: Path) -> tuple[int, str]:
    err = io.StringIO()
    status = withdraw_command(str(target), Call("8k8", copies=True), ManualClock(), io.StringIO(), err)
    return status, err.getvalue()


def next_of(lab: Path) -> list[str]:
    assert export_command(str(lab / "study"), str(lab / "next"), "sphere", True, (), io.StringIO(), io.StringIO()) == 0
    return holding(lab / "next")


def test_who_leaves_a_corpus_before_its_study_stays_masked_in_what_others_of_the_study_said_and_wrote(
    early: Path,
) -> None:
    status, told = left(early / "early")
    assert (status, "1 utterances of others, 8k9011sx the first" in told) == (0, True)
    assert any("8k9" in path for path in holding(early / "far/others"))
    status, told = left(early / "study")
    assert (status, "was made before something was masked" in told) == (0, False)
    assert next_of(early) + holding(early / "far/others") == []


def test_a_study_that_is_elsewhere_meanwhile_holds_the_name_until_it_is_back_and_the_same_call_is_made(
    early: Path,
) -> None:
    (early / "study").rename(early / "away")
    status, told = left(early / "early")
    assert (status, f"cannot be read, so that nobody knows what others said there: {early / 'study'} (" in told) == (
        1,
        True,
    )
    (early / "away").rename(early / "study")
    status, told = left(early / "early")
    assert (status, "1 names that were kept masked are forgotten" in told) == (0, False)
    assert next_of(early) == []


@pytest.mark.parametrize("wrote", [True, False])
def test_a_damaged_corpus_beside_is_told_and_holds_the_name_until_it_is_mended(early: Path, wrote: bool) -> None:
    beside, other = early / "beside", session_of("sri", "9k3", number=4)
    export(MemorySource(naming(other, ("9k3A1",)) if wrote else other), beside)
    log = beside / "spon/9k3/1/9k3001sx.log"
    whole = log.read_bytes()
    log.write_bytes(b"no log at all\n")
    shutil.rmtree(early / "study")
    (early / "early.exports.json").unlink()
    for _ in range(2):
        status, told = left(early / "early")
        assert (status, f"said there: {beside} (spon/9k3/1/9k3001sx.log:1: " in told) == (1, True)
    log.write_bytes(whole)
    status, told = left(early / "early")
    assert (status, "1 names that were kept masked are forgotten" in told) == (0, not wrote)
    assert (b"philippa" in work_path(early / "early").read_bytes().lower()) is wrote
    caught_up(beside, io.StringIO())
    assert holding(beside) == []
