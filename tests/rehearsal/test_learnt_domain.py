"""From a database that nobody has described to a session about it: learnt, made a study of, rehearsed."""

import asyncio
import io
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from corpus.verify.rules.findings import Severity
from domain.learn.learn import learn_command
from rehearsal.command import rehearse_command
from rehearsal.script import play_of
from rehearsal.session_run import RehearsalPlan
from rehearsal.training.train_command import chosen_drill
from session import events as e
from session.study.create import new, new_command
from session.study.toml_reader import StudyError
from session.values.vocabulary import ScenarioKind

SHOPS = """
CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE product (id INTEGER PRIMARY KEY, shop_id INTEGER REFERENCES shop (id), name TEXT, price REAL);
INSERT INTO shop VALUES (1, 'Alpha', 'Berlin'), (2, 'Beta', 'Paris');
INSERT INTO product VALUES (1, 1, 'lamp', 10), (2, 1, 'chair', 30), (3, 2, 'table', 99.5), (4, 2, 'lamp', 12);
"""


def learnt(folder: Path, script: str = SHOPS) -> str:
    """Learn a database into `folder / "shops"`; gives the database's URL as one types it in that folder."""
    with closing(sqlite3.connect(folder / "shops.sqlite")) as link:
        link.executescript(script)
    out = io.StringIO()
    url = "sqlite:///shops.sqlite"
    assert learn_command(url, str(folder / "shops"), out, out) == 0, out.getvalue()
    return url


def test_what_was_learnt_holds_a_whole_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    url = learnt(tmp_path)
    study = new(tmp_path / "studies", domain="shops", database=url)
    assert study.settings.domain == "shops"
    kinds = [scenario.kind for scenario in study.scenarios.values()]
    assert kinds.count(ScenarioKind.PRACTICE) == 1
    assert kinds.count(ScenarioKind.PROBLEM) > 2
    with closing(sqlite3.connect(tmp_path / "shops.sqlite")) as link:
        for scenario in study.scenarios.values():
            assert scenario.solution is not None
            assert link.execute(scenario.solution.sql).fetchall(), scenario.id
    assert "Shops: " in study.instructions
    assert "fare" not in study.instructions
    monkeypatch.chdir("/")
    lines = [line for act in chosen_drill(study, "play").acts for line in act.lines]
    assert [line.said for line in lines if line.reference is None and not (line.canned or line.discard)] == []
    assert any(line.reference is not None for line in lines), "a drill in what was learnt is judged by its answers, too"
    play = play_of(study.folder / "domain")
    done = asyncio.run(RehearsalPlan(study, play, tmp_path / "corpus", 50.0, io.StringIO(), None).perform())
    assert done.report.count(Severity.ERROR) == 0
    facts = [recorded.event for recorded in done.facts]
    assert sum(isinstance(fact, e.QueryReturned) and bool(fact.table.rows) for fact in facts) == 4
    assert not any(isinstance(fact, e.QueryFailed) for fact in facts)


def test_a_learnt_domain_is_a_further_one_of_a_study_over_its_own_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    url, out, err = learnt(tmp_path), io.StringIO(), io.StringIO()

    def made(name: str, *databases: str) -> int:
        given = ["personnel", "BBN-89", "lab", out, err]
        return new_command(name, *given, databases=databases, others=["shops"])  # type: ignore[arg-type, misc]

    for wrong in ((), ("shop=sqlite:///x",), (url, url), (f"personnel={url}",)):
        assert made("one", *wrong) == 2
    needed, unknown, twice, first = err.getvalue().splitlines()
    assert "shops needs its database: give --database shops=URL" in needed
    assert "no further --domain is called shop; did you mean `shops`?" in unknown
    assert "--database NAME=URL" in twice
    assert "no further --domain is called personnel" in first
    assert made("study", f"shops={url}") == 0, err.getvalue()
    shops = next(
        path.stem for path in (tmp_path / "study/domains/shops/scenarios").glob("*.toml") if path.stem != "practice"
    )
    with (tmp_path / "study/study.toml").open("a") as settings:
        settings.write(f'[design]\nsets = {{a = ["car-pool"], b = ["{shops}"]}}\n[factor.topic.levels]\n')
        settings.write('staff = {domain = "personnel", set = "a"}\nshops = {domain = "shops", set = "b"}\n')
    monkeypatch.chdir("/")
    target = tmp_path / "held"
    words = [str(tmp_path / "study"), str(target), 50.0, False, out, err]
    assert rehearse_command(*words, condition="topic=shops") == 0, err.getvalue()  # type: ignore[arg-type]
    (log, *_) = sorted((target / "corpus/spon").rglob("*.log"))
    assert "[Condition:] topic=shops" in log.read_text()
    assert "[Domain:] shops" in log.read_text()
    missing = [str(tmp_path / "study"), str(tmp_path / "none"), 50.0, False, out, err]
    assert rehearse_command(*missing, condition="topic=shop") == 2  # type: ignore[arg-type]
    assert "no condition of the study is called 'topic=shop'; did you mean `topic=shops`?" in err.getvalue()


def test_a_database_of_one_table_can_at_least_be_counted_and_scenarios_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    url = learnt(tmp_path, "CREATE TABLE note (x BLOB); INSERT INTO note VALUES (x'00');")
    assert [*new(tmp_path / "study", domain="shops", database=url).scenarios] == ["practice"]
    shutil.rmtree(tmp_path / "shops" / "scenarios")
    with pytest.raises(StudyError, match="scenarios has no scenario; write one"):
        new(tmp_path / "other", domain="shops", database=url)


def test_a_domain_of_one_s_own_needs_its_database_and_its_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    url = learnt(tmp_path)
    with pytest.raises(StudyError, match="shops needs its database: give --database URL"):
        new(tmp_path / "study", domain="shops")
    with pytest.raises(StudyError, match="air_travel builds its own database; leave it out"):
        new(tmp_path / "study", database=url)
    assert not (tmp_path / "study").exists()
    script = tmp_path / "shops" / "rehearsal" / "script.toml"
    script.write_text("wizard = 1")
    with pytest.raises(StudyError, match="Expected `str`, got `int`"):
        play_of(tmp_path / "shops")
    script.unlink()
    with pytest.raises(StudyError, match="is not there: write a play for this domain"):
        play_of(tmp_path / "shops")
