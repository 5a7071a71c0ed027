"""What has happened in a session so far: its facts, the state that they come to, and what the subject may see of them."""

from collections.abc import Iterable, Sequence

from session import events as e
from session.state.fold import SessionState, evolve
from session.store.event_store import Store
from session.values.vocabulary import Role
from session.visibility import project


def links_stream(session: str) -> str:
    """The stream that tells of the connections of a session."""
    return f"{session}/links"


def read_history(store: Store, session: str) -> "tuple[History, int]":
    """What the store knows of a session, and how many facts about its connections."""
    return History(store.read(session)), len(store.read(links_stream(session)))


class History:
    """Grows by `add`; `state` is the fold of `facts`. Making one of a long session takes seconds: do it in a thread."""

    def __init__(self, recorded: Iterable[e.Recorded] = ()) -> None:
        self.facts: list[e.Recorded] = []
        self.state = SessionState()
        self._before_the_curtain: list[e.Recorded] = []
        self._causes: set[str] = set()
        for each in recorded:
            self.add(each)

    def add(self, recorded: e.Recorded) -> e.Recorded | None:
        """Take in the next fact; gives it as the subject may see it, None when not at all."""
        self.facts.append(recorded)
        self.state = evolve(self.state, recorded)
        if recorded.cause:
            self._causes.add(recorded.cause)
        if isinstance(recorded.event, e.SessionOpened):
            self._profile = recorded.event.protocol.profile
        shown = project(recorded, Role.SUBJECT, self._profile, len(self._before_the_curtain) + 1)
        if shown is not None:
            self._before_the_curtain.append(shown)
        return shown

    def followed_from(self, command: str) -> bool:
        """Whether a fact was recorded because of that command."""
        return command in self._causes

    def seen_by(self, role: Role) -> Sequence[e.Recorded]:
        """All that a desk of this role may know."""
        return self._before_the_curtain if role is Role.SUBJECT else self.facts
