"""Power by simulation: the numbers of the tables, the spread that was put in, and what cannot be simulated."""

import io
import math
import random
from pathlib import Path

import msgspec
import pytest

from session import events as e
from session.study.design import Design, Factor
from session.values.clock import SECOND
from session.values.vocabulary import Outcome
from study.power import PowerError, Spread, simulate, spread_of
from study.power_command import PowerOptions, power_command
from study.rightness import Rightness
from study.solutions import SolutionAttempt
from tests.study.worlds import World

LEVELS = {"short": {"reply_delay_s": 1.0}, "long": {"reply_delay_s": 2.0}}
DESIGN = "[factor.delay]\nwithin = true\nlevels = {short = {reply_delay_s = 1.0}, long = {reply_delay_s = 4.0}}\n"


def told(folder: Path, options: PowerOptions) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    return power_command(str(folder), options, out, err), out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("within", "effect", "expected"),
    [(False, 0.8, 52), (False, 1.0, 34), (True, 0.5 * math.sqrt(2), 34), (True, 0.8 * math.sqrt(2), 15)],
)
def test_as_many_subjects_are_needed_as_the_tables_say(within: bool, effect: float, expected: int) -> None:
    # J. Cohen, Statistical power analysis for the behavioral sciences, 2nd edition, 1988, table 2.4.1, power 0.80 at 0.05:
    # 26 a group for d = 0.8 and 17 for d = 1.0; 34 and 15 pairs for differences of 0.5 and 0.8 standard deviations.
    factors = {"delay": Factor(levels=LEVELS, within=within)}
    found = simulate(Design(), factors, "delay", math.exp(effect), Spread(0.0, 1.0), 1, 0.8)
    assert found[-1].power >= 0.8
    assert found[-2].subjects < expected * 1.1
    assert found[-1].subjects > expected * 0.85
    assert simulate(Design(), factors, "delay", math.exp(effect), Spread(0.0, 1.0), 1, 0.8) == found, "the seed decides"


def test_the_spread_of_subjects_and_of_their_times_is_found_again() -> None:
    rng = random.Random(4)
    means = {f"8{n:02}": rng.gauss(0, 0.4) for n in range(60)}
    attempts = [
        SolutionAttempt("s", who, "", name, True, "", Rightness.NONE, math.exp(5 + at / 2 + mean + rng.gauss(0, 0.2)))
        for who, mean in means.items()
        for at, name in enumerate("abcd")
    ]
    found = spread_of(attempts)
    assert found.subject == pytest.approx(0.4, abs=0.07)
    assert found.residual == pytest.approx(0.2, abs=0.03)
    assert (found.subjects, found.times) == (60, 240)
    with pytest.raises(PowerError, match="hold a pilot"):
        spread_of(attempts[:4])


def test_a_study_is_simulated_with_the_times_of_its_pilot(tmp_path: Path) -> None:
    world = World(tmp_path / "study", DESIGN)
    for number, pace in enumerate((1, 2, 4), start=1):
        name = f"lab-20261121-{number}"
        opened = msgspec.structs.replace(world.plan(f"0{number:02}").opened, pilot=True)
        facts: list[tuple[int, e.Fact]] = [(0, opened)]
        for at, (scenario, minutes) in enumerate((("downtown", 1), ("weekend", 2)), start=1):
            started = e.ScenarioStarted(number=at, scenario=scenario, title="x", text="x", kind="trip")
            facts += [(0, started), (minutes * pace * 60 + 7 * number * at, e.ScenarioEnded(outcome=Outcome.ENDED))]
        for written, (seconds, fact) in enumerate(facts):
            world.clock += seconds * SECOND
            world.put(name, fact, after=written)
    world.store.close()
    status, text, _ = told(tmp_path / "study", PowerOptions(2.0))
    assert status in {0, 1}
    assert "delay, within subjects: long takes 2 times as long as short" in text
    assert "6 scenarios of 3 subjects" in text
    given, other, _ = told(tmp_path / "study", PowerOptions(1.5, "delay", 0.9, (0.2, 0.3)))
    assert given == 0
    assert "needed for a power of 0.9" in other


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (PowerOptions(1.0), "other than 1"),
        (PowerOptions(1.3, power=1.5), "--power must be between"),
        (PowerOptions(1.3, "delya"), "has no factor delya; did you mean"),
        (PowerOptions(1.3, spread=(0.1, 0.0)), "--spread takes two"),
        (PowerOptions(1.3), "hold a pilot"),
    ],
)
def test_what_cannot_be_simulated_is_told(tmp_path: Path, options: PowerOptions, reason: str) -> None:
    World(tmp_path / "study", DESIGN).store.close()
    status, text, error = told(tmp_path / "study", options)
    assert (status, text) == (2, "")
    assert reason in error


def test_levels_with_scenarios_of_their_own_are_compared_and_that_is_told(tmp_path: Path) -> None:
    sets = {"A": ("a", "b"), "B": ("c", "d")}
    own = {"one": {"set": "A"}, "two": {"set": "B"}}
    crossed = simulate(
        Design(sets=sets),  # type: ignore[arg-type]
        {"topic": Factor(levels=LEVELS, within=True)},
        "topic",
        1.5,
        Spread(0.2, 0.5),
        1,
        0.8,
    )
    apart = simulate(
        Design(sets=sets),  # type: ignore[arg-type]
        {"topic": Factor(levels=own, within=True)},
        "topic",
        1.5,
        Spread(0.2, 0.5),
        1,
        0.8,
    )
    powers = [one.power for one in apart]
    assert powers == sorted(powers), "more subjects find no less"
    assert apart[-1].subjects <= crossed[-1].subjects + 8
    more = "[design]\nsets = {A = ['downtown'], B = ['weekend']}\n[factor.t]\nlevels = {one = {set = 'A'}, two = {set = 'B'}}\n"
    for name, text, wanted in (
        ("apart", more, "No scenario is worked on under both one and two"),
        ("same", DESIGN, ""),
    ):
        World(tmp_path / name, text)
        status, _, err = told(tmp_path / name, PowerOptions(3.0, spread=(0.3, 0.4)))
        assert (status, err[: len(wanted)], bool(err)) == (0, wanted, bool(wanted))
