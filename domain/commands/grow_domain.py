"""`curtain domain grow`: proposes lines for a study's domain from requests that its wizards reworded or wrote in SQL, each
tested on its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TextIO

import msgspec
from sqlalchemy.exc import SQLAlchemyError

import scenarios
from domain.check.kept_requests import KEPT, read_kept
from domain.database.build import DatabaseError, open_database
from domain.english.engine import Engine
from domain.english.model.domain import DomainError, load_domain
from domain.growth.domain_text import UnwrittenLine, with_line
from domain.growth.logged_requests import LoggedRequest, RequestOrigin, kept_as_logged, not_grown_from, requests_of
from domain.growth.proposals import Growth, Proposal
from domain.growth.remembered import remembered
from domain.sandbox.sandbox import Limits, Sandbox
from session.collection.left_out import LeftOut, left_out_line
from session.collection.open_session import session_names
from session.events import Recorded, SessionOpened
from session.store.event_store import UNREADABLE, Store
from session.study.folder import Study, load
from session.study.toml_reader import StudyError, nearest
from session.values.answers import QueryFailure
from session.values.sanitize import inert

_LIMITS = Limits(rows=50_000, bytes=100_000_000, seconds=20.0)


_LISTED = 10
"""Requests that are listed of those that no proposed line answers."""


class GrowthError(Exception):
    """A call that cannot be followed; the message names the remedy."""


def grow_command(
    folder: str, accepted: Sequence[int], out: TextIO, err: TextIO, domain: str = "", remember: bool = False
) -> int:
    """Print numbered proposals for a domain of a study, its own where none is named, or write those `accepted` into its
    `domain.toml`, or `remember` in its `requests.jsonl` what was sent; 0, or 2 for a fault, where nothing is written."""
    try:
        study = load(Path(folder))
        if domain not in {"", *study.domains}:
            raise GrowthError(f"--domain: {folder} has no domain {domain!r}; {nearest(domain, study.domains)}")
        study = study.in_domain(domain)
        if accepted or remember:
            _check_own(study)
        log, left = _log(study)
        if remember:
            _remember(study, log, out)
        if remember and not accepted:
            return 0
        url = study.database_url or open_database(study.domain_folder, study.database_folder).url
        engine = Engine(study.domain_folder, url, date.fromisoformat(study.settings.today))
        with closing(Sandbox(url, _LIMITS)) as sandbox:
            growth = Growth(load_domain(study.domain_folder), engine, log, sandbox.run)
            found = growth.proposals()
            if accepted:
                _accept(study, growth, found, accepted, out)
            else:
                call = f"{folder} --domain {domain}" if domain else folder
                out.writelines(f"{inert(line)}\n" for line in _told(call, log, growth, found))
                out.writelines(f"{line}\n" for line in [left_out_line(left)] if line)
    except SQLAlchemyError as error:
        err.write(f"{folder}: {str(error).splitlines()[0]}\n")
    except (StudyError, DomainError, DatabaseError, GrowthError, UnwrittenLine, QueryFailure, *UNREADABLE) as error:
        err.write(f"{inert(str(error))}\n")
    except OSError as error:
        err.write(f"{error.filename or folder}: {error.strerror}; nothing was written\n")
    else:
        return 0
    return 2


def _check_own(study: Study) -> None:
    """Raise GrowthError if the domain is not the study's own: a link to one that ships with the program."""
    folder, shipped = study.domain_folder.resolve(), Path(scenarios.__file__).parent.resolve()
    if folder.is_relative_to(shipped):
        raise GrowthError(
            f"{study.domain_folder} is {folder.name} of the program, which all studies share; put a copy of that folder there"
        )


def _log(study: Study) -> tuple[list[LoggedRequest], list[LeftOut | None]]:
    """Return what was requested in the domain, and of each session in it why it was left out."""
    with closing(Store(study.store_url)) as store:
        sessions = [facts for name in session_names(store) if _spoken_of(study, facts := store.read(name))]
    log = [request for facts in sessions for request in requests_of(facts)]
    return [*log, *kept_as_logged(read_kept(study.domain_folder / KEPT))], [not_grown_from(facts) for facts in sessions]


