"""The screen of a session: the task, what was asked and answered, the talk button, and nothing that distracts from them."""

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from desk.editor import Editor, TextSubmitted, TextTooLong
from desk.keys.footer import KeyFooter
from desk.keys.key_labels import key_name
from desk.level_bar import LevelHeard, LevelMeter
from desk.safe_text import ForeignText
from desk.subject_view import replies, shown, turn
from desk.talk.button import TalkButton, TalkButtonPressed, TalkButtonReleased, TalkState
from desk.talk.gate import Control, TalkEnd
from desk.turn_stack import ShownTurn, TurnChosen, TurnFolded, TurnStack, TurnsViewed
from desk.wheel import WheelScreen
from desk.worded import words_near
from session.rules.decide import LONGEST_TEXT
from session.state.fold import Take
from session.values.clock import Clock
from session.values.vocabulary import RecordingControl
from subject.capture.level import Level
from subject.core import texts
from subject.core.microphone_trial import FULL
from subject.core.terminal import Phase, Terminal
from subject.core.unheard_speech import UnheardSpeech
from subject.core.viewed_lines import ViewedLines
from subject.core.visit_stations import AT_WORK, on_task
from subject.screens.task_dialogs import GiveUpScreen, SolutionScreen
from subject.widgets.scenario_sheet import ScenarioSheet

LOOK_S = 0.1
ROOMY = 34
"""Lines from which on the talk button is a large one."""
BUTTONS_GROUP = Binding.Group("Buttons", compact=True)


