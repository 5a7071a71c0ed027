"""`curtain ask`: English requests tried on a database, outside a session.

Two ways: a person types a request and reads the paraphrase, the statement and what was not understood; a program sends
JSON lines and gets one JSON line for each, in order, `sql` null where there is no answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TextIO

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from domain.database.build import DatabaseError
from domain.english.engine import Engine
from domain.english.model.domain import DomainError
from domain.english.reading import Answered
from session.values.answers import OtherReading


class RequestLine(msgspec.Struct, frozen=True):
    """A line of input; `context` are earlier requests of the same dialogue, oldest first."""

    id: str | int
    question: str
    context: tuple[str, ...] = ()


class AskedLine(msgspec.Struct, frozen=True):
    """A line of output: the likeliest reading, and in `readings` all of them, the likeliest first; `withheld` are those that are
    too doubtful to be taken, each with its doubt."""

    id: str | int
    sql: str | None
    paraphrase: str | None
    confidence: float
    unused: tuple[str, ...]
    clarification: str | None = None
    readings: tuple[OtherReading, ...] = ()
    withheld: tuple[OtherReading, ...] = ()


def ask_command(
    database: str, domain: str, today: str | None, as_json: bool, stdin: TextIO, out: TextIO, err: TextIO
) -> int:
    """Reads requests from `stdin`. 0 when every request had an answer, 1 when one had none, 2 for a bad call or line."""
    try:
        day = date.fromisoformat(today) if today else None
    except ValueError:
        err.write(f"--today {today!r}: a date like 1991-06-03 is expected\n")
        return 2
    try:
        engine = Engine(Path(domain), database, day)
    except DomainError as error:
        err.write(f"{error}\n")
        return 2
    except DatabaseError as error:
        err.write(f"--database {error}\n")
        return 2
    except SQLAlchemyError as error:
        err.write(f"--database {database!r}: {str(error).splitlines()[0]}\n")
        return 2
    return _json(engine, stdin, out, err) if as_json else _talk(engine, stdin, out)


def _json(engine: Engine, stdin: TextIO, out: TextIO, err: TextIO) -> int:
    status = 0
    for number, line in enumerate(stdin, start=1):
        if not line.strip():
            continue
        try:
            request = msgspec.json.decode(line, type=RequestLine)
        except msgspec.MsgspecError as error:
            err.write(f'line {number}: {error}; {{"id": …, "question": "…"}} is expected\n')
            return 2
        reply = answer(request, engine.ask(request.question, request.context))
        status = status or int(reply.sql is None)
        out.write(msgspec.json.encode(reply).decode() + "\n")
        out.flush()
    return status


def answer(request: RequestLine, answered: Answered) -> AskedLine:
    """Return the likeliest reading as a line of output."""
    withheld = tuple(OtherReading(r.paraphrase, r.sql, r.confidence, r.doubt) for r in answered.withheld)
    if not answered.readings:
        return AskedLine(request.id, None, None, 0.0, answered.unused, answered.clarification, withheld=withheld)
    best = answered.readings[0]
    readings = tuple(OtherReading(r.paraphrase, r.sql, r.confidence) for r in answered.readings)
    return AskedLine(
        request.id, best.sql, best.paraphrase, best.confidence, best.unused, answered.clarification, readings, withheld
    )


def _talk(engine: Engine, stdin: TextIO, out: TextIO) -> int:
    """One request a line; an empty line forgets what went before."""
    status = 0
    said: list[str] = []
    for line in stdin:
        text = line.strip()
        if not text:
            said = []
            continue
        answered = engine.ask(text, said)
        out.writelines(_shown(answered))
        status = status or int(not answered.readings)
        said.append(text)
    return status


def _shown(answered: Answered) -> Iterator[str]:
    if not answered.readings:
        left = f" I do not know: {', '.join(answered.unused)}." if answered.unused else ""
        yield f"Not understood.{left}\n"
        yield from (f"   withheld, since {r.doubt}: {r.paraphrase}  [{r.confidence:.2f}]\n" for r in answered.withheld)
        yield "\n"
        return
    for number, reading in enumerate(answered.readings, start=1):
        yield f"{number}. {reading.paraphrase}  [{reading.confidence:.2f}]\n"
    best = answered.readings[0]
    if best.unused:
        yield f"   without: {', '.join(best.unused)}\n"
    if answered.clarification:
        yield f"   ask back: {answered.clarification}\n"
    yield f"{best.sql}\n\n"
