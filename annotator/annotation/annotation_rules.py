"""Rules of annotation as pure functions: requirements for submission, permissions, and implications."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import structs

from annotator.annotation.exclusion_reasons import EXCLUDING, REASONS
from annotator.rules import NotNow
from annotator.user_names import same
from corpus.formats.cat import TAGS, Category, Characteristics
from domain.principles import Principle
from session.annotation.annotated import Annotated
from session.annotation.annotation_facts import Annotation, Interpretation
from session.annotation.transcript import TranscriptState

GRADES = {"0": "A", "1": "D", "2": "D", "3": "D", "X": "X"}
"""Categories of 1989 and the class of 1992 that each maps to."""
MOST_READINGS = 6
AMBIGUOUS = "testably-ambiguous"
"""Tag of what has several readings, as figure 3 of MADCOW 1992 prints it."""


def classed(annotation: Annotation, evaluation: str) -> Annotation:
    """Another class; a category of 1989 that says otherwise goes, and A and X fix theirs. A has no context, and what is not X
    no reason with its tag."""
    grade = {"A": "0", "X": "X", "D1": "1"}.get(evaluation, annotation.grade)
    if GRADES.get(grade, "") != evaluation[:1]:
        grade = ""
    kept = annotation if evaluation == "X" else _without_reason(annotation)
    if evaluation == "A":
        readings = tuple(structs.replace(reading, context=()) for reading in kept.readings)
        kept = structs.replace(kept, context=(), readings=readings)
    return structs.replace(kept, evaluation=evaluation, grade=grade)


def _without_reason(annotation: Annotation) -> Annotation:
    reason = REASONS.get(annotation.reason)
    tags = tuple(tag for tag in annotation.tags if reason is None or tag != reason.tag)
    return structs.replace(annotation, reason="", detail="", tags=tags)


def graded(annotation: Annotation, grade: str) -> Annotation:
    """A category of 1989, and the class that follows from it."""
    return structs.replace(classed(annotation, GRADES[grade]), grade=grade)


def tagged(annotation: Annotation, tag: str) -> Annotation:
    """A tag more, or one less where it is there; what is not a tag of the specification is the site's own."""
    field = "tags" if tag in TAGS else "site_tags"
    held: tuple[str, ...] = getattr(annotation, field)
    kept = tuple(one for one in held if one != tag) if tag in held else (*held, tag)
    return structs.replace(annotation, tags=kept) if field == "tags" else structs.replace(annotation, site_tags=kept)


def pointed(annotation: Annotation, pointer: str) -> Annotation:
    """A pointer to an earlier query more, or one less; whatever has one is not class A."""
    context = annotation.context
    kept = tuple(one for one in context if one != pointer) if pointer in context else (*context, pointer)
    evaluation = "D" if annotation.evaluation in ("", "A") and kept else annotation.evaluation
    return structs.replace(classed(annotation, evaluation) if evaluation else annotation, context=kept)


def excluded(annotation: Annotation, reason: str, detail: str = "") -> Annotation:
    """X with its reason, by code, and the tag that goes with it; the tag of another reason goes."""
    before = _without_reason(annotation)
    tag = REASONS[reason].tag
    tags = before.tags if tag in before.tags else (*before.tags, tag)
    return structs.replace(classed(before, "X"), reason=reason, detail=detail, tags=tags)


def with_sentence(annotation: Annotation, at: int, sentence: str) -> Annotation:
    """Another sentence of one reading."""
    readings = list(annotation.readings)
    readings[at] = structs.replace(readings[at], sentence=" ".join(sentence.split()))
    return structs.replace(annotation, readings=tuple(readings))


YES_NO = "yes/no"


def as_yes_no(annotation: Annotation, principles: Iterable[Principle] = ()) -> Annotation:
    """A literal yes/no question: two readings of one sentence, the Boolean and the rows (principle 2.11).

    Cites those of `principles` that concern it.
    """
    sentence = annotation.readings[0].sentence
    tags = tuple(tag for tag in annotation.tags if tag not in ("yes/no", "wh-question"))
    readings = Interpretation(sentence, ("yes/no",)), Interpretation(sentence, ("wh-question",))
    resting = [principle.id for principle in principles if YES_NO in principle.concerns]
    return citing(structs.replace(annotation, tags=tags, readings=readings), resting)


def pointers(annotation: Annotation) -> set[str]:
    """Return all earlier queries that are pointed to."""
    return {*annotation.context, *(one for reading in annotation.readings for one in reading.context)}


def sentences(annotation: Annotation) -> tuple[str, ...]:
    """The lines of the `.win`: one a reading, one for two that differ only in that one asks yes or no."""
    found = tuple(reading.sentence for reading in annotation.readings if reading.sentence)
    return found[:1] if len(set(found)) == 1 and len(found) == 2 else found


def lacks(annotation: Annotation, earlier: Sequence[str]) -> list[str]:
    """Return the problems to correct before submission, in sentences; `earlier` are the queries before, such as Q1."""
    found: list[str] = []
    if not annotation.evaluation:
        return ["It has no class: A, D or X, or 0 to 3"]
    if strangers := sorted(pointers(annotation) - {*earlier}):
        found.append(f"{', '.join(strangers)} did not come before it")
    if annotation.evaluation == "X":
        return found if annotation.reason in REASONS else [*found, "X has no reason: R"]
    if GRADES.get(annotation.grade, annotation.evaluation[:1]) != annotation.evaluation[:1]:
        found.append(f"class {annotation.evaluation} is not what category {annotation.grade} of 1989 maps to")
    if annotation.evaluation in ("D", "D1") and not pointers(annotation):
        found.append("It depends on its context: point to the query that gives it with C")
    if annotation.evaluation == "A" and pointers(annotation):
        found.append("Class A has no context")
    if telling := sorted(EXCLUDING & {*annotation.tags}):
        found.append(f"{', '.join(telling)} leads to X")
    if len(annotation.readings) > MOST_READINGS:
        found.append(f"More than {MOST_READINGS} readings are hopelessly vague: X")
    if not all(reading.sentence for reading in annotation.readings):
        found.append("A reading has no sentence: W")
    return found


