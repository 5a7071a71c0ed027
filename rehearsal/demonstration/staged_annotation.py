"""Annotators, a ruler and raters of the demonstration: scripted people at the cores of the real desks.

Some sessions are annotated by two people independently; where they differ, a third rules. One is careful, one overlooks what
was said before and calls what is outside not covered. Of the raters, one is strict.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import structs

from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotating import Annotating, InHand
from annotator.annotation.sentence_reader import SentenceReader
from annotator.judging.rating import Rating
from annotator.judging.rubric import load_rubric
from annotator.rules import NotNow
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.cas import parse, render
from rehearsal.demonstration.speakers import AnnotatedLine, DemonstrationSpeaker, annotated_lines, replaced
from session.annotation.annotation_facts import Annotation
from session.annotation.judgement_facts import TurnJudged
from session.annotation.store import Work, work_path
from session.values.clock import SECOND, ManualClock

CAREFUL, HASTY, RULING = ANNOTATORS = ("anna", "bea", "cleo")
BEGUN = 1_775_465_000 * SECOND  # April 2026
SECONDS_EACH = 25.0
_AS_IT_STANDS = AnnotatedLine(speech="")
_NOT_COVERED = "no data"

Meanings = Mapping[tuple[str, str], AnnotatedLine]
"""By speaker and words, what they mean."""


class Tasks(msgspec.Struct, frozen=True):
    """The corpus to be worked on, its database, and what its people meant."""

    corpus: Path
    domain: Path
    database: str
    people: tuple[DemonstrationSpeaker, ...]


def meanings(people: Iterable[DemonstrationSpeaker]) -> Meanings:
    """Return each speaker's meanings, with the speaker's cities."""
    lines = annotated_lines()
    found: dict[tuple[str, str], AnnotatedLine] = {}
    for person in people:
        for turn in (turn for act in person.acts for turn in act.turn if turn.speech in lines):
            line = lines[turn.speech]
            sentence = replaced(line.sentence, person.cities)
            found[person.speaker.id, turn.said] = structs.replace(line, sentence=sentence)
    return found


def annotate(tasks: Tasks) -> None:
    """Annotate all utterances, check those of the other, and rule where two differ."""
    clock = ManualClock("annotation", wall=BEGUN)
    work, reader = Work(work_path(tasks.corpus)), SentenceReader(tasks.domain, tasks.database)
    try:
        desks = {name: Annotating(Corpus(tasks.corpus), work, name, clock, reader) for name in ANNOTATORS}
        meant = meanings(tasks.people)
        for name in (CAREFUL, HASTY):
            _annotate(desks[name], meant, clock)
        for one in desks[RULING].queue():
            reason = "the context is needed, and reasons are as coded as can be"
            desks[RULING].rule(one, one.held[CAREFUL].annotation, reason)
    finally:
        reader.close()
        work.close()


def _annotate(desk: Annotating, meant: Meanings, clock: ManualClock) -> None:
    desk.list.look_around()
    for item in filter(desk.list.todo, desk.list.items()):
        hand = desk.open(item.stem)
        clock.advance(SECONDS_EACH)
        if hand.theirs is not None:
            desk.check()
            continue
        line = meant.get((item.stem[:3], hand.turn.said), _AS_IT_STANDS)
        desk.change(_annotation(desk.annotation, hand, line, desk.key == CAREFUL))
        try:
            desk.submit()
        except NotNow:  # the front end has no meaning for it
            desk.change(rules.excluded(desk.annotation, _NOT_COVERED))
            desk.submit()


def _annotation(one: Annotation, hand: InHand, line: AnnotatedLine, careful: bool) -> Annotation:
    """Return the annotation of an utterance by a careful or a hasty person."""
    if line.excluded:
        return rules.excluded(one, line.excluded if careful or line.excluded != "outside" else _NOT_COVERED)
    tagged = rules.tagged(rules.classed(one, "A"), "wh-question")
    worded = rules.with_sentence(tagged, 0, line.sentence or hand.turn.said)
    needs = line.context and careful and hand.earlier
    return rules.pointed(worded, hand.earlier[-1].pointer) if needs else worded


def judge(corpus: Path) -> None:
    """Judge the dialogues that each rater was assigned."""
    clock = ManualClock("judging", wall=BEGUN + 86_400 * SECOND)
    work = Work(work_path(corpus))
    try:
        for name in ANNOTATORS:
            _judge(Rating(Corpus(corpus), work, name, clock, load_rubric()), name == RULING, clock)
    finally:
        work.close()


def _judge(desk: Rating, strict: bool, clock: ManualClock) -> None:
    """Return all call the first answer of every seventh dialogue wrong."""
    for stem in desk.dialogues():
        judge_dialogue(
            desk, stem, strict=strict, wrong=int(stem[:3], 36) % 7 == 0, begins=lambda: clock.advance(SECONDS_EACH)
        )


def judge_dialogue(
    desk: Rating, stem: str, *, strict: bool, wrong: bool, begins: Callable[[], object] = lambda: None
) -> None:
    """Judge a dialogue by what was returned. Where it is to be `wrong`, its first answer is, and cost two turns; who is `strict`
    calls an answer at the end partially correct. `begins` is called before each turn."""
    turns = desk.open(stem).turns
    for at, turn in enumerate(turns):
        begins()
        desk.at = at
        response = turn.responses[-1] if turn.responses else "not understood"
        poor = strict and response == "answer" and at == len(turns) - 1
        bad = wrong and response == "answer" and at == 0
        good = "incorrect" if bad else "partially correct" if poor else "correct"
        verdict = {"answer": good, "not understood": ""}.get(response, "appropriate")
        noticed = "no" if bad else "yes" if poor else ""
        said = TurnJudged(utterance="", number=0, request="new", response=response, verdict=verdict)
        desk.judge(structs.replace(said, noticed=noticed, lost=2 if bad else 0))
    given_up = desk.dialogue.outcome != "declared"
    desk.finish("no" if given_up else "yes", desk.rubric.scenario.solution[-1] if given_up else "right")


def systems(corpus: Corpus) -> Mapping[str, Mapping[str, str]]:
    """Answers of three systems by utterance: what the wizard sent; the references, but for every seventh request, which is not
    answered; the references, but for every fourth request, of which it takes the one before for its own."""
    drafts, references = _answers(corpus, f"{layout.DRAFTS}/", ".drf"), _answers(corpus, "spon/", ".ref")
    stems = [*references]
    careful = {stem: answer for at, (stem, answer) in enumerate(references.items()) if at % 7 != 6}
    hasty = {stem: references[stems[at - (at % 4 == 3)]] for at, stem in enumerate(stems)}
    return {"wizard": drafts, "careful": careful, "hasty": hasty}


def _answers(corpus: Corpus, folder: str, kind: str) -> dict[str, str]:
    paths = sorted(path for path in corpus.manifest.files if path.startswith(folder) and path.endswith(kind))
    read = {path.rpartition("/")[2].partition(".")[0]: corpus.read(path).decode() for path in paths}
    return {stem: " ".join(render(parse(text)).split()) for stem, text in read.items()}
