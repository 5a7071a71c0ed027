"""Perturbed copies: same shape, same links, other values, and the luck that they show."""

import json
import re
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from corpus.formats.cas import Answer, answer_of
from evaluation.comparator.comparison import Verdict, compare
from evaluation.scoring.lucky_answers import LuckOptions, luck_command
from evaluation.scoring.perturb_database import Unfit, perturb
from session.values.answers import Table
from tests.evaluation.commands import luck, score
from tests.sqlite_files import fill


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "domain.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(
            "CREATE TABLE flight (flight_id INTEGER PRIMARY KEY, airline_code TEXT, day TEXT, leaves INTEGER);"
            "CREATE TABLE plain (word TEXT);"
        )
        days = ["TUESDAY", "WEDNESDAY"]
        made.executemany(
            "INSERT INTO flight VALUES (?, ?, ?, ?)", [(n, "AU"[n % 2], days[n < 20], 600 + n) for n in range(40)]
        )
        made.executemany("INSERT INTO plain VALUES (?)", [(str(n),) for n in range(9)])
        made.commit()
    return path


def read(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


def render_row(row: tuple[object, ...]) -> str:
    return "(" + " ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in row) + ")"


def test_describing_columns_change_places_and_links_stay(source: Path, tmp_path: Path) -> None:
    copy, again, other = (tmp_path / f"{name}.sqlite" for name in "abc")
    assert perturb(source, copy, 1) == ["flight.day", "flight.leaves", "plain.word"]
    links = "SELECT flight_id, airline_code FROM flight ORDER BY flight_id"
    assert read(copy, links) == read(source, links)
    times = "SELECT leaves FROM flight ORDER BY flight_id"
    assert read(copy, times) != read(source, times)
    assert sorted(read(copy, times)) == sorted(read(source, times))
    perturb(source, again, 1)
    perturb(source, other, 2)
    assert read(again, times) == read(copy, times) != read(other, times)


def test_tables_without_row_numbers_are_shuffled_by_their_keys(tmp_path: Path) -> None:
    path = tmp_path / "keyed.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.execute(
            "CREATE TABLE fare (kind TEXT, number INTEGER, cost INTEGER, PRIMARY KEY (kind, number)) WITHOUT ROWID"
        )
        made.executemany("INSERT INTO fare VALUES (?, ?, ?)", [("AB"[n % 2], n, 100 + n) for n in range(30)])
        made.execute("CREATE INDEX costs ON fare (cost)")
        made.execute("ANALYZE")
        made.commit()
    assert perturb(path, tmp_path / "copy.sqlite", 1) == ["fare.cost"]
    costs = "SELECT cost FROM fare ORDER BY kind, number"
    assert read(tmp_path / "copy.sqlite", costs) != read(path, costs)
    assert sorted(read(tmp_path / "copy.sqlite", costs)) == sorted(read(path, costs))


