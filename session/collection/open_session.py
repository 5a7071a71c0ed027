"""Opens a session of a study: its name, its speaker, the subject-scenario number at which it begins, its protocol kept.

All of it follows from the store, so that a speaker who comes again goes on counting and no id is given twice.
"""

import datetime
import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import msgspec

from session import events as e
from session.collection.freeze import Freeze, objection, statement
from session.collection.roster import Person
from session.collection.unconfirmed_sound import unconfirmed_bytes
from session.rules.scenario_start import refused_without_certificate
from session.rules.stage_holding import leads
from session.store.event_store import Store
from session.store.folds import Usage
from session.store.types import StoreUnavailable
from session.study.assignment import Assignment, assign, condition_at, next_slot
from session.study.design import Design
from session.study.folder import Study
from session.study.rehearsed_condition import matching, rehearsed_assignment
from session.study.settings import Speaker
from session.values.names import SessionName, check_speaker

GIGABYTE = 1_000_000_000


def session_names(store: Store) -> list[str]:
    """The names of all sessions in the store, the oldest first."""
    names = [SessionName.parse(info.stream) for info in store.streams() if "/" not in info.stream]
    return [str(name) for name in sorted(names, key=lambda name: (name.date, name.number, name.site))]


def known_speaker(study: Study, speaker: str) -> str:
    """`speaker` itself if it is in the site's blocks; raises ValueError."""
    check_speaker(speaker)
    if not any(speaker in block for block in study.settings.speakers):
        shown = ", ".join(f"{block.first} to {block.last}" for block in study.settings.speakers)
        raise ValueError(f"speaker {speaker} is not of this site, whose ids are {shown}")
    return speaker


class SessionPlan(msgspec.Struct, frozen=True):
    """The name and first fact of the next session."""

    name: str
    opened: e.SessionOpened


def plan_session(
    study: Study,
    usage: Usage,
    database_version: str,
    day: datetime.date,
    *,
    speaker: Speaker | None = None,
    operator: str = "",
    rehearsal: bool = False,
    pace: float = 1.0,
    pilot: bool | None = None,
    people: Mapping[str, Person] | None = None,
    freezes: Sequence[Freeze] = (),
    certified: tuple[str, ...] = (),
    versions: Mapping[str, str] = MappingProxyType({}),
    under: str = "",
) -> SessionPlan:
    """Plan the next session from what has been used so far; a speaker without an id gets the site's next one.

    `people` are those on the roster: their ids are theirs, and what the design gave to who dropped out is given again.
    `certified` are the wizards who are; `versions` those of the databases of the study's domains, where it has several. A
    rehearsal is held `under` the condition of that name, or under what the next subject would have. What it plans is no other
    person's where it is called in the transaction that opens the session (`Store.open_session`). Raises names.Exhausted when
    the site has no id left, ValueError for an id not of the site or a session above its limit.
    """
    _check_quota(study, usage)
    scenarios, common = usage.scenarios()
    known = people or {}
    name = _name_of(study, usage, speaker, known)
    person = known.get(name, Person(name))
    who = person.described(msgspec.structs.replace(speaker or Speaker(id=""), id=name))
    piloting = person.pilot or (study.settings.pilot if pilot is None else pilot)
    counts = not (piloting or rehearsal)
    must_certify = counts and _wants_certificates(study)
    if counts and (why := objection(study, list(freezes)) or (must_certify and _uncertain(operator, certified))):
        raise ValueError(why)
    left = [other.speaker for other in known.values() if other.left]
    given = rehearsed_assignment(study, under) if under else assigned(study, usage, who, production=counts, left=left)
    condition = condition_at(given, study.settings.factor) if given else _condition(study, usage, name, under)
    if given is not None:
        _check_levels(study, given, condition, name)
    opened = e.SessionOpened(
        site=study.site,
        speaker=who,
        protocol=study.protocol(versions.get(study.domain_of(condition), database_version), condition),
        operator=operator,
        condition=condition,
        pilot=piloting,
        rehearsal=rehearsal,
        pace=pace,
        first_scenario=1 + usage.last_number(name),
        scenarios_before=scenarios,
        common_before=common,
        assignment=given,
        frozen=statement(list(freezes)) if counts else "",
        certified=certified if study.settings.training is not None else None,
        must_certify=must_certify,
    )
    last = usage.last_session(study.site, f"{day:%Y%m%d}")
    return SessionPlan(study.next_session(last, day), opened)


def _name_of(study: Study, usage: Usage, speaker: Speaker | None, known: Mapping[str, Person]) -> str:
    if speaker is None or not speaker.id:
        return study.next_speaker(lambda block: usage.free_speaker(block, known))
    name = known_speaker(study, speaker.id)
    if usage.withdrew(name) or (name in known and known[name].withdrawn):
        raise ValueError(f"speaker {name} has withdrawn, and nothing more is kept of her; open it for another speaker")
    return name


