"""The subject's terminal as a Textual app: thin over `Terminal`, locked against leaving, silent about what is behind it."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from desk.footer import KeyFooter
from desk.inert import ForeignText
from desk.kiosk import KioskApp
from session.answers import digest
from session.audio import DeviceError
from session.clock import Clock
from subject import telling
from subject.level import Level
from subject.screens.consent import ConsentScreen, InstructionsScreen
from subject.screens.talking import TalkingScreen
from subject.terminal import Phase, Terminal


class WaitingScreen(Screen[None]):
    """Until the hub has said what session this is."""

    DEFAULT_CSS = "WaitingScreen { align: center middle; } WaitingScreen ForeignText { width: auto; max-width: 90%; }"

    def __init__(self, reason: Callable[[], str]) -> None:
        super().__init__()
        self._reason = reason

    def compose(self) -> ComposeResult:
        yield ForeignText(telling.HEADLINES[Phase.CONNECTING], id="headline")
        yield ForeignText("", id="reason")
        yield KeyFooter()

    def refresh_all(self) -> None:
        """Say why it takes so long."""
        self.query_one("#reason", ForeignText).show(self._reason())


class SubjectApp(KioskApp[None]):
    """Runs over a terminal that somebody else feeds; call `changed` whenever its state is another one.

    `open_microphone` may raise DeviceError; `reason` says why there is no connection, empty while there is one.
    """

    TITLE = "Session"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f9", "instructions", "Instructions", show=False)]

    def __init__(
        self,
        terminal: Terminal,
        clock: Clock,
        *,
        open_microphone: Callable[[], None],
        levels: Callable[[], dict[str, Level]] = dict,
        reason: Callable[[], str] = str,
        code: str | None = None,
        theme: str = "dark",
        on_start: Callable[[], None] = lambda: None,
        on_crash: Callable[[BaseException], None] | None = None,
        driver_class: type[Driver] | None = None,
    ) -> None:
        super().__init__(code=code, on_crash=on_crash, theme=theme, driver_class=driver_class)
        self._terminal = terminal
        self._clock = clock
        self._open_microphone = open_microphone
        self._levels = levels
        self._reason = reason
        self._on_start = on_start
        self._asked = False
        self._opened = False
        self._talking: TalkingScreen | None = None
        self._waiting: WaitingScreen | None = None
        self._due = False

    def on_mount(self) -> None:
        self._waiting = WaitingScreen(self._reason)
        self.push_screen(self._waiting)
        self._on_start()
        self.changed()

    def changed(self) -> None:
        """The terminal's state is another one; many changes at once cost one repaint."""
        if self.is_running and not self._due:
            self._due = True
            self.call_later(self._catch_up)

    def _catch_up(self) -> None:
        self._due = False
        phase = self._terminal.phase
        if phase is Phase.CONNECTING:
            if self._waiting is not None and self._waiting.is_mounted:
                self._waiting.refresh_all()
            return
        if self._talking is None:
            self._talking = TalkingScreen(self._terminal, self._clock, self._levels, lambda: self._terminal.connected)
            self.switch_screen(self._talking)
            self.call_later(self._catch_up)
            return
        if phase is Phase.CONSENT:
            self._ask_consent()
        else:
            self._use_microphone()
        if self._talking.is_mounted:
            self._talking.refresh_all()

    def _ask_consent(self) -> None:
        opened = self._terminal.state.opened
        if not self._asked and opened is not None:
            self._asked = True
            protocol = opened.protocol
            self.push_screen(ConsentScreen(protocol.consent_text, protocol.instructions), self._consented)

    def _consented(self, scopes: dict[str, bool] | None) -> None:
        opened = self._terminal.state.opened
        if scopes is None or opened is None:
            self._asked = False
            return
        self._terminal.visit.consent(scopes, digest(opened.protocol.consent_text))
        if scopes.get("record"):
            self.action_instructions()

    def action_instructions(self) -> None:
        """Show the written instructions."""
        opened = self._terminal.state.opened
        if opened is not None and opened.protocol.instructions and not isinstance(self.screen, InstructionsScreen):
            self.push_screen(InstructionsScreen(opened.protocol.instructions))

    def _use_microphone(self) -> None:
        """Open it once, after consent, and keep it open."""
        consent = self._terminal.state.consent
        if self._opened or (consent is not None and not consent.scopes.get("record", True)):
            return
        self._opened = True
        try:
            self._open_microphone()
        except DeviceError as error:
            self._terminal.message = f"{telling.NO_MICROPHONE} ({error})"
            self._terminal.call()
