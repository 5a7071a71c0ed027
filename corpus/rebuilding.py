"""A corpus made of parts of others: whole speakers come in or stay out, and what tells of the whole is written anew.

Hold-out, merging and withdrawal differ only in which files they take. No file is renamed and no byte of a speaker's
files changes; the speaker table, the README, the lexicon and the manifest follow from what is there.
"""

import hashlib
from collections.abc import Callable, Collection, Sequence

from corpus import layout, lexicon, manifest, readme, spkrinfo, sro
from corpus.directory import Refused, Staging
from corpus.manifest import FORMAT, FileEntry, Manifest, SessionEntry
from corpus.reading import Corpus
from corpus.removals import REMOVALS
from corpus.spkrinfo import SpeakerTable

MADE_ANEW = frozenset({layout.MANIFEST, layout.README, layout.SPEAKER_TABLE, layout.LEXICON})


def copy_part(parts: Sequence[tuple[Corpus, Collection[str]]], staging: Staging, extra: dict[str, bytes]) -> Manifest:
    """Write the named speakers of each corpus into `staging`, with `extra` files of the whole; the new manifest.

    Raises `Refused` for a file that is not the one its manifest lists, and for two that would get the same path. Of a protocol
    that several corpora describe, which its hash names, the first description is kept.
    """
    for corpus, speakers in parts:
        protocols = {entry.protocol for entry in _sessions(corpus, speakers)}
        for path, entry in corpus.manifest.files.items():
            if path in MADE_ANEW or path in extra or not _wanted(corpus, path, speakers, protocols):
                continue
            if staging.keep(path, entry):
                continue
            data = checked(corpus, path, entry)
            held = staging.files.get(path)
            if held is None:
                staging.write(path, data, like=entry)
            elif held.sha256 != entry.sha256 and not path.startswith(f"{layout.PROTOCOLS}/"):
                raise Refused(f"{path} of {corpus.root} is another file than that of the corpora before it")
    for path, data in sorted(extra.items()):
        staging.write(path, data)
    return _whole(parts, staging)


def _wanted(corpus: Corpus, path: str, speakers: Collection[str], protocols: set[str]) -> bool:
    owner = corpus.speaker_of(path)
    if path.startswith(f"{layout.PROTOCOLS}/") and path.endswith(".json"):
        return any(path == f"{layout.PROTOCOLS}/{layout.safe(sha256)}.json" for sha256 in protocols)
    return owner in speakers or (not owner and path != REMOVALS)


def checked(corpus: Corpus, path: str, entry: FileEntry) -> bytes:
    """The bytes of a file of the manifest; raises `Refused` where they are not those that were exported."""
    data = corpus.read(path)
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise Refused(f"{corpus.root / path} is not the file that was exported; run curtain verify {corpus.root}")
    return data


def _sessions(corpus: Corpus, speakers: Collection[str]) -> list[SessionEntry]:
    return [entry for entry in corpus.manifest.sessions if entry.speaker in speakers]


def _whole(parts: Sequence[tuple[Corpus, Collection[str]]], staging: Staging) -> Manifest:
    sessions = tuple(entry for corpus, speakers in parts for entry in _sessions(corpus, speakers))
    table = {
        info.speaker: info for corpus, kept in parts for info in corpus.speakers().values() if info.speaker in kept
    }
    made = shared_files(
        sessions,
        SpeakerTable(tuple(table.values())),
        staging.files,
        lambda path: (staging.root / path).read_bytes(),
    )
    for path, data in made.items():
        staging.write(path, data)

    def lacking(kind: str) -> tuple[str, ...]:
        return tuple(
            sorted(
                path
                for corpus, kept in parts
                for path in getattr(corpus.manifest, kind)
                if corpus.speaker_of(path) in kept
            )
        )

    found = Manifest(
        FORMAT,
        any(entry.rehearsal for entry in sessions),
        sessions,
        dict(staging.files),
        lacking("withheld"),
        lacking("missing"),
    )
    staging.write(layout.MANIFEST, manifest.render(found))
    return found


def shared_files(
    sessions: Sequence[SessionEntry],
    speakers: SpeakerTable,
    files: Collection[str],
    read: Callable[[str], bytes],
) -> dict[str, bytes]:
    """README, speaker table and lexicon of the files that a corpus consists of now."""
    paths = sorted(files)
    waves = [path for path in paths if path.endswith(".wav")]
    waveform = "RIFF" if waves and read(waves[0])[:4] == b"RIFF" else "NIST SPHERE"
    rehearsal = any(entry.rehearsal for entry in sessions)
    utterances = sum(
        read(path).count(b"\n[Number:] ") for path in paths if path.endswith(".log") and path[:4] in _SPEECH
    )
    texts = (sro.parse(read(path), path) for path in paths if path.endswith(".sro"))
    return {
        layout.SPEAKER_TABLE: spkrinfo.render(speakers),
        layout.README: readme.text(sessions, speakers, utterances, waveform, rehearsal),
        layout.LEXICON: lexicon.render(lexicon.count(texts)),
    }


_SPEECH = frozenset(layout.DIRECTORIES.values())
