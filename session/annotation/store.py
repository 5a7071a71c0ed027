"""`work.sqlite`: where transcriptions and other later work lie, beside the corpora and independent of any one export.

A thin front over the event store, so that chain, erasure and the refusal of a second writer hold here as in a session. A stream
is named `transcription/<utterance>/<take>`: the utterance for people, the take because it is unique everywhere. The names that
stay masked when who marked them has withdrawn are in streams that begin with `names`.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

from msgspec import structs

from session.annotation.events import WORK, NameKept, TranscriptionChecked, TranscriptionSubmitted, WorkFact
from session.annotation.transcript import State, Transcript, fold
from session.events import Fact, Recorded, SpeakerWithdrawn
from session.store.event_store import Entry, SecondWriter, Store
from session.values.clock import Stamp

WORK_FILE = "work.sqlite"
LOG_FILE = "transcription.log"
"""Beside it: what libraries and failures of the desk have written, perhaps with words of an utterance."""
TRANSCRIPTION = "transcription"
NAMES = "names"

_DONE = {
    TranscriptionSubmitted.__name__: Transcript(state=State.SUBMITTED),
    TranscriptionChecked.__name__: Transcript(state=State.CHECKED),
    SpeakerWithdrawn.__name__: Transcript(erased=True),
}
"""How far a transcription is behind a fact of which that can be said."""


def work_path(corpus: Path) -> Path:
    """Where the work on a corpus is kept: beside it, where it outlives each export.

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
    """Those of `streams` that are about an utterance's transcription."""
    return [stream for stream in streams if stream.startswith(f"{TRANSCRIPTION}/")]


