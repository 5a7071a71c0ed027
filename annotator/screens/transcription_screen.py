"""The transcription desk: one utterance at a time, shown as a waveform, replayed as often as needed, transcribed by keys
alone.

What is written is kept in `work.sqlite` every few seconds; Ctrl+S submits it.
"""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import TextArea

from annotator import marks, rules
from annotator import transcription_status as status
from annotator.filter import FILTERS, found
from annotator.playback import Playback
from annotator.rules import ConcurrentChange
from annotator.screens.desk_screen import DeskScreen
from annotator.screens.transcription_keys import KEYS
from annotator.transcription import Transcribing
from annotator.utterance_list import ListedUtterance
from annotator.widgets.sheet import Sheet
from annotator.widgets.waveform_view import Waveform
from corpus.annotation.identifying_phrases import Phrases
from desk.dialogs import AskText, Choose, ListEntry
from desk.editor import TextSubmitted
from desk.keys.footer import KeyFooter
from desk.recording_player import Player
from desk.safe_text import ForeignText
from desk.talk.gate import Patience
from session.annotation.events import Pass
from session.annotation.transcript import TranscriptState

KEEP_EVERY_S = 15
KEEP_AFTER_S = 3  # after the last change of the text: what a desk that is killed can lose
SHOW_EVERY_S = 0.1
MASKED = "Masked in this corpus: a mask that you take away is gone in the next export of the study"
REPEATS_NS = Patience().first_ns  # Ctrl+S again within so long is a key held down
LISTED = 200  # utterances around the one in hand


