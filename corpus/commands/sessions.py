"""`curtain sessions`: what a study has collected, session by session, and how near its sites' common-scenario share is."""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.export.exclusions import has_withdrawn
from corpus.export.source import Collected
from corpus.export.study_source import source_of
from corpus.formats.errors import FormatFault, counted, told_of
from corpus.io.staging import Refused
from corpus.release.utterance_status import CAPTION, StandingRow, table
from corpus.report.common_scenario import CommonShare, of_sessions
from corpus.report.study_status import standing_of_study
from corpus.verify.session_check import close
from session.state.fold import SessionState, fold
from session.state.stage_times import Spread, spreads, stages_of
from session.store.event_store import UNREADABLE, Store
from session.study.diff import diff
from session.study.folder import Study, load
from session.study.toml_reader import StudyError
from session.values.clock import iso
from session.values.consent import ConsentScope
from session.values.sanitize import inert


class Listed(msgspec.Struct, frozen=True):
    """One session in numbers; `erased` when its speaker has withdrawn, `erasure_requested` while that is still to be done.
    `refused` are the scopes of the consent that its speaker did not agree to at last.

    Times are ISO 8601 in UTC. `damage` says why it cannot be read, or where it is not what was written. `stages` tells where the
    seconds of the replies went (`session.state.stage_times`), `expected` how many queries the study expects of the scenarios that
    were begun and count (no practice, no invalidated ones), `stands_against` what keeps an ended session from being done; None
    where that was not looked into.
    """

    session: str
    began: str
    speaker: str
    profile: str
    condition: str
    kind: str
    scenarios: int
    declared: int
    utterances: int
    answered: int
    expected: int
    unconfirmed: int
    ended: bool
    erased: bool
    erasure_requested: bool
    head: str
    damage: tuple[str, ...] = ()
    stopped: bool = False
    refused: tuple[str, ...] = ()
    stages: dict[str, Spread] = {}
    stands_against: tuple[str, ...] | None = None


def listed(collected: Collected) -> Listed:
    """The line of a session."""
    state = fold(collected.facts)
    opened = state.opened
    numbered = [take for take in state.takes.values() if take.number is not None]
    kind = "" if opened is None else "rehearsal" if opened.rehearsal else "pilot" if opened.pilot else "production"
    return Listed(
        session=collected.session,
        began=_began(state),
        speaker=opened.speaker.id if opened else "",
        profile=opened.protocol.profile.name if opened else "",
        condition=opened.condition if opened else "",
        kind=kind,
        scenarios=sum(run.number is not None for run in state.runs),
        declared=sum(run.solution is not None for run in state.runs),
        utterances=len(numbered),
        answered=sum(state.answered(take) for take in numbered),
        expected=_expected(state),
        unconfirmed=sum(take.stopped is not None and not take.confirmed for take in state.takes.values()),
        ended=state.ended,
        erased=has_withdrawn(collected),
        erasure_requested=state.erasure_requested and not has_withdrawn(collected),
        head=collected.head,
        damage=tuple(filter(None, (collected.unreadable, *collected.damage))),
        stopped=state.withdrawn is not None,
        refused=tuple(scope for scope in ConsentScope if state.consent is not None and not state.allows(scope)),
        stages=spreads(stages_of(collected.facts)),
    )


def _expected(state: SessionState) -> int:
    planned = state.opened.protocol.scenarios if state.opened else {}
    return sum(planned[run.scenario].expected_queries for run in state.runs if run.counts and run.scenario in planned)


def _began(state: SessionState) -> str:
    try:
        return iso(state.began.wall) if state.began else ""
    except (ValueError, OverflowError, OSError):  # what no calendar holds
        return ""


class Listing(msgspec.Struct, frozen=True):
    """What `curtain sessions --json` tells: the sessions, the shares of the common scenario, and where every utterance stands by
    site, those of all sites last; `standing` is None where that cannot be told."""

    sessions: list[Listed]
    common: tuple[CommonShare, ...]
    standing: list[StandingRow] | None


