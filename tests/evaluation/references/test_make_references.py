"""Reference answers from SQL, on a corpus in a folder and a database in a file."""

import sqlite3
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from corpus.formats.cas import parse
from domain.principles import load
from evaluation.comparator.comparison import Verdict, compare
from evaluation.references.make_references import RefusedRequest, make
from session.values.answers import Table
from tests.evaluation.commands import answers, convert, score

PRINCIPLES = """
name = "small"
title = "a small set"
version = "1"
dated = 2026-01-01
[maximum.identify]
flight = ["flight_id", "airline_code"]
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made = sqlite3.connect(tmp_path / "small.sqlite")
    made.executescript(
        "CREATE TABLE flight (flight_id INTEGER, airline_code TEXT, origin TEXT, leaves INTEGER);"
        "INSERT INTO flight VALUES (3, 'US', 'BOS', 800), (1, 'AA', 'BOS', 2000), (2, 'AA', 'OAK', 900);"
    )
    made.close()
    (tmp_path / "principles.toml").write_text(PRINCIPLES)
    (tmp_path / "corpus").mkdir()
    return tmp_path


def write(place: Path, **files: str) -> None:
    for name, text in files.items():
        stem, _, kind = name.rpartition("_")
        (place / "corpus" / f"{stem}.{kind}").write_text(text)


def run(place: Path, **options: Any) -> tuple[int, str, str]:
    return answers(place, "small", **options)


def read(place: Path, name: str) -> str:
    return (place / "corpus" / name).read_text()


def test_the_three_files_are_made_and_made_again_to_the_byte(place: Path) -> None:
    write(place, one_sql="SELECT flight_id FROM flight WHERE origin = 'BOS';\n", one_cat="A: wh-question\n")
    assert run(place)[0] == 0
    assert read(place, "one.ref") == "((1)\n (3))\n"
    assert read(place, "one.sq2").startswith(
        "SELECT DISTINCT flight.flight_id, flight.origin, flight.airline_code FROM"
    )
    assert read(place, "one.rf2") == '((1 "BOS" "AA")\n (3 "BOS" "US"))\n'
    assert run(place) == (0, "".join(f"{place / 'corpus' / 'one'}.{kind}\n" for kind in ("ref", "sq2", "rf2")), "")
    assert run(place, check=True) == (0, "", "")
    (place / "corpus" / "one.ref").write_text("((1))\n")
    status, out, _ = run(place, check=True)
    assert status == 1
    assert "one.ref: differs from what the SQL gives" in out
    status, _, err = run(place)
    assert status == 2
    assert "exists and differs" in err
    assert run(place, replace=True)[0] == 0
    assert read(place, "one.ref") == "((1)\n (3))\n"


def test_two_readings_are_two_alternatives_in_pairs(place: Path) -> None:
    write(
        place,
        one_sql="SELECT flight_id FROM flight WHERE leaves = 800;\nSELECT flight_id FROM flight WHERE leaves = 2000;\n",
        one_cat="A: testably-ambiguous\ninterp#1: wh-question\ninterp#2: wh-question\n",
    )
    assert run(place)[0] == 0
    least, most = parse(read(place, "one.ref")), parse(read(place, "one.rf2"))
    assert (len(least.alternatives), len(most.alternatives)) == (2, 2)
    assert compare(least, parse('((3 800 "US"))'), most).verdict is Verdict.CORRECT
    assert compare(least, parse("((3 2000))"), most).verdict is Verdict.INCORRECT


def test_a_yes_no_request_wants_yes_or_the_things(place: Path) -> None:
    write(
        place,
        yes_sql="SELECT flight_id FROM flight WHERE origin = 'OAK';\n",
        yes_cat="A: yes/no\n",
        no_sql="SELECT flight_id FROM flight WHERE origin = 'DEN';\n",
        no_cat="A: yes/no\n",
    )
    assert run(place)[0] == 0
    assert read(place, "yes.ref") == "(TRUE\n OR ((2)))\n"
    assert read(place, "no.ref") == "(FALSE\n OR ())\n"
    assert read(place, "yes.rf2") == '(TRUE\n OR ((2 "OAK" "AA")))\n'


def test_x_and_what_depends_on_it_gets_no_files(place: Path) -> None:
    statement = "SELECT flight_id FROM flight;\n"
    write(
        place,
        a_cat="A: wh-question\n",
        a_sql=statement,
        b_cat="X: trunc-utt\n",
        c_cat="D: context-dependent:Q2\n",
        c_sql=statement,
        d_cat="D: context-dependent:Q1\n",
        d_sql=statement,
    )
    assert run(place)[0] == 0
    made = sorted(path.name for path in (place / "corpus").iterdir() if path.suffix in (".ref", ".sq2", ".rf2"))
    assert made == ["a.ref", "a.rf2", "a.sq2", "d.ref", "d.rf2", "d.sq2"]
    write(place, c_ref="((1))\n")
    status, _, err = run(place)
    assert status == 1
    assert "c.ref: must not exist: depends on b, which is not evaluable" in err


@pytest.mark.parametrize(
    ("statements", "why"),
    [
        ("SELECT flight_id FROM flight LIMIT 1;\n", "no maximum: LIMIT"),
        ("SELECT leaves - 5 FROM flight;\n", "arithmetic, which the principles do not allow: leaves - 5"),
        ("SELECT flight_id FROM nowhere;\n", "nowhere"),
        ("SELECT flight_id FROM flight;\nselect FLIGHT_ID from flight;\n", "2 readings but 1 different"),
        ("".join(f"SELECT flight_id FROM flight WHERE leaves = {n};\n" for n in range(7)), "7 readings, more than 6"),
    ],
)
def test_what_cannot_be_made_is_refused_and_nothing_is_written(place: Path, statements: str, why: str) -> None:
    write(place, bad_sql=statements, good_sql="SELECT flight_id FROM flight;\n")
    status, out, err = run(place)
    assert (status, out) == (1, "")
    assert why in err
    assert "nothing was written" in err
    assert not list((place / "corpus").glob("*.ref"))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (
            {
                "a_sql": "SELECT flight_id FROM flight;\n",
                "a_cat": "A: wh-question\ninterp#1: wh-question\ninterp#2: wh-question\n",
            },
            "1 statements, 2 interpretations",
        ),
        ({"a_cat": "D: context-dependent:Q7\n"}, "Q7 points to no request"),
        ({"a_cat": "B: nothing\n"}, "is not a class"),
        ({"a_sql": "\n"}, "no statement"),
    ],
)
def test_faulty_files_are_named(place: Path, files: dict[str, str], why: str) -> None:
    write(place, **files)
    status, _, err = run(place)
    assert status == 2
    assert why in err
    assert "a." in err


def test_a_query_becomes_an_answer(place: Path) -> None:
    url = f"sqlite:///{place / 'small.sqlite'}"
    assert convert("SELECT airline_code, flight_id FROM flight WHERE origin = 'BOS'", database=url) == (
        0,
        '(("AA" 1)\n ("US" 3))\n',
        "",
    )
    assert convert("SELECT x FROM flight", database=url)[0] == 2


class Torn:
    """A database that picks another row whenever ORDER BY leaves a choice."""

    dialect = "sqlite"

    def __init__(self) -> None:
        self._calls = 0

    def run(self, sql: str) -> Table:
        self._calls += 1
        picked = ("AA", "US")[self._calls % 2]
        if "DISTINCT" in sql:
            return Table(("airline_code", "origin"), ((picked, "BOS"),))
        return Table(("airline_code",), ((picked,),))


def test_a_limit_that_picks_among_ties_is_refused(place: Path) -> None:
    statement = "SELECT airline_code FROM flight ORDER BY origin LIMIT 1"
    with pytest.raises(RefusedRequest, match="picks among ties"):
        make([statement], load(place, "small"), Torn(), {}, yes_no=False)


def test_arms_of_a_union_and_rows_of_a_limit_get_their_maxima(place: Path) -> None:
    write(
        place,
        one_sql="SELECT flight_id FROM flight WHERE origin = 'OAK' UNION SELECT flight_id FROM flight WHERE leaves > 1000;\n",
        two_sql="SELECT flight_id FROM flight ORDER BY leaves LIMIT 1;\n",
    )
    assert run(place)[0] == 0
    assert read(place, "one.rf2") == '((1 "BOS" "AA" 2000)\n (2 "OAK" "AA" 900))\n'
    assert read(place, "two.rf2") == '((3 800 "US"))\n'


def test_a_change_of_the_principles_lists_the_requests_that_rest_on_it(place: Path) -> None:
    entry = '[[principle]]\nid = "{}"\ntitle = "t"\ntext = "{}"\nsource = "s"\ndated = 2026-01-01\n'
    old = place / "old"
    old.mkdir()
    frozen = PRINCIPLES.replace("[maximum", "frozen_from = 2026-06-01\nfrozen_until = 2026-09-01\n[maximum")
    (old / "principles.toml").write_text(frozen + entry.format("2.1", "as it was") + entry.format("2.2", "the same"))
    after = frozen.replace('version = "1"', 'version = "2"')
    (place / "principles.toml").write_text(after + entry.format("2.1", "otherwise") + entry.format("2.2", "the same"))
    write(
        place,
        one_cat="A: wh-question ; principles 1: 2.1, 2.2\n",
        two_cat="A: wh-question ; principles 1: 2.2\n",
        three_cat="A: wh-question ; of two minds\n",
    )
    settings = {"before": str(old), "today": date(2026, 10, 1)}
    status, out, _ = run(place, **settings)
    assert status == 0
    assert out.splitlines() == ["principle 2.1 changed from 1 to 2", f"{place / 'corpus' / 'one.cat'}: cites 2.1"]
    status, out, err = run(place, before=str(old), today=date(2026, 7, 1))
    assert (status, out) == (2, "")
    assert "frozen since 2026-06-01 until 2026-09-01: 2.1 may not change" in err
    write(place, two_cat="A: wh-question ; principles: 2.2\n")
    assert "principles without a version" in run(place, **settings)[2]


def test_settings_of_a_set_bear_on_every_request_and_a_change_wants_a_version_of_its_own(place: Path) -> None:
    old = place / "old"
    old.mkdir()
    (old / "principles.toml").write_text(PRINCIPLES)
    other = PRINCIPLES.replace("[maximum", 'yes_no = "boolean"\n[maximum').replace('"airline_code"]', '"origin"]')
    (place / "principles.toml").write_text(other)
    settings = {"before": str(old), "today": date(2026, 10, 1)}
    status, _, err = run(place, **settings)
    assert status == 2
    assert "yes_no, maximum changed, and the version is still 1; give it a new one" in err
    (place / "principles.toml").write_text(other.replace('version = "1"', 'version = "2"'))
    assert run(place, **settings)[:2] == (
        0,
        "yes_no changed from 1 to 2: it bears on every request\nmaximum changed from 1 to 2: it bears on every request\n",
    )


def test_what_gets_no_answers_is_told_and_scored_as_class_x(place: Path) -> None:
    statement = "SELECT flight_id FROM flight WHERE origin = 'BOS';\n"
    write(
        place,
        e00011sx_sql=statement,
        e00011sx_cat="A: wh-question\n",
        e00021sx_cat="X: trunc-utt\n",
        e00031sx_sql=statement,
        e00031sx_cat="D: wh-question context-dependent:Q2\n",
        e00041sx_sql=statement,
        e00041sx_cat="D: wh-question context-dependent:Q1\n",
        e00051sx_cat="A: wh-question\n",
        e00061sx_sql=statement,
        e00061sx_cat="D: responding context-dependent:Q1\n",
    )
    status, _, err = run(place)
    assert (status, err.splitlines()) == (
        0,
        [
            "e00021sx: gets no answers: class X",
            "e00031sx: gets no answers: depends on e00021sx, which is not evaluable",
            "e00051sx: gets no answers: no SQL",
            "e00061sx: gets no answers: it responds to a question of the system; class it X",
        ],
    )
    (place / "corpus" / "e00051sx.cat").unlink()
    (place / "h.cas").write_text("e00011sx ((1) (3))\ne00031sx 5\ne00041sx ((1) (3))\n")
    status, out, faults = score(str(place / "corpus"), [str(place / "h.cas")])
    assert status == 0, faults
    assert "2 requests scored, 3 of class X left out" in out


def test_a_count_may_be_answered_with_the_constant_that_constrains_it(place: Path) -> None:
    write(place, one_sql="SELECT COUNT(*) FROM flight WHERE origin = 'BOS';\n", one_cat="A: wh-question\n")
    write(place, two_sql="SELECT COUNT(*) FROM flight WHERE origin = 'XXX';\n", two_cat="A: wh-question\n")
    assert run(place)[0] == 0
    assert (read(place, "one.ref"), read(place, "one.rf2")) == ("((2))\n", '((2 "BOS"))\n')
    assert (read(place, "two.ref"), read(place, "two.rf2")) == ("((0))\n", '((0 "XXX"))\n')


def test_figure_3_a_yes_no_and_a_wh_reading_of_one_sentence(place: Path) -> None:
    """MADCOW 1993, figure 3, sentence 4: two interpretations, one sentence; the same with the statement written twice."""
    statement = "SELECT flight_id FROM flight WHERE origin = 'BOS';\n"
    category = "D:\ninterp#1: yes/no context-dep:Q1\ninterp#2: wh-ques context-dep:Q1\n"
    write(place, e00011sx_cat="A: wh-question\n", e00011sx_sql=statement)
    write(place, e00021sx_cat=category, e00021sx_sql=statement)
    write(place, e00031sx_cat=category, e00031sx_sql=statement * 2)
    write(
        place, e00041sx_cat=category, e00041sx_sql=f"SELECT DISTINCT 1 FROM flight WHERE origin = 'BOS';\n{statement}"
    )
    assert run(place)[0] == 0
    for name in ("e00021sx", "e00031sx", "e00041sx"):
        assert read(place, f"{name}.ref") == "(TRUE\n OR ((1)\n (3)))\n", name
    assert read(place, "e00021sx.sq2").count(";") == 1
    assert run(place, check=True)[0] == 0


def test_the_least_of_nothing_is_excluded(place: Path) -> None:
    write(place, one_sql="SELECT MIN(leaves) FROM flight WHERE origin = 'XXX';\n", one_cat="A: wh-question\n")
    write(place, two_sql="SELECT MIN(leaves) FROM flight WHERE origin = 'BOS';\n", two_cat="A: wh-question\n")
    status, _, err = run(place)
    assert status == 1
    assert "one.sql: the answer is one missing value, which is excluded" in err
    (place / "corpus" / "one.sql").unlink()
    (place / "corpus" / "one.cat").unlink()
    assert run(place)[0] == 0
    assert (read(place, "two.ref"), read(place, "two.rf2")) == ("((800))\n", '((800 "BOS" 3 "US"))\n')


def test_sql_for_an_answer_may_stand_in_a_file(place: Path) -> None:
    (place / "q.sql").write_text("SELECT airline_code FROM flight WHERE flight_id = 3")
    database = f"sqlite:///{place / 'small.sqlite'}"
    assert convert(str(place / "q.sql"), database=database) == (0, '(("US"))\n', "")
    assert "gone.sql: cannot be read" in convert(str(place / "gone.sql"), database=database)[2]


def test_a_set_of_principles_that_was_edited_since_it_was_frozen_makes_nothing(place: Path) -> None:
    write(place, one_sql="SELECT flight_id FROM flight;\n", one_cat="A: wh-question\n")
    frozen = PRINCIPLES.replace("[maximum", f'frozen_sha256 = "{load(place, "small").digest}"\n[maximum')
    (place / "principles.toml").write_text(frozen)
    assert run(place, check=True)[0] == 1
    (place / "principles.toml").write_text(frozen.replace('"airline_code"]', '"origin"]'))
    status, out, err = run(place)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "principles.toml: edited since it was frozen: its digest is " in err
    assert not (place / "corpus" / "one.ref").exists()
