"""What consoles ask beside a session: answered to who asked, off the event loop, and never to or from the subject."""

import asyncio
import itertools
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest

from session.hub.side_requests import SideRequests
from session.hub.thread_groups import LooseThreads, ThreadGroups
from session.protocol.messages import decode_desk_message, encode
from session.protocol.side_messages import (
    ClosingCheck,
    ClosingRequest,
    ClosingResponse,
    DomainValue,
    DraftTyped,
    MenuRequest,
    MenuResponse,
    SchemaRequest,
    SchemaResponse,
    SideResponse,
    SolutionRequest,
    SolutionResponse,
    ValuesRequest,
    ValuesResponse,
    may_ask,
)
from session.values.answers import Table
from session.values.vocabulary import Role
from session.visibility import access
from tests.together.pipe import SESSION, Bench, PipedDesk, opened


class Knowing:
    """Answers everything; holds every answer back until `go`."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked: list[str] = []

    def menu(self, typed: str) -> MenuResponse:
        self.asked.append(typed)
        assert self.go.wait(120)
        return MenuResponse(typed, (f"{typed}!",), whole=True)

    def names(self) -> dict[str, tuple[str, ...]]:
        return {"flight": ("flight_id",)}

    def values(self, typed: str) -> ValuesResponse:
        return ValuesResponse(typed, (DomainValue("Boston", "BOSTON", "city"),))

    def solution(self, scenario: str, bindings: Mapping[str, str]) -> Table | None:
        return Table(("A",), ((bindings["A"],),))

    def closing(self, session: str) -> tuple[ClosingCheck, ...]:
        self.asked.append(session)
        assert self.go.wait(120)
        if session == "broken":
            raise RuntimeError("no")
        return (ClosingCheck("ended", ("not yet: end it",)),)

    def completion_code(self, session: str) -> str:
        return ""

    def certified(self) -> tuple[str, ...] | None:
        return None


class Room:
    """The questions of one session, and everything that was answered."""

    def __init__(self, session: str = SESSION) -> None:
        self.knowing, self.responses, self.tasks = Knowing(), list[SideResponse](), list[asyncio.Task[None]]()
        self.asides = SideRequests(session, self.knowing, self._spawn, self.responses.append, ThreadGroups())
        self.outlet: Callable[[SideResponse], None] = self.responses.append

    def _spawn(self, work: Coroutine[Any, Any, None]) -> object:
        self.tasks.append(asyncio.get_running_loop().create_task(work))
        return self.tasks[-1]

    async def done(self) -> None:
        self.knowing.go.set()
        await asyncio.gather(*self.tasks)


async def test_of_questions_that_wait_only_the_latest_is_answered() -> None:
    room = Room()
    for typed in ("f", "fl", "fli", "flig"):
        room.asides.asked(room.outlet, MenuRequest(typed))
        await asyncio.sleep(0)
    for other in (SchemaRequest(), ValuesRequest("bo"), SolutionRequest(2, "trip", {"A": "Ulm"})):
        room.asides.asked(room.outlet, other)
    await room.done()
    menus = [message.typed for message in room.responses if isinstance(message, MenuResponse)]
    assert menus[-1] == "flig"
    assert menus == room.knowing.asked
    assert len(menus) <= 2
    assert SchemaResponse({"flight": ("flight_id",)}) in room.responses
    assert ValuesResponse("bo", (DomainValue("Boston", "BOSTON", "city"),)) in room.responses
    assert SolutionResponse(2, Table(("A",), (("Ulm",),))) in room.responses
    room.asides.asked(room.outlet, MenuRequest("flig"))
    await room.done()
    assert room.knowing.asked[-1] == "flig"


async def test_a_desk_that_asks_without_end_leaves_as_much_time_as_its_answers_take() -> None:
    room, loop, answers = Room(), asyncio.get_running_loop(), list[float]()

    def slow(typed: str) -> MenuResponse:
        threading.Event().wait(0.02)
        return MenuResponse(typed)

    def answered(response: SideResponse) -> None:
        answers.append(loop.time())
        if len(answers) < 4:
            room.asides.asked(answered, MenuRequest(str(len(answers))))

    room.knowing.menu = slow  # type: ignore[method-assign]
    room.asides.asked(answered, MenuRequest("0"))
    await room.done()
    assert len(answers) == 4
    assert min(later - earlier for earlier, later in itertools.pairwise(answers)) > 0.038


async def test_menus_that_are_being_made_hold_up_no_query() -> None:
    """The threads of what consoles ask aside are few, and no others."""
    room = Room()
    aside = LooseThreads(1, "aside")
    room.asides = SideRequests(
        SESSION, room.knowing, room._spawn, room.responses.append, ThreadGroups(None, None, aside)
    )
    outlets = [room.responses.append, *(lambda response: None for _ in range(8))]
    for outlet in outlets:
        room.asides.asked(outlet, MenuRequest("f"))
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        assert await asyncio.to_thread(lambda: "a query") == "a query"
    await room.done()
    assert len(room.knowing.asked) == len(outlets)
    aside.shutdown()


async def test_a_session_is_looked_into_once_however_many_ask() -> None:
    room = Room()
    for _ in range(3):
        room.asides.asked(room.outlet, ClosingRequest())
        await asyncio.sleep(0)
    await room.done()
    assert room.responses == [ClosingResponse(), ClosingResponse((ClosingCheck("ended", ("not yet: end it",)),))]
    assert room.knowing.asked == [SESSION]
    room.asides.asked(room.outlet, ClosingRequest())
    await room.done()
    assert room.knowing.asked == [SESSION, SESSION]


async def test_a_fault_is_a_red_light_and_no_wait_without_end() -> None:
    room = Room("broken")
    room.asides.asked(room.outlet, ClosingRequest())
    await room.done()
    last = room.responses[-1]
    assert isinstance(last, ClosingResponse)
    assert not last.green
    assert "RuntimeError: no" in last.problems[0]


def test_no_light_is_green_before_anything_was_looked_into() -> None:
    assert not ClosingResponse().green
    assert ClosingResponse((ClosingCheck("a"),)).green
    assert ClosingResponse((ClosingCheck("a"), ClosingCheck("b", ("c", "d")))).problems == ("c", "d")


@pytest.mark.parametrize("role", list(Role))
def test_who_may_query_has_the_menu_and_every_console_the_light(role: Role) -> None:
    asks = role is Role.WIZARD  # a machine asks in words, not by menu
    assert may_ask(role, MenuRequest("")) == may_ask(role, SchemaRequest()) == asks
    assert may_ask(role, ClosingRequest()) == access(role).console
    assert may_ask(role, DraftTyped("t1", "x")) == access(role).drafts == (role in (Role.WIZARD, Role.TRANSCRIBER))


async def test_over_the_wire_consoles_are_answered_and_the_subject_is_shown_the_door() -> None:
    bench = Bench()
    await bench.hub.open(SESSION, opened())
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
    observer = await PipedDesk(bench, "t-observer", "obs").connect()
    before = len(subject.wire)
    questions = (MenuRequest("fl"), SchemaRequest(), ClosingRequest(), ValuesRequest("b"), SolutionRequest(0, "s"))
    for question in questions:
        assert decode_desk_message(encode(question)) == question
        await wizard.raw(encode(question))
    await bench.settle()
    asides = [
        message for message in wizard.happened if isinstance(message, MenuResponse | SchemaResponse | ClosingResponse)
    ]
    assert MenuResponse("fl", there=False) in asides
    assert SchemaResponse() in asides
    assert any(isinstance(message, ClosingResponse) and message.checks for message in observer.happened)
    assert len(subject.wire) == before, "the subject's wire has not one byte more"
    await observer.raw(encode(MenuRequest("fl")))
    assert "its role may not see" in observer.closed
    await subject.raw(encode(ClosingRequest()))
    assert "its role may not see" in subject.closed
    await bench.close()
