"""`curtain domain check`: faults of a domain folder with line and remedy, or one request explained step by step."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from typing import TextIO

from sqlalchemy import Engine as Database
from sqlalchemy import MetaData
from sqlalchemy.exc import SQLAlchemyError

from domain.check.database_fit import find_gaps, find_idle_values, find_misfits
from domain.check.entry_links import find_loose_ends
from domain.check.explanation import RequestExplanation
from domain.check.finding import DomainFinding, shown_key
from domain.check.kept_requests import KEPT, find_broken, read_kept
from domain.check.word_collisions import find_collisions
from domain.database.build import DatabaseError, open_database
from domain.database.connect import reach
from domain.english.engine import Engine
from domain.english.model.domain import DomainError, DomainModel, load_domain
from domain.english.model.reflection import read_tables
from domain.sandbox.sandbox import Limits, Sandbox
from session.study.toml_reader import line_of
from session.values.vocabulary import Severity


def check_command(directory: str, requests: Sequence[str], database: str, today: str, out: TextIO, err: TextIO) -> int:
    """Print findings, or explain the last of `requests`, those before it being its context. 0 without an error, 1 with one or
    for a request without a reading, 2 where domain or database cannot be read."""
    folder = Path(directory)
    try:
        day = date.fromisoformat(today) if today else None
    except ValueError:
        err.write(f"--today {today!r}: a date like 1991-06-03 is expected\n")
        return 2
    with ExitStack() as stack:
        try:
            model = load_domain(folder)
            text = (folder / "domain.toml").read_text(encoding="utf-8")
            url = database or _own_url(folder, stack)
            reached = reach(url)
            stack.callback(reached.dispose)
            if requests:
                explanation = RequestExplanation(Engine(folder, reached, day), text, requests)
                out.writelines(f"{line}\n" for line in explanation.tell())
                return int(not explanation.answered.readings)
            return _listed(folder, model, text, reached, url, out)
        except DatabaseError as error:
            hint = "" if database else "; --database gives the URL of another"
            err.write(f"{error}{hint}\n")
        except DomainError as error:
            err.write(f"{error}\n")
        except SQLAlchemyError as error:
            err.write(f"{database or folder}: {str(error).splitlines()[0]}\n")
    return 2


def _own_url(folder: Path, stack: ExitStack) -> str:
    """Build the folder's database in a temporary folder that `stack` removes; return its URL."""
    cache = stack.enter_context(tempfile.TemporaryDirectory(prefix="curtain-domain-"))
    return open_database(folder, Path(cache)).url


def _listed(folder: Path, model: DomainModel, text: str, database: Database, url: str, out: TextIO) -> int:
    file = folder / "domain.toml"
    schema = read_tables(database)
    found = sorted(_found(folder, model, schema, database), key=lambda finding: line_of(text, finding.key))
    for severity in Severity:
        for finding in (finding for finding in found if finding.severity is severity):
            place = f"{file}:{line_of(text, finding.key) or 1}: {severity}: {shown_key(finding.key)}"
            out.write(f"{place}: {finding.text}; {finding.remedy}\n")
    broken = _examples(folder, database, url, out, any(finding.severity is Severity.ERROR for finding in found))
    counts = Counter(finding.severity for finding in found)
    told = (
        ", ".join(f"{counts[w]} {w}{'' if counts[w] == 1 else 's'}" for w in Severity if counts[w]) or "nothing found"
    )
    out.write(
        f"{file}: {len(model.entity)} entities, {len(model.attribute)} attributes, {len(model.kind)} kinds: {told}\n"
    )
    return int(bool(counts[Severity.ERROR] or broken))


def _found(folder: Path, model: DomainModel, schema: MetaData, database: Database) -> Iterator[DomainFinding]:
    """Findings of the model and its fit; those that need the engine only where nothing stops it."""
    ends, misfits = list(find_loose_ends(model)), list(find_misfits(model, schema))
    yield from (*ends, *misfits)
    if misfits:
        return
    engine = Engine(folder, database)
    yield from find_gaps(engine.model, schema)
    yield from find_collisions(model, engine.names)
    with database.connect() as link:
        yield from find_idle_values(engine.model, schema, engine.names, link)


def _examples(folder: Path, database: Database, url: str, out: TextIO, stopped: bool) -> int:
    """Print the kept requests that are answered otherwise now; how many there are."""
    kept = read_kept(folder / KEPT)
    if not kept:
        return 0
    if stopped:
        out.write(f"{folder / KEPT}: {len(kept)} stored requests were not checked: first correct the errors\n")
        return 0
    try:
        sandbox = Sandbox(url, Limits(rows=200_000, bytes=400_000_000, seconds=60.0))
    except ValueError as error:
        out.write(f"{folder / KEPT}: {len(kept)} kept requests were not asked: {error}\n")
        return 0
    with closing(sandbox):
        unlike = dict(find_broken(Engine(folder, database), kept, sandbox.run))
    by_memory = {number for number, request in kept if request.by_memory and number in unlike}
    for number, what in unlike.items():
        if number not in by_memory:
            out.write(f"{folder / KEPT}:{number}: error: {what}; explain it: curtain domain check {folder} REQUEST\n")
    alone = f"; the memory alone answers {len(by_memory)}, as `domain grow --remember` meant" if by_memory else ""
    out.write(f"{folder / KEPT}: {len(kept) - len(unlike)} of {len(kept)} kept requests hold{alone}\n")
    return len(unlike) - len(by_memory)
