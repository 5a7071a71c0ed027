"""The common part of the annotator's screens: a line for the person, refusals, and the sound of what is in hand."""

from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np
from textual.screen import Screen
from textual.widget import Widget

from annotator.effort import Attention
from annotator.rules import NotNow
from corpus.annotation.masked_sound import Samples
from desk.recording_player import Player
from desk.safe_text import ForeignText
from session.store.event_store import UNREADABLE

_SILENCE: Samples = np.zeros(0, np.int16)


class DeskScreen(Screen[None]):
    """A screen with a headline at the top and a line for the person, `#said`, which says why something cannot be done."""

    DEFAULT_CSS = """
    DeskScreen #top { height: 1; }
    DeskScreen #headline { width: 1fr; height: 1; text-style: bold; text-wrap: nowrap; text-overflow: ellipsis; }
    DeskScreen #working { width: auto; padding-left: 2; }
    DeskScreen #said { height: auto; min-height: 1; max-height: 2; text-style: bold; }
    """
    REFUSALS: ClassVar[tuple[type[Exception], ...]] = (NotNow, *UNREADABLE)

    def say(self, text: str) -> None:
        """One line for the person, until the next one."""
        self.query_one("#said", ForeignText).show(text)

    def attempt(self, do: Callable[[], object], done: str = "") -> bool:
        """Do something and say that it is `done`; False where it is refused, and why is said."""
        try:
            do()
        except self.REFUSALS as refusal:
            self.refused(refusal)
            return False
        if done:
            self.say(done)
        return True

    def refused(self, refusal: Exception) -> None:
        """Say why something cannot be done."""
        self.say(str(refusal))


class DeskWithSound(Protocol):
    """A desk at which something is in hand that may have been spoken."""

    attention: Attention

    def sound(self) -> tuple[Samples, int] | None: ...


class DialogueScreen(DeskScreen):
    """A screen with a dialogue, of which one interaction is in view and can be heard."""

    _desk: DeskWithSound
    _player: Player
    _revealed: Widget | None = None

    def on_mount(self) -> None:
        self.screen_layout_refresh_signal.subscribe(self, self._laid_out)

    def reveal(self, widget: Widget) -> None:
        """Bring a widget to the top of what it is scrolled in as soon as its place is known: behind a dialog that may be some
        time later."""
        self._revealed = widget
        self.refresh(layout=True)

    def _laid_out(self, _: object) -> None:
        widget, self._revealed = self._revealed, None
        if widget is not None:
            widget.scroll_visible(top=True, animate=False, immediate=True)

    def load_sound(self) -> None:
        """Have the player take what is in hand; raises NotNow where it cannot be read, and then what was in hand before is not
        heard in its place."""
        self._player.load(_SILENCE, 1)
        if (sound := self._desk.sound()) is not None:
            self._player.load(*sound)

    def action_play(self) -> None:
        self._desk.attention.touch()
        if self._player.playing:
            self._player.stop()
        elif not self._player.open_now:
            self.say("Nothing can be heard here: no loudspeaker")
        elif not self._player.play():
            self.say("There is no sound")
