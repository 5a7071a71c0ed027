"""The lobby's page as a hub serves it: who comes is admitted once, waits, and goes on to a session when one is free for her."""

import asyncio
import hmac
import html
import json
import string
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import parse_qs

import msgspec

from server.lobby.doorkeeper import Doorkeeper, TurnedAway
from server.lobby.free_sessions import free_session, wizards_at_work
from server.overview.overview_page import HEADERS, KINDS
from session.collection.invitations import UNKNOWN, Invitation
from session.hub.access_tokens import Tokens
from session.hub.hub import Hub
from session.hub.session_actor import SessionActor
from session.protocol.messages import Rejected, WireError
from session.store.types import StoreUnavailable
from session.study.folder import Study
from session.study.settings import Speaker
from session.transport.page import PageFile
from session.values.clock import SECOND, Clock
from session.values.names import Exhausted
from session.values.vocabulary import Role

STATIC = Path(__file__).with_name("static")
TICK_S = 1.0
LONGEST_WAIT_NS = 6 * 3600 * SECOND
"""A page that waits longer was left open, over night for instance."""
SAID = {UNKNOWN: "page.not_admitted", "ended": "page.over"}
"""Where the words for a refusal do not stand in `[lobby]`."""

Open = Callable[[Speaker], Awaitable[SessionActor]]


class LobbyHello(msgspec.Struct, frozen=True, tag="hello", tag_field="m", forbid_unknown_fields=True):
    """The first frame of the page: an invitation's code, this browser's ticket, what stands behind the address's `?`."""

    code: str = ""
    ticket: str = ""
    query: str = ""


_DECODER = msgspec.json.Decoder(LobbyHello)


class Visitor(msgspec.Struct, eq=False):
    """Somebody who waits: the invitation, the browser's ticket, a recruiting service's id, when she came, the way to her page."""

    invitation: Invitation
    ticket: str
    participant: str
    since: int
    tell: Callable[[str], None]
    leave: Callable[[str], None]


