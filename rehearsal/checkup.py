"""What would go wrong before it does: one check per thing that a session needs, each with what was found and a remedy."""

import os
import re
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

from corpus.formats.errors import counted
from domain.database.build import DatabaseError
from domain.database.solution_set import MEANINGFUL, solution_query
from domain.query_backend import Backend
from domain.sandbox.sandbox import Sandbox
from server.study_hub import study_database
from session.collection.open_session import session_names
from session.store.event_store import UNREADABLE, Store, StoreUnavailable
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values.answers import QueryFailure
from session.values.vocabulary import RecordingControl

HOUR_OF_SOUND = 16_000 * 2 * 3600
LEAST_HOURS = 10
SLOW_SYNC_S = 0.05
EARLIEST_YEAR = 2025
UNFINISHED = re.compile(r"\[[A-Z][^\]]{10,}\]")


class Level(StrEnum):
    """How bad it is."""

    FINE = "fine"
    WARNING = "warning"
    FAULT = "fault"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at; `remedy` is what to do when it is not fine."""

    what: str
    level: Level
    found: str
    remedy: str = ""


def machine() -> Iterator[Finding]:
    """Python, terminal and clock."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    yield Finding(
        "python", Level.FINE if sys.version_info >= (3, 11) else Level.FAULT, version, "install 3.11 or newer"
    )
    yield _terminal()
    year = time.gmtime().tm_year
    resolution = time.get_clock_info("monotonic").resolution
    fine = year >= EARLIEST_YEAR and resolution <= 0.001
    yield Finding(
        "clock",
        Level.FINE if fine else Level.FAULT,
        f"the year is {year}, the monotonic clock ticks every {resolution * 1e9:.0f} ns",
        "set the clock; a session's name and stamps are taken from it",
    )


def _terminal() -> Finding:
    if not sys.stdout.isatty():
        return Finding("terminal", Level.WARNING, "this is no terminal", "run it where the desk is going to stand")
    size = shutil.get_terminal_size()
    if size.columns < 80 or size.lines < 24:
        return Finding("terminal", Level.FAULT, f"{size.columns} × {size.lines}", "make the window 80 × 24 or larger")
    if "utf" not in (sys.stdout.encoding or "").lower():
        return Finding("terminal", Level.WARNING, f"encoding {sys.stdout.encoding}", "set LANG to a UTF-8 locale")
    return Finding("terminal", Level.FINE, f"{size.columns} × {size.lines}, {sys.stdout.encoding}")


def disk(folder: Path) -> Iterator[Finding]:
    """Room for sound, and how long a write takes to be safe."""
    hours = shutil.disk_usage(folder).free / HOUR_OF_SOUND
    level = Level.FINE if hours >= LEAST_HOURS else Level.FAULT if hours < 1 else Level.WARNING
    yield Finding("disk", level, f"room for {hours:,.0f} hours of sound", "free some space")
    try:
        took = _sync_time(folder)
    except OSError as error:
        yield Finding("disk", Level.FAULT, f"{folder} cannot be written: {error.strerror}", "look at its permissions")
        return
    yield Finding(
        "disk",
        Level.FINE if took < SLOW_SYNC_S else Level.WARNING,
        f"a write is safe after {took * 1000:.1f} ms",
        "keep the study on a local disk: every event waits for this",
    )


def _sync_time(folder: Path) -> float:
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(5):
            began = time.perf_counter()
            file.write(bytes(640))
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def study(folder: Path) -> Iterator[Finding]:
    """The study folder, its store and its domain database."""
    try:
        found = load(folder)
    except StudyError as error:
        yield Finding("study", Level.FAULT, str(error), "mend the file")
        return
    yield Finding("study", Level.FINE, f"{len(found.scenarios)} scenarios, profile {found.profile.name}")
    if UNFINISHED.search(found.consent_text):
        remedy = "put name, address and telephone number of the person responsible into consent.txt"
        yield Finding("consent", Level.WARNING, "the consent text still has a place to be filled in", remedy)
    if _pre_roll_untold(found):
        remedy = "put {pre_roll_ms} into consent.txt: what is said before the press is recorded too"
        told = f"the consent text does not name the {found.profile.pre_roll_ms} ms that are kept from before a press"
        yield Finding("consent", Level.WARNING, told, remedy)
    yield from _store(found)
    yield from _database(found)


