"""The facts of annotation: what somebody says an utterance means, who checked it, what sites ask for, and how it was ruled.

Every annotator has a stream of their own for an utterance, so that nobody sees another's work before it is finished, two who work
apart on copies lose nothing, and a judgement is always somebody's.
"""

import msgspec

from session.events.base import Event


class Interpretation(msgspec.Struct, frozen=True):
    """One interpretation: the sentence for the front end, its tags, the earlier queries of which any one gives its context."""

    sentence: str = ""
    tags: tuple[str, ...] = ()
    context: tuple[str, ...] = ()


class Annotation(msgspec.Struct, frozen=True):
    """Everything that is said of an utterance. `evaluation` is the class of 1992, `grade` the category of 1989; `reason` and
    `detail` say by code why it is excluded; `site_tags` are a site's own; `cited` are principles by number."""

    evaluation: str = ""
    grade: str = ""
    tags: tuple[str, ...] = ()
    site_tags: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    readings: tuple[Interpretation, ...] = (Interpretation(),)
    reason: str = ""
    detail: str = ""
    cited: tuple[str, ...] = ()
    note: str = ""


class AnnotationBegun(Event, frozen=True):
    """A person opened an utterance to annotate it."""

    utterance: str
    take: str


class AnnotationRevised(Event, frozen=True):
    """Another annotation, whole; `proposal` names the source that it was taken over from, `undone` that a step was taken back."""

    annotation: Annotation
    worked: int
    proposal: str = ""
    undone: bool = False


class AnnotationSubmitted(Event, frozen=True):
    """The last annotation is what its maker holds to be right under this version of the principles."""

    principles: str
    digest: str
    worked: int = 0


class AnnotationChecked(Event, frozen=True):
    """A second person has looked at it and agrees."""

    worked: int = 0


class AnnotationReopened(Event, frozen=True):
    """It is to be worked on again."""

    reason: str


class AnnotationProposed(Event, frozen=True):
    """A program, or an older file, proposes an annotation: nobody's work until a person takes it over."""

    utterance: str
    source: str
    annotation: Annotation


class ChangeRequested(Event, frozen=True):
    """A site, or who checks, asks for another annotation, with evidence; `wanted` may be left open."""

    utterance: str
    site: str
    request: str
    evidence: str
    wanted: Annotation | None = None


class AnnotationRuled(Event, frozen=True):
    """The ruling over a disagreement or a request: what holds from now on, why, and under which principles."""

    utterance: str
    annotation: Annotation
    reason: str
    principles: str
    digest: str
    worked: int = 0


class DoublesDrawn(Event, frozen=True):
    """The sessions of which two people annotate every utterance independently."""

    share: float
    seed: int
    sessions: tuple[str, ...]


class PrinciplesAdopted(Event, frozen=True):
    """The set of principles that annotators obey from now on; `content` is the whole of it, as JSON."""

    name: str
    version: str
    digest: str
    content: str


class ScoresKept(Event, frozen=True):
    """The scores of a system as they were under the first so many rulings; `outcomes` are verdicts by utterance, `answers` the
    system's answers where they are others than before."""

    rulings: int
    scores: str
    system: str = ""
    answers: str = ""
    outcomes: tuple[tuple[str, str], ...] = ()


AnnotationFact = (
    AnnotationBegun
    | AnnotationRevised
    | AnnotationSubmitted
    | AnnotationChecked
    | AnnotationReopened
    | AnnotationProposed
    | ChangeRequested
    | AnnotationRuled
    | DoublesDrawn
    | PrinciplesAdopted
    | ScoresKept
)
