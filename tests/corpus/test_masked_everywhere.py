"""Words that identify a person, marked in one utterance, are nowhere in what leaves the lab: a search through all its bytes."""

import io
from pathlib import Path

import numpy as np
import pytest

from annotator.transcription import Transcribing
from corpus.annotation.apply import originals_of
from corpus.annotation.masking import tone
from corpus.annotation.submitted import finished_in
from corpus.commands.export import export_command
from corpus.commands.report import report_command
from corpus.commands.withdraw import Call, withdraw_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import Options
from corpus.handover.sync_annotations import catch_up
from corpus.packages import base
from corpus.packages.base import contents_of, write_package
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.masked import FIRST, NAME, OTHER, desk, holding, marked, naming, root, sound, source, withdrawn
from tests.corpus.sessions import MemorySource
from tests.corpus.studies import fill, made_study

__all__ = ["desk", "root", "source"]


def test_the_name_is_in_the_corpus_before_it_is_marked(root: Path) -> None:
    """Else the tests below would find nothing whatever happened."""
    kinds = {path.rpartition(".")[2] for path in holding(root)}
    assert kinds == {"log", "sro", "lsn", "com", "squ", "drf", "doc"}


def test_a_mark_in_one_utterance_takes_the_name_from_the_whole_corpus(root: Path, desk: Transcribing) -> None:
    marked(desk)
    assert holding(root) == []
    assert [each for each in verify(root).findings if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("form", base.FORMATS)
def test_no_format_of_today_has_the_name(root: Path, desk: Transcribing, tmp_path: Path, form: str) -> None:
    marked(desk)
    write_package(contents_of(Corpus(root)), tmp_path / form, form)
    assert holding(tmp_path / form) == []
    told = (tmp_path / form / "DATASHEET.md").read_text("utf-8")
    assert "waveforms with a tone over what would tell who somebody is: " in told
    assert "somebody is: 0" not in told


def test_the_report_does_not_name_anybody(root: Path, desk: Transcribing, tmp_path: Path) -> None:
    marked(desk)
    assert report_command(str(root), str(tmp_path / "page.html"), io.StringIO(), io.StringIO()) == 0
    assert holding(tmp_path / "page.html") == []


@pytest.mark.parametrize("as_riff", [False, True])
def test_the_next_export_is_the_same_as_the_corpus_that_was_masked(
    source: MemorySource, root: Path, desk: Transcribing, tmp_path: Path, as_riff: bool
) -> None:
    marked(desk)
    export(source, tmp_path / "again", Options(riff=as_riff, finished=finished_in(work_path(root))))
    assert holding(tmp_path / "again") == []
    assert not verify(tmp_path / "again").count(Severity.ERROR)
    for path in sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file()):
        if path.name not in ("manifest.json", "README.txt") and (path.suffix != ".wav" or not as_riff):
            assert (root / path).read_bytes() == (tmp_path / "again" / path).read_bytes(), path


def test_sound_goes_where_somebody_marked_it_and_whole_where_nobody_did(root: Path, desk: Transcribing) -> None:
    before = {stem: sound(root, f"spon/{stem[:3]}/1/{stem[:-1]}s.wav") for stem in (FIRST, OTHER)}
    marked(desk)
    mine, other = (sound(root, f"spon/{stem[:3]}/1/{stem[:-1]}s.wav") for stem in (FIRST, OTHER))
    assert np.array_equal(mine[1000:2000], tone(1000, 16_000))
    assert np.array_equal(np.delete(mine, slice(1000, 2000)), np.delete(before[FIRST], slice(1000, 2000)))
    assert np.array_equal(other, tone(len(other), 16_000))


def test_a_practice_take_in_which_the_name_was_typed_is_hidden_in_the_next_export(
    root: Path, desk: Transcribing, tmp_path: Path
) -> None:
    marked(desk)
    said = MemorySource(naming(session_of("bbn", "8k8", stretch=0.6), ("8k8A1", "8k8P1")))
    export(said, tmp_path / "again", Options(unnumbered=True, finished=finished_in(work_path(root))))
    path = "unnumbered/bbn-20261121-1/8k8P1-s.wav"
    practice = sound(tmp_path / "again", path)
    assert np.array_equal(practice, tone(len(practice), 16_000))
    assert [each for each in verify(tmp_path / "again").findings if each.severity is Severity.ERROR] == []


def test_half_a_file_of_a_desk_that_was_killed_goes_when_a_desk_is_left(root: Path, desk: Transcribing) -> None:
    half = root / "doc/.lexicon.doc.99999.part"
    half.write_text("philippa\t1\n", "utf-8")
    marked(desk)
    assert not half.exists()


