"""The lobby's page as a hub serves it: admits each visitor once, queues them, and leads them to a free session."""

import asyncio
import contextlib
import html
import json
import string
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs

import msgspec

from server.lobby.doorkeeper import LEFT_OPEN, Doorkeeper, TurnedAway
from server.lobby.free_sessions import free_sessions, wizards_at_work
from server.overview.overview_page import HEADERS, KINDS
from session.collection.invitations import UNKNOWN, Invitation, hashed
from session.hub.access_tokens import Tokens
from session.hub.hub import Hub
from session.hub.session_actor import SessionActor
from session.protocol.messages import AudioChunk, Rejected, WireError
from session.protocol.side_messages import LobbyState
from session.store.lobby_queue import InvitationTaken, LobbyQueue, QueuePlace
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
    """The first frame of the page: an invitation's code, this browser's ticket, what is behind the address's `?`."""

    code: str = ""
    ticket: str = ""
    query: str = ""


_DECODER = msgspec.json.Decoder(LobbyHello)


class Visitor(msgspec.Struct, eq=False):
    """A waiting visitor: the invitation, the browser's ticket, a service's id, the time of arrival, the connection to the
    page."""

    invitation: Invitation
    ticket: str
    participant: str
    since: int
    tell: Callable[[str], None]
    leave: Callable[[str], None]


