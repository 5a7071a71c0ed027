"""A certificate stands in each session of a study with a pass mark: in its log, in `curtain sessions`, on the console."""

import io
from pathlib import Path

from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.formats.log.projection import logs_of
from session import events as e
from session.events import Recorded
from session.state.fold import fold
from session.values.clock import Stamp
from session.values.vocabulary import Role
from tests.study.worlds import World
from wizard.core.status_text import uncertified


def test_a_session_says_whether_its_wizard_is_certified(tmp_path: Path) -> None:
    world = World(tmp_path / "study", "[training]\nturns = 2\n")
    seen = {}
    for wizard in ("Ada", "Oz"):
        plan = world.plan(operator=wizard, certified=("Ada",))
        start = e.ScenarioStarted(number=1, scenario="downtown", title="x", text="x", kind="problem")
        facts: list[e.Fact] = [plan.opened, start, e.SessionEnded(reason="done")]
        world.put(plan.name, *facts)
        recorded = [Recorded(plan.name, n, Stamp("hub", n, n), "hub", "", fact) for n, fact in enumerate(facts, 1)]
        seen[wizard] = logs_of(recorded)[0].log.get("Wizard_certified"), uncertified(fold(recorded), Role.WIZARD)
    assert seen == {"Ada": ("yes", False), "Oz": ("no", True)}
    out = io.StringIO()
    sessions_command(SessionsOptions(str(world.study.folder)), out, io.StringIO())
    assert ["wizard not certified" in line for line in out.getvalue().splitlines()[1:]] == [False, True]
    assert World(tmp_path / "other").plan(operator="Oz").opened.certified is None