class Work:
    """The later work beside some corpora; raises what `Store` raises."""

    def __init__(self, path: Path) -> None:
        self._store = Store(f"sqlite:///{path}", WORK)

    def close(self) -> None:
        """Give the file back."""
        self._store.close()

    def read(self, stream: str) -> list[Recorded]:
        """All facts of one item."""
        return self._store.read(stream)

    def append(self, stream: str, after: int, facts: Sequence[WorkFact], at: Stamp, by: str) -> list[Recorded]:
        """Record what `by` has done; raises SecondWriter when the item has gone on since fact `after`."""
        return self._store.append(stream, after, [Entry(at, by, "", cast(Fact, fact)) for fact in facts])

    def take_over(self, stream: str, recorded: Iterable[Recorded]) -> None:
        """Record what people did elsewhere, as of then and as theirs, all or nothing; raises SecondWriter for an item that
        somebody has begun here."""
        self._store.append(stream, 0, [Entry(each.at, each.by, each.cause, each.event) for each in recorded])

    def transcripts(self) -> Iterator[Transcript]:
        """All transcriptions that were ever begun, by utterance; those of people who withdrew are left out."""
        return (found for _, found in self.folded() if not found.erased)

    def folded(self, streams: Iterable[str] | None = None) -> Iterator[tuple[str, Transcript]]:
        """The transcriptions of these streams, or of all, each by its stream; on what was erased nobody may work again, whatever
        corpus still has it."""
        wanted = transcription_streams(self.lengths() if streams is None else streams)
        return ((stream, fold(facts)) for stream, facts in self._store.read_many(wanted))

    def at_a_glance(self) -> dict[str, Transcript]:
        """How far every transcription is, by take: of what is finished or erased no more than that, for to read all of it takes a
        moment in a large corpus."""
        lasts = self._store.lasts()
        streams = transcription_streams(lasts)
        done = {stream: _DONE[lasts[stream][1]] for stream in streams if lasts[stream][1] in _DONE}
        told = {take_of(stream): structs.replace(far, events=lasts[stream][0]) for stream, far in done.items()}
        return told | {
            take_of(stream): far for stream, far in self.folded(each for each in streams if each not in done)
        }

    def lengths(self) -> dict[str, int]:
        """How many facts each stream has: whether anybody has worked on something since."""
        return self._store.lengths()

    def keep_names(self, names: Sequence[NameKept], at: Stamp, by: str) -> None:
        """Record words that stay masked, whoever withdraws."""
        if names:
            stream = (self._names_streams() or [NAMES])[-1]
            self.append(stream, len(self.read(stream)), names, at, by)

    def keep_only(self, names: Sequence[NameKept], speaker: str, at: Stamp, by: str) -> None:
        """Erase all such words but these. They are written to a stream of their own first: a crash in between forgets no mask."""
        streams = self._names_streams()
        if names:
            self.append(f"{NAMES}/{len(streams) + 1}", 0, names, at, by)
        if streams:
            self._store.withdraw(streams, by, at, SpeakerWithdrawn(speaker=speaker, erased=0))

    def kept(self, streams: Iterable[str] | None = None) -> list[NameKept]:
        """What was recorded of words that stay masked; `streams` are all there are, where they are known."""
        facts = (each.event for stream in self._names_streams(streams) for each in self.read(stream))
        return [fact for fact in facts if isinstance(fact, NameKept)]

    def names(self, streams: Iterable[str] | None = None) -> list[tuple[str, ...]]:
        """The words that stay masked, whoever withdraws; `streams` as for `kept`."""
        return [each.words for each in self.kept(streams)]

    def _names_streams(self, streams: Iterable[str] | None = None) -> list[str]:
        known = self.lengths() if streams is None else streams
        found = [stream for stream in known if stream.partition("/")[0] == NAMES]
        return sorted(found, key=lambda stream: int(stream.partition("/")[2] or "0"))

    def streams_of(self, speaker: str, takes: Container[str] | None = None) -> list[str]:
        """Every stream about an utterance of this speaker, or those of some takes."""
        named = [(stream, stream.split("/")) for stream in self.lengths()]
        return [
            stream
            for stream, parts in named
            if len(parts) == 3 and parts[1].startswith(speaker) and (takes is None or parts[2] in takes)
        ]

    def named(self, utterances: Container[str]) -> dict[str, str]:
        """Takes and names of what is recorded of utterances of these names. Where something of the name was erased, or shut, the
        person has left this work already, and what there is besides is a namesake's."""
        lasts = self._store.lasts()
        streams = {stream: stream.split("/") for stream in transcription_streams(lasts)}
        gone = {parts[1] for stream, parts in streams.items() if lasts[stream][1] == SpeakerWithdrawn.__name__}
        return {take: name for _, name, take in streams.values() if name in utterances and name not in gone}

    def speakers_of(self, takes: Container[str]) -> set[str]:
        """The ids under which anything is recorded of these takes: several where one of the corpora was renamed."""
        named = (stream.split("/") for stream in transcription_streams(self.lengths()))
        return {utterance[:3] for _, utterance, take in named if take in takes}

    def shut(self, speaker: str, utterances: Mapping[str, str], at: Stamp, by: str) -> None:
        """From now on nobody records a word of these utterances, which are named by their takes and of which nothing is recorded
        yet: not even who has one in hand, for the first fact of each is there then."""
        known = self.lengths()
        for take, utterance in utterances.items():
            if (stream := stream_of(utterance, take)) not in known:
                with suppress(SecondWriter):  # somebody has just begun: it is erased with all others
                    self.append(stream, 0, [SpeakerWithdrawn(speaker=speaker, erased=0)], at, by)

    def withdraw(self, speaker: str, by: str, at: Stamp, takes: Container[str] | None = None) -> int:
        """Erase all that was typed of a speaker's utterances (or of `takes` alone); how many payloads went."""
        streams = self.streams_of(speaker, takes)
        fact = SpeakerWithdrawn(speaker=speaker, erased=0)
        return self._store.withdraw(streams, by, at, fact) if streams else 0

    def verify(self) -> list[str]:
        """What is wrong with the chains, in sentences."""
        return [finding for stream in self.lengths() for finding in self._store.verify(stream)]
