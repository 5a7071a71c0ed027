"""`curtain invite`: one-time invitations to a study's visits, made, listed and revoked."""

import datetime
from contextlib import closing
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

import msgspec

from session.collection.invitations import (
    UNKNOWN,
    VERSIONS,
    Invitation,
    InvitationMade,
    InvitationRevoked,
    append,
    invitation,
    invitations_of,
    name_of,
    new_code,
)
from session.collection.open_session import known_speaker
from session.collection.roster import Person, people_of
from session.store.event_store import UNREADABLE, SecondWriter, Store
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values.clock import SECOND, Clock, stamp
from study.visits import NO_CONTACT, not_to_be_contacted, visits_of

MOST = 10_000
COLUMNS = f"{'invitation':<26}{'status':<10}{'until':<18}{'speaker':<9}{'session':<24}refused"


class InviteOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of `invite_command`."""

    study: str
    until: str = ""
    count: int = 1
    person: str = ""
    at: str = ""
    revoke: str = ""


def invite_command(options: InviteOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Make invitations good until a day, revoke one, or list them; 2 where something is at fault, and nothing was changed."""
    try:
        study = load(Path(options.study))
        with closing(Store(study.store_url, VERSIONS)) as store:
            if options.revoke:
                _revoke(store, options.revoke, clock)
            elif options.until:
                out.writelines(f"{address}\n" for address in _made(study, store, options, clock))
                if not options.at:
                    err.write(
                        "Put the hub's own address before each, or say it with --at: the hub prints it as the lobby's.\n"
                    )
            elif options.person or options.at or options.count != 1:
                raise ValueError("an invitation has an end: say --until YYYY-MM-DD")
            else:
                _list(store, clock, out)
    except (StudyError, ValueError, SecondWriter, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    return 0


def _made(study: Study, store: Store, options: InviteOptions, clock: Clock) -> list[str]:
    until = _end_of(options.until)
    if until <= clock.wall_ns():
        raise ValueError(f"--until {options.until} is over; name a day to come")
    if not 1 <= options.count <= MOST:
        raise ValueError(f"--count is between 1 and {MOST}, not {options.count}")
    if options.person and options.count != 1:
        raise ValueError("an invitation of one person is one; leave out --count, or --person")
    speaker = known_speaker(study, options.person) if options.person else ""
    if speaker and (why := _objection(study, speaker)):
        raise ValueError(f"speaker {speaker} is not to be invited: {why}")
    base = _base(options.at)
    codes = [new_code() for _ in range(options.count)]
    for code in codes:
        append(store, Invitation(name_of(code)), stamp(clock), InvitationMade(until=until, speaker=speaker))
    return [f"{base}/join#{code}" for code in codes]


def _objection(study: Study, speaker: str) -> str:
    """Return why a person is not to be invited; anyone who does not want to be contacted is where she has agreed to a visit
    to come."""
    with closing(Store(study.store_url)) as store:
        people, visits = people_of(store), visits_of(store)
    why = not_to_be_contacted(people, visits).get(speaker, "")
    if why == NO_CONTACT:
        agreed = datetime.datetime.fromtimestamp(visits[speaker].consented // SECOND).astimezone()
        if any(when >= f"{agreed:%Y-%m-%d}" for when in people.get(speaker, Person(speaker)).appointments):
            return ""
        return f"{why}; if she agreed to another visit, enter it: curtain roster --person {speaker} --appointment"
    return why


def _base(address: str) -> str:
    parts = urlsplit(address)
    if address and (parts.scheme not in ("http", "https") or not parts.netloc or parts.path.strip("/")):
        raise ValueError(f"--at {address}: the hub's own address is meant, such as https://lab.example.org:8765")
    return address.rstrip("/")


def _end_of(day: str) -> int:
    """The last moment of a day, here."""
    try:
        first = datetime.datetime.strptime(day, "%Y-%m-%d").astimezone()
    except ValueError:
        raise ValueError(f"--until {day!r}: write YYYY-MM-DD, the last day on which it is good") from None
    return round((first + datetime.timedelta(days=1)).timestamp() * SECOND) - 1


def _revoke(store: Store, named: str, clock: Clock) -> None:
    """Void an invitation, named by its id or by its address."""
    found = invitation(store, named)
    if not found.made:
        found = invitation(store, name_of(named.rpartition("#")[2]))
    if not found.made:
        raise ValueError(f"there is no invitation {named}; without options they are listed")
    if not found.revoked:
        append(store, found, stamp(clock), InvitationRevoked())


def _list(store: Store, clock: Clock, out: TextIO) -> None:
    now, lines = clock.wall_ns(), [COLUMNS]
    for one in invitations_of(store):
        day = f"{datetime.datetime.fromtimestamp(one.until // SECOND).astimezone():%Y-%m-%d}" if one.until else ""
        refused = " ".join(f"{why}×{one.refused.count(why)}" for why in sorted(set(one.refused)))
        status = "" if one.name == UNKNOWN else one.status(now)
        lines.append(f"{one.name:<26}{status:<10}{day:<18}{one.speaker:<9}{one.session:<24}{refused}".rstrip())
    out.writelines(f"{line}\n" for line in lines)
