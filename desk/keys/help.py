"""F1 help: the purpose of the widget in focus, and every key that works there. The palette offers the same by name."""

from collections.abc import Coroutine, Iterable
from functools import partial
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import ScrollableContainer, Vertical
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Label, TextArea

from desk.cell_wrap import wrapped
from desk.keys.actions import OfferedAction, offers
from desk.keys.footer import KeyFooter
from desk.line_view import SCROLL_GROUP
from desk.table import TextTable
from desk.worded import words_near
from session.study.screen_words import Words

KEYS_WIDTH = 14
EDITING = "Editing text"
"""What any line of text can do, and everybody knows; it stands last."""
SCROLLING = SCROLL_GROUP.description
"""How one gets about: behind all that the desk can do, while Textual would put it first."""
_SCROLLING_ACTIONS = {binding.action for binding in ScrollableContainer.BINDINGS if isinstance(binding, Binding)}
_ACROSS = {action for action in _SCROLLING_ACTIONS if action.endswith(("left", "right"))}
_EDITING_ACTIONS = {
    binding.action
    for kind in (*TextArea.__mro__, Input)
    for binding in kind.__dict__.get("BINDINGS", ())
    if isinstance(binding, Binding) and binding.action != "submit"
}


def help_lines(screen: Screen[object], width: int = 64) -> list[str]:
    """The help for what is in focus on `screen`: its purpose, its keys, then the keys of the screen and of the program."""
    focused, words = screen.focused, words_near(screen)
    lines = [line for purpose in _purposes(screen) for line in wrapped(purpose, width)]
    sections: dict[str, list[OfferedAction]] = {
        title: [] for title in ("Here", "On this screen", "Everywhere", SCROLLING, EDITING)
    }
    for offer in _not_across(screen):
        sections[_place(offer, focused)].append(offer)
    editing = getattr(screen.app, "EDITING_HELP", True)
    for title, found in sections.items():
        if found and (editing or title != EDITING):
            lines += ["", words.of(title), *(line for offer in found for line in _offer_lines(offer, width, words))]
    return lines


def _purposes(screen: Screen[object]) -> list[str]:
    """Return what the widget in focus is for, and the window around it; either may have nothing to say. What is for different
    things in different sessions has a `purpose` of the moment."""
    purposes = (getattr(node, "purpose", node.HELP) for node in (screen.focused, screen) if node is not None)
    return [words_near(screen).of(" ".join(purpose.split())) for purpose in purposes if purpose]


def _not_across(screen: Screen[object]) -> Iterable[OfferedAction]:
    """Return all that is on offer but keys that would scroll to the side what fits."""
    return (offer for offer in offers(screen) if offer.action not in _ACROSS or _scrolls_across(offer))


def _scrolls_across(offer: OfferedAction) -> bool:
    return isinstance(offer.node, Widget) and offer.node.allow_horizontal_scroll


def _place(offer: OfferedAction, focused: Widget | None) -> str:
    if offer.action.startswith("app.focus_") or offer.action == "screen.copy_text":
        return EDITING if isinstance(focused, TextArea | Input) else SCROLLING
    if offer.node is not focused and (offer.group == SCROLLING or offer.action in _SCROLLING_ACTIONS):
        return SCROLLING
    if offer.node is focused:
        return EDITING if isinstance(focused, TextArea | Input) and offer.action in _EDITING_ACTIONS else "Here"
    return "On this screen" if isinstance(offer.node, Widget) else "Everywhere"


HELP_KEY = Binding("f1", "app.help", "Help", tooltip="What the part in focus does, and all keys")
"""For windows and stations: Textual keeps the program's own keys from reaching them."""


def _offer_lines(offer: OfferedAction, width: int, words: Words) -> Iterable[str]:
    does = f"{offer.does}. {offer.more}" if offer.more else offer.does
    first, *others = wrapped(does if offer.enabled else f"{does} {words.of('(not now)')}", width - KEYS_WIDTH - 2)
    if len(offer.keys) >= KEYS_WIDTH:
        yield f"  {offer.keys}"
        yield " " * (KEYS_WIDTH + 2) + first
    else:
        yield f"  {offer.keys:<{KEYS_WIDTH}}{first}"
    yield from (" " * (KEYS_WIDTH + 2) + line for line in others)


class HelpScreen(ModalScreen[None]):
    """The help over the screen that it was asked for on."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,f1,q", "dismiss", "Close")]
    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen > Vertical { width: 76; max-width: 100%; height: 80%; border: heavy $accent; background: $surface; }
    HelpScreen KeyFooter { min-height: 2; }  /* over both rows of the desk's own, whose keys do not work now */
    HelpScreen Label { width: 100%; text-align: center; text-style: bold; }
    HelpScreen TextTable, HelpScreen TextTable:focus { border: none; }
    """

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(Content(words_near(self).of("HELP")))
            yield TextTable(id="help")
        yield KeyFooter(reachable=True)

    def on_mount(self) -> None:
        table = self.query_one(TextTable)
        table.show_lines(self.lines)
        table.focus()


class OffersProvider(Provider):
    """Everything on offer as an entry of the palette, with its key."""

    async def discover(self) -> Hits:
        for offer in self._offers():
            yield DiscoveryHit(self._label(offer), self._runner(offer), help=offer.more or None)

    async def search(self, query: str) -> Hits:
        matcher, found = self.matcher(query), False
        for offer in self._offers():
            label = self._label(offer)
            if (score := matcher.match(label)) > 0:
                found = True
                yield Hit(score, matcher.highlight(label), self._runner(offer), help=offer.more or None)
        if not found:  # else Textual says so, in English
            yield Hit(1, words_near(self.screen).of("No action has this name."), lambda: None)

    def _offers(self) -> list[OfferedAction]:
        """Return what the product does; how a text is edited or scrolled, everybody knows."""
        own = (offer for offer in _not_across(self.screen) if offer.enabled and offer.action != "command_palette")
        return [offer for offer in own if _place(offer, self.screen.focused) not in (SCROLLING, EDITING)]

    def _label(self, offer: OfferedAction) -> str:
        return f"{offer.does}  ({offer.keys})"

    def _runner(self, offer: OfferedAction) -> partial[Coroutine[Any, Any, bool]]:
        return partial(self.app.run_action, offer.action, offer.node)
