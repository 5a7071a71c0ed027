"""The history of a session: its facts, the state they fold to, and each role's view of them."""

from collections.abc import Iterable, Sequence

from session import events as e
from session.state.fold import SessionState, evolve
from session.state.scenario_runs import ProfileInForce, profiles_in_force
from session.store.event_store import Store
from session.study.settings import Profile
from session.values.vocabulary import Role
from session.visibility import project


def links_stream(session: str) -> str:
    """The stream that tells of the connections of a session."""
    return f"{session}/links"


def read_history(store: Store, session: str) -> "tuple[History, int]":
    """Read a session's history from the store, and count the facts about its connections."""
    return History(store.read(session)), len(store.read(links_stream(session)))


class History:
    """The recorded facts of a session, their fold, and the view of each role that has asked for one.

    `add` takes the next fact; `state` is the fold of `facts`. Making one of a long session takes seconds: do it in a thread.
    """

    def __init__(self, recorded: Iterable[e.Recorded] = ()) -> None:
        self.facts: list[e.Recorded] = []
        self.state = SessionState()
        self._views: dict[Role, list[e.Recorded]] = {Role.SUBJECT: []}  # the costly one, made in the thread
        self._causes: set[str] = set()
        self._in_force = ProfileInForce()
        for fact in recorded:
            self.add(fact)

    def add(self, recorded: e.Recorded) -> dict[Role, e.Recorded | None]:
        """Take in the next fact; return it as each role with a view may see it, None if it may not."""
        self.facts.append(recorded)
        self.state = evolve(self.state, recorded)
        if recorded.cause:
            self._causes.add(recorded.cause)
        profile = self._in_force.after(recorded.event)
        return {role: self._extend(role, view, recorded, profile) for role, view in self._views.items()}

    @staticmethod
    def _extend(role: Role, view: list[e.Recorded], recorded: e.Recorded, profile: Profile | None) -> e.Recorded | None:
        shown = project(recorded, role, profile, len(view) + 1) if profile is not None else None
        if shown is not None:
            view.append(shown)
        return shown

    def followed_from(self, command: str) -> bool:
        """Return whether a fact was recorded because of that command."""
        return command in self._causes

    def seen_by(self, role: Role) -> Sequence[e.Recorded]:
        """Return all that a desk of this role may know; the list grows as facts are added."""
        if role not in self._views:
            view: list[e.Recorded] = []
            for recorded, profile in zip(self.facts, profiles_in_force(self.facts), strict=True):
                self._extend(role, view, recorded, profile)
            self._views[role] = view
        return self._views[role]
