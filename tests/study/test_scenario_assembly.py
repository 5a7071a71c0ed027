"""Scenarios that sites submit are taken in together, or none of them."""

import io
import sqlite3
from contextlib import closing
from pathlib import Path

from session.study.create import new
from session.study.folder import load
from study.solutions_command import assemble_command

SCENARIO = """title = "A trip"
kind = "trip"
difficulty = {difficulty}
text = "{text}"
[solution]
sql = "SELECT name FROM city WHERE name <= '{last}'"
"""


def test_scenarios_of_sites_are_taken_in_together_or_not_at_all(tmp_path: Path) -> None:
    study = new(tmp_path / "study")
    path = study.folder / "study.toml"
    path.write_text(path.read_text().replace('database = ""', 'database = "sqlite:///toy.sqlite"'))
    with closing(sqlite3.connect(study.folder / "toy.sqlite")) as link:
        link.execute("CREATE TABLE city (name TEXT)")
        link.executemany("INSERT INTO city VALUES (?)", [("BOSTON",), ("DENVER",)])
        link.commit()
    for site in ("att", "mit"):
        (tmp_path / site).mkdir()
        for number in range(4):
            text = SCENARIO.format(difficulty=1 + number, text="Find out where you can go.", last="DENVER")
            (tmp_path / site / f"{site}-{number}.toml").write_text(text)
    sites = [str(tmp_path / "att"), str(tmp_path / "mit")]

    def called(*folders: str) -> tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        return assemble_command(str(study.folder), folders, out, err), out.getvalue(), err.getvalue()

    before = sorted(load(study.folder).scenarios)
    bad = tmp_path / "mit" / "mit-3.toml"
    bad.write_text(SCENARIO.format(difficulty=1, text="Ask: where can I go?", last="ATLANTA"))
    status, _, told = called(*sites)
    assert (status, sorted(load(study.folder).scenarios)) == (1, before)
    assert f"{bad}: a sentence that subjects could repeat: 'Ask: where can I go?'" in told
    assert f"{bad}: its solution set is empty: it cannot be solved" in told
    bad.write_text(SCENARIO.format(difficulty=4, text="Find out where you can go.", last="BOSTON"))
    status, shown, told = called(*sites)
    assert status == 0, told
    assert {*load(study.folder).scenarios} - {*before} == {f"{site}-{n}" for site in ("att", "mit") for n in range(4)}
    assert ["mit", "mit-3", "4", "1"] in [line.split() for line in shown.splitlines()]
    path.write_text(path.read_text() + shown[shown.index("[design]") :].replace("[design]", "[design]\nsubjects = 8"))
    sets = load(study.folder).settings.planned.sets  # type: ignore[union-attr]
    assert [sorted(name[:3] for name in own) for own in sets.values()] == [["att", "att", "mit", "mit"]] * 2
    status, _, told = called(sites[0])
    assert status == 2
    assert "`id` is 'att-0', as in " in told
