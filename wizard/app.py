"""The wizard's console as a terminal app: thin over `wizard.core.console`, which decides everything."""

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from desk.app import DeskApp, is_on_screen
from desk.dialogs import yes_or_no
from desk.keys.help import HelpScreen, help_lines
from desk.keys.order import KeysInOrder
from session.study.screen_words import Words
from session.values.clock import Clock
from wizard.audio.playback_state import PlaybackState
from wizard.core.console import Console
from wizard.core.permissions import may
from wizard.screens.console_screen import ConsoleScreen
from wizard.screens.fill_blanks import FillBlanks
from wizard.screens.session_check_screen import ClosingLight

TURN_KEYS = ("enter", "send", "canned", "filler", "language", "again", "other", "readings", "stop", "more")
"""Keys of a turn in the order of the help."""
TYPED_TURN = {"enter": ("enter", "enter_typed"), "again": ("to", "to"), "stop": ("stop", "stop_typed")}
"""Key and line that stand instead where the participant types, so that there is nothing to hear."""


class WizardApp(KeysInOrder, DeskApp[None]):
    """`run_desk` keeps the link alive until cancelled; `wizard` is who sits here, told to the hub at the first occasion."""

    TITLE = "Curtain: wizard"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", "All by name", tooltip="Finds any action by its name", priority=True),
    ]

    def __init__(
        self,
        console: Console,
        clock: Clock,
        listening: PlaybackState,
        *,
        invitation: str = "",
        english: bool = True,
        wizard: str = "",
        notice: str = "",
        run_desk: Callable[[], Coroutine[Any, Any, None]] | None = None,
        after_paint: Callable[[], object] = lambda: None,
        theme: str = "dark",
    ) -> None:
        super().__init__(theme=theme, after_paint=after_paint)
        self.oz = console
        self._wizard = wizard
        self._run_desk = run_desk
        self._due = False
        self._identified = False
        self._unheard = ""
        self.desk = ConsoleScreen(console, clock, listening, invitation=invitation, english=english)
        self.desk.show_notice(notice)

    def on_mount(self) -> None:
        # Textual runs the base class's own handler as well; calling it here would run it twice.
        self.push_screen(self.desk)
        if self._run_desk is not None:
            self.run_worker(self._run_desk(), name="link")

    def hub_ready(self, invitation: str, notice: str) -> None:
        """There is a hub now: the line with which the subject connects, and what the wizard should know."""
        self.desk.console.invitation = invitation
        self.desk.show_notice(notice)
        self.changed()

    def cannot_hear(self, why: str) -> None:
        """There is no loudspeaker: it is said once the session is known, and only where there is something to hear."""
        self._unheard = why
        self.changed()

    def changed(self) -> None:
        """The console's state is another one; any number of changes before the next painting are shown at once."""
        if self.is_running and not self._due:
            self._due = True
            self.call_later(self._refresh)

    def _refresh(self) -> None:
        self._due = False
        self._sign_on()
        self._tell_unheard()
        if is_on_screen(self.desk):
            self.desk.refresh_content()
        if isinstance(self.screen, ClosingLight | FillBlanks):
            self.screen.refresh_content()

    def _tell_unheard(self) -> None:
        if self._unheard and self.oz.state.opened is not None:
            if not self.oz.typed_input:
                told = self.words["console_text.cannot_be_heard"].format(why=self.words.told(self._unheard))
                self.desk.show_notice(" ".join(filter(None, (self.desk.notice, told))))
            self._unheard = ""

    def _sign_on(self) -> None:
        state = self.oz.state
        if self._wizard and not self._identified and self.oz.connected and state.opened is not None:
            self._identified = True
            # Where there is a pass mark, a certificate is looked up whenever a wizard signs on.
            anew = state.wizard != self._wizard or (state.opened.certified is not None and state.run is None)
            if anew and not state.ended and may(self.oz.role, "identify"):
                self.oz.identify(self._wizard)

    @property
    def words(self) -> Words:
        """The words of the session's consoles."""
        return self.oz.words

    def action_help(self) -> None:
        """F1: a turn in ten keys, then what the part in focus does, and all keys."""
        words, lines = self.words, help_lines(self.screen)
        if self.screen is not self.desk:
            super().action_help()
            return
        instead = TYPED_TURN if self.oz.typed_input else {}
        shown = (instead.get(key, (key, key)) for key in TURN_KEYS)
        turn = [f"  {words[f'console_turn.{key}_key']:<14}{words[f'console_turn.{does}']}" for key, does in shown]
        self.push_screen(HelpScreen([words["console_turn.title"], *turn, "", *lines]))

    async def action_quit(self) -> None:
        """Leaving is asked about once while the session goes on: the hub may end with this console."""
        if self.oz.state.opened is None or self.oz.state.ended:
            self.exit()
        else:
            ask = yes_or_no(*(self.words[f"console_leave.{key}"] for key in ("question", "yes", "no")))
            self.push_screen(ask, lambda yes: self.exit() if yes else None)