class Lobby:
    """The lobby of one hub: those who wait, in the order in which they came."""

    def __init__(
        self, study: Study, hub: Hub, tokens: Tokens, door: Doorkeeper, opening: Open, clock: Clock
    ) -> None:  # fmt: skip
        self._study, self._hub, self._tokens, self._door, self._clock = study, hub, tokens, door, clock
        self._opening = opening
        self._queue: list[Visitor] = []
        self._given: dict[str, int] = {}
        self._wished: set[str] = set()

    # --- the page -----------------------------------------------------------------------------------------------------

    def file(self, path: str) -> PageFile | None:
        """The file at `path`; None where there is none."""
        place = STATIC / ("join.html" if path == "/join" else path.removeprefix("/join/"))
        if not path.startswith("/join") or place.parent != STATIC or not place.is_file():
            return None
        body = place.read_bytes()
        if place.suffix == ".html":
            words = self._study.words
            keys = ("program.title", "headline.connecting", "message.link_down", "page.too_old", "page.no_script")
            said = {key.replace(".", "_"): html.escape(words[key]) for key in keys}
            side = "rtl" if words.right_to_left else "ltr"
            body = string.Template(body.decode()).substitute(said, lang=html.escape(words.language), dir=side).encode()
        return PageFile((("Content-Type", f"{KINDS[place.suffix]}; charset=utf-8"), *HEADERS), body)

    def link(self, path: str) -> bool:
        """Return whether the page connects at `path`."""
        return path == "/join/link"

    def connection(self, outlet: Callable[[str], None], leave: Callable[[str], None]) -> "LobbyConnection":
        """Make what stands behind one open page."""
        return LobbyConnection(self, outlet, leave)

    # --- who comes ----------------------------------------------------------------------------------------------------

    async def enter(self, hello: LobbyHello, tell: Callable[[str], None], leave: Callable[[str], None]) -> Visitor:
        """Admit whoever shows a good address, to her session if she has one, else to the queue; raises Rejected."""
        settings = self._study.settings.lobby
        participant = (parse_qs(hello.query, max_num_fields=50).get(settings.participant) or [""])[0][:200]
        try:
            found = await asyncio.to_thread(self._door.admitted, hello.code, participant, hello.ticket)
        except TurnedAway as refused:
            raise Rejected(self._word(refused.why)) from refused
        visitor = Visitor(found, hello.ticket, participant, self._clock.monotonic_ns(), tell, leave)
        if found.session:
            return await self._back(visitor)
        for other in tuple(self._queue):
            if other.invitation.name == found.name:
                if not hmac.compare_digest(other.ticket.encode(), hello.ticket.encode()):
                    await asyncio.to_thread(self._door.refuse, found, "used")
                    raise Rejected(self._word("used"))
                visitor.since = other.since
                self._queue[self._queue.index(other)] = visitor
                other.leave(self._study.words["page.open_elsewhere"])
                break
        else:
            self._queue.append(visitor)
        await self.advance()
        return visitor

    async def _back(self, visitor: Visitor) -> Visitor:
        """Lead somebody back to the session that she was given."""
        name = visitor.invitation.session
        try:
            session = await self._hub.resume(name)
        except Exception as error:
            raise WireError("the session is not served here; try again") from error
        if session.state.ended:
            raise Rejected(self._word("ended"))
        self._send_on(visitor, name)
        return visitor

    def _word(self, why: str) -> str:
        return self._study.words[SAID.get(why, f"lobby.{why}")]

    def _send_on(self, visitor: Visitor, session: str) -> None:
        token = self._tokens.of(Role.SUBJECT, session)
        visitor.tell(json.dumps({"m": "go", "address": f"/visit/{session}#{token}"}))

    def gone(self, visitor: Visitor) -> None:
        """Somebody closed the page: her place is not kept, her address stays good."""
        if visitor in self._queue:
            self._queue.remove(visitor)

    # --- who goes on --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Let those who wait go on as sessions become free, until cancelled."""
        while True:
            await self.advance()
            await self._clock.sleep(TICK_S)

    async def advance(self) -> None:
        """Give free sessions to those who wait, in their order; tell the others where they stand."""
        now = self._clock.monotonic_ns()
        for visitor in tuple(self._queue):
            if visitor not in self._queue:  # she went, or was let go on, meanwhile
                continue
            if now - visitor.since > LONGEST_WAIT_NS:
                self._queue.remove(visitor)
                visitor.leave(self._word("too_long"))
                continue
            wanted = visitor.invitation.speaker
            session = free_session(self._hub.sessions.values(), wanted, self._kept(now))
            if session is None:
                if wanted and wanted not in self._wished:
                    await self._open_for(wanted)
                continue
            await self._give(visitor, session, now)
        for place, visitor in enumerate(self._queue):
            visitor.tell(self._waiting(place))

    def _kept(self, now: int) -> set[str]:
        """Sessions that were given to somebody who is on her way; after a while without her they are free again."""
        limit = (self._study.settings.lobby.return_minutes or 5) * 60 * SECOND
        self._given = {name: since for name, since in self._given.items() if now - since < limit}
        return {*self._given}

    async def _open_for(self, speaker: str) -> None:
        """Open the session of somebody who was invited by her id; where that cannot be, she waits."""
        self._wished.add(speaker)
        try:
            await self._opening(Speaker(speaker))
        except (ValueError, Exhausted, StoreUnavailable):
            self._door.tell(f"a session for speaker {speaker} could not be opened; open one by hand")

    async def _give(self, visitor: Visitor, session: SessionActor, now: int) -> None:
        self._given[session.name] = now
        self._queue.remove(visitor)
        opened = session.state.opened
        speaker = opened.speaker.id if opened is not None else ""
        try:
            await asyncio.to_thread(
                self._door.used, visitor.invitation, visitor.ticket, session.name, speaker, visitor.participant
            )
        except TurnedAway as refused:
            del self._given[session.name]
            visitor.leave(self._word(refused.why))
        except (StoreUnavailable, OSError) as error:
            del self._given[session.name]
            self._queue.insert(0, visitor)
            self._door.tell(f"Nobody goes on from the lobby: {error}")
        else:
            self._send_on(visitor, session.name)

    def _waiting(self, place: int) -> str:
        words, minutes = self._study.words, self._study.settings.lobby.minutes
        at_once = max(1, wizards_at_work(self._hub.sessions.values()))
        line = words["lobby.next"]
        if place:
            line = words["lobby.place"].format(count=place, minutes=minutes * -(-place // at_once))
        shown = {
            "headline": words["lobby.welcome"],
            "duration": words["lobby.duration"].format(minutes=minutes),
            "place": line,
        }
        return json.dumps({"m": "wait", **shown}, ensure_ascii=False)


class LobbyConnection:
    """One open page of the lobby."""

    def __init__(self, lobby: Lobby, outlet: Callable[[str], None], leave: Callable[[str], None]) -> None:
        self._lobby, self._outlet, self._leave = lobby, outlet, leave
        self._visitor: Visitor | None = None
        self._last = ""

    async def receive(self, frame: str | bytes) -> None:
        """Act on a frame; raises WireError or Rejected, whose words are for the subject."""
        try:
            hello = _DECODER.decode(frame)
        except msgspec.MsgspecError as error:
            raise WireError("what came is none of this page's messages") from error
        if self._visitor is not None:
            raise WireError("a second hello")
        self._visitor = await self._lobby.enter(hello, self._tell, self._leave)

    def _tell(self, frame: str) -> None:
        if frame != self._last:
            self._last = frame
            self._outlet(frame)

    async def closed(self, why: str) -> None:
        """The page's socket is gone."""
        if self._visitor is not None:
            self._lobby.gone(self._visitor)
