"""Refusal to hand over data during an unfinished withdrawal, which has written its list but not done the rest.

The list comes first because names are known then. Until the same call is made again, a study or a corpus holds what the list
says is gone, and so does a corpus whose list came from elsewhere.
"""

from pathlib import Path

from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import Removals
from corpus.export.exclusions import has_withdrawn
from corpus.export.source import Collected
from corpus.io.staging import Refused
from session.state.fold import fold
from session.store.event_store import Store
from session.values.consent import ConsentScope


def refuse_corpus(corpus: Corpus, listed: Removals) -> None:
    """Raise `Refused` if somebody of the list is in a corpus yet, or the sound of somebody who took that back."""
    for removal in listed.removals:
        here = {entry.speaker for name, entry in corpus.sessions.items() if name in removal.sessions}
        if removal.scope:
            here = {corpus.speaker_of(path) for path in removal.files if path in corpus.manifest.files} & here
        for speaker in sorted(here):
            raise _refused(corpus.root, speaker, bool(removal.scope))


def refuse_study(folder: Path, store: Store) -> None:
    """Raise `Refused` if somebody of a study's list is in it yet; raises what the store raises, too."""
    for removal in removals.held_in(folder).removals:
        for session in removal.sessions:
            collected = Collected(session, store.read(session))
            state = fold(collected.facts)
            agrees = state.allows(ConsentScope.PUBLISH_AUDIO)
            if state.opened is not None and not has_withdrawn(collected) and (agrees or not removal.scope):
                raise _refused(folder, removal.speaker, bool(removal.scope))


def _refused(place: Path, speaker: str, sound: bool) -> Refused:
    done, option = ("taken back the sound", "--sound-only ") if sound else ("withdrawn", "")
    return Refused(
        f"speaker {speaker} has {done}, and that was not finished in {place}: call curtain withdraw {option}{place} {speaker}, "
        "then try again"
    )