def test_an_answer_right_by_luck_is_wrong_on_the_copy(source: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    perturb(source, copy, 1)
    meant = "SELECT flight_id FROM flight WHERE day = 'WEDNESDAY'"
    misheard = "SELECT flight_id FROM flight WHERE leaves < 620"

    def answer(path: Path, sql: str) -> Answer:
        return answer_of(Table(("flight_id",), tuple(read(path, sql))))  # type: ignore[arg-type]

    assert compare(answer(source, meant), answer(source, misheard)).verdict is Verdict.CORRECT
    assert compare(answer(copy, meant), answer(copy, misheard)).verdict is Verdict.INCORRECT


def test_nothing_is_overwritten_and_faults_are_named(source: Path, tmp_path: Path) -> None:
    with pytest.raises(Unfit, match="exists already"):
        perturb(source, source, 1)
    bad = tmp_path / "bad.sqlite"
    bad.write_bytes(b"no database at all" * 100)
    with pytest.raises(Unfit, match=r"bad\.sqlite"):
        perturb(bad, tmp_path / "x.sqlite", 1)
    with pytest.raises(Unfit, match="no such database"):
        perturb(tmp_path / "none", tmp_path / "y.sqlite", 1)
    with pytest.raises(Unfit, match="/proc/self/mem"):
        perturb(Path("/proc/self/mem"), tmp_path / "z.sqlite", 1)


MEANT = "SELECT flight_id FROM flight WHERE day = 'WEDNESDAY'"
MORE = {"e1": "day", "e2": "airline_code", "e3": "leaves"}
MISHEARD = "SELECT flight_id FROM flight WHERE leaves < 620"


def test_the_command_says_what_is_right_by_luck(source: Path) -> None:
    status, out, _ = luck(source, MEANT, MISHEARD, variants=3)
    assert status == 1
    assert "request: right by luck: wrong on 3 of 3 perturbed copies (1, 2, 3)" in out
    assert "1 of 1 right on the database, 1 of them by luck" in out
    assert luck(source, MEANT, f"{MEANT} ORDER BY leaves", variants=3)[0] == 0
    status, out, _ = luck(source, MEANT, MISHEARD, variants=2, seed=9, as_json=True)
    found = json.loads(out)["requests"][0]
    assert (status, found["verdict"], found["right_by_luck"]) == (1, "correct", True)


def test_what_is_empty_on_every_copy_is_not_counted_as_shown(source: Path) -> None:
    nothing = "SELECT flight_id FROM flight WHERE leaves < 0"
    status, out, _ = luck(source, nothing, nothing, variants=2)
    assert status == 0
    assert "request: correct, but the reference is empty on every perturbed copy: they show nothing" in out
    assert (
        "1 of 1 right on the database, 0 of them by luck, 1 cannot be distinguished from luck (empty on every copy)"
        in out
    )
    found = json.loads(luck(source, nothing, nothing, variants=2, as_json=True)[1])["requests"][0]
    assert (found["telling"], found["untested"]) == (0, True)


def test_names_stay_with_their_codes(tmp_path: Path) -> None:
    rows = [(f"A{n}", f"AIRLINE {n}", f"K{n % 3}") for n in range(9)]
    script = "CREATE TABLE airline (airline_code TEXT PRIMARY KEY, airline_name TEXT, kind TEXT)"
    fill(tmp_path / "a.sqlite", script, {"airline": rows})
    assert perturb(tmp_path / "a.sqlite", tmp_path / "b.sqlite", 1) == ["airline.kind"]


def test_folders_of_sql_are_kept_so_that_they_can_be_scored(source: Path, tmp_path: Path) -> None:
    for folder, statements in (("refs", {"e1": MEANT, "e2": MEANT}), ("ours", {"e1": MISHEARD})):
        (tmp_path / folder).mkdir()
        for name, text in statements.items():
            (tmp_path / folder / f"{name}.sql").write_text(text + ";\n")
    kept = tmp_path / "kept"
    status, out, _ = luck(
        source, str(tmp_path / "refs"), str(tmp_path / "ours"), name="ours", variants=2, keep=str(kept)
    )
    assert status == 1
    assert "e2: no answer" in out
    lists = (tmp_path / "references.cas", tmp_path / "ours.cas")
    for path in lists:
        path.write_text("e1 ((1))\ne2 ((1))\n")
    folders = (str(kept / "1"), str(kept / "2"))
    status, scored, _ = score(str(lists[0]), [f"ours={lists[1]}"], variants=folders)
    assert status == 0
    assert "right by luck (wrong on a perturbed database): e1, e2" in scored
    assert luck(source, "", "", keep=str(tmp_path / "only"), variants=1)[0] == 0
    assert (tmp_path / "only" / "1" / "database.sqlite").is_file()


def test_maxima_bound_the_answers_on_the_copies_too(source: Path, tmp_path: Path) -> None:
    """Beyond the minimum a column that is allowed, one that is not, and one that is its like on the database alone."""
    most = "SELECT flight_id, day, 600 + flight_id AS leaves FROM flight WHERE day = 'WEDNESDAY'"
    for folder, statements in (
        ("refs", {"e1": MEANT, "e2": MEANT, "e3": MEANT}),
        ("ours", {name: MEANT.replace("flight_id", f"flight_id, {more}", 1) for name, more in MORE.items()}),
    ):
        (tmp_path / folder).mkdir()
        for name, text in statements.items():
            (tmp_path / folder / f"{name}.sql").write_text(text + ";\n")
            if folder == "refs":
                (tmp_path / folder / f"{name}.sq2").write_text(most + ";\n")
    refs, ours, kept = str(tmp_path / "refs"), str(tmp_path / "ours"), tmp_path / "kept"
    status, out, err = luck(source, refs, ours, name="ours", variants=1, keep=str(kept))
    assert status == 1, err
    assert re.findall(r"^(e\d: [a-z ]+)", out, re.MULTILINE) == ["e1: correct", "e2: incorrect", "e3: right by luck"]
    assert "|ref:minmax|" in out
    for name, statement in (("references", MEANT), ("maxima", most)):
        rows = "(" + " ".join(render_row(row) for row in read(source, statement)) + ")"
        (tmp_path / f"{name}.cas").write_text("".join(f"e{n} {rows}\n" for n in (1, 2, 3)))
    answered = [
        f"{name} ("
        + " ".join(render_row(row) for row in read(source, MEANT.replace("flight_id", f"flight_id, {more}", 1)))
        + ")\n"
        for name, more in MORE.items()
    ]
    (tmp_path / "ours.cas").write_text("".join(answered))
    least, bound = str(tmp_path / "references.cas"), str(tmp_path / "maxima.cas")
    _, out, err = score(least, [str(tmp_path / "ours.cas")], maximum=bound, variants=(str(kept / "1"),))
    assert "right by luck (wrong on a perturbed database): e3\n" in out, out + err
    assert "maxima.cas" not in err
    (kept / "1" / "maxima.cas").unlink()
    _, out, err = score(least, [str(tmp_path / "ours.cas")], maximum=bound, variants=(str(kept / "1"),))
    assert "right by luck" not in out
    assert "no maxima.cas; answers are compared with the minimum only" in err


def test_whoever_breaks_off_leaves_no_half_of_what_was_to_be_kept(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    kept = tmp_path / "kept"
    with monkeypatch.context() as patch:
        patch.setattr("evaluation.scoring.lucky_answers._answers", interrupt)
        with pytest.raises(KeyboardInterrupt):
            luck(source, MEANT, MISHEARD, variants=1, keep=str(kept))
    assert not kept.exists()
    kept.mkdir()
    assert luck(source, MEANT, MISHEARD, variants=1, keep=str(kept))[0] == 2
    assert kept.exists(), "it is somebody else's"


def test_how_far_it_has_come_is_told_on_a_terminal(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    err = StringIO()
    monkeypatch.setattr(err, "isatty", lambda: True)
    given = LuckOptions(database=str(source), reference=MEANT, hypothesis=MISHEARD, variants=2)
    assert luck_command(given, StringIO(), err) == 1
    bars = set(re.findall(r"(copies|databases)  \[[#-]+\]  (\d)/(\d)", err.getvalue()))
    assert {("copies", "2", "2"), ("databases", "3", "3")} <= bars


@pytest.mark.parametrize(
    ("reference", "hypothesis", "options", "fault"),
    [
        ("", "", {}, "nothing to do"),
        (MEANT, MISHEARD, {"variants": 0}, "at least one"),
        ("SELECT nothing FROM nowhere", MISHEARD, {}, "nowhere"),
        (MEANT, f"{MEANT};\n{MISHEARD};", {}, "2 statements of the system"),
        ("no/such.sql", MISHEARD, {}, "no/such.sql"),
        (MEANT, MISHEARD, {"keep": "."}, "exists"),
    ],
)
def test_what_cannot_be_done_is_said(
    source: Path, reference: str, hypothesis: str, options: dict[str, Any], fault: str
) -> None:
    status, _, err = luck(source, reference, hypothesis, **options)
    assert status == 2
    assert fault in err
