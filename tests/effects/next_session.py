"""The next session of a study: how it is opened, what its log says at its head, what its console lists."""

import datetime
from collections.abc import Callable

from corpus.formats.log.projection import logs_of
from session import events as e
from session.collection.open_session import SessionPlan, plan_session
from session.state.fold import fold
from session.store.event_store import Entry, Store
from session.study.folder import Study
from session.values.clock import ManualClock, Stamp
from session.values.consent import ConsentScope
from tests.subject.stage import Stage, facts_sent
from wizard.core.selection import Selection

DAY = datetime.date(2026, 11, 21)


def opened(study: Study) -> SessionPlan:
    """The next session of a study."""
    store = Store("sqlite://")
    try:
        return plan_session(study, store.usage, "toy 1", DAY)
    finally:
        store.close()


def header(name: str) -> Callable[[Study], object]:
    """What stands under this name in the log of the study's next session, whose subject agrees to everything."""

    def look(study: Study) -> object:
        plan, stage = opened(study), Stage()
        stage.desk.tell(plan.opened)
        stage.desk.terminal.visit.consent(dict.fromkeys(ConsentScope, True), "")
        started = e.ScenarioStarted(number=1, scenario="trip", title="Trip", text="Go.", kind="trip")
        facts = plan.opened, *facts_sent(stage, e.ConsentGiven), started
        recorded = [
            e.Recorded(plan.name, at, Stamp("hub", at, at), "hub", "", fact) for at, fact in enumerate(facts, start=1)
        ]
        (found,) = logs_of(recorded)
        return [value for key, value in found.log.header if key == name]

    return look


def listed_at_the_console(study: Study) -> list[str]:
    """The scenarios as the wizard of the study's next session finds them listed."""
    plan, store = opened(study), Store("sqlite://")
    try:
        store.append(plan.name, 0, [Entry(Stamp("hub", 1, 1), "hub", "", plan.opened)])
        selection = Selection(ManualClock("wizard"), lambda: 0)
        selection.state = fold(store.read(plan.name))
        return [scenario.id for scenario in selection.scenarios]
    finally:
        store.close()
