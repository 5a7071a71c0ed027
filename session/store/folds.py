"""The folds that a store keeps in its database: written in the transaction that appends the facts, asked when a session is
opened, compared with the facts by `findings`.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
import sqlalchemy as sa

from session import events as e
from session.store import database
from session.store.database import access, kept, leases, sessions, taken
from session.store.hash_chain import StoredEvent, stored_event
from session.store.session_folds import FOLDED, TYPES, SessionFold, folded
from session.store.types import Kept
from session.study.assignment import Assignment
from session.values.names import DEVICES, SessionName, SpeakerBlock, base36, from_base36
from session.values.vocabulary import Role

TOKEN_BYTES = 32
AT_ONCE = 500
Rows = Callable[[sa.Select[Any]], Sequence[Sequence[Any]]]


def follow(connection: sa.Connection, stream: str, facts: Iterable[e.Fact]) -> None:
    """Take `facts`, which are being appended to `stream`, into the fold that is kept of it."""
    news = [fact for fact in facts if isinstance(fact, FOLDED)]
    if not news or "/" in stream:
        return
    here = sessions.c.stream == stream
    row = connection.execute(sa.select(sessions.c.fold, sessions.c.draws).where(here)).first()
    if row is None:
        _insert(connection, stream, folded(news))
        return
    fold = folded(news, msgspec.json.decode(row[0], type=SessionFold))
    connection.execute(sessions.update().where(here).values(_columns(stream, fold, draws=row[1])))


def begin(connection: sa.Connection, stream: str, fact: e.Fact, holder: str) -> None:
    """Take in the first fact of a session, and give every role its token there and the hub `holder`, if any, its lease."""
    follow(connection, stream, [fact])
    if holder:
        connection.execute(leases.insert().values(session=stream, hub=holder, wanted=""))
    rows = [{"session": stream, "role": role.value, "token": new_token(), "serial": 0} for role in Role]
    connection.execute(access.insert(), rows)


def new_token() -> str:
    """Return a random token."""
    return secrets.token_hex(TOKEN_BYTES)


def replace_all(connection: sa.Connection, folds: Mapping[str, SessionFold]) -> None:
    """Put `folds`, which were made of the facts, in the place of all that are kept."""
    connection.execute(sessions.delete())
    connection.execute(taken.delete())
    for stream in sorted(folds, key=_place_in_time):
        _insert(connection, stream, folds[stream])


def withdraw(connection: sa.Connection, streams: Iterable[str], fact: e.SpeakerWithdrawn) -> None:
    """Leave nothing of `streams` but what the folds keep of a speaker who withdraws."""
    named = list(streams)
    for stream in named:
        follow(connection, stream, [fact])
    connection.execute(kept.delete().where(kept.c.stream.in_(named)))


def keep(connection: sa.Connection, kind: str, values: Mapping[str, Kept]) -> None:
    """Put `values`, by stream, in the place of what is kept under the name `kind`."""
    connection.execute(kept.delete().where(kept.c.kind == kind, kept.c.stream.in_(list(values))))
    rows = [{"stream": name, "kind": kind, "head": value.head, "value": value.value} for name, value in values.items()]
    if rows:
        connection.execute(kept.insert(), rows)


def made(connection: sa.Connection, decode: Callable[[StoredEvent], e.Recorded]) -> dict[str, SessionFold]:
    """The folds of all sessions, made of their facts."""
    kind = database.type_in_envelope(connection.dialect.name)
    wanted = database.events.c.stream.not_like("%/%") & kind.in_(TYPES)
    rows = connection.execute(database.joined(wanted), execution_options={"yield_per": AT_ONCE})
    found = (decode(stored_event(row)) for row in rows)
    return {stream: folded(fact.event for fact in facts) for stream, facts in groupby(found, key=attrgetter("session"))}


def findings(rows: Rows, folds: Mapping[str, SessionFold]) -> list[str]:
    """Return where the kept folds are not those that the facts give, in sentences."""
    names = sessions.columns.keys()
    found = {row[0]: dict(zip(names, row, strict=True)) for row in rows(sa.select(sessions))}
    drawing = [folds[name].speaker for name, row in found.items() if row["draws"] and name in folds]
    wrong = [f"{name}: a fold is kept of a session that is not there" for name in sorted({*found} - {*folds})]
    for name, fold in sorted(folds.items()):
        if name not in found:
            wrong.append(f"{name}: no fold is kept of this session")
            continue
        kept_fold = msgspec.json.decode(found[name]["fold"], type=SessionFold)
        row = {**found[name], "fold": msgspec.json.encode(kept_fold)}  # an earlier release's lacks later fields
        undrawn = (
            fold.production and drawing.count(fold.speaker) != 1
        )  # the first visit draws, however visits are named
        if undrawn or row != {"stream": name, **_columns(name, fold, draws=row["draws"])}:
            wrong.append(f"{name}: the stored fold differs from its facts")
    held = {place for first, last in rows(sa.select(taken)) for place in range(first, last + 1)}
    if held != {place for fold in folds.values() if (place := _number(fold.speaker)) is not None}:
        wrong.append("the speakers' ids that are kept as taken are not those that the facts give")
    return wrong


class Usage:
    """Names and numbers that a study's sessions have used; asked in the transaction that opens a session, true until it ends."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def last_session(self, site: str, day: str) -> list[str]:
        """The name of the last session of `site` on `day` (YYYYMMDD), if there is one."""
        of_day = (sessions.c.site == site) & (sessions.c.day == day)
        ((number,),) = self._rows(sa.select(sa.func.max(sessions.c.number)).where(of_day))
        return [str(SessionName(site, day, number))] if number else []

    def free_speaker(self, block: SpeakerBlock, reserved: Collection[str] = ()) -> str:
        """The lowest id of `block` that no session has used, and is not `reserved`; raises names.Exhausted."""
        number, end = from_base36(block.first), from_base36(block.last)
        not_free = {*reserved, *DEVICES}
        stretches = sa.select(taken.c.first, taken.c.last).where(taken.c.last >= number, taken.c.first <= end)
        for first, last in self._rows(stretches.order_by(taken.c.first)):
            while number < first:
                if (speaker := base36(number, 3)) not in not_free:
                    return speaker
                number += 1
            number = last + 1
        return block.next_after(not_free, number)

    def last_number(self, speaker: str) -> int:
        """The number of the last subject-scenario of `speaker`, 0 before the first."""
        query = sa.select(sa.func.max(sessions.c.last_number)).where(sessions.c.speaker == speaker)
        return self._rows(query)[0][0] or 0

    def condition(self, speaker: str) -> str:
        """The condition that `speaker` was given at the first visit of production; empty before it."""
        found = self._rows(sa.select(sessions.c.condition).where(sessions.c.speaker == speaker, sessions.c.draws))
        return str(found[0][0]) if found else ""

    def conditions(self) -> dict[str, int]:
        """The number of speakers who were given each condition."""
        query = sa.select(sessions.c.condition, sa.func.count()).where(sessions.c.draws)
        return {row[0]: row[1] for row in self._rows(query.group_by(sessions.c.condition))}

    def assignments(self) -> dict[str, Assignment]:
        """The assignment of each speaker who was enrolled and has not withdrawn."""
        rows = self._rows(sa.select(sessions.c.speaker, sessions.c.fold).where(sessions.c.draws))
        folds = ((speaker, msgspec.json.decode(fold, type=SessionFold).assignment) for speaker, fold in rows)
        return {speaker: assignment for speaker, assignment in folds if assignment is not None}

    def withdrew(self, speaker: str) -> bool:
        """Return whether a session of `speaker` was erased."""
        rows = self._rows(sa.select(sessions.c.fold).where(sessions.c.speaker == speaker))
        return any(msgspec.json.decode(fold, type=SessionFold).erased for (fold,) in rows)

    def visits(self, speaker: str) -> int:
        """The number of visits of production in which `speaker` held scenarios that count."""
        wanted = (sessions.c.speaker == speaker) & (sessions.c.scenarios > 0)
        return int(self._rows(sa.select(sa.func.count()).select_from(sessions).where(wanted))[0][0])

    def held(self) -> dict[str, tuple[int, int]]:
        """Of every speaker who held scenarios of production that count: in how many visits, and how many."""
        query = sa.select(sessions.c.speaker, sa.func.count(), sa.func.sum(sessions.c.scenarios))
        rows = self._rows(query.where(sessions.c.scenarios > 0).group_by(sessions.c.speaker))
        return {speaker: (visits, int(scenarios)) for speaker, visits, scenarios in rows}

    def scenarios(self) -> tuple[int, int]:
        """The number of scenarios of production that count, and of those among them that were the common one."""
        query = sa.select(sa.func.sum(sessions.c.scenarios), sa.func.sum(sessions.c.common))
        total, common = self._rows(query.where(sessions.c.scenarios > 0))[0]
        return total or 0, common or 0

    def unended(self) -> list[str]:
        """The names of the sessions that have not ended, the oldest first."""
        rows = self._rows(sa.select(sessions.c.stream).where(sessions.c.unended))
        return sorted((name for (name,) in rows), key=_place_in_time)

    def sound(self) -> int:
        """The bytes of sound that are kept of all sessions."""
        return int(self._rows(sa.select(sa.func.sum(sessions.c.sound)))[0][0] or 0)

    def going_on(self) -> int:
        """The number of sessions that have not ended."""
        query = sa.select(sa.func.count()).select_from(sessions).where(sessions.c.unended)
        return int(self._rows(query)[0][0])


