"""Words that identify a person, marked in one utterance, are nowhere in what leaves the lab: a search through all its bytes."""

import io
from pathlib import Path

import numpy as np
import pytest

from annotator.transcription import Transcribing
from corpus.annotation.masked_sound import tone
from corpus.annotation.submitted import finished_in
from corpus.commands.export import ExportRequest, export_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.report import ReportOptions, report_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.masked import FIRST, NAME, OTHER, desk, holding, marked, naming, root, sound, source, withdrawn
from tests.corpus.packages.packed import WRITABLE, toy_database
from tests.corpus.sessions import MemorySource
from tests.corpus.studies import fill, made_study

__all__ = ["desk", "root", "source"]


def derived(root: Path, name: str = "derived") -> Path:
    """A new corpus out of `root`, with all that is finished beside it."""
    err = io.StringIO()
    status = export_command(ExportRequest(str(root), str(root.with_name(name))), io.StringIO(), err)
    assert status == 0, err.getvalue()
    return root.with_name(name)


def test_the_name_is_in_the_corpus_before_it_is_marked(root: Path) -> None:
    """Else the tests below would find nothing whatever happened."""
    kinds = {path.rpartition(".")[2] for path in holding(root)}
    assert kinds == {"log", "sro", "lsn", "com", "squ", "drf", "doc"}


def test_a_mark_in_one_utterance_takes_the_name_from_the_whole_corpus(root: Path, desk: Transcribing) -> None:
    before = {path: path.read_bytes() for path in sorted(root.rglob("*.*")) if path.is_file()}
    marked(desk)
    assert before == {path: path.read_bytes() for path in sorted(root.rglob("*.*")) if path.is_file()}
    new = derived(root)
    assert holding(new) == []
    assert [finding for finding in verify(new).findings if finding.severity is Severity.ERROR] == []
    assert before == {path: path.read_bytes() for path in sorted(root.rglob("*.*")) if path.is_file()}


@pytest.mark.parametrize("form", WRITABLE)
def test_no_format_of_today_has_the_name(root: Path, desk: Transcribing, tmp_path: Path, form: str) -> None:
    marked(desk)
    database = str(toy_database(tmp_path)) if form == "text2sql" else ""
    request = ExportRequest(str(root), str(tmp_path / form), form=form, database=database)
    assert export_command(request, io.StringIO(), io.StringIO()) == 0
    assert holding(tmp_path / form) == []
    output = (tmp_path / form / "DATASHEET.md").read_text("utf-8")
    assert "waveforms with a tone over what would tell who somebody is: " in output
    assert "somebody is: 0" not in output


def test_the_report_does_not_name_anybody(root: Path, desk: Transcribing, tmp_path: Path) -> None:
    marked(desk)
    assert (
        report_command(ReportOptions(str(derived(root)), str(tmp_path / "page.html")), io.StringIO(), io.StringIO())
        == 0
    )
    assert holding(tmp_path / "page.html") == []


@pytest.mark.parametrize("as_riff", [False, True])
def test_the_next_export_of_the_study_is_the_same_as_one_over_the_corpus(
    source: MemorySource, root: Path, desk: Transcribing, tmp_path: Path, as_riff: bool
) -> None:
    marked(desk)
    export(source, tmp_path / "again", ExportOptions(riff=as_riff, finished=finished_in(work_path(root))))
    assert holding(tmp_path / "again") == []
    assert not verify(tmp_path / "again").count(Severity.ERROR)
    over = derived(root)
    for path in sorted(path.relative_to(over) for path in over.rglob("*") if path.is_file()):
        if path.name not in ("manifest.json", "README.txt") and (path.suffix != ".wav" or not as_riff):
            assert (over / path).read_bytes() == (tmp_path / "again" / path).read_bytes(), path


def test_sound_goes_where_somebody_marked_it_and_whole_where_nobody_did(root: Path, desk: Transcribing) -> None:
    before = {stem: sound(root, f"spon/{stem[:3]}/1/{stem[:-1]}s.wav") for stem in (FIRST, OTHER)}
    marked(desk)
    new = derived(root)
    mine, other = (sound(new, f"spon/{stem[:3]}/1/{stem[:-1]}s.wav") for stem in (FIRST, OTHER))
    assert np.array_equal(mine[1000:2000], tone(1000, 16_000))
    assert np.array_equal(np.delete(mine, slice(1000, 2000)), np.delete(before[FIRST], slice(1000, 2000)))
    assert np.array_equal(other, tone(len(other), 16_000))


def test_a_practice_take_in_which_the_name_was_typed_is_hidden_in_the_next_export(
    root: Path, desk: Transcribing, tmp_path: Path
) -> None:
    marked(desk)
    said = MemorySource(naming(session_of("bbn", "8k8", stretch=0.6), ("8k8A1", "8k8P1")))
    export(said, tmp_path / "again", ExportOptions(unnumbered=True, finished=finished_in(work_path(root))))
    path = "unnumbered/bbn-20261121-1/8k8P1-s.wav"
    practice = sound(tmp_path / "again", path)
    assert np.array_equal(practice, tone(len(practice), 16_000))
    assert [finding for finding in verify(tmp_path / "again").findings if finding.severity is Severity.ERROR] == []


