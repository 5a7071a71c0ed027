"""A study brought to life: its domain database made ready, its hub listening, its next session opened on demand."""

import asyncio
import contextlib
import datetime
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Protocol

from domain.code_labels import Decoding
from domain.database.build import BuiltDatabase, DatabaseError, open_database
from domain.database.connect import fingerprint
from domain.database.solution_set import solution_query
from domain.english.menu import Menu
from domain.english.model.domain import DomainError
from domain.english.value_lookup import ValueLookup
from domain.llm_proposal import Endpoint, endpoint
from domain.query_backend import English, backends, english_of
from domain.sandbox.sandbox import Sandbox
from server.kept_lines import LineKeeper, line_keeper, lines_lacking
from server.lobby.doorkeeper import Doorkeeper
from server.lobby.lobby_page import Lobby
from server.lobby.returning import AbsenceWatch
from server.overview.overview_page import Overview
from server.quota_watch import QuotaWatch
from server.site import Site
from server.steady_work import steadily
from session.collection.completion_codes import VERSIONS as COMPLETION_VERSIONS
from session.collection.completion_codes import completion_code
from session.collection.drills import VERSIONS as DRILL_VERSIONS
from session.collection.drills import certified_wizards, drills_of
from session.collection.freeze import freezes_of
from session.collection.open_session import keep_protocol, plan_session
from session.collection.roster import people_of
from session.collection.take_archive import lasting_archive
from session.events import SessionOpened
from session.hub.access_tokens import Tokens, load_tokens
from session.hub.connection import Admit
from session.hub.hub import HubDomain
from session.hub.reply_voice import VoiceOf
from session.hub.server import RunningHub, running_hub
from session.hub.session_actor import SessionActor
from session.hub.side_requests import NoStudyInformation
from session.protocol.side_messages import ClosingCheck, MenuResponse, ValuesResponse
from session.store.access import TokenIssuer
from session.store.event_store import Store
from session.store.folds import Usage
from session.store.lobby_queue import LobbyQueue
from session.store.shared_board import SharedBoard
from session.store.types import StoreBusy, StoreUnavailable
from session.store.upcasting import DamagedEvent, NewerEvent
from session.study.folder import Study
from session.study.settings import Speaker
from session.transport.listen_address import ListenAddress, reachable_host
from session.transport.page import PageServer
from session.transport.websocket import Address
from session.values.answers import QueryFailure, Table
from session.values.clock import SECOND, Clock, stamp
from session.values.vocabulary import Role

LOG = logging.getLogger(__name__)
RENEWALS_EVERY_S = 2.0
OPENING_PATIENCE_S = 60
"""Where others hold the store for so long that their turns cannot be the reason, that is said."""


def study_database(study: Study) -> BuiltDatabase:
    """The study's domain database, built when it is not there yet; raises domain.database.build.DatabaseError."""
    if study.database_url:
        return external_database(study.database_url, study.settings.domain)
    return open_database(study.domain_folder, study.database_folder)


def external_database(url: str, name: str) -> BuiltDatabase:
    """Return a database that another person keeps, its version the hash of its rows; raises DatabaseError."""
    try:
        sha256 = fingerprint(url)
    except DatabaseError as error:
        raise DatabaseError(f"`database` in study.toml: {error}") from error
    return BuiltDatabase(url, f"{name} {sha256[:12]}", sha256)


def proposal_endpoint(study: Study, environment: Mapping[str, str]) -> Endpoint | None:
    """The outside engine that study.toml names, if it names one; raises ValueError when it cannot be asked."""
    named = study.settings.engine
    return endpoint(named.url, named.model, named.key, named.seconds, environment) if named is not None else None


class SessionMachines(Protocol):
    """Machines that operate stages of a study's sessions, and what speaks its replies (`operators.attendance.StudyMachines`)."""

    @property
    def voice(self) -> VoiceOf:
        """The voice of each session, by its profile."""

    async def attend(self, hub: "StudyHub", session: SessionActor) -> None: ...


MachinesFactory = Callable[[Study, Clock, str], SessionMachines]
"""Makes a study's machines ready over the database at a URL, in a thread; raises StudyError where one cannot be had."""

