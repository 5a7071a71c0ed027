"""Levels that change from scenario to scenario of a visit: balanced, refused where a session cannot change them, planned."""

import csv
import io
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from session import events as e
from session.rules.assigned_scenarios import condition_of
from session.state.fold import fold
from session.study.assignment import Assignment, assign
from session.study.create import new
from session.study.design import ChangesAt, Design, Factor, SequenceOrder, levels_in, round_size
from session.study.folder import load
from session.study.rehearsed_condition import rehearsed_assignment
from session.study.toml_reader import StudyError
from session.values.clock import Stamp
from session.values.vocabulary import Outcome
from study.design_command import design_command
from study.power_command import PowerOptions, power_command
from tests.study.worlds import A, B, World

DELAY = """
[factor.delay]
within = true
changes_at = "scenario"
levels = { slow = { reply_delay_s = 4.0 }, fast = { reply_delay_s = 0.0 } }
"""
ONE_VISIT = f"[design]\nsubjects = 8\nscenarios = {A}\n{DELAY}"


def factor(*delays: float) -> Factor:
    """A factor of scenarios with so many delays."""
    levels = {f"l{n}": {"reply_delay_s": delay} for n, delay in enumerate(delays)}
    return Factor(levels=levels, within=True, changes_at=ChangesAt.SCENARIO)


def plans(design: Design, factors: dict[str, Factor]) -> list[Assignment]:
    """What one round of subjects is given."""
    return [assign(design, factors, 3, slot) for slot in range(1, round_size(design, factors) + 1)]


