"""Agreement of annotators over what they annotated independently: by class, tags, reading and answer.

Two readings agree when their SQL is the same, two answers when they have the same rows, whatever the SQL: the Comparator decides.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence

from annotator.annotation.annotation_rules import pointers
from annotator.annotation.sentence_reader import SentenceReader
from annotator.annotation.standing import UtteranceAnnotations
from corpus.formats.cas import Answer, parse
from evaluation.agreement.coefficients import Agreement, agreement
from evaluation.comparator.comparison import Verdict, compare
from evaluation.references.make_references import RefusedRequest
from evaluation.references.sql_from_sentences import NotUnderstood
from session.annotation.annotation_facts import Annotation

Rows = list[list[Hashable]]


def agreements(
    found: Mapping[str, UtteranceAnnotations],
    session_of: Mapping[str, str],
    day_of: Mapping[str, str],
    reader: SentenceReader | None,
    seed: int = 1,
) -> list[Agreement]:
    """The agreement over all utterances that two or more have finished independently; sessions are by take, as are days."""
    several = [one for one in found.values() if sum(held.done for held in one.held.values()) > 1]
    raters = sorted({name for one in several for name, held in one.held.items() if held.done})
    views: dict[str, Callable[[UtteranceAnnotations], Mapping[str, Hashable]]] = {
        "class": lambda one: _said(one, lambda annotation: annotation.evaluation),
        "category of 1989": lambda one: _said(one, lambda annotation: annotation.grade or None),
        "context": lambda one: _said(one, lambda annotation: " ".join(sorted(pointers(annotation)))),
        "tags": lambda one: _said(one, lambda annotation: " ".join(sorted(_tags(annotation)))),
    }
    if reader is not None:
        views["reading"] = lambda one: _said(one, lambda said: reader.meaning(said, day_of.get(one.take, "")))
        views["answer"] = lambda one: _answers(one, reader, day_of.get(one.take, ""))
    return [agreement(name, raters, _clusters(several, raters, session_of, view), seed) for name, view in views.items()]


def _clusters(
    several: Sequence[UtteranceAnnotations],
    raters: Sequence[str],
    session_of: Mapping[str, str],
    view: Callable[[UtteranceAnnotations], Mapping[str, Hashable]],
) -> list[Rows]:
    clusters: dict[str, Rows] = {}
    for one in several:
        labels = view(one)
        clusters.setdefault(session_of.get(one.take, ""), []).append([labels.get(rater) for rater in raters])
    return list(clusters.values())


def _said(one: UtteranceAnnotations, what: Callable[[Annotation], Hashable]) -> dict[str, Hashable]:
    return {name: what(held.annotation) for name, held in one.held.items() if held.done}


def _tags(annotation: Annotation) -> set[str]:
    return {*annotation.tags, *(tag for reading in annotation.readings for tag in reading.tags)}


def _answers(one: UtteranceAnnotations, reader: SentenceReader, day: str) -> dict[str, Hashable]:
    """Label the answers so that those with the same rows have the same label."""
    known: list[Answer] = []
    labels: dict[str, Hashable] = {}
    for name, held in one.held.items():
        if not held.done:
            continue
        if held.annotation.evaluation == "X":
            labels[name] = "X"
            continue
        try:
            answer = parse(reader.files(held.annotation, day)["ref"].decode())
        except (NotUnderstood, RefusedRequest):
            labels[name] = f"none by {name}"
            continue
        at = next((at for at, other in enumerate(known) if same_rows(answer, other)), len(known))
        known += [answer] if at == len(known) else []
        labels[name] = at
    return labels


def same_rows(one: Answer, other: Answer) -> bool:
    """Return whether two reference answers have the same alternatives, each with the same rows."""
    return len(one.alternatives) == len(other.alternatives) and all(
        any(_equal(mine, theirs) for theirs in other.alternatives) for mine in one.alternatives
    )


def _equal(mine: object, theirs: object) -> bool:
    first, second = Answer((mine,)), Answer((theirs,))  # type: ignore[arg-type]
    return compare(first, second).verdict is Verdict.CORRECT and compare(second, first).verdict is Verdict.CORRECT
