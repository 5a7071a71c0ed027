"""The fold that a store keeps of every session, so that opening the next one reads none of them: who spoke, how far the
numbers are, what counts.

Each fold follows from the session's facts alone, one fact at a time; `session.store.folds` keeps it in the transaction that
appends the fact, and holds what is kept against the facts. Pure.
"""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from session import events as e
from session.study.assignment import Assignment
from session.values.vocabulary import Outcome

SAMPLE_BYTES = 2
Item = TypeVar("Item", bound=msgspec.Struct)

FOLDED = (
    e.SessionOpened, e.ScenarioStarted, e.ScenarioEnded, e.ScenarioInvalidated, e.SessionEnded, e.SpeakerWithdrawn,
    e.TakeConfirmed,
)  # fmt: skip
"""The facts that a fold looks at."""
TYPES = tuple(str(kind.__struct_config__.tag) for kind in FOLDED)


class FoldedRun(msgspec.Struct, frozen=True, array_like=True):
    """A subject-scenario: its number (None for practice), whether it is the common one, is over, was declared invalid."""

    number: int | None
    common: bool
    over: bool = False
    invalid: bool = False


class SessionFold(msgspec.Struct, frozen=True):
    """A session as the next one's opening needs it, with the bytes of sound that are kept of it. A withdrawn speaker's id stays
    taken, and nothing else of her."""

    speaker: str = ""
    production: bool = False
    condition: str = ""
    ended: bool = False
    erased: bool = False
    runs: tuple[FoldedRun, ...] = ()
    assignment: Assignment | None = None
    sound: int = 0

    @property
    def last_number(self) -> int:
        """The number of the last subject-scenario, 0 if there was none but practice."""
        return max((run.number or 0 for run in self.runs), default=0)

    @property
    def counted(self) -> tuple[int, int]:
        """The number of scenarios of production that count, and of those among them that were the common one."""
        counting = [run for run in self.runs if self.production and run.number is not None and not run.invalid]
        return len(counting), sum(run.common for run in counting)


def folded(facts: Iterable[e.Fact], fold: SessionFold | None = None) -> SessionFold:
    """The fold after `facts`, from `fold` or from nothing."""
    found = SessionFold() if fold is None else fold
    for fact in facts:
        found = _after(found, fact)
    return found


def _after(fold: SessionFold, fact: e.Fact) -> SessionFold:
    match fact:
        case e.SessionOpened():
            production = not (fact.pilot or fact.rehearsal)
            assignment = fact.assignment if production else None
            return SessionFold(fact.speaker.id, production, fact.condition if production else "", assignment=assignment)
        case e.ScenarioStarted():
            return _but(fold, runs=(*fold.runs, FoldedRun(fact.number, fact.common)))
        case e.ScenarioEnded() if fold.runs:
            invalid = fact.outcome is Outcome.INVALIDATED
            return _but(fold, runs=(*fold.runs[:-1], _but(fold.runs[-1], over=True, invalid=invalid)))
        case e.ScenarioInvalidated():
            runs = (
                _but(run, invalid=True) if place == fact.run and run.over else run
                for place, run in enumerate(fold.runs)
            )
            return _but(fold, runs=tuple(runs))
        case e.TakeConfirmed():
            return _but(fold, sound=fold.sound + sum(SAMPLE_BYTES * channel.samples for channel in fact.sealed))
        case e.SessionEnded():
            return _but(fold, ended=True)
        case e.SpeakerWithdrawn():
            return SessionFold(fact.speaker, erased=True)
        case _:
            return fold


def _but(struct: Item, **changes: object) -> Item:
    return msgspec.structs.replace(struct, **changes)
