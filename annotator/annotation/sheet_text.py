"""Texts of the annotation desk in lines, as pure functions that tests can read."""

from collections.abc import Mapping, Sequence

from msgspec import structs

from annotator.annotation import exclusion_reasons
from annotator.annotation.annotating import Annotating, InHand
from annotator.annotation.dialogue_view import lines_of_turn
from annotator.annotation.sentence_reader import SentenceRead
from annotator.annotation.standing import UtteranceAnnotations, Waits
from corpus.formats.cat import TAGS
from desk.dialogs import ListEntry
from domain.principles import Principle
from session.annotation.annotation_facts import Annotation
from session.values.clock import SECOND

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BEGINNING = (
    "A, D, X or 0 to 3 classes it; W writes a sentence; T tags, C context, P principles; Ctrl+S submits; F1 lists all"
)
DRAFTING = "Change it with the same keys, then press Ctrl+S; Esc discards the change"
ROWS = 6
ANEW = "written anew"


def headline(desk: Annotating, hand: InHand) -> str:
    """Return which utterance, and how far this person, or everybody, is with it."""
    if desk.draft is not None:
        what = "a ruling of yours" if desk.draft.case is not None else "what you ask for"
        return f"{hand.item.stem} {hand.turn.pointer}  {what}: Ctrl+S submits it, Esc discards it"
    second = "  ×2 independently" if desk.list.doubled(hand.item) else ""
    proposed = "  proposed: L" if not hand.mine.events and hand.theirs is None and desk.proposals() else ""
    whose = f"made by {hand.theirs.by}, to be checked" if hand.theirs else str(hand.mine.state)
    if hand.item.take in desk.list.requested:
        whose = "waits for a ruling"
    elif hand.standing is not None:
        whose = standing_line(hand.standing)
    return f"{hand.item.stem} {hand.turn.pointer}  {whose}{second}{proposed}"


def standing_line(one: UtteranceAnnotations) -> str:
    """Return whose annotation is in force, or what the utterance waits for."""
    if one.waits is not Waits.NOBODY:
        return f"waits for {one.waits}: {one.why}"
    if one.rulings:
        return f"in force: ruling {one.rulings[-1].number} by {one.rulings[-1].signed.by}, {one.rulings[-1].reason}"
    people = {held.by: None for held in one.held.values()}
    people |= {held.checked.by: None for held in one.held.values() if held.checked is not None}
    return f"in force: {' and '.join(people)}"


