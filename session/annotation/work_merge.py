"""Separate copies of later work brought together without loss.

People who work apart have streams of their own, which are simply taken over. Where both copies went on with one stream, what the
other has beyond the common beginning is put behind what is here, with its own stamps and signatures: nothing is dropped, and
what was said last holds. What a speaker took back stays away.
"""

from typing import NamedTuple, cast

from session.annotation.store import Work
from session.events import Recorded, SpeakerWithdrawn
from session.events.link import Redacted


class MergedWork(NamedTuple):
    """`facts` were taken over into `streams` streams; in `diverged` both copies had gone on; `gone` were withdrawn in one."""

    streams: int
    facts: int
    diverged: tuple[str, ...]
    gone: tuple[str, ...]


def merge(into: Work, other: Work) -> MergedWork:
    """Take over what `other` has and `into` has not; the same copy again changes nothing. Raises what the store raises."""
    facts, streams = 0, 0
    diverged: list[str] = []
    gone: list[str] = []
    for stream, theirs in other.read_many(list(other.lengths())):
        ours = into.read(stream)
        if _withdrawn(ours) or _withdrawn(theirs):
            gone += [stream] if _withdrawn(ours) != _withdrawn(theirs) else []
            continue
        known = {_identity(fact) for fact in ours}
        new = [fact for fact in theirs if _identity(fact) not in known]
        if not new:
            continue
        diverged += [stream] if any(_identity(fact) not in {_identity(one) for one in theirs} for fact in ours) else []
        for fact in new:
            into.append(stream, len(ours), [cast("object", fact.event)], fact.at, fact.by)  # type: ignore[list-item]
            ours.append(fact)
        streams, facts = streams + 1, facts + len(new)
    return MergedWork(streams, facts, tuple(diverged), tuple(gone))


def _identity(fact: Recorded) -> tuple[object, ...]:
    return fact.at, fact.by, fact.event


def _withdrawn(facts: list[Recorded]) -> bool:
    return any(isinstance(fact.event, SpeakerWithdrawn | Redacted) for fact in facts)
