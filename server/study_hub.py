"""A study brought to life: its domain database made ready, its hub listening, its next session opened on demand."""

import asyncio
import contextlib
import datetime
import functools
import os
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from domain.database.build import Database, DatabaseError, open_database
from domain.database.connect import fingerprint
from domain.english.menu import Menu
from domain.english.model.domain import DomainError
from domain.llm_proposal import Endpoint, endpoint
from domain.query_backend import English, backends, english_of
from domain.sandbox.sandbox import Sandbox
from session.collection.open_session import SessionPlan, keep_protocol, plan_session
from session.hub.server import RunningHub, running_hub
from session.hub.session_actor import SessionActor
from session.hub.side_requests import NoStudyInformation
from session.hub.tokens import Tokens, load_tokens
from session.protocol.side_messages import ClosingCheck, MenuResponse
from session.store.types import SecondWriter
from session.study.folder import Study
from session.study.settings import Speaker
from session.transport.listen_address import ListenAddress
from session.transport.websocket import Address
from session.values.answers import QueryFailure
from session.values.clock import Clock
from session.values.vocabulary import Role

OPENING_ATTEMPTS = 5


def study_database(study: Study) -> Database:
    """The study's domain database, built when it is not there yet; raises domain.database.build.DatabaseError."""
    if study.database_url:
        return external_database(study.database_url, study.settings.domain)
    return open_database(study.domain_folder, study.database_folder)


def external_database(url: str, name: str) -> Database:
    """Return a database that somebody else keeps, its version the hash of its rows; raises DatabaseError."""
    try:
        sha256 = fingerprint(url)
    except DatabaseError as error:
        raise DatabaseError(f"`database` in study.toml: {error}") from error
    return Database(url, f"{name} {sha256[:12]}", sha256)


def proposal_endpoint(study: Study, environment: Mapping[str, str]) -> Endpoint | None:
    """The outside engine that study.toml names, if it names one; raises ValueError when it cannot be asked."""
    named = study.settings.engine
    return endpoint(named.url, named.model, named.key, named.seconds, environment) if named is not None else None


ClosingCheckFunction = Callable[[Study, str], tuple[ClosingCheck, ...]]
"""Looks into a session that has ended (`corpus.verify.session_check.checked`)."""


class DomainInformation:
    """Answers consoles' side requests from the study's folder and its database (`session.hub.side_requests.StudyInformation`)."""

    def __init__(self, study: Study, url: str, english: English | None, closing: ClosingCheckFunction | None) -> None:
        self._study, self._url = study, url
        self._english, self._closing = english, closing
        self._menu: Menu | None = None
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

    def closing(self, session: str) -> tuple[ClosingCheck, ...]:
        """Return the closing checks of a session with their problems."""
        return self._closing(self._study, session) if self._closing else NoStudyInformation().closing(session)


class StudyHub:
    """A study whose hub is listening."""

    def __init__(
        self,
        study: Study,
        hosted: RunningHub,
        tokens: Tokens,
        database: Database,
        clock: Clock,
    ) -> None:
        self.study = study
        self.hosted = hosted
        self.tokens = tokens
        self.database = database
        self._clock = clock
        self._opening = asyncio.Lock()

    async def open_session(
        self, *, speaker: Speaker | None = None, operator: str = "", rehearsal: bool = False, pace: float = 1.0
    ) -> SessionActor:
        """Open the study's next session, planned anew while other hubs of the study open theirs.

        Raises names.Exhausted, ValueError (see `session.collection.open_session`), or SecondWriter when others are always first.
        """
        day = datetime.datetime.fromtimestamp(self._clock.wall_ns() / 1e9, datetime.UTC).astimezone().date()
        plan = functools.partial(
            plan_session,
            self.study,
            self.hosted.store,
            self.database.version,
            day,
            speaker=speaker,
            operator=operator,
            rehearsal=rehearsal,
            pace=pace,
        )
        async with self._opening:  # the next name follows from the names that there are
            await asyncio.to_thread(keep_protocol, self.study)
            for _ in range(1, OPENING_ATTEMPTS):
                with contextlib.suppress(SecondWriter):
                    return await self._open(await asyncio.to_thread(plan))
            return await self._open(await asyncio.to_thread(plan))

    async def _open(self, plan: SessionPlan) -> SessionActor:
        return await self.hosted.hub.open(plan.name, plan.opened, plan.sessions_before)

    def address(self, session: str, role: Role, host: str = "") -> Address:
        """Return the address at which a desk of this role connects."""
        return self.hosted.address(session, self.tokens.of(role, session), host)


@asynccontextmanager
async def running_study_hub(
    study: Study, clock: Clock, listening: ListenAddress, closing: ClosingCheckFunction | None = None
) -> AsyncIterator[StudyHub]:
    """The hub of a study, listening until the block ends; `closing` is what tells whether a session is done.

    Raises what `study_database` and `hosted` raise.
    """
    database = await asyncio.to_thread(study_database, study)  # seconds, when it is built
    keys = load_tokens(study.folder)
    engine = proposal_endpoint(study, os.environ)
    today, folder = study.settings.today, study.domain_folder
    english = english_of(folder, database.url, today)
    make = backends(folder, database.url, database.version, today, engine=engine, english=english)
    beside = DomainInformation(study, database.url, english, closing)
    async with running_hub(study.folder, study.store_url, make, keys.role, clock, listening, beside) as running:
        yield StudyHub(study, running, keys, database, clock)
