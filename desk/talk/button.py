"""The talk button, the most prominent element of the screen.

Each state has its own words, sign and border as well as its own colour. "Recording" is shown only when the owner of the
widget says that sound is coming in, never because a key went down: users of every push-to-talk program lose their first
word to a light that came on too early.
"""

from enum import StrEnum
from typing import ClassVar

from textual import events
from textual.app import RenderResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from desk.keys.key_labels import key_name
from desk.talk.gate import Control, Grip, Patience, TalkEnd, TalkGate
from desk.talk.key_release import HearsReleases, KeyReleased, KeyRepeated, ReleasesAgreed
from desk.talk.talk_words import SIGNS, TalkWords
from desk.worded import words_near
from session.values.clock import MILLISECOND, SECOND, Clock, Stamp, stamp
from session.values.sanitize import inert

ENTER = "enter"
JUST_FOCUSED_NS = 750 * MILLISECOND
"""As long as a held key waits before it repeats under X11."""


class TalkState(StrEnum):
    """State of the talk button: what the subject may do now."""

    READY = "ready"
    RECORDING = "recording"
    WORKING = "working"
    BLOCKED = "blocked"


class TalkButtonPressed(Message):
    """The subject began: `at` was read in the handler of the key or the mouse."""

    def __init__(self, at: Stamp, grip: Grip) -> None:
        super().__init__()
        self.at = at
        self.grip = grip


class TalkButtonReleased(Message):
    """The subject ended, or something ended it for her."""

    def __init__(self, at: Stamp, ending: TalkEnd) -> None:
        super().__init__()
        self.at = at
        self.ending = ending


class TalkRefused(Message):
    """The subject pressed while nobody would have listened."""

    def __init__(self, at: Stamp, state: TalkState) -> None:
        super().__init__()
        self.at = at
        self.state = state


