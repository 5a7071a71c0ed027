"""A visit whose levels change from scenario to scenario, held by scripted people: what is left of them in every export."""

import asyncio
import csv
import io
import json
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from textual.pilot import Pilot

from corpus.commands.report import StatsOptions, stats_command
from corpus.commands.session_lines import listed
from corpus.commands.show import show_command
from corpus.dataset.reader import Corpus
from corpus.export.source import Collected
from corpus.packages.package_writer import contents_of
from corpus.packages.writers import write_package
from corpus.verify.rules.findings import Severity
from corpus.verify.verify import verify
from desk.recording_player import Player
from rehearsal.recorded_session import recorded
from rehearsal.replay import frames
from rehearsal.screens.replayed import ReplayedSession
from rehearsal.screens.session_timeline import SessionTimeline
from rehearsal.script import Script, shipped_script
from rehearsal.session_run import RehearsalPlan, Rehearsed
from session import events as e
from session.audio.fake import FileLoudspeaker
from session.state.fold import fold
from session.study.create import new
from session.study.folder import load
from session.values.vocabulary import Echo
from study.solutions_command import attempts
from tests import SECONDS, THOROUGH

ORDER = ("interviews", "downtown")
FACTOR = f"""
[design]
order = "fixed"
subjects = 4
scenarios = {[*ORDER]}

[factor.echo]
within = true
changes_at = "scenario"

[factor.echo.levels.first]
echo = "before_query"
reply_limit_s = 50.0

[factor.echo.levels.late]
echo = "with_answer"
hold_back_s = 1.5
"""


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rehearsed, Path]:
    """A rehearsal of two short scenarios after practice, and the folder in which its study and its corpus lie."""
    return performed(tmp_path_factory.mktemp("levels"), FACTOR)


def performed(folder: Path, more: str) -> tuple[Rehearsed, Path]:
    study = new(folder / "study")
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace("conditions = []\n", "") + more)
    own = shipped_script()
    acts = tuple(msgspec.structs.replace(act, turn=act.turn[:2]) for act in own.scenario)
    stage = RehearsalPlan(
        load(study.folder), Script(own.wizard, own.subject, acts), folder / "corpus", 20.0, io.StringIO(), None
    )
    return asyncio.run(stage.perform()), folder


def levels(held: tuple[Rehearsed, Path]) -> dict[str, str]:
    """The condition of each scenario, as its start says."""
    starts = [one.event for one in held[0].facts if isinstance(one.event, e.ScenarioStarted)]
    return {started.scenario: started.condition for started in starts if started.number is not None}


def logs(corpus: Path) -> dict[str, str]:
    """The logs of a corpus by their scenarios."""
    texts = [path.read_text() for path in sorted((corpus / "spon").rglob("*.log"))]
    return {re.findall(r"^\[Scenario:\] (.*)$", text, re.MULTILINE)[0]: text for text in texts}


def entries(text: str, key: str) -> set[str]:
    return {*re.findall(rf"^\[{key}:\] (.*)$", text, re.MULTILINE)}


def test_each_log_says_which_level_was_in_force_and_shows_it(held: tuple[Rehearsed, Path]) -> None:
    found = logs(held[1] / "corpus")
    assert set(found) == set(ORDER)
    given = levels(held)
    assert {*given.values()} == {"echo=first", "echo=late"}
    for scenario, text in found.items():
        first = given[scenario] == "echo=first"
        assert entries(text, "Condition") == {given[scenario]}
        assert entries(text, "Echo") == {"before_query" if first else "with_answer"}
        assert entries(text, "Reply_limit") == {"50" if first else "60"}
        assert entries(text, "Delay") <= ({"0"} if first else {"1500000000"})
        assert ("[Transcription_shown:]" in text) is first
        order = " ".join(given[name].partition("=")[2] for name in ORDER)
        assert entries(text, "Assignment") == {f"no slot; order {' '.join(ORDER)}; echo {order}"}


def test_the_manifest_the_tables_and_the_figures_are_by_level(held: tuple[Rehearsed, Path], tmp_path: Path) -> None:
    done, folder = held
    assert done.report.count(Severity.ERROR) == 0, done.report.findings
    given = levels(held)
    (session,) = json.loads((folder / "corpus/manifest.json").read_text())["sessions"]
    assert (session["condition"], session["scenario_conditions"]) == ("", [given[name] for name in ORDER])
    write_package(contents_of(Corpus(folder / "corpus")), tmp_path / "csv", "csv")  # type: ignore[arg-type]
    for table in ("scenarios.csv", "turns.csv"):
        rows = csv.DictReader(io.StringIO((tmp_path / "csv" / table).read_text("utf-8"), newline=""))
        assert {(row["scenario"], row["condition"]) for row in rows} == set(given.items())
    sheet = (tmp_path / "csv/DATASHEET.md").read_text("utf-8")
    assert "scenarios under echo=late: echo with_answer; hold_back_s 1.5\n" in sheet
    assert "scenarios under echo=first: reply_limit_s 50.0\n" in sheet
    begun = listed(Collected(done.session, done.facts, done.head), fold(done.facts))
    assert begun.condition == ", ".join(given[name] for name in ORDER)
    out = io.StringIO()
    assert stats_command(StatsOptions(str(folder / "corpus")), out, io.StringIO()) == 0
    for level in given.values():
        assert re.search(rf"^condition {level} +reply ", out.getvalue(), re.MULTILINE)
        assert re.search(rf"^{level} +1 +1 +4 +3$", out.getvalue(), re.MULTILINE), "one speaker of four, one scenario"
    out = io.StringIO()
    assert show_command(sorted(map(str, (folder / "corpus/spon").rglob("*.log"))), False, out, io.StringIO()) == 0
    for level in given.values():
        assert f", condition {level}\n" in out.getvalue()


