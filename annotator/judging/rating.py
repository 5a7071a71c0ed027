"""The judging desk without a screen: one rater's judgements of the dialogues of a corpus, as facts in the later work."""

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec
from msgspec import structs

from annotator.annotation.annotation_list import judging_order
from annotator.annotation.dialogue_view import DialogueView, TurnView, dialogue_of
from annotator.effort import Attention
from annotator.first_channel import sound_at
from annotator.judging.rubric import Rubric, RubricFault
from annotator.rules import ConcurrentChange, NotNow
from annotator.user_names import bare, named
from corpus.annotation.masked_sound import Samples
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, message_of
from session.annotation.events import WorkFact
from session.annotation.judged import JUDGING, JUDGING_RULING, RATERS, RUBRIC, Judged, JudgingStream, evolve, fold
from session.annotation.judgement_facts import (
    JudgingBegun,
    JudgingReopened,
    RatersAssigned,
    RubricAdopted,
    ScenarioJudged,
    TurnJudged,
    TurnTakenBack,
)
from session.annotation.store import Work
from session.store.event_store import SecondWriter, StoreUnavailable
from session.values.clock import Clock, stamp


class Rating:
    """One rater at the dialogues of one corpus. Raises NotNow if a request cannot be granted."""

    def __init__(
        self, corpus: Corpus, work: Work, person: str, clock: Clock, rubric: Rubric, *, ruling: bool = False
    ) -> None:
        """With `ruling` the person sees what the raters said, and says what holds where they differ."""
        self.person, self.key, self.rubric = named(person), bare(person), rubric
        self.attention = Attention(clock)
        self._corpus, self._work, self._clock = corpus, work, clock
        self._read = lru_cache(maxsize=8)(lambda log: dialogue_of(corpus, log))
        self._order = judging_order(corpus, work)
        self._assigned = assigned(work)
        self.ruling = ruling
        self._said = _finished(work, self._order) if ruling else {}
        self._dialogue: DialogueView | None = None
        self._judged = Judged()
        self.at = 0

    def dialogues(self) -> list[str]:
        """The dialogues that this rater is to judge: those assigned, or all where nobody was assigned any; of who rules those
        over which raters differ."""
        if self.ruling:
            return [stem for stem in self._order if self._differing(stem)]
        mine = {dialogue for dialogue, rater in self._assigned if bare(rater) == self.key}
        return [stem for stem in self._order if not self._assigned or stem in mine]

    def states(self) -> dict[str, Judged]:
        """Return how far this rater is with each dialogue."""
        return {stem: fold(self._work.read(self._stream(stem))) for stem in self.dialogues()}

    def first(self) -> str:
        """Return the dialogue to begin with: one begun, otherwise one untouched, otherwise the first; raises ValueError for
        none."""
        states = self.states()
        begun = [stem for stem, judged in states.items() if judged.events and not judged.done]
        untouched = [stem for stem, judged in states.items() if not judged.events]
        for stem in (*begun, *untouched, *states):
            return stem
        raise ValueError(f"no dialogue is there for {self.person} to judge; --raters assigns them")

    # --- one dialogue ---------------------------------------------------------------------------------------------------

    @property
    def dialogue(self) -> DialogueView:
        """The dialogue in hand; raises NotNow if there is none."""
        if self._dialogue is None:
            raise NotNow("Open a dialogue first")
        return self._dialogue

    @property
    def judged(self) -> Judged:
        """Return how far the dialogue in hand has come."""
        return self._judged

    @property
    def turn(self) -> TurnView:
        """The interaction in hand."""
        return self.dialogue.turns[self.at]

    def open(self, stem: str) -> DialogueView:
        """Take a dialogue in hand, at its first interaction that is not judged yet."""
        if stem not in self.dialogues():
            raise NotNow(f"{stem} is not yours to judge, or there is no such dialogue")
        try:
            self._dialogue = self._read(self._order[stem][0])
        except (FormatFault, OSError) as error:
            raise NotNow(f"{stem} cannot be opened: {message_of(error)}") from None
        self._judged = fold(self._work.read(self._stream(stem)))
        wanted = self._differing(stem) if self.ruling else {turn.number for turn in self._dialogue.turns}
        numbers = [turn.number for turn in self._dialogue.turns]
        left = [at for at, n in enumerate(numbers) if n in wanted and n not in self._judged.turns]
        self.at = left[0] if left else 0
        self.attention.leave()
        self.attention.touch()
        return self._dialogue

    def others(self) -> dict[str, TurnJudged]:
        """Return what each rater said of the current interaction, for the adjudicator only."""
        said = self._said.get(self.dialogue.stem, {})
        return {rater: one.turns[self.turn.number] for rater, one in said.items() if self.turn.number in one.turns}

    def _differing(self, stem: str) -> set[int]:
        """The interactions of a dialogue over which raters who have finished it differ, not this person's own."""
        said = self._said.get(stem, {})
        if any(bare(rater) == self.key for rater in said):
            return set()
        numbers = {n for one in said.values() for n in one.turns}
        labels = {
            n: {(one.turns[n].response, one.turns[n].verdict) for one in said.values() if n in one.turns}
            for n in numbers
        }
        return {n for n, found in labels.items() if len(found) > 1}

    def go(self, step: int) -> None:
        """Go to the next interaction or the one before."""
        if not 0 <= self.at + step < len(self.dialogue.turns):
            raise NotNow("There is none behind it" if step > 0 else "There is none before it")
        self.at += step
        self.attention.touch()

    def sound(self) -> tuple[Samples, int] | None:
        """The sound of the interaction in hand with its rate; None for typed input."""
        return sound_at(self._corpus, self.turn.wave)

    def judge(self, said: TurnJudged) -> None:
        """Say this of the interaction in hand. Raises NotNow for what cannot be."""
        self._open_now()
        said = structs.replace(said, utterance=self.turn.stem, number=self.turn.number, undone=False)
        if fault := self.rubric.fault(said):
            raise NotNow(fault)
        self.attention.touch()
        self._record(structs.replace(said, worked=self.attention.take()))

    def undo(self) -> None:
        """Take the last judgement back; the one before it holds, or none."""
        self._open_now()
        earlier = self._judged.earlier
        if not earlier:
            raise NotNow("There is nothing to take back")
        number, before = earlier[-1]
        self.at = next(at for at, turn in enumerate(self.dialogue.turns) if turn.number == number)
        self._record(TurnTakenBack(number=number) if before is None else structs.replace(before, worked=0, undone=True))

    def check_whole(self) -> None:
        """Raise NotNow if the dialogue as a whole cannot be judged: an interaction is not judged yet, or it is finished."""
        self._open_now()
        left = [turn.pointer for turn in self.dialogue.turns if turn.number not in self._judged.turns]
        if left and not self.ruling:
            raise NotNow(f"{', '.join(left)} not judged yet")

    def finish(self, finished: str, solution: str, note: str = "") -> None:
        """Say what the dialogue is as a whole. Raises NotNow while an interaction is not judged."""
        self.check_whole()
        said = ScenarioJudged(finished=finished, solution=solution, note=note)
        if fault := self.rubric.scenario_fault(said):
            raise NotNow(fault)
        self.attention.touch()
        self._record(structs.replace(said, worked=self.attention.take()))

    def reopen(self, reason: str) -> None:
        """The dialogue is to be judged again."""
        if not self._judged.done:
            raise NotNow("It is not finished")
        self._record(JudgingReopened(reason=reason))

    # --- within ---------------------------------------------------------------------------------------------------------

    def _open_now(self) -> None:
        if self._judged.done:
            raise NotNow("You have finished it. Ctrl+R reopens it")

    def _stream(self, stem: str) -> str:
        kind = JUDGING_RULING if self.ruling else JUDGING
        return str(JudgingStream(kind, stem, self.key, self._order[stem][1]))

    def _record(self, fact: WorkFact) -> None:
        begun: list[WorkFact] = []
        if not self._judged.events:
            begun = [JudgingBegun(dialogue=self.dialogue.stem, rubric=self.rubric.version)]
        stream = self._stream(self.dialogue.stem)
        try:
            recorded = self._work.append(stream, self._judged.events, [*begun, fact], stamp(self._clock), self.person)
        except SecondWriter:
            raise ConcurrentChange("You have judged it elsewhere meanwhile: open it again") from None
        except StoreUnavailable as error:
            raise NotNow(f"It cannot be recorded: {error}") from None
        for record in recorded:
            self._judged = evolve(self._judged, record)


