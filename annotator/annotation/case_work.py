"""Cases that wait for a ruling: the request, the proposed annotation, and the person who rules.

Whoever objects or rules may write an annotation of their own with all that the desk offers: it is a draft, of which nothing is
recorded before the request or the ruling is.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from annotator.annotation import annotation_rules as rules
from annotator.annotation.annotation_list import AnnotationItem, AnnotationList
from annotator.annotation.dialogue_view import DialogueView
from annotator.annotation.exclusion_reasons import DEPENDS
from annotator.annotation.references_apart import ReferencesApart
from annotator.annotation.sentence_reader import SentenceReader
from annotator.annotation.standing import UtteranceAnnotations, Waits, standings, with_dependents, worded
from annotator.effort import Attention
from annotator.rules import NotNow
from annotator.user_names import same
from session.annotation.annotated import ANNOTATION, RULING, StreamName, fold
from session.annotation.annotation_facts import Annotation, AnnotationRuled, ChangeRequested
from session.annotation.events import WorkFact
from session.annotation.store import Work


class Draft(msgspec.Struct, frozen=True):
    """An annotation that somebody would rather have, with the steps to it; `case` is what it rules over, none for a request."""

    steps: tuple[Annotation, ...]
    case: UtteranceAnnotations | None = None

    @property
    def annotation(self) -> Annotation:
        """Return it as it is now."""
        return self.steps[-1]

    @property
    def wanted(self) -> Annotation | None:
        """Return it where it differs from what it began with."""
        return self.annotation if self.annotation != self.steps[0] else None


class CaseWork:
    """Part of `Annotating` that is about other people's annotations. Raises NotNow if a request cannot be granted."""

    if TYPE_CHECKING:
        person: str
        attention: Attention
        reader: SentenceReader | None
        list: AnnotationList
        draft: Draft | None
        apart: ReferencesApart | None
        key: str
        _work: Work
        _refusals: dict[tuple[Annotation, str], str]
        _dialogue: Callable[[str], DialogueView]
        _logs: dict[str, str]

        @property
        def annotation(self) -> Annotation: ...
        @property
        def principles(self) -> tuple[str, str]: ...
        def _item(self, stem: str) -> AnnotationItem: ...
        def _in_hand(self) -> AnnotationItem: ...
        def _append(self, stream: str, after: int, facts: Sequence[WorkFact]) -> object: ...
        def _reopen_hand(self) -> None: ...

    def begin_draft(self, case: UtteranceAnnotations | None = None, first: Annotation | None = None) -> None:
        """From now on changes make up what one would rather have, in a request or, of a `case`, in a ruling."""
        if self.draft is not None:
            raise NotNow("You are at it: Ctrl+S submits it, Esc discards it")
        if case is not None:
            self._no_party(case)
        self.draft = Draft((first or self.annotation,), case)

    def check_draft(self) -> Draft:
        """Return the draft; raises NotNow if there is none, or it lacks something."""
        if self.draft is None:
            raise NotNow("There is no draft: O begins one")
        if self.draft.case is not None or self.draft.wanted is not None:
            self._complete(self._in_hand(), self.draft.annotation)
        return self.draft

    def drop_draft(self) -> None:
        """Let the draft go."""
        self.draft = None

    def object(self, request: str, evidence: str, wanted: Annotation | None = None) -> None:
        """Request another annotation of the current utterance, on which another person rules. Raises NotNow for an incomplete
        one."""
        item = self._in_hand()
        if wanted is not None:
            self._complete(item, wanted)
        fact = ChangeRequested(utterance=item.stem, site=self.person, request=request, evidence=evidence, wanted=wanted)
        self._append(str(StreamName(RULING, item.stem, "", item.take)), self.list.rulings.get(item.take, 0), [fact])
        self.list.requested.add(item.take)
        self._reopen_hand()

    def standings(self) -> dict[str, UtteranceAnnotations]:
        """The standing of every utterance, by take: for anyone who adjudicates or releases."""
        doubled = (item.take for item in self.list.items() if self.list.doubled(item))
        return with_dependents(standings(self._work, doubled, self.list.sets, self._meant), self.list.scenarios())

    def standing(self, item: AnnotationItem) -> UtteranceAnnotations | None:
        """The standing of one utterance; None if nothing is recorded about it."""
        one = self._standings([item]).get(item.take)
        if one is not None and one.final is not None and one.final.reason == DEPENDS:
            beside = self.list.of_log(item.log)  # its context tells whether it is X still
            found = self._standings(beside)
            return with_dependents(found, [[(each.stem, each.take) for each in beside]]).get(item.take)
        return one

    def _standings(self, items: Sequence[AnnotationItem]) -> dict[str, UtteranceAnnotations]:
        doubled = [item.take for item in items if self.list.doubled(item)]
        streams = [stream for item in items for stream in self.list.streams(item)]
        return standings(self._work, doubled, self.list.sets, self._meant, streams)

    def queue(self) -> tuple[UtteranceAnnotations, ...]:
        """Return the cases that wait for a ruling, in the order of the corpus."""
        found = self.standings()
        return tuple(one for item in self.list.items() if (one := found.get(item.take)) and one.waits is Waits.RULING)

    def rule(self, one: UtteranceAnnotations, annotation: Annotation, reason: str) -> None:
        """Rule what holds of an utterance. Raises NotNow for who has a part in it, a ruling without a reason, or what lacks."""
        self._no_party(one)
        if not reason.strip():
            raise NotNow("A ruling has a reason")
        item = self._item(one.utterance)
        self._complete(item, annotation)
        annotation = self._cited(annotation, self._day_of(item))
        version, digest = self.principles
        fact = AnnotationRuled(
            utterance=one.utterance,
            annotation=annotation,
            reason=reason,
            principles=version,
            digest=digest,
            worked=self.attention.take(),
        )
        stream = str(StreamName(RULING, one.utterance, "", one.take))
        self._append(stream, len(self._work.read(stream)), [fact])
        self.list.requested.discard(item.take)
        self.drop_draft()

    def _no_party(self, one: UtteranceAnnotations) -> None:
        parties = [*(held.by for held in one.held.values()), *(request.site for request in one.requests)]
        if any(same(self.person, party) for party in parties):
            raise NotNow("You are involved in this case: another person rules")

    def _complete(self, item: AnnotationItem, annotation: Annotation) -> None:
        """Raise NotNow for an annotation that lacks something, or of which no reference answer can be made."""
        self._check_form(item, annotation)
        if refusal := self._refusal(item, annotation):
            raise NotNow(refusal)

    def _check_form(self, item: AnnotationItem, annotation: Annotation) -> None:
        """Raise NotNow for an annotation that lacks something."""
        dialogue = self._dialogue(item.log)
        numbers = {turn.take: turn.pointer for turn in dialogue.turns}
        before = list(numbers.values())[: list(numbers).index(item.take)]
        if lacking := rules.lacks(annotation, before):
            raise NotNow(lacking[0])
        self._check_dependence(item, annotation)

    def _check_dependence(self, item: AnnotationItem, annotation: Annotation) -> None:
        if annotation.evaluation != "X" or annotation.reason != DEPENDS:
            return
        classes = self._classes(item, annotation)
        if not classes:
            raise NotNow("It is marked as depending on an X: point to that query with C")
        if usable := [f"{pointer} is {known[:1]}" for pointer, known in classes.items() if known not in ("", "X")]:
            raise NotNow(f"It does not depend on an X: {', '.join(usable)}. Say A, D, or R for another reason")

    def _classes(self, item: AnnotationItem, annotation: Annotation) -> dict[str, str]:
        """The classes of the queries that give its context, by their pointers, as far as this person may know: that in force,
        otherwise this person's own account, otherwise empty."""
        turns = {turn.pointer: turn for turn in self._dialogue(item.log).turns}
        return {name: self._class_of(turns[name].stem) for name in sorted(rules.pointers(annotation)) if name in turns}

    def _class_of(self, stem: str) -> str:
        item = self.list.get(stem)
        if item is None:
            return ""
        one = self.standing(item) if self.list.settled(item) else None
        if one is not None and one.final is not None:
            return one.evaluation
        own = fold(self._work.read(str(StreamName(ANNOTATION, item.stem, self.key, item.take))))
        return own.annotation.evaluation

    def _refusal(self, item: AnnotationItem, annotation: Annotation) -> str:
        """Return why no reference answers can be made of it; empty if they can, and for an X."""
        if annotation.evaluation == "X":
            return ""
        if self.reader is None:
            return "Its sentences cannot be read without --domain and --database"
        asked = annotation, self._day_of(item)
        if asked not in self._refusals:
            self._refusals[asked] = self.reader.refusal(*asked)
        return self._refusals[asked]

    async def refusal_of(self, item: AnnotationItem, annotation: Annotation) -> str:
        """Return why no reference answers can be made of an annotation, empty if they can; the desk goes on meanwhile where a
        process of its own makes them."""
        asked = annotation, self._day_of(item)
        if self.apart is not None and annotation.evaluation != "X" and asked not in self._refusals:
            refusal = await self.apart.refusal(*asked)
            if refusal is not None:
                self._refusals[asked] = refusal
        return self._refusal(item, annotation)

    def _day_of(self, item: AnnotationItem) -> str:
        return self._dialogue(item.log).header.get("Today", "")

    def _cited(self, annotation: Annotation, day: str) -> Annotation:
        """Return it with the principles that its sentences rest on."""
        if annotation.evaluation == "X" or self.reader is None:
            return annotation
        read = [self.reader.read(reading.sentence, day) for reading in annotation.readings]
        return rules.citing(annotation, [number for one in read for number in one.principles])

    def _meant(self, take: str, annotation: Annotation) -> Hashable:
        """Return the meaning of an annotation of a take: its statements, or its words where they cannot be read."""
        if self.reader is None:
            return worded(take, annotation)
        if not self._logs:
            self._logs = {item.take: item.log for item in self.list.items()}
        return self.reader.meaning(annotation, self._dialogue(self._logs[take]).header.get("Today", ""))


def drafted(draft: Draft, annotation: Annotation) -> Draft:
    """A draft with one more step."""
    return structs.replace(draft, steps=(*draft.steps, annotation))
