"""A session's facts as its logs, one a subject-scenario: the fold that replaces every hand-kept log.

Every fact that is not a mere clock bookkeeping is in exactly one log. What belongs to an utterance is in its block, even when
it came later; what belongs to no utterance is in the log of the scenario during which it happened, before the first in the
first, between two in the later, after the last in the last. Practice has no log.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from corpus.formats.log import log_schema
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.timeline import Timeline
from corpus.formats.log.wording import pairs, record_of
from session import events as e
from session.rules.visit_steps import deceived
from session.state.fold import ScenarioRun, SessionState, Take, fold
from session.state.scenario_runs import profiles_in_force
from session.state.stage_operators import stage_operators
from session.study.settings import Profile, Protocol
from session.values.names import StemName, base36
from session.values.vocabulary import Operator, Role

PLANNED = "planned: "
"""Stands before a method of collection that was not followed: people did what it gives to machines; `Mode` says who did what."""


class ScenarioLog(msgspec.Struct, frozen=True):
    """A log and the name of its file, of which utterance number and microphone do not yet count."""

    stem: StemName
    log: Log


def logs_of(recorded: Sequence[e.Recorded]) -> list[ScenarioLog]:
    """The logs of one session's facts, in the order of the scenarios.

    Raises ValueError when the session was never opened, or its opening was erased with its speaker's data.
    """
    state = fold(recorded)
    if state.opened is None:
        raise ValueError("the session has no SessionOpened: it was erased or never begun")
    owners = _owners(recorded, state)
    profiles = {record.seq: profile for record, profile in zip(recorded, profiles_in_force(recorded), strict=True)}
    logs: list[ScenarioLog] = []
    for index, run in enumerate(state.runs):
        if run.number is not None:
            own = [record for record, owner in zip(recorded, owners, strict=True) if owner == index]
            blocks = _blocks(own, state, Timeline(recorded), profiles)
            opened = _opened_for(state, index) or state.opened
            stem = StemName(opened.speaker.id, run.number, 0, "s" if opened.protocol.profile.show_answers else "v")
            logs.append(ScenarioLog(stem, Log(_header(opened, state, run, recorded, own), blocks)))
    return logs


def take_of(event: e.Fact, state: SessionState) -> str:
    """The take that a fact is about, by its own word or by that of its attempt or reply; empty if there is none."""
    if take := getattr(event, "take", ""):
        return str(take)
    if isinstance(event, e.ReplyPlanned):
        return event.reply.take
    if (attempt := getattr(event, "attempt", "")) in state.attempts:
        return state.attempts[attempt].take
    reply = getattr(event, "reply", "")
    return state.replies[reply].take if isinstance(reply, str) and reply in state.replies else ""


def _owners(recorded: Sequence[e.Recorded], state: SessionState) -> list[int | None]:
    """For each fact the index of the scenario whose log it is in."""
    numbered = [index for index, run in enumerate(state.runs) if run.number is not None]
    owners: list[int | None] = []
    begun, running = -1, False
    for record in recorded:
        if isinstance(record.event, e.ScenarioStarted):
            begun, running = begun + 1, True
        take = state.takes.get(take_of(record.event, state))
        if isinstance(record.event, e.ScenarioInvalidated):
            owners.append(record.event.run if record.event.run in numbered else None)
        elif take is not None and take.run is not None:
            owners.append(take.run if take.run in numbered else None)
        elif running:
            owners.append(begun if begun in numbered else None)
        else:
            later = [index for index in numbered if index > begun]
            owners.append(later[0] if later else numbered[-1] if numbered else None)
        if isinstance(record.event, e.ScenarioEnded):
            running = False
    return owners


def _opened_for(state: SessionState, run: int) -> e.SessionOpened | None:
    """The opening with the profile and the condition that a scenario was held under."""
    opened, profile = state.as_opened, state.profile_at(run)
    if opened is None or profile is None:
        return opened
    protocol = msgspec.structs.replace(opened.protocol, profile=profile)
    return msgspec.structs.replace(opened, protocol=protocol, condition=state.runs[run].condition or opened.condition)


def _blocks(
    own: list[e.Recorded], state: SessionState, line: Timeline, profiles: Mapping[int, Profile | None]
) -> tuple[RecordBlock, ...]:
    found = {record.event.attempt: line.place(record.at) for record in own if isinstance(record.event, e.QueryReturned)}
    shown = frozenset(reply.reply for reply in state.replies.values() if reply.perceived)
    groups: dict[tuple[str, int], list[Record]] = {}
    stretch, previous = 0, ""
    for fact in own:
        profile = profiles[fact.seq]
        record = record_of(fact, profile, line.place, found, shown) if profile is not None else None
        if record is None:
            continue
        name = take_of(fact.event, state)
        take = name if name in state.takes else ""
        stretch += not take and bool(previous)
        previous = take
        groups.setdefault((take, 0 if take else stretch), []).append(record)
    return tuple(_block(take, records, state.takes) for (take, _), records in groups.items())


def _block(take: str, records: Iterable[Record], takes: Mapping[str, Take]) -> RecordBlock:
    if not take:
        return RecordBlock(BlockKind.INDEPENDENT, tuple(records))
    number = takes[take].number
    if number is None:
        return RecordBlock(BlockKind.UNNUMBERED, tuple(records), take=take)
    return RecordBlock(BlockKind.UTTERANCE, tuple(records), number, take)


def _header(
    opened: e.SessionOpened,
    state: SessionState,
    run: ScenarioRun,
    recorded: Sequence[e.Recorded],
    own: Sequence[e.Recorded],
) -> tuple[tuple[str, str], ...]:
    protocol = opened.protocol
    started = _started(run, recorded)
    operators = stage_operators(own, state)
    scenario = protocol.scenarios.get(run.scenario)
    values: dict[str, str | tuple[str, ...] | None] = {
        "Log_version": log_schema.VERSION,
        "Speaker": opened.speaker.id,
        "Session": state.session,
        "Scenario_session": base36(run.number or 0, 1),
        "Site": opened.site,
        "Scenario": run.scenario,
        "Title": run.title,
        "Scenario_kind": run.kind,
        "Common": _yes(run.common),
        "Attended": _yes(started.attended),
        "Binding": tuple(f"{name}={value}" for name, value in sorted(started.bindings.items())),
        "Scenario_text": run.text,
        log_schema.END_TO_END: "" if scenario is not None and scenario.solution is not None else None,
        "Condition": opened.condition,
        "Assignment": opened.assignment.text if opened.assignment else "",
        "Frozen": opened.frozen,
        "Wizard": _wizard_at(run, recorded),
        "Wizard_certified": _certified(opened, started, _wizard_at(run, recorded)),
        "Pilot": _yes(opened.pilot),
        "Rehearsal": _yes(opened.rehearsal),
        "Pace": f"{opened.pace:g}",
        "Consent": state.consent.version if state.consent else "",
        "Mode": log_schema.mode_text(operators),
        **fixed_by(protocol),
        "Collection_method": method_told(
            protocol.profile.collection_method, departed=is_departed(machine_stages(protocol), operators)
        ),
        "Deception": _yes(deceived(protocol.profile) or (planned_for_machines(protocol) and state.people_acted)),
    }
    return pairs(log_schema.HEADER, values)


def fixed_by(protocol: Protocol) -> dict[str, str | tuple[str, ...]]:
    """The entries of a header that are the same in all logs of a protocol."""
    profile, equipment = protocol.profile, protocol.equipment
    return {
        "Recording_control": profile.recording.value,
        "Echo": profile.echo.value,
        "Profile": f"{profile.name} {profile.version}",
        "Protocol": protocol.sha256,
        "Domain": protocol.domain,
        "Database_version": protocol.database_version,
        "Today": protocol.today,
        "Task": profile.task,
        "Returned_data": profile.returned_data,
        "Collection_method": profile.collection_method,
        "Deception": _yes(deceived(profile)),
        "Reply_limit": f"{profile.reply_limit_s:g}",
        "Microphone": tuple(f"{letter} {name}" for letter, name in sorted(equipment.microphones.items())),
        "Digitiser": equipment.digitiser,
        "Room": equipment.room,
        "Noise": equipment.noise,
    }


def machine_stages(protocol: Protocol) -> frozenset[str]:
    """Return the stages that a protocol gives to machines."""
    operators = protocol.profile.operators
    return frozenset(stage for stage in log_schema.MODE_STAGES if getattr(operators, stage) is Operator.MACHINE)


def is_departed(of_machines: Collection[str], operators: Mapping[str, Operator | None]) -> bool:
    """Return whether people had a part in a stage that was planned for a machine; what nobody did departs from no plan."""
    return any(operators[stage] in (Operator.HUMAN, Operator.CORRECTED) for stage in of_machines)


def method_told(planned: str, *, departed: bool) -> str:
    """The method of a scenario: a profile's words tell what was planned, and are no account of what people did instead."""
    return f"{PLANNED}{planned}" if departed else planned


