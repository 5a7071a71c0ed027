"""A study's own transcriptions, as a recogniser learns them: what people behind the curtain wrote down of earlier sessions.

Only of subjects who agreed to it and have not left, never of rehearsals; what a machine recognised is not learnt, or it would
learn its own errors.
"""

from collections.abc import Iterator

from operators.recognition.recogniser import MissingEngineError
from session import events as e
from session.collection.open_session import session_names
from session.state.fold import fold
from session.state.stage_operators import PEOPLE
from session.store.event_store import UNREADABLE, Store
from session.study.folder import Study
from session.values.consent import ConsentScope


def transcribed(study: Study) -> tuple[str, ...]:
    """Return the transcriptions of a study's sessions, in their order, where its recogniser is to learn them.

    Raises MissingEngineError where the store cannot be read.
    """
    if not study.settings.machines.learns:
        return ()
    try:
        store = Store(study.store_url)
        try:
            return tuple(text for name in session_names(store) for text in _said(store.read(name)))
        finally:
            store.close()
    except UNREADABLE as error:
        raise MissingEngineError(f"the recogniser cannot learn the study's transcriptions: {error}") from error


def _said(facts: list[e.Recorded]) -> Iterator[str]:
    state = fold(facts)
    if state.opened is None or state.opened.rehearsal or state.withdrawn is not None:
        return
    if not state.allows(ConsentScope.TRANSCRIBE):
        return
    last = {
        recorded.event.take: recorded.event.text
        for recorded in facts
        if isinstance(recorded.event, e.Transcribed) and recorded.by in PEOPLE
    }
    yield from (text for take, text in last.items() if take in state.takes and not state.takes[take].discarded)
