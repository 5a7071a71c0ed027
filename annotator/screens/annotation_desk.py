"""The annotation desk: listen to an utterance in its dialogue, classify it and write its sentences, by keys alone.

While the dialogue has the focus a letter is a command; W goes to the sentence, whose meaning is shown as it is written.
"""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import TextArea

from annotator.annotation import annotation_rules as rules
from annotator.annotation import sheet_text
from annotator.annotation.annotating import Annotating
from annotator.annotation.exclusion_reasons import REASONS
from annotator.screens.annotation_keys import KEYS
from annotator.screens.desk_screen import DeskScreen
from annotator.screens.ruling import RulesOnCases
from annotator.screens.submission import Submits
from desk.dialogs import AskText, Choose, ListEntry
from desk.editor import Editor, TextSubmitted
from desk.keys.footer import KeyFooter
from desk.recording_player import Player
from desk.safe_text import ForeignText
from session.annotation.annotation_facts import Annotation, Interpretation

LISTED = 200


class AnnotatingScreen(Submits, RulesOnCases):
    """Over `Annotating` and a `Player`; `first` is the utterance to begin with."""

    AUTO_FOCUS = "#dialogue"
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    REFUSALS = (*DeskScreen.REFUSALS, ValueError)
    DEFAULT_CSS = """
    AnnotatingScreen #dialogue { height: 1fr; min-height: 4; border-bottom: solid $foreground 40%; }
    AnnotatingScreen #said-so-far, AnnotatingScreen #said-here { height: auto; }
    AnnotatingScreen #sheet { height: auto; max-height: 6; }
    AnnotatingScreen #meaning { height: 5; text-wrap: nowrap; text-overflow: ellipsis; }
    AnnotatingScreen.-roomy #meaning { height: 10; }
    """

    def __init__(self, desk: Annotating, player: Player, first: str) -> None:
        super().__init__()
        self._desk, self._player, self._first = desk, player, first
        self._filter, self._reading = "t", 0

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield ForeignText(id="headline", newlines="space")
            yield ForeignText(id="working")
        with VerticalScroll(id="dialogue"):
            yield ForeignText(id="said-so-far")
            yield ForeignText(id="said-here")
        yield ForeignText(id="sheet")
        yield Editor(words=self._words, id="sentence", limit=2000)
        yield ForeignText(id="meaning")
        yield ForeignText(id="said", newlines="space")
        yield KeyFooter(2)

    def on_mount(self) -> None:
        if self._open(self._first):
            self.say(sheet_text.BEGINNING)

    def on_resize(self) -> None:
        self.set_class(self.size.height >= 34, "-roomy")

    # What is seen

    def keep(self) -> bool:
        """Record the sentence that is being written; False, and the reason is shown, where that fails or a draft is open."""
        if not self._keep_sentence():
            return False
        if self._desk.draft is not None and self._desk.draft.wanted is not None:
            self.say("Your request is not submitted yet: Ctrl+S submits it, Esc discards it")
            return False
        return True

    def _keep_sentence(self) -> bool:
        return not self._writing or self.attempt(lambda: self._sentence(self.editor.text))

    def _leave_sentence(self) -> None:
        self.set_focus(self.query_one("#dialogue"))  # at once: `focus` waits its turn, and keys that follow do not

    @property
    def editor(self) -> Editor:
        return self.query_one("#sentence", Editor)

    @property
    def _writing(self) -> bool:
        return self.focused is self.editor

    def renew(self) -> None:
        """Show what is in hand as it is now."""
        hand = self._desk.hand
        annotation = self._desk.annotation
        readings = annotation.readings
        self._reading = min(self._reading, len(readings) - 1)
        self.query_one("#headline", ForeignText).show(sheet_text.headline(self._desk, hand))
        self.query_one("#working", ForeignText).show(sheet_text.working(self._desk))
        self.query_one("#sheet", ForeignText).show("\n".join(sheet_text.sheet(annotation, self._reading)))
        if not self._writing:
            self.editor.load(readings[self._reading].sentence)
        self._mean(self.editor.text)

    def _mean(self, sentence: str) -> None:
        read = self._desk.read(sentence)
        self.query_one("#meaning", ForeignText).show("\n".join(sheet_text.meaning(read)))

    def _words(self, begun: str) -> list[str]:
        reader = self._desk.reader
        return list(reader.words(begun)) if reader is not None else []

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._desk.attention.touch()
        self._mean(self.editor.text)

    # Going from one to the next

    def _open(self, stem: str) -> bool:
        if not self.attempt(lambda: self._desk.open(stem)):
            return False
        self._reading = 0
        hand = self._desk.hand
        self.query_one("#said-so-far", ForeignText).show(sheet_text.so_far(hand))
        here = self.query_one("#said-here", ForeignText)
        here.show(sheet_text.here(hand))
        self.reveal(here)
        if self.attempt(self.load_sound):
            self.say(self._desk.editable())
        self._leave_sentence()
        self.renew()
        return True

    def action_go(self, step: int) -> None:
        keep = self._desk.list.filters()[self._filter][1]
        if not self.keep():
            return
        here = self._desk.hand.item.stem
        stem = self._desk.list.beside(here, step, keep)
        if stem is None:
            self._desk.list.look_around()  # what others have submitted meanwhile
            stem = self._desk.list.beside(here, step, keep)
        if stem is None:
            self.say("There is none behind it" if step > 0 else "There is none before it")
        else:
            self._open(stem)

    def action_list(self) -> None:
        self._desk.list.look_around()
        keep = self._desk.list.filters()[self._filter][1]
        items, at = self._desk.list.around(self._desk.hand.item.stem, LISTED, keep)
        lines = [ListEntry("", item.stem, f"{item.stem}  {self._desk.list.state(item)}") for item in items]
        title = f"Utterances {self._desk.list.filters()[self._filter][0]}"
        self.app.push_screen(Choose(title, lines, at), self._go_to)

    def _go_to(self, stem: str | None) -> None:
        if stem and self.keep():
            self._open(stem)

    def action_find(self) -> None:
        def take(begun: str | None) -> None:
            stem = self._desk.list.begins(begun) if begun else None
            if begun and stem is None:
                self.say(f"No utterance's name begins with {begun}")
            self._go_to(stem)

        self.app.push_screen(AskText("Go to which utterance? Its name, or how that begins", limit=40), take)

    def action_filter(self) -> None:
        self._desk.list.look_around()
        known = self._desk.list.filters()
        lines = [
            ListEntry(key, key, f"{does} ({len(self._desk.list.items(keep))})") for key, (does, keep) in known.items()
        ]
        self.app.push_screen(Choose("Show", lines, list(known).index(self._filter)), self._filtered)

    def _filtered(self, name: str | None) -> None:
        if name:
            self._filter = name
            items = self._desk.list.items(self._desk.list.filters()[name][1])
            if items and self._desk.hand.item not in items:
                self._open(items[0].stem)

    # What is said of it

    def _change(self, changed: Callable[[Annotation], Annotation]) -> bool:
        done = self.attempt(lambda: self._desk.change(changed(self._desk.annotation)))
        self.renew()
        return done

    def action_classed(self, evaluation: str) -> None:
        if self._change(lambda one: rules.classed(one, evaluation)) and evaluation != "A":
            self._need_context()

    def action_graded(self, grade: str) -> None:
        if self._change(lambda one: rules.graded(one, grade)) and grade != "0":
            self._need_context()

    def _need_context(self) -> None:
        if not rules.pointers(self._desk.annotation):
            self.action_context()

    def action_context(self) -> None:
        said = [(turn.pointer, turn.said) for turn in reversed(self._desk.hand.earlier)]
        held = self._desk.annotation.context
        letters = sheet_text.LETTERS
        lines = [
            ListEntry(letter, pointer, f"{'√' if pointer in held else ' '} {pointer}: {text}")
            for letter, (pointer, text) in zip(letters, said, strict=False)
        ]
        title = "Which earlier query gives the context?" if lines else "There is no earlier query"
        self.app.push_screen(Choose(title, lines), self._pointed)

    def _pointed(self, pointer: str | None) -> None:
        if pointer:
            self._change(lambda one: rules.pointed(one, pointer))

    def action_exclude(self) -> None:
        self.app.push_screen(Choose("Why can it not be evaluated?", sheet_text.reason_choices()), self._excluded)

    def _excluded(self, reason: str | None) -> None:
        if not reason:
            return
        if not REASONS[reason].details:
            self._change(lambda one: rules.excluded(one, reason))
            return

        def take(detail: str | None) -> None:
            if detail:
                self._change(lambda one: rules.excluded(one, reason, detail))

        self.app.push_screen(Choose(f"{reason}: which?", sheet_text.detail_choices(reason)), take)

    def action_tag(self) -> None:
        def take(tag: str | None) -> None:
            if tag == "yes/no":
                self._ask_yes_or_no()
            elif tag:
                self._change(lambda one: rules.tagged(one, tag))

        self.app.push_screen(Choose("Tags", sheet_text.tag_choices(self._desk.annotation)), take)

    def _ask_yes_or_no(self) -> None:
        self.attempt(self._desk.ask_yes_or_no)
        self.renew()

    def action_own_tag(self) -> None:
        def take(tag: str | None) -> None:
            if tag:
                self._change(lambda one: rules.tagged(one, "-".join(tag.split())))

        self.app.push_screen(AskText("A tag of your site", limit=40), take)

    def action_note(self) -> None:
        def take(note: str | None) -> None:
            if note is not None:
                self._change(lambda one: rules.noted(one, note))

        text = self._desk.annotation.note
        self.app.push_screen(AskText("A note, which stays in the .cat", optional=True, text=text, limit=500), take)

    def action_principle(self) -> None:
        def search(sought: str | None) -> None:
            if sought is None:
                return
            found = self._desk.find(sought)
            cited = self._desk.annotation.cited
            title = f"{len(found)} principles; Enter cites one" if found else f"No principle has {sought!r} in it"
            self.app.push_screen(Choose(title, sheet_text.principle_choices(found, cited)), cite)

        def cite(number: str | None) -> None:
            if number:
                self._change(lambda one: rules.cited(one, number))

        self.app.push_screen(AskText("Search the principles; Enter alone lists all", optional=True, limit=80), search)

    # Readings and their sentences

    def action_reading(self, what: str) -> None:
        count = len(self._desk.annotation.readings)
        if what == "next":
            self._reading = (self._reading + 1) % count
        elif what == "yes/no":
            self._ask_yes_or_no()
        elif what == "more":
            self._change(lambda one: rules.with_readings(one, (*one.readings, Interpretation())))
            self._reading = count
            self.renew()
            self.action_write()
        elif count > 1:
            at = self._reading
            self._change(lambda one: rules.with_readings(one, (*one.readings[:at], *one.readings[at + 1 :])))
        self.renew()

    def action_write(self) -> None:
        if why := self._desk.editable():
            self.say(why)
            return
        self.set_focus(self.editor)
        self.say("Tab completes; Enter keeps the sentence")

    def on_text_submitted(self, event: TextSubmitted) -> None:
        event.stop()
        if self.attempt(lambda: self._sentence(event.text)):
            self._leave_sentence()
            self.renew()

    def _sentence(self, text: str) -> None:
        self._desk.write(self._reading, text)

    def action_undo(self) -> None:
        self.attempt(self._desk.undo)
        self.renew()

    def action_proposal(self) -> None:
        found = self._desk.proposals()
        lines = [ListEntry("", source, f"{source}: {sheet_text.summary(one)}") for source, one in found.items()]

        def take(source: str | None) -> None:
            if source:
                self.attempt(lambda: self._desk.accept(source), "Taken over: look at it, then Ctrl+S")
                self.renew()

        self.app.push_screen(Choose("Proposals; Enter takes one over" if lines else "Nothing is proposed", lines), take)
