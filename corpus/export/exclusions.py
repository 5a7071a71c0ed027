"""Sessions of a study that every export and count leaves out, each with the reason."""

from collections.abc import Collection

from corpus.export.session_files import ExportOptions
from corpus.export.source import Collected, SessionSource
from corpus.formats.log.logged_consent import REFUSALS, why_excluded
from session.events import Redacted, SessionOpened, SpeakerWithdrawn
from session.state.fold import SessionState
from session.values.consent import ConsentScope

WITHDRAWN = "its speaker has withdrawn"
PILOT = "a pilot, which is not data; --pilots packs it"
REHEARSAL = "a rehearsal, which is not data; --session exports it"
ERASURE_REQUESTED = "its speaker wants everything erased, and that is still to be done: curtain withdraw"
NO_SCENARIO = "no scenario but practice was started"
IN_ORDER = frozenset({WITHDRAWN, REHEARSAL, NO_SCENARIO, *REFUSALS.values()})
"""Reasons that call for no remedy."""


def why_left_out(collected: Collected, state: SessionState, options: ExportOptions) -> str:
    """Return why nothing of a session is exported; empty for one that is."""
    if collected.unreadable:
        return f"it cannot be read: {collected.unreadable}"
    if has_withdrawn(collected):
        return "; ".join((WITHDRAWN, *collected.damage))
    if collected.damage and any(isinstance(fact.event, Redacted) for fact in collected.facts):
        return "; ".join(("the erased events may include a refusal", *collected.damage))
    if state.opened is None:
        return "its opening was erased, or it was never begun"
    if state.erasure_requested:
        return ERASURE_REQUESTED
    if state.opened.rehearsal and not options.rehearsals:
        return REHEARSAL
    if state.opened.pilot and not options.pilots:
        return PILOT
    if not options.unnumbered and all(run.number is None for run in state.runs):
        return NO_SCENARIO
    return why_excluded(frozenset(scope for scope in ConsentScope if not state.allows(scope)))


def with_rehearsals(source: SessionSource, named: Collection[str]) -> bool:
    """Return whether rehearsals are exported too: where sessions are asked for by name, and where there is nothing else to
    export."""
    return bool(named) or not any(_is_data(source.collected(name)) for name in source.names)


def _is_data(collected: Collected) -> bool:
    openings = (fact.event for fact in collected.facts if isinstance(fact.event, SessionOpened))
    return any(not opened.rehearsal for opened in openings)


def has_withdrawn(collected: Collected) -> bool:
    """Return whether a session's speaker has withdrawn, so that nothing of what was said is left."""
    return any(isinstance(fact.event, SpeakerWithdrawn) for fact in collected.facts)
