"""A study of two domains: a level of a factor names one, and everything that a session leaves behind follows it."""

import asyncio
import csv
import io
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from corpus.verify.rules.findings import Severity
from operators.command import OperateOptions, of_session, operate_command
from rehearsal.checkup import CheckLevel
from rehearsal.checkup import study as checked_study
from rehearsal.recorded_session import recorded
from rehearsal.script import Script, shipped_script
from rehearsal.session_run import RehearsalPlan
from rehearsal.training.train_command import chosen_drill
from session import events as e
from session.collection.freeze import freeze, freezes_of
from session.state.fold import fold
from session.study.archive import pack, unpack
from session.study.assignment import assign
from session.study.create import new, new_command
from session.study.design import Design
from session.study.folder import load
from session.study.toml_reader import StudyError
from session.values.clock import ManualClock, Stamp
from session.values.vocabulary import Outcome
from study.backup_command import backed_up, restored
from study.pack_command import page
from study.solutions_command import solutions_command
from tests.study.worlds import A, World

STAFF = ["car-pool", "chief-scientist", "fair-pay", "reunion"]
LEVELS = """
[factor.topic.levels.staff]
domain = "personnel"
set = "staff"

[factor.topic.levels.travel]
domain = "air_travel"
set = "travel"
"""
TOPICS = f"[design]\nsets = {{travel = {A}, staff = {STAFF}}}\n{LEVELS}"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "study", TOPICS, others=["personnel"])


def test_a_subject_is_given_the_domain_of_her_level_with_its_scenarios_database_and_texts(world: World) -> None:
    versions = {"air_travel": "air 1", "personnel": "staff 1"}
    found = {}
    for _ in range(4):
        plan = world.plan(versions=versions)
        found[plan.opened.condition] = plan.opened
        world.put(plan.name, plan.opened, e.SessionEnded(reason="done"))
    staff, travel = found["topic=staff"].protocol, found["topic=travel"].protocol
    assert (staff.domain, staff.database_version, staff.today) == ("personnel", "staff 1", "1989-08-16")
    assert (travel.domain, travel.database_version, travel.today) == ("air_travel", "air 1", "1991-04-29")
    assert set(STAFF) < set(staff.scenarios)
    assert not set(A) & set(staff.scenarios)
    assert "department" in staff.instructions.lower() != travel.instructions.lower()
    assert "department" in staff.ability.lower()
    assert len({staff.sha256, travel.sha256, world.study.sha256}) == 3
    assert staff.files == travel.files
    assert "domains/personnel/scenarios/fair-pay.toml" in staff.files
    for opened in found.values():
        assert opened.assignment is not None
        assert set(opened.assignment.now.scenarios) < set(opened.protocol.scenarios)


