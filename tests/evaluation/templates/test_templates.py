"""`curtain templates` to its end: the naval task as it ships, a schema of one's own, frames of requests."""

import json
from collections import Counter
from io import StringIO
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.commands.templates import TemplatesOptions, templates_command
from evaluation.templates import naval
from evaluation.templates.filled_templates import parse, render
from evaluation.templates.slot_report import read_messages, split
from evaluation.templates.slot_scores import SlotTally, assign
from evaluation.templates.template_schema import load
from tests.corpus.packages.packed import corpus

__all__ = ["corpus"]

NAVAL = Path(naval.__file__).parent
KEY, MESSAGES = str(NAVAL / "key.tpl"), str(NAVAL / "messages.toml")


def run(schema: str, key: str | Path, *responses: str, **options: Any) -> tuple[int, str, str]:
    out, err = StringIO(), StringIO()
    given = TemplatesOptions(schema=schema, key=str(key), responses=responses, **options)
    return templates_command(given, out, err), out.getvalue(), err.getvalue()


def changed(folder: Path, *pairs: tuple[str, str]) -> str:
    text = Path(KEY).read_text()
    for before, after in pairs:
        assert before in text
        text = text.replace(before, after, 1)
    (folder / "changed.tpl").write_text(text)
    return str(folder / "changed.tpl")


def test_the_naval_corpus_keeps_its_rules_and_is_stratified() -> None:
    assert run("naval", KEY, messages=MESSAGES) == (0, "23 templates, no fault\n", "")
    schema = load(NAVAL / "schema.toml")
    templates = parse(Path(KEY).read_bytes(), KEY, schema)
    assert [each.fills for each in parse(render(templates, schema), "", schema)] == [each.fills for each in templates]
    assert run("naval", KEY, show=True)[1].count("MESSAGE ID:") == 23
    messages = read_messages(Path(MESSAGES)).values()
    shares = Counter((each.group, each.set) for each in messages)
    assert {count for (_, part), count in shares.items() if part != "variation"} == {1}
    assert sorted(count for (_, part), count in shares.items() if part == "variation") == [2, 2, 3, 3]
    assert len(schema.slot) == 11
    groups = {str(number): "abcd"[number % 4 if number < 120 else 0] for number in range(155)}
    drawn = split(groups, {"development": 105, "first test": 25, "second test": 25}, 7)
    assert Counter(drawn.values()) == {"development": 105, "first test": 25, "second test": 25}
    assert 10 <= sum(groups[text] == "a" for text, each in drawn.items() if each == "first test") <= 11


def test_a_system_is_scored_by_the_measures_of_1989_and_of_today(tmp_path: Path) -> None:
    response = changed(tmp_path, ("EVENT: ATTACK", "EVENT: HARASS"), ("NEAR BUOY 7", "BUOY 9"), ("TIMES: 0610Z\n", ""))
    status, shown, err = run("naval", KEY, f"one={response}", messages=MESSAGES, modified=(f"one={KEY}",))
    assert (status, err) == (1, "")
    for words in (
        "SLOTS|schema:naval|assignment:optimal",
        "DEV-GROUP2-N00002-001 EVENT: ATTACK ← HARASS (1 too low)",
        "DEV-GROUP1-N00001-001 TIMES: 0610Z ← (blank)",
        "set (generality, progress)",
        "text (utility)",
        "cross-paragraph",
        "  by FORCE  ",
        "slots that were most often wrong: TIMES (1), EVENT (1), LOCATION (1)",
        "not expected to be significant",
    ):
        assert words in shown
    data = json.loads(run("naval", KEY, f"one={response}", as_json=True)[1])
    (row,) = data["systems"][0]["tables"]["all"]
    assert {name: row["tally"][name] for name in ("correct", "partial", "incorrect", "missing", "spurious")} == {
        "correct": 197, "partial": 1, "incorrect": 1, "missing": 1, "spurious": 0,
    }  # fmt: skip
    assert (row["tally"]["templates"], row["tally"]["templates_filled"]) == (20, 20)
    assert row["measures"]["recall"] == pytest.approx(100 * 197.5 / 200)
    assert row["measures"]["recall_2_1989"] == pytest.approx(100 * 202 / 203)
    assert row["measures"]["precision_1989"] == pytest.approx(100 * 200 / 202)


