"""Answers of the hub beside the session: the menu's offers, the names in the database, values of the domain, the
solution sets of scenarios, the light at the end.

It is the same whether the hub runs in this process or on another machine; what has not been told yet is asked for once.
"""

from collections.abc import Callable, Mapping

from domain.sandbox.database_schema import Column, Schema, TableSchema
from session.protocol.side_messages import (
    ClosingRequest,
    ClosingResponse,
    DomainValue,
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
    may_ask,
)
from session.state.fold import SessionState
from session.values.answers import Table
from session.values.vocabulary import Role

MOST = 500


def unconfirmed(state: SessionState) -> int:
    """Return how many recordings the hub does not hold whole yet."""
    return sum(1 for take in state.takes.values() if take.stopped is not None and not take.confirmed)


class HubInfo:
    """`closing` is None before anything is known, without checks while it is being looked into; `schema` None until told."""

    def __init__(self, ask: Callable[[SideRequest], None]) -> None:
        self.closing: ClosingResponse | None = None
        self.schema: Schema | None = None
        self.has_menu: bool | None = None
        self._ask = ask
        self._offers: dict[str, MenuResponse] = {}
        self._wanted = ""
        self._values: dict[str, tuple[DomainValue, ...]] = {}
        self._value_wanted: str | None = None
        self.solutions: dict[int, Table | None] = {}
        """The solution sets of the session's scenarios by their place, as far as they are known."""
        self._unsolved: list[SolutionRequest] = []

    def welcomed(self, role: Role, state: SessionState) -> None:
        """The hub is there, or there again: what was asked on an earlier connection may not have arrived."""
        if may_ask(role, SchemaRequest()):
            self._ask(SchemaRequest())
            self._ask(MenuRequest(self._wanted))
        self._value_wanted = None
        self._ask_solution()
        if state.ended and not (self.closing and self.closing.checks):
            self.look_again()

    def noted(self, state: SessionState) -> None:
        """A fact was folded: whatever comes after the end, a recording or a note, may turn the light."""
        if state.ended and not unconfirmed(state):
            self.look_again()

    def look_again(self) -> None:
        """Let the hub look into whether the session is done."""
        self._ask(ClosingRequest())

    def menu(self, typed: str) -> MenuResponse | None:
        """Return what may follow `typed`; None, and the console changes later, when the hub has to be asked first."""
        if (known := self._offers.get(typed)) is not None:
            return known
        if typed != self._wanted:
            self._wanted = typed
            self._ask(MenuRequest(typed))
        return self._offers.get(typed)

    def values(self, typed: str) -> tuple[DomainValue, ...]:
        """Return the domain's values that begin so; none, and the console changes later, when the hub has to be asked first."""
        wanted = " ".join(typed.casefold().split())
        if not wanted or wanted in self._values:
            return self._values.get(wanted, ())
        if wanted != self._value_wanted:
            self._value_wanted = wanted
            self._ask(ValuesRequest(wanted))
        return self._values.get(wanted, ())

    def has_no_value(self, typed: str) -> bool:
        """Return whether the hub has told that no value of the domain begins so, though some begin with the same letter."""
        wanted = " ".join(typed.casefold().split())
        return self._values.get(wanted) == () and bool(self._values.get(wanted[:1]))

    def scenario_began(self, run: int, scenario: str, bindings: Mapping[str, str]) -> None:
        """Have its solution set ready before a solution is declared; of two questions only the later is answered."""
        self._unsolved.append(SolutionRequest(run, scenario, dict(bindings)))
        if len(self._unsolved) == 1:
            self._ask_solution()

    def _ask_solution(self) -> None:
        if self._unsolved:
            self._ask(self._unsolved[0])

    def receive(self, reply: SideResponse) -> None:
        """An answer has come."""
        match reply:
            case MenuResponse():
                if len(self._offers) >= MOST:
                    self._offers.clear()
                self._offers[reply.typed] = reply
                self.has_menu = reply.there
            case SchemaResponse():
                tables = (TableSchema(name, tuple(map(Column, columns))) for name, columns in reply.tables.items())
                self.schema = Schema(tuple(tables)) if reply.tables else None
            case ValuesResponse():
                if len(self._values) >= MOST:
                    self._values.clear()
                self._values[reply.typed] = reply.values
            case SolutionResponse():
                self.solutions[reply.run] = reply.table
                self._unsolved = [asked for asked in self._unsolved if asked.run != reply.run]
                self._ask_solution()
            case ClosingResponse():
                self.closing = reply