@pytest.mark.parametrize("order", list(SequenceOrder))
@pytest.mark.parametrize(("levels", "scenarios"), [(2, 4), (2, 2), (2, 6), (3, 3), (3, 6), (4, 4)])
def test_each_scenario_and_each_place_has_each_level_equally_often(
    order: SequenceOrder, levels: int, scenarios: int
) -> None:
    design = Design(order=order, scenarios=tuple("abcdef"[:scenarios]))
    given = plans(design, {"delay": factor(*range(levels))})
    assert [one.slot for one in given] == [*range(1, len(given) + 1)]
    held = [
        (place, *pair)
        for one in given
        for place, pair in enumerate(zip(one.now.scenarios, one.now.conditions, strict=True))
    ]
    for chosen in (lambda one: one[1:], lambda one: (one[0], one[2])):
        counts = Counter(map(chosen, held))
        assert set(counts.values()) == {len(given) // levels}, "of every scenario, and of every place"
        assert len(counts) == scenarios * levels
    assert {tuple(sorted(Counter(one.now.conditions).values())) for one in given} == {(scenarios // levels,) * levels}
    if order is not SequenceOrder.FIXED:
        crossed = Counter((one.now.scenarios, one.now.conditions) for one in given)
        assert set(crossed.values()) == {1}, "every order of scenarios meets every row of levels once"


@pytest.mark.parametrize(("levels", "scenarios"), [(2, 4), (3, 6), (4, 8)])
def test_levels_follow_one_another_equally_often_and_none_comes_late(levels: int, scenarios: int) -> None:
    given = plans(Design(scenarios=tuple("abcdefgh"[:scenarios])), {"delay": factor(*range(levels))})
    followed = Counter(pair for one in given for pair in pairwise(one.now.conditions) if len({*pair}) == 2)
    assert len(followed) == levels * (levels - 1)
    assert len({*followed.values()}) == 1
    for one in given:
        places = {
            level: [n for n, own in enumerate(one.now.conditions) if own == level] for level in one.now.conditions
        }
        assert len({sum(own) for own in places.values()}) == 1, (
            "the mean place of every level is the same in each visit"
        )


def test_two_sets_over_two_visits_have_levels_of_their_own_and_other_factors_are_crossed() -> None:
    visits = Factor(levels={"x": {"echo": "never"}, "y": {"echo": "before_query"}}, within=True)
    people = Factor(levels={"p": {"rows_shown": 3}, "q": {"rows_shown": 9}})
    factors = {"echo": visits, "delay": factor(0, 4), "rows": people}
    design = Design(sets={"A": ("a", "b"), "B": ("c", "d")})
    given = plans(design, factors)
    assert len(given) == 32
    everything = Counter(
        (visit.set, held, *sorted(levels.items()))
        for one in given
        for visit in one.visits
        for held, levels in visit.every
    )
    assert len(everything) == 4 * 8
    assert set(everything.values()) == {len(given) * 4 // 32}
    for one in given:
        first, second = one.visits
        assert {first.set, second.set} == {"A", "B"}
        assert first.changing["delay"] == second.changing["delay"][::-1], "the second visit has another row"
        assert {levels_in(name)["rows"] for visit in one.visits for name in visit.conditions} == {first.levels["rows"]}


def test_a_set_for_each_level_makes_a_visit_of_all_sets() -> None:
    levels = {"easy": {"set": "A"}, "hard": {"set": "B", "reply_delay_s": 2.0}}
    factors = {"load": Factor(levels=levels, within=True, changes_at=ChangesAt.SCENARIO)}  # type: ignore[arg-type]
    given = plans(Design(sets={"A": ("a", "b"), "B": ("c", "d")}), factors)
    for one in given:
        assert sorted(one.now.scenarios) == ["a", "b", "c", "d"]
        assert {(held in "ab", levels["load"]) for held, levels in one.now.every} == {(True, "easy"), (False, "hard")}
    places = Counter((place, held) for one in given for place, held in enumerate(one.now.scenarios))
    assert len({*places.values()}) == 1
    assert len(places) == 16


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("reply_delay_s = 0.0", 'recording = "hold"'), "`factor.delay.levels.fast.recording` cannot change from scenario to "
         "scenario: desks and people are made ready for it before the first scenario; leave `changes_at` out"),
        (("reply_delay_s = 0.0", "pre_roll_ms = 0"), "`factor.delay.levels.fast.pre_roll_ms` cannot change"),
        (("reply_delay_s = 0.0", "microphones = []"), "`factor.delay.levels.fast.microphones` cannot change"),
        (("reply_delay_s = 0.0", 'domain = "personnel"'), "cannot change from scenario to scenario: a session has one database"),
        (("reply_delay_s = 0.0", 'wizard = "anna"'), "signs on for a whole visit"),
        (("reply_delay_s = 0.0", "session_limit_s = 9.0"), "it is about the visit as a whole"),
        (("reply_delay_s = 0.0", "reply_dela_s = 0.0"), "did you mean `reply_delay_s`"),
        (("within = true\n", ""), "`factor.delay.changes_at` is of a factor within subjects"),
        (('"scenario"', '"turn"'), "`factor.delay.changes_at` cannot be 'turn'; it may be `scenario`, `visit`"),
        ((f"scenarios = {A}", f"scenarios = {A[:3]}"), "a visit of 3 scenarios cannot have 2 combinations of levels equally "
         "often (delay); assign a multiple of 2 scenarios, such as 4"),
        ((f"scenarios = {A}\n", ""), "`factor.delay` changes at scenarios, and none are assigned; give `design` its"),
        (("subjects = 8", "subjects = 4"), "4 subjects cannot be balanced: all combinations of levels, sets and orders take 8"),
        ((f"scenarios = {A}", f"sets = {{A = {A[:2]}, B = {B[:2]}}}"), "take 8"),
        (("reply_delay_s = 0.0", 'set = "A"'), "none of `design.sets`"),
    ],
)  # fmt: skip
def test_what_a_running_session_cannot_change_or_nobody_can_balance_is_refused_with_its_place(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    new(tmp_path / "study")
    path = tmp_path / "study" / "study.toml"
    more = ONE_VISIT.replace(*change)
    if said == "take 8":
        more = more.replace("subjects = 8", "subjects = 4")
    path.write_text(path.read_text().replace("conditions = []\n", "") + more)
    with pytest.raises(StudyError) as caught:
        load(path.parent)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{path}:")


def test_two_levels_with_one_set_would_hold_it_twice(tmp_path: Path) -> None:
    new(tmp_path / "study")
    path = tmp_path / "study" / "study.toml"
    levels = DELAY.replace("reply_delay_s", 'set = "A", reply_delay_s')
    path.write_text(path.read_text().replace("conditions = []\n", "") + f"[design]\nsets = {{A = {A}}}\n{levels}")
    with pytest.raises(StudyError, match=r"`factor\.delay\.levels\.fast\.set` is 'A', which level `slow` has, too"):
        load(path.parent)


def test_two_sets_with_one_scenario_would_hold_it_under_two_levels(tmp_path: Path) -> None:
    new(tmp_path / "study")
    path = tmp_path / "study" / "study.toml"
    levels = "".join(
        f'[factor.delay.levels.{name}]\nset = "{name}"\nreply_delay_s = {n}.0\n' for n, name in enumerate("ab")
    )
    more = f"[design]\nsets = {{a = {A[:2]}, b = {A[1:3]}}}\n[factor.delay]\nwithin = true\nchanges_at = 'scenario'\n{levels}"
    path.write_text(path.read_text().replace("conditions = []\n", "") + more)
    with pytest.raises(StudyError, match=rf"`design\.sets\.a` and `design\.sets\.b` both hold '{A[1]}'"):
        load(path.parent)


def told_of(study: Path, more: str) -> str:
    """What is said of a new study with more in its study.toml."""
    new(study)
    path = study / "study.toml"
    path.write_text(path.read_text().replace("conditions = []\n", "") + more)
    with pytest.raises(StudyError) as caught:
        load(study)
    line = path.read_text().splitlines()[int(str(caught.value).removeprefix(f"{path}:").split(":")[0]) - 1]
    return f"{line.strip()} | {caught.value}"


def test_a_set_that_no_level_names_and_a_key_that_is_none_are_refused_with_their_lines(tmp_path: Path) -> None:
    sets = f"sets = {{ A = {A[:2]}, B = {B[:2]}, C = {B[2:]} }}"
    levels = (
        '[factor.load]\nwithin = true\n[factor.load.levels.easy]\nset = "A"\n[factor.load.levels.hard]\nset = "B"\n'
    )
    said = told_of(tmp_path / "idle", f"[design]\n{sets}\n{levels}")
    assert said.startswith("sets = ")
    assert "`design.sets.C` is not assigned: levels name the sets (A, B), and none names this one" in said
    said = told_of(tmp_path / "slip", f"[design]\nscenarios = {A}\n{levels}echoo = 'never'\n")
    assert said.startswith("echoo = 'never' | ")
    assert "`factor.load.levels.hard.echoo` is not a key of a profile; did you mean `echo`?" in said


def test_a_visit_that_its_profile_would_cut_short_is_refused(tmp_path: Path) -> None:
    new(tmp_path / "study")
    path = tmp_path / "study" / "study.toml"
    text = path.read_text().replace("conditions = []\n", "").replace('profile = "BBN-89"', 'profile = "MIT"')
    path.write_text(text + f"[design]\nscenarios = {A}\n")
    assert load(path.parent).profile.max_scenarios == 4
    levels = "[factor.length]\nlevels = { short = { max_scenarios = 3 }, long = { max_scenarios = 4 } }\n"
    path.write_text(text + f"[design]\nscenarios = {A}\n{levels}")
    with pytest.raises(
        StudyError, match=r"has 4 scenarios under condition length=short, and `max_scenarios` .* is 3: the last"
    ):
        load(path.parent)


def test_instructions_that_tell_of_one_level_alone_are_named(tmp_path: Path) -> None:
    world = World(tmp_path / "study", ONE_VISIT)
    path = world.study.folder / "study.toml"
    path.write_text(path.read_text().replace('profile = "BBN-89"', 'profile = "CMU"'))
    assert load(path.parent).untrue_instructions() == [], "a delay is nothing that instructions tell of"
    path.write_text(path.read_text().replace("reply_delay_s = 4.0", 'spoken = "answer"'))
    [(problem, remedy)] = load(path.parent).untrue_instructions()
    assert problem == "instructions.txt is not true of all scenarios: spoken changes from one to the next"
    assert "describe everything that participants will meet" in remedy
    (path.parent / "instructions.txt").write_text("Some answers are spoken, and all stand on the screen.\n")
    assert load(path.parent).untrue_instructions() == []


def test_two_scenarios_out_of_plan_have_the_levels_of_two_places(tmp_path: Path) -> None:
    world = World(tmp_path / "study", ONE_VISIT)
    opened = world.plan().opened
    assert opened.assignment is not None
    plan = opened.assignment.now
    facts: list[e.Fact] = [opened]

    def held(scenario: str, outcome: Outcome = Outcome.ENDED) -> str:
        state = fold([e.Recorded("s", n, Stamp("hub", n, n), "hub", "", fact) for n, fact in enumerate(facts, 1)])
        level = condition_of(state, scenario)
        start = e.ScenarioStarted(number=1, scenario=scenario, title="", text="", kind="trip", condition=level)
        facts.extend([start, e.ScenarioEnded(outcome=outcome)])
        return level

    assert held(B[0]) == plan.conditions[0]
    facts.append(e.ScenarioInvalidated(run=0, reason="the line was down"))
    assert [held(name) for name in (B[0], B[1], B[2])] == list(plan.conditions[:3])
    assert held(plan.scenarios[0]) == plan.conditions[0], "what is assigned has its own level"
    assert held(B[3]) == plan.conditions[1], "and what comes then takes the next place"


def test_the_plan_says_where_scenarios_do_not_follow_one_another_equally_often(tmp_path: Path) -> None:
    def told(study: Path, more: str) -> str:
        out = io.StringIO()
        World(study, more)
        assert design_command(str(study), as_csv=False, out=out, err=io.StringIO()) == 0
        return next((line for line in out.getvalue().splitlines() if line.startswith("order: ")), "")

    own = f"[design]\nsets = {{ A = {A}, B = {B} }}\n" + DELAY.replace("slow = {", 'slow = { set = "A",')
    own = own.replace("fast = {", 'fast = { set = "B",')
    assert told(tmp_path / "own", own).startswith(
        "order: scenarios follow one another 0 to 4 times in 8 subjects, not equally"
    )
    assert told(tmp_path / "fixed", own.replace("[design]\n", "[design]\norder = 'fixed'\n")) == "", (
        "it promises nothing"
    )
    assert told(tmp_path / "one", ONE_VISIT) == ""
    assert told(tmp_path / "turned", f"[design]\nsets = {{ A = {A}, B = {B} }}\n{DELAY}") == ""


def test_each_stratum_is_balanced_and_the_plan_counts_its_slots(tmp_path: Path) -> None:
    strata = ONE_VISIT.replace("[design]\n", "[design]\nstratify = ['sex']\n")
    new(tmp_path / "eight")
    path = tmp_path / "eight" / "study.toml"
    path.write_text(path.read_text().replace("conditions = []\n", "") + strata)
    with pytest.raises(
        StudyError, match=r"take 16 in 2 groups by sex; set `design.subjects` to a multiple of it, such as 16"
    ):
        load(path.parent)
    world = World(tmp_path / "study", strata.replace("subjects = 8", "subjects = 16"))
    out = io.StringIO()
    assert design_command(str(world.study.folder), as_csv=True, out=out, err=io.StringIO()) == 0
    held = Counter[tuple[str, str, str]]()
    for row in csv.DictReader(io.StringIO(out.getvalue())):
        levels = row["levels"].removeprefix("delay ").split()
        held.update((row["stratum"], *pair) for pair in zip(row["order"].split(), levels, strict=True))
    assert len(held) == 2 * 4 * 2
    assert set(held.values()) == {4}, "of each sex, each scenario has each level equally often"
    world.come(sex="f")
    out = io.StringIO()
    assert design_command(str(world.study.folder), as_csv=False, out=out, err=io.StringIO()) == 0
    planned = [line.split()[-4] for line in out.getvalue().splitlines() if line.startswith("level of")]
    assert planned == ["8"] * 8


def test_a_rehearsal_cannot_be_held_under_one_level_of_its_scenarios(tmp_path: Path) -> None:
    study = World(tmp_path / "study", ONE_VISIT).study
    with pytest.raises(ValueError, match="delay=slow: this factor changes from scenario to scenario"):
        rehearsed_assignment(study, "delay=slow")


def test_the_plan_its_balance_and_what_is_short_tell_of_levels(tmp_path: Path) -> None:
    world = World(tmp_path / "study", ONE_VISIT)
    given = [world.come(scenarios=4).assignment for _ in range(3)]
    out = io.StringIO()
    assert design_command(str(world.study.folder), as_csv=True, out=out, err=io.StringIO()) == 0
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    for row, one in zip(rows, given, strict=False):
        assert one is not None
        assert row["levels"] == f"delay {' '.join(levels_in(name)['delay'] for name in one.now.conditions)}"
        assert one.text.endswith(f"order {row['order']}; {row['levels']}")
    assert [row["state"] for row in rows] == ["finished"] * 3 + ["open"] * 5
    out = io.StringIO()
    assert design_command(str(world.study.folder), as_csv=False, out=out, err=io.StringIO()) == 0
    plan = out.getvalue()
    cells = {tuple(line.split()[:4]): line.split()[-4:] for line in plan.splitlines() if line.startswith("level ")}
    assert cells["level", "of", "downtown", "delay=slow"][0] == "4"
    assert cells["level", "at", "1", "delay=slow"][0] == "4"
    assert sum(int(found[1]) for name, found in cells.items() if name[:2] == ("level", "of")) == 3 * 4
    assert plan.endswith("short: 5 subjects, condition delay=fast by 5, condition delay=slow by 5\n")
    assert "next: slot 4; order" in plan


def test_power_is_simulated_on_the_differences_within_each_visit(tmp_path: Path) -> None:
    needed = {}
    for name, more in {
        "scenario": ONE_VISIT,
        "person": ONE_VISIT.replace('within = true\nchanges_at = "scenario"\n', ""),
    }.items():
        world, out = World(tmp_path / name, more), io.StringIO()
        options = PowerOptions(ratio=1.5, spread=(0.5, 0.3))
        assert power_command(str(world.study.folder), options, out, io.StringIO()) == 0, out.getvalue()
        needed[name] = int(out.getvalue().partition("needed for a power of 0.8: ")[2].split()[0])
        assert ("delay, within subjects, within each visit: fast takes 1.5 times" in out.getvalue()) is (
            name == "scenario"
        )
    assert needed["scenario"] * 4 <= needed["person"], (
        "how subjects differ is not a part of a difference within one visit"
    )


def test_a_session_is_opened_with_the_levels_of_its_scenarios_and_not_without(tmp_path: Path) -> None:
    world = World(tmp_path / "study", ONE_VISIT)
    opened = world.come(scenarios=2)
    assert opened.condition == ""
    assert {name: one.reply_delay_s for name, one in opened.protocol.scenario_profiles.items()} == {
        "delay=slow": 4.0,
        "delay=fast": 0.0,
    }
    assert opened.protocol.profile == world.study.profile
    assert opened.protocol.sha256 == world.study.sha256
    for again in (world.come(opened.speaker.id), world.come(pilot=True), world.come(rehearsal=True)):
        assert again.assignment is not None
        assert Counter(again.assignment.now.conditions) == {"delay=slow": 2, "delay=fast": 2}
    path = world.study.folder / "study.toml"
    text = path.read_text()
    for change, said in (
        (
            text.replace("slow =", "late ="),
            "was assigned scenarios under delay=slow, which `factor` in study.toml no longer makes",
        ),
        (text.replace(DELAY, ""), "was assigned scenarios under delay="),
    ):
        path.write_text(change)
        world.study = load(path.parent)
        with pytest.raises(ValueError, match=said):
            world.plan(opened.speaker.id)
    path.write_text(text)
    earlier = World(tmp_path / "earlier", f"[design]\nscenarios = {A}\n")
    speaker = earlier.come(scenarios=1).speaker.id
    path = earlier.study.folder / "study.toml"
    path.write_text(path.read_text() + DELAY)
    earlier.study = load(path.parent)
    with pytest.raises(ValueError, match="was assigned no levels for her scenarios"):
        earlier.plan(speaker)


def test_an_edit_of_a_level_is_one_of_the_protocol(tmp_path: Path) -> None:
    world = World(tmp_path / "study", ONE_VISIT)
    path = world.study.folder / "study.toml"
    path.write_text(path.read_text().replace("4.0", "5.0"))
    assert load(path.parent).sha256 != world.study.sha256
    assert isinstance(world.plan().opened, e.SessionOpened)