def test_a_fill_that_is_not_allowed_is_scored_and_told(tmp_path: Path) -> None:
    response = changed(tmp_path, ("EVENT: DETECT", "EVENT: SEEN"), ("AGENTS: HAWK 21", "AGENTS: AIR"))
    status, shown, err = run("naval", KEY, response, messages=MESSAGES)
    assert (status, err) == (1, "")
    assert "not allowed by the schema (1), and scored as they are\n" in shown
    assert "changed.tpl:5: DEV-GROUP1-N00001-001: EVENT: SEEN\n" in shown
    named_by_category = changed(tmp_path, ("AGENTS: HAWK 21", "AGENTS: AIR"))
    status, shown, err = run("naval", named_by_category, messages=MESSAGES)
    assert (status, shown) == (0, "23 templates, no fault\n")
    assert "changed.tpl:9: DEV-GROUP1-N00001-001: the text names HAWK 21, and AGENTS a category only" in err


def test_phases_and_sets_stand_apart_and_participants_get_examples_but_no_key(tmp_path: Path) -> None:
    early = changed(tmp_path, ("FORCE: HOSTILE", "FORCE: FRIENDLY"), ("EVENT: TRACK", "EVENT: DETECT"))
    status, shown, _ = run("naval", "naval", f"one@before={early}", f"one@after={KEY}", only="first test")
    assert status == 1
    assert "one, before: " in shown
    assert shown.index("  before: first test") < shown.index("  after: first test")
    assert "TRACK" not in shown
    assert "FORCE is one of 2: 50.0 % of guesses are right by chance" in shown
    data = json.loads(run("naval", "naval", f"one@before={early}", f"one@after={KEY}", as_json=True)[1])
    assert [(each["system"], each["phase"], each["templates"]) for each in data["runs"]] == [
        ("one", "before", 23),
        ("one", "after", 23),
    ]
    assert (
        "--set third: no text is of that set; there are development, first test"
        in run("naval", "naval", only="third")[2]
    )
    drawn = run("naval", "naval", draw="development=12,test=8")[1]
    assert Counter(line.split("\t")[1] for line in drawn.splitlines()) == {"development": 12, "test": 8}
    assert "--draw: 30 texts wanted of 22" in run("naval", "naval", draw="development=30")[2]
    assert "write it as development=105," in run("naval", "naval", draw="development")[2]
    assert "the set test is there twice" in run("naval", "naval", draw="test=4,test=4")[2]
    assert run("naval", "naval", hand_out=str(tmp_path / "out"))[1] == f"22 texts in {tmp_path / 'out'}\n"
    assert len([*tmp_path.glob("out/variation/verbatim/*.txt")]) == 10
    assert (tmp_path / "out/examples.tpl").read_text().count("MESSAGE ID") == 4
    told = (tmp_path / "out/README.txt").read_text()
    assert "FORCE: one of FRIENDLY, HOSTILE; blank where EVENT is OTHER." in told
    assert "without human help" in told
    assert "first test: 4, of aircraft, surface, submarine, land" in told
    assert run("naval", KEY, hand_out=str(tmp_path / "none"))[2].startswith("error: there is no text to hand out")


def test_templates_of_one_text_are_paired_where_most_is_right(tmp_path: Path) -> None:
    blocks = Path(KEY).read_text().split("\n\n")
    first, second = (
        next(n for n, b in enumerate(blocks) if "TST1-GROUP1" in b and e in b) for e in ("HARASS", "TARGET")
    )
    blocks[first], blocks[second] = blocks[second], blocks[first]
    (tmp_path / "turned.tpl").write_text("\n\n".join(blocks))
    assert run("naval", KEY, str(tmp_path / "turned.tpl"))[0] == 0
    assert SlotTally(correct=1, spurious=1, missing=1).measures()["f"] == 50.0


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), max_size=4))
def test_no_other_assignment_gains_more(gains: list[list[float]]) -> None:
    places = assign(gains)
    gained = sum(row[place] for row, place in zip(gains, places, strict=True) if place is not None)
    every = (
        sum(gains[row][place] for row, place in enumerate(each) if place < 3)
        for each in permutations(range(max(len(gains), 3)), len(gains))
    )
    assert gained == max(every, default=0)


