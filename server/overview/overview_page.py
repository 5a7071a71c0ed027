"""The experimenter's page as a hub serves it, at an address that only the token's holder knows."""

import asyncio
import contextlib
import datetime
import hmac
import html
import json
import string
from collections.abc import Callable
from pathlib import Path

import msgspec

from server.overview.overview_words import page_words
from server.overview.session_views import Lines, SessionViews, forsaken
from server.overview.study_progress import progress
from session.hub.hub import Hub
from session.protocol.messages import AudioChunk, Rejected, WireError
from session.store.event_store import Store
from session.store.shared_board import SharedBoard
from session.store.types import StoreUnavailable
from session.study.folder import Study
from session.transport.page import PageFile
from session.values.clock import SECOND, Clock

STATIC = Path(__file__).with_name("static")
TICK_S = 0.5
OTHERS_EVERY_S = 1.0
PROGRESS_EVERY_NS = 15 * SECOND
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
HEADERS = (
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "microphone=(), camera=(), geolocation=()"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Robots-Tag", "noindex"),
    ("Cache-Control", "no-store"),
)


class OverviewHello(msgspec.Struct, frozen=True, tag="hello", tag_field="m", forbid_unknown_fields=True):
    """The first frame of the page."""

    token: str


class CallSeenTo(msgspec.Struct, frozen=True, tag="answer", tag_field="m", forbid_unknown_fields=True):
    """A call was seen to."""

    session: str


_DECODER = msgspec.json.Decoder(OverviewHello | CallSeenTo)


class Overview:
    """The experimenter's page as one hub serves it; `place` is the part of its address that nobody guesses, `token` opens it.
    By the `board` it has the sessions of the study's other hubs too, and these have the ones here."""

    def __init__(
        self,
        study: Study,
        hub: Hub,
        store: Store,
        place: str,
        token: str,
        clock: Clock,
        board: SharedBoard | None = None,
    ) -> None:
        self._study, self._hub, self._store, self._clock = study, hub, store, clock
        self._token, self._board = token, board
        self._root = f"/overview/{place}/"

    @property
    def path(self) -> str:
        """The page's place at the hub, with the token where no browser sends it."""
        return f"{self._root}#{self._token}"

    def file(self, path: str) -> PageFile | None:
        """The file at `path`; None if there is none, and for anyone who does not know the place."""
        if not path.startswith(self._root):
            return None
        place = STATIC / (path.removeprefix(self._root) or "index.html")
        if place.parent != STATIC or place.suffix not in KINDS or not place.is_file():
            return None
        kind = f"{KINDS[place.suffix]}; charset=utf-8"
        return PageFile((("Content-Type", kind), *HEADERS), self._in_words(place))

    def link(self, path: str) -> bool:
        """Return whether the page connects at `path`."""
        return path == f"{self._root}link"

    def _in_words(self, place: Path) -> bytes:
        if place.suffix != ".html":
            return place.read_bytes()
        language = self._study.settings.language
        said = {key.replace(".", "_"): html.escape(text) for key, text in page_words(language).items()}
        return (
            string.Template(place.read_text("utf-8")).substitute(said, lang=html.escape(said["page_language"])).encode()
        )

    def connection(self, outlet: Callable[[str], None], leave: Callable[[str], None]) -> "OverviewConnection":
        """Make what is behind one open page."""
        return OverviewConnection(
            self._study, self._hub, self._store, self._token, self._clock, outlet, leave, self._board
        )

    async def run(self) -> None:
        """Share this hub's sessions with the other hubs while a page is open there, until cancelled; a store out of reach
        only delays that."""
        views = SessionViews(self._hub, self._clock)
        try:
            while self._board is not None:
                with contextlib.suppress(StoreUnavailable):
                    await self._shown(self._board, views)
                await self._clock.sleep(OTHERS_EVERY_S)
        finally:
            await views.close("overview")

    async def _shown(self, board: SharedBoard, views: SessionViews) -> None:
        entering = self._hub.threads.entering
        if not await entering(board.wanted):
            await views.close("overview")
            return
        await views.follow()
        for session in await entering(board.calls):
            await views.answer(session)
        await entering(board.show, msgspec.json.encode(views.lines(self._study.settings.language)))


