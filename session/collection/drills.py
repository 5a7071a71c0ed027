"""Drills of a study's wizards, as events beside the sessions' own: who was trained on what, and how each turn went.

A drill is a stream `drill/<ulid>` of the study's store, append-only and chained. It holds measures and no word of what was
said: anyone who was heard in it can withdraw without it. A drill is not a session: it has no subject, no slot of the design,
no data.
"""

import statistics
from collections.abc import Iterable
from typing import Any, cast

import msgspec

from session.events import Fact, Redacted
from session.events.base import Event
from session.store.event_store import Entry, Store
from session.store.upcasting import Versions
from session.study.pass_mark import PassMark
from session.values.clock import Stamp

DRILL = "drill"


class DrillBegun(Event, frozen=True):
    """A wizard sat down to a drill; `source` says what is played, `protocol` is the hash of the study's."""

    wizard: str
    source: str
    protocol: str


class DrillTurnPlayed(Event, frozen=True):
    """One turn of a drill: words and errors of the transcription, what was right (None if nothing tells), seconds after the
    end of speaking by stage, slips that could break the curtain."""

    words: int = 0
    errors: int = 0
    answer: bool | None = None
    canned: bool | None = None
    scope: bool | None = None
    seconds: dict[str, float] = msgspec.field(default_factory=dict)
    slips: tuple[str, ...] = ()


class DrillEnded(Event, frozen=True):
    """The drill is over; `whole` unless it was broken off. `passed` is None if the study has no pass mark."""

    whole: bool
    passed: bool | None = None
    missed: tuple[str, ...] = ()
    mark: PassMark | None = None


DrillFact = DrillBegun | DrillTurnPlayed | DrillEnded | Redacted
VERSIONS = Versions(DrillFact, {}, {})


class PlayedDrill(msgspec.Struct, frozen=True):
    """One drill, folded from its stream; `at` is nanoseconds of the wall clock."""

    name: str
    wizard: str = ""
    source: str = ""
    at: int = 0
    turns: tuple[DrillTurnPlayed, ...] = ()
    whole: bool = False
    passed: bool | None = None
    missed: tuple[str, ...] = ()

    @property
    def slips(self) -> int:
        """The number of slips."""
        return sum(len(turn.slips) for turn in self.turns)

    @property
    def reached(self) -> dict[str, float | None]:
        """The measures that were reached, by the names of the pass mark."""
        words = sum(turn.words for turn in self.turns)
        took = [turn.seconds["sent"] for turn in self.turns if "sent" in turn.seconds]
        return {
            "word_error": sum(turn.errors for turn in self.turns) / words if words else None,
            "answers": _share(turn.answer for turn in self.turns),
            "canned": _share(turn.canned for turn in self.turns),
            "scope": _share(turn.scope for turn in self.turns),
            "reply_s": statistics.median(took) if took else None,
        }


def _share(found: Iterable[bool | None]) -> float | None:
    known = [one for one in found if one is not None]
    return sum(known) / len(known) if known else None


def stream_of(name: str) -> str:
    """Return the stream of a drill."""
    return f"{DRILL}/{name}"


def append(store: Store, name: str, after: int, at: Stamp, *facts: DrillFact) -> int:
    """Append to the stream of a drill in a store opened for drills; return how many facts it has now."""
    store.append(stream_of(name), after, [Entry(at, "wizard", "", cast(Fact, fact)) for fact in facts])
    return after + len(facts)


def drills_of(store: Store) -> list[PlayedDrill]:
    """Return all drills in a study's store, the first one first; raises what the store raises."""
    names = sorted(info.stream for info in store.streams() if info.stream.startswith(f"{DRILL}/"))
    return [_folded(store, name.partition("/")[2]) for name in names]


def _folded(store: Store, name: str) -> PlayedDrill:
    drill = PlayedDrill(name)
    for stored in store.raw(stream_of(name)):
        recorded = VERSIONS.recorded(stored)
        event: Any = recorded.event
        match event:
            case DrillBegun():
                drill = PlayedDrill(name, event.wizard, event.source, recorded.at.wall)
            case DrillTurnPlayed():
                drill = msgspec.structs.replace(drill, turns=(*drill.turns, event))
            case DrillEnded():
                drill = msgspec.structs.replace(drill, whole=event.whole, passed=event.passed, missed=event.missed)
            case _:
                pass
    return drill


def certified_wizards(drills: Iterable[PlayedDrill]) -> tuple[str, ...]:
    """Return who is certified, as they sign on: anyone who passed the last drill that was played to its end."""
    last = {one.wizard: one.passed for one in drills if one.whole and one.passed is not None}
    return tuple(sorted(wizard for wizard, passed in last.items() if passed))