ClosingCheckFunction = Callable[[Study, str], tuple[ClosingCheck, ...]]
"""Looks into a session that has ended (`corpus.verify.session_check.checked`)."""


class DomainInformation:
    """Answers consoles' side requests from the study's folder and its database (`session.hub.side_requests.StudyInformation`)."""

    def __init__(
        self, study: Study, url: str, english: English | None, closing: ClosingCheckFunction | None, clock: Clock
    ) -> None:
        self._study, self._url, self._clock = study, url, clock
        self._english, self._closing = english, closing
        self._menu: Menu | None = None
        self._lookup: ValueLookup | None = None
        self._making = threading.Lock()

    def menu(self, typed: str) -> MenuResponse:
        """Return the words that may follow `typed`; the first caller waits until everything on the menu has been tried out."""
        if (menu := self._made()) is None:
            return MenuResponse(typed, there=False)
        offer = menu.after(typed)
        return MenuResponse(typed, tuple(choice.text for choice in offer.choices), offer.complete)

    def _made(self) -> Menu | None:
        with self._making:
            if self._menu is None and self._english is not None:
                try:
                    self._menu = self._english.menu()
                except DomainError:
                    self._english = None
            return self._menu

    def names(self) -> Mapping[str, tuple[str, ...]]:
        """The columns of each table; nothing while the database cannot be read, which a query will then say."""
        sandbox = Sandbox(self._url)
        try:
            return {table.name: tuple(column.name for column in table.columns) for table in sandbox.schema().tables}
        except QueryFailure:
            return {}
        finally:
            sandbox.close()

    def values(self, typed: str) -> ValuesResponse:
        """The domain's values whose names begin as typed; none without an English front end."""
        with self._making:
            if self._lookup is None and self._english is not None:
                try:
                    self._lookup = ValueLookup(self._english.vocabulary()[1])
                except DomainError:
                    self._english = None
            return ValuesResponse(typed, self._lookup.starting(typed) if self._lookup else ())

    def solution(self, scenario: str, bindings: Mapping[str, str]) -> Table | None:
        """The rows of a scenario's solution set; None if it has none, or one that cannot be read."""
        known = self._study.scenarios.get(scenario)
        if known is None or known.solution is None or known.unbound(bindings):
            return None
        sandbox = Sandbox(self._url)
        try:
            rows = sandbox.run(solution_query(known, bindings))
            return Decoding.if_any(self._study.domain_folder).worded(rows, sandbox.run)
        except QueryFailure:
            return None
        finally:
            sandbox.close()

    def closing(self, session: str) -> tuple[ClosingCheck, ...]:
        """Return the closing checks of a session with their problems."""
        return self._closing(self._study, session) if self._closing else NoStudyInformation().closing(session)

    def completion_code(self, session: str) -> str:
        """Return the completion code of a session's subject, where the study gives them; raises StoreUnavailable."""
        if not self._study.settings.lobby.completion_codes:
            return ""
        with contextlib.closing(Store(self._study.store_url, COMPLETION_VERSIONS)) as store:
            return completion_code(store, session, stamp(self._clock))

    def certified(self) -> tuple[str, ...] | None:
        """Return the wizards who are certified at this moment; None if drills were made by a later release, or edited. Raises
        StoreUnavailable."""
        try:
            with contextlib.closing(Store(self._study.store_url, DRILL_VERSIONS)) as store:
                return certified_wizards(drills_of(store))
        except (NewerEvent, DamagedEvent):
            return None


