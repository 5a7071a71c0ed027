"""Lists and differences of sessions, asked as at the command line."""

import datetime
import io
from pathlib import Path

import msgspec

from corpus.commands.session_lines import line_of
from corpus.commands.sessions import SessionsOptions, differences_command, sessions_command
from corpus.verify.session_check import PRACTICE_ONLY
from session import events as e
from session.collection.open_session import plan_session
from session.store.event_store import Entry, Store
from session.study.create import new
from session.values.clock import Stamp
from session.values.vocabulary import Outcome


def test_the_protocols_of_two_sessions_are_compared_by_key(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    store = Store(study.store_url)
    names: list[str] = []
    for version in ("toy 1", "toy 2"):
        planned = plan_session(study, store.usage, version, datetime.date(2026, 11, 21))
        name, opened = planned.name, planned.opened
        store.append(name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", opened)])
        names.append(name)
    store.close()
    out = io.StringIO()
    assert differences_command(str(study.folder), names[0], names[1], out, io.StringIO()) == 0
    assert out.getvalue() == "database_version: toy 1 -> toy 2\n"
    err = io.StringIO()
    assert differences_command(str(study.folder), names[0], "lab-20200101-1", io.StringIO(), err) == 2
    assert "lab-20200101-1" in err.getvalue()


def _ended(tmp_path: Path) -> str:
    """A study with a session that has ended without any scenario."""
    study = new(tmp_path / "study")
    store = Store(study.store_url)
    planned = plan_session(study, store.usage, "toy 1", datetime.date(2026, 11, 21))
    name, opened = planned.name, planned.opened
    stamp = Stamp("hub", 1, 1)
    store.append(name, 0, [Entry(stamp, "hub", "", opened), Entry(stamp, "hub", "", e.SessionEnded(reason="done"))])
    store.close()
    return name


def test_a_check_says_of_each_ended_session_what_stands_against_it(tmp_path: Path) -> None:
    name = _ended(tmp_path)
    out, err = io.StringIO(), io.StringIO()
    assert sessions_command(SessionsOptions(str(tmp_path / "study"), check=True), out, err) == 1
    assert "ended, RED" in out.getvalue()
    assert f"not done: session {name}: {PRACTICE_ONLY}" in err.getvalue()
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(tmp_path / "study")), out, io.StringIO()) == 0
    assert "RED" not in out.getvalue()


def test_a_wish_for_erasure_stands_in_the_list_and_in_the_light_until_it_was_done(tmp_path: Path) -> None:
    name, folder = _ended(tmp_path), tmp_path / "study"
    store = Store(f"sqlite:///{folder / 'collection.sqlite'}")
    at = Stamp("subject", 1, 1)
    store.append(name, 2, [Entry(at, "subject", "C1", e.WithdrawalRequested(at=at, erase=True))])
    out, err = io.StringIO(), io.StringIO()
    assert sessions_command(SessionsOptions(str(folder), check=True), out, err) == 1
    assert "ended, subject stopped, ERASURE REQUESTED, RED" in out.getvalue()
    remedy = f"speaker 001 wants everything erased: run curtain withdraw {folder} 001"
    assert f"erasure: session {name}: {remedy}\n" in err.getvalue()
    assert f"not done: session {name}: {remedy}\n" in err.getvalue()
    out = io.StringIO()
    sessions_command(SessionsOptions(str(folder), as_json=True), out, io.StringIO())
    assert msgspec.json.decode(out.getvalue())["sessions"][0]["erasure_requested"] is True
    store.withdraw([name], "experimenter", at, e.SpeakerWithdrawn(speaker="001", erased=0))
    store.close()
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(folder), check=True), out, io.StringIO()) == 0
    assert "ERASURE" not in out.getvalue()


def test_the_list_tells_where_the_seconds_of_a_session_went() -> None:
    from tests.corpus.sessions import MemorySource, whole_session

    script = whole_session()
    collected = MemorySource(script).collected(script.session)
    line = line_of(collected).listed
    assert line.stages["heard to shown"].count == line.answered + 1, "one of practice was answered too"
    assert line.stands_against is None


def test_the_list_tells_how_many_queries_the_scenarios_that_count_were_expected_to_take(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    easy, *_, hard = sorted(study.scenarios.values(), key=lambda scenario: scenario.expected_queries)
    assert easy.expected_queries < hard.expected_queries
    store, at = Store(study.store_url), Stamp("hub", 1, 1)
    planned = plan_session(study, store.usage, "toy 1", datetime.date(2026, 11, 21))
    name, opened = planned.name, planned.opened
    facts: list[e.Fact] = [opened]
    for number, scenario, outcome in (
        (None, easy, "declared"),
        (1, hard, "invalidated"),
        (2, easy, "given_up"),
        (3, hard, ""),
    ):
        facts.append(e.ScenarioStarted(number=number, scenario=scenario.id, title="", text="", kind=""))
        facts += [e.ScenarioEnded(outcome=Outcome(outcome), reason="")] if outcome else []
    store.append(name, 0, [Entry(at, "hub", "", fact) for fact in facts])
    store.close()
    out = io.StringIO()
    assert sessions_command(SessionsOptions(str(study.folder)), out, io.StringIO()) == 0
    head, line = out.getvalue().splitlines()
    assert line[: head.index("of about") + len("of about")].split()[-1] == str(
        easy.expected_queries + hard.expected_queries
    )
    out = io.StringIO()
    sessions_command(SessionsOptions(str(study.folder), as_json=True), out, io.StringIO())
    (line,) = msgspec.json.decode(out.getvalue())["sessions"]
    assert line["expected"] == easy.expected_queries + hard.expected_queries