def sessions_command(study: str, as_json: bool, out: TextIO, err: TextIO, check: bool = False) -> int:
    """A line per session of the study, the oldest first, and the sums; `check` tries each that has ended
    (`corpus.verify.session_check`).

    1 when a session is damaged or does not get the green light, 2 when study or store cannot be read.
    """
    try:
        found = load(Path(study))
        store = Store(found.store_url)
        try:
            source = source_of(found, store)
            collected = [source.collected(name) for name in source.names]
        finally:
            store.close()
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    lines = [_checked(found, listed(each)) if check else listed(each) for each in collected]
    listing = Listing(lines, of_sessions(collected), _standing(found.folder, collected, err))
    if as_json:
        out.write(msgspec.json.format(msgspec.json.encode(listing), indent=1).decode() + "\n")
    elif lines:
        _tell(listing, study, out, err)
    else:
        err.write(f"{study} has no session yet; `curtain wizard {study}` opens one\n")
    return 1 if any(each.damage or each.stands_against for each in lines) else 0


def _standing(study: Path, sessions: Sequence[Collected], err: TextIO) -> list[StandingRow] | None:
    """Where the utterances stand; what keeps that from being told goes to `err`, for the list does not need it."""
    try:
        return standing_of_study(study, sessions)
    except (FormatFault, Refused, OSError) as error:
        err.write(f"where the utterances stand cannot be told: {told_of(error)}\n")
        return None


def _tell(listing: Listing, study: str, out: TextIO, err: TextIO) -> None:
    out.write(HEAD + "\n" + "".join(f"{_line(each)}\n" for each in listing.sessions))
    for share in listing.common:
        err.write(f"common scenario, {share}\n")
    if listing.standing:
        err.write(f"{CAPTION}:\n{table(listing.standing)}")
    for each in listing.sessions:
        if each.erasure_requested:
            remedy = f"curtain withdraw {study} {each.speaker}"
            err.write(
                f"erasure: session {each.session}: speaker {each.speaker} wants everything erased: call {remedy}\n"
            )
        err.write("".join(f"damaged: session {each.session}: {what}\n" for what in each.damage))
        err.write("".join(f"not done: session {each.session}: {inert(what)}\n" for what in each.stands_against or ()))


def _checked(study: Study, line: Listed) -> Listed:
    """The line with what stands against the session; an erased one and one that goes on are not looked into."""
    if line.erased or not line.ended:
        return line
    return msgspec.structs.replace(line, stands_against=tuple(close(study, line.session)))


HEAD = "session                began                     spkr profile  kind        scen declared utts answered of about  state"


def _line(each: Listed) -> str:
    state = "withdrawn" if each.erased else "ended" if each.ended else "open"
    if each.damage:
        state = "damaged" if not each.began else f"{state}, damaged"
    if each.stopped:
        state += ", subject stopped"
    if each.erasure_requested:
        state += ", ERASURE REQUESTED"
    elif each.refused:
        state += f", no consent to: {' '.join(each.refused)}"
    if each.stands_against is not None:
        state += ", RED" if each.stands_against else ", GREEN"
    if each.unconfirmed:
        state += f", {counted(each.unconfirmed, 'take')} not confirmed"
    return (
        f"{each.session:<22} {each.began:<25} {each.speaker:<4} {each.profile:<8} {each.kind:<11} {each.scenarios:>4} "
        f"{each.declared:>8} {each.utterances:>4} {each.answered:>8} {each.expected:>8}  {state}"
    )


def differences_command(study: str, first: str, second: str, out: TextIO, err: TextIO) -> int:
    """How the protocols of two sessions differ, a line per key; 2 when there is no such session."""
    try:
        found = load(Path(study))
        store = Store(found.store_url)
        try:
            source = source_of(found, store, (first, second))
            states = {name: fold(source.collected(name).facts) for name in source.names}
        finally:
            store.close()
    except (StudyError, *UNREADABLE) as error:
        err.write(f"{error}\n")
        return 2
    opened = [states[name].opened if name in states else None for name in (first, second)]
    if opened[0] is None or opened[1] is None:
        missing = first if opened[0] is None else second
        err.write(f"{study} has no session {missing} that can be read; `curtain sessions {study}` lists them\n")
        return 2
    for each in diff(opened[0].protocol, opened[1].protocol):
        out.write(f"{each.key}: {inert(each.first)} -> {inert(each.second)}\n")
    return 0
