"""Makes a domain's database where it is wanted, and says which one it is.

A domain folder holds either a finished `.sqlite` file or a `generator.py` that tells the shapes of its tables and fills them
from a seed. What is built is named by its content: the SHA-256 of its rows in canonical order, twelve digits of which are in
the version that every answer carries (TI distributed its database in numbered releases: BBN 1989, section 6). Built files
appear whole or not at all, and are never written again.
"""

import hashlib
import importlib
import importlib.util
import os
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType

import msgspec
import sqlalchemy as sa

import scenarios
from domain.database.table_shape import Rows, Shape

_PAGE = 4096


class DatabaseError(Exception):
    """A domain folder or a built database that cannot be used; the text names the file and the remedy."""


class BuiltDatabase(msgspec.Struct, frozen=True):
    """A database ready for use: its SQLAlchemy URL, its version as answers carry it, the SHA-256 of its rows."""

    url: str
    version: str
    sha256: str


class _Seal(msgspec.Struct, frozen=True):
    """The record beside a built file: its version, the hash of its rows, and the hash of the file itself."""

    version: str
    rows_sha256: str
    file_sha256: str


def open_database(folder: Path, cache: Path) -> BuiltDatabase:
    """Return the database of a domain folder; generated into `cache` when it is not there yet.

    Raises `DatabaseError` when the folder has no database, when a built file is not what it was when built, and when
    the generator's rows are not those that it promises.
    """
    ready = sorted(folder.glob("*.sqlite"))
    if len(ready) > 1:
        names = ", ".join(path.name for path in ready)
        raise DatabaseError(f"{folder}: there are several databases ({names}); leave one.")
    if ready:
        sha256 = sha256_of_file(ready[0])
        return BuiltDatabase(_url(ready[0]), f"{ready[0].stem} {sha256[:12]}", sha256)
    if not (folder / "generator.py").is_file():
        raise DatabaseError(f"{folder}: there is neither a .sqlite file nor a generator.py; put one of them there")
    return _built(load_generator(folder), cache)


def shipped_database(name: str, cache: Path) -> Path:
    """Return the SQLite file of a shipped domain, built into `cache` when it is not there yet; raises `DatabaseError`."""
    root = Path(scenarios.__file__).parent
    known = sorted(path.parent.name for path in root.glob("*/domain.toml"))
    if name not in known:
        named = f"the domain {name} does not ship with Curtain" if name else "the logs name no domain"
        raise DatabaseError(f"{named}; {' and '.join(known)} ship")
    return Path(str(sa.make_url(open_database(root / name, cache).url).database))


def load_generator(folder: Path) -> ModuleType:
    """Return the module `generator` of a domain folder, which may import its neighbours as `from .places import …`.

    A shipped folder is imported as the package that it is; any other under a name of its own. Running a study's
    generator is running its author's code.
    """
    for root in map(Path, sys.path):
        inside = folder.resolve().is_relative_to(root.resolve())
        parts = folder.resolve().relative_to(root.resolve()).parts if inside else ()
        if parts and (root / parts[0] / "__init__.py").exists() and all(part.isidentifier() for part in parts):
            return importlib.import_module(".".join((*parts, "generator")))
    return _load_foreign(folder.resolve())


def _load_foreign(folder: Path) -> ModuleType:
    package = f"_domain_{hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]}"
    if package not in sys.modules:
        holder = ModuleType(package)
        holder.__path__ = [str(folder)]
        sys.modules[package] = holder
    try:
        return importlib.import_module(f"{package}.generator")
    except (ImportError, SyntaxError) as error:
        raise DatabaseError(f"{folder / 'generator.py'}: it cannot be loaded: {error}") from error


