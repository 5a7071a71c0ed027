"""A person goes on taking part and takes back the sound alone: what was said stays, the voice leaves the lab no more.

In a study that is one more fact in each of the person's sessions, the consent as it is now, which every later export obeys. An
exported corpus loses the waveforms and lists them as withheld. The list of removals names what earlier copies must drop.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.annotation.apply import originals_of
from corpus.dataset import removals
from corpus.dataset.reader import Corpus
from corpus.dataset.removals import SOUND, Removal
from corpus.formats import layout
from corpus.io.staging import locked, sweep
from corpus.release.copies_of_speaker import Holders, called
from corpus.withdrawal.remove_speaker import below, day_of, prune, removal_from, reseal
from session import events as e
from session.state.fold import fold
from session.store.event_store import Entry, Store
from session.values.clock import Clock, stamp
from session.values.consent import ConsentScope


def of_sound(removal: Removal) -> Removal:
    """What of a removal is sound."""
    waves = tuple(path for path in removal.files if path.endswith(".wav"))
    return msgspec.structs.replace(removal, scope=SOUND, files=waves)


def sounding(found: Holders, removal: Removal) -> Holders:
    """Of copies that hold a person those that hold the voice; a report has none."""
    return Holders(
        corpora=tuple(root for root in found.corpora if _waves(Corpus(root), *called(root, removal))),
        packages=tuple(each for each in found.packages if _sounds(each, called(each, removal))),
        damaged=found.damaged,
        gone=found.gone,
        encrypted=found.encrypted,
    )


def refuse_sound(store: Store, removal: Removal, clock: Clock) -> int:
    """Record in each session of the person that no sound is to be handed over; the number of sessions in which that was new.

    Raises what the store raises; then the same call records the rest.
    """
    changed = 0
    for session in removal.sessions:
        recorded = store.read(session)
        state = fold(recorded)
        consent = state.consent
        if any(isinstance(each.event, e.SpeakerWithdrawn) for each in recorded):
            continue
        if not state.allows(ConsentScope.PUBLISH_AUDIO):
            continue
        version, sha256, scopes = (consent.version, consent.sha256, consent.scopes) if consent else ("", "", {})
        now = stamp(clock)
        fact = e.ConsentConfirmed(
            at=now, version=version, sha256=sha256, scopes=scopes | {ConsentScope.PUBLISH_AUDIO: False}
        )
        store.append(session, recorded[-1].seq, [Entry(now, "experimenter", "", fact)])
        changed += 1
    return changed


def silence(root: Path, speaker: str, clock: Clock, copies: tuple[str, ...] = (), err: TextIO | None = None) -> int:
    """Take a speaker's waveforms out of the corpus at `root`, and their originals beside it; how many files went. Progress goes
    to `err`.

    Raises `Refused` for a stranger, `FormatFault` or OSError where a part could not be done: then call it again.
    """
    with locked(root):
        corpus = Corpus(root)
        removal = msgspec.structs.replace(of_sound(removal_from(corpus, speaker, day_of(clock))), copies=copies)
        sweep(root, originals_of(root))
        removals.add(root, removal)
        places = [root / path for path in {*_waves(corpus, speaker), *_unlisted(corpus, speaker)}]
        originals = [*originals_of(root).rglob(f"{speaker}*.wav"), *originals_of(root).rglob(f"{speaker}*.wav.made")]
        gone = sum(path.is_file() for path in places)
        for path in (*places, *originals):
            path.unlink(missing_ok=True)
            prune(path.parent, root if path.is_relative_to(root) else originals_of(root))
        _rewrite(corpus, speaker, err)
    return gone


def _waves(corpus: Corpus, *speakers: str) -> list[str]:
    return [path for path in corpus.manifest.files if path.endswith(".wav") and corpus.speaker_of(path) in speakers]


def _sounds(package: Path, speakers: Sequence[str]) -> bool:
    return any(path.name.startswith(tuple(speakers)) for path in package.rglob("*.wav"))


def _unlisted(corpus: Corpus, speaker: str) -> list[str]:
    folders = [f"{directory}/{speaker}" for directory in layout.SPEECH]
    folders += [f"{layout.UNNUMBERED}/{layout.safe(session)}" for session in corpus.sessions_of(speaker)]
    return [path for folder in folders for path in below(corpus, folder, "*.wav")]


def _rewrite(corpus: Corpus, speaker: str, err: TextIO | None) -> None:
    """What tells of the whole corpus, without the person's waveforms, which are withheld from now on."""
    before, waves = corpus.manifest, set(_waves(corpus, speaker))
    missing = {path for path in before.missing if corpus.speaker_of(path) == speaker and path.endswith(".wav")}
    after = msgspec.structs.replace(
        before,
        files={path: entry for path, entry in before.files.items() if path not in waves},
        withheld=tuple(sorted({*before.withheld, *waves, *missing})),
        missing=tuple(path for path in before.missing if path not in missing),
    )
    reseal(corpus, after, corpus.speakers().values(), err)
