"""Answers beside the facts: to consoles' side requests, from the study's folder to the console that asked, and the subject's
completion code."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Protocol

from session.hub.thread_groups import ThreadGroups
from session.protocol.messages import CompletionCode
from session.protocol.side_messages import (
    AdmitRequest,
    ClosingCheck,
    ClosingRequest,
    ClosingResponse,
    MenuRequest,
    MenuResponse,
    SchemaRequest,
    SchemaResponse,
    SideRequest,
    SideResponse,
    SolutionRequest,
    SolutionResponse,
    ValuesRequest,
    ValuesResponse,
)
from session.state.fold import SessionState
from session.store.types import StoreUnavailable
from session.values.answers import Table

LONGEST_PAUSE_S = 0.25
LOG = logging.getLogger(__name__)


class StudyInformation(Protocol):
    """The source of the answers; each method blocks and is called from a worker thread."""

    def menu(self, typed: str) -> MenuResponse: ...

    def names(self) -> Mapping[str, tuple[str, ...]]: ...

    def values(self, typed: str) -> ValuesResponse: ...

    def solution(self, scenario: str, bindings: Mapping[str, str]) -> Table | None: ...

    def closing(self, session: str) -> tuple[ClosingCheck, ...]: ...

    def completion_code(self, session: str) -> str: ...

    def certified(self) -> tuple[str, ...] | None: ...


class NoStudyInformation:
    """A hub without a study knows nothing beside its sessions."""

    def menu(self, typed: str) -> MenuResponse:
        return MenuResponse(typed, there=False)

    def names(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    def values(self, typed: str) -> ValuesResponse:
        return ValuesResponse(typed)

    def solution(self, scenario: str, bindings: Mapping[str, str]) -> Table | None:
        return None

    def closing(self, session: str) -> tuple[ClosingCheck, ...]:
        return (ClosingCheck("looked into", ("this hub cannot look into it: `curtain sessions STUDY --check` does",)),)

    def completion_code(self, session: str) -> str:
        return ""

    def certified(self) -> tuple[str, ...] | None:
        return None


class SideRequests:
    """Answers the questions about one session; `tell` reaches all its consoles."""

    def __init__(
        self,
        session: str,
        beside: StudyInformation,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        tell: Callable[[ClosingResponse], None],
        threads: ThreadGroups,
    ) -> None:
        self._session = session
        self._beside = beside
        self._spawn = spawn
        self._tell = tell
        self._threads = threads
        self._waiting: dict[tuple[object, type[SideRequest]], SideRequest] = {}
        self._closing = False
        self.certified = beside.certified
        self.admits = False
        """Whether a console has asked for who waits in the lobby; the lobby looks, and takes it back when she is sent."""

    def asked(self, outlet: Callable[[SideResponse], None], question: SideRequest) -> None:
        """Look it up off the event loop. A desk has one question of each kind under way and the latest of each waiting, for as
        long as the answer took: one desk that asks without end leaves others their share of the processor."""
        if isinstance(question, ClosingRequest):
            if not self._closing:
                self._closing = True
                self._spawn(self._close())
            return
        if isinstance(question, AdmitRequest):
            self.admits = True
            return
        key = (outlet, type(question))
        under_way = key in self._waiting
        self._waiting[key] = question
        if not under_way:
            self._spawn(self._look_up(outlet, key))

    async def _look_up(self, outlet: Callable[[SideResponse], None], key: tuple[object, type[SideRequest]]) -> None:
        loop, done = asyncio.get_running_loop(), None
        try:
            while (question := self._waiting[key]) is not done:
                began = loop.time()
                outlet(await self._threads.answering(self._found, question))
                done = question
                await asyncio.sleep(min(LONGEST_PAUSE_S, loop.time() - began))
        finally:
            del self._waiting[key]

    def _found(self, question: SideRequest) -> SideResponse:
        match question:
            case MenuRequest():
                return self._beside.menu(question.typed)
            case ValuesRequest():
                return self._beside.values(question.typed)
            case SolutionRequest():
                return SolutionResponse(question.run, self._beside.solution(question.scenario, question.bindings))
            case SchemaRequest() | ClosingRequest() | AdmitRequest():
                return SchemaResponse(dict(self._beside.names()))

    def completed(self, state: SessionState, tell: Callable[[CompletionCode], None]) -> None:
        """Tell the subject her code, once the session has ended that she took part in."""
        took_part = state.consent is not None or bool(state.runs)
        if state.ended and took_part and state.opened is not None and not state.opened.rehearsal:
            self._spawn(self._complete(tell))

    async def _complete(self, tell: Callable[[CompletionCode], None]) -> None:
        try:
            if code := await asyncio.to_thread(self._beside.completion_code, self._session):
                tell(CompletionCode(code))
        except StoreUnavailable:  # it is drawn when she comes back
            LOG.exception("session %s has no completion code yet", self._session)

    async def _close(self) -> None:
        self._tell(ClosingResponse())
        try:
            self._tell(ClosingResponse(await self._threads.storing(self._beside.closing, self._session)))
        except Exception as error:
            # A fault is loud, but no console may wait for a light that never comes.
            LOG.exception("session %s could not be looked into", self._session)
            why = f"a fault of this program: {type(error).__name__}: {error}; `curtain sessions STUDY --check` tries again"
            self._tell(ClosingResponse((ClosingCheck("looked into", (why,)),)))
        finally:
            self._closing = False