def _finished(work: Work, order: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, Judged]]:
    found: dict[str, dict[str, Judged]] = {}
    wanted = {
        stream: name for stream in work.lengths() if (name := JudgingStream.parse(stream)) and name.kind == JUDGING
    }
    for stream, facts in work.read_many(list(wanted)):
        judged = fold(facts)
        if judged.done and wanted[stream].dialogue in order:
            found.setdefault(wanted[stream].dialogue, {})[judged.by] = judged
    return found


def assigned(work: Work) -> list[tuple[str, str]]:
    """Dialogues and their raters, as assigned."""
    found = [fact.event for fact in work.read(RATERS)]
    return [pair for event in found if isinstance(event, RatersAssigned) for pair in event.dialogues]


def assign(dialogues: Sequence[str], raters: Sequence[str], each: int, seed: int) -> list[tuple[str, str]]:
    """So many raters for each dialogue, everybody as often as everybody else and every pair together as often as any other.

    Raises ValueError if there are not so many raters.
    """
    if not 1 <= each <= len(raters):
        raise ValueError(f"{each} raters for each dialogue, of {len(raters)}: name as many with --raters")
    lot = random.Random(seed)
    order = list(dialogues)
    lot.shuffle(order)
    load = dict.fromkeys(raters, 0)
    together: dict[tuple[str, ...], int] = {}
    found: list[tuple[str, str]] = []
    for dialogue in order:
        groups = list(combinations(raters, each))
        lot.shuffle(groups)

        def cost(group: tuple[str, ...]) -> tuple[int, int, int]:
            pairs = [together.get(pair, 0) for pair in combinations(group, 2)]
            loads = [load[rater] + (rater in group) for rater in raters]
            return max(loads) - min(loads), sum(load[rater] for rater in group), sum(pairs)

        best = min(groups, key=cost)
        for rater in best:
            load[rater] += 1
        for pair in combinations(best, 2):
            together[pair] = together.get(pair, 0) + 1
        found += [(dialogue, rater) for rater in best]
    return sorted(found)


def adopt_rubric(work: Work, rubric: Rubric, clock: Clock, by: str) -> None:
    """Put the rubric on record that is gone by from now on; raises RubricFault for another content under a known version."""
    before = [fact.event for fact in work.read(RUBRIC)]
    known = [event for event in before if isinstance(event, RubricAdopted)]
    if any(event.version == rubric.version and event.digest != rubric.digest for event in known):
        raise RubricFault(f"the rubric was edited and its version is still {rubric.version}; give it a new one")
    if not known or known[-1].digest != rubric.digest:
        content = msgspec.json.encode(rubric).decode()
        fact = RubricAdopted(version=rubric.version, digest=rubric.digest, content=content)
        work.append(RUBRIC, len(before), [fact], stamp(clock), by)