class TranscribingScreen(DeskScreen):
    """Over `Transcribing` and a `Player`; `first` is the utterance to begin with."""

    AUTO_FOCUS = "#sheet"
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    DEFAULT_CSS = """
    TranscribingScreen #typed { height: auto; max-height: 3; }
    TranscribingScreen #listening { height: 1; }
    TranscribingScreen #problems { height: 1fr; min-height: 1; }
    TranscribingScreen #said { max-height: 3; }
    TranscribingScreen #around { display: none; height: 1fr; border-top: solid $foreground 40%; }
    TranscribingScreen.-roomy #around { display: block; }
    TranscribingScreen.-roomy #problems { height: 4; }
    TranscribingScreen.-tall #problems { height: 5; }
    TranscribingScreen.-tall Waveform { height: 12; }
    """

    def __init__(self, desk: Transcribing, player: Player, first: str) -> None:
        super().__init__()
        self._desk, self._player, self._first = desk, player, first
        self._listening = Playback(player)
        self._filter, self._sought = "a", ""
        self._keeping: Timer | None = None
        self._done_ns: int | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield ForeignText(id="headline", newlines="space")
            yield ForeignText(id="working")
        yield Waveform(id="waveform")
        yield ForeignText(id="listening")
        yield ForeignText(id="typed", newlines="space")
        yield Sheet(id="sheet", limit=rules.LONGEST)
        yield ForeignText(id="problems")
        yield ForeignText(id="around")
        yield ForeignText(id="said", newlines="space")
        yield KeyFooter(2)

    def on_mount(self) -> None:
        self.set_interval(SHOW_EVERY_S, self._place)
        self.set_interval(KEEP_EVERY_S, self.keep)
        if self._open(self._first) and not self.sheet.read_only:
            self.say(status.BEGINNING)
        self.call_after_refresh(self._list)

    def _list(self) -> None:
        """List all the other utterances, when the first one is on the screen."""
        self._desk.items()
        for fault in self._desk.unlisted:
            self.say(f"Not listed: {fault}")
        if new := self._desk.newcomer():
            self.say(new)
        self.attempt(self._desk.look_around)
        self.renew()

    def on_resize(self) -> None:
        self.set_class(self.size.height >= 29, "-roomy")
        self.set_class(self.size.height >= 34, "-tall")
        self.call_after_refresh(self.renew)

    # What is seen

    @property
    def sheet(self) -> Sheet:
        return self.query_one("#sheet", Sheet)

    def shown_items(self) -> list[ListedUtterance]:
        """The utterances that the filter lets through."""
        return FILTERS[self._filter][1](self._desk)

    def renew(self) -> None:
        """Show what is in hand as it is now."""
        opened = self._desk.opened
        self.query_one("#headline", ForeignText).show(status.headline(self._desk, opened, self.shown_items))
        self.query_one("#typed", ForeignText).show(f"typed in the session: {opened.typed or '(nothing)'}")
        self.sheet.read_only = bool(rules.may_edit(opened.item.transcript, self._desk.person))
        around = self.query_one("#around", ForeignText)
        around.show(status.around(self._desk, opened.item.stem, self.size.width - 2, around.size.height - 1))
        self._place()
        self._check()

    def _place(self) -> None:
        if self._listening.heard_anew:
            self._desk.attention.touch()
        opened, stretch = self._desk.opened, self._listening.stretch
        chosen = (stretch.first, stretch.last) if stretch else None
        spans = tuple((span.first, span.last) for span in opened.item.transcript.stretches)
        self.query_one(Waveform).place(self._listening.sight, chosen, spans, self._listening.position)
        self._show("#listening", status.hearing(self._listening.caption(), len(spans)))
        self._show("#working", status.working(self._desk, opened))

    def _show(self, where: str, text: str) -> None:
        widget = self.query_one(where, ForeignText)
        if widget.text != text:
            widget.show(text)

    def _check(self) -> None:
        """The live check: what is on the sheet against the conventions."""
        area = self.query_one("#problems", ForeignText)
        lines = status.problem_lines(
            rules.problems(self.sheet.text), max(20, self.size.width - 2), max(1, area.size.height)
        )
        area.show("\n".join(lines))

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._desk.attention.touch()
        self._check()
        if self._keeping is not None:
            self._keeping.stop()
        self._keeping = self.set_timer(KEEP_AFTER_S, self.keep)

    # Going from one to the next

    def _open(self, stem: str) -> bool:
        """Take an utterance in hand; False where it cannot be opened, which is then said."""
        if not self.attempt(lambda: self._desk.open(stem)):
            return False
        opened = self._desk.opened
        self._player.load(opened.sound, opened.rate)
        self._listening.take(len(opened.sound), opened.rate)
        self.query_one(Waveform).show(opened.sound, opened.rate)
        self.sheet.load(opened.text)
        self.say(rules.may_edit(opened.item.transcript, self._desk.person) or (MASKED if opened.masked else ""))
        self.renew()
        return True

    def keep(self) -> bool:
        """Record what is on the sheet; False when that cannot be done, which is then said."""
        if self.sheet.read_only:
            return True
        return self.attempt(lambda: self._desk.revise(self.sheet.text)) if self._changed else True

    @property
    def _checking(self) -> bool:
        return self._desk.opened.item.state is TranscriptState.SUBMITTED

    @property
    def _changed(self) -> bool:
        return " ".join(self.sheet.text.split()) != " ".join(self._desk.opened.text.split())

    def refused(self, refusal: Exception) -> None:
        """Say why; where somebody else has written here meanwhile, neither text goes without having been asked about."""
        super().refused(refusal)
        if isinstance(refusal, ConcurrentChange) and self.app.screen is self:
            self._ask_whose(str(refusal))

    def _ask_whose(self, refusal: str) -> None:
        stem, mine = self._desk.opened.item.stem, self.sheet.text

        def take(whose: str | None) -> None:
            if whose is None or not self._open(stem):
                return
            self.sheet.entered.add(mine)
            if whose == "mine" and not self.sheet.read_only:
                self.sheet.change(marks.SelectedLine(mine, 0, 0))
                self.keep()
            self.say(f"Ctrl+↑ brings back your text. {rules.may_edit(self._desk.transcript, self._desk.person)}")

        theirs = ListEntry("t", "theirs", "Take their text; Ctrl+↑ brings back your text")
        over = ListEntry("m", "mine", "Overwrite it with your text; F5 shows theirs")
        self.app.push_screen(Choose(refusal, [theirs, over]), take)

    def action_go(self, step: int) -> None:
        stem, shown = self._desk.opened.item.stem, self.shown_items()
        if not self.keep():
            return
        shut: list[str] = []
        while (after := self._desk.beside(stem, step, shown)) is not None:
            stem = after
            if self._open(stem):
                self.say(status.passed_over(shut) or self.query_one("#said", ForeignText).text)
                return
            shut.append(stem)
        self.say(status.passed_over(shut) or ("There is none behind it" if step > 0 else "There is none before it"))

    def action_list(self) -> None:
        self.attempt(self._desk.look_around)
        items, here = self.shown_items(), self._desk.opened.item.stem
        listed = status.near(items, here, LISTED)
        at = next((n for n, item in enumerate(listed) if item.stem == here), 0)
        lines = [ListEntry("", item.stem, status.list_line(item, self._desk.words(item))) for item in listed]
        more = f", {len(listed)} of {len(items)}" if len(listed) < len(items) else ""
        self.app.push_screen(Choose(f"Utterances: {FILTERS[self._filter][0]}{more}", lines, at), self._go_to)

    def _go_to(self, stem: str | None) -> None:
        if stem and self.keep():
            self._open(stem)

    def action_find(self) -> None:
        again = f"; Enter alone: {self._sought!r} again" if self._sought else ""
        ask = AskText(f"Which utterance? A part of its name, or words{again}", optional=bool(again), limit=200)
        self.app.push_screen(ask, self._find)

    def _find(self, sought: str | None) -> None:
        if sought is None:
            return
        self._sought = sought = sought or self._sought
        stem = found(self._desk, sought, self._desk.opened.item.stem, self.shown_items())
        if stem is None:
            self.say(f"No other one has {sought!r} in it, of {FILTERS[self._filter][0]}")
        self._go_to(stem)

    def action_revisions(self) -> None:
        done = {str(fact.seq): status.deed(fact, self._desk.opened.rate) for fact in reversed(self._desk.revisions())}
        lines = [ListEntry("", seq, line) for seq, (line, _) in done.items()]

        def take(seq: str | None) -> None:
            if seq and (text := done[seq][1]) is not None:
                self.sheet.change(marks.SelectedLine(text, 0, 0))

        self.app.push_screen(Choose("History, latest first" if lines else "No history yet", lines), take)

    def action_filter(self) -> None:
        if not self.attempt(self._desk.look_around):
            return
        lines = [ListEntry(key, key, f"{does} ({len(let(self._desk))})") for key, (does, let) in FILTERS.items()]
        self.app.push_screen(Choose("Show", lines, list(FILTERS).index(self._filter)), self._filtered)

    def _filtered(self, name: str | None) -> None:
        if name:
            self._filter = name
            stems = [item.stem for item in self.shown_items()]
            if stems and self._desk.opened.item.stem not in stems and self.keep():
                self._open(stems[0])
            self.renew()

    # Text and marks

    def on_text_submitted(self, event: TextSubmitted) -> None:
        event.stop()
        if self.keep():
            self.say(f"Kept. Ctrl+S {'checks it' if self._checking else 'submits it'}")
            self.renew()

    def action_done(self) -> None:
        before, self._done_ns = self._done_ns, self._desk.now_ns()
        if before is not None and self._done_ns - before < REPEATS_NS:
            self.say(status.KEY_REPEATED)
            return
        checking = self._checking
        do = self._desk.check if checking else self._desk.submit
        stem = self._desk.opened.item.stem
        if self.attempt(lambda: do(self.sheet.text)):
            names = self._desk.names if self._desk.transcript.spans else None
            after = self._desk.beside(stem, 1, self.shown_items())
            if after is not None:
                self._open(after)
            done = f"{stem} is {'checked' if checking else 'submitted'}"
            self.say(f"{done}; the next export has it")
            if names is not None:
                self.call_after_refresh(self._tell_elsewhere, done, names)
        self.renew()

    def _tell_elsewhere(self, done: str, names: Phrases) -> None:
        """Say where else such words are; for that every utterance is gone through, when the next one can be read already."""
        if more := status.elsewhere(len(self._desk.named()), len(self._desk.nearly_named(names))):
            self.say(done + more)

    def action_reopen(self) -> None:
        if self.attempt(lambda: rules.check_closed(self._desk.transcript)):
            self.app.push_screen(AskText("Why is it reopened?", limit=500), self._reopened)

    def _reopened(self, reason: str | None) -> None:
        if reason and self.attempt(lambda: self._desk.reopen(reason), "It is open again"):
            self.renew()

    def action_turn_pass(self) -> None:
        if self.keep():
            self._desk.during = Pass.EVENTS if self._desk.during is Pass.WORDS else Pass.WORDS
            self.renew()

    def action_wizard(self) -> None:
        if not self.sheet.read_only:
            self.sheet.change(marks.SelectedLine(self._desk.draft_of_typed(), 0, 0))

    def action_problem(self) -> None:
        found = rules.problems(self.sheet.text)
        behind = [problem for problem in found if problem.column - 1 > self.sheet.selection.start[1]]
        if found:
            at = (behind or found)[0]
            line = marks.SelectedLine(self.sheet.text, at.column - 1, at.column - 1 + at.length)
            self.sheet.change(line)

    # The ear

    def _hear(self, said: str) -> None:
        self._desk.attention.touch()
        self.say(said)
        self._place()

    def action_play(self) -> None:
        self._hear(self._listening.play())

    def action_slower(self) -> None:
        self._hear(self._listening.slower())

    def action_loop(self) -> None:
        self._hear(self._listening.looped())

    def action_again(self, seconds: float) -> None:
        self._hear(self._listening.again(seconds))

    def action_nearer(self, steps: int) -> None:
        self._hear(self._listening.nearer(steps))

    def action_edge(self, edge: str) -> None:
        self._hear(self._listening.set_begin() if edge == "begin" else self._listening.set_end())

    def action_nudge(self, edge: str, steps: int) -> None:
        self._hear(self._listening.nudge(edge, steps))

    def action_stop(self) -> None:
        self._listening.stop()
        self._hear("")

    def action_identifying(self) -> None:
        """Sound and words together; on a stretch that is marked already, neither. Without sound the words alone."""
        stretch = self._listening.stretch
        spans = self._desk.transcript.stretches
        if not self._desk.opened.audible:
            self.sheet.action_mark("identifying")
        elif stretch is None:
            inside = [span for span in spans if span.first <= self._listening.position <= span.last]
            if not inside:
                self.say(status.WORDS_BARED if self.sheet.reveal() else status.WITHOUT_STRETCH)
                return
            if self.attempt(
                lambda: self._desk.unmark(inside[0].first), "Not masked any more; see that {{ }} is gone too"
            ):
                self.sheet.reveal()
        elif self.attempt(lambda: self._desk.mark(stretch.first, stretch.last), "Sound and words will be masked"):
            self.sheet.action_mark("identifying")
        self.renew()
