"""The wizard's console: one screen on which a whole turn is played by keys, from hearing to sending.

Everything shown is a value taken from the console's state at every change; every key ends in one of its methods. The focus moves
only where the turn itself moves on: after Enter on the transcription to the query, and back for a new utterance.
"""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList

from desk.app import is_on_screen
from desk.countdown import Countdown, LimitReached
from desk.editor import Editor, TextSubmitted, TextTooLong
from desk.keys.footer import KeyFooter
from desk.line_view import Viewed
from desk.safe_text import ForeignText
from session.rules.decide import LONGEST_TEXT
from session.values.clock import SECOND, Clock
from session.values.vocabulary import Language, Role
from wizard.audio.playback_state import PlaybackState
from wizard.core import status_text
from wizard.core.completion.slots import values_for
from wizard.core.completion.sql_names import of_console
from wizard.core.console import Console
from wizard.core.console_actions import BY_KEY
from wizard.core.permissions import may
from wizard.core.subject_mirror import is_page, mirror
from wizard.core.turn_tracker import TurnTracker
from wizard.screens.action_runner import ActionMenu
from wizard.screens.canned_replies import CannedReplies
from wizard.screens.console_keys import KEYS
from wizard.screens.session_check_screen import ClosingLight
from wizard.widgets.banner import Banner
from wizard.widgets.cockpit_frame import LAYOUT, WIDE, Lamp, QuietLine, Rail, Signed, SubjectActivity
from wizard.widgets.query import DeskEditor, QueryPane, SaidEditor
from wizard.widgets.views import ORDER, PREVIEW, Views

NOTICE_S = 30
WAITING = "Waiting for the participant. Run on the participant's machine:"
WAITING_PAGE = "Waiting for the participant. Open on the participant's machine; Alt+9 shows a code for its camera:"


