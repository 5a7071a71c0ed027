"""Copies that were made before somebody's name was marked are told, as long as they have it, and no others."""

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.transcription import Transcribing
from corpus.annotation.submitted import finished_in
from corpus.commands.export import export_command
from corpus.commands.holdout import Drawing, holdout_command
from corpus.commands.merge import merge_command
from corpus.commands.report import report_command
from corpus.dataset.reader import Corpus
from corpus.export.madcow import export
from corpus.handover.outdated_copies import outdated, told_of_outdated
from corpus.packages import base
from corpus.release.holdout_file import Holdout, render
from corpus.release.utterance_status import POOL, RELEASE
from session.annotation.store import Work, work_path
from session.values.clock import ManualClock
from tests.corpus.corpora import session_of
from tests.corpus.masked import FIRST, OTHER, marked, naming
from tests.corpus.sessions import MemorySource
from tests.corpus.studies import fill, made_study

SOUNDING = {"kaldi", "audiofolder", "lhotse", "textgrid", "bagit"}


def sessions() -> MemorySource:
    return MemorySource(
        naming(session_of("bbn", "8k8"), ("8k8A1", "8k8A2")),
        naming(session_of("bbn", "8k9", "m", 2), ("8k9A1",)),
    )


def packed(source: Path, target: Path, form: str) -> str:
    err = io.StringIO()
    assert export_command(str(source), str(target), form, False, (), io.StringIO(), err) == 0
    return err.getvalue()


def told(lab: Path) -> dict[str, str]:
    """The lines by the name of the copy, those that tell of none left out."""
    lines = told_of_outdated(lab / "whole", Corpus(lab / "whole"), lambda: finished_in(work_path(lab / "whole")))
    named = (line.split(" was made before something was masked") for line in lines.splitlines())
    return {Path(name).name: rest[0] for name, *rest in named if rest}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus and all that can be made of it; then she is marked."""
    lab = tmp_path_factory.mktemp("lab")
    export(sessions(), lab / "whole")
    desk = Transcribing(Corpus(lab / "whole"), work := Work(work_path(lab / "whole")), "anna", ManualClock())
    desk.open("8k8012sx")
    desk.submit("this is philippa o'schenectady please")
    desk.finish()
    for form in base.FORMATS:
        packed(lab / "whole", lab / form, form)
    assert report_command(str(lab / "whole"), str(lab / "page.html"), io.StringIO(), io.StringIO()) == 0
    assert merge_command([str(lab / "whole")], str(lab / "merged"), io.StringIO(), io.StringIO()) == 0
    assert told(lab) == {}
    desk.open("8k8012sx")
    desk.reopen("it is she")
    desk.mark(0, 900)
    desk.submit("this is {{ philippa o'schenectady }} please")
    marked(desk)
    work.close()
    return lab


@pytest.fixture
def again(lab: Path) -> Iterator[Path]:
    """Whatever is made in a test is gone after it."""
    before = {*lab.iterdir()}
    notes = {path: path.read_bytes() for path in (lab / "whole.exports.json", lab / "holdout.json")}
    yield lab
    for path, data in notes.items():
        path.write_bytes(data)
    for path in {*lab.iterdir()} - before:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def test_every_copy_from_before_is_told_with_the_sound_and_the_words_that_it_has_yet(lab: Path) -> None:
    found = told(lab)
    assert {"merged", *base.FORMATS} <= set(found) <= {"merged", "page.html", *base.FORMATS}
    assert {name for name, line in found.items() if "the sound of 8k8011sx, 8k80" in line} == {"merged", *SOUNDING}
    assert {name for name, line in found.items() if "words in " in line} == set(found)
    assert "words in ref.trn" in found["trn"]
    assert all(line.endswith("make it anew, and let whoever got it drop it") for line in found.values())


def test_what_is_made_since_is_not_told_and_its_making_tells_the_others(again: Path) -> None:
    err = packed(again / "whole", again / "fresh", "trn")
    assert f"{again / 'trn'} was made before something was masked" in err
    assert set(base.FORMATS) <= set(told(again))
    assert "fresh" not in told(again)


def test_words_that_somebody_let_stand_make_no_copy_old_whatever_part_it_is_held_against_and_elsewhere_they_do(
    again: Path,
) -> None:
    work = Work(work_path(again / "whole"))
    desk = Transcribing(Corpus(again / "whole"), work, "ben", ManualClock())
    desk.open(OTHER)
    desk.submit("of philippa o'schenectady now")
    desk.finish()
    for form in base.FORMATS:
        packed(again / "whole", again / f"new-{form}", form)
    found = told(again)
    sets = {OTHER[:3]: POOL} | {who: RELEASE for who in Corpus(again / "whole").speakers() if who != OTHER[:3]}
    (again / "holdout.json").write_bytes(render(Holdout("1", sets)))
    parts = Drawing(release=str(again / "release"), pool=str(again / "pool"))
    assert holdout_command(str(again / "whole"), parts, io.StringIO(), io.StringIO()) == 0
    assert outdated([again / "whole"], [again / "pool", again / "release"]) == []
    desk.open(OTHER)
    desk.reopen("it is she")
    desk.mark(0, 900)
    desk.submit("of {{ philippa o'schenectady }} now")
    desk.finish()
    work.close()
    assert [name for name in found if name.startswith("new")] == []
    assert {"merged", "trn", "kaldi", "bagit"} <= set(found)


def test_what_is_gone_is_told_for_nobody_can_look_into_it(again: Path) -> None:
    packed(again / "whole", again / "moved", "trn")
    (again / "moved").rename(again / "elsewhere")
    lines = told_of_outdated(again / "whole", Corpus(again / "whole"), lambda: finished_in(work_path(again / "whole")))
    assert (
        f"not there, or encrypted, so that nobody can tell whether it was made before something was masked: {again / 'moved'}"
        in lines
    )


def test_the_next_export_of_a_study_tells_what_an_earlier_one_elsewhere_has_yet(tmp_path: Path) -> None:
    study = made_study(tmp_path / "study")
    fill(study, naming(session_of("bbn", "8k8"), ("8k8A1",)))
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        packed(study, tmp_path / name / "corpus", "sphere")
    packed(study, tmp_path / "trn", "csv")
    work = Work(work_path(tmp_path / "first/corpus"))
    marked(Transcribing(Corpus(tmp_path / "first/corpus"), work, "anna", ManualClock()))
    work.close()
    err = packed(study, tmp_path / "third", "riff")
    assert f"{tmp_path / 'second/corpus'} was made before something was masked" in err
    assert f"{tmp_path / 'trn'} was made before something was masked" in err
    assert f"{tmp_path / 'first/corpus'} was" not in err
    assert f"the sound of {FIRST}" in err
