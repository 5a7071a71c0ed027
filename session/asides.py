"""What a console may ask its hub beside the session: looked up where the study lies, told to who asked, no fact of the session.

The menu of requests, the names in the domain's database, whether a session that has ended is done. A console on another machine
has neither the domain's folder nor its database, so it asks over the same link as a console beside the hub does.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

import msgspec

from session import commands as c
from session.clock import Stamp
from session.vocabulary import Language, Role

LOG = logging.getLogger(__name__)


class _Aside(msgspec.Struct, frozen=True, tag_field="m", forbid_unknown_fields=True):
    """Base of these text frames."""


class AskMenu(_Aside, frozen=True, tag="ask_menu"):
    """What may follow what was typed? Of two that wait, only the later is answered."""

    typed: str


class AskNames(_Aside, frozen=True, tag="ask_names"):
    """What are the tables and columns of the domain's database?"""


class AskClosing(_Aside, frozen=True, tag="ask_closing"):
    """May the session be called done? All consoles are told."""


class Menu(_Aside, frozen=True, tag="menu"):
    """The words that may follow what was typed, and whether that is a `whole` request; without `there` there is no menu."""

    typed: str
    words: tuple[str, ...] = ()
    whole: bool = False
    there: bool = True


class Names(_Aside, frozen=True, tag="names"):
    """The columns of every table of the domain's database; nothing when it cannot be read."""

    tables: dict[str, tuple[str, ...]] = {}


class Check(msgspec.Struct, frozen=True):
    """One thing that has to be so before a session is done, and what stands against it, a sentence each with its remedy."""

    what: str
    problems: tuple[str, ...] = ()


class Closing(_Aside, frozen=True, tag="closing"):
    """What was found: green only when there are checks and nothing stands against any; none while it is being looked into."""

    checks: tuple[Check, ...] = ()

    @property
    def green(self) -> bool:
        return bool(self.checks) and not self.problems

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that stands against calling the session done."""
        return tuple(problem for check in self.checks for problem in check.problems)


Question = AskMenu | AskNames | AskClosing
Reply = Menu | Names | Closing


class Beside(Protocol):
    """What knows the answers; each method blocks and is called from a worker thread."""

    def menu(self, typed: str) -> Menu: ...

    def names(self) -> Mapping[str, tuple[str, ...]]: ...

    def closing(self, session: str) -> tuple[Check, ...]: ...


class Nothing:
    """A hub without a study knows nothing beside its sessions."""

    def menu(self, typed: str) -> Menu:
        return Menu(typed, there=False)

    def names(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    def closing(self, session: str) -> tuple[Check, ...]:
        return (Check("looked into", ("this hub cannot look into it: `curtain sessions STUDY --check` does",)),)


_QUERY = c.SubmitQuery(id="", at=Stamp("", 0, 0), take="", language=Language.MENU, text="")


def may_ask(role: Role, question: Question) -> bool:
    """Whether a desk of this role gets an answer: the menu and the names are for who may ask the database."""
    if isinstance(question, AskClosing):
        return role is not Role.SUBJECT
    return c.permitted(role, _QUERY)


class Asides:
    """Answers the questions about one session; `tell` reaches all its consoles."""

    def __init__(
        self,
        session: str,
        beside: Beside,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        tell: Callable[[Closing], None],
    ) -> None:
        self._session = session
        self._beside = beside
        self._spawn = spawn
        self._tell = tell
        self._waiting: dict[tuple[object, type[Question]], Question] = {}
        self._closing = False

    def asked(self, outlet: Callable[[Reply], None], question: Question) -> None:
        """Look it up off the event loop. A desk has one question of each kind under way and the latest of each waiting."""
        if isinstance(question, AskClosing):
            if not self._closing:
                self._closing = True
                self._spawn(self._close())
            return
        key = (outlet, type(question))
        under_way = key in self._waiting
        self._waiting[key] = question
        if not under_way:
            self._spawn(self._look_up(outlet, key))

    async def _look_up(self, outlet: Callable[[Reply], None], key: tuple[object, type[Question]]) -> None:
        done: Question | None = None
        try:
            while (question := self._waiting[key]) is not done:
                outlet(await asyncio.to_thread(self._found, question))
                done = question
        finally:
            del self._waiting[key]

    def _found(self, question: Question) -> Reply:
        if isinstance(question, AskMenu):
            return self._beside.menu(question.typed)
        return Names(dict(self._beside.names()))

    async def _close(self) -> None:
        self._tell(Closing())
        try:
            self._tell(Closing(await asyncio.to_thread(self._beside.closing, self._session)))
        except Exception as error:
            # A fault is loud, but no console may wait for a light that never comes.
            LOG.exception("session %s could not be looked into", self._session)
            why = f"a fault of this program: {type(error).__name__}: {error}; `curtain sessions STUDY --check` tries again"
            self._tell(Closing((Check("looked into", (why,)),)))
        finally:
            self._closing = False