def category_of(annotation: Annotation, principles: str = "", dependent: str = "") -> Category:
    """The `.cat`; what its grammar has no place for is in comments. `dependent` says what makes it X all the same."""
    comments = [f"principles {principles}: {' '.join(annotation.cited)}"] if principles and annotation.cited else []
    comments += [f"principles-version {principles}"] if principles and not annotation.cited else []
    comments += [f"category-1989 {annotation.grade}"] if annotation.grade else []
    comments += [f"site-tags {' '.join(annotation.site_tags)}"] if annotation.site_tags else []
    comments += [f"reason {annotation.reason}" + (f" / {annotation.detail}" if annotation.detail else "")] * bool(
        annotation.reason
    )
    comments += [" ".join(annotation.note.split())] * bool(annotation.note)
    comments += [dependent] * bool(dependent)
    evaluation = "X" if dependent else annotation.evaluation
    parts: tuple[tuple[int, Characteristics], ...] = ()
    if len(annotation.readings) > 1 and evaluation != "X":
        parts = tuple(
            (number, Characteristics(one.tags, one.context or annotation.context))
            for number, one in enumerate(annotation.readings, start=1)
        )
        ambiguous = () if AMBIGUOUS in annotation.tags else (AMBIGUOUS,)
        chars = Characteristics((*annotation.tags, *ambiguous))
    else:
        tags = dict.fromkeys((*annotation.tags, *(tag for one in annotation.readings for tag in one.tags)))
        chars = Characteristics(tuple(tags), tuple(sorted(pointers(annotation), key=lambda one: (len(one), one))))
    if evaluation != "A" and not (chars.tags or chars.context or parts):
        chars = structs.replace(chars, tags=("unanswerable",) if evaluation == "X" else ("wh-question",))
    return Category(evaluation, chars, parts, tuple(comments))


def annotation_of(category: Category, lines: Sequence[str] = ()) -> Annotation:
    """Return the annotation in a `.cat` and the lines of a `.win`, as far as a program can read it."""
    told = {key: rest for key, _, rest in (comment.partition(" ") for comment in category.comments)}
    reason, _, detail = told.get("reason", "").partition(" / ")
    known = {"principles", "principles-version", "category-1989", "site-tags", "reason"}
    cited = told.get("principles", "").partition(":")[2].split()
    parts = [one for _, one in category.interpretations] or [Characteristics()]
    said = [*lines, *([lines[0]] * (len(parts) - 1) if len(lines) == 1 else [])] or [""] * len(parts)
    parts += [Characteristics()] * (len(said) - len(parts))
    by_tag = next((code for code, one in REASONS.items() if one.tag in category.utterance.tags), "")
    return Annotation(
        evaluation=category.evaluation,
        grade=told.get("category-1989", "") if told.get("category-1989", "") in GRADES else "",
        tags=category.utterance.tags,
        site_tags=tuple(told.get("site-tags", "").split()),
        context=category.utterance.context,
        readings=tuple(
            Interpretation(sentence, one.tags, one.context) for sentence, one in zip(said, parts, strict=False)
        ),
        reason=(reason if reason in REASONS else by_tag) if category.evaluation == "X" else "",
        detail=detail,
        cited=tuple(cited),
        note=" ".join(one for one in category.comments if one.partition(" ")[0] not in known),
    )


def may_work(held: Annotated, others: Mapping[str, TranscriptState], person: str, doubled: bool) -> str:
    """Empty if this person may make the annotation of their own, otherwise why not; `others` are those who have one in hand."""
    if held.events:
        return ""
    if doubled and len(others) >= 2:
        return f"Two people annotate it independently already: {', '.join(sorted(others))}"
    if not doubled and others:
        return f"{', '.join(sorted(others))} has it in hand; it waits for your check once it is submitted"
    return ""


def check_may_check(held: Annotated, person: str) -> None:
    """Raise NotNow unless this person may check that annotation."""
    if same(held.by, person):
        raise NotNow("It is your own work: a second person checks it")
    if held.state is not TranscriptState.SUBMITTED:
        raise NotNow("It is not submitted yet")


def noted(annotation: Annotation, note: str) -> Annotation:
    """Another note."""
    return structs.replace(annotation, note=" ".join(note.split()))


def cited(annotation: Annotation, number: str) -> Annotation:
    """A principle more that it rests on, or one less."""
    held = annotation.cited
    kept = tuple(one for one in held if one != number) if number in held else (*held, number)
    return structs.replace(annotation, cited=kept)


def citing(annotation: Annotation, numbers: Iterable[str], instead: Collection[str] = ()) -> Annotation:
    """The principles that the front end followed are cited, too, `instead` of those that it followed before."""
    kept = [number for number in annotation.cited if number not in instead]
    return structs.replace(annotation, cited=tuple(dict.fromkeys((*kept, *numbers))))


def with_readings(annotation: Annotation, readings: tuple[Interpretation, ...]) -> Annotation:
    """Other readings."""
    return structs.replace(annotation, readings=readings)
