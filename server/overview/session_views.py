"""The sessions that one hub holds, as an observer follows them: for an open page, and for pages at the study's other hubs."""

import datetime
from collections.abc import Iterable, Mapping

import msgspec

from server.overview.board import SILENCE_DB, SessionView
from server.overview.overview_words import page_words
from session.commands import AnswerCall
from session.hub.hub import Hub
from session.store.shared_board import ForsakenSession
from session.values.clock import SECOND, Clock
from session.values.names import ulid

REFUSAL_SHOWN_NS = 5 * SECOND
"""So long an answer that was refused stands among the lines: other hubs look at them once a second."""


class Lines(msgspec.Struct, frozen=True):
    """The lines of some sessions, calls first and what has ended last, and the first trouble that there is, if any. `refused` are
    the sessions of which an answer was refused of late, with the reason."""

    rows: tuple[Mapping[str, object], ...] = ()
    trouble: str = ""
    refused: Mapping[str, str] = {}

    def joined(self, others: Iterable["Lines"]) -> "Lines":
        """Return all lines in that order; of a session that two hubs show, as while it moves, the line here."""
        every = (self, *others)
        rows: dict[object, Mapping[str, object]] = {}
        for lines in every:
            for row in lines.rows:
                rows.setdefault(row["session"], row)
        ordered = sorted(rows.values(), key=lambda row: (row["ended"], not row["called"]))
        return Lines(tuple(ordered), next(filter(None, (lines.trouble for lines in every)), ""))


def forsaken(sessions: Iterable[ForsakenSession], language: str) -> Lines:
    """Return the lines of sessions without a hub, in words of `language`."""
    words = page_words(language)
    return Lines(tuple(_forsaken(session, words) for session in sessions))


def _forsaken(session: ForsakenSession, words: Mapping[str, str]) -> Mapping[str, object]:
    since = datetime.datetime.fromtimestamp(session.since / 1000).astimezone()
    return {
        "session": session.name,
        "speaker": session.speaker,
        "stage": words["stage.no_hub"].format(time=f"{since:%H:%M:%S}"),
        "waits": "",
        "link": words["link.down"],
        "operator": words["link.down"],
        "level": SILENCE_DB,
        "left": "",
        "called": False,
        "ended": False,
    }


class SessionViews:
    """An observer's views of all sessions of a hub."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub, self._clock = hub, clock
        self._views: dict[str, SessionView] = {}
        self._refused: dict[str, tuple[int, str]] = {}

    def __contains__(self, session: str) -> bool:
        return session in self._views

    async def follow(self) -> None:
        """Follow the sessions that were opened, and stop following those that another hub has taken."""
        there = self._hub.sessions
        for name, view in tuple(self._views.items()):
            if view.gone or there.get(name) is not view.session:
                del self._views[name]
        for name, session in there.items():
            if name not in self._views:
                view = self._views[name] = SessionView(session, self._clock)
                await session.attach(view.desk, "overview")

    def lines(self, language: str) -> Lines:
        """Return the lines of all sessions, in words of `language`."""
        order = sorted(self._views.values(), key=lambda view: (view.state.ended, not view.state.called))
        trouble = next((told for view in order if (told := view.told(language))), "")
        since = self._clock.monotonic_ns() - REFUSAL_SHOWN_NS
        refused = {name: reason for name, (at, reason) in self._refused.items() if at > since}
        return Lines(tuple(view.row(language) for view in order), trouble, refused)

    async def answer(self, name: str) -> str:
        """Send the observer's own command: the rules decide, as for an observer's console. Return why it was refused."""
        view = self._views.get(name)
        if view is None:
            return ""
        view.refusal = ""
        await view.session.command(view.desk, AnswerCall(id=ulid(self._clock.wall_ns())))
        self._refused.pop(name, None)
        if view.refusal:
            self._refused[name] = self._clock.monotonic_ns(), view.refusal
        return view.refusal

    async def close(self, why: str) -> None:
        """Look on no more."""
        views, self._views = self._views, {}
        for view in views.values():
            await view.session.detach(view.desk, why)
