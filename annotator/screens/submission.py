"""Submission at the annotation desk: submits, checks or reopens an annotation, and opens the next one."""

from typing import TYPE_CHECKING

from annotator.annotation.annotating import Annotating, Submission
from annotator.annotation.case_work import Draft
from annotator.screens.desk_screen import DialogueScreen
from desk.dialogs import AskText


class Submits(DialogueScreen):
    """Part of a screen over `Annotating` that has `renew`, `action_go`, `put_forward` and the two below."""

    _desk: Annotating

    if TYPE_CHECKING:

        def renew(self) -> None: ...
        def put_forward(self, draft: Draft) -> None: ...
        def action_go(self, step: int) -> None: ...
        def _keep_sentence(self) -> bool: ...
        def _leave_sentence(self) -> None: ...

    def action_done(self) -> None:
        if not self._keep_sentence():
            return
        self._leave_sentence()
        self.renew()
        if self._desk.draft is not None:
            self.put_forward(self._desk.draft)
        elif self._desk.hand.theirs is not None:
            stem = self._desk.hand.item.stem
            if self.attempt(self._desk.check):
                self.action_go(1)
                self.say(f"{stem} is checked")
        else:
            self._submit()

    def _submit(self) -> None:
        begun: list[Submission] = []
        if self.attempt(lambda: begun.append(self._desk.begin_submission())):
            self.action_go(1)
            self.say(f"{begun[0].item.stem} is submitted once its reference answers are made")
            self.run_worker(self._finish(begun[0]))

    async def _finish(self, begun: Submission) -> None:
        refusal = await self._desk.refusal_of(begun.item, begun.annotation)
        if not self.attempt(lambda: self._desk.finish(begun, refusal), f"{begun.item.stem} is submitted"):
            self.app.bell()
        self.renew()

    async def finished(self) -> None:
        """Wait until what was submitted has its reference answers."""
        await self.workers.wait_for_complete([worker for worker in self.workers if worker.node is self])

    def action_reopen(self) -> None:
        def take(reason: str | None) -> None:
            if reason:
                self.attempt(lambda: self._desk.reopen(reason), "It is open again")
                self.renew()

        self.app.push_screen(AskText("Why is it reopened?", limit=500), take)
