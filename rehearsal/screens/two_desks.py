"""Both desks' screens at once: side by side where the terminal is wide enough, one above the other where it is high enough,
otherwise one at a time, with a key to change over."""

from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from desk.app import SMALLEST, DeskApp
from desk.keys.footer import KeyFooter
from desk.safe_text import ForeignText
from rehearsal.screens.desk_pane import DeskPane
from subject.app import SubjectApp
from wizard.widgets.cockpit_frame import WIDE

SUBJECT, WIZARD = "subject", "wizard"
ABOVE = 2 * (SMALLEST[1] - 2) + 6
"""Lines from which on both screens have room one above the other, less what the desks' own lists of keys take at the bottom."""
TITLES = {SUBJECT: " PARTICIPANT", WIZARD: " WIZARD"}


class SeenSubjectApp(SubjectApp):
    """The subject's terminal before an onlooker, who closes nothing: the instructions that it would open by itself, to be closed
    again, stay away. Where reading them is a station of the visit, they are there as long as it lasts."""

    def action_instructions(self) -> None:
        """Stay with the session."""


class TwoDesks(DeskApp[None]):
    """Base of what shows both desks; a subclass starts them in `panes` and says in `foot` what stands below them."""

    TITLE = "Curtain: both desks"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "other_desk", "Other desk", priority=True),
        Binding("q", "quit", "Leave"),
    ]
    DEFAULT_CSS = """
    #desks { height: 1fr; layout: vertical; }
    #desks > Vertical { width: 1fr; height: 1fr; }
    #desks.-beside { layout: horizontal; }
    #desks.-one > .-away { display: none; }
    #desks.-low .desk-title { display: none; }
    .desk-title { height: 1; text-style: bold reverse; }
    """
    front: reactive[str] = reactive(WIZARD)
    """The desk that is in front where only one has room."""

    def __init__(self, *, theme: str = "dark") -> None:
        super().__init__(theme=theme)
        self.chosen_theme = theme
        self.panes = {name: DeskPane(id=name) for name in TITLES}

    def compose(self) -> ComposeResult:
        with Container(id="desks"):
            for name, title in TITLES.items():
                with Vertical(id=f"{name}-side"):
                    yield ForeignText(title, classes="desk-title")
                    yield self.panes[name]
        yield from self.foot()
        yield KeyFooter(1)

    def foot(self) -> list[Widget]:
        """Widgets below the desks."""
        return []

    async def show_desk(self, name: str, desk: DeskApp[Any]) -> None:
        """Have this desk in its pane."""
        await self.panes[name].on(desk)
        if self.screen_stack:
            self.screen.refresh(layout=True)  # a desk that starts may keep what stands around it from being painted

    async def leave_desks(self) -> None:
        """End both."""
        for pane in self.panes.values():
            await pane.off()

    @property
    def one(self) -> bool:
        """Return whether there is room for one desk only."""
        return self.size.width < 2 * SMALLEST[0] and self.size.height < ABOVE

    def fit(self, size: Size | None = None) -> None:
        super().fit(size)
        size = size or self.size
        if not self.screen_stack or not (found := self.screen_stack[0].query("#desks")):
            return
        beside = size.width >= 2 * SMALLEST[0]
        low = self.one and size.height < SMALLEST[1] + 3
        found.first().set_class(beside, "-beside").set_class(self.one, "-one").set_class(low, "-low")
        left = max(SMALLEST[0], min(size.width // 2, size.width - WIDE))
        for name in TITLES:
            side = self.screen_stack[0].query_one(f"#{name}-side")
            side.styles.width = left if beside and name == SUBJECT else "1fr"
            side.set_class(name != self.front, "-away")
        self.screen_stack[0].refresh_bindings()

    def on_ready(self) -> None:
        self.fit()
        super().on_ready()

    def on_resize(self, event: events.Resize) -> None:
        self.fit(event.size)

    def watch_front(self) -> None:
        self.fit()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.one if action == "other_desk" else True

    def action_other_desk(self) -> None:
        self.front = WIZARD if self.front == SUBJECT else SUBJECT
