"""Fixtures of this package. Stores: on SQLite always, on PostgreSQL where CURTAIN_POSTGRES_URL names a server."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa

from session.store.event_store import Store
from tests.together.pipe import Bench


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/collection.sqlite"
        return
    server = os.environ.get("CURTAIN_POSTGRES_URL")
    if not server:
        pytest.skip("CURTAIN_POSTGRES_URL names no server")
    schema = f"curtain_{uuid4().hex}"
    engine = sa.create_engine(server, isolation_level="AUTOCOMMIT", poolclass=sa.pool.NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE SCHEMA {schema}")
    own = sa.make_url(server).update_query_dict({"options": f"-csearch_path={schema}"})
    yield own.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"DROP SCHEMA {schema} CASCADE")
    engine.dispose()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    made = Store(url)
    yield made
    made.close()


@pytest.fixture
def raw(url: str, store: Store) -> Iterator[Callable[..., None]]:
    """Runs statements as any other program would, in one transaction."""
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA foreign_keys = ON"))

    def run(*statements: str) -> None:
        with engine.begin() as connection:
            for statement in statements:
                connection.exec_driver_sql(statement)

    yield run
    engine.dispose()


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    """A hub in memory to which desks can be attached."""
    bench = Bench()
    yield bench
    await bench.close()
