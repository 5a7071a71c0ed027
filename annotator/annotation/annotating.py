"""The annotation desk without a screen: one person's actions on the utterances of a corpus, as facts in the later work.

The corpus is only read. Of what others do the desk reads no more than that they do it, until both have finished.
"""

from collections.abc import Sequence
from functools import lru_cache

import msgspec
from msgspec import structs

from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotation_list import AnnotationItem, AnnotationList
from annotator.annotation.case_work import CaseWork, Draft, drafted
from annotator.annotation.dialogue_view import DialogueView, TurnView, dialogue_of
from annotator.annotation.exclusion_reasons import DEPENDS
from annotator.annotation.references_apart import ReferencesApart
from annotator.annotation.sentence_reader import SentenceRead, SentenceReader
from annotator.annotation.standing import UtteranceAnnotations
from annotator.effort import Attention
from annotator.first_channel import sound_at
from annotator.rules import ConcurrentChange, NotNow
from annotator.user_names import bare, named
from corpus.annotation.masked_sound import Samples
from corpus.dataset.reader import Corpus
from corpus.formats.errors import FormatFault, message_of
from domain.principles import Principle
from session.annotation.annotated import (
    ANNOTATION,
    RULING,
    Annotated,
    StreamName,
    evolve,
    fold,
)
from session.annotation.annotation_facts import (
    Annotation,
    AnnotationBegun,
    AnnotationChecked,
    AnnotationProposed,
    AnnotationReopened,
    AnnotationRevised,
    AnnotationSubmitted,
)
from session.annotation.events import WorkFact
from session.annotation.store import Work
from session.annotation.transcript import TranscriptState
from session.events import Recorded
from session.store.event_store import SecondWriter, StoreUnavailable
from session.values.clock import Clock, stamp

KEPT_DIALOGUES = 8


class InHand(msgspec.Struct, frozen=True):
    """The utterance in hand. `mine` is what this person says of it, `theirs` the annotation to be checked, `standing` what all
    said of it, once everybody has finished."""

    item: AnnotationItem
    dialogue: DialogueView
    turn: TurnView
    mine: Annotated
    theirs: Annotated | None = None
    standing: UtteranceAnnotations | None = None

    @property
    def earlier(self) -> tuple[TurnView, ...]:
        """The turns before it."""
        return tuple(turn for turn in self.dialogue.turns if turn.number < self.turn.number)

    @property
    def annotation(self) -> Annotation:
        """The annotation to be checked, that in force, otherwise one's own."""
        if self.theirs is not None:
            return self.theirs.annotation
        final = self.standing.final if self.standing is not None else None
        return final or self.mine.annotation


class Submission(msgspec.Struct, frozen=True):
    """An annotation that its maker has finished and of which reference answers are being made."""

    item: AnnotationItem
    annotation: Annotation
    after: int


