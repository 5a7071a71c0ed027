"""The failed turns of a system one after the other, with sound and screen, for its developers, who cannot judge here."""

from collections.abc import Sequence

from annotator.annotation.dialogue_view import DialogueView
from annotator.judging.combined import Judgements
from annotator.judging.rating import Rating, assigned
from annotator.judging.rubric import Rubric
from annotator.judging.work_list import WorkItem
from annotator.rules import NotNow
from annotator.user_names import bare
from corpus.dataset.reader import Corpus
from session.annotation.judged import fold
from session.annotation.judgement_facts import TurnJudged
from session.annotation.store import Work
from session.values.clock import Clock

_READ_ONLY = "Here turns are looked at; nothing is judged"


class Browsing(Rating):
    """Over the items of a work list. Raises NotNow for a rater with dialogues left to judge: they are not to see others' work."""

    def __init__(
        self, corpus: Corpus, work: Work, person: str, clock: Clock, rubric: Rubric, items: Sequence[WorkItem],
        said: Judgements,
    ) -> None:  # fmt: skip
        self._items = list(items)
        super().__init__(corpus, work, person, clock, rubric)
        mine = {dialogue for dialogue, rater in assigned(work) if bare(rater) == self.key}
        own = {stem: fold(work.read(self._stream(stem))) for stem in self._order}
        if any(not one.done and (one.events or stem in mine) for stem, one in own.items()):
            raise NotNow("You have dialogues left to judge: you may not see other people's judgements yet")
        self._by_rater = said
        self._place = 0

    def dialogues(self) -> list[str]:
        """The dialogues with failed turns."""
        logs = {item.log for item in self._items}
        return [stem for stem, (log, _) in self._order.items() if log in logs]

    def open(self, stem: str) -> DialogueView:
        """Take a dialogue in hand, at its first failed turn."""
        log = self._order[stem][0]
        return self._go_to(next(place for place, item in enumerate(self._items) if item.log == log))

    def go(self, step: int) -> None:
        """Go to the next failed turn or the one before, in whatever dialogue it is."""
        if not 0 <= self._place + step < len(self._items):
            raise NotNow("There is none behind it" if step > 0 else "There is none before it")
        self._go_to(self._place + step)

    @property
    def item(self) -> WorkItem:
        """The failed turn in hand."""
        return self._items[self._place]

    def others(self) -> dict[str, TurnJudged]:
        """Return each rater's judgement of the current turn."""
        said = self._by_rater.by_dialogue.get(self.dialogue.stem, {})
        return {rater: one.turns[self.turn.number] for rater, one in said.items() if self.turn.number in one.turns}

    def judge(self, said: TurnJudged) -> None:
        """Refuse: raises NotNow."""
        raise NotNow(_READ_ONLY)

    def check_whole(self) -> None:
        """Refuse: raises NotNow."""
        raise NotNow(_READ_ONLY)

    def finish(self, finished: str, solution: str, note: str = "") -> None:
        """Refuse: raises NotNow."""
        raise NotNow(_READ_ONLY)

    def _go_to(self, place: int) -> DialogueView:
        self._place = place
        log = self._items[place].log
        stem = next(stem for stem, (path, _) in self._order.items() if path == log)
        dialogue = super().open(stem)
        self.at = next(at for at, turn in enumerate(dialogue.turns) if turn.stem == self._items[place].utterance)
        return dialogue
