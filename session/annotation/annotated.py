"""One person's annotation of one utterance as a fold over its facts, and the names of the streams in which such facts lie."""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import structs

from session.annotation.annotation_facts import (
    Annotation,
    AnnotationBegun,
    AnnotationChecked,
    AnnotationReopened,
    AnnotationRevised,
    AnnotationSubmitted,
)
from session.annotation.transcript import Signature, TranscriptState
from session.events import Recorded, SpeakerWithdrawn
from session.events.link import Redacted

ANNOTATION, PROPOSAL, RULING = "annotation", "proposal", "ruling"
DOUBLES, PRINCIPLES, SCORES = "annotation-doubles", "annotation-principles", "annotation-scores"


class StreamName(NamedTuple):
    """A stream about an utterance: whose work of which kind it is; `who` is empty for rulings."""

    kind: str
    utterance: str
    who: str
    take: str

    def __str__(self) -> str:
        return "/".join(part for part in self if part)

    @classmethod
    def parse(cls, stream: str) -> "StreamName | None":
        """The parts of a stream's name; None for one that is about something else.

        >>> StreamName.parse("annotation/8k8011sx/anna/01JD3").who
        'anna'
        """
        kind, *parts = stream.split("/")
        if kind == RULING and len(parts) == 2:
            return cls(kind, parts[0], "", parts[1])
        if kind in (ANNOTATION, PROPOSAL) and len(parts) == 3:
            return cls(kind, *parts)
        return None


class Annotated(msgspec.Struct, frozen=True):
    """`earlier` are the annotations that undo goes back to; `by` made it; `worked` and `checking` are nanoseconds."""

    state: TranscriptState = TranscriptState.UNTOUCHED
    events: int = 0
    by: str = ""
    annotation: Annotation = Annotation()
    earlier: tuple[Annotation, ...] = ()
    proposal: str = ""
    principles: str = ""
    digest: str = ""
    submitted: Signature | None = None
    checked: Signature | None = None
    reason: str = ""
    worked: int = 0
    checking: int = 0
    erased: bool = False

    @property
    def done(self) -> bool:
        """Return whether its maker has finished it."""
        return self.state in (TranscriptState.SUBMITTED, TranscriptState.CHECKED)


def fold(facts: Iterable[Recorded]) -> Annotated:
    """The annotation after these facts."""
    found = Annotated()
    for fact in facts:
        found = evolve(found, fact)
    return found


def evolve(before: Annotated, recorded: Recorded) -> Annotated:
    """The annotation after one more fact."""
    after = structs.replace(before, events=recorded.seq)
    event: object = recorded.event
    match event:
        case AnnotationBegun():
            return structs.replace(after, state=TranscriptState.BEGUN, by=recorded.by)
        case AnnotationRevised(annotation=annotation, worked=worked, proposal=proposal, undone=undone):
            step = () if annotation == before.annotation else (before.annotation,)  # nothing to undo otherwise
            earlier = before.earlier[:-1] if undone else (*before.earlier, *step)
            return structs.replace(
                after,
                state=before.state
                if before.state in (TranscriptState.BEGUN, TranscriptState.REOPENED)
                else TranscriptState.BEGUN,
                by=before.by or recorded.by,
                annotation=annotation,
                earlier=earlier,
                proposal=proposal or before.proposal,
                worked=before.worked + worked,
            )
        case AnnotationSubmitted(principles=version, digest=digest, worked=worked):
            return structs.replace(
                after,
                state=TranscriptState.SUBMITTED,
                principles=version,
                digest=digest,
                submitted=Signature(recorded.by, recorded.at),
                checked=None,
                worked=before.worked + worked,
            )
        case AnnotationChecked(worked=worked):
            signed = Signature(recorded.by, recorded.at)
            return structs.replace(
                after, state=TranscriptState.CHECKED, checked=signed, checking=before.checking + worked
            )
        case AnnotationReopened(reason=reason):
            return structs.replace(after, state=TranscriptState.REOPENED, reason=reason, checked=None)
        case SpeakerWithdrawn() | Redacted():
            return Annotated(events=recorded.seq, erased=True)
        case _:
            return after