def _pre_roll_untold(found: Study) -> bool:
    profile = found.profile
    keeps = profile.consent and profile.pre_roll_ms > 0 and profile.recording is not RecordingControl.TYPED
    return keeps and str(profile.pre_roll_ms) not in found.consent_text


def _store(found: Study) -> Iterator[Finding]:
    try:
        store = Store(found.store_url)
    except StoreUnavailable as error:
        yield Finding("store", Level.FAULT, str(error), "mend `store` in study.toml")
        return
    try:
        names = session_names(store)
        problems = [problem for name in names for problem in store.verify(name)]
        unconfirmed = sum(_unconfirmed(store, found, name) for name in names)
    except UNREADABLE as error:
        yield Finding("store", Level.FAULT, str(error), "do not collect into it; restore a copy or ask for help")
        return
    finally:
        store.close()
    yield Finding(
        "store",
        Level.FAULT if problems else Level.FINE,
        problems[0] if problems else f"{counted(len(names), 'session')}, every chain intact",
        "do not collect into it; restore a copy",
    )
    if unconfirmed:
        yield Finding(
            "recordings",
            Level.WARNING,
            f"{unconfirmed} channels of earlier sessions have not reached this machine",
            "start the subject's desk of that session once more: it still has them",
        )


def _unconfirmed(store: Store, found: Study, name: str) -> int:
    """Channels that the hub has begun to receive and not sealed."""
    folder = found.recordings / name
    return len(list(folder.glob("*.part"))) if folder.is_dir() else 0


def _database(found: Study) -> Iterator[Finding]:
    began = time.perf_counter()
    try:
        database = study_database(found)
        backend = Backend(database.url, database.version, None)
        try:
            objections = backend.sandbox.findings()
            tables = backend.sandbox.schema().tables
            unsolved = list(_solutions(found, backend.sandbox))
        finally:
            backend.sandbox.close()
    except (DatabaseError, QueryFailure, ValueError) as error:
        yield Finding("database", Level.FAULT, str(error), "mend `database` in study.toml, or the domain's folder")
        return
    took = time.perf_counter() - began
    yield Finding("database", Level.FINE, f"{database.version}, {len(tables)} tables, ready in {took:.1f} s")
    for objection in objections:
        yield Finding("database", Level.WARNING, objection, "see docs/how-to/prepare-a-domain.md")
    yield from unsolved


def _solutions(found: Study, sandbox: Sandbox) -> Iterator[Finding]:
    """The solution sets that no subject could be judged by; those with a city to be bound are known in the session only."""
    for scenario in found.scenarios.values():
        if scenario.solution is None or scenario.unbound({}):
            continue
        try:
            rows = len(sandbox.run(solution_query(scenario, {})).rows)
        except QueryFailure as failure:
            told = f"the solution query of {scenario.id} fails: {failure}"
        else:
            if 0 < rows <= MEANINGFUL:
                continue
            told = f"the solution set of {scenario.id} has {counted(rows, 'row')}"
        if scenario.solution.explanation:
            told += f" (meant: {scenario.solution.explanation})"
        yield Finding(
            "scenarios",
            Level.WARNING,
            told,
            f"mend [solution] in the file of {scenario.id}; see docs/how-to/prepare-a-domain.md",
        )


def network() -> Finding:
    """Whether a hub can listen on this machine at all."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            return Finding("network", Level.FINE, f"loopback answers (port {server.getsockname()[1]} was free)")
    except OSError as error:
        return Finding(
            "network", Level.FAULT, f"no port can be opened: {error.strerror}", "look at firewall and limits"
        )