class Annotating(CaseWork):
    """One person at the annotations of one corpus. Raises NotNow if a request cannot be granted."""

    def __init__(
        self, corpus: Corpus, work: Work, person: str, clock: Clock, reader: SentenceReader | None = None
    ) -> None:
        self.person, self.key = named(person), bare(person)
        self.attention = Attention(clock)
        self.reader = reader
        self._corpus, self._work, self._clock = corpus, work, clock
        self._dialogue = lru_cache(maxsize=KEPT_DIALOGUES)(lambda log: dialogue_of(corpus, log))
        self.list = AnnotationList(corpus, work, self.key, reader.names if reader is not None else ())
        self._hand: InHand | None = None
        self.draft: Draft | None = None
        self.apart: ReferencesApart | None = None
        self._submitting: set[str] = set()
        self._refusals: dict[tuple[Annotation, str], str] = {}
        self._logs: dict[str, str] = {}

    # --- one utterance --------------------------------------------------------------------------------------------------

    @property
    def hand(self) -> InHand:
        """The utterance in hand; raises NotNow if there is none."""
        if self._hand is None:
            raise NotNow("Open an utterance first")
        return self._hand

    @property
    def annotation(self) -> Annotation:
        """Return the annotation of the current utterance, or the draft of a requested one."""
        return self.draft.annotation if self.draft is not None else self.hand.annotation

    def open(self, stem: str) -> InHand:
        """Take an utterance in hand; raises NotNow for a name that the corpus does not have, or what cannot be read."""
        item = self._item(stem)
        self.list.look_at(item)
        try:
            dialogue: DialogueView = self._dialogue(item.log)
        except (FormatFault, OSError) as error:
            raise NotNow(f"{stem} cannot be opened: {message_of(error)}") from None
        turn = next(turn for turn in dialogue.turns if turn.take == item.take)
        mine = fold(self._work.read(self._stream(item, self.key)))
        theirs = self._theirs(item) if self.list.to_check(item) else None
        standing = self.standing(item) if self.list.settled(item) else None
        self._hand = InHand(item, dialogue, turn, mine, theirs, standing)
        self.draft = None
        self.attention.leave()
        self.attention.touch()
        return self._hand

    def sound(self) -> tuple[Samples, int] | None:
        """The sound of the utterance in hand with its rate; None for typed input. Raises NotNow where it cannot be read."""
        return sound_at(self._corpus, self.hand.turn.wave)

    @property
    def day(self) -> str:
        """The date that the utterance in hand was asked under."""
        return self.hand.dialogue.header.get("Today", "")

    def read(self, sentence: str) -> SentenceRead:
        """A sentence as the front end understands it."""
        if self.reader is None:
            return SentenceRead(
                problem="no database: name it with --domain and --database to see the meaning of a sentence"
            )
        return self.reader.read(sentence, self.day)

    def find(self, sought: str) -> list[Principle]:
        """The principles with all these words anywhere, those with a word in the title first."""
        if self.reader is None:
            return []
        words = sought.casefold().split()
        every = self.reader.principles.principle
        found = [one for one in every if all(word in _searched(one) for word in words)]
        return sorted(found, key=lambda one: not any(word in f"{one.id} {one.title}".casefold() for word in words))

    def editable(self) -> str:
        """Empty if this person may change the annotation in hand, otherwise why not."""
        hand = self.hand
        if self.draft is not None:
            return ""
        if hand.item.take in self._submitting:
            return "Its reference answers are being made"
        if hand.item.take in self.list.requested:
            return "It waits for a ruling: F6"
        if hand.theirs is not None:
            return f"{hand.theirs.by} made it. Ctrl+S: you agree; O: you object"
        if hand.standing is not None and hand.standing.final is not None:
            return "It is in force. O: you object, with evidence"
        if hand.mine.done:
            return "You have submitted it. Ctrl+R reopens it"
        others = {who: state for who, state in self.list.states.get(hand.item.take, {}).items() if who != self.key}
        return rules.may_work(hand.mine, others, self.person, self.list.doubled(hand.item))

    def change(self, changed: Annotation, proposal: str = "", undone: bool = False) -> None:
        """Keep another annotation of the utterance in hand."""
        if why := self.editable():
            raise NotNow(why)
        if changed == self.annotation and not proposal:
            return
        self.attention.touch()
        if self.draft is not None:
            self.draft = drafted(self.draft, changed)
            return
        begun: list[WorkFact] = []
        if not self.hand.mine.events:
            begun = [AnnotationBegun(utterance=self.hand.item.stem, take=self.hand.item.take)]
        if self._follows_from_x(changed):
            changed = rules.excluded(changed, DEPENDS)
        fact = AnnotationRevised(annotation=changed, worked=self.attention.worked, proposal=proposal, undone=undone)
        self._record([*begun, fact])
        self.attention.take()

    def _follows_from_x(self, annotation: Annotation) -> bool:
        """Return whether all queries of which any one gives its context are X, as far as this person may know."""
        if annotation.evaluation not in ("D", "D1"):
            return False
        classes = self._classes(self.hand.item, annotation)
        return bool(classes) and all(known == "X" for known in classes.values())

    def undo(self) -> None:
        """Take the last step back."""
        if self.draft is not None and len(self.draft.steps) > 1:
            self.draft = structs.replace(self.draft, steps=self.draft.steps[:-1])
            return
        earlier = self.hand.mine.earlier
        if not earlier:
            raise NotNow("There is nothing to take back")
        self.change(earlier[-1], undone=True)

    def write(self, at: int, sentence: str) -> None:
        """Write the sentence of one reading; the principles that it rests on are cited in place of those of the one before."""
        before = self.annotation
        after = rules.with_sentence(before, at, sentence)
        others = {number for n, one in enumerate(before.readings) if n != at for number in self._rests(one.sentence)}
        gone = {*self._rests(before.readings[at].sentence)} - others
        self.change(rules.citing(after, self._rests(after.readings[at].sentence), gone))

    def ask_yes_or_no(self) -> None:
        """Take the utterance for a literal yes/no question, by the principles that concern it."""
        principles = self.reader.principles.principle if self.reader is not None else ()
        self.change(rules.as_yes_no(self.annotation, principles))

    def _rests(self, sentence: str) -> tuple[str, ...]:
        return self.read(sentence).principles if sentence else ()

    def proposals(self) -> dict[str, Annotation]:
        """Return programs' proposals for the current utterance, by program."""
        found: dict[str, Annotation] = {}
        for stream in self.list.proposed.get(self.hand.item.take, []):
            for fact in self._work.read(stream):
                event: object = fact.event
                if isinstance(event, AnnotationProposed):
                    found[event.source] = event.annotation
        return found

    def accept(self, source: str) -> None:
        """Take a proposal over as one's own, to be looked at and submitted."""
        self.change(self._cited(self.proposals()[source], self.day), proposal=source)

    def submit(self) -> None:
        """The annotation in hand is right. Raises NotNow for what it lacks, or what no reference answer can be made of."""
        begun = self.begin_submission()
        self.finish(begun, self._refusal(begun.item, begun.annotation))

    def begin_submission(self) -> Submission:
        """The annotation in hand is right, and nothing changes it until `finish`. Raises NotNow for what it lacks.

        The minutes of work are recorded here: they are not lost where the desk ends before the reference answers are made.
        """
        if why := self.editable():
            raise NotNow(why)
        if self.draft is not None:
            raise NotNow("This is a draft of your request, not your annotation")
        if self._follows_from_x(self.annotation):
            self.change(rules.excluded(self.annotation, DEPENDS))
        item = self.hand.item
        self._check_form(item, self.annotation)
        _ = self.principles
        annotation = self._cited(self.annotation, self.day)
        self.attention.touch()
        self._record([AnnotationRevised(annotation=annotation, worked=self.attention.take())])
        self._submitting.add(item.take)
        return Submission(item, annotation, self.hand.mine.events)

    def finish(self, begun: Submission, refusal: str) -> None:
        """Record a submission of which reference answers were made; raises NotNow with the reason of `refusal` where none can
        be, and the annotation stays open."""
        self._submitting.discard(begun.item.take)
        if refusal:
            raise NotNow(f"{begun.item.stem} is not submitted: {refusal}")
        version, digest = self.principles
        fact = AnnotationSubmitted(principles=version, digest=digest)
        recorded = self._append(self._stream(begun.item, self.key), begun.after, [fact])
        self._recorded(begun.item, recorded)

    @property
    def principles(self) -> tuple[str, str]:
        """Version and digest of the principles that are obeyed here."""
        chosen = self.reader.principles if self.reader is not None else (self.list.sets[-1] if self.list.sets else None)
        if chosen is None:
            raise NotNow("No principles are named: an annotation without their version is worth nothing. Say --domain")
        return chosen.version, chosen.digest

    def check(self) -> None:
        """A second person has looked at the annotation in hand and agrees."""
        theirs = self.hand.theirs
        if theirs is None:
            raise NotNow("There is nothing to check here")
        rules.check_may_check(theirs, self.person)
        self.attention.touch()
        self._append(
            self._theirs_stream(self.hand.item), theirs.events, [AnnotationChecked(worked=self.attention.take())]
        )
        self.list.states[self.hand.item.take] = dict.fromkeys(
            self.list.states[self.hand.item.take], TranscriptState.CHECKED
        )
        self._reopen_hand()

    def reopen(self, reason: str) -> None:
        """One's own annotation in hand is to be worked on again."""
        if not self.hand.mine.done:
            raise NotNow("It is not submitted")
        self._record([AnnotationReopened(reason=reason)])

    # --- within ---------------------------------------------------------------------------------------------------------

    def _stream(self, item: AnnotationItem, who: str) -> str:
        return str(StreamName(ANNOTATION, item.stem, who, item.take))

    def _item(self, stem: str) -> AnnotationItem:
        item = self.list.get(stem)
        if item is None:
            raise NotNow(f"There is no utterance {stem}, or its speaker has withdrawn")
        return item

    def _theirs_stream(self, item: AnnotationItem) -> str:
        return self._stream(item, next(iter(self.list.states[item.take])))

    def _theirs(self, item: AnnotationItem) -> Annotated:
        return fold(self._work.read(self._theirs_stream(item)))

    def _record(self, facts: Sequence[WorkFact]) -> None:
        hand = self.hand
        self._recorded(hand.item, self._append(self._stream(hand.item, self.key), hand.mine.events, facts))

    def _recorded(self, item: AnnotationItem, facts: Sequence[Recorded]) -> None:
        hand = self.hand
        if hand.item.take != item.take:
            self.list.look_at(item)
            return
        mine = hand.mine
        for record in facts:
            mine = evolve(mine, record)
        self.list.states.setdefault(item.take, {})[self.key] = mine.state
        self._hand = structs.replace(hand, mine=mine)

    def _append(self, stream: str, after: int, facts: Sequence[WorkFact]) -> Sequence[Recorded]:
        try:
            recorded = self._work.append(stream, after, facts, stamp(self._clock), self.person)
        except SecondWriter:
            self.list.look_around()
            raise ConcurrentChange("Another person has changed this meanwhile: open it again") from None
        except StoreUnavailable as error:
            raise NotNow(f"It cannot be recorded: {error}") from None
        name = StreamName.parse(stream)
        if name is not None and name.kind == RULING:
            self.list.rulings[name.take] = recorded[-1].seq
        return recorded

    def _in_hand(self) -> AnnotationItem:
        return self.hand.item

    def _reopen_hand(self) -> None:
        self.open(self.hand.item.stem)


def _searched(principle: Principle) -> str:
    parts = principle.id, principle.title, principle.text, *principle.examples, *principle.concerns
    return " ".join(parts).casefold()
