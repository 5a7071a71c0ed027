"""`curtain roster`: the people of a study by pseudonym: who was invited, came, finished, dropped out or withdrew."""

import datetime
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TextIO

import msgspec

from session.collection import roster
from session.collection.completion_codes import completion_codes
from session.collection.open_session import known_speaker
from session.collection.roster import Person, people_of
from session.store.event_store import UNREADABLE, SecondWriter, Store
from session.study.folder import Study, load
from session.study.settings import Questionnaire
from session.study.toml_reader import StudyError, nearest, read
from session.values import spreadsheet
from session.values.clock import Clock, stamp
from session.values.consent import allowed
from session.values.names import Exhausted
from session.values.sanitize import inert, one_line
from session.values.vocabulary import ItemKind
from study.design_command import table
from study.enrolment import Enrolment, enrolled
from study.identities import Identities, Identity, IdentityFault
from study.visits import Visits, not_to_be_contacted, visits_of

FORM = "demographics.toml"
COLUMNS = ("speaker", "kind", "status", "sessions", "appointments", "consent", "consent_given", "ask_again", "details")

CODES = ("code", "session", "speaker", "kind", "status")


class RosterOptions(msgspec.Struct, frozen=True):
    """Options of `roster_command`."""

    study: str
    invite: bool = False
    pilot: bool = False
    person: str = ""
    answers: tuple[str, ...] = ()
    appointment: str = ""
    drop: str | None = None
    as_csv: bool = False
    identities: str = ""
    key: str = ""
    name: str = ""
    contact: str = ""
    write_to: bool = False
    forget: bool = False
    codes: bool = False