class SessionScreen(WheelScreen[None]):
    """Shows a `Terminal` and gives it what the subject does; `levels` are the newest ones of the microphone's channels."""

    # With priority: an editor in focus has uses of its own for some of these keys.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "solved", "Solved", priority=True),
        Binding("f7", "give_up", "Give up", priority=True),
        Binding("f5", "discard", "Undo", priority=True),
        Binding("f3", "sheet", "Task", priority=True),
        Binding("f9", "app.instructions", "Instructions", priority=True),
        Binding("f8", "call", "Call experimenter", priority=True),
        Binding("up", "read(-1)", "Earlier answers", show=False),
        Binding("down", "read(1)", "Later answers", show=False),
        Binding("pageup", "read_page(-1)", "Page up", show=False),
        Binding("pagedown", "read_page(1)", "Page down", show=False),
        Binding("left", "reach_buttons", "Buttons", group=BUTTONS_GROUP),
        Binding("right", "reach_buttons", "Buttons", group=BUTTONS_GROUP),
    ]
    DEFAULT_CSS = """
    SessionScreen { align-horizontal: center; }
    SessionScreen > * { max-width: 124; }
    SessionScreen > KeyFooter { max-width: 100%; }
    SessionScreen TalkButton { height: 4; }
    SessionScreen.-roomy TalkButton { height: 7; }
    SessionScreen #headline { height: 1; text-style: bold; padding: 0 1; }
    SessionScreen TurnStack { height: 1fr; min-height: 5; }
    SessionScreen #message { height: auto; max-height: 3; padding: 0 1; text-style: bold; color: $warning; }
    SessionScreen Editor { height: 3; }
    SessionScreen ToastRack { margin-bottom: 7; }
    SessionScreen.-roomy ToastRack { margin-bottom: 10; }
    """

    def __init__(
        self, terminal: Terminal, clock: Clock, levels: Callable[[], dict[str, Level]], link: Callable[[], bool]
    ) -> None:
        super().__init__()
        self._terminal = terminal
        self._clock = clock
        self._unheard = UnheardSpeech()
        self._levels = levels
        self._link = link
        self._seen_levels: dict[str, int] = {}
        self._viewed = ViewedLines()
        self._replied: dict[str, int] = {}
        self._understood = ("", 0)
        self._task_is_cut = False
        self._drawn: dict[str, tuple[tuple[object, ...], ShownTurn]] = {}
        profile = terminal.profile
        self._can_go_back = bool(profile and profile.context_return)
        self._typed = terminal.typed
        control = Control.HOLD if profile and profile.recording is RecordingControl.HOLD else Control.PRESS
        limit = profile.longest_take_s if profile else 120.0
        self.talk = TalkButton(
            clock, control=control, limit_s=limit, words=texts.talk_words(texts.words_for(terminal), profile)
        )
        self._ended_by_itself = terminal.ended_by_itself
        self._on_task = on_task(terminal.state)
        self._refused_at: TalkState | None = None
        self.stack = TurnStack(can_choose=self._can_go_back)
        pages = (key_name(key, texts.words_for(terminal)) for key in ("pageup", "pagedown"))
        self.stack.how_to_scroll = f" (↑ ↓ {' '.join(pages)})"
        self.meter = LevelMeter(clock)
        self.editor = Editor(limit=LONGEST_TEXT)
        self.headline = ForeignText("", newlines="space", id="headline")
        self.sheet = ScenarioSheet()
        self.message = ForeignText("", newlines="space", id="message")

    def compose(self) -> ComposeResult:
        yield self.sheet
        yield self.stack
        yield self.message
        if self._typed:
            yield self.headline
            yield self.editor
        else:
            yield self.meter
            yield self.talk
        self._footer = KeyFooter(3, reachable=True)
        yield self._footer

    def on_mount(self) -> None:
        (self.editor if self._typed else self.talk).focus()
        self.set_interval(LOOK_S, self._look_at_levels)
        self.refresh_all()
        self.call_after_refresh(self._measure)

    # --- what the terminal says -----------------------------------------------------------------------------------

    def refresh_all(self) -> None:
        """Bring everything on the screen up to the terminal's state; what is the same as before is left alone."""
        terminal = self._terminal
        self.sheet.show(terminal.state.run)
        self.message.show(texts.message(terminal, self._link()))
        self.message.display = bool(self.message.text)
        if self._typed:
            self.headline.show(texts.headline(terminal))
        else:
            self._show_button()
            self.meter.listening = terminal.listening
            self.meter.speech_expected = terminal.phase is Phase.RECORDING
        self._show_task_in_stack()
        self._show_turns()
        self._show_understood()
        self.stack.can_choose = bool(terminal.profile and terminal.profile.context_return)
        shown = on_task(terminal.state), self.stack.can_choose
        if (self._on_task, self._can_go_back) != shown:
            self._on_task, self._can_go_back = shown
            self.refresh_bindings()
        self.call_after_refresh(self._look_at_task)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer no key that would do nothing: a task is solved while it is under way, and scrolled when it is long."""
        if action in ("solved", "give_up", "discard"):
            return on_task(self._terminal.state)
        if action == "sheet":
            return self._task_is_cut or self.focused is self.sheet  # `has_focus` comes later, by a message
        return super().check_action(action, parameters)

    def _show_button(self) -> None:
        terminal = self._terminal
        if self._ended_by_itself != terminal.ended_by_itself:
            self._ended_by_itself = terminal.ended_by_itself
            self.talk.let_go()
        self.talk.state = texts.button(terminal)
        if self._refused_at not in (
            None,
            self.talk.state,
        ):  # what was refused holds no longer: READY beside "please wait"
            self._refused_at = None
            self.app.clear_notifications()
        self.talk.speaks_again = terminal.may_talk
        words = words_near(self)
        self.talk.note = texts.note(terminal)
        if terminal.phase is Phase.SPEAKING and terminal.may_talk:
            self.talk.note += f" {self.talk.instruction}"
        if self.talk.has_class("-unheard"):
            self.talk.note = f"{words['talk.unheard']} {self.talk.instruction}"

    def _show_task_in_stack(self) -> None:
        run = self._terminal.state.run
        if run is not None and run.title != self.stack.begun:
            self.stack.begun = run.title
            self.stack.refresh()

    def _show_turns(self) -> None:
        state = self._terminal.state
        for label, item in shown(state):
            replied = replies(state, item)
            name = item.take if isinstance(item, Take) else item.reply
            facts = label, item, *replied, state.run is None
            before, drawn = self._drawn.get(name, (None, None))
            if before == facts:
                continue
            new = turn(state, label, item)
            self._drawn[name] = facts, new
            if drawn is None:
                self.stack.append(new)
            elif drawn != new:
                self.stack.replace(new)
            if len(replied) > self._replied.get(name, 0):
                self._replied[name] = len(replied)
                self.stack.bring(name)

    def _show_understood(self) -> None:
        """Bring what was understood of an utterance into sight, once: it stands above the place of the answer."""
        take = self._terminal.understood
        if take is None or take.take not in self._drawn:
            return
        if (newest := (take.take, len(take.transcriptions))) != self._understood:
            self._understood = newest
            self.stack.bring(take.take)
        # Only what has been painted is reported as shown: hence after the next refresh.
        self.call_after_refresh(self._terminal.transcription_painted, take.take)

    def _look_at_levels(self) -> None:
        for level in self._levels().values():
            if self._seen_levels.get(level.letter) != level.end:
                self._seen_levels[level.letter] = level.end
                self.meter.post_message(LevelHeard(level.peak, level.rms, level.peak >= FULL))
                self._unheard.hear(level.peak, self._clock.monotonic_ns())
        if not self._typed:
            self._tell_unheard()

    def _tell_unheard(self) -> None:
        """Somebody talks without having pressed: that cannot be missed, and goes away with the press."""
        told = self._unheard.told_at(self._terminal, self._clock.monotonic_ns())
        if told is not self.talk.has_class("-unheard"):
            self.talk.set_class(told, "-unheard")
            self._show_button()

    # --- what the subject does ------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Take the talk key; in a typed session put what is typed into the line, wherever the focus went by Tab."""
        if not self._typed:
            self.talk.takes_key(event)
        elif event.is_printable and event.character and self.focused is not self.editor:
            event.stop()
            self.editor.focus()
            self.editor.insert(event.character)

    def on_talk_button_pressed(self, message: TalkButtonPressed) -> None:
        if self._terminal.held:  # the button was let go between a press and its arrival here: this one ends it
            self.talk.let_go()
            self._terminal.release(TalkEnd.PRESSED_AGAIN.value, message.at)
        elif not self._terminal.press(message.at):
            self.talk.let_go()
            if self._terminal.listening:  # else it has been said what is wrong
                self.on_talk_refused()

    def on_talk_refused(self) -> None:
        """Answer the press; who has stopped, or may not be recorded, is not told to wait for a button that never gets ready."""
        words = words_near(self)["message.not_now"]
        self._refused_at = self.talk.state
        self.app.clear_notifications()  # once is enough, however often it is pressed
        self.notify(words if self._terminal.microphone_wanted else texts.headline(self._terminal), markup=False)

    def on_talk_button_released(self, message: TalkButtonReleased) -> None:
        self._terminal.release(message.ending.value, message.at)

    def on_text_submitted(self, message: TextSubmitted) -> None:
        if self._terminal.phase in AT_WORK:
            self._terminal.type(message.text)
            self.editor.clear()

    def on_text_too_long(self, message: TextTooLong) -> None:
        self._terminal.show_message(words_near(self)["message.too_long"].format(count=f"{message.left_out:,}"))

    @property
    def wheeled(self) -> Widget:
        return self.stack

    def action_read(self, step: int) -> None:
        """Scroll the answers from wherever the arrow keys have no other use."""
        self.stack.action_select(step)

    def action_read_page(self, step: int) -> None:
        self.stack.action_page(step)

    def action_reach_buttons(self) -> None:
        self._footer.focus()

    def action_sheet(self) -> None:
        if self.sheet.has_focus:
            (self.editor if self._typed else self.talk).focus()
        else:
            self.sheet.focus()

    def action_discard(self) -> None:
        if self._terminal.last_take is None:
            self._terminal.show_message(words_near(self)["message.nothing_to_undo"])
        self._terminal.discard()

    def action_call(self) -> None:
        self._terminal.call()
        self.notify(words_near(self)["message.called"], markup=False)

    def _end_take(self) -> None:
        """Return what is being said ends where a question covers the button, for no key could end it there."""
        self.talk.let_go()
        self._terminal.release(TalkEnd.COVERED.value)

    def action_solved(self) -> None:
        self._end_take()
        self.app.push_screen(SolutionScreen(), self._declare)

    def _declare(self, solution: str | None) -> None:
        if solution is not None:
            self._terminal.declare(solution)

    def action_give_up(self) -> None:
        self._end_take()
        self.app.push_screen(GiveUpScreen(), self._given_up)

    def _given_up(self, sure: bool | None) -> None:
        if sure:
            self._terminal.give_up()

    # --- what the subject sees ------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        self.call_after_refresh(self._measure)

    def _measure(self) -> None:
        self.set_class(self.size.height >= ROOMY, "-roomy")
        room = self.stack.room
        self._look_at_task()
        if room.width > 0:
            self._terminal.sized(max(20, room.width - 6), room.height)

    def on_scenario_sheet_resized(self) -> None:
        self.call_after_refresh(self._look_at_task)

    def _look_at_task(self) -> None:
        """Offer the key that scrolls the task where it is longer than its room.

        `check_action` goes by what was seen here last: what it found in a sheet that is being laid out would stay.
        """
        if self.sheet.is_cut is not self._task_is_cut:
            self._task_is_cut = self.sheet.is_cut
            self.refresh_bindings()

    def on_turn_chosen(self, message: TurnChosen) -> None:
        self._terminal.return_to(message.key)

    def on_turn_folded(self, message: TurnFolded) -> None:
        if not message.folded:
            self._viewed.reopened(message.key)

    def on_turns_viewed(self, message: TurnsViewed) -> None:
        state = self._terminal.state
        self._terminal.saw([part for span in message.spans for part in self._viewed.newly_seen(state, span)])
