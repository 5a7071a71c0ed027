"""A desk that is attached to a session: its role, how far it has been told what happened, and the ways to it."""

from collections.abc import Callable

from session.protocol.messages import HubMessage, Sound
from session.values.vocabulary import Role
from session.visibility import access

HUB_CLOSES = "the hub is closing"
CONNECTED_ANEW = "connected again"
"""Ends of a machine's connection that are no loss of it."""

Outlet = Callable[[HubMessage | Sound], None]


class Desk:
    """One attached desk: how far it has been told, where to tell it more, and how to send it away."""

    def __init__(
        self, role: Role, name: str, clock: str, have: int, outlet: Outlet, leave: Callable[[str], None]
    ) -> None:
        self.role = role
        self.access = access(role)
        self.name = name
        self.clock = clock
        self.have = have
        self.outlet = outlet
        self.leave = leave