@pytest.mark.parametrize(
    ("before", "after", "error"),
    [
        ("EVENT: OTHER", "EVENT: OTHER\nFORCE: HOSTILE", "FORCE is filled; it stays blank where EVENT is OTHER"),
        ("EVENT: DETECT", "EVENT: CONTACT", ""),
        ("EVENT: DETECT", "EVENT: SEEN", ":5: DEV-GROUP1-N00001-001: EVENT: SEEN; it is one of DETECT, TRACK"),
        ("AGENT CATEGORY: AIR", "AGENT CATEGORY: LAND", "AGENT CATEGORY: LAND; it is one of AIR, SURF, SUB"),
        ("INSTRUMENTS: RADAR", "INSTRUMENTS: GUN", "it is one of RADAR, SONAR, SONOBUOY, VISUAL, ESM, FIRE CONTROL RADAR where"),
        ("TIMES: 0610Z\n", "", "TIMES is blank; write NO DATA where nothing is known"),
        ("TIMES: 0610Z", "TIMES: 0610Z\nTIMES: NO DATA", "NO DATA beside another value"),
        ("FORCE: FRIENDLY", "FORCE: FRIENDLY\nFORCE: HOSTILE", "FORCE has 2 values; it has one"),
        ("TIMES: 0610Z", "TIMES: 0611Z", "TIMES: 0611Z is not in the text"),
        ("AGENTS: HAWK 21", "AGENTS: HK21", ""),
        ("AGENTS: HAWK 21", "AGENTS: NO DATA", "AGENTS: NO DATA beside AGENT CATEGORY: AIR; write AIR where no name is known"),
        ("AGENTS: HAWK 21", "AGENTS: SURF", ":9: DEV-GROUP1-N00001-001: SURF without SURF in AGENT CATEGORY"),
        ("AGENTS: HAWK 21", "AGENTS: USS BIRCH", "BIRCH without SURF in AGENT CATEGORY"),
        ("EVENT: DETECT", "DEED: DETECT", "changed.tpl:5: 'DEED' is not a slot of naval; the slots are MESSAGE ID, EVENT"),
        ("MESSAGE ID: DEV-GROUP1-N00001-001\n", "", ":4: a template without MESSAGE ID"),
        ("DEV-GROUP1-N00001-001", "DEV-GROUP1-N99999-001", "DEV-GROUP1-N99999-001 is not a text of this set"),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_told_with_its_place(tmp_path: Path, before: str, after: str, error: str) -> None:
    status, _, err = run("naval", changed(tmp_path, (before, after)), messages=MESSAGES)
    assert (status, error in err) == (2 if error else 0, True), err


def test_a_schema_in_small_letters_works_and_what_leads_nowhere_in_it_is_told(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    slots = (
        'name = "own"\nno_data = "none"\n[[slot]]\nname = "Id"\nkind = "id"\n[[slot]]\nname = "What"\nkind = "list"\n'
    )
    values = 'values = ["Flight", "Fare"]\nsynonyms = { ticket = "Fare" }\n'
    own.write_text(f'{slots}{values}[tables.u]\n"Oak" = {{ aliases = ["oaks"], values = {{ what = "Fare" }} }}\n')
    (tmp_path / "key.tpl").write_text("Id: m-1\nWhat: ticket\n")
    (tmp_path / "texts.toml").write_text('[[message]]\nid = "m-1"\nverbatim = "A ticket."\n')
    assert (
        run(str(own), tmp_path / "key.tpl", messages=str(tmp_path / "texts.toml"), show=True)[1]
        == "ID: M-1\nWHAT: FARE\n\n"
    )
    rule = '[[rule]]\nslots = ["What"]\nwhen = { what = ["Fares"] }\n'
    wrong = values.replace('= "Fare"', '= "Far"') + 'order = ["Fare", "Air"]\n'
    own.write_text(f'{slots}{wrong}[tables.u]\n"Oak" = {{ values = {{ who = "Fare" }} }}\n{rule}')
    told = [line.partition("own.toml:")[2] for line in run(str(own), tmp_path / "key.tpl")[2].splitlines()]
    assert [line.partition(":")[0] for line in told] == ["11", "10", "12", "16", "15"], told
    assert "a rule waits for WHAT: FARES; it is one of FLIGHT, FARE, NONE" in told[3]


def test_a_schema_is_data_and_requests_are_frames(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'name = "own"\n[[slot]]\nname = "ID"\nkind = "id"\n[[slot]]\nname = "WHO"\ntables = ["x"]\n'
    )
    assert "slot" not in (status_err := run(str(tmp_path / "own.toml"), KEY))[1]
    assert "WHO names 'x', which is not there" in status_err[2]
    (tmp_path / "own.toml").write_text(
        'name = "own"\nsplit = "X"\n[[slot]]\nname = "ID"\nkind = "id"\n[[slot]]\nname = "WHO"\nkind = "odd"\ntables = ["x"]\n'
    )
    told = run(str(tmp_path / "own.toml"), KEY)[2].splitlines()
    assert [line.partition("own.toml:")[2][:2] for line in told] == ["8:", "9:", "2:"], told
    (tmp_path / "own.toml").write_text(
        'name = "own"\n[[slot]]\nname = "ID"\nkind = "id"\n[[slot]]\nname = "A"\nkinds = "id"\n'
    )
    assert "own.toml:7: Object contains unknown field `kinds`" in run(str(tmp_path / "own.toml"), KEY)[2]
    for name, sql in (
        ("key", JOINED),
        ("same", NESTED),
        ("hyp", NESTED.replace("'BOS'", "'DEN'") + " AND f.stops = 0"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "8k1011sx.win").write_text("list flights from boston\n")
        (folder / "8k1011sx.sql").write_text(f"{sql};\n")
    assert run("requests", tmp_path / "key", show=True)[1].strip() == FRAME.strip()
    assert run("requests", tmp_path / "key", f"sys={tmp_path / 'same'}")[0] == 0
    status, shown, _ = run("requests", tmp_path / "key", f"sys={tmp_path / 'hyp'}")
    assert status == 1
    assert (
        "CONDITIONS: FLIGHT.ORIGIN > CITY.CODE = 'BOS' ← FLIGHT.ORIGIN > CITY.CODE = 'DEN' + FLIGHT.STOPS = 0, beside 2"
        in shown
    )
    (tmp_path / "key" / "8k1021sx.win").write_text("list fares\n")
    assert "8k1021sx.win: no .sql beside it" in run("requests", tmp_path / "key")[2]
    (tmp_path / "key" / "8k1021sx.sql").write_text("DELETE FROM flight;\n")
    assert "8k1021sx.sql: no request in SQL: DELETE, which asks for nothing" in run("requests", tmp_path / "key")[2]
    assert "no corpus, which has logs" in run("requests", tmp_path / "same", "wizard=log")[2]


def test_the_wizard_is_scored_by_what_the_logs_say_was_asked(corpus: Path) -> None:
    shown = run("requests", corpus, show=True)[1]
    assert shown.startswith("REQUEST: 8K1011SX\nASKS: ")
    assert run("requests", corpus, "wizard=log")[0] == 0


JOINED = (
    "SELECT f.flight_id FROM flight f JOIN city c ON c.id = f.origin JOIN city g ON f.goal = g.id "
    "WHERE c.code = 'BOS' AND 5 > f.cost AND g.code = 'OAK'"
)
NESTED = (
    "SELECT f.flight_id FROM flight f WHERE f.goal IN (SELECT id FROM city WHERE code = 'OAK') AND f.cost < 5 "
    "AND EXISTS (SELECT 1 FROM city AS c_7 WHERE c_7.id = f.origin AND c_7.code = 'BOS')"
)
FRAME = """\
REQUEST: 8K1011SX
ASKS: FLIGHT.FLIGHT_ID
TABLES: CITY
TABLES: FLIGHT
CONDITIONS: FLIGHT.COST < 5
CONDITIONS: FLIGHT.GOAL > CITY.CODE = 'OAK'
CONDITIONS: FLIGHT.ORIGIN > CITY.CODE = 'BOS'
"""
