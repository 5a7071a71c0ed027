"""The part of the console's screen that offers the canned messages and sends the chosen one."""

from textual.screen import Screen

from wizard.core.completion.sql_names import blank_of
from wizard.core.console import Console
from wizard.core.fitting import fitting
from wizard.core.permissions import may
from wizard.core.turn_tracker import TurnTracker
from wizard.widgets.canned import CannedChosen, CannedLeft
from wizard.widgets.views import Views


class CannedReplies(Screen[None]):
    """Base of the console's screen; offered are the messages of the session, at the one that fits best."""

    console: Console
    turn: TurnTracker

    def action_canned(self) -> None:
        self._offer(focus=True)

    def _offer_late(self) -> None:
        """At the limit the messages are offered, beside what the wizard does: neither cursor nor a ready answer gives way."""
        if self.console.preview is None:
            self._offer(focus=False)
        if may(self.console.role, "reply"):
            self.show_notice("The time for a reply is over. F6 chooses a canned message.")

    def _offer(self, *, focus: bool) -> None:
        if may(self.console.role, "reply"):
            self.query_one(Views).offer(self.console.canned_messages, fitting(self.console), focus=focus)

    def _offer_returned(self) -> None:
        """A canned message that was refused comes back as it was filled, unless the wizard is writing something else."""
        returned, self.console.returned = self.console.returned, None
        if returned is not None and returned.blanks:
            self._offer(focus=not self.typing)
            canned = self.query_one(Views).canned
            canned.offer_filled(self.console.canned_messages, returned.message, returned.blanks)

    def _ask_back(self) -> None:
        message = self.console.asking_back
        if message is not None:
            self._offer(focus=True)
            question = self.console.asked_in_english
            missing = blank_of(question) if question else ""
            self.query_one(Views).canned.offer_filled(self.console.canned_messages, message.id, (missing,))

    def on_canned_chosen(self, event: CannedChosen) -> None:
        self.console.send_canned(event.message, event.blanks)
        self.on_canned_left(CannedLeft())

    def on_canned_left(self, event: CannedLeft) -> None:
        self.query_one(Views).with_canned(False)
        self.action_to("query" if self.turn.transcribed else "said")

    @property
    def typing(self) -> bool:
        """Return whether the wizard is in the middle of a text."""
        raise NotImplementedError

    def action_to(self, where: str) -> None:
        raise NotImplementedError

    def show_notice(self, notice: str) -> None:
        raise NotImplementedError
