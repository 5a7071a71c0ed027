"""A study's data about a withdrawn person, and the record of a withdrawal of the audio alone."""

from contextlib import suppress

import msgspec

from corpus.dataset import removals
from corpus.dataset.removals import Removal, Removals
from corpus.export.session_files import ExportOptions, files_of
from corpus.export.source import Collected
from corpus.formats.log.projection import logs_of
from corpus.formats.log.utterance_names import by_take
from corpus.io.staging import Refused
from session import events as e
from session.collection import erase_speaker
from session.state.fold import fold
from session.store.event_store import UNREADABLE, Entry, Store
from session.study.folder import Study
from session.values.clock import Clock, stamp
from session.values.consent import ConsentScope


class _NoRecordings:
    """A source without recordings: names of files do not depend on what is in one."""

    names: tuple[str, ...] = ()

    def collected(self, name: str) -> Collected:
        raise KeyError(name)

    def head(self, name: str) -> str:
        return ""

    def pcm(self, session: str, take: str, letter: str) -> bytes | None:
        return None

    def spoken(self, session: str, sha256: str) -> bytes | None:
        """Nothing."""
        return None

    def protocol_file(self, sha256: str) -> bytes | None:
        return None


def removal_of(study: Study, store: Store, speaker: str, day: str) -> Removal:
    """Return what a study's exports may hold of a speaker, joined with what the list says already; raises `Refused` for a
    stranger."""
    sessions = erase_speaker.sessions_of(store, speaker)
    known = removals.held_in(study.folder).whole(speaker)
    if not sessions and not known:
        raise Refused(f"no session of {study.folder} has speaker {speaker}; curtain sessions {study.folder} lists them")
    found = [_named(speaker, study.site, day, Collected(name, store.read(name))) for name in sessions]
    return removals.joined([Removals((removal,)) for removal in (*known, *found)]).removals[0]


def takes_of(store: Store, removal: Removal) -> dict[str, str]:
    """Return the names of the person's utterances by their takes, as far as they can still be told."""
    found = dict[str, str]()
    for name in removal.sessions:
        with suppress(ValueError, *UNREADABLE):
            for session_log in logs_of(store.read(name)):
                found |= by_take(session_log.log, session_log.stem)
    return found


def refuse_sound(store: Store, removal: Removal, clock: Clock) -> int:
    """Record in each session of the person that no sound is to be handed over; the number of sessions in which that was new.

    Raises what the store raises; then the same call records the rest.
    """
    changed = 0
    for session in removal.sessions:
        recorded = store.read(session)
        state = fold(recorded)
        if any(isinstance(record.event, e.SpeakerWithdrawn) for record in recorded):
            continue
        if not state.allows(ConsentScope.PUBLISH_AUDIO):
            continue
        consent = state.consent
        version, sha256, scopes = (consent.version, consent.sha256, consent.scopes) if consent else ("", "", {})
        now = stamp(clock)
        fact = e.ConsentConfirmed(
            at=now, version=version, sha256=sha256, scopes=scopes | {ConsentScope.PUBLISH_AUDIO: False}
        )
        store.append(session, recorded[-1].seq, [Entry(now, "experimenter", "", fact)])
        changed += 1
    return changed


def of_sound(removal: Removal) -> Removal:
    """Return what of a removal is sound."""
    waves = tuple(path for path in removal.files if path.endswith(".wav"))
    return msgspec.structs.replace(removal, scope=removals.SOUND, files=waves)


def _named(speaker: str, site: str, day: str, collected: Collected) -> Removal:
    try:
        logs = logs_of(collected.facts)
        files = {file.path for file in files_of(collected, _NoRecordings(), ExportOptions(unnumbered=True))}
    except (ValueError, Refused):
        return Removal(speaker, site, day, (collected.session,), (), ())
    stems = {stem for written in logs for stem in by_take(written.log, written.stem).values()}
    return Removal(speaker, site, day, (collected.session,), tuple(sorted(stems)), tuple(sorted(files)))
