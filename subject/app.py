"""The subject's terminal as a Textual app: thin over `Terminal`, locked against leaving, silent about what is behind it."""

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from desk.app import is_on_screen
from desk.keys.footer import KeyFooter
from desk.kiosk import KioskApp
from desk.safe_text import ForeignText
from session.audio.devices import DeviceError
from session.study.screen_words import ENGLISH, Words
from session.values.clock import Clock
from session.values.vocabulary import Step
from subject.capture.level import Level
from subject.core import texts
from subject.core.terminal import Phase, Terminal
from subject.screens.consent_screens import InstructionsScreen
from subject.screens.session_screen import SessionScreen
from subject.screens.stations import station
from subject.screens.task_dialogs import WithdrawScreen


class WaitingScreen(Screen[None]):
    """Until the hub has said what session this is."""

    DEFAULT_CSS = "WaitingScreen { align: center middle; } WaitingScreen ForeignText { width: auto; max-width: 90%; }"

    def __init__(self, reason: Callable[[], str], turned_away: Callable[[], bool]) -> None:
        super().__init__()
        self._reason, self._turned_away = reason, turned_away

    def compose(self) -> ComposeResult:
        yield ForeignText(ENGLISH["headline.connecting"], id="headline")
        yield ForeignText("", id="reason")
        yield KeyFooter(reachable=True)

    def refresh_all(self) -> None:
        """Say why it takes so long; who was turned away waits in vain."""
        known = "headline.not_let_in" if self._turned_away() else "headline.connecting"
        self.query_one("#headline", ForeignText).show(ENGLISH[known])
        self.query_one("#reason", ForeignText).show(self._reason())


class SubjectApp(KioskApp[None]):
    """Runs over a terminal that another person feeds; call `changed` whenever its state is another one.

    `open_microphone` may raise DeviceError; `reason` says why there is no connection, empty while there is one, and `turned_away`
    whether it is the hub that does not want this one.
    """

    TITLE = "Session"
    EDITING_HELP = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f9", "instructions", "Instructions", show=False),
        Binding("f4", "withdraw", "Stop taking part", priority=True),
    ]

    def __init__(
        self,
        terminal: Terminal,
        clock: Clock,
        *,
        open_microphone: Callable[[], None],
        levels: Callable[[], dict[str, Level]] = dict,
        reason: Callable[[], str] = str,
        turned_away: Callable[[], bool] = bool,
        code: str | None = None,
        theme: str = "dark",
        after_paint: Callable[[], object] = lambda: None,
        on_crash: Callable[[BaseException], None] | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(code=code, on_crash=on_crash, theme=theme, after_paint=after_paint, driver_class=driver_class)
        self._terminal = terminal
        self._clock = clock
        self._open_microphone = open_microphone
        self._levels = levels
        self._reason, self._turned_away = reason, turned_away
        self._step: Step | None = None
        self._station: Screen[Any] | None = None
        self._opened = False
        self._tried = -1
        self._session_screen: SessionScreen | None = None
        self._waiting: WaitingScreen | None = None
        self._due = False
        self._offered = False

    @property
    def words(self) -> Words:
        return texts.words_for(self._terminal)

    def on_mount(self) -> None:
        self._waiting = WaitingScreen(self._reason, self._turned_away)
        self.push_screen(self._waiting)
        self.changed()

    def changed(self) -> None:
        """The terminal's state is another one; many changes at once cost one repaint."""
        if self.is_running and not self._due:
            self._due = True
            self.call_later(self._update)

    def _update(self) -> None:
        self._due = False
        phase = self._terminal.phase
        if phase is Phase.CONNECTING:
            if self._waiting is not None and is_on_screen(self._waiting):
                self._waiting.refresh_all()
            return
        if self._session_screen is None:
            self._session_screen = SessionScreen(
                self._terminal, self._clock, self._levels, lambda: self._terminal.connected
            )
            self.switch_screen(self._session_screen)
            self.call_later(self._update)
            return
        if phase is not Phase.CONSENT:
            self._use_microphone()
        self._follow_visit()
        if (may_withdraw := self._may_withdraw) is not self._offered:
            self._offered = may_withdraw
            self.screen.refresh_bindings()
        if is_on_screen(self._session_screen):
            self._session_screen.refresh_all()

    def _follow_visit(self) -> None:
        """Have the screen of the station that the subject is at, and of no other."""
        step = self._terminal.visit.step
        if step is self._step:
            return
        before, self._step = self._step, step
        while self._station is not None and self._station in self.screen_stack:
            self.pop_screen()
        self._station = None
        found = station(self._terminal, self._clock, self._levels)
        if found is not None:
            self._station, use = found
            self.push_screen(self._station, use)
        elif before is Step.CONSENT and self._terminal.may_be_recorded:
            self.action_instructions()

    def action_instructions(self) -> None:
        """Show the written instructions."""
        opened = self._terminal.state.opened
        if opened is not None and opened.protocol.instructions and not isinstance(self.screen, InstructionsScreen):
            self.push_screen(InstructionsScreen(opened.protocol.instructions))

    def action_call(self) -> None:
        """Call the experimenter, from whatever screen."""
        self._terminal.call()
        self.notify(self.words["message.called"], markup=False)

    def action_withdraw(self) -> None:
        """Stop taking part, at any moment."""
        if not isinstance(self.screen, WithdrawScreen):
            self.push_screen(WithdrawScreen(), self._withdrawn)

    def _withdrawn(self, chosen: str | None) -> None:
        if chosen is not None:
            self._terminal.withdraw(erase=chosen == "erase")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._may_withdraw if action == "withdraw" else super().check_action(action, parameters)

    @property
    def _may_withdraw(self) -> bool:
        state = self._terminal.state
        return state.opened is not None and not state.ended and state.withdrawn is None

    def _use_microphone(self) -> None:
        """Open it once, after consent, and keep it open; what could not be opened is tried again when the call is answered."""
        calls = self._terminal.calls_answered
        if self._opened or self._tried == calls or not self._terminal.microphone_wanted:
            return
        self._tried = calls
        try:
            self._open_microphone()
        except DeviceError:  # what it is, in a technician's words, the desk has reported to those who can mend it
            self._terminal.message = self.words["message.no_microphone"]
            self._terminal.call()
            return
        self._opened = True
        if calls:
            self._terminal.show_message("")