def test_solutions_and_the_spread_of_a_pilot_are_by_level(held: tuple[Rehearsed, Path]) -> None:
    facts = [
        msgspec.structs.replace(one, event=msgspec.structs.replace(one.event, rehearsal=False))
        if isinstance(one.event, e.SessionOpened)
        else one
        for one in held[0].facts
    ]
    assert {one.scenario: one.condition for one in attempts(facts, lambda *_: None)} == levels(held)


def test_a_corpus_alone_shows_each_scenario_as_it_was_held(held: tuple[Rehearsed, Path]) -> None:
    done, folder = held
    there = recorded(folder / "corpus", done.session)
    again, was = fold(there.facts), fold(done.facts)
    assert [(run.scenario, run.condition, run.profile) for run in again.runs] == [
        (run.scenario, run.condition, run.profile) for run in was.runs if run.number is not None
    ]
    assert again.opened is not None
    assert again.opened.condition == ""
    for facts in (there.facts, list(done.facts)):
        *_, last = frames(facts)
        for take in last.subject.takes.values():
            run = last.wizard.runs[take.run] if take.run is not None else None
            if run is not None and run.profile is not None and not take.discarded:
                assert bool(take.transcriptions) is (run.profile.echo is Echo.BEFORE_QUERY)


async def test_the_screens_of_a_replay_show_each_scenario_as_it_was_held(held: tuple[Rehearsed, Path]) -> None:
    done, folder = held
    there = recorded(folder / "corpus", done.session)
    timeline, seen = SessionTimeline(there.facts, there.links), dict[str, str]()

    async def played(pilot: Pilot[object]) -> None:
        await app.workers.wait_for_complete()
        for place, one in enumerate(there.facts):
            if isinstance(one.event, e.QuerySubmitted):
                run = fold(there.facts[:place]).runs[-1]
                await app.go_to(timeline.times[place])
                for pane in app.panes.values():
                    await pane.painted()
                seen[run.condition] = app.panes["subject"].text
        app.exit()

    app = ReplayedSession(timeline, there.sound, Player(FileLoudspeaker), now=lambda: 0.0)
    await app.run_async(headless=True, size=(160, 45), auto_pilot=played)
    assert "(your request)" not in seen["echo=first"]
    assert "(your request)" in seen["echo=late"]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (("[Condition:] echo=late", "[Condition:] echo=first"), "log.session"),
        (("[Echo:] with_answer", "[Echo:] before_query"), "log.protocol"),
        (("[Reply_limit:] 50", "[Reply_limit:] 60"), "log.protocol"),
    ],
)
def test_verify_holds_each_log_against_its_own_level(
    held: tuple[Rehearsed, Path], tmp_path: Path, change: tuple[str, str], rule: str
) -> None:
    corpus = tmp_path / "corpus"
    shutil.copytree(held[1] / "corpus", corpus)
    (path,) = [path for path in (corpus / "spon").rglob("*.log") if change[0] in path.read_text()]
    path.write_text(path.read_text().replace(*change))
    assert rule in {finding.rule for finding in verify(corpus).findings}


def test_a_manifest_with_a_condition_too_many_is_told_of(held: tuple[Rehearsed, Path], tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    shutil.copytree(held[1] / "corpus", corpus)
    text = (corpus / "manifest.json").read_text()
    (corpus / "manifest.json").write_text(text.replace('"scenario_conditions": [', '"scenario_conditions": ["x",'))
    assert "manifest.sessions" in {finding.rule for finding in verify(corpus).findings}


def test_initial_data_of_such_a_session_are_one_session(held: tuple[Rehearsed, Path], tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    shutil.copytree(held[1] / "corpus", corpus)
    (corpus / "manifest.json").unlink()
    (session,) = Corpus(corpus).sessions.values()
    assert {session.condition_of(number) for number in session.scenarios} == {*levels(held).values()}


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed (apt install espeak-ng)")
def test_answers_are_a_table_in_one_scenario_and_sound_in_the_next(tmp_path: Path) -> None:
    if not THOROUGH:
        pytest.skip(SECONDS)
    said = FACTOR.replace('echo = "with_answer"', 'show_answers = false\nspoken = "answer"')
    done, folder = performed(tmp_path, said)
    assert done.report.count(Severity.ERROR) == 0, done.report.findings
    state = fold(done.facts)
    for reply in state.replies.values():
        condition = state.runs[reply.run].condition if reply.run is not None else ""
        heard, seen = reply.heard_from is not None, reply.shown is not None
        assert (heard, seen) == ((True, False) if condition == "echo=late" else (False, True))
    given = levels((done, folder))
    for scenario in ORDER:
        mode = "vspn" if given[scenario] == "echo=late" else "spon"
        (path,) = [
            path
            for path in (folder / "corpus" / mode).rglob("*.log")
            if f"[Scenario:] {scenario}\n" in path.read_text()
        ]
        assert ("[Spoken:]" in path.read_text()) is (mode == "vspn")
