"""The line of each session in `curtain sessions`, made of its facts once and kept in the store until more facts come.

A kept line is good as long as the session's chain and that of its links end where they ended when it was made. It says nothing of
a change behind these heads: `curtain sessions --check`, `curtain doctor` and an export read every fact.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.export.exclusions import has_withdrawn
from corpus.export.source import Collected
from corpus.export.study_source import StudySource, source_of
from corpus.io.parallel import MANY, Jobs, chosen
from corpus.io.progress import counting
from corpus.report.common_scenario import scenarios_of
from corpus.report.study_status import SessionVolume, volume_of_session
from session.collection.open_session import session_names
from session.gc_pauses import seldom_disturbed
from session.state.fold import SessionState, fold
from session.state.stage_times import StageSpread, spreads, stages_of
from session.store.event_store import Store, StoreUnavailable
from session.store.types import Kept
from session.study.folder import Study
from session.values.clock import iso
from session.values.consent import ConsentScope

KIND = "session line 2"
"""The number changes with what a line holds or how it is made: then all are made again."""
_TOGETHER = 32  # sessions that are made and kept at a time: a fifth of a second's work


class ListedSession(msgspec.Struct, frozen=True):
    """One session in numbers; `erased` when its speaker has withdrawn, `erasure_requested` while that is still to be done.
    `refused` are the scopes of the consent that its speaker did not agree to at last.

    Times are ISO 8601 in UTC. `damage` says why it cannot be read, or where it is not what was written. `stages` tells where
    the seconds of the replies went (`session.state.stage_times`), `expected` how many queries the study expects of the
    scenarios that were begun and count (no practice, no invalidated ones), `stands_against` what keeps an ended session from
    being done; None if that was not looked into. `certified` says whether its last wizard was, None if the study has no pass
    mark.
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
    stages: dict[str, StageSpread] = {}
    stands_against: tuple[str, ...] | None = None
    wizard: str = ""
    certified: bool | None = None


def listed(collected: Collected, state: SessionState) -> ListedSession:
    """The figures of a session, whose facts fold to `state`."""
    opened = state.opened
    numbered = [take for take in state.takes.values() if take.number is not None]
    kind = "" if opened is None else "rehearsal" if opened.rehearsal else "pilot" if opened.pilot else "production"
    return ListedSession(
        session=collected.session,
        began=_began(state),
        speaker=opened.speaker.id if opened else "",
        profile=opened.protocol.profile.name if opened else "",
        condition=_condition(state),
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
        wizard=state.wizard,
        certified=state.certified,
    )


def _condition(state: SessionState) -> str:
    """The condition of a session; where levels changed from scenario to scenario, those of the scenarios that were begun."""
    own = dict.fromkeys(run.condition for run in state.runs if run.condition)
    return ", ".join(own) or (state.opened.condition if state.opened else "")


def _expected(state: SessionState) -> int:
    planned = state.opened.protocol.scenarios if state.opened else {}
    return sum(planned[run.scenario].expected_queries for run in state.runs if run.counts and run.scenario in planned)


def _began(state: SessionState) -> str:
    try:
        return iso(state.began.wall) if state.began else ""
    except (ValueError, OverflowError, OSError):  # what no calendar holds
        return ""


class SessionLine(msgspec.Struct, frozen=True):
    """A line with what the sums below the list are made of."""

    listed: ListedSession
    scenarios: tuple[tuple[str, bool, int], ...]
    volume: SessionVolume | None


_decoder = msgspec.json.Decoder(SessionLine)


def line_of(collected: Collected) -> SessionLine:
    """Make the line of a session from its facts."""
    state = fold(collected.facts)
    return SessionLine(listed(collected, state), scenarios_of(state), volume_of_session(collected, state))


@seldom_disturbed()
def session_lines(
    store: Store,
    source: StudySource,
    *,
    anew: bool,
    jobs: Jobs | None = None,
    err: TextIO | None = None,
    tell: Callable[[list[SessionLine]], object] = list,
) -> list[SessionLine]:
    """The lines of all sessions, the oldest first; all read from the facts where they are to be made `anew`.

    Where many are lacking, as processors allow `jobs` make them at once, and what has been made is kept though the rest is not
    waited for. Progress goes to `err`; `tell` gets the lines as they are made, in their order. Raises what reading the store
    raises; a store that cannot be written keeps no lines.
    """
    kept = {} if anew else store.kept(KIND)
    ends = {info.stream: info.head for info in store.streams()}
    heads = {name: f"{ends[name]} {ends.get(f'{name}/links', '')}" for name in source.names}
    lines = {name: line for name, head in heads.items() if (line := _unpacked(kept, name, head)) is not None}
    lacking = [name for name in heads if name not in lines]
    jobs = jobs or chosen(None, "", len(lacking) >= MANY)
    pieces = [lacking[first : first + _TOGETHER] for first in range(0, len(lacking), _TOGETHER)]
    # The first are made here: somebody may look at them before the processes that make the rest have begun.
    made = chain((_made(source, piece) for piece in pieces[:1]), jobs.over(_made, source, pieces[1:], Path()))
    told = 0

    def tell_on() -> None:
        nonlocal told
        ready = [lines[name] for name in takewhile(lines.__contains__, islice(heads, told, None))]
        told += len(ready)
        tell(ready)

    tell_on()
    with counting(err, "sessions looked through for the first time", len(lacking)) as count:
        for done, (names, found) in enumerate(zip(pieces, made, strict=True), 1):
            _keep(store, heads, dict(zip(names, found, strict=True)), lines)
            tell_on()
            count(min(done * _TOGETHER, len(lacking)))
    return [lines[name] for name in heads]


def _keep(store: Store, heads: Mapping[str, str], made: Mapping[str, bytes], lines: dict[str, SessionLine]) -> None:
    """Add what was made to the `lines`, and keep what nothing is wrong with in the store, if that can be written."""
    decoded = {name: _decoder.decode(data) for name, data in made.items()}
    whole = {name: Kept(heads[name], data) for name, data in made.items() if not decoded[name].listed.damage}
    with contextlib.suppress(StoreUnavailable):
        store.keep(KIND, whole)
    lines |= decoded


def _made(source: StudySource, names: Sequence[str]) -> list[bytes]:
    """The lines of some sessions, as they are kept."""
    return [msgspec.json.encode(line_of(source.collected(name))) for name in names]


def keep_line(study: Study, store: Store, name: str) -> None:
    """Keep the line of a session to which nothing more will come; raises what reading and writing the store raise."""
    head = f"{store.head(name)} {store.head(f'{name}/links')}"
    line = line_of(source_of(study, store, [name]).collected(name))
    if not line.listed.damage:
        store.keep(KIND, {name: Kept(head, msgspec.json.encode(line))})


def lacking(store: Store) -> list[str]:
    """The sessions of which no line is kept, or one of fewer facts, the oldest first; raises what reading the store raises."""
    kept, ends = store.kept(KIND), {info.stream: info.head for info in store.streams()}
    return [
        name
        for name in session_names(store)
        if name not in kept or kept[name].head != f"{ends.get(name, '')} {ends.get(f'{name}/links', '')}"
    ]


def _unpacked(kept: Mapping[str, Kept], name: str, head: str) -> SessionLine | None:
    found = kept.get(name)
    if found is None or found.head != head:
        return None
    try:
        return _decoder.decode(found.value)
    except msgspec.MsgspecError:
        return None
