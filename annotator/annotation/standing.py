"""State of every utterance's annotation: the one in force, open work by person, and cases to be ruled.

An annotation is in force when a second person has checked it, when two made it independently and agree, or when it was ruled. All
else is nobody's yet and is never released. What rests on a principle that has changed since goes back into the queue.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

import msgspec
from msgspec import structs

from annotator.annotation.annotation_rules import pointers, sentences
from annotator.annotation.exclusion_reasons import DEPENDS
from domain.principles import PrincipleSet, changed
from evaluation.references.request_readings import Query, unevaluable
from session.annotation.annotated import ANNOTATION, PROPOSAL, Annotated, StreamName, fold
from session.annotation.annotation_facts import (
    Annotation,
    AnnotationProposed,
    AnnotationRuled,
    ChangeRequested,
)
from session.annotation.store import Work
from session.annotation.transcript import Signature, TranscriptState
from session.events import Recorded, SpeakerWithdrawn
from session.events.link import Redacted
from session.values.names import StemName

Meant = Callable[[str, Annotation], Hashable]
"""The meaning of what an annotation of a take says: two wordings of one statement are no disagreement."""


def worded(_: str, annotation: Annotation) -> Hashable:
    """The meaning as far as it can be told without a database: the wording."""
    return tuple(sorted(sentences(annotation)))


SETTINGS = ("yes_no", "arithmetic", "readings", "identifiers", "maximum")
"""What a set of principles decides as a whole: a change bears on every annotation."""


class Waits(StrEnum):
    """Next step that an utterance waits for."""

    NOBODY = "in force"
    ANNOTATOR = "to be annotated"
    SECOND = "a second independent annotation"
    CHECK = "a check by another person"
    RULING = "a ruling"


class Ruling(msgspec.Struct, frozen=True):
    """A ruling with who gave it, its number among those of the utterance, the principles that it rests on, and the nanoseconds
    that it took."""

    annotation: Annotation
    reason: str
    signed: Signature
    principles: str
    number: int
    worked: int = 0


class UtteranceAnnotations(msgspec.Struct, frozen=True):
    """One utterance: the annotations by who made them, proposals by source, requests not yet ruled, rulings in their order.

    `final` is what is in force; `why` says what has to be ruled; `dependent` names the queries through which it is X."""

    utterance: str
    take: str
    held: Mapping[str, Annotated] = {}
    proposals: Mapping[str, Annotation] = {}
    requests: tuple[ChangeRequested, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    waits: Waits = Waits.ANNOTATOR
    final: Annotation | None = None
    principles: str = ""
    why: str = ""
    doubled: bool = False
    dependent: str = ""

    @property
    def independent_done(self) -> bool:
        """Return whether everybody who works on it without seeing the others has finished."""
        return all(held.done for held in self.held.values()) and len(self.held) >= (2 if self.doubled else 1)

    @property
    def evaluation(self) -> str:
        """The class in force: X for what depends on an X; empty if nothing is in force."""
        return "X" if self.dependent else self.final.evaluation if self.final else ""


def standings(
    work: Work,
    doubles: Iterable[str],
    sets: Sequence[PrincipleSet] = (),
    meant: Meant = worded,
    only: Iterable[str] | None = None,
) -> dict[str, UtteranceAnnotations]:
    """The standing of every utterance about which anything is recorded, by take; `doubles` are the takes that two people annotate
    independently, `sets` the principles that were adopted, the present ones last; `only` are the streams to look at, by default
    all. Raises what the store raises."""
    doubled = {*doubles}
    found: dict[str, UtteranceAnnotations] = {}
    wanted = {
        stream: name for stream in (work.lengths() if only is None else only) if (name := StreamName.parse(stream))
    }
    gone: set[str] = set()
    for stream, facts in work.read_many(list(wanted)):
        name = wanted[stream]
        if any(isinstance(fact.event, SpeakerWithdrawn | Redacted) for fact in facts):
            gone.add(name.take)
            continue
        before = found.get(name.take, UtteranceAnnotations(name.utterance, name.take, doubled=name.take in doubled))
        found[name.take] = _with(before, name, facts)
    return {take: _placed(one, sets, meant) for take, one in found.items() if take not in gone}


def _with(before: UtteranceAnnotations, name: StreamName, facts: Sequence[Recorded]) -> UtteranceAnnotations:
    if name.kind == ANNOTATION:
        held = fold(facts)
        return structs.replace(before, held={**before.held, held.by or name.who: held}) if held.events else before
    if name.kind == PROPOSAL:
        made = [fact.event.annotation for fact in facts if isinstance(fact.event, AnnotationProposed)]
        return structs.replace(before, proposals={**before.proposals, name.who: made[-1]})
    requests: tuple[ChangeRequested, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    for fact in facts:
        event: object = fact.event
        if isinstance(event, ChangeRequested):
            requests = (*requests, event)
        elif isinstance(event, AnnotationRuled):
            requests = ()
            signed = Signature(fact.by, fact.at)
            number = len(rulings) + 1
            ruling = Ruling(event.annotation, event.reason, signed, event.principles, number, event.worked)
            rulings = (*rulings, ruling)
    return structs.replace(before, requests=requests, rulings=rulings)


def _placed(one: UtteranceAnnotations, sets: Sequence[PrincipleSet], meant: Meant) -> UtteranceAnnotations:
    """Return the standing with what follows from all that was done."""
    final, version, why = _in_force(one, meant)
    if final is not None and (touched := touched_by(final, version, sets)):
        final, why = None, f"made under {version}, since when changed: {', '.join(touched)}"
    if one.requests and not why:
        why = "; ".join(f"{request.site}: {request.request}" for request in one.requests)
    waits = _waits(one, final, why)
    return structs.replace(
        one, final=final if waits is Waits.NOBODY else None, waits=waits, principles=version, why=why
    )


def _in_force(one: UtteranceAnnotations, meant: Meant) -> tuple[Annotation | None, str, str]:
    if one.rulings:
        last = one.rulings[-1]
        return last.annotation, last.principles, ""
    done = [held for held in one.held.values() if held.done]
    if len(one.held) > 1 and len(done) == len(one.held):
        differences = differ([held.annotation for held in done], lambda said: meant(one.take, said))
        if differences:
            return None, "", f"{' and '.join(sorted(held.by for held in done))} differ in {', '.join(differences)}"
        first = min(done, key=lambda held: held.by)
        return merged([held.annotation for held in done]), first.principles, ""
    checked = next((held for held in done if held.state is TranscriptState.CHECKED), None)
    if checked is not None and not one.doubled:
        return checked.annotation, checked.principles, ""
    return None, "", ""


def _waits(one: UtteranceAnnotations, final: Annotation | None, why: str) -> Waits:
    if why:
        return Waits.RULING
    if final is not None:
        return Waits.NOBODY
    done = [held for held in one.held.values() if held.done]
    if len(one.held) > 1 or one.doubled:
        return Waits.SECOND if one.held else Waits.ANNOTATOR
    return Waits.CHECK if done else Waits.ANNOTATOR


def differ(annotations: Sequence[Annotation], meant: Callable[[Annotation], Hashable]) -> list[str]:
    """Return the differences of two or more annotations in the released parts."""

    def one_of(what: object) -> bool:
        return len({repr(what(annotation)) for annotation in annotations}) > 1  # type: ignore[operator]

    views = {
        "class": lambda one: one.evaluation,
        "reason": lambda one: (one.reason, one.detail) if one.evaluation == "X" else "",
        "context": lambda one: sorted(pointers(one)),
        "tags": lambda one: sorted({*one.tags, *(tag for reading in one.readings for tag in reading.tags)}),
        "readings": lambda one: sorted(sentences(one)) if one.evaluation != "X" else "",
    }
    if one_of(views["readings"]):
        views["readings"] = lambda one: meant(one) if one.evaluation != "X" else ""
    return [name for name, view in views.items() if one_of(view)]


def merged(annotations: Sequence[Annotation]) -> Annotation:
    """Annotations that say the same, as one with all citations and site tags."""
    cited = dict.fromkeys(number for one in annotations for number in one.cited)
    tags = dict.fromkeys(tag for one in annotations for tag in one.site_tags)
    return structs.replace(annotations[0], cited=tuple(cited), site_tags=tuple(tags))


def touched_by(annotation: Annotation, version: str, sets: Sequence[PrincipleSet]) -> list[str]:
    """The principles and settings that an annotation of this version rests on and that have changed up to the present set."""
    if not sets or not version or version == sets[-1].version:
        return []
    before = next((one for one in sets if one.version == version), None)
    if before is None:
        return []
    settings = [name for name in SETTINGS if getattr(before, name) != getattr(sets[-1], name)]
    if annotation.evaluation == "X":
        settings = []
    return settings + [number for number in changed(before, sets[-1]) if number in annotation.cited]


def with_dependents(
    found: Mapping[str, UtteranceAnnotations], order: Iterable[Sequence[tuple[str, str]]]
) -> dict[str, UtteranceAnnotations]:
    """The standings in which whatever depends on an X is X, and what was X through its context alone waits for a ruling where
    that is X no more; `order` has names and takes of each subject-scenario."""
    after = dict(found)
    for scenario in order:
        freed: dict[str, str] = {}
        while more := dict(_freed(after | _depending(after, scenario), scenario, freed)):
            for take, why in more.items():
                after[take] = structs.replace(after[take], final=None, waits=Waits.RULING, why=why)
            freed |= more
        after |= _depending(after, scenario)
    return after


Scenario = Sequence[tuple[str, str]]


def _freed(
    found: Mapping[str, UtteranceAnnotations], scenario: Scenario, before: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Takes, with the reason, of what is X through its context alone although a query that gives it is not X."""
    takes = {f"Q{number_of(stem)}": take for stem, take in scenario}
    for _, take in scenario:
        one = found.get(take)
        if one is None or one.final is None or one.final.evaluation != "X" or one.final.reason != DEPENDS:
            continue
        given = [name for name in sorted(pointers(one.final)) if name in takes and takes[name] in found]
        usable = [name for name in given if takes[name] in before or found[takes[name]].evaluation not in ("", "X")]
        if usable:
            yield take, f"{DEPENDS} no more: {', '.join(usable)}"


def _depending(found: Mapping[str, UtteranceAnnotations], scenario: Scenario) -> dict[str, UtteranceAnnotations]:
    """The standings of a subject-scenario with what follows from an X."""
    after = {take: structs.replace(found[take], dependent="") for _, take in scenario if take in found}
    queries = []
    for stem, take in scenario:
        one = found.get(take)
        final = one.final if one is not None else None
        context = tuple(sorted(pointers(final))) if final else ()
        tags = {*final.tags, *(tag for reading in final.readings for tag in reading.tags)} if final else set()
        category = final.evaluation if final else ""
        queries.append(Query(f"Q{number_of(stem)}", category, context, "responding" in tags))
    known = {query.name for query in queries}
    usable = [
        structs.replace(query, context=tuple(name for name in query.context if name in known)) for query in queries
    ]
    gone = unevaluable(usable)
    for (_, take), query in zip(scenario, queries, strict=True):
        if take in after and query.category != "X" and query.name in gone:
            after[take] = structs.replace(after[take], dependent=gone[query.name])
    return after


def number_of(stem: str) -> int:
    """The number of an utterance in its subject-scenario."""
    return StemName.parse(stem).utterance