def test_who_transcribes_the_other_utterance_hears_it_and_decides(root: Path, desk: Transcribing) -> None:
    marked(desk)
    assert [item.stem for item in desk.named()] == [OTHER]
    opened = desk.open(OTHER)
    assert not np.array_equal(opened.sound, tone(len(opened.sound), opened.rate))
    assert "philippa" in opened.text.lower()
    assert NAME in opened.typed
    desk.submit("of philippa o'schenectady now")
    said = [Path(path).name for path in holding(derived(root)) if path.endswith(("o", "n"))]
    assert said == ["8k9011sx.lsn", "8k9011sx.sro"]
    assert desk.open(OTHER).item.stem in [item.stem for item in desk.named()]
    desk.reopen("it is her after all")
    desk.mark(0, 900)
    desk.submit("of {{ philippa o'schenectady }} now")
    assert holding(derived(root, "again")) == []
    assert desk.named() == []


def test_who_withdraws_takes_nobody_elses_mask_along(root: Path, desk: Transcribing) -> None:
    marked(desk)
    status, output = withdrawn(root)
    assert (status, "1 name on the list of masks" in output) == (0, True)
    assert "philippa" not in str([*Work(work_path(root)).transcripts()])
    new = derived(root)
    assert holding(new) == []
    other = sound(new, "spon/8k9/1/8k9011ss.wav")
    assert np.array_equal(other, tone(len(other), 16_000))
    assert not verify(new).count(Severity.ERROR)
    assert holding(derived(new, "later")) == []


def test_what_was_masked_stays_masked_in_every_corpus_made_of_it(root: Path, desk: Transcribing) -> None:
    marked(desk)
    first = derived(root)
    desk.open(FIRST)
    desk.reopen("a city")
    desk.unmark(1500)
    desk.submit("this is philippa o'schenectady please")
    second = derived(first, "second")
    path = "spon/8k8/1/8k8011ss.wav"
    assert np.array_equal(sound(second, path)[1000:2000], tone(1000, 16_000))
    assert Corpus(second).manifest.files[path].masked == Corpus(first).manifest.files[path].masked


def test_a_corpus_that_lacks_a_mask_is_not_handed_over(root: Path, desk: Transcribing, tmp_path: Path) -> None:
    marked(desk)
    err = io.StringIO()
    assert merge_command(MergeOptions([str(root)], str(tmp_path / "all")), io.StringIO(), err) == 2
    assert f"curtain export {root} NEW" in err.getvalue()
    assert merge_command(MergeOptions([str(derived(root))], str(tmp_path / "all")), io.StringIO(), err) == 0


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A corpus in which she says her name, and others have it in remarks, forms and answers alone; it is marked."""
    root = tmp_path / "written"
    leaving, staying = session_of("bbn", "8k8", stretch=0.6), session_of("bbn", "8k9", "m", 2, stretch=0.6)
    export(MemorySource(naming(leaving, ("8k8A1",)), naming(staying)), root)
    work = Work(work_path(root))
    marked(Transcribing(Corpus(root), work, "anna", ManualClock()))
    work.close()
    return root


def test_a_name_that_others_only_wrote_stays_masked_when_who_marked_it_withdraws(written: Path) -> None:
    assert withdrawn(written)[0] == 0
    known = finished_in(work_path(written))
    assert holding(derived(written)) == []
    again = written.with_name("again")
    export(MemorySource(naming(session_of("bbn", "8k9", "m", 2, stretch=0.6))), again, ExportOptions(finished=known))
    assert holding(again) == []


def test_a_study_goes_on_masking_what_others_said_when_who_marked_it_withdraws(tmp_path: Path) -> None:
    """Though the work beside the export that was marked is gone."""
    study = made_study(tmp_path / "study")
    fill(study, naming(session_of("bbn", "8k8", stretch=0.6), ("8k8A1",)))
    fill(study, naming(session_of("bbn", "8k9", "m", 2, stretch=0.6), ("8k9A1",)))

    def exported(name: str) -> Path:
        err = io.StringIO()
        assert export_command(ExportRequest(str(study), str(tmp_path / name)), io.StringIO(), err) == 0, err.getvalue()
        return tmp_path / name

    (tmp_path / "far").mkdir()
    work = Work(work_path(exported("far/first")))
    marked(Transcribing(Corpus(tmp_path / "far/first"), work, "anna", ManualClock()))
    work.close()
    assert "first still holds 8k8: curtain withdraw" in withdrawn(study)[1]
    assert holding(exported("next")) == []
    assert withdrawn(tmp_path / "far/first")[0] == 0
    assert withdrawn(study)[0] == 0
    assert holding(exported("last")) == []
