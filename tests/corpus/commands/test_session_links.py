"""Who came to a study's sessions, read as at the command line."""

from pathlib import Path

from click.testing import CliRunner

from curtain import main
from session import events as e
from session.hub.history import links_stream
from session.store.event_store import Entry, Store
from session.study.folder import load
from session.values.clock import SECOND, Stamp
from session.values.vocabulary import DeskRefusal
from tests.corpus.sessions import whole_session
from tests.corpus.studies import fill, made_study, run

BEGAN = 1_764_000_000 * SECOND


def test_who_came_late_to_a_session_is_read_from_its_study_and_from_no_corpus(tmp_path: Path) -> None:
    study, script = made_study(tmp_path / "study"), whole_session()
    fill(study, script)
    asked = ["sessions", str(study), "--links"]
    assert "no desk has come" in CliRunner().invoke(main, asked).stderr
    run(study, tmp_path / "before")
    came: list[e.Fact] = [
        e.DeskAttached(role="subject", desk="d1", clock="page-1", version="1"),
        e.ClockCompared(clock="page-1", mono=1, offset=2, uncertainty=3),
        e.CommandRefused(role="wizard", command="SendAnswer", reason="There are no rows."),
        e.DeskDetached(role="subject", desk="d1", why="going away"),
        e.DeskRefused(role="", reason=DeskRefusal.TOKEN),
        e.DeskRefused(role="subject", reason=DeskRefusal.OVER),
    ]
    store = Store(load(study).store_url)
    moments = (Stamp("hub", number, BEGAN + number * SECOND) for number in range(len(came)))
    entries = [Entry(at, "hub", "", fact) for at, fact in zip(moments, came, strict=True)]
    store.append(links_stream(script.session), 0, entries)
    store.close()
    lines = CliRunner().invoke(main, asked).stdout.splitlines()
    assert [line.split("Z  ")[1] for line in lines] == [
        "subject came: desk d1, version 1",
        "wizard was refused SendAnswer: There are no rows.",
        "subject went: going away",
        "somebody NOT LET IN: token",
        "subject NOT LET IN: over",
    ]
    assert lines[-1].startswith(f"{script.session:<22} 2025-11-24T16:00:05")
    run(study, tmp_path / "after")
    logs = {path.relative_to(tmp_path / "after"): path.read_bytes() for path in (tmp_path / "after").rglob("*.log")}
    assert logs
    assert all((tmp_path / "before" / name).read_bytes() == log for name, log in logs.items() if name.parts[0] != "doc")
