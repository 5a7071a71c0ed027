"""A console's desk in one piece: the link, the monitor that plays the subject's voice, the console over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from session.audio.devices import Loudspeaker
from session.protocol.links import DeskLink
from session.transport.websocket import Address, HubClient, LinkState
from session.values.clock import Clock
from session.values.names import ulid
from wizard.core.console import Console

if TYPE_CHECKING:
    from wizard.audio.monitor import Monitor

VERSION = "1"
NO_HUB_YET = "it is starting"


class WizardDesk:
    """Everything of one console but the screen; `monitor` is there once `listen` has opened the loudspeaker.

    Without an address it has no hub to connect to until `lead` says where one is.
    """

    def __init__(
        self,
        address: Address | None,
        clock: Clock,
        changed: Callable[[], None],
        *,
        loudspeaker: Callable[[], Loudspeaker] | None = None,
        english: bool = False,
    ) -> None:
        self.led = address is not None
        self.link_state = LinkState(False, "" if address else NO_HUB_YET)
        self._changed = changed
        self._link = DeskLink(ulid(clock.wall_ns()), clock, VERSION, address.token if address else "")
        self._up = HubClient(
            address, self._link, clock, lambda happening: self.console.receive(happening), self._linked
        )
        self.monitor: Monitor | None = None
        self._loudspeaker = loudspeaker
        self.console = Console(
            clock,
            self._up,
            changed,
            english=english,
            offset=lambda: self._link.offset,
            exchange=lambda: self._link.exchange,
        )

    async def run(self) -> None:
        """Keep the link alive until cancelled."""
        await self._up.run()

    def lead(self, address: Address) -> None:
        """Connect there."""
        self.led = True
        self._up.lead(address)
        self._linked(LinkState(False))

    def listen(self) -> None:
        """Open the loudspeaker, if there is one to open; any thread may call this. Raises `session.audio.devices.DeviceError`."""
        if self._loudspeaker is None:
            return
        from wizard.audio.monitor import (
            Monitor,  # here, so that a first painting does not wait for the library of numbers
        )

        monitor = Monitor(self._loudspeaker)
        monitor.open()
        self.monitor = monitor
        self.console.hearing = monitor

    def close(self) -> None:
        """Give the loudspeaker back."""
        if self.monitor is not None:
            self.monitor.close()

    def _linked(self, state: LinkState) -> None:
        self.link_state = state
        if not state.up:
            self.console.lost()
        self._changed()
