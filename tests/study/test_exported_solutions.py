"""Verdicts on declared solutions in `scenarios.csv`: right, wrong, none; empty without a solution set or a database."""

import csv
import io
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
from click.testing import CliRunner

from cli.corpus import export
from session import events as e
from session.study.settings import Solution
from tests.corpus.corpora import corpus_of, session_of


def test_declared_solutions_are_judged_in_the_table_of_scenarios(tmp_path: Path) -> None:
    scripts = []
    for number, (speaker, said) in enumerate((("8k1", "flight 103"), ("8k2", "flight 104")), 1):
        script = session_of("bbn", speaker, number=number)
        for index, fact in enumerate(script.facts):
            event = fact.event
            if isinstance(event, e.SessionOpened):
                solved = {
                    name: msgspec.structs.replace(scenario, solution=Solution(sql="SELECT number FROM flight"))
                    for name, scenario in event.protocol.scenarios.items()
                    if scenario.kind == "trip"
                }
                protocol = msgspec.structs.replace(event.protocol, scenarios=event.protocol.scenarios | solved)
                event = msgspec.structs.replace(event, protocol=protocol)
            elif isinstance(event, e.SolutionDeclared):
                event = msgspec.structs.replace(event, solution=said)
            script.facts[index] = msgspec.structs.replace(fact, event=event)
        scripts.append(script)
    corpus = corpus_of(tmp_path / "corpus", *scripts)
    with closing(sqlite3.connect(tmp_path / "own.sqlite")) as link:
        link.execute("CREATE TABLE flight (number INTEGER)")
        link.execute("INSERT INTO flight VALUES (103)")
        link.commit()

    def judged(name: str, *more: str) -> list[tuple[str, str]]:
        target = tmp_path / name
        assert CliRunner().invoke(export, [str(corpus), str(target), "--as", "csv", "--whole", *more]).exit_code == 0
        rows = csv.DictReader(io.StringIO((target / "scenarios.csv").read_text("utf-8"), newline=""))
        return [(row["verdict"], row["correct"]) for row in rows if row["given"] == "1"]

    assert judged("unknown") == [("", ""), ("", "")]
    assert judged("known", "--database", str(tmp_path / "own.sqlite")) == [("right", "1"), ("wrong", "0")]