def roster_command(options: RosterOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Show the roster of a study, or change it as the options say; 2 where something is at fault, and nothing was changed."""
    try:
        study = load(Path(options.study))
        if options.forget:
            return _forget(study, options, err)
        with closing(Store(study.store_url)) as store:
            people = people_of(store)
            if _changes(options):
                return _change(study, store, people, options, clock, out)
            if options.write_to:
                return _write_to(
                    _identities(study, options), not_to_be_contacted(people, visits_of(store)), options, out, err
                )
            usage = store.usage
            there = {one.speaker: one for one in enrolled(usage, _left(people))}
            visits = visits_of(store)
            rows = _rows(study, people, visits, there, clock)
            if options.codes:
                _write_codes(completion_codes(store), visits, rows, options, out)
                return 0
    except (StudyError, ValueError, Exhausted, SecondWriter, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    if options.as_csv:
        out.write(spreadsheet.table(COLUMNS, rows))
        return 0
    for kind, title in (("subject", "subjects"), ("pilot", "pilots, which never count")):
        chosen = [row for row in rows if row[1] == kind]
        if chosen or kind == "subject":
            out.write(f"{title}: {_summary(chosen)}\n{table(COLUMNS, chosen) if chosen else ''}\n")
    return 0


def _write_codes(
    codes: Mapping[str, str],
    visits: Mapping[str, Visits],
    roster_rows: list[tuple[str, ...]],
    options: RosterOptions,
    out: TextIO,
) -> None:
    """Write every completion code with its session and what the roster says of its person."""
    rows = [
        (codes[name], name, speaker, kind, status)
        for speaker, kind, status, *_ in roster_rows
        for name in visits.get(speaker, Visits()).names
        if name in codes and options.person in ("", speaker)
    ]
    out.write(spreadsheet.table(CODES, rows) if options.as_csv else table(CODES, rows))


def _changes(options: RosterOptions) -> bool:
    return bool(options.invite or options.answers or options.appointment or options.drop is not None)


def _left(people: Mapping[str, Person]) -> list[str]:
    return [person.speaker for person in people.values() if person.left]


def _change(
    study: Study, store: Store, people: Mapping[str, Person], options: RosterOptions, clock: Clock, out: TextIO
) -> int:
    identities = _identities(study, options) if options.name or options.contact else None
    speaker = options.person
    if options.invite:
        reserved = set(people)
        speaker = known_speaker(study, speaker) if speaker else study.next_speaker(
            lambda block: store.usage.free_speaker(block, reserved)
        )  # fmt: skip
        if speaker in people:
            raise ValueError(f"speaker {speaker} is on the roster already; leave out --invite to say more of her")
    elif speaker not in people:
        _check_came(store, speaker, people)
    person = people.get(speaker)
    if person is not None and person.withdrawn:
        raise ValueError(f"speaker {speaker} has withdrawn, and nothing more is written of her")
    facts: list[roster.RosterFact] = (
        [roster.PersonInvited(speaker=speaker, pilot=options.pilot)] if options.invite else []
    )
    if options.answers:
        facts.append(roster.DetailsGiven(answers=_answers(study, options.answers)))
    if options.appointment:
        facts.append(roster.AppointmentMade(when=_moment(options.appointment)))
    if options.drop is not None:
        if not one_line(options.drop):
            raise ValueError("say why the person dropped out: --drop REASON")
        facts.append(roster.PersonDroppedOut(reason=one_line(options.drop)))
    if identities is not None and options.invite:
        identities.add(Identity(speaker, one_line(options.name), one_line(options.contact)))
    with closing(Store(study.store_url, roster.VERSIONS)) as writing:
        roster.append(writing, person, speaker, stamp(clock), *facts)
    out.write(f"{speaker}\n")
    return 0


def _check_came(store: Store, speaker: str, people: Mapping[str, Person]) -> None:
    """Raise ValueError for who neither was invited nor came: of who came under the next free id more may be said, too."""
    came = visits_of(store)
    if (visit := came.get(speaker)) is None:
        known = ", ".join(sorted({*people, *came})) or "nobody"
        raise ValueError(
            f"speaker {speaker or '(none)'} is not on the roster, which has {known}; --invite adds a person"
        )
    if visit.erased:
        raise ValueError(f"speaker {speaker} has withdrawn, and nothing more is written of her")


def _answers(study: Study, given: tuple[str, ...]) -> dict[str, str]:
    """Check answers, each KEY=VALUE, against the study's form."""
    form = form_of(study)
    items = {item.id: item for item in form.item}
    found = {}
    for text in given:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or key not in items:
            raise ValueError(f"answer {text!r}: {study.folder / FORM} has no such item; {nearest(key, items)}")
        item = items[key]
        if item.kind is ItemKind.CHOICE and value not in item.choices:
            raise ValueError(f"answer {text!r}: {key} is one of {', '.join(item.choices)}")
        found[key] = one_line(value)
    return found


def form_of(study: Study) -> Questionnaire:
    """Return the study's form about its subjects; raises StudyError."""
    path = study.folder / FORM
    if not path.is_file():
        raise StudyError(
            f"{path} does not exist; write the form about subjects: a title, and an [[item]] for each question"
        )
    return read(path, Questionnaire, {"id": "demographics"})


def _moment(text: str) -> str:
    try:
        return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M").strftime("%Y-%m-%d %H:%M")  # noqa: DTZ007 (the site's own time)
    except ValueError:
        raise ValueError(f"appointment {text!r}: write YYYY-MM-DD HH:MM, the site's own time") from None


def _identities(study: Study, options: RosterOptions) -> Identities:
    if not (options.identities and options.key):
        raise IdentityFault(
            "names and contacts are in a file outside the study: name it with --identities, its key with --key"
        )
    return Identities(study.folder, Path(options.identities), Path(options.key))


def _forget(study: Study, options: RosterOptions, err: TextIO) -> int:
    if not _identities(study, options).forget(options.person):
        raise IdentityFault(
            f"{options.identities} knows no speaker {options.person or '(none)'}; name one with --person"
        )
    err.write(f"forgotten: {options.person}\n")
    return 0


def _write_to(
    identities: Identities, left_out: Mapping[str, str], options: RosterOptions, out: TextIO, err: TextIO
) -> int:
    """Write how to reach people who agree to be reached; what is printed names no session, no condition and no detail."""
    if why := left_out.get(options.person):
        raise IdentityFault(f"speaker {options.person} is not to be written to: {why}")
    known = identities.everybody()
    for one in known:
        if one.speaker not in left_out and options.person in ("", one.speaker):
            out.write(f"{inert(one.name)} <{inert(one.contact)}>\n")
    if not options.person:
        reasons = [left_out[one.speaker] for one in known if one.speaker in left_out]
        for why in dict.fromkeys(reasons):
            err.write(f"left out {reasons.count(why)} of {len(known)}: {why}\n")
    return 0


def _rows(
    study: Study,
    people: Mapping[str, Person],
    visits: Mapping[str, Visits],
    there: Mapping[str, Enrolment],
    clock: Clock,
) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for speaker in sorted({*people, *visits}):
        person, visit = people.get(speaker, Person(speaker)), visits.get(speaker, Visits())
        details = "; ".join(f"{key}={inert(value)}" for key, value in sorted(person.details.items()))
        scopes = " ".join(sorted(allowed(visit.scopes))) if visit.scopes is not None else ""
        rows.append((
            speaker, "pilot" if person.pilot or visit.pilot else "subject", _status(person, visit, there.get(speaker)),
            str(visit.sessions), ", ".join(person.appointments), scopes, _day(visit.consented),
            _ask_again(study, visit, clock), details,
        ))  # fmt: skip
    return rows


def _status(person: Person, visit: Visits, place: Enrolment | None) -> str:
    if person.withdrawn or visit.erased:
        return "withdrew"
    if person.left:
        return f"dropped out: {inert(person.left)}"
    if place.finished if place is not None else visit.ended and not visit.pilot:
        return "finished"
    return "came" if visit.sessions else "invited"


def _ask_again(study: Study, visit: Visits, clock: Clock) -> str:
    """Say from when the person has to be asked again, and why."""
    if visit.scopes is None:
        return ""
    if visit.version != study.settings.consent_version:
        return f"now: agreed to version {inert(visit.version)}, it is {study.settings.consent_version}"
    months = study.settings.consent_months
    if not months:
        return ""
    due = visit.consented + months * 30 * 86_400 * 10**9
    return f"now: {months} months are over" if due <= clock.wall_ns() else f"from {_day(due)}"


def _day(wall_ns: int) -> str:
    return f"{datetime.datetime.fromtimestamp(wall_ns / 1e9, datetime.UTC):%Y-%m-%d}" if wall_ns else ""


def _summary(rows: list[tuple[str, ...]]) -> str:
    states = ("invited", "came", "finished", "dropped out", "withdrew")
    return ", ".join(f"{sum(row[2].startswith(state) for row in rows)} {state}" for state in states)
