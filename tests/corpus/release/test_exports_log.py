"""Whatever is made of a study, and of what came of it, is on record, and named when somebody withdraws."""

import io
import shutil
from pathlib import Path

import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.merge import MergeOptions, merge_command
from corpus.commands.report import ReportOptions, report_command
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.export.study_source import reading
from corpus.formats.errors import FormatFault
from corpus.io.staging import partial_of, staged
from corpus.release import exports_log
from corpus.release.exports_log import CORPUS, exports_around, family, log_of, record, recorded
from session.collection.study_lock import exclusive_lock
from session.study.folder import load
from tests.corpus.commands.withdrawals import SAID, found, needles, said, script_saying, withdraw
from tests.corpus.corpora import corpus_of, session_of
from tests.corpus.studies import fill, made_study


def export(source: Path, target: Path, form: str = "sphere") -> int:
    return export_command(ExportRequest(str(source), str(target), form=form), io.StringIO(), io.StringIO())


def merge(*roots: Path) -> tuple[int, str]:
    err = io.StringIO()
    return merge_command(
        MergeOptions([str(root) for root in roots[:-1]], str(roots[-1])), io.StringIO(), err
    ), err.getvalue()


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A study, its corpus, a merger of it with another site's corpus, a package of that, and a report."""
    study = made_study(tmp_path / "study")
    fill(study, script_saying("8k9", SAID))
    fill(study, script_saying("8k8", "show me the fares to Omaha"))
    assert export(study, tmp_path / "whole") == 0
    corpus_of(tmp_path / "other", session_of("sri", "9k3"))
    assert merge(tmp_path / "whole", tmp_path / "other", tmp_path / "all")[0] == 0
    assert export(tmp_path / "all", tmp_path / "stm", "stm") == 0
    assert report_command(ReportOptions(str(tmp_path / "all")), io.StringIO(), io.StringIO()) == 0
    return tmp_path


def test_a_line_says_when_what_where_and_of_which_heads(lab: Path) -> None:
    (made,) = recorded(lab / "study")
    assert (made.what, made.where, made.sources) == (CORPUS, str(lab / "whole"), (str(lab / "study"),))
    assert made.heads == exports_log.heads_of(Corpus(lab / "whole").manifest.sessions)
    assert made.when.endswith("Z")


def test_one_place_leads_to_the_next(lab: Path) -> None:
    for begin in ("study", "whole", "all", "other"):
        assert {path.name for path in family([lab / begin])} == {"study", "whole", "all", "other"}
        names = {Path(made.where).name: made.what for made in exports_around(lab / begin)}
        assert names == {"whole": CORPUS, "all": CORPUS, "stm": "stm", "all.report.html": "report"}


def test_every_copy_that_holds_the_person_is_named_with_what_is_to_be_done(lab: Path) -> None:
    status, _, err = withdraw(lab / "study", "8k9")
    assert status == 1
    for root in (lab / "whole", lab / "all"):
        assert f"{root} still holds 8k9: curtain withdraw {root} 8k9" in err
    for copy in ("stm, stm", "all.report.html, report"):
        assert f"{lab / copy}, written" in err
    assert "other" not in err
    assert [withdraw(lab / name, "8k9")[0] for name in ("whole", "all")] == [1, 1]
    (lab / "stm").rename(lab / "elsewhere")
    (lab / "all.report.html").unlink()
    status, _, err = withdraw(lab / "study", "8k9")
    assert (status, f"not looked at: {lab / 'stm'}" in err) == (0, True)
    assert removals.held_in(lab / "study").removals[0].copies == ("all.report.html", "stm")
    assert str(lab) not in (lab / "study/removals.json").read_text("utf-8")
    shutil.rmtree(lab / "elsewhere")
    assert said(found(lab, needles(script_saying("8k9", SAID), SAID))) == []


def test_who_left_a_merger_does_not_come_back_by_its_sources(lab: Path) -> None:
    status, _, err = withdraw(lab / "all", "8k9")
    assert (status, f"{lab / 'whole'} still holds 8k9: curtain withdraw {lab / 'whole'} 8k9" in err) == (1, True)
    assert f"{lab / 'study'}, the study, still holds 8k9: curtain withdraw {lab / 'study'} 8k9" in err
    status, err = merge(lab / "whole", lab / "other", lab / "again")
    assert (status, (lab / "again").exists()) == (2, False)
    assert f"call curtain withdraw {lab / 'whole'} 8k9" in err
    assert "again" not in {Path(made.where).name for made in exports_around(lab / "whole")}, "nothing was made"
    withdraw(lab / "whole", "8k9")
    assert merge(lab / "whole", lab / "other", lab / "again")[0] == 0
    assert removals.held_in(lab / "again").speakers == {"8k9"}
    assert sorted(Corpus(lab / "again").speakers()) == ["8k8", "9k3"]


def test_what_stopped_half_way_goes_and_what_is_being_written_stops_the_withdrawal(lab: Path) -> None:
    half = partial_of(lab / "kaldi")
    (half / "files").mkdir(parents=True)
    (half / "files/text").write_text(SAID, "utf-8")
    record([lab / "all"], "kaldi", lab / "kaldi", {}, io.StringIO())
    with staged(lab / "kaldi") as staging:
        status, _, err = withdraw(lab / "study", "8k9")
        assert (status, f"{half} is being written by another process" in err) == (2, True)
        staging.write("README.txt", b"")
    (lab / "kaldi").rename(half)
    (half / "files").mkdir()
    (half / "README.txt").rename(half / "files/README.txt")
    _, _, err = withdraw(lab / "study", "8k9")
    assert (half.exists(), f"{half}, left by an export that was interrupted" in err) == (False, True)


def test_a_line_that_was_cut_off_spoils_no_other_and_one_that_is_none_is_told(lab: Path) -> None:
    known = recorded(lab / "study")
    with log_of(lab / "study").open("ab") as file:
        file.write(b'\n{"when": "2026')
    assert recorded(lab / "study") == known
    record([lab / "study"], "csv", lab / "csv", {}, io.StringIO())
    assert [made.what for made in recorded(lab / "study")] == [CORPUS, "csv"]
    with log_of(lab / "study").open("ab") as file:
        file.write(b'\n{"where": 1}')
    with pytest.raises(FormatFault, match=r"exports\.log:5"):
        recorded(lab / "study")


def test_nobody_withdraws_while_an_export_reads_the_study(lab: Path) -> None:
    with reading(load(lab / "study")):
        status, _, err = withdraw(lab / "study", "8k9")
    assert (status, "or it is exported" in err) == (2, True)
    with exclusive_lock(lab / "study"):
        assert export(lab / "study", lab / "more") == 2
