"""The failed turns of a system as a work list for its developers: by kind, searchable, each with its sound and log."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from annotator.annotation.dialogue_view import TurnView, dialogue_of
from annotator.judging.combined import OPEN, CombinedDialogue, CombinedTurn
from annotator.judging.rubric import Rubric
from corpus.dataset.reader import Corpus
from session.values.spreadsheet import table

KINDS = ("wrong answer", "misplaced", "not understood", "repeated", "no reply", "not settled")


class WorkItem(msgspec.Struct, frozen=True):
    """A failed turn: its kind, what was said and shown, what raters said, where it can be heard."""

    kind: str
    utterance: str
    said: str
    shown: str
    judged: str
    noticed: str
    lost: float
    wave: str
    log: str


def kind_of(turn: CombinedTurn | None, seen: TurnView, rubric: Rubric) -> str:
    """Return the kind of a failure; empty for a turn that did not fail. Without a judgement, the log decides."""
    if turn is None:
        if not seen.responses:
            return "no reply"
        return "not understood" if "not understood" in seen.responses else ""
    if turn.response == OPEN:
        return "not settled"
    if rubric.is_error(turn.verdict):
        return "wrong answer" if turn.response == "answer" else "misplaced"
    if turn.response == "not understood":
        return "not understood"
    return "repeated" if turn.request in ("repeat", "rephrase") else ""


def work_list(
    corpus: Corpus, found: Sequence[CombinedDialogue], rubric: Rubric, only: str = "", search: str = ""
) -> Iterator[WorkItem]:
    """Every failed turn of a corpus, of one kind alone or with these words in it."""
    judged = {turn.utterance: turn for one in found for turn in one.turns}
    for log in corpus.logs:
        dialogue = dialogue_of(corpus, log)
        for seen in dialogue.turns:
            turn = judged.get(seen.stem)
            kind = kind_of(turn, seen, rubric)
            text = f"{seen.said} {' '.join(seen.shown)}".casefold()
            if not kind or (only and kind != only) or not all(word in text for word in search.casefold().split()):
                continue
            yield WorkItem(
                kind, seen.stem, seen.said, " / ".join(line.strip() for line in seen.shown),
                turn.label if turn is not None else "", turn.noticed if turn is not None else "",
                turn.lost if turn is not None else 0.0, seen.wave, log,
            )  # fmt: skip


def as_csv(items: Iterable[WorkItem]) -> str:
    """The list as CSV, a turn a line."""
    return table(WorkItem.__struct_fields__, map(msgspec.structs.astuple, items))
