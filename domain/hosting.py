"""A study brought to life: its domain database made ready, its hub listening, its next session opened on demand."""

import datetime
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from domain.backend import English, backends, english_of
from domain.databases import Database, DatabaseError, open_database
from domain.english.menu import Offer
from domain.english.model import DomainError
from domain.loading import sha256_of
from domain.proposing import Endpoint, endpoint
from session.clock import Clock
from session.hosting import Hosted, Listening, hosted
from session.hub import Session
from session.network import Address
from session.opening import keep_protocol, opening
from session.study import Speaker
from session.studyfolder import Study
from session.tokens import Tokens, tokens
from session.vocabulary import Role


def study_database(study: Study) -> Database:
    """The study's domain database, built when it is not there yet; raises domain.databases.DatabaseError."""
    if study.database_url:
        return external(study.database_url, study.settings.domain)
    return open_database(study.domain_folder, study.database_folder)


def external(url: str, name: str) -> Database:
    """A database that somebody else keeps, its version told by the hash of its rows; raises DatabaseError."""
    try:
        engine = create_engine(url)
        try:
            sha256 = sha256_of(engine)
        finally:
            engine.dispose()
    except (SQLAlchemyError, ModuleNotFoundError) as error:
        said = str(error).splitlines()[0]
        raise DatabaseError(f"`database` in study.toml: it cannot be read: {said}") from error
    return Database(url, f"{name} {sha256[:12]}", sha256)


def proposing(study: Study, environment: Mapping[str, str]) -> Endpoint | None:
    """The outside engine that study.toml names, if it names one; raises ValueError when it cannot be asked."""
    named = study.settings.engine
    return endpoint(named.url, named.model, named.key, named.seconds, environment) if named is not None else None


class StudyHub:
    """A study whose hub is listening."""

    def __init__(
        self,
        study: Study,
        hosted: Hosted,
        tokens: Tokens,
        database: Database,
        clock: Clock,
        front: English | None = None,
    ) -> None:
        self.study = study
        self.hosted = hosted
        self.tokens = tokens
        self.database = database
        self._clock = clock
        self._front = front

    def menu(self) -> Callable[[str], Offer] | None:
        """What may follow what was typed, by the domain's menu; None where there is none, or where English cannot be read."""
        if self._front is None:
            return None
        try:
            return self._front.menu().after
        except (DomainError, SQLAlchemyError):
            return None

    @property
    def english(self) -> bool:
        """Whether requests can be asked in English."""
        return (self.study.domain_folder / "domain.toml").is_file()

    async def open_session(
        self, *, speaker: Speaker | None = None, operator: str = "", rehearsal: bool = False, pace: float = 1.0
    ) -> Session:
        """Open the study's next session; raises names.Exhausted or ValueError (see `session.opening`)."""
        day = datetime.datetime.fromtimestamp(self._clock.wall_ns() / 1e9, datetime.UTC).astimezone().date()
        keep_protocol(self.study)
        name, opened = opening(
            self.study,
            self.hosted.store,
            self.database.version,
            day,
            speaker=speaker,
            operator=operator,
            rehearsal=rehearsal,
            pace=pace,
        )
        return await self.hosted.hub.open(name, opened)

    def address(self, session: str, role: Role, host: str = "") -> Address:
        """Where a desk of this role connects."""
        return self.hosted.address(session, self.tokens.of(role), host)


@asynccontextmanager
async def study_hub(study: Study, clock: Clock, listening: Listening) -> AsyncIterator[StudyHub]:
    """The hub of a study, listening until the block ends; raises what `study_database` and `hosted` raise."""
    database = study_database(study)
    keys = tokens(study.folder)
    engine = proposing(study, os.environ)
    today, folder = study.settings.today, study.domain_folder
    english = english_of(folder, database.url, today)
    make = backends(folder, database.url, database.version, today, engine=engine, english=english)
    async with hosted(study.folder, study.store_url, make, keys.role, clock, listening) as running:
        yield StudyHub(study, running, keys, database, clock, english)