def _insert(connection: sa.Connection, stream: str, fold: SessionFold) -> None:
    earlier = sa.select(sessions.c.stream).where(sessions.c.speaker == fold.speaker, sessions.c.draws).limit(1)
    draws = fold.production and connection.execute(earlier).first() is None
    columns = _columns(stream, fold, draws=draws)
    connection.execute(sessions.insert().values({"stream": stream, **columns}))
    if isinstance(place := columns["place"], int):
        _take(connection, place)


def _take(connection: sa.Connection, place: int) -> None:
    """Have the id of number `place` among those that are taken: alone, or at the end of a stretch, or between two."""
    database.alone(connection, "curtain_taken")
    before = sa.select(taken).where(taken.c.first <= place).order_by(taken.c.first.desc()).limit(1)
    below = connection.execute(before).first()
    if below is not None and below.last >= place:
        return
    above = connection.execute(sa.select(taken.c.last).where(taken.c.first == place + 1)).scalar()
    last = place if above is None else above
    connection.execute(taken.delete().where(taken.c.first == place + 1))
    if below is not None and below.last == place - 1:
        connection.execute(taken.update().where(taken.c.first == below.first).values(last=last))
    else:
        connection.execute(taken.insert().values(first=place, last=last))


def _columns(stream: str, fold: SessionFold, *, draws: bool) -> dict[str, object]:
    scenarios, common = fold.counted
    site, day, number = _place_in_time(stream)[1]
    return {
        "site": site,
        "day": day,
        "number": number,
        "speaker": fold.speaker,
        "place": _number(fold.speaker),
        "draws": draws and fold.production,
        "condition": fold.condition,
        "last_number": fold.last_number,
        "scenarios": scenarios,
        "common": common,
        "unended": not (fold.ended or fold.erased),
        "sound": fold.sound,
        "fold": msgspec.json.encode(fold),
    }


def _number(speaker: str) -> int | None:
    try:
        return from_base36(speaker)
    except ValueError:
        return None


def _place_in_time(stream: str) -> tuple[tuple[str, int], tuple[str, str, int]]:
    try:
        name = SessionName.parse(stream)
    except ValueError:
        return (stream, 0), (stream, "", 0)
    return (name.date, name.number), (name.site, name.date, name.number)
