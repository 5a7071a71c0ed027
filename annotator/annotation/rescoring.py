"""Scores of systems under the references in force: computed when a system is named, and again after every ruling.

A ruling makes a new version of the reference, so the scores of every system that is named are computed again, and both stay: what
a ruling did to whom can be told at any time. The answers are kept with them, and nobody has to send them twice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TextIO

from annotator.annotation.sentence_reader import SentenceReader
from annotator.annotation.standing import UtteranceAnnotations, Waits
from corpus.formats.cas import parse
from corpus.io.progress import counting
from evaluation.comparator.answer_input import read_text
from evaluation.comparator.options import Options
from evaluation.references.make_references import RefusedRequest
from evaluation.references.sql_from_sentences import NotUnderstood
from evaluation.scoring.answer_files import Faults, ScoredRequest, list_of
from evaluation.scoring.outcomes import System, score
from evaluation.scoring.report_text import percent, table
from session.annotation.annotated import RULING, SCORES, StreamName
from session.annotation.annotation_facts import AnnotationRuled, ScoresKept
from session.annotation.store import Work
from session.values.clock import Stamp

NOT_SCORED = "not scored"


class IssuedRuling(NamedTuple):
    """A ruling of the corpus, in the order in which they were given."""

    by: str
    event: AnnotationRuled


def rulings_of(work: Work) -> list[IssuedRuling]:
    """Return all rulings in the order in which they were given."""
    streams = [stream for stream in work.lengths() if (one := StreamName.parse(stream)) and one.kind == RULING]
    found = []
    for _, facts in work.read_many(streams):
        for fact in facts:
            event: object = fact.event
            if isinstance(event, AnnotationRuled):
                found.append((fact.at.wall, IssuedRuling(fact.by, event)))
    return [ruled for _, ruled in sorted(found, key=lambda one: one[0])]


def kept(work: Work) -> list[ScoresKept]:
    """Return all scores that were kept, in their order."""
    found: list[object] = [fact.event for fact in work.read(SCORES)]
    return [event for event in found if isinstance(event, ScoresKept)]


def answers_of(work: Work) -> dict[str, str]:
    """The answers of every system that is scored here, by its name, as they were sent last."""
    return {event.system: event.answers for event in kept(work) if event.system and event.answers}


def answers_in(given: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """The answers of systems, each given as NAME=FILE; raises Faults for what cannot be read or is of no utterance here."""
    faults: list[str] = []
    found: dict[str, str] = {}
    there = {*known}
    for one in given:
        name, named, file = one.partition("=")
        path = Path(file if named else one)
        text = read_text(path)
        listed = list_of(text, path, Options(), faults)
        faults += [
            f"{entry.place}: {stem} is not an utterance of this corpus"
            for stem, entry in listed.items()
            if stem not in there
        ]
        if not listed:
            faults.append(f"{path}: no answer here; write lines such as `8k8011sx ((1) (2))`")
        found[name if named else path.stem] = text
    if faults:
        raise Faults(faults)
    return found


def waiting(work: Work, rulings: int) -> bool:
    """Return whether a system was scored before the last of so many rulings."""
    last = {event.system: event.rulings for event in kept(work) if event.system}
    return any(count < rulings for count in last.values())


def rescore(
    work: Work,
    answers: Mapping[str, str],
    items: Sequence[ScoredRequest],
    rulings: int,
    at: Stamp,
    by: str,
    err: TextIO,
) -> None:
    """Score these systems and keep the scores as they are after so many rulings; raises Faults, and what the store raises."""
    before = answers_of(work)
    known = {item.name for item in items}
    facts = []
    for name, text in answers.items():
        faults: list[str] = []
        listed = list_of(text, Path(name), Options(), faults)
        if faults:
            raise Faults(faults)
        system = System(name, "", {stem: one for stem, one in listed.items() if stem in known})
        found = score(items, system, Options(), err)
        tally = found.tally()
        wrong = tally.wrong + tally.undecided
        counts = f"{tally.total} requests: {tally.right} right, {wrong} wrong, {tally.none} without answer"
        facts.append(
            ScoresKept(
                rulings=rulings,
                scores=f"{counts}; weighted error {percent(tally.weighted_error())} %",
                system=name,
                answers=text if before.get(name) != text else "",
                outcomes=tuple((one.item.name, str(one.verdict)) for one in found.outcomes),
            )
        )
    if facts:
        work.append(SCORES, len(work.read(SCORES)), facts, at, by)


def items_of(
    found: Mapping[str, UtteranceAnnotations], days: Mapping[str, str], reader: SentenceReader, err: TextIO
) -> Iterator[ScoredRequest]:
    """Every utterance with an annotation in force, and its reference answers; what gives none any more is left out and told."""
    final = [one for one in found.values() if one.waits is Waits.NOBODY and one.final is not None]
    with counting(err, "reference answers", len(final)) as tell:
        for done, one in enumerate(final):
            tell(done)
            if one.evaluation == "X":
                continue
            assert one.final is not None
            try:
                made = reader.files(one.final, days.get(one.take, ""))
            except (NotUnderstood, RefusedRequest) as error:
                err.write(f"{one.utterance} is not scored: {error}\n")
                continue
            least, most = (parse(made[kind].decode()) for kind in ("ref", "rf2"))
            speaker = one.utterance[:3]
            yield ScoredRequest(one.utterance, speaker, speaker, "-", one.evaluation, least, most)


def told(work: Work, rulings: Sequence[IssuedRuling]) -> Iterator[str]:
    """Lines: the scores of every system under so many rulings, then the utterances whose verdict changed, and by which ruling."""
    by_system: dict[str, list[ScoresKept]] = {}
    for event in kept(work):
        by_system.setdefault(event.system, []).append(event)
    if not by_system:
        yield "no system is scored here: --score NAME=FILE names one"
    header = ("system", "rulings", "scores")
    rows = [
        (name or "(given)", f"{one.rulings}", " ".join(one.scores.split()))
        for name, own in by_system.items()
        for one in own
    ]
    yield from table(header, rows) if rows else ()
    for name, own in by_system.items():
        for before, after in pairwise(own):
            yield from _changes(name, before, after, rulings) if name else ()


def _changes(name: str, before: ScoresKept, after: ScoresKept, rulings: Sequence[IssuedRuling]) -> Iterator[str]:
    first, second = dict(before.outcomes), dict(after.outcomes)
    for stem in sorted({*first, *second}):
        was, now = (outcomes.get(stem, NOT_SCORED) for outcomes in (first, second))
        if was == now:
            continue
        between = list(enumerate(rulings, start=1))[before.rulings : after.rulings]
        why = [f"ruling {n} by {one.by}: {one.event.reason}" for n, one in between if one.event.utterance == stem]
        yield f"{name}, {stem}: {was} → {now}" + (f" ({'; '.join(why)})" if why else "")
