"""A certificate stands in each session of a study with a pass mark: in its log, in `curtain sessions`, on the console."""

import io
from pathlib import Path

import msgspec
import pytest

from corpus.commands.sessions import SessionsOptions, sessions_command
from corpus.formats.log.logged_facts import facts_of
from corpus.formats.log.projection import logs_of
from session import commands as c
from session import events as e
from session.events import Recorded
from session.rules.decide import decide
from session.rules.refusal import RequestRefused
from session.rules.scenario_start import certified_by, needs_certificates
from session.state.fold import fold
from session.study.settings import Profile
from session.values.clock import Stamp
from session.values.vocabulary import Outcome, Role, Step
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


def test_a_log_says_what_the_certificate_was_when_its_scenario_began(tmp_path: Path) -> None:
    opened = World(tmp_path / "study", "[training]\nturns = 2\n").plan(operator="Ada").opened
    profile = Profile(name="x", consent=False, steps=(Step.SCENARIOS,))
    protocol = msgspec.structs.replace(opened.protocol, profile=profile)
    facts: list[e.Fact] = [msgspec.structs.replace(opened, protocol=protocol)]

    def recorded() -> list[Recorded]:
        return [Recorded("s", n, Stamp("hub", n, n), "hub", "", fact) for n, fact in enumerate(facts, 1)]

    shown = []
    for number, certified in enumerate([(), ("Ada",), ()]):
        for command in (
            c.IdentifyWizard(id=f"i{number}", name="Ada"),
            c.StartScenario(id=f"{number}", scenario="downtown", bindings={}),
        ):
            state = fold(recorded())
            assert needs_certificates(state, command)
            decided = decide(certified_by(state, certified), command, Role.WIZARD, Stamp("hub", 9, 9))
            assert isinstance(decided, list)
            facts += decided
        facts.append(e.WizardIdentified(name="Eve", role=Role.EXPERIMENTER))
        shown.append(uncertified(fold(recorded()), Role.WIZARD))
        facts.append(e.ScenarioEnded(outcome=Outcome.ENDED))
    logs = [one.log for one in logs_of(recorded())]
    assert [log.get("Wizard_certified") for log in logs] == ["no", "yes", "no"]
    assert {log.get("Wizard") for log in logs} == {"Ada"}, "who looks on is not a wizard"
    assert shown == [True, False, True]
    again = [one.log for one in logs_of(facts_of(logs, protocol, ["1", "2", "3"]).facts)]
    assert [log.get("Wizard_certified") for log in again] == ["no", "yes", "no"]


def test_a_study_that_wants_certified_wizards_keeps_others_from_what_counts(tmp_path: Path) -> None:
    world = World(tmp_path / "study", "[training]\nrequired = true\n")
    with pytest.raises(ValueError, match=r"Oz has not passed the last drill, .*: curtain train STUDY --wizard 'Oz'"):
        world.plan(operator="Oz", certified=("Ada",))
    assert world.plan(operator="Oz", certified=("Ada",), pilot=True).opened.must_certify is False
    assert world.plan(operator="Oz", certified=("Ada",), rehearsal=True).opened.must_certify is False

    def told(*before: e.Fact, by: str = "") -> str:
        """What the hub says to a wizard who starts a scenario, or with `by` to one who takes over."""
        opened = world.plan(certified=("Ada",)).opened
        protocol = msgspec.structs.replace(
            opened.protocol, profile=Profile(name="x", consent=False, steps=(Step.SCENARIOS,))
        )
        facts = [msgspec.structs.replace(opened, protocol=protocol), *before]
        state = fold([Recorded("s", n, Stamp("hub", n, n), "hub", "", fact) for n, fact in enumerate(facts, 1)])
        start = c.StartScenario(id="1", scenario="downtown", bindings={})
        command = c.IdentifyWizard(id="1", name=by) if by else start
        decided = decide(state, command, Role.WIZARD, Stamp("hub", 9, 9))
        return decided.reason if isinstance(decided, RequestRefused) else type(decided[-1]).__name__

    ada, oz = (e.WizardIdentified(name=name, role="wizard") for name in ("Ada", "Oz"))
    running = e.ScenarioStarted(number=1, scenario="downtown", title="x", text="x", kind="problem")
    assert told(ada) == "ScenarioStarted"
    assert told().startswith("Nobody has signed on as the wizard")
    assert told(oz).startswith("Oz has not passed the last drill")
    assert told(by="Oz") == "WizardIdentified", "before a scenario whoever signs on is told by the banner"
    assert told(ada, running, by="Oz").startswith("Oz has not passed the last drill")
    assert told(ada, running, by="Ada") == "WizardIdentified"
