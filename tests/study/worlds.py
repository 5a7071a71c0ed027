"""A study with a design, and people who come to it."""

import datetime
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from session import events as e
from session.collection.open_session import SessionPlan, plan_session
from session.store.event_store import Entry, Store
from session.study.create import new
from session.study.folder import Study, load
from session.study.settings import Speaker
from session.values.clock import Stamp
from session.values.vocabulary import Outcome

DAY = datetime.date(2026, 11, 21)
A = ["downtown", "weekend", "wide-body", "interviews"]
B = ["morning-meeting", "three-clients", "night-traffic", "small-airports"]
END_TO_END = f"[design]\nsubjects = 8\nsets = {{A = {A}, B = {B}}}\n"


class World:
    """A new study with more in its `study.toml`."""

    def __init__(self, folder: Path, more: str = "", others: Sequence[str] = ()) -> None:
        new(folder, others=others)
        path = folder / "study.toml"
        path.write_text(path.read_text().replace("conditions = []\n", "") + more)
        self.study: Study = load(folder)
        self.store = Store(self.study.store_url)
        weakref.finalize(self, self.store.close)  # whoever makes a world forgets it when the test is over
        self.clock = 0

    def plan(self, speaker: str = "", sex: str = "", **more: Any) -> SessionPlan:
        return plan_session(self.study, self.store.usage, "toy 1", DAY, speaker=Speaker(speaker, sex), **more)

    def come(self, speaker: str = "", sex: str = "", scenarios: int = 0, **more: bool) -> e.SessionOpened:
        """Hold a visit in which so many scenarios are worked on."""
        plan = self.plan(speaker, sex, **more)
        facts: list[e.Fact] = [plan.opened]
        for number in range(plan.opened.first_scenario, plan.opened.first_scenario + scenarios):
            facts.append(e.ScenarioStarted(number=number, scenario="x", title="x", text="x", kind="trip"))
            facts.append(e.ScenarioEnded(outcome=Outcome.ENDED))
        facts.append(e.SessionEnded(reason="done"))
        self.put(plan.name, *facts)
        return plan.opened

    def put(self, stream: str, *facts: e.Fact, after: int = 0) -> None:
        entries = []
        for fact in facts:
            self.clock += 1
            entries.append(Entry(Stamp("hub", self.clock, self.clock), "hub", "", fact))
        self.store.append(stream, after, entries)