def _spoken_of(study: Study, facts: Sequence[Recorded]) -> bool:
    """Return whether a session was held in the domain in which the study is seen, and in no other one of it."""
    opened = (recorded.event.protocol.domain for recorded in facts if isinstance(recorded.event, SessionOpened))
    return next(opened, "") not in {*study.domains} - {study.settings.domain}


def _told(folder: str, log: Sequence[LoggedRequest], growth: Growth, found: Sequence[Proposal]) -> Iterator[str]:
    for number, proposal in enumerate(found, start=1):
        yield f"{number}. {proposal.line}"
        for request in proposal.speaking:
            yield f"   for      {request.name} “{request.said}”, sent {_how(request)}"
        for changed in proposal.changed:
            after = f"“{changed.after}”" if changed.after else "not understood"
            before = f"“{changed.before}”" if changed.before else "not understood"
            yield f"   changes  {changed.request.name} “{changed.request.said}”: now {before}, then {after}"
        yield ""
    left = {request.name for request in growth.unanswered}
    spoken = {request.name for proposal in found for request in proposal.speaking}
    without = [one for one in growth.unanswered if not (one.kept or one.settled or one.name in spoken)]
    if without:
        yield "no line would answer as it was sent"
        yield from (f"   {request.name} “{request.said}”, sent {_how(request)}" for request in without[:_LISTED])
        yield from (f"   and {more} more" for more in [len(without) - _LISTED] if more > 0)
        yield ""
    yield (
        f"{len(log)} requests with an answer: {len(log) - len(left)} come out as they were sent, {len(left & spoken)} would by a "
        f"line above, {len(left - spoken)} by none"
    )
    if found:
        yield f"to write one into domain.toml: curtain domain grow {folder} --accept N"


def _how(request: LoggedRequest) -> str:
    return f"as “{request.asked}”" if request.origin is RequestOrigin.REWORDED else str(request.origin)


def _accept(study: Study, growth: Growth, found: Sequence[Proposal], accepted: Sequence[int], out: TextIO) -> None:
    file = study.domain_folder / "domain.toml"
    if wrong := [number for number in accepted if not 0 < number <= len(found)]:
        there = f"there are {len(found)}" if found else "there are none"
        raise GrowthError(
            f"--accept {wrong[0]}: no such proposal: {there}; curtain domain grow {study.folder} lists them"
        )
    chosen = [found[number - 1] for number in dict.fromkeys(accepted)]
    if len(chosen) > 1 and not growth.holds(chosen):
        raise GrowthError("these lines do not go together: accept one, and list the proposals again")
    text = file.read_text(encoding="utf-8")
    for proposal in chosen:
        text = with_line(text, proposal.line, _origin(proposal))
    _written(file, text)
    load_domain(study.domain_folder)
    out.writelines(f"{file}: {inert(str(proposal.line))}\n" for proposal in chosen)


def _remember(study: Study, log: Sequence[LoggedRequest], out: TextIO) -> None:
    """Write down what was sent for requests that were not read as they were said."""
    file, found = study.domain_folder / KEPT, remembered(log)
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    lines = [msgspec.json.encode(line).decode() for line in found.lines]
    text = "".join(f"{line}\n" for line in [*text.splitlines(), *lines])
    if lines:
        _written(file, text)
    out.writelines(f"{file}: “{inert(line.question)}” [{line.id}]\n" for line in found.lines)
    out.write(f"{file}: {len(lines)} requests more are remembered\n")
    if found.doubtful:
        out.write(f"answered in two ways, and left out: {', '.join(found.doubtful)}\n")


def _written(file: Path, text: str) -> None:
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.write_text(text, encoding="utf-8", newline="")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _origin(proposal: Proposal) -> str:
    return f"“{proposal.line.phrase}” by `curtain domain grow` from {', '.join(one.name for one in proposal.speaking)}"
