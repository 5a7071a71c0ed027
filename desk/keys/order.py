"""No key overtakes the one before it, however quickly they come.

A terminal over a slow line gives many keys in one read. A key that is bound to a screen runs then while the letters before it
still are in the queue of the widget that they are for: Ctrl+S would submit a text without its last letters, which go into the
next one. And a key typed behind the one that opens a dialog belongs to the dialog, not to what lies beneath.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any

from textual import events
from textual.app import App
from textual.dom import DOMNode

STUCK_S = 0.25
"""Behind a key that gets nowhere for so long, its widget having gone or being at work, the others go on."""


class KeysInOrder(App[Any]):
    """Mixed into an App before all else: each key, or paste, is dealt with entirely before the next one is looked at."""

    def on_load(self) -> None:
        self._coming: deque[events.Key | events.Paste] = deque()
        self._under_way: object = None
        self._steps = self._steps_seen = 0
        self._watched = False

    async def on_event(self, event: events.Event) -> None:
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
            return
        self._coming.append(event)
        if self._under_way is None:
            await self._next()
        else:
            self._watch()

    async def _next(self) -> None:
        if self._coming:
            key = self._under_way = self._coming.popleft()
            screen, way = self.screen, self._way()
            await super().on_event(key)
            # What a key that is no letter brings about may be a message, which bubbles one widget behind: hence twice.
            await self._along(way if isinstance(key, events.Paste) or key.is_printable else way * 2, screen, key)

    def _way(self) -> list[DOMNode]:
        return list((self.focused or self.screen).ancestors_with_self)

    async def _along(self, way: Sequence[DOMNode], screen: DOMNode, key: object) -> None:
        """Behind the key through every queue that it bubbles through, up to the app's own."""
        self._steps += 1
        for at, node in enumerate(way):
            if node.call_later(self._along, way[at + 1 :], screen, key):
                return
        if self._under_way is key and self.screen is not screen:  # until the new one stands there and has its focus
            await self._along(self._way(), self.screen, key)
        else:
            await self._done(key)

    async def _done(self, key: object) -> None:
        if self._under_way is key:
            self._under_way = None
            await self._next()

    def _watch(self) -> None:
        if not self._watched:
            self._watched = True
            self.set_timer(STUCK_S, self._look)

    async def _look(self) -> None:
        """A key is stuck when two looks find it in the same place; a loop that stood still holds nothing against it."""
        self._watched = False
        if self._steps == self._steps_seen:
            await self._done(self._under_way)
        self._steps_seen = self._steps
        if self._coming:
            self._watch()