def test_a_domain_of_a_study_may_have_its_own_messages_and_date(world: World) -> None:
    folder = world.study.folder
    (folder / "domains/personnel/canned_messages").mkdir()
    message = '[[message]]\nid = "own"\ntext = "No."\nreason = "r"\nresponse = "diagnostic"\n'
    (folder / "domains/personnel/canned_messages/own.toml").write_text(message)
    path = folder / "study.toml"
    path.write_text(path.read_text() + '\n[domains.personnel]\ntoday = "1990-01-02"\n')
    study = load(folder)
    staff, travel = study.protocol("1", "topic=staff"), study.protocol("1", "topic=travel")
    assert (list(staff.canned_messages), staff.today) == (["own"], "1990-01-02")
    assert "own" not in travel.canned_messages


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('domain = "personnel"', 'domain = "personel"'), "levels.staff.domain` is 'personel', and there is no folder "
         "domains/personel/ in the study; did you mean `personnel`?"),
        (('domain = "personnel"', 'domain = ["personnel"]'), "levels.staff.domain` is ['personnel'], and there is no"),
        (('set = "staff"', 'set = "travel"'), "has 'downtown', which is not a scenario of domain personnel; a level that"),
        (('[factor.topic.levels.travel]\ndomain = "air_travel"', "[factor.topic.levels.travel]"), ""),
        (('set = "staff"', ""), "`factor.topic.levels.staff` names no `set`, and another level does"),
        (("[design]", '[domains.personel]\ntoday = "1990-01-01"\n[design]'), "there is no folder domains/personel/; did you"),
        (("[design]", '[domains.personnel]\ntoday = "soon"\n[design]'), "`domains.personnel.today` is 'soon'; it is a date"),
        (("[design]", '[domains.personnel]\ndatabase = "postgresql://me:secret@host/db"\n[design]'), "holds a password"),
    ],
)  # fmt: skip
def test_a_level_that_names_what_is_not_there_is_one_error_with_its_place(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    new(tmp_path / "study", others=["personnel"])
    path = tmp_path / "study" / "study.toml"
    path.write_text(path.read_text().replace("conditions = []\n", "") + TOPICS.replace(*change))
    if not message:
        assert load(path.parent).protocol("1", "topic=travel").domain == "air_travel"
        return
    with pytest.raises(StudyError) as caught:
        load(path.parent)
    assert message in str(caught.value)
    assert re.match(rf"{re.escape(str(path))}(:\d+)?: ", str(caught.value))


def test_two_domains_share_no_scenario_that_counts_and_no_name(world: World) -> None:
    folder = world.study.folder
    shutil.copy(folder / "scenarios/downtown.toml", folder / "domains/personnel/scenarios/downtown.toml")
    with pytest.raises(StudyError, match="personnel: scenario 'downtown' is one of domain air_travel, too"):
        load(folder)
    (folder / "domains/personnel/scenarios/downtown.toml").unlink()
    (folder / "domains/personnel").rename(folder / "domains/air_travel")
    with pytest.raises(StudyError, match="air_travel is the study's own domain, in domain/"):
        load(folder)
    err = io.StringIO()
    told = new_command(str(folder) + "2", "personnel", "BBN-89", "lab", io.StringIO(), err, others=["personnel"])
    assert (told, err.getvalue()) == (2, "--domain: personnel is named twice; a study has each domain once\n")


def test_who_would_read_about_the_other_domain_is_told_of(world: World) -> None:
    assert world.study.untrue_instructions() == []
    (world.study.folder / "domains/personnel/instructions.txt").unlink()
    ((what, remedy),) = load(world.study.folder).untrue_instructions()
    assert what == "instructions.txt is not true of domain personnel"
    assert remedy.startswith("write domains/personnel/instructions.txt")


def test_solutions_are_held_against_the_database_of_their_own_domain(world: World) -> None:
    for name, declared in (("topic=staff", "43"), ("topic=travel", "limousine 15.00 dollars")):
        plan = next(plan for _ in range(9) if (plan := world.plan()).opened.condition == name or not world.come())
        scenario = "fair-pay" if name == "topic=staff" else "downtown"
        facts: list[e.Fact] = [
            plan.opened,
            e.ScenarioStarted(number=1, scenario=scenario, title="x", text="x", kind="problem"),
        ]
        facts += [
            e.SolutionDeclared(at=Stamp("subject", 1, 1), solution=declared),
            e.ScenarioEnded(outcome=Outcome.DECLARED),
        ]
        world.put(plan.name, *facts, e.SessionEnded(reason="done"))
    out, err = io.StringIO(), io.StringIO()
    assert solutions_command(str(world.study.folder), failures=False, as_csv=True, out=out, err=err) == 0, (
        err.getvalue()
    )
    rows = {row["scenario"]: row for row in csv.DictReader(io.StringIO(out.getvalue()))}
    assert rows["downtown"]["verdict"] in ("right", "wrong", "wrong form")
    assert rows["fair-pay"]["verdict"] in ("right", "wrong", "wrong form")


def test_a_set_up_of_two_domains_is_handed_over_copied_and_frozen_whole(world: World, tmp_path: Path) -> None:
    study = world.study
    pack(study, tmp_path / "set-up.tar.gz")
    assert unpack(tmp_path / "set-up.tar.gz", tmp_path / "there").sha256 == study.sha256
    backed_up(study.folder, tmp_path / "copy", ManualClock())
    restored(tmp_path / "copy", tmp_path / "again")
    assert load(tmp_path / "again").protocol("1", "topic=staff") == study.protocol("1", "topic=staff")
    freeze(study, "", ManualClock())
    assert world.plan(freezes=freezes_of(world.store)).opened.frozen
    changed = study.folder / "domains/personnel/scenarios/fair-pay.toml"
    changed.write_text(changed.read_text() + "\n")
    world.study = load(study.folder)
    with pytest.raises(ValueError, match=r"domains/personnel/scenarios/fair-pay\.toml has been changed since"):
        world.plan(freezes=freezes_of(world.store))


def test_the_papers_are_those_of_every_domain(world: World) -> None:
    (world.study.folder / "instructions_topic=travel.txt").write_text("Ask about travel.")
    papers = page(load(world.study.folder))
    for title in ("A car pool", "Into town", "Instructions, personnel", "Instructions, condition topic=travel"):
        assert f"<h1>{title}</h1>" in papers
    assert "canned messages, personnel</h1>" in papers
    assert "Instructions</h1>" not in papers


def test_the_checks_look_at_every_domain_s_database(world: World) -> None:
    (world.study.folder / "domains/personnel/generator.py").write_text("NAME = 'x'\n")
    found = [finding for finding in checked_study(world.study.folder) if finding.what == "database"]
    assert [finding.level for finding in found] == [CheckLevel.FINE, CheckLevel.FAULT]
    assert "domains/personnel/generator.py: it has no VERSION" in found[1].found


def test_a_visit_in_the_other_domain_is_held_exported_verified_and_seen_again(tmp_path: Path) -> None:
    study = new(tmp_path / "study", others=["personnel"])
    path = study.folder / "study.toml"
    settings = path.read_text().replace("conditions = []\n", "") + LEVELS.replace('set = "', 'wizard = "')
    (study.domain_folder / "domain.toml").unlink()
    (study.domain_folder / "generator.py").unlink()
    with closing(sqlite3.connect(study.domain_folder / "air.sqlite")) as small:
        small.execute("CREATE TABLE flight (flight_id INTEGER)")
    for seed in range(2, 9):
        path.write_text(settings.replace("seed = 1 ", f"seed = {seed} "))
        study = load(study.folder)
        if (first := assign(Design(), study.settings.factor, seed, 1)).now.levels == {"topic": "staff"}:
            break
    assert first.now.wizard == "staff"
    own = shipped_script()
    stage = RehearsalPlan(
        study, Script(own.wizard, own.subject, own.scenario[:1]), tmp_path / "corpus", 50.0, io.StringIO(), None
    )
    done = asyncio.run(stage.perform())
    opened = fold(done.facts).opened
    assert opened is not None
    assert opened.protocol.domain == "personnel"
    assert done.report.count(Severity.ERROR) == 0
    returned = [fact.event for fact in done.facts if isinstance(fact.event, e.QueryReturned)]
    assert {found.database_version.split()[0] for found in returned} == {"personnel"}
    logs = [log.read_text() for log in (tmp_path / "corpus/spon").rglob("*.log")]
    assert logs
    assert all("[Domain:] personnel\n" in log and "[Condition:] topic=staff\n" in log for log in logs)
    again = fold(recorded(tmp_path / "corpus", done.session).facts).opened
    assert again is not None
    assert (again.protocol.domain, again.protocol.scenarios) == ("personnel", opened.protocol.scenarios)
    play = shipped_script(study.in_domain("personnel").domain_folder)
    for drill in (chosen_drill(study, done.session), chosen_drill(study, "play:personnel")):
        assert drill.domain == "personnel"
        assert drill.turns <= sum(len(act.turn) for act in play.scenario)
        assert {act.scenario.id for act in drill.acts} <= set(opened.protocol.scenarios)
    with pytest.raises(StudyError, match="no domain 'staff'"):
        chosen_drill(study, "play:staff")


def test_a_machine_apart_learns_the_domain_of_its_session(world: World) -> None:
    for _ in range(2):
        plan = world.plan()
        world.put(plan.name, plan.opened)
        assert of_session(world.study, plan.name).settings.domain == plan.opened.protocol.domain
    err = io.StringIO()
    url = "ws://token@127.0.0.1:4444/lab-20200101-1"
    assert operate_command(url, OperateOptions(stage="recognition", study=str(world.study.folder)), err) == 2
    assert "has several domains, and its store knows no session lab-20200101-1" in err.getvalue()
