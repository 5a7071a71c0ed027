"""The detailed transcription of one utterance as a fold over its facts: text, stretches, who made it and who checked it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import assert_never, cast

import msgspec

from session.annotation.events import (
    IdentifyingMarked,
    IdentifyingUnmarked,
    NameKept,
    Pass,
    TranscriptionBegun,
    TranscriptionChecked,
    TranscriptionFact,
    TranscriptionReopened,
    TranscriptionRevised,
    TranscriptionSubmitted,
)
from session.events import Recorded, SpeakerWithdrawn
from session.events.link import Redacted
from session.values.clock import Stamp


class TranscriptState(StrEnum):
    """State of an utterance."""

    UNTOUCHED = "untouched"
    BEGUN = "begun"
    SUBMITTED = "submitted"
    CHECKED = "checked"
    REOPENED = "reopened"


class Signature(msgspec.Struct, frozen=True):
    """Signature: who and when."""

    by: str
    at: Stamp


class Stretch(msgspec.Struct, frozen=True, order=True):
    """Samples `first` up to, not including, `last` of the primary channel."""

    first: int
    last: int


class Version(msgspec.Struct, frozen=True):
    """Submitted version: the text with its marks and the stretches of sound that identify a person; `makers` wrote it."""

    text: str
    stretches: tuple[Stretch, ...]
    submitted: Signature
    checked: Signature | None = None
    makers: tuple[str, ...] = ()


class Share(msgspec.Struct, frozen=True, order=True):
    """Nanoseconds that one person has given to one pass."""

    by: str
    during: Pass
    worked: int


class Transcript(msgspec.Struct, frozen=True):
    """`events` is the number of the last fact; `authors` have made the text that is here, counted since it was last reopened
    unless it is what it was then; `shares` say who worked how long; `version` is what is in force; `reason` and `reopened`
    say why and by whom it was last reopened; `erased` says that its speaker has withdrawn."""

    state: TranscriptState = TranscriptState.UNTOUCHED
    events: int = 0
    utterance: str = ""
    take: str = ""
    rate: int = 0
    text: str = ""
    during: Pass = Pass.WORDS
    spans: dict[str, Stretch] = {}
    authors: tuple[str, ...] = ()
    revisions: int = 0
    shares: tuple[Share, ...] = ()
    version: Version | None = None
    reason: str = ""
    reopened: str = ""
    erased: bool = False

    @property
    def worked(self) -> int:
        """Nanoseconds of attention by everybody together."""
        return sum(share.worked for share in self.shares)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The stretches of sound that identify a person, in order."""
        return tuple(sorted(self.spans.values()))


def fold(facts: Iterable[Recorded]) -> Transcript:
    """The transcription after these facts."""
    found = Transcript()
    for fact in facts:
        found = evolve(found, fact)
    return found


def evolve(before: Transcript, recorded: Recorded) -> Transcript:
    """The transcription after one more fact."""
    event, by = cast(TranscriptionFact, recorded.event), recorded.by
    after = msgspec.structs.replace(before, events=recorded.seq)
    match event:
        case TranscriptionBegun(utterance=utterance, take=take, text=text, rate=rate):
            return _with(after, state=TranscriptState.BEGUN, utterance=utterance, take=take, text=text, rate=rate)
        case TranscriptionRevised(text=text, during=during, worked=worked):
            after = _shared(after, by, during, worked)
            return _with(_by(after, by), text=text, during=during, revisions=after.revisions + 1)
        case IdentifyingMarked(span=span, first=first, last=last, worked=worked):
            spans = before.spans | {span: Stretch(first, last)}
            return _with(_by(_shared(after, by, before.during, worked), by), spans=spans)
        case IdentifyingUnmarked(span=span, worked=worked):
            spans = {name: stretch for name, stretch in before.spans.items() if name != span}
            return _with(_by(_shared(after, by, before.during, worked), by), spans=spans)
        case TranscriptionSubmitted(worked=worked):
            return _submitted(_shared(after, by, before.during, worked), Signature(by, recorded.at))
        case TranscriptionChecked(worked=worked):
            return _checked(_shared(after, by, Pass.CHECK, worked), Signature(by, recorded.at))
        case TranscriptionReopened(reason=reason):
            return _with(
                after, state=TranscriptState.REOPENED, reason=reason, reopened=by, authors=(), during=Pass.WORDS
            )
        case NameKept():
            return after
        case SpeakerWithdrawn() | Redacted():
            return Transcript(events=recorded.seq, erased=True)
        case _:
            assert_never(event)


def _submitted(after: Transcript, signed: Signature) -> Transcript:
    """Return what is reopened and submitted with nothing changed is still the work of those who made it, anyone who sends it
    on."""
    old = after.version
    if after.state is TranscriptState.REOPENED and old and (old.text, old.stretches) == (after.text, after.stretches):
        version = msgspec.structs.replace(old, checked=None)
    else:
        after = _by(after, signed.by)
        version = Version(after.text, after.stretches, signed, makers=after.authors)
    return _with(after, state=TranscriptState.SUBMITTED, version=version, authors=version.makers, during=Pass.CHECK)


def _checked(after: Transcript, signed: Signature) -> Transcript:
    submitted = after.version.submitted if after.version else signed
    version = Version(after.text, after.stretches, submitted, signed, after.authors)
    return _with(after, state=TranscriptState.CHECKED, version=version)


def _with(transcript: Transcript, **changes: object) -> Transcript:
    changed: Transcript = msgspec.structs.replace(transcript, **changes)
    return changed


def _by(transcript: Transcript, person: str) -> Transcript:
    """A checker's corrections do not make an author: the check is by the second person, whatever that person corrects."""
    if person in transcript.authors or transcript.state is TranscriptState.SUBMITTED:
        return transcript
    return _with(transcript, authors=(*transcript.authors, person))


def _shared(transcript: Transcript, by: str, during: Pass, worked: int) -> Transcript:
    sums = {(share.by, share.during): share.worked for share in transcript.shares}
    if worked:
        sums[by, during] = sums.get((by, during), 0) + worked
    return _with(transcript, shares=tuple(Share(*key, total) for key, total in sorted(sums.items())))
