"""The list of a study tells where its utterances stand, and an export of it the same."""

import io
from pathlib import Path

import msgspec
import pytest

from corpus.commands.export import ExportRequest, export_command
from corpus.commands.sessions import SessionListing, SessionsOptions, sessions_command
from corpus.commands.withdraw import WithdrawOptions, withdraw_command
from corpus.release.holdout_file import beside
from corpus.release.utterance_status import CAPTION, StandingRow, table
from session.values.clock import ManualClock
from tests.corpus.release.standings import INVALID, PILOT, PLAIN, REFUSING, hold_out, played, rows_of
from tests.corpus.studies import fill, made_study

FATES = (PLAIN, PLAIN, PLAIN, PILOT, INVALID, REFUSING)


def listed(study: Path) -> str:
    """The list as it is told; what is there for programs has the same rows."""
    out, err = io.StringIO(), io.StringIO()
    sessions_command(SessionsOptions(str(study), as_json=True), out, err)
    standing = msgspec.json.decode(out.getvalue(), type=SessionListing).standing
    sessions_command(SessionsOptions(str(study)), io.StringIO(), err)
    assert standing is None or table(standing) in err.getvalue()
    assert (standing is None) == ("is unknown" in err.getvalue())
    return err.getvalue()


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = made_study(tmp_path / "study")
    for number, fate in enumerate(FATES, start=1):
        fill(folder, played("bbn", f"8k{number}", number, fate))
    return folder


def exported(study: Path, target: Path) -> list[StandingRow]:
    assert export_command(ExportRequest(str(study), str(target)), io.StringIO(), io.StringIO()) in (0, 1)
    return rows_of(target)


def test_list_and_export_tell_the_same_before_and_after_the_sets_are_made_and_somebody_left(study: Path) -> None:
    place = study.parent
    rows = exported(study, place / "one")
    assert rows[-1] == StandingRow("total", 35, 0, 0, 24, 11, 4, 7, 0)
    assert f"{CAPTION}:\n{table(rows)}" in listed(study)
    hold_out(place / "one")
    rows = rows_of(place / "one")
    assert (rows[-1].queued, rows[-1].released + rows[-1].pool) == (0, 24)
    assert table(rows) in listed(study)
    call = WithdrawOptions("8k1")
    assert withdraw_command(str(study), call, ManualClock(), io.StringIO(), io.StringIO()) == 1, "the first export"
    rows = exported(study, place / "two")
    assert (rows[-1].collected, rows[-1].rejected, rows[-1].withdrawn) == (35, 18, 7)
    assert table(rows) in listed(study)


def test_a_list_is_made_without_it_where_the_sets_cannot_be_read(study: Path) -> None:
    exported(study, study.parent / "one")
    beside(study.parent / "one").write_text("{}", "utf-8")
    assert "the state of the utterances is unknown: " in listed(study)