class Lobby:
    """The lobby of a study as one of its hubs serves it: who waits here, and the queue that all hubs have together."""

    def __init__(
        self, study: Study, hub: Hub, tokens: Tokens, door: Doorkeeper, queue: LobbyQueue, opening: Open, clock: Clock
    ) -> None:  # fmt: skip
        self._study, self._hub, self._tokens, self._door, self._clock = study, hub, tokens, door, clock
        self._queue, self._opening = queue, opening
        self._here: dict[str, Visitor] = {}
        self._turn = asyncio.Lock()
        self._trouble = ""
        self._known_to_wait = False

    # --- the page -----------------------------------------------------------------------------------------------------

    def file(self, path: str) -> PageFile | None:
        """The file at `path`; None if there is none."""
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
        """Make what is behind one open page."""
        return LobbyConnection(self, outlet, leave)

    # --- who comes ----------------------------------------------------------------------------------------------------

    async def enter(self, hello: LobbyHello, tell: Callable[[str], None], leave: Callable[[str], None]) -> Visitor:
        """Admit anyone who shows a good address, to her session if she has one, otherwise to the queue; raises Rejected."""
        settings = self._study.settings.lobby
        participant = _parameter(hello.query, settings.participant)
        try:
            found = await self._hub.threads.entering(self._door.admitted, hello.code, participant, hello.ticket)
        except TurnedAway as refused:
            raise Rejected(self._word(refused.why)) from refused
        visitor = Visitor(found, hello.ticket, participant, self._clock.monotonic_ns(), tell, leave)
        if found.session:
            return await self._back(visitor)
        try:
            await self._hub.threads.entering(self._queue.enter, found.name, hashed(hello.ticket), found.speaker)
        except InvitationTaken as taken:
            await self._hub.threads.entering(self._door.refuse, found, "used")
            raise Rejected(self._word("used")) from taken
        if (other := self._here.get(found.name)) is not None:
            visitor.since = other.since
            other.leave(self._study.words["page.open_elsewhere"])
        self._here[found.name] = visitor
        await self.advance()
        return visitor

    async def _back(self, visitor: Visitor) -> Visitor:
        """Lead a visitor back to the assigned session, at whichever hub it is."""
        name = visitor.invitation.session
        if not await self._hub.threads.entering(self._queue.goes_on, name):
            try:
                session = await self._hub.resume(name)
            except Exception as error:
                raise WireError("the session is not served here; try again") from error
            if not session.over:  # before that the visit's page says good-bye
                self._send_on(visitor, name)
                return visitor
            raise Rejected(self._word("ended"))
        self._send_on(visitor, name)
        return visitor

    def _word(self, why: str) -> str:
        return self._study.words[SAID.get(why, f"lobby.{why}")]

    def _send_on(self, visitor: Visitor, session: str) -> None:
        token = self._tokens.of(Role.SUBJECT, session)
        visitor.tell(json.dumps({"m": "go", "address": f"/visit/{session}#{token}"}))

    @property
    def waiting(self) -> int:
        """The number of people who wait at this hub."""
        return len(self._here)

    async def gone(self, visitor: Visitor) -> None:
        """Handle a closed page: the visitor's place is kept for a moment, and the address stays valid."""
        name = visitor.invitation.name
        if self._here.get(name) is visitor:
            del self._here[name]
            with contextlib.suppress(StoreUnavailable):
                await self._hub.threads.entering(self._queue.leave, name)

    # --- who goes on --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Let those who wait continue as sessions become free, until cancelled."""
        while True:
            await self.advance()
            await self._clock.sleep(TICK_S)

    async def advance(self) -> None:
        """Promise this hub's free sessions to those who wait anywhere, in their order; send on who waits here, and tell the
        others where they stand. A store that is out of reach only delays that."""
        async with self._turn:
            try:
                await self._advanced()
            except StoreUnavailable as error:
                if self._trouble != str(error):
                    self._door.tell(f"No visitor can leave the lobby: {error}")
                self._trouble = str(error)
            else:
                self._trouble = ""

    async def _advanced(self) -> None:
        sessions = self._hub.sessions
        free = free_sessions(sessions.values())
        await self._hub.threads.entering(self._queue.work, wizards_at_work(sessions.values()))
        if not sessions and not self._here:
            return
        by_hand = self._study.settings.lobby.by_hand
        given = {name: speaker for name, speaker in free.items() if not by_hand or sessions[name].asides.admits}
        places = await self._hub.threads.entering(self._queue.places)
        if _wanted(given, places):
            await self._hub.threads.entering(self._queue.promise, given, self._kept_ms())
            places = await self._hub.threads.entering(self._queue.places)
        now, known = self._clock.monotonic_ns(), {place.invitation: place for place in places}
        for name, visitor in tuple(self._here.items()):
            if self._here.get(name) is visitor:  # she may have gone meanwhile
                await self._seen_to(visitor, known.get(name), now)
        promised = {place.session for place in places}
        open_to = {name: speaker for name, speaker in free.items() if name not in promised}
        waiting = [place for place in places if not place.session]
        self._tell_consoles(waiting, open_to, now)
        await self._told([place.invitation for place in waiting], bool(free))

    def _tell_consoles(self, waiting: Sequence[QueuePlace], free: Mapping[str, str], now: int) -> None:
        """Send every console of this hub the queue of all hubs while anyone waits."""
        if waiting or self._known_to_wait:
            here = [now - self._here[place.invitation].since for place in waiting if place.invitation in self._here]
            seconds, by_hand = max(here, default=0) // SECOND, self._study.settings.lobby.by_hand
            for name, session in self._hub.sessions.items():
                wanted = any(place.speaker in ("", free.get(name)) for place in waiting)
                session.tell_consoles(LobbyState(len(waiting), seconds, by_hand and name in free and wanted))
        for name, session in self._hub.sessions.items():
            if not waiting or name not in free:  # whom its console asked for is on her way
                session.asides.admits = False
        self._known_to_wait = bool(waiting)

    async def _seen_to(self, visitor: Visitor, place: QueuePlace | None, now: int) -> None:
        """Take the next step for a visitor who waits here."""
        name = visitor.invitation.name
        if place is None:  # this hub was taken for dead, or she was promised a session and did not go on
            await self._hub.threads.entering(
                self._queue.enter, name, hashed(visitor.ticket), visitor.invitation.speaker
            )
        elif place.hub != self._queue.hub:
            del self._here[name]
            visitor.leave(self._study.words["page.open_elsewhere"])
        elif place.session:
            await self._give(visitor, place)
        elif now - visitor.since > LONGEST_WAIT_NS:
            del self._here[name]
            await self._hub.threads.entering(self._queue.forget, name)
            visitor.leave(self._word("too_long"))
            await self._hub.threads.entering(self._door.refuse, visitor.invitation, LEFT_OPEN)
        elif place.speaker and not place.wished:
            await self._open_for(place)

    def _kept_ms(self) -> int:
        """Return the time for which a session is reserved for a visitor on the way."""
        return (self._study.settings.lobby.return_minutes or 5) * 60_000

    async def _open_for(self, place: QueuePlace) -> None:
        """Open the session of a person invited by id; if that fails, the person waits."""
        if not await self._hub.threads.entering(self._queue.wish, place.invitation):
            return
        try:
            await self._opening(Speaker(place.speaker))
        except (ValueError, Exhausted, StoreUnavailable) as error:
            self._door.tell(f"no session could be opened for speaker {place.speaker}, who waits in the lobby: {error}")

    async def _give(self, visitor: Visitor, place: QueuePlace) -> None:
        """Send a visitor to the reserved session."""
        name = visitor.invitation.name
        try:
            await self._hub.threads.entering(
                self._door.used, visitor.invitation, visitor.ticket, place.session, place.speaker, visitor.participant
            )
        except TurnedAway as refused:
            self._here.pop(name, None)
            await self._hub.threads.entering(self._queue.forget, name)
            visitor.leave(self._word(refused.why))
        except OSError as error:
            self._door.tell(f"No visitor can leave the lobby: {error}")
        else:
            self._here.pop(name, None)
            self._send_on(visitor, place.session)

    async def _told(self, order: Sequence[str], free: bool) -> None:
        """Tell those who wait here how many are before them at all hubs, and about how long it will be; `free` says that a
        session of this hub has nobody yet."""
        if not self._here:
            return
        words, minutes = self._study.words, self._study.settings.lobby.minutes
        at_work = await self._hub.threads.entering(self._queue.at_work)
        for before, name in enumerate(order):
            if (visitor := self._here.get(name)) is None:
                continue
            line = words["lobby.next_later"].format(minutes=minutes) if at_work and not free else words["lobby.next"]
            if before:
                line = words["lobby.place"].format(count=before, minutes=minutes * -(-before // max(1, at_work)))
            shown = {
                "headline": words["lobby.welcome"],
                "duration": words["lobby.duration"].format(minutes=minutes),
                "place": line,
            }
            visitor.tell(json.dumps({"m": "wait", **shown}, ensure_ascii=False))


def _wanted(free: Mapping[str, str], places: Sequence[QueuePlace]) -> bool:
    """Return whether somebody waits for one of the `free` sessions, which have speakers."""
    left = {*free} - {place.session for place in places}
    return any(not place.session and place.speaker in ("", free[name]) for place in places for name in left)


def _parameter(query: str, name: str) -> str:
    """The value of a parameter of an address; empty if it has none, or so many that nobody's service wrote them."""
    try:
        return (parse_qs(query, max_num_fields=50).get(name) or [""])[0][:200]
    except ValueError:
        return ""


class LobbyConnection:
    """One open page of the lobby."""

    place = ""

    def __init__(self, lobby: Lobby, outlet: Callable[[str], None], leave: Callable[[str], None]) -> None:
        self._lobby, self._outlet, self._leave = lobby, outlet, leave
        self._visitor: Visitor | None = None
        self._last = ""

    async def receive(self, frame: str | bytes) -> None:
        """Act on a frame; raises WireError or Rejected, whose words are for the subject."""
        try:
            hello = _DECODER.decode(frame)
        except msgspec.MsgspecError as error:
            raise WireError("this is not a message of this page") from error
        if self._visitor is not None:
            raise WireError("a second hello")
        self._visitor = await self._lobby.enter(hello, self._tell, self._leave)

    def _tell(self, frame: str) -> None:
        if frame != self._last:
            self._last = frame
            self._outlet(frame)

    def pass_sound(self, frame: bytes) -> AudioChunk | None:
        """This page sends none."""
        return None

    async def closed(self, why: str) -> None:
        """The page's socket is gone."""
        if self._visitor is not None:
            await self._lobby.gone(self._visitor)
