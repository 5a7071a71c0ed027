"""`work.sqlite`: where transcriptions and other later work lie, beside the corpora and independent of any one export.

A thin front over the event store, so that chain, erasure and the refusal of a second writer hold here as in a session. A
stream is named `transcription/<utterance>/<take>`: the utterance for people, the take because it is unique everywhere. The
list of masks, words that identify somebody anyone who marked them, is in streams that begin with `names`.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from msgspec import structs

from session.annotation.events import WORK, NameKept, TranscriptionChecked, TranscriptionSubmitted, WorkFact
from session.annotation.transcript import Transcript, TranscriptState, fold
from session.events import Fact, Recorded, SpeakerWithdrawn
from session.store.types import Entry, SecondWriter
from session.values.clock import Stamp

WORK_FILE = "work.sqlite"
LOG_FILE = "transcription.log"
"""Beside it: what libraries and failures of the desk have written, perhaps with words of an utterance."""
TRANSCRIPTION = "transcription"
NAMES = "names"

_DONE = {
    TranscriptionSubmitted.__name__: Transcript(state=TranscriptState.SUBMITTED),
    TranscriptionChecked.__name__: Transcript(state=TranscriptState.CHECKED),
    SpeakerWithdrawn.__name__: Transcript(erased=True),
}
"""How far a transcription is behind a fact of which that can be said."""


def work_path(corpus: Path) -> Path:
    """Return where the work on a corpus is kept: beside it, where it outlives each export.

    >>> work_path(Path("/data/export-2")).as_posix()
    '/data/work.sqlite'
    """
    return corpus.resolve().parent / WORK_FILE


def stream_of(utterance: str, take: str) -> str:
    """The stream of an utterance's transcription.

    >>> stream_of("8k8011sx", "01JD3")
    'transcription/8k8011sx/01JD3'
    """
    return f"{TRANSCRIPTION}/{utterance}/{take}"


def take_of(stream: str) -> str:
    """The take that a stream is about.

    >>> take_of("transcription/8k8011sx/01JD3")
    '01JD3'
    """
    return stream.rpartition("/")[2]


def transcription_streams(streams: Iterable[str]) -> list[str]:
    """Return which of `streams` are about an utterance's transcription."""
    return [stream for stream in streams if stream.startswith(f"{TRANSCRIPTION}/")]


class Work:
    """The later work beside some corpora; raises what `Store` raises."""

    def __init__(self, place: Path | str) -> None:
        """`place` is a file, or the SQLAlchemy URL of a database that several desks share."""
        from session.store.event_store import Store  # takes long to load, and who has no work need not

        self._store = Store(place if isinstance(place, str) else f"sqlite:///{place}", WORK)

    def close(self) -> None:
        """Give the file back."""
        self._store.close()

    def read(self, stream: str) -> list[Recorded]:
        """Return all facts of one item."""
        return self._store.read(stream)

    def append(self, stream: str, after: int, facts: Sequence[WorkFact], at: Stamp, by: str) -> list[Recorded]:
        """Record what `by` has done; raises SecondWriter when the item has gone on since fact `after`."""
        return self._store.append(stream, after, [Entry(at, by, "", cast(Fact, fact)) for fact in facts])

    def transcripts(self) -> Iterator[Transcript]:
        """Return all transcriptions that were ever begun, by utterance; those of people who withdrew are left out."""
        return (found for _, found in self.folded() if not found.erased)

    def folded(self, streams: Iterable[str] | None = None) -> Iterator[tuple[str, Transcript]]:
        """The transcriptions of these streams, or of all, each by its stream; on what was erased nobody may work again, whatever
        corpus still has it."""
        wanted = transcription_streams(self.lengths() if streams is None else streams)
        return ((stream, fold(facts)) for stream, facts in self._store.read_many(wanted))

    def at_a_glance(self) -> dict[str, Transcript]:
        """Return the state of every transcription by take: of what is finished or erased no more than that, for to read all of
        it takes a moment in a large corpus."""
        lasts = self._store.lasts()
        streams = transcription_streams(lasts)
        done = {stream: _DONE[lasts[stream][1]] for stream in streams if lasts[stream][1] in _DONE}
        finished = {take_of(stream): structs.replace(far, events=lasts[stream][0]) for stream, far in done.items()}
        return finished | {
            take_of(stream): far for stream, far in self.folded(stream for stream in streams if stream not in done)
        }

    def read_many(self, streams: Sequence[str]) -> Iterator[tuple[str, list[Recorded]]]:
        """Yield each of `streams` that has facts, with all of them."""
        return self._store.read_many(streams)

    def lasts(self, *prefixes: str) -> dict[str, tuple[int, str]]:
        """Number and type of the last fact of every stream, or of those that begin with one of these."""
        return self._store.lasts(*prefixes)

    def lengths(self) -> dict[str, int]:
        """Return how many facts each stream has: whether anybody has worked on something since."""
        return self._store.lengths()

    def keep_names(self, words: Iterable[tuple[str, ...]], at: Stamp, by: str) -> None:
        """Put words on the list of masks, those that are not on it yet."""
        if new := [NameKept(words=word) for word in words if word not in {*self.names()}]:
            stream = (self._names_streams(self.lengths()) or [NAMES])[-1]
            self.append(stream, len(self.read(stream)), new, at, by)

    def names(self, streams: Iterable[str] | None = None) -> list[tuple[str, ...]]:
        """The words on the list of masks; `streams` are all there are, where they are known."""
        found = self._names_streams(self.lengths() if streams is None else streams)
        facts = (record.event for stream in found for record in self.read(stream))
        return [fact.words for fact in facts if isinstance(fact, NameKept)]

    def _names_streams(self, streams: Iterable[str]) -> list[str]:
        found = [stream for stream in streams if stream.partition("/")[0] == NAMES]
        return sorted(found, key=lambda stream: int(stream.partition("/")[2] or "0"))

    def named(self, utterances: Container[str]) -> dict[str, str]:
        """Takes and names of what is recorded of utterances of these names. Where something of the name was erased, or shut,
        the person has left this work already, and what there is besides is another person's of the same id."""
        lasts = self._store.lasts()
        streams = {stream: stream.split("/") for stream in transcription_streams(lasts)}
        gone = {parts[1] for stream, parts in streams.items() if lasts[stream][1] == SpeakerWithdrawn.__name__}
        return {take: name for _, name, take in streams.values() if name in utterances and name not in gone}

    def shut(self, speaker: str, utterances: Mapping[str, str], at: Stamp, by: str) -> None:
        """From now on nobody records a word of these utterances, which are named by their takes and of which nothing is recorded
        yet: not even who has one in hand, for the first fact of each is there then."""
        known = {take_of(stream) for stream in transcription_streams(self.lengths())}
        for take, utterance in utterances.items():
            if take not in known:
                with suppress(SecondWriter):  # somebody has just begun: it is erased with all others
                    fact = SpeakerWithdrawn(speaker=speaker, erased=0)
                    self.append(stream_of(utterance, take), 0, [fact], at, by)

    def withdraw(self, speaker: str, takes: Container[str], at: Stamp, by: str) -> int:
        """Erase all that was typed of some takes of a speaker; how many payloads went."""
        streams = [stream for stream in self.lengths() if "/" in stream and take_of(stream) in takes]
        return self._store.withdraw(streams, by, at, SpeakerWithdrawn(speaker=speaker, erased=0)) if streams else 0

    def verify(self) -> list[str]:
        """Return the problems of the chains, in sentences."""
        return [finding for stream in self.lengths() for finding in self._store.verify(stream)]