def _uncertain(operator: str, certified: Collection[str]) -> str:
    """Return why a session is not opened for this wizard; anyone who has not said a name yet is asked at the first scenario."""
    lacking = refused_without_certificate(operator, certified) if operator else None
    return lacking.reason if lacking is not None else ""


def _wants_certificates(study: Study) -> bool:
    mark = study.settings.training
    return mark is not None and mark.required and not leads(study.profile)


def _condition(study: Study, usage: Usage, name: str, under: str) -> str:
    if under:
        return matching(study.settings.conditions, under)
    return usage.condition(name) or study.next_condition(usage.conditions())


def assigned(
    study: Study, usage: Usage, who: Speaker, *, production: bool, left: Collection[str] = ()
) -> Assignment | None:
    """Return what the study's design gives to `who` at the next visit: what it gave before, or the next slot that nobody holds.

    Raises ValueError if the design needs to know more of the speaker, or has no further visit for her.
    """
    design, factors, seed = study.settings.planned, study.settings.factor, study.settings.seed
    if design is None:
        return None
    held = usage.assignments()
    if production and who.id in left:
        raise ValueError(
            f"speaker {who.id} has dropped out, and her slot is given again; open a session for another speaker"
        )
    if production and who.id in held:
        found, done = held[who.id], usage.visits(who.id)
        if done >= len(found.visits) > 1:
            raise ValueError(
                f"speaker {who.id} has had all {done} visits of the design; open the session for another speaker"
            )
        return msgspec.structs.replace(found, visit=min(done, len(found.visits) - 1))
    stratum = _stratum(design, study.site, who, production=production)
    taken = {a.slot for speaker, a in held.items() if a.stratum == stratum and speaker not in left}
    slot = next_slot(taken)
    found = assign(design, factors, seed, slot, stratum)
    return found if production else msgspec.structs.replace(found, slot=0)


def _check_levels(study: Study, assignment: Assignment, condition: str, speaker: str) -> None:
    """Raise ValueError if the study no longer has the levels that a scenario of the visit is to be held under."""
    known, given = study.scenario_profiles.get(condition, {}), assignment.now.conditions
    if strange := [name for name in given if name not in known]:
        found = f"scenarios under {strange[0]}, which `factor` in study.toml no longer makes"
    elif known and not given:
        found = "no levels for her scenarios, and a `factor` in study.toml changes at scenarios now"
    else:
        return
    raise ValueError(
        f"speaker {speaker} was assigned {found}; put the factors back as they were, or open it for another speaker"
    )


def _stratum(design: Design, site: str, who: Speaker, *, production: bool) -> str:
    known = {"site": site, "sex": who.sex}
    for name in design.stratify:
        if not known[name] and production:
            raise ValueError(f"the design is stratified by {name}; say it when the session is opened: --about {name}=f")
    return " ".join(known[name] or "-" for name in design.stratify)


def _check_quota(study: Study, usage: Usage) -> None:
    most = study.settings.sessions_at_once
    if most and (there := usage.going_on()) >= most:
        raise ValueError(
            f"{there} sessions of this study have not ended, and `sessions_at_once` in study.toml allows {most}: end one, or "
            "raise it"
        )
    if full := fullness(study, usage):
        kept, allowed = full
        if kept >= allowed:
            raise ValueError(
                f"the recordings of this study hold {kept / GIGABYTE:.3g} GB, and `recordings_at_most_gb` in study.toml allows "
                f"{allowed / GIGABYTE:.3g}: raise it, or collect no more"
            )


def fullness(study: Study, usage: Usage) -> tuple[int, int] | None:
    """Return the bytes of sound that are kept of a study, and how many it allows; None if it sets no limit.

    Sound is counted too that has come and was never confirmed, or lies aside.
    """
    most = study.settings.recordings_at_most_gb
    if not most:
        return None
    return usage.sound() + unconfirmed_bytes(study.recordings, usage.unended()), int(most * GIGABYTE)


def keep_protocol(study: Study) -> None:
    """Keep the protocol's files by their hashes beside the recordings: a session's protocol outlives the study's changes.

    Raises StoreUnavailable where they cannot be kept, and ValueError where one was changed since the study was read.
    """
    folder = protocols_folder(study.folder)
    try:
        folder.mkdir(exist_ok=True)
        for name, sha256 in study.files.items():
            if not (folder / sha256).exists():
                _keep(study.folder / name, folder / sha256)
    except OSError as error:
        why = f"{error.filename or folder}: {error.strerror}; free some space, or put the file back"
        raise StoreUnavailable(f"The protocol cannot be kept ({why}). No session was opened.") from error


def _keep(path: Path, kept: Path) -> None:
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != kept.name:
        raise ValueError(f"{path} was changed since the hub began; close the hub and begin it again")
    part = kept.with_name(f"{kept.name}.{secrets.token_hex(4)}.part")
    try:
        part.write_bytes(data)
        part.rename(kept)
    finally:
        part.unlink(missing_ok=True)


def protocols_folder(folder: Path) -> Path:
    """Return the folder in which a study keeps the files of the protocols of its sessions."""
    return folder / "protocols"
