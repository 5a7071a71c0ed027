"""Answers of the hub beside the session: the menu's offers, the names in the database, the light at the end.

It is the same whether the hub runs in this process or on another machine; what has not been told yet is asked for once.
"""

from collections.abc import Callable

from domain.sandbox.schema import Column, Schema, TableSchema
from session.protocol.side_messages import (
    ClosingRequest,
    ClosingResponse,
    MenuRequest,
    MenuResponse,
    SchemaRequest,
    SchemaResponse,
    SideRequest,
    SideResponse,
    may_ask,
)
from session.state.fold import SessionState
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

    def welcomed(self, role: Role, state: SessionState) -> None:
        """The hub is there, or there again: what was asked on an earlier connection may not have arrived."""
        if may_ask(role, SchemaRequest()):
            self._ask(SchemaRequest())
            self._ask(MenuRequest(self._wanted))
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
            case ClosingResponse():
                self.closing = reply