def planned_for_machines(protocol: Protocol) -> bool:
    """Return whether machines alone work under this protocol: nobody deceives a subject, but for people who act all the same."""
    return machine_stages(protocol).issuperset(log_schema.MODE_STAGES)


def _started(run: ScenarioRun, recorded: Sequence[e.Recorded]) -> e.ScenarioStarted:
    for record in recorded:
        if isinstance(record.event, e.ScenarioStarted) and record.event.number == run.number:
            return record.event
    raise ValueError(f"subject-scenario {run.number} was never started")


def _wizard_at(run: ScenarioRun, recorded: Sequence[e.Recorded]) -> str:
    """Return who was at the wizard's console when the scenario began; a transcriber signs on, too."""
    wizard = ""
    for record in recorded:
        match record.event:
            case e.SessionOpened(operator=name) | e.WizardIdentified(name=name, role=Role.WIZARD):
                wizard = name
            case e.ScenarioStarted(number=number) if number == run.number:
                break
            case _:
                pass
    return wizard


def _certified(opened: e.SessionOpened, started: e.ScenarioStarted, wizard: str) -> str | None:
    """Say whether the wizard was certified when the scenario began; None if the study asks for no certificate."""
    if opened.certified is None:
        return None
    return _yes(wizard in opened.certified if started.certified is None else started.certified)


def _yes(value: bool) -> str:
    return "yes" if value else "no"
