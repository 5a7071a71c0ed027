"""The queue of the annotation desk: a person without a part in a case reads it and rules, with a reason."""

from typing import TYPE_CHECKING

from annotator.annotation import sheet_text
from annotator.annotation.annotating import Annotating
from annotator.annotation.case_work import Draft
from annotator.annotation.standing import UtteranceAnnotations
from annotator.screens.desk_screen import DialogueScreen
from desk.dialogs import AskText, Choose, ListEntry, ReadLines
from session.annotation.annotation_facts import Annotation

LISTED = 200
MAKING = "Its reference answers are being made"


class RulesOnCases(DialogueScreen):
    """Part of a screen over `Annotating` that has `keep`, `renew` and `_open`."""

    _desk: Annotating
    _case: UtteranceAnnotations | None = None

    if TYPE_CHECKING:

        def keep(self) -> bool: ...
        def renew(self) -> None: ...
        def _open(self, stem: str) -> bool: ...

    def action_queue(self) -> None:
        self._desk.list.look_around()
        cases = {one.utterance: one for one in self._desk.queue()}
        lines = [ListEntry("", name, f"{name}: {one.why}") for name, one in list(cases.items())[:LISTED]]

        def take(name: str | None) -> None:
            if name and self.keep() and self._open(name):
                self._case = cases[name]
                self.app.push_screen(ReadLines(f"{name}: Enter, then choose", sheet_text.case(cases[name])), self._rule)

        self.app.push_screen(Choose(f"{len(cases)} wait for a ruling", lines), take)

    def _rule(self, _: None) -> None:
        one = self._case
        if one is None:
            return
        offered = sheet_text.rulings_on_offer(one)

        def take(name: str | None) -> None:
            if name == sheet_text.ANEW:
                self._begin(one, sheet_text.beginning_of(one))
            elif name:
                self._give_reason(one, offered[name])

        self.app.push_screen(Choose("What holds?", sheet_text.ruling_choices(one)), take)

    def _give_reason(self, one: UtteranceAnnotations, annotation: Annotation) -> None:
        def put(why: str | None) -> None:
            if why:
                self.say(MAKING)
                self.run_worker(self._give_ruling(one, annotation, why))

        self.app.push_screen(AskText("Why is it so?", limit=1000), put)

    async def _give_ruling(self, one: UtteranceAnnotations, annotation: Annotation, why: str) -> None:
        await self._desk.refusal_of(self._desk.hand.item, annotation)
        if self.attempt(lambda: self._desk.rule(one, annotation, why)) and self._open(one.utterance):
            self.say(f"{one.utterance} is ruled")

    def _begin(self, case: UtteranceAnnotations | None = None, first: Annotation | None = None) -> None:
        if self.attempt(lambda: self._desk.begin_draft(case, first), sheet_text.DRAFTING):
            self.renew()

    def action_object(self) -> None:
        self._begin()

    def action_drop(self) -> None:
        if self._desk.draft is not None:
            self._desk.drop_draft()
            self.say("Let go")
            self.renew()

    def put_forward(self, draft: Draft) -> None:
        """Ask for what a draft still needs, and record it as a request or a ruling."""
        self.say(MAKING)
        self.run_worker(self._put_forward(draft))

    async def _put_forward(self, draft: Draft) -> None:
        await self._desk.refusal_of(self._desk.hand.item, draft.annotation)
        if self._desk.draft is draft and self.attempt(self._desk.check_draft):
            self.say("")
            self._ask_for_the_rest(draft)

    def _ask_for_the_rest(self, draft: Draft) -> None:
        if draft.case is not None:
            self._give_reason(draft.case, draft.annotation)
            return

        def ask(request: str | None) -> None:
            if request:
                self.app.push_screen(AskText("What is the evidence?", limit=1000), lambda given: put(request, given))

        def put(request: str, evidence: str | None) -> None:
            if evidence and self.attempt(
                lambda: self._desk.object(request, evidence, draft.wanted), "It waits for a ruling now: F6"
            ):
                self.renew()

        self.app.push_screen(AskText("What should be changed?", limit=500), ask)