def working(desk: Annotating) -> str:
    """Return the annotator and the working time on this utterance."""
    minutes, seconds = divmod((desk.hand.mine.worked + desk.attention.worked) // SECOND, 60)
    return f"{desk.person}  {minutes}:{seconds:02d}"


def so_far(hand: InHand) -> str:
    """The task, and the dialogue before the utterance in hand."""
    task = f"Task: {hand.dialogue.header.get('Scenario_text', '')}".replace("\n", " ")
    return "\n".join([task, *(line for turn in hand.earlier for line in lines_of_turn(turn))])


def here(hand: InHand) -> str:
    """The utterance in hand, and what was returned to it."""
    return "\n".join(lines_of_turn(hand.turn, here=True))


def sheet(annotation: Annotation, at: int = 0) -> list[str]:
    """Return the annotation of the utterance in lines; `at` is the reading in hand."""
    grade = f" (1989: {annotation.grade})" if annotation.grade else ""
    excluded = f"  because: {annotation.reason}" if annotation.reason else ""
    detail = f", {annotation.detail}" if annotation.detail else ""
    lines = [f"Class {annotation.evaluation or '–'}{grade}{excluded}{detail}"]
    parts = {
        "Context": " or ".join(annotation.context),
        "Tags": " ".join((*annotation.tags, *(f"{tag} (own)" for tag in annotation.site_tags))),
        "Principles": " ".join(annotation.cited),
        "Note": annotation.note,
    }
    lines.append(
        "  ".join(f"{name}: {value}" for name, value in parts.items() if value) or "No tags, context, principles"
    )
    for number, reading in enumerate(annotation.readings):
        told = " ".join((*reading.tags, *reading.context))
        mark = "▶" if number == at and len(annotation.readings) > 1 else " "
        lines.append(f"{mark}{number + 1}. {reading.sentence or '(no sentence)'}" + (f"  [{told}]" if told else ""))
    return lines


def summary(annotation: Annotation) -> str:
    """The whole annotation in one line, for a list."""
    return "; ".join(line.strip() for line in sheet(annotation, -1) if not line.startswith("No tags"))


def meaning(read: SentenceRead) -> list[str]:
    """Return the front end's reading of a sentence: paraphrase, rows, statement."""
    if read.problem:
        return [f"!! {read.problem}", read.paraphrase]
    if not read.statement:
        return ["W writes the sentence of this reading"]
    count = f"{'the first ' * read.more}{len(read.rows)} row{'s' * (len(read.rows) != 1)}{' of more' * read.more}"
    rests = f"  rests on {' '.join(read.principles)}" if read.principles else ""
    first = ["  ".join("–" if value is None else str(value) for value in row) for row in read.rows[:ROWS]]
    return [f"= {read.paraphrase}{rests}", f"{count}: {' '.join(read.columns)}", *first, read.statement]


def tag_choices(annotation: Annotation) -> list[ListEntry]:
    """Every tag by a letter, with what it leads to."""
    held = {*annotation.tags}
    return [
        ListEntry(letter, tag, f"{'√' if tag in held else ' '} {tag}: {exclusion_reasons.leads_to(tag)}")
        for letter, tag in zip(LETTERS, TAGS, strict=False)
    ]


def reason_choices() -> list[ListEntry]:
    """Every reason to exclude by a letter."""
    reasons = exclusion_reasons.REASONS.items()
    return [
        ListEntry(letter, code, f"{code}: {one.says}") for letter, (code, one) in zip(LETTERS, reasons, strict=False)
    ]


def detail_choices(reason: str) -> list[ListEntry]:
    """The details that a reason may have."""
    details = exclusion_reasons.REASONS[reason].details
    return [ListEntry(letter, detail, detail) for letter, detail in zip(LETTERS, details, strict=False)]


def principle_choices(found: Sequence[Principle], cited: Sequence[str]) -> list[ListEntry]:
    """The principles that were found, each with its whole text."""
    return [
        ListEntry("", one.id, f"{'√' if one.id in cited else ' '} {one.id} {one.title}: {one.text}") for one in found
    ]


def ruling_choices(one: UtteranceAnnotations) -> list[ListEntry]:
    """Return what a ruling may take over, by a letter, and that it may be written again."""
    offered = rulings_on_offer(one)
    return [
        *(
            ListEntry(letter, name, f"{name}: {summary(annotation)}")
            for letter, (name, annotation) in zip(LETTERS, offered.items(), strict=False)
        ),
        ListEntry("w", ANEW, "something else: write it with the keys of the desk, then Ctrl+S"),
    ]


def rulings_on_offer(one: UtteranceAnnotations) -> dict[str, Annotation]:
    """The annotations that were made, wanted or ruled, all readings of two together, and exclusion."""
    offered = {held.by: held.annotation for held in one.held.values() if held.done}
    offered |= {f"wanted by {request.site}": request.wanted for request in one.requests if request.wanted is not None}
    offered |= {f"ruling {ruling.number}": ruling.annotation for ruling in one.rulings[-1:]}
    made = list(offered.values())
    every = {reading.sentence: reading for annotation in made for reading in annotation.readings if reading.sentence}
    if len(every) > 1 and all(annotation.evaluation != "X" for annotation in made):
        offered["all readings"] = structs.replace(made[0], readings=tuple(every.values()))
    tags = ("unanswerable",)
    offered["excluded"] = Annotation("X", "X", tags, reason="not covered", detail="no agreed answer")
    return offered


def beginning_of(one: UtteranceAnnotations) -> Annotation:
    """The annotation that a ruling written again begins with: the last ruling, otherwise the first that was made."""
    made = [held.annotation for held in one.held.values() if held.done]
    return (one.rulings[-1].annotation if one.rulings else None) or next(iter(made), Annotation())


def case(one: UtteranceAnnotations) -> list[str]:
    """A case of the queue in lines: why it is there, what each said, what is asked for with its evidence, what was ruled."""
    lines = [f"{one.utterance}: {one.why}"]
    lines += [f"{held.by}: {summary(held.annotation)}" for held in one.held.values()]
    for request in one.requests:
        lines += [f"{request.site} asks: {request.request}", f"  evidence: {request.evidence}"]
    lines += [
        f"ruling {ruling.number} by {ruling.signed.by} under {ruling.principles}: {summary(ruling.annotation)}; "
        f"{ruling.reason}"
        for ruling in one.rulings
    ]
    return lines


def counts(found: Mapping[str, UtteranceAnnotations], utterances: int) -> list[str]:
    """Return how many utterances wait for what."""
    sums: dict[str, int] = {}
    for one in found.values():
        sums[str(one.waits)] = sums.get(str(one.waits), 0) + 1
    untouched = utterances - len(found)
    return [f"{untouched:6}  untouched", *(f"{count:6}  {what}" for what, count in sorted(sums.items()))]