class ConsoleScreen(CannedReplies):
    """Over a `Console`; `invitation` is the line with which the subject connects, when this console knows it."""

    AUTO_FOCUS = "#said"
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    DEFAULT_CSS = LAYOUT

    def __init__(
        self, console: Console, clock: Clock, listening: PlaybackState, *, invitation: str = "", english: bool = True
    ) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide"), (170, "-huge")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]
        self.console = console
        self.turn = TurnTracker(console)
        self.actions = ActionMenu(
            self, console, self.action_mute, lambda: listening.open, self._ask_back, self._propose
        )
        self.notice, self._seen, self._said_at = "", "", 0
        self._clock, self._listening = clock, listening
        listening.typed = lambda: console.typed_input
        console.invitation, self._english, self._lit = invitation, english, False

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield ForeignText(id="headline", newlines="space")
            yield Lamp(self.console, self._clock)
            yield SubjectActivity(self.console, self._clock)
            yield Signed(id="links")
        with Horizontal(id="now"):
            yield ForeignText(id="utterance", newlines="space")
            yield Countdown(self._clock, label="reply within", id="limit")
        with Horizontal(id="cockpit"):
            yield Rail(self.console)
            with Vertical(id="work"):
                yield SaidEditor(self.console, limit=LONGEST_TEXT)
                yield QueryPane(of_console(self.console), self.console.hub_info.menu, self.console.request_ending)
                yield Signed(id="attempt", newlines="space")
                yield Views(id="views")
        yield Banner(id="banner")
        yield QuietLine(id="quiet")
        # Textual reads a style sheet when the first widget of a kind is mounted; this one spares the first list that delay.
        yield OptionList(id="unseen")
        yield KeyFooter(2)

    def on_mount(self) -> None:
        self.query_one(QueryPane).speak(Language.ENGLISH if self._english else Language.SQL)
        self.query_one(Views).canned.values = lambda beginning: values_for(self.console, beginning)
        self.set_interval(0.25, self.tick)
        self.refresh_content()

    # --- showing ------------------------------------------------------------------------------------------------------

    def refresh_content(self) -> None:
        """Show the console's state as it is now."""
        console, views = self.console, self.query_one(Views)
        self._apply_role()
        self._offer_returned()
        self.tick()
        self._follow_turn()
        views.show_preview(self.turn.attempt_name, console.preview, self._instead_of_rows(), *self._preview_notes())
        views.show_rows(console.attempt)
        views.show_subject(mirror(console.state, console.subject_connected, self.console.invitation))
        self.query_one(QueryPane).menu_known(console.hub_info.has_menu)
        if views.has_class("-canned"):
            views.canned.refresh()  # the values of a blank may have come
        self._show_light()
        self.refresh_bindings()

    def _show_light(self) -> None:
        """The light comes by itself when the session has been looked into, once, and over no other window."""
        closing = self.console.hub_info.closing
        if closing is not None and closing.checks and not self._lit and self.app.screen is self:
            self._lit = True
            self.app.push_screen(ClosingLight(self.console))

    def tick(self) -> None:
        """Renew what changes with time alone, and what is cheap to say again."""
        console, link = self.console, self._listening.link()
        if self._clock.monotonic_ns() - self._said_at > NOTICE_S * SECOND:
            self.notice = ""
        self._set_text("#headline", status_text.headline(console))
        self._set_text("#links", status_text.links(console, link, console.words.of(self._listening.status)))
        self._set_text("#utterance", status_text.utterance(console))
        self._set_text("#attempt", status_text.attempt(console))
        self.query_one("#attempt").set_class(status_text.is_marked(console), "-partial")
        frame = next((editor for editor in self.query(DeskEditor) if editor.is_on_screen), None)
        self.query_one(QuietLine).look_again(console, frame)
        self.query_one(Banner).show_lines(status_text.banners(console, link, self.notice))
        self.query_one(Lamp).look_again(self._listening.peak)
        self.query_one(SubjectActivity).look_again()
        self.query_one(Rail).look_again()
        self._count()

    def _set_text(self, where: str, text: str) -> None:
        widget = self.query_one(where, ForeignText)
        if widget.text != text:
            widget.show(text)

    def _count(self) -> None:
        """The countdown follows what the hub will do."""
        remaining = None if self.console.state.paused else self.console.remaining()
        left, whole = remaining.seconds if remaining else 0, self.console.profile.reply_limit_s or 0
        total_ns = round(whole * SECOND) if self.size.width >= WIDE else 0
        self.query_one(Countdown).follow(None if remaining is None else round(left * SECOND), total_ns)

    def _apply_role(self) -> None:
        """A role that may not write has no editors; one that may not ask the database has no query line."""
        role = self.console.role
        self.set_class(not may(role, "transcribe"), "-watching")
        self.set_class(not self.console.may_write_down, "-unwritten")
        if not self.console.may_write_down:
            self._without_english()
        self.set_class(may(role, "transcribe") and not may(role, "query"), "-transcribing")
        if not may(role, "transcribe") and isinstance(self.focused, Editor):
            self.query_one(Views).table(PREVIEW).focus()

    def _without_english(self) -> None:
        """English is what was said: of who is not to be written down, the database is asked by menu or in SQL."""
        query = self.query_one(QueryPane)
        if query.language is Language.ENGLISH or (query.language is Language.MENU and query.has_menu is False):
            query.next_language()
        if self.focused is self.query_one("#said"):
            self.set_focus(query.editor)

    def _preview_notes(self) -> tuple[str, str]:
        if not may(self.console.role, "reply"):
            return "", ""
        words, attempt = self.console.words, self.console.attempt
        if attempt is not None and attempt.partial and not self.turn.answered:
            return words["console_guide.send_partial"], self.console.speech
        promise = "this utterance has been answered" if self.turn.answered else "F5 sends exactly this"
        return words.of(promise), self.console.speech

    def _instead_of_rows(self) -> str:
        attempt = self.console.attempt
        if attempt is None and self.console.invitation and not self.console.subject_connected:
            waiting = WAITING_PAGE if is_page(self.console.invitation) else WAITING
            return f"{self.console.words.of(waiting)}\n\n{self.console.invitation}"
        if attempt is None:
            return self.console.words.of("Nothing has been asked about this utterance yet.")
        return status_text.outcome(attempt, self.console.role, self.console.words, answered=self.turn.answered)

    def _follow_turn(self) -> None:
        """Put in what belongs to the utterance at hand, and move on where the turn has change on."""
        said, query, views = self.query_one(SaidEditor), self.query_one(QueryPane), self.query_one(Views)
        change = self.turn.change()
        said.doubtful = self.turn.doubtful
        said.follow_input()
        if change.text is not None and (change.anew or said.text.strip() in ("", change.before)):
            said.load(change.text)
        if change.query is not None:
            query.put(Language.ENGLISH, change.query)
        if change.take:
            query.put(Language.SQL, "")
        if change.attempt is not None:
            query.look_at(change.attempt)
            views.turn_to_answer()
        if change.waits and not query.drafting and not views.canned.has_focus and self._editing():
            self.action_to("said")
        if change.offer:
            self._offer_late()

    def _editing(self) -> bool:
        return may(self.console.role, "transcribe")

    @property
    def typing(self) -> bool:
        """Return whether the wizard is in the middle of a text: the focus stays with her then."""
        said, query = self.query_one("#said", Editor), self.query_one(QueryPane)
        return (said.has_focus and self.turn.unsaid(said.text)) or (query.editor.has_focus and query.drafting)

    # --- the turn -----------------------------------------------------------------------------------------------------

    def on_text_submitted(self, event: TextSubmitted) -> None:
        self.notice = self.console.message = ""
        if event.editor.id == "said":
            self._submit_transcription(event.text)
        else:
            self._submit_query(event.text)
        self.refresh_content()

    def _submit_query(self, text: str) -> None:
        whole = self.query_one(QueryPane).whole(text)
        if whole:
            self.console.ask(text, self.query_one(QueryPane).language)
        elif whole is None:
            self.notice = "The menu has not answered yet; Enter again in a moment."
        else:
            self.notice = "The request is not complete yet: Tab offers what may follow, F8 leaves the menu."

    def _propose(self) -> None:
        """Have the words in the query's line put into SQL by the outside engine; SQL there is no request."""
        self.console.propose(self.query_one(QueryPane).request)

    def _submit_transcription(self, text: str) -> None:
        """Show it to the subject, then on to the query, which begins with the same words."""
        take = self.console.take
        if take is not None and not take.complete:
            self.console.message = "The participant is still speaking; Enter again when the recording has ended."
        else:
            self.console.transcribe(text, as_it_stood=self.query_one(SaidEditor).as_loaded)
        if text and not self.console.message and may(self.console.role, "query"):
            self.query_one(QueryPane).put(Language.ENGLISH, text)
            self.set_focus(self.query_one(QueryPane).editor)

    def on_text_too_long(self, event: TextTooLong) -> None:
        self._show_worded("too_long", count=f"{event.left_out:,}")

    def on_viewed(self, event: Viewed) -> None:
        """ScreenRecord: only now has the wizard seen what would be sent."""
        attempt = self.console.attempt
        if event.view.id == PREVIEW and attempt is not None and self.console.preview is not None:
            self._seen = self.turn.attempt_name
            if may(self.console.role, "reply") and not self.turn.answered:
                self.console.previewed()

    def action_send(self) -> None:
        """Send the preview; what is not in sight is brought into sight first."""
        views = self.query_one(Views)
        in_sight = views.table(PREVIEW).is_on_screen and self._seen == self.turn.attempt_name
        if self.console.preview is not None and not in_sight:
            views.turn_to(PREVIEW)
            self.show_notice("This is what the participant will see; F5 sends it.")
        elif (attempt := self.console.attempt) is not None and attempt.partial and not self.turn.answered:
            self.actions.send_partial(attempt, self._send)
        else:
            self._send()

    def _send(self) -> None:
        if self.turn.may_send():
            self.console.send()
            self.show_notice("")

    def on_limit_reached(self, event: LimitReached) -> None:
        if self.turn.offer_once():
            self._offer_late()

    def action_filler(self) -> None:
        if self.turn.filler is not None:
            self.console.send_canned(self.turn.filler.id)
            self.show_notice(self.console.words["console_receipt.canned"].format(text=self.turn.filler.text))

    # --- keys around the turn -----------------------------------------------------------------------------------------

    def action_replay(self, speed: float) -> None:
        self.show_notice(self._listening.replay(self.console, speed))

    def action_mute(self) -> None:
        self.show_notice(self._listening.mute())

    def action_language(self) -> None:
        query = self.query_one(QueryPane)
        query.next_language()
        query.editor.focus()
        if self._english and query.has_menu is False:
            self.show_notice("English and SQL only: this domain has no menu.")
        elif query.language is Language.MENU and query.has_menu is None:
            self.show_notice("The hub is preparing the menu; it appears by itself.")

    def action_by_hand(self) -> None:
        attempt, query = self.console.attempt, self.query_one(QueryPane)
        if attempt is None or not attempt.sql:
            self.show_notice("There is no statement yet: ask in English first.")
            return
        query.put(Language.SQL, attempt.sql, even_over_a_draft=True)
        query.speak(Language.SQL)
        query.editor.focus()

    def action_context(self) -> None:
        self.console.turn_context()
        self.show_notice("In context." if self.console.in_context else "Read alone, without context; Ctrl+N: with it.")

    def action_turn_view(self) -> None:
        self.query_one(Views).turn_on(ORDER[:2] if self.has_class("-tall") else ORDER)

    def action_to(self, where: str) -> None:
        """At once, not at the next turn of the loop: the letter that is typed behind the key belongs there already."""
        asking = where == "query" or not self.console.may_write_down
        self.set_focus(self.query_one(QueryPane).editor if asking else self.query_one("#said", Editor))

    def action_stop(self) -> None:
        """The one key that stops: the reply first, then the query, then the sound, then what lies over the views."""
        state = self.console.state
        if state.planned is not None:
            self.console.stop_reply()
        elif state.running is not None:
            self.console.cancel()
        elif not self._listening.stop():
            self.query_one(Views).with_canned(False)
        self.show_notice("")

    def action_undo(self) -> None:
        self.console.undo()

    def action_utterance(self, step: int) -> None:
        self.turn.step_utterance(step)

    def action_attempt(self, step: int) -> None:
        self.turn.step_attempt(step)

    def action_more(self) -> None:
        self.actions.menu()

    def action_menu_action(self, name: str) -> None:
        self.show_notice("")  # "not now" would stand beside what it is now
        self.actions.run(name)

    def on_key(self, event: events.Key) -> None:
        """A letter that is held with Alt and not on offer now: say so, instead of nothing."""
        if (action := BY_KEY.get(event.key)) is not None and not self.actions.may_run(action.name):
            self.show_notice(status_text.not_offered(self.console, action.does, action.permit))

    def show_notice(self, notice: str) -> None:
        """A word to the wizard, in the banner, until the next one or for half a minute."""
        self.notice, self._said_at = self.console.words.of(notice), self._clock.monotonic_ns()
        if is_on_screen(self):
            self.tick()

    def _show_worded(self, key: str, **parts: object) -> None:
        self.show_notice(self.console.words[f"console_text.{key}"].format(**parts))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer nothing that the role may not do or that cannot be done now."""
        role = self.console.role
        match action:
            case "send" | "canned":
                return may(role, "reply")
            case "filler":
                return may(role, "reply") and self.turn.filler is not None
            case "language" | "by_hand" | "context":
                return may(role, "query")
            case "to":
                return may(role, "query" if parameters == ("query",) else "transcribe")
            case "undo":
                return (
                    self.console.undoable
                    and bool(self.query(SaidEditor))
                    and bool(self.query("#sql"))
                    and not self.typing
                )
            case "replay":
                return self._listening.open
            case "stop":
                return role is Role.WIZARD or self._listening.open
            case "menu_action":
                return self.actions.may_run(str(parameters[0]))
            case _:
                return True

    def on_resize(self) -> None:
        self.query_one(Views).laid_out_anew()
        self.call_after_refresh(self.refresh_content)
