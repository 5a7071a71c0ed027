"""Squares as they were published, designs that are balanced, and assignments that stay."""

import csv
import io
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from corpus.commands.report import ReportOptions, StatsOptions, report_command, stats_command
from corpus.export.madcow import export
from corpus.export.session_files import ExportOptions
from session import events as e
from session.collection.open_session import assigned
from session.store.event_store import Store
from session.study.assignment import Assignment, VisitPlan, assign
from session.study.create import new
from session.study.design import Design, Factor, latin_square, williams_square
from session.study.folder import load
from session.study.settings import Speaker
from session.study.toml_reader import StudyError
from session.values.clock import Stamp
from study.design_command import design_command
from tests.corpus.corpora import OfStudy, corpus_of, session_of
from tests.study.worlds import END_TO_END, A, B, World


def letters(rows: list[tuple[int, ...]]) -> list[str]:
    return ["".join("ABCDEF"[n] for n in row) for row in rows]


def test_squares_are_those_that_were_published() -> None:
    # J. V. Bradley, Complete counterbalancing of immediate sequential effects in a Latin square design, Journal of the American
    # Statistical Association 53, 1958, pp. 525-528, gives the rule; its squares of 4 and 6 begin A B D C and A B F C E D.
    assert letters(williams_square(4)) == ["ABDC", "BCAD", "CDBA", "DACB"]
    assert letters(williams_square(6)) == ["ABFCED", "BCADFE", "CDBEAF", "DECFBA", "EFDACB", "FAEBDC"]
    # E. J. Williams 1949: an odd number takes two squares; for three treatments these are all six orders.
    assert sorted(letters(williams_square(3))) == ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]
    for size in range(2, 12):
        rows = williams_square(size)
        followed = Counter(pair for row in rows for pair in pairwise(row))
        assert set(followed.values()) == {1 + size % 2}
        assert len(followed) == size * (size - 1)
        for square in (rows, latin_square(size)):
            assert all(
                Counter(column) == Counter({n: len(square) // size for n in range(size)})
                for column in zip(*square, strict=True)
            )


def balanced(given: list[Assignment]) -> None:
    assert Counter(one.now.set for one in given) == {"A": 4, "B": 4}
    places = Counter((place, name) for one in given for place, name in enumerate(one.now.scenarios))
    assert set(places.values()) == {1}
    assert len(places) == 32


def test_a_design_that_nobody_was_enrolled_in_says_who_and_what_is_short(tmp_path: Path) -> None:
    alone = '[design]\nsubjects = 8\nscenarios = ["downtown", "weekend", "wide-body", "interviews"]\n'
    for name, more, wanted in (
        ("alone", alone, "short: 8 subjects\n"),
        ("sets", END_TO_END, "short: 8 subjects, set A by 4, set B by 4\n"),
    ):
        world, out = World(tmp_path / name, more), io.StringIO()
        assert design_command(str(world.study.folder), as_csv=False, out=out, err=io.StringIO()) == 0
        assert out.getvalue().endswith(wanted)


def test_a_design_without_a_number_has_no_table_of_balance_before_somebody_comes(tmp_path: Path) -> None:
    levels = "[factor.d.levels]\nslow = {reply_delay_s = 4.0}\nfast = {reply_delay_s = 0.0}\n"
    world = World(tmp_path / "study", levels)
    for seen in (False, True):
        out = io.StringIO()
        assert design_command(str(world.study.folder), as_csv=False, out=out, err=io.StringIO()) == 0
        assert ("\nbalance " in out.getvalue()) is seen
        world.come()


def test_the_plan_of_each_stratum_stands_there_before_anybody_is_enrolled_and_is_what_comes(tmp_path: Path) -> None:
    more = f"[design]\nsubjects = 8\nscenarios = {A}\nstratify = ['sex', 'site']\n"
    world = World(tmp_path / "study", more)

    def planned() -> dict[tuple[str, str], str]:
        out = io.StringIO()
        assert design_command(str(world.study.folder), as_csv=True, out=out, err=io.StringIO()) == 0
        rows = csv.DictReader(io.StringIO(out.getvalue()))
        return {(row["stratum"], row["slot"]): row["order"] for row in rows}

    before = planned()
    assert list(before) == [(f"{sex} lab", str(slot)) for sex in "fm" for slot in range(1, 5)]
    out = io.StringIO()
    design_command(str(world.study.folder), as_csv=False, out=out, err=io.StringIO())
    nexts = [line for line in out.getvalue().splitlines() if line.startswith("next: slot 1; stratum ")]
    assert [line.split("; ")[1] for line in nexts] == ["stratum f lab", "stratum m lab"]
    for sex in "mfm":
        came = world.come(sex=sex, scenarios=4).assignment
        assert came is not None
        assert before[(came.stratum, str(came.slot))] == " ".join(came.now.scenarios)
    assert planned() == before


def test_eight_subjects_on_two_sets_of_four_are_counterbalanced_and_a_slot_is_filled_again(tmp_path: Path) -> None:
    world = World(tmp_path / "study", END_TO_END)
    assert world.come(rehearsal=True).assignment.slot == world.come(pilot=True).assignment.slot == 0  # type: ignore[union-attr]
    opened = [world.come(scenarios=4 if n < 3 else 0) for n in range(8)]
    given = [one.assignment for one in opened if one.assignment is not None]
    assert [one.slot for one in given] == list(range(1, 9))
    balanced(given)
    again = world.come(opened[2].speaker.id)
    assert again.assignment == given[2]

    gone = next(info.stream for info in world.store.streams() if info.stream.endswith("-6"))
    world.store.withdraw([gone], "hub", Stamp("hub", 99, 99), e.SpeakerWithdrawn(speaker="x", erased=0))
    replaced = world.come().assignment
    assert replaced is not None
    assert replaced == given[replaced.slot - 1]
    left = opened[4].speaker.id
    taken = assigned(world.study, world.store.usage, Speaker(id=""), production=True, left=[left])
    assert taken == given[4]
    with pytest.raises(ValueError, match="has dropped out"):
        assigned(world.study, world.store.usage, Speaker(id=left), production=True, left=[left])

    out = io.StringIO()
    assert design_command(str(world.study.folder), as_csv=False, out=out, err=io.StringIO()) == 0
    assert "8 of 8 enrolled, 3 finished; balanced after every 8" in out.getvalue()
    assert "short: nothing" in out.getvalue()


def test_levels_change_the_profile_within_subjects_from_visit_to_visit_by_strata(tmp_path: Path) -> None:
    world = World(
        tmp_path / "study",
        f"""
[design]
scenarios = {A[:2]}
stratify = ["sex"]
[factor.delay]
within = true
[factor.delay.levels.slow]
reply_delay_s = 4.0
[factor.delay.levels.fast]
reply_delay_s = 0.0
wizard = "anna"
""",
    )
    with pytest.raises(ValueError, match="stratified by sex"):
        world.come()
    first = world.come("001", "f", scenarios=2)
    second = world.come("001", "f", scenarios=2)
    assert first.assignment is not None
    assert second.assignment is not None
    assert {first.condition, second.condition} == {"delay=slow", "delay=fast"}
    assert {one.condition: one.protocol.profile.reply_delay_s for one in (first, second)} == {
        "delay=slow": 4.0,
        "delay=fast": 0.0,
    }
    assert {one.assignment.now.wizard for one in (first, second) if one.assignment} == {"anna", ""}
    with pytest.raises(ValueError, match="all 2 visits"):
        world.come("001", "f")
    others = [world.come(sex=sex) for sex in "mfmf"]
    slots = [(one.assignment.stratum, one.assignment.slot) for one in others if one.assignment]
    assert slots == [("m", 1), ("f", 2), ("m", 2), ("f", 3)]
    assert {others[0].condition, others[2].condition} == {"delay=slow", "delay=fast"}

    out = io.StringIO()
    design_command(str(world.study.folder), as_csv=True, out=out, err=io.StringIO())
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    assert [row["state"] for row in rows if row["speaker"] == "001"] == ["finished", "finished"]
    assert {row["state"] for row in rows if not row["speaker"]} == {"open"}
    assert world.store.check_folds() == []
    with closing(Store(world.study.store_url)) as store:
        assert store.usage.assignments()["001"].visits == first.assignment.visits


def test_rows_of_visits_and_of_scenarios_are_crossed(tmp_path: Path) -> None:
    factors = {"a": Factor(levels={"x": {"reply_limit_s": 1.0}, "y": {"reply_limit_s": 2.0}}, within=True)}
    design = Design(sets={"A": ("1", "2"), "B": ("3", "4")})
    given = [assign(design, factors, 7, slot) for slot in range(1, 9)]
    crossings = Counter((one.visits[0].levels["a"], one.visits[0].scenarios) for one in given)
    assert len(crossings) == 8
    assert all({visit.set for visit in one.visits} == {"A", "B"} for one in given)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (END_TO_END.replace("= 8", "= 10"), "10 subjects cannot be balanced"),
        (f"[design]\nsets = {{A = {A}, B = {B[:3]}}}\n", "not of one size"),
        ('[design]\nscenarios = ["down-town"]\n', "did you mean `downtown`"),
        ('[design]\nscenarios = ["practice"]\n', "is practice"),
        ('[design]\nstratify = ["age"]\n', "it may be sex or site"),
        ("[factor.delay.levels.a]\n[factor.delay.levels.b]\nreply_delay_s = 1.0\n", "overrides nothing"),
        ("[factor.d.levels.a]\nreply_delay_s = 1.0\n[factor.d.levels.b]\nreply_delay_s = 1.0\n", "make the same difference"),
        ("[factor.d.levels.a]\nreply_dela_s = 1.0\n[factor.d.levels.b]\nreply_delay_s = 1.0\n", "did you mean `reply_delay_s`"),
        ('[factor.d.levels.a]\nset = "C"\n[factor.d.levels.b]\nset = "A"\n', "d.levels.a.set` is 'C', none of `design.sets`"),
        ('[factor.d.levels.a]\nwizard = "C"\n[factor.d.levels.b]\nwizard = 2\n', "`factor.d.levels.b.wizard` is the name"),
        ('[factor.c.levels.a]\n[factor.d]\nwithin = "often"\n[factor.d.levels.a]\n', "`factor.d.within`: expected .* 'often'"),
        ('[factor.d.levels.a]\ndomain = "trains"\n[factor.d.levels.b]\nwizard = "A"\n', "there is no folder domains/trains/"),
        (
            "".join(f"[factor.{n}.levels.{v}]\nreply_delay_s = {v}.0\n" for n in "de" for v in (1, 2)),
            "both change `reply_delay_s`",
        ),
    ],
)  # fmt: skip
def test_a_design_that_is_none_is_refused_with_its_place(world_folder: Path, more: str, said: str) -> None:
    path = world_folder / "study.toml"
    before = path.read_text()
    path.write_text(before.replace("conditions = []\n", "") + more)
    try:
        with pytest.raises(StudyError, match=said) as raised:
            load(world_folder)
        assert str(raised.value).startswith(str(path))
    finally:
        path.write_text(before)


