"""A study's own transcriptions, as a recogniser learns them: what people wrote down of earlier sessions.

The words of a finished transcription, from the desk beside any export of the study, stand in for what was typed during the
session. Only of sessions in the domain that is asked for, of subjects who agreed to it and have not left, never of rehearsals;
what a machine recognised is not learnt, or it would learn its own errors, nor are words that are masked in the corpora.
"""

from collections.abc import Iterator
from contextlib import closing

from corpus.annotation import masking
from corpus.annotation.submitted import AllFinished
from corpus.formats import lexicon
from corpus.formats.errors import FormatFault
from corpus.io.staging import Refused
from corpus.release.earlier_exports import finished_around
from operators.recognition.recogniser import MissingEngineError
from session import events as e
from session.collection.open_session import session_names
from session.state.fold import fold
from session.state.stage_operators import PEOPLE
from session.store.event_store import UNREADABLE, Store
from session.study.folder import Study


def transcribed(study: Study) -> tuple[str, ...]:
    """Return the transcriptions of a study's sessions, in their order, where its recogniser is to learn them.

    Raises MissingEngineError if the store, or the transcription desk's work, cannot be read.
    """
    if not study.settings.machines.learns:
        return ()
    try:
        finished = finished_around(study.folder)
        with closing(Store(study.store_url)) as store:
            return tuple(text for name in session_names(store) for text in _said(study, store.read(name), finished))
    except (*UNREADABLE, Refused, FormatFault) as error:
        raise MissingEngineError(f"the recogniser cannot learn the study's transcriptions: {error}") from error


def _said(study: Study, facts: list[e.Recorded], finished: AllFinished) -> Iterator[str]:
    state = fold(facts)
    if state.opened is not None and state.opened.protocol.domain in {*study.domains} - {study.settings.domain}:
        return
    if state.opened is None or state.opened.rehearsal or state.withdrawn is not None:
        return
    if not state.may_be_studied:
        return
    typed = {
        recorded.event.take: recorded.event.text
        for recorded in facts
        if isinstance(recorded.event, e.Transcribed) and recorded.by in PEOPLE
    }
    for take in state.takes.values():
        if take.discarded:
            continue
        if take.take in finished:
            yield " ".join(lexicon.words(masking.masked(finished[take.take].transcription)))
        elif take.take in typed and not finished.hides(take.take, typed[take.take]):
            yield typed[take.take]
