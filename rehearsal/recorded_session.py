"""A session to be seen again: its facts, its links and its sound, out of a study's store or out of a corpus alone."""

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import numpy as np

from annotator.first_channel import sound_of
from corpus.dataset.reader import Corpus, SubjectScenario
from corpus.formats import layout, manifest, waveform
from corpus.formats.errors import FormatFault
from corpus.formats.log.logged_facts import facts_of
from corpus.formats.manifest import SessionEntry
from desk.recording_player import Samples
from session import events as e
from session.collection.recordings import recordings_of
from session.hub.history import links_stream
from session.store.event_store import UNREADABLE, Store
from session.study.folder import load
from session.study.settings import Protocol
from session.study.toml_reader import StudyError
from session.values.names import PRIMARY

SILENCE: Samples = np.zeros(0, np.int16)


class NotToBeSeen(Exception):
    """There is no such session, or nothing of it to be seen; the text says which, and what can be done."""


class RecordedSession(msgspec.Struct, frozen=True):
    """`sound` gives the samples of a take's first channel by the take's name, or those of a spoken reply by their hash; none
    if they are not at hand."""

    facts: list[e.Recorded]
    links: list[e.Recorded]
    sound: Callable[[str], Samples]


def recorded(folder: Path, session: str) -> RecordedSession:
    """Return a session of a study or of a corpus; raises `NotToBeSeen`."""
    try:
        found = _of_corpus(folder, session) if manifest.is_in(folder) else _of_study(folder, session)
    except (StudyError, FormatFault, *UNREADABLE) as error:
        raise NotToBeSeen(str(error)) from None
    if not any(isinstance(record.event, e.SessionOpened) for record in found.facts):
        raise NotToBeSeen(f"session {session} was erased when its speaker withdrew; there is nothing to show")
    return found


def _of_study(folder: Path, session: str) -> RecordedSession:
    study = load(folder)
    store = Store(study.store_url)
    try:
        facts, links = store.read(session), store.read(links_stream(session))
    finally:
        store.close()
    if not facts:
        raise NotToBeSeen(f"{folder} has no session {session}; `curtain sessions {folder}` lists them")
    recordings, said = recordings_of(study), _said(facts)

    def sound(name: str) -> Samples:
        with contextlib.suppress(OSError, ValueError):
            pcm = recordings.spoken(session, name) if name in said else recordings.pcm(session, name, PRIMARY)
            return np.frombuffer(pcm or b"", dtype="<i2").astype(np.int16)
        return SILENCE

    return RecordedSession(facts, links, sound)


def _of_corpus(folder: Path, session: str) -> RecordedSession:
    corpus = Corpus(folder)
    entry = corpus.sessions.get(session)
    if entry is None:
        some = ", ".join(sorted(corpus.sessions)[:3]) or "none"
        raise NotToBeSeen(f"{folder} has no session {session}; it has {len(corpus.sessions)}: {some} …")
    if entry.protocol == manifest.IMPORTED:
        remedy = "`curtain show` prints its logs"
        raise NotToBeSeen(f"session {session} was recorded elsewhere: no desk's screen of it is known; {remedy}")
    scenarios = _scenarios(corpus, entry)
    if not scenarios:
        raise NotToBeSeen(f"{folder} has no log of session {session}, so there is nothing to show")
    logged = facts_of([one.log for one in scenarios], _protocol(corpus, entry), [one.path for one in scenarios])
    waves = {one.block.take: one.waves for scenario in scenarios for one in scenario.utterances if one.waves}

    said = _said(logged.facts)

    def sound(name: str) -> Samples:
        with contextlib.suppress(OSError, ValueError, StopIteration):
            path = layout.spoken_path(session, name) if name in said else next(iter(waves.get(name, {}).values()))
            return sound_of(waveform.parse(corpus.read(path), path))[0]
        return SILENCE

    return RecordedSession(logged.facts, logged.links, sound)


def _said(facts: Iterable[e.Recorded]) -> frozenset[str]:
    """Return the hashes of what the system said."""
    return frozenset(record.event.sha256 for record in facts if isinstance(record.event, e.ReplyVoiced))


def _scenarios(corpus: Corpus, entry: SessionEntry) -> list[SubjectScenario]:
    own = [path for path in corpus.logs if corpus.speaker_of(path) == entry.speaker]
    return [one for one in map(corpus.scenario, own) if one.log.get("Session") == entry.session]


def _protocol(corpus: Corpus, entry: SessionEntry) -> Protocol:
    for path in layout.protocol_paths(entry.site, entry.protocol):
        if path in corpus.manifest.files:
            try:
                return msgspec.json.decode(corpus.read(path), type=Protocol)
            except (ValueError, RecursionError) as error:
                raise FormatFault(path, 0, f"no protocol: {error}", f"run curtain verify {corpus.root}") from None
    raise NotToBeSeen(
        f"{corpus.root} does not hold the protocol of session {entry.session}, without which no screen is known"
    )
