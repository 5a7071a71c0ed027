"""The traffic of a real page, kept as it goes, and told again to another gateway over another story."""

import asyncio
import itertools
import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from session import events as e
from session.protocol.messages import FactMessage, HubMessage, Sound, encode
from session.study.settings import Profile
from session.transport.page import ConnectionFactory, HubConnection
from session.values.clock import Clock, ManualClock
from session.visibility import for_subject
from subject.browser.gateway import PageConnection
from subject.browser.pages import Pages

Frame = str | bytes
REVEALING = re.compile(
    r"wizard|human|operator|curtain|simulat|\boz\b|\bhub\b|behind|transcrib|answered by|person", re.I
)


class Said(NamedTuple):
    """The page said it."""

    frame: Frame


class Shown(NamedTuple):
    """It reached the page."""

    frame: Frame


class Told(NamedTuple):
    """The page's gateway was told it by the hub."""

    message: HubMessage | Sound


class TappedPages(Pages):
    """A page whose whole traffic is kept, in the order in which it went."""

    traffic: list[Said | Shown | Told]

    def connection(
        self,
        session: str,
        outlet: Callable[[HubMessage | Sound | str], None],
        leave: Callable[[str], None],
        carry: ConnectionFactory,
        clock: Clock,
    ) -> HubConnection:
        """The near end of a page, everything around it kept; the last page's alone."""
        self.traffic = traffic = []

        def carried(name: str, up: Callable[[HubMessage | Sound], None], away: Callable[[str], None]) -> HubConnection:
            return carry(name, lambda message: (traffic.append(Told(message)), up(message))[1], away)

        def shown(message: HubMessage | Sound | str) -> None:
            traffic.append(Shown(message if isinstance(message, str) else encode(message)))  # type: ignore[arg-type]
            outlet(message)

        return _Tapped(super().connection(session, shown, leave, carried, clock), traffic)  # type: ignore[arg-type]


class _Tapped:
    """A connection whose incoming frames are kept."""

    place = ""

    def __init__(self, inner: HubConnection, traffic: list[Said | Shown | Told]) -> None:
        self._inner, self._traffic = inner, traffic

    async def receive(self, frame: Frame) -> None:
        self._traffic.append(Said(frame))
        await self._inner.receive(frame)

    def pass_sound(self, frame: bytes) -> None:
        """All is received."""

    async def closed(self, why: str) -> None:
        await self._inner.closed(why)


class _Teller:
    """Stands where the hub was; takes in everything and says nothing of its own."""

    place = ""
    outlet: Callable[[HubMessage | Sound], None]

    def carry(self, session: str, outlet: Callable[[HubMessage | Sound], None], leave: object) -> "_Teller":
        self.outlet = outlet
        return self

    async def receive(self, frame: Frame) -> None:
        """Nothing follows from it."""

    def pass_sound(self, frame: bytes) -> None:
        """All is received."""

    async def closed(self, why: str) -> None:
        """Over."""


async def retold(traffic: list[Said | Shown | Told], story: list[e.Recorded]) -> list[Frame]:
    """Return every frame that reaches a page which does what the real one did, over a hub that tells `story` in its place."""
    frames, teller, facts = list[Frame](), _Teller(), iter(story)

    def down(message: HubMessage | Sound | str) -> None:
        frames.append(message if isinstance(message, str) else encode(message))

    connection = PageConnection("s", down, frames.append, teller.carry, ManualClock("hub"))
    for each in traffic:
        match each:
            case Said(frame=frame):
                await connection.receive(frame)
            case Told(message=FactMessage()):
                teller.outlet(FactMessage(next(facts)))
            case Told(message=message):
                teller.outlet(message)
        await asyncio.sleep(0)
    await connection.closed("over")
    assert next(facts, None) is None
    return frames


def with_other_secrets(stored: list[e.Recorded], profile: Profile) -> list[e.Recorded]:
    """The facts of a session, those that its subject must not see taken out and put in elsewhere, twice."""
    hidden = [fact for fact in stored if for_subject(fact.event, profile) is None]
    others = itertools.cycle(reversed(hidden))
    return [each for fact in stored if fact not in hidden for each in (next(others), fact, next(others))]


def facts_told(traffic: list[Said | Shown | Told]) -> list[e.Recorded]:
    """The facts that the page's gateway was told."""
    return [
        each.message.recorded for each in traffic if isinstance(each, Told) and isinstance(each.message, FactMessage)
    ]


def until_debriefed(traffic: list[Said | Shown | Told]) -> Iterator[str]:
    """Every text that reached the page before the one that says how the study works, but for the study's own text of consent."""
    for each in traffic:
        if isinstance(each, Shown) and isinstance(each.frame, str):
            if '"step":"debriefing"' in each.frame:
                return
            if '"kind":"consent"' not in each.frame:
                yield each.frame


def last_parts(frames: list[Frame]) -> dict[str, object]:
    """The newest of each part of what was to be seen."""
    read = [json.loads(frame) for frame in frames if isinstance(frame, str)]
    return {message["name"]: message["part"] for message in read if message["m"] == "part"}
