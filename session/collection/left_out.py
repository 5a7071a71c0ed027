"""Sessions that a figure about a study leaves out, and why: told beside the figure, so that nobody takes it for one of all."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

from session import events as e
from session.events import Recorded
from session.state.fold import fold
from session.values.consent import ConsentScope


class LeftOut(StrEnum):
    """Reason why nothing is made of a session; the value reads behind a number."""

    REHEARSAL = "a rehearsal"
    PILOT = "a pilot"
    WITHDRAWN = "withdrawn"
    NOT_AGREED = "without the consent that it takes"


def reason_to_leave_out(
    facts: Sequence[Recorded], *, pilots: bool = False, scopes: Iterable[ConsentScope] = ()
) -> LeftOut | None:
    """Return why a session is left out; None for one that counts.

    With `pilots` they count, too; `scopes` are needed beside those of every study: to be recorded, and written down and studied.
    """
    opened = next((recorded.event for recorded in facts if isinstance(recorded.event, e.SessionOpened)), None)
    state = fold(facts)
    if opened is None or (state.withdrawn is not None and state.withdrawn.erase) or state.erased:
        return LeftOut.WITHDRAWN
    if opened.rehearsal:
        return LeftOut.REHEARSAL
    if opened.pilot and not pilots:
        return LeftOut.PILOT
    return None if state.may_be_studied and all(map(state.allows, scopes)) else LeftOut.NOT_AGREED


def left_out_line(reasons: Iterable[LeftOut | None]) -> str:
    """Return how many sessions were left out, in a line; empty if none was.

    >>> left_out_line([None, LeftOut.PILOT, LeftOut.REHEARSAL, LeftOut.PILOT])
    'left out: 3 of 4 sessions (1 a rehearsal, 2 a pilot)'
    """
    found = Counter(reasons)
    left = [(reason, found[reason]) for reason in LeftOut if found[reason]]
    told = ", ".join(f"{number} {reason.value}" for reason, number in left)
    return f"left out: {sum(number for _, number in left)} of {found.total()} sessions ({told})" if left else ""