def _built(generator: ModuleType, cache: Path) -> BuiltDatabase:
    if missing := [name for name in ("NAME", "VERSION", "SEED", "SHAPES", "generate") if not hasattr(generator, name)]:
        raise DatabaseError(f"{generator.__file__}: it has no {missing[0]}, and a generator has one.")
    promised: str | None = getattr(generator, "ROWS_SHA256", None)
    label = f"{generator.NAME} {generator.VERSION}"
    name = f"{label.replace(' ', '-')}{f'-{promised[:12]}' if promised else ''}.sqlite"
    path = cache / name
    if path.exists():
        seal = _read_seal(path)
        return BuiltDatabase(_url(path), seal.version, seal.rows_sha256)
    rows: Rows = generator.generate(generator.SEED)
    sha256 = sha256_of_rows(generator.SHAPES, rows)
    if promised and sha256 != promised:
        raise DatabaseError(
            f"{generator.__file__}: the rows generated have SHA-256 {sha256[:12]}…, not {promised[:12]}… as promised;"
            f" a changed generator needs a new VERSION and ROWS_SHA256."
        )
    write_sqlite(path, generator.SHAPES, rows, version=f"{label} {sha256[:12]}", sha256=sha256)
    return BuiltDatabase(_url(path), f"{label} {sha256[:12]}", sha256)


def write_sqlite(path: Path, shapes: Sequence[Shape], rows: Rows, *, version: str, sha256: str) -> None:
    """Writes a database and the seal beside it; both appear under their names only when they are whole. Raises `DatabaseError`
    where the disk does not take them."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    sealing = seal_path(path).with_name(f"{path.name}.seal.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        with closing(sqlite3.connect(partial, isolation_level=None)) as connection:
            _fill(connection, shapes, rows)
        seal = _Seal(version, sha256, sha256_of_file(partial))
        sealing.write_bytes(msgspec.json.encode(seal))
        sealing.replace(seal_path(path))
        partial.replace(path)
    except (OSError, sqlite3.OperationalError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise DatabaseError(
            f"{path}: it cannot be built there ({why}); free some space, or mend the folder's permissions, and start again."
        ) from error
    finally:
        for draft in (partial, sealing):
            draft.unlink(missing_ok=True)


def _fill(connection: sqlite3.Connection, shapes: Sequence[Shape], rows: Rows) -> None:
    connection.execute(f"PRAGMA page_size = {_PAGE}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    for shape in shapes:
        connection.execute(_create(shape))
        marks = ", ".join("?" * len(shape.fields))
        connection.executemany(f'INSERT INTO "{shape.name}" VALUES ({marks})', rows[shape.name])
        for number, index in enumerate(shape.indexes, start=1):
            columns = ", ".join(f'"{column}"' for column in index)
            connection.execute(f'CREATE INDEX "{shape.name}_{number}" ON "{shape.name}" ({columns})')
    connection.execute("COMMIT")
    connection.execute("ANALYZE")


def _create(shape: Shape) -> str:
    """Texts compare without case, so that a wizard need not type capitals."""
    columns = [f'"{field.name}" {"INTEGER" if field.integer else "TEXT COLLATE NOCASE"}' for field in shape.fields]
    if shape.key:
        columns.append(f"PRIMARY KEY ({', '.join(shape.key)})")
    rowless = " WITHOUT ROWID" if len(shape.key) > 1 else ""
    return f'CREATE TABLE "{shape.name}" ({", ".join(columns)}){rowless}'


def sha256_of_rows(shapes: Iterable[Shape], rows: Rows) -> str:
    """Return the SHA-256 of all rows: tables by name, each with its columns, rows sorted, every row a line of JSON."""
    total = hashlib.sha256()
    for shape in sorted(shapes, key=lambda table_shape: table_shape.name):
        heading = [shape.name, *(field.name for field in shape.fields)]
        total.update(msgspec.json.encode(heading) + b"\n")
        total.update(b"\n".join(sorted(msgspec.json.encode(row) for row in rows[shape.name])) + b"\n")
    return total.hexdigest()


def sha256_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _url(path: Path) -> str:
    return f"sqlite:///{path}"


def seal_path(path: Path) -> Path:
    """Return the path of the file beside a built database that shows whether the database was changed."""
    return path.with_name(f"{path.name}.seal")


def _read_seal(path: Path) -> _Seal:
    try:
        seal = msgspec.json.decode(seal_path(path).read_bytes(), type=_Seal)
    except (OSError, msgspec.MsgspecError) as error:
        raise DatabaseError(
            f"{path}: its seal is missing or unreadable; delete {path.name} and start again."
        ) from error
    if sha256_of_file(path) != seal.file_sha256:
        raise DatabaseError(f"{path}: it was changed after it was built; delete it, and it is rebuilt.")
    return seal