def test_who_transcribes_the_other_utterance_hears_it_and_decides(root: Path, desk: Transcribing) -> None:
    marked(desk)
    assert [item.stem for item in desk.named()] == [OTHER]
    opened = desk.open(OTHER)
    assert not np.array_equal(opened.sound, tone(len(opened.sound), opened.rate))
    assert "philippa" in opened.text.lower()
    assert NAME in opened.typed
    desk.submit("of philippa o'schenectady now")
    assert [Path(path).name for path in holding(root) if path.endswith(("o", "n"))] == ["8k9011sx.lsn", "8k9011sx.sro"]
    assert desk.open(OTHER).item.stem in [item.stem for item in desk.named()]
    desk.reopen("it is her after all")
    desk.mark(0, 900)
    desk.submit("of {{ philippa o'schenectady }} now")
    desk.finish()
    assert holding(root) == []
    assert desk.named() == []


def test_who_withdraws_takes_nobody_elses_mask_along(root: Path, desk: Transcribing) -> None:
    marked(desk)
    err = io.StringIO()
    assert withdraw_command(str(root), Call("8k8"), ManualClock(), io.StringIO(), err) == 0
    assert "1 utterances of others, 8k9011sx the first" in err.getvalue()
    assert holding(root) == []
    work = Work(work_path(root))
    after = Transcribing(Corpus(root), work, "ben", ManualClock())
    after.catch_up()
    after.finish()
    assert holding(root) == []
    assert [item.stem for item in after.to_check()] == [OTHER]
    after.open(OTHER)
    after.check("of {{ philippa o'schenectady }} now")
    work.close()
    assert (root / "spon/8k9/1/8k9011sx.sro").read_text("utf-8") == "of [masked] now\n"
    assert not verify(root).count(Severity.ERROR)


def test_whoever_leaves_last_takes_no_mark_of_another_desk_back(root: Path, desk: Transcribing) -> None:
    other_work = Work(work_path(root))
    other = Transcribing(Corpus(root), other_work, "bert", ManualClock())
    other.open("8k8012sx")
    marked(desk)
    other.submit("show me fares")
    assert other.finish() == []
    other_work.close()
    assert holding(root) == []


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A corpus in which she says her name, and others have it in remarks, forms and answers alone; it is masked."""
    root = tmp_path / "written"
    leaving, staying = session_of("bbn", "8k8", stretch=0.6), session_of("bbn", "8k9", "m", 2, stretch=0.6)
    export(MemorySource(naming(leaving, ("8k8A1",)), naming(staying)), root)
    work = Work(work_path(root))
    marked(Transcribing(Corpus(root), work, "anna", ManualClock()))
    work.close()
    return root


def test_a_name_that_others_only_wrote_stays_masked_when_who_marked_it_withdraws(written: Path) -> None:
    status, told = withdrawn(written)
    assert (status, "1 names that only 8k8's transcriptions marked" in told) == (0, True)
    assert holding(written) == []
    known = finished_in(work_path(written))
    assert catch_up(Corpus(written), lambda: known) == []
    assert holding(written) == []
    again = written.with_name("again")
    export(MemorySource(naming(session_of("bbn", "8k9", "m", 2, stretch=0.6))), again, Options(finished=known))
    assert holding(again) == []


def test_a_study_goes_on_masking_what_others_only_wrote_when_who_marked_it_withdraws(tmp_path: Path) -> None:
    study = made_study(tmp_path / "study")
    fill(study, naming(session_of("bbn", "8k8", stretch=0.6), ("8k8A1",)))
    fill(study, naming(session_of("bbn", "8k9", "m", 2, stretch=0.6)))

    def exported(name: str) -> Path:
        assert export_command(str(study), str(tmp_path / name), "sphere", False, (), io.StringIO(), io.StringIO()) == 0
        return tmp_path / name

    work = Work(work_path(exported("first")))
    marked(Transcribing(Corpus(tmp_path / "first"), work, "anna", ManualClock()))
    work.close()
    assert "first still holds takes of 8k8" in withdrawn(study)[1]
    assert holding(exported("next")) == []


def test_nothing_of_the_person_is_left_among_the_originals_of_masked_files(written: Path) -> None:
    assert any("8k8" in path.name for path in originals_of(written).rglob("*.drf"))
    withdrawn(written)
    left = [path.relative_to(originals_of(written)).as_posix() for path in originals_of(written).rglob("*")]
    assert left
    assert not any("8k8" in path for path in left)


def test_a_mark_that_is_taken_back_brings_everything_back(root: Path, desk: Transcribing) -> None:
    before = {path: path.read_bytes() for path in sorted(root.rglob("*.*")) if path.is_file()}
    marked(desk)
    desk.open(FIRST)
    desk.reopen("a city")
    desk.unmark(1500)
    desk.submit("this is philippa o'schenectady please")
    desk.finish()
    changed = {path.name for path, data in before.items() if path.read_bytes() != data}
    assert changed == {"8k8011sx.sro", "8k8011sx.lsn", "lexicon.doc", "manifest.json"}
    assert Corpus(root).manifest.files["spon/8k9/1/8k9011sx.sro"].draft
