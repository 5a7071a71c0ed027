"""The facts of a subject-scenario: that it began, how it ended, and what was thought of it later."""

import msgspec

from session.events.base import Event
from session.study.settings import Profile
from session.values.clock import Stamp
from session.values.vocabulary import Outcome


class ScenarioStarted(Event, frozen=True):
    """A subject-scenario begins: `number` is the S of the file names, None for practice; `text` has its placeholders bound.

    Where levels change from scenario to scenario, `condition` names those of this one, and it is held under `profile`.
    `certified` is whether the wizard was at this moment, None if the study has no pass mark or nobody looked.
    """

    number: int | None
    scenario: str
    title: str
    text: str
    kind: str
    common: bool = False
    bindings: dict[str, str] = msgspec.field(default_factory=dict)
    attended: bool = False
    condition: str = ""
    profile: Profile | None = None
    certified: bool | None = None


class SolutionDeclared(Event, frozen=True):
    """The subject says that the scenario is solved, and how."""

    at: Stamp
    solution: str


class ScenarioGivenUp(Event, frozen=True):
    """The subject gives the scenario up."""

    at: Stamp


class ScenarioEnded(Event, frozen=True):
    """The subject-scenario is over."""

    outcome: Outcome
    reason: str = ""


class ScenarioInvalidated(Event, frozen=True):
    """A scenario that was over turned out to be of no use, and why; `run` is its place among the session's, from 0."""

    run: int
    reason: str
