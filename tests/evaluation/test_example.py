"""The corpus of 1989: it parses, matches itself and nothing else, and the worked example runs."""

import random
from decimal import Decimal
from io import StringIO

import pytest

from corpus.formats.cas import Answer, Date, Relation, Rules, Value, parse, render
from evaluation.comparator.comparison import Verdict, compare
from evaluation.comparator.options import options_for
from evaluation.example import FOLDER, show
from evaluation.scoring.answer_files import PlacedAnswer, read_list

OLD = options_for(Rules.R1989)


def corpus() -> dict[str, PlacedAnswer]:
    faults: list[str] = []
    found = read_list(FOLDER / "references.cas", OLD, faults)
    assert faults == []
    return found


CB = {name: listed.answer for name, listed in corpus().items()}


def relation(answer: Answer) -> Relation:
    one = answer.single
    assert isinstance(one, Relation)
    return one


def right(ref: Answer, hyp: Answer) -> bool:
    return compare(ref, hyp, options=OLD).verdict is Verdict.CORRECT


def test_all_21_are_there_and_print_back() -> None:
    assert list(CB) == [f"CB-{n:02}" for n in range(1, 22)]
    assert all(parse(render(answer, Rules.R1989), Rules.R1989) == answer for answer in CB.values())
    assert relation(CB["CB-02"]).rows == ((Date("06-OCT-52"),),)
    assert sum(int(str(count)) for count, _ in relation(CB["CB-13"]).rows) == 422
    assert [len(relation(CB[name]).rows) for name in ("CB-13", "CB-15", "CB-18", "CB-20")] == [18, 9, 9, 15]


def test_every_answer_is_right_for_itself_and_for_no_other_but_two_pairs() -> None:
    matches = {(one, two) for one in CB for two in CB if right(CB[one], CB[two])}
    assert matches - {(name, name) for name in CB} == {
        ("CB-06", "CB-07"),
        ("CB-07", "CB-06"),
        ("CB-04", "CB-09"),
        ("CB-09", "CB-04"),
    }
    assert all((name, name) in matches for name in CB)


@pytest.mark.parametrize("name", list(CB))
def test_shuffled_widened_and_doubled_answers_stay_right(name: str) -> None:
    rng = random.Random(name)
    rows = [[*row, rng.randrange(100), f"extra{rng.randrange(5)}"] for row in relation(CB[name]).rows]
    rows = [row for row in rows for _ in range(rng.randint(1, 2))]
    rng.shuffle(rows)
    order = rng.sample(range(len(rows[0])), len(rows[0])) if rows else []
    wide = Answer((Relation(tuple(tuple(row[j] for j in order) for row in rows)),))
    assert right(CB[name], wide)


def moved(value: Value) -> Value:
    match value:
        case bool():
            return not value
        case int() | Decimal():
            return value * 2 + 1
        case str():
            return value + "X"
        case Date():
            return Date("31-DEC-99")
        case None:
            return "214-000-0000"


@pytest.mark.parametrize("name", [name for name in CB if name != "CB-21"])
def test_losing_any_row_or_changing_any_value_makes_it_wrong(name: str) -> None:
    rows = relation(CB[name]).rows
    for place in range(len(rows)):
        assert not right(CB[name], Answer((Relation(rows[:place] + rows[place + 1 :]),)))
        for column in range(len(rows[place])):
            row = tuple(moved(v) if column == j else v for j, v in enumerate(rows[place]))
            assert not right(CB[name], Answer((Relation((*rows[:place], row, *rows[place + 1 :])),)))


def test_a_phone_number_is_no_number_and_an_exact_ratio_is_not_the_printed_one() -> None:
    assert not right(CB["CB-16"], parse("6218", Rules.R1989))
    assert right(CB["CB-17"], parse("270275.0", Rules.R1989))
    assert not right(CB["CB-19"], parse("0.10638297872", Rules.R1989))


def test_the_worked_example_prints_every_table() -> None:
    out, err = StringIO(), StringIO()
    assert show(out, err) == 0
    text = out.getvalue()
    flagged = [line.split(": ")[1] for line in err.getvalue().splitlines() if "looks rounded" in line]
    assert flagged == ["CB-06", "CB-07", "CB-19"]
    for part in (
        "21 requests scored",
        "System lookup",
        "System cautious",
        "north",
        "speaker1",
        "McNemar p",
        "systems by collecting sites",
        "A+D",
        "speakers resampled: 95 % between",
        "differ beyond chance from",
        "14.3 % can be answered by yes or no",
        "would pass for another request",
        "before adjudication",
        "CB-02: incorrect → correct",
        "right by luck (wrong on a perturbed database): CB-04, CB-21",
        "right by luck (wrong on a perturbed database): CB-16",
        "south!",
        "lookup at home (north): +71.2 points",
        "CB-04 and CB-09",
        "67.0 % at the first try (57.3 to 75.4), 94.0 %",
        'missing (26 "DI"); too much (27 "DI")',
        "CAS|rules:1989",
    ):
        assert part in text, part


def test_what_was_adjudicated_and_perturbed_in_the_example_is_what_it_says() -> None:
    faults: list[str] = []
    printed = read_list(FOLDER / "printed.cas", OLD, faults)
    moved_on = read_list(FOLDER / "perturbed" / "references.cas", OLD, faults)
    assert faults == []
    assert [name for name in CB if printed[name].answer != CB[name]] == ["CB-02"]
    assert [name for name in CB if moved_on[name].answer != CB[name]] == ["CB-04", "CB-10", "CB-16", "CB-21"]