class StudyHub:
    """A study whose hub is listening."""

    def __init__(
        self,
        study: Study,
        hosted: RunningHub,
        tokens: Tokens,
        databases: Mapping[str, BuiltDatabase],
        clock: Clock,
    ) -> None:
        """`databases` are those of the domains in which sessions are held, by the domain's name."""
        self.study = study
        self.hosted = hosted
        self.tokens = tokens
        self.databases = databases
        self.overview: Overview | None = None
        self.lobby: Lobby | None = None
        self.returning: AbsenceWatch | None = None
        self.clock = clock

    async def open_session(
        self,
        *,
        speaker: Speaker | None = None,
        operator: str = "",
        rehearsal: bool = False,
        pace: float = 1.0,
        under: str = "",
    ) -> SessionActor:
        """Open the study's next session, a rehearsal also `under` a condition of its own; while other hubs and consoles of the
        study open theirs it waits for its turn.

        Raises names.Exhausted, ValueError (see `session.collection.open_session`), or StoreUnavailable.
        """
        day = datetime.datetime.fromtimestamp(self.clock.wall_ns() / 1e9, datetime.UTC).astimezone().date()

        people = await asyncio.to_thread(people_of, self.hosted.store)
        freezes = await asyncio.to_thread(freezes_of, self.hosted.store)
        drills = await asyncio.to_thread(drills_of, self.hosted.store) if self.study.settings.training else []

        versions = {name: database.version for name, database in self.databases.items()}

        def plan(usage: Usage) -> tuple[str, SessionOpened]:
            planned = plan_session(
                self.study, usage, versions[self.study.settings.domain], day, versions=versions,
                speaker=speaker, operator=operator, rehearsal=rehearsal, pace=pace, people=people, freezes=freezes,
                certified=certified_wizards(drills), under=under,
            )  # fmt: skip
            return planned.name, planned.opened

        await asyncio.to_thread(keep_protocol, self.study)
        patience = self.clock.monotonic_ns() + OPENING_PATIENCE_S * SECOND
        while True:
            try:
                return await self.hosted.hub.open_next(plan)
            except StoreBusy:
                if self.clock.monotonic_ns() > patience:
                    raise

    async def serve_overview(self) -> Overview:
        """Make the experimenter's page at this hub."""
        running, (place, token) = self.hosted, self.tokens.overview
        board = await asyncio.to_thread(SharedBoard, running.store)
        self.overview = Overview(self.study, running.hub, running.store, place, token, self.clock, board)
        return self.overview

    async def serve_lobby(self, door: Doorkeeper, host: str) -> Lobby:
        """Make this hub's part of the study's lobby, `door` before it, and the rule for who does not come back; `host` is this
        machine's name as others know it."""

        async def opened(speaker: Speaker) -> SessionActor:
            session = await self.open_session(speaker=speaker)
            door.tell(f"Session {session.name} was opened for speaker {speaker.id}, who waits in the lobby.")
            for role in (Role.WIZARD, Role.EXPERIMENTER):
                door.tell(f"  {role:<13}{self.address(session.name, role, host)}")
            return session

        queue = await asyncio.to_thread(LobbyQueue, self.hosted.store, self.hosted.store.holder)
        self.lobby = Lobby(self.study, self.hosted.hub, self.tokens, door, queue, opened, self.clock)
        self.returning = AbsenceWatch(self.study, self.hosted.hub, door.tell, self.clock)
        return self.lobby

    async def watch_renewals(self) -> None:
        """Send away every desk whose token is renewed while it is attached, until cancelled; a store out of reach only
        delays that."""
        access = TokenIssuer(self.hosted.store)
        last = 0
        while True:
            with contextlib.suppress(StoreUnavailable):
                last, renewed = await self.hosted.hub.threads.entering(access.renewed, last)
                for name, role in renewed:
                    if (session := self.hosted.hub.sessions.get(name)) is not None:
                        session.dismiss(Role(role), "the token of this desk was renewed")
            await self.clock.sleep(RENEWALS_EVERY_S)

    def overview_address(self, host: str = "") -> str:
        """The address of the experimenter's page; empty if the hub serves no pages."""
        if self.overview is None:
            return ""
        return self.hosted.address("", "", host).beside(self.overview.path)

    def lobby_address(self, host: str = "") -> str:
        """The address of the lobby; empty if the hub has none."""
        return self.hosted.address("", "", host).beside("/join") if self.lobby is not None else ""

    def address(self, session: str, role: Role, host: str = "") -> Address:
        """Return the address at which a desk of this role connects."""
        return self.hosted.address(session, self.tokens.of(role, session), host)