@pytest.fixture(scope="module")
def world_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new(tmp_path_factory.mktemp("designs") / "study").folder


def test_figures_of_a_corpus_say_who_had_which_condition_and_set(tmp_path: Path) -> None:
    scripts = [session_of("bbn", f"8k{number}", number=number) for number in (1, 2)]
    for script, chosen in zip(scripts, "AB", strict=True):
        given = Assignment(1, (VisitPlan({"delay": "slow"}, ("x",), chosen),))
        event = msgspec.structs.replace(script.opened, assignment=given, condition="delay=slow")
        script.facts[0] = msgspec.structs.replace(script.facts[0], event=event)
    out = io.StringIO()
    assert stats_command(StatsOptions(str(corpus_of(tmp_path / "corpus", *scripts))), out, io.StringIO()) == 0
    shown = out.getvalue().partition("shortages.\n\n")[2].partition("\n\n")[0]
    rows = [line.split() for line in shown.splitlines() if line.strip().startswith("delay=slow")]
    assert [row[:3] for row in rows] == [["delay=slow", "A", "1"], ["delay=slow", "B", "1"]]


def test_the_report_says_what_is_short_of_the_plan_by_the_study_file_in_the_corpus(tmp_path: Path) -> None:
    plan = """site = "bbn"
profile = "BBN-89"
today = "1991-07-01"
[[speakers]]
first = "8k0"
last = "8kz"
[design]
subjects = 8
sets = { A = ["x"], B = ["y"] }
[factor.delay.levels]
slow = { reply_delay_s = 4.0 }
fast = { reply_delay_s = 0.0 }
"""
    script = session_of("bbn", "8k1")
    given = Assignment(1, (VisitPlan({"delay": "slow"}, ("x",), "A"),))
    event = msgspec.structs.replace(script.opened, assignment=given, condition="delay=slow")
    script.facts[0] = msgspec.structs.replace(script.facts[0], event=event)
    export(OfStudy(plan, script), tmp_path / "corpus", ExportOptions())
    out, page = io.StringIO(), tmp_path / "page.html"
    assert stats_command(StatsOptions(str(tmp_path / "corpus")), out, io.StringIO()) == 0
    shown = out.getvalue().partition("shortages.\n\n")[2].partition("\n\n")[0]
    rows = [line.split() for line in shown.splitlines()[1:]]
    assert [[*row[:3], *row[4:]] for row in rows] == [
        ["delay=fast", "A", "0", "2", "2"],
        ["delay=fast", "B", "0", "2", "2"],
        ["delay=slow", "A", "1", "2", "1"],
        ["delay=slow", "B", "0", "2", "2"],
    ]
    assert report_command(ReportOptions(str(tmp_path / "corpus"), str(page)), out, io.StringIO()) == 0
    assert "shortages" in page.read_text()