class TalkButton(Widget, can_focus=True):
    """Press or hold to talk. Set `state` to tell the subject what is going on; `note` replaces the second line, or all
    that it says where nobody may talk.

    A press while it says WORKING begins another utterance only where the owner has set `speaks_again`.

    `limit_s` ends a take that nobody ended. The talk key works while the button has the focus; a screen on which it shall
    always work hands its keys to `takes_key`.
    """

    ALLOW_SELECT = False
    HELP = "The talk button. It says what to do to talk, and RECORDING as long as you are heard."
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "talk", "Talk", show=False)]
    DEFAULT_CSS = """
    TalkButton {
        height: 5; content-align: center middle; text-align: center; text-style: bold;
        border: round $success; color: $text; background: $surface;
        &:focus { border: heavy $success; background: $success 25%; }
        &.-unheard { border: heavy $warning; text-style: bold reverse; }
        &.-opening { border: dashed $warning; }
        &.-recording { border: outer $error; background: $error; color: $text; }
        &.-recording:ansi { text-style: bold reverse; }
        &.-working { border: dashed $primary; color: $foreground; background: $surface; }
        &.-blocked { border: round $foreground 40%; color: $foreground; background: $surface; }
    }
    """

    state: reactive[TalkState] = reactive(TalkState.READY)
    note: reactive[str] = reactive("")
    releases_agreed: reactive[bool] = reactive(False)
    grip: reactive[Grip | None] = reactive(None)
    unsure: reactive[bool] = reactive(False)

    def __init__(
        self,
        clock: Clock,
        *,
        control: Control = Control.HOLD,
        key: str = "space",
        limit_s: float = 120.0,
        words: TalkWords | None = None,
        patience: Patience | None = None,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.key = key
        self.speaks_again = False
        self._clock = clock
        self._limit_ns = round(limit_s * SECOND)
        self._words = words or TalkWords()
        self._gate = TalkGate(control, patience)
        self._pressed_ns = 0
        self._focused_ns = -JUST_FOCUSED_NS
        self._doubtful = stamp(clock)
        self._bindings.key_to_bindings = {key: [Binding(key, "talk", "Talk", show=False)]}

    # What the subject does

    def takes_key(self, event: events.Key) -> bool:
        """Act on the talk key; True when `event` was the talk key and no other widget should see it.

        In focus, Enter is a talk key too; not the one, held down, that closed the window before.
        """
        if event.key != self.key and not (event.key == ENTER and self.has_focus):
            return False
        event.stop()
        event.prevent_default()
        now = stamp(self._clock)
        self.settle()
        just_here = event.key == ENTER and now.mono - self._focused_ns < JUST_FOCUSED_NS
        repeat = isinstance(event, KeyRepeated) or just_here
        self._act(self._gate.key_down(event.key, now.mono, repeat=repeat), now)
        if self._gate.in_doubt:
            self._doubtful = now
            self.set_timer(self._gate.settles_in_ns / SECOND, self.settle)
        return True

    def settle(self) -> None:
        """Act on a press that could have been a repeat, once it is known that it was none; it is stamped as it came."""
        self._act(self._gate.settle(self._clock.monotonic_ns()), self._doubtful)

    def on_key(self, event: events.Key) -> None:
        self.takes_key(event)

    def on_focus(self) -> None:
        self._focused_ns = self._clock.monotonic_ns()

    def _key_went_up(self, message: KeyReleased | ReleasesAgreed) -> None:
        if isinstance(message, ReleasesAgreed):
            self._agree(message.agreed)
            return
        released = message.key.rpartition("+")[2]
        for key in (self.key, ENTER):
            if released == key.rpartition("+")[2]:
                self._act(self._gate.key_up(key), stamp(self._clock))

    def action_talk(self) -> None:
        """Start or stop from the footer or the palette, where nothing can be held."""
        now = stamp(self._clock)
        self._act(self._gate.toggle(), now)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1:
            now = stamp(self._clock)
            event.stop()
            self.capture_mouse()
            self._act(self._gate.mouse_down(), now)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        now = stamp(self._clock)
        event.stop()
        self._act(self._gate.mouse_up(), now)
        self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button == 0:
            self._act(self._gate.mouse_found_up(), stamp(self._clock))

    def on_mouse_release(self) -> None:
        """Textual's word for "the mouse is no longer captured"."""
        self._act(self._gate.mouse_found_up(), stamp(self._clock))

    def _window_changed(self, has_focus: bool) -> None:
        if not has_focus:
            self._act(self._gate.window_left(), stamp(self._clock))

    def check_limit(self) -> None:
        """End a take that has lasted `limit_s`."""
        self.settle()
        now = stamp(self._clock)
        if self._gate.grip is not None and now.mono - self._pressed_ns >= self._limit_ns:
            self._gate.stop()
            self._act(TalkEnd.LIMIT, now)

    def _act(self, change: Grip | TalkEnd | None, now: Stamp) -> None:
        if isinstance(change, Grip):
            self._start(change, now)
        elif isinstance(change, TalkEnd):
            self.release_mouse()
            self.post_message(TalkButtonReleased(now, change))
        self._show_gate()

    def _show_gate(self) -> None:
        self.grip, self.unsure = self._gate.grip, self._gate.unsure

    def _start(self, grip: Grip, now: Stamp) -> None:
        if self.state is TalkState.BLOCKED or (self.state is TalkState.WORKING and not self.speaks_again):
            self._gate.stop()
            self.post_message(TalkRefused(now, self.state))
            return
        self._pressed_ns = now.mono
        self.post_message(TalkButtonPressed(now, grip))
        if not self.app.app_focus and grip is Grip.KEY_HELD:  # left in the same breath: no release will be seen
            self._act(self._gate.window_left(), now)

    # What the owner says

    def let_go(self) -> None:
        """The take ended without the subject's doing; the next press begins another."""
        self._gate.stop()
        self._show_gate()

    def watch_state(self, state: TalkState) -> None:
        if state in (TalkState.WORKING, TalkState.BLOCKED):
            self.let_go()
        self._update_classes()

    def watch_grip(self) -> None:
        self._update_classes()

    def _update_classes(self) -> None:
        for look in SIGNS:
            self.set_class(look == self.look, f"-{look}")

    def _agree(self, agreed: bool) -> None:
        self._gate.releases_agreed = agreed
        self.releases_agreed = agreed

    def on_mount(self) -> None:
        self.watch(self.app, "app_focus", self._window_changed, init=False)
        self.set_interval(0.25, self.check_limit)
        if isinstance(self.app, HearsReleases):
            self.app.listen_to_keys(self._key_went_up)
            self._agree(bool(self.app.releases_agreed))

    def on_unmount(self) -> None:
        if isinstance(self.app, HearsReleases):
            self.app.forget_listener(self._key_went_up)

    # What is seen

    @property
    def look(self) -> str:
        """The state as it is shown: "opening" is a press that no sound has answered yet."""
        return "opening" if self.state is TalkState.READY and self.grip is not None else self.state.value

    @property
    def instruction(self) -> str:
        """The second line without a note: what to do now."""
        if self.unsure and self.look == "recording":
            said = self._words.unsure
        else:
            said = self._words.hint(self.look, self.grip, self._gate.control, self.releases_agreed)
        return said.format(key=key_name(self.key, words_near(self)))

    @property
    def hint(self) -> str:
        """The second line: the owner's note, or what to do now."""
        return inert(self.note, newlines="space") or self.instruction

    def render(self) -> RenderResult:
        if self.look == "blocked" and self.note:
            return Content(self.hint)  # one sentence says why: "not now" beside it would be a second one
        sign, word = SIGNS[self.look], getattr(self._words, self.look)
        blank = "\n" if self.content_size.height > 2 else ""
        return Content(f"{sign}  {word}\n{blank}{self.hint}")
