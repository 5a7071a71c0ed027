"""The database at a URL that somebody gave: it is read, and nothing is ever made there.

SQLite makes an empty database where there is none, so that a slip in a file's name would leave one behind.
"""

from pathlib import Path

from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from domain.database.build import DatabaseError
from domain.database.load_rows import sha256_of
from session.store.types import database_problem


def reach(url: str) -> Engine:
    """Return the database at a SQLAlchemy URL, not connected to yet; raises `DatabaseError` for a URL that can lead to none,
    without its password where it has one."""
    shown = url
    try:
        named = make_url(url)
        shown = named.render_as_string()
        engine = create_engine(named)
    except (ArgumentError, ModuleNotFoundError, ValueError) as error:
        raise DatabaseError(f"{shown!r} {database_problem(error)}") from error
    file = named.database if named.get_backend_name() == "sqlite" else ""
    if file and file != ":memory:" and not file.startswith("file:") and not _is_there(file):
        raise DatabaseError(f"{shown!r}: there is no such file; give the path of one that is there")
    return engine


def fingerprint(url: str) -> str:
    """Return the SHA-256 of the rows of the database at `url`; raises DatabaseError when they cannot be read."""
    engine = reach(url)
    try:
        return sha256_of(engine)
    except SQLAlchemyError as error:
        raise DatabaseError(f"it {database_problem(error)}") from error
    finally:
        engine.dispose()


def _is_there(file: str) -> bool:
    """False too where nobody here may look, or where the name is too long for one."""
    try:
        return Path(file).exists()
    except OSError:
        return False