@asynccontextmanager
async def running_study_hub(
    study: Study,
    clock: Clock,
    listening: ListenAddress,
    closing: ClosingCheckFunction | None = None,
    machines: MachinesFactory | None = None,
    pages: PageServer | None = None,
    participants: str | None = None,
    tell: Callable[[str], None] = LOG.info,
) -> AsyncIterator[StudyHub]:
    """The hub of a study, listening until the block ends; `closing` is what tells whether a session is done, `machines` makes
    what operates the stages that the profile gives to machines, `pages` is a page for subjects, beside
    which the experimenter's stands, and where `participants` is not None, as the file of a recruiting service's ids or as
    empty, the lobby; `tell` is its way to the experimenter.

    Raises what `study_database`, `hosted` and `machines` raise.
    """
    domains = {name: study.in_domain(name) for name in study.held_domains}
    databases, at_work = dict[str, BuiltDatabase](), dict[str, SessionMachines]()
    for name, there in domains.items():
        databases[name] = await asyncio.to_thread(study_database, there)  # seconds, when it is built
        if machines is not None:
            at_work[name] = await asyncio.to_thread(machines, there, clock, databases[name].url)
    keys = load_tokens(study.folder)
    engine = proposal_endpoint(study, os.environ)
    own, *others = (
        _hub_domain(there, databases[name], engine, closing, clock, at_work.get(name))
        for name, there in domains.items()
    )
    archive = await asyncio.to_thread(lasting_archive, study.settings.recordings)
    site = Site(pages) if pages is not None else None

    def admit(store: Store) -> Admit:
        return keys.with_store(store).role

    async with running_hub(
        study.folder, study.store_url, own.database, admit, clock, listening, own.beside, site, own.voice, archive,
        dict(zip(study.held_domains[1:], others, strict=True)),
    ) as running:  # fmt: skip
        hub = StudyHub(study, running, keys.with_store(running.store), databases, clock)
        if site is not None:
            site.beside = (await hub.serve_overview(),)
            if participants is not None:
                door = Doorkeeper(study, participants, hub.tokens.sealed, tell, clock)
                site.beside = (*site.beside, await hub.serve_lobby(door, reachable_host(listening.host)))
        async with _attended(hub, at_work):
            yield hub


def _hub_domain(
    study: Study,
    database: BuiltDatabase,
    engine: Endpoint | None,
    closing: ClosingCheckFunction | None,
    clock: Clock,
    machines: SessionMachines | None,
) -> HubDomain:
    """Return the query backend for sessions of the domain in which `study` is seen."""
    today, folder = study.settings.today, study.domain_folder
    english = english_of(folder, database.url, today)
    make = backends(folder, database.url, database.version, today, engine=engine, english=english)
    beside = DomainInformation(study, database.url, english, closing, clock)
    return HubDomain(make, beside, machines.voice if machines is not None else None)


@asynccontextmanager
async def _attended(hub: StudyHub, machines: Mapping[str, SessionMachines]) -> AsyncIterator[None]:
    """Have the machines, by their domain, at work in every session of the hub, and watch for renewed tokens, until the block
    ends."""
    store = hub.hosted.store
    lines = LineKeeper(hub.hosted.hub, line_keeper(hub.study, store), hub.clock, lines_lacking(store))
    quota = QuotaWatch(hub.study, hub.hosted.hub, store, hub.hosted.recordings, hub.clock)
    working = [work.run for work in (hub.overview, hub.lobby, hub.returning, lines, quota) if work is not None]
    every = (hub.watch_renewals, lines.catch_up, *working)
    tasks = [asyncio.create_task(steadily(work, hub.clock)) for work in every]

    def attend(session: SessionActor) -> None:
        opened, own = session.state.opened, hub.study.settings.domain
        domain = opened.protocol.domain if opened is not None else own
        tasks.append(asyncio.create_task(machines.get(domain, machines[own]).attend(hub, session)))

    if machines:
        hub.hosted.hub.attend(attend)
    try:
        yield
    finally:
        hub.hosted.hub.leave_off()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