class OverviewConnection:
    """One open page: admitted by its token, then told what changes until it goes."""

    place = ""

    def __init__(
        self, study: Study, hub: Hub, store: Store, token: str, clock: Clock,
        outlet: Callable[[str], None], leave: Callable[[str], None], board: SharedBoard | None = None,
    ) -> None:  # fmt: skip
        self._study, self._hub, self._store, self._clock = study, hub, store, clock
        self._token, self._outlet, self._leave, self._board = token, outlet, leave, board
        self._views = SessionViews(hub, clock)
        self._others: list[Lines] = []
        self._asked: set[str] = set()
        self._sent: dict[str, str] = {}
        self._telling: asyncio.Task[None] | None = None

    async def receive(self, frame: str | bytes) -> None:
        """Act on a frame; raises WireError or Rejected."""
        try:
            message = _DECODER.decode(frame)
        except msgspec.MsgspecError as error:
            raise WireError("this is not a message of this page") from error
        if isinstance(message, OverviewHello):
            self._enter(message)
        elif self._telling is None:
            raise WireError("the first frame is not a hello")
        else:
            await self._answer(message.session)

    def _enter(self, hello: OverviewHello) -> None:
        if not hmac.compare_digest(hello.token.encode("utf-8", "surrogatepass"), self._token.encode()):
            raise Rejected(page_words(self._study.settings.language)["page.not_valid"])
        if self._telling is None:
            self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _answer(self, name: str) -> None:
        if refusal := await self._views.answer(name):
            self._refuse(name, refusal)
        elsewhere = name not in self._views and any(row["session"] == name for one in self._others for row in one.rows)
        if elsewhere and self._board is not None:
            self._asked.add(name)
            with contextlib.suppress(StoreUnavailable):  # the call stands there until it is answered
                await self._hub.threads.entering(self._board.call, name)

    def _refuse(self, name: str, reason: str) -> None:
        self._outlet(json.dumps({"m": "refused", "reason": f"{name}: {reason}"}))

    async def _tell(self) -> None:
        last, asked = None, None
        try:
            while True:
                await self._views.follow()
                now = self._clock.monotonic_ns()
                if asked is None or now - asked >= OTHERS_EVERY_S * SECOND:
                    asked = now
                    await self._look_at_others()
                self.show()
                if last is None or now - last >= PROGRESS_EVERY_NS:
                    last = now
                    await self._show_study()
                await self._clock.sleep(TICK_S)
        except asyncio.CancelledError:
            raise
        except Exception:
            self._leave("")  # the page connects again; a page that stands still would be believed
            raise

    async def _look_at_others(self) -> None:
        """Read what the study's other hubs show, and which sessions lost theirs; not while the store is out of reach."""
        self._others = []
        if self._board is not None:
            with contextlib.suppress(StoreUnavailable):
                shown = await self._hub.threads.entering(self._board.look)
                lost = await self._hub.threads.entering(self._board.forsaken)
                self._others = [msgspec.json.decode(lines, type=Lines) for lines in shown]
                self._others.append(forsaken(lost, self._study.settings.language))
        for name, reason in ((name, reason) for one in self._others for name, reason in one.refused.items()):
            if name in self._asked:
                self._asked.discard(name)
                self._refuse(name, reason)

    def show(self) -> None:
        """Tell the page every session's line, calls first and what has ended last, if any is another than before."""
        lines = self._views.lines(self._study.settings.language).joined(self._others)
        self._send("sessions", {"rows": lines.rows, "trouble": lines.trouble})

    async def _show_study(self) -> None:
        with contextlib.suppress(StoreUnavailable):
            found = await self._hub.threads.entering(progress, self._study, self._store, self._today())
            self._send("study", {"figures": found.figures, "cells": found.cells, "people": found.people})

    def _today(self) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(self._clock.wall_ns() / 1e9).astimezone()

    def _send(self, kind: str, content: dict[str, object]) -> None:
        frame = json.dumps({"m": kind, **content}, ensure_ascii=False)
        if self._sent.get(kind) != frame:
            self._sent[kind] = frame
            self._outlet(frame)

    def pass_sound(self, frame: bytes) -> AudioChunk | None:
        """This page sends none."""
        return None

    async def closed(self, why: str) -> None:
        """The page's socket is gone."""
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        await self._views.close(why)
