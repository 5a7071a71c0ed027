"""Editor of the transcription: one whose marks have keys."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from annotator import marks, transcription_status
from annotator.marks import SelectedLine
from desk.dialogs import Choose, ListEntry
from desk.editor import Editor
from desk.keys.actions import bound

_CHANGES: dict[str, Callable[[SelectedLine], SelectedLine]] = {
    "uncertain": lambda line: marks.around(line, *marks.UNCERTAIN),
    "identifying": lambda line: marks.around(line, *marks.IDENTIFYING),
    "deleted": marks.deleted,
    "mispronounced": marks.mispronounced,
    "fragment": marks.fragment,
    "stressed": marks.stressed,
    "lengthened": marks.lengthened,
    "pause": lambda line: marks.inserted(line, "."),
    "unintelligible": lambda line: marks.inserted(line, "[unintelligible]"),
    "cut_off": marks.cut_off,
    "silence": marks.silence,
}


def _mark(key: str, name: str, does: str, more: str) -> Binding:
    return bound(key, f"mark('{name}')", does, more, show=False)


class Sheet(Editor):
    """One line of text, however long, with a key for every mark of the conventions."""

    HELP = (
        "Write what is heard, by the conventions. Enter keeps it. Marks are put around the selected words (Shift with the "
        "arrows) or the word at the cursor; the same key takes them away."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Keep it", show=False),
        Binding("alt+a", "select_all", "Select all", show=False, priority=True),
        Binding("ctrl+up", "older", "Kept before", show=False),
        bound("ctrl+home", "edge(False)", "Beginning", "Of the text: Home is that of the row", show=False),
        bound("ctrl+end", "edge(True)", "End", "Of the text", show=False),
        _mark("alt+u", "uncertain", "(( )) uncertain", "A stretch that you are not sure of"),
        _mark("alt+d", "deleted", "<word> deleted", "Repeated, restarted or repaired; twice: <<edit phrase>>"),
        _mark("alt+m", "mispronounced", "*word* mispronounced", "But the meaning is clear"),
        _mark("alt+f", "fragment", "wor- fragment", "A word that was broken off"),
        _mark("alt+s", "stressed", "!word stressed", "Emphatic stress"),
        _mark("alt+l", "lengthened", "lo:ng lengthened", "A colon behind the letter before the cursor"),
        bound("alt+h", "filled", "[uh] hesitation", "Filled pauses, each with a letter", show=False),
        bound("alt+n", "noise", "[cough] noise", "Noises, each with a letter; then their place", show=False),
        _mark("alt+p", "pause", ". pause", "A pause within the utterance"),
        _mark("alt+i", "unintelligible", "[unintelligible]", "Unintelligible speech"),
        _mark("alt+t", "cut_off", "~ cut off", "At the start with the cursor there, else at the end"),
        _mark("alt+z", "silence", "~~ nothing spoken", "In place of the whole text"),
    ]
    DEFAULT_CSS = """
    Sheet { height: 6; }
    """

    _escaped = False

    async def on_key(self, event: events.Key) -> None:
        """A terminal sends a letter along with Alt; what is not a key of the desk must not come into the text.

        Over a slow line Escape and letter of one Alt key come apart, and the Escape arrives as a circumflex, which no
        transcription has: with the letter behind it, it is that key.
        """
        escaped, self._escaped = self._escaped, event.character == "^"
        alt = event.key.startswith("alt+") and event.is_printable
        if not (alt or escaped or self._escaped):
            return
        event.stop()
        event.prevent_default()
        if escaped and event.is_printable and not self._escaped:
            self.app.simulate_key(f"alt+{event.key}")

    @property
    def line(self) -> SelectedLine:
        """The text with the selection in it."""
        return SelectedLine(self.text, self.selection.start[1], self.selection.end[1])

    def change(self, changed: SelectedLine) -> None:
        """Put in what a mark has made of the text; it can be undone."""
        if self.read_only:
            return
        if changed.text != self.text:
            self.replace(changed.text, (0, 0), self.document.end, maintain_selection_offset=False)
        self.selection = type(self.selection)((0, changed.start), (0, changed.end))

    def reveal(self) -> bool:
        """Take the marks of a stretch that identifies somebody from around the cursor; False if there are none."""
        changed = _CHANGES["identifying"](self.line)
        marked = len(changed.text) < len(self.text) and not self.read_only
        if marked:
            self.change(changed)
        return marked

    def action_edge(self, last: bool) -> None:
        """A long text fills several rows, and Home and End stay in theirs."""
        self.move_cursor(self.document.end if last else (0, 0))

    def action_mark(self, name: str) -> None:
        self.change(_CHANGES[name](self.line))

    def action_filled(self) -> None:
        names = transcription_status.HESITATIONS
        self._choose_sound("Hesitation", names, lambda name: self.change(marks.noise(self.line, name)))

    def action_noise(self) -> None:
        self._choose_sound("Noise", transcription_status.NOISES, self._where)

    def _choose_sound(self, title: str, names: Sequence[str], take: Callable[[str], None]) -> None:
        choices = [ListEntry(key, name, f"[{name}]") for key, name in transcription_status.letters(names).items()]
        self.app.push_screen(Choose(title, choices), lambda name: take(name) if name else None)

    def _where(self, name: str) -> None:
        places = [
            ListEntry("a", "alone", f"[{name}] between the words"),
            ListEntry("p", "before", f"[<{name}] over the word before it"),
            ListEntry("n", "after", f"[{name}>] over the word after it"),
            ListEntry("o", "over", f"[{name}/] … [/{name}] over the selected words"),
        ]
        line = self.line
        at = 3 if line.start != line.end else 0

        def put(where: str | None) -> None:
            if where:
                self.change(marks.noise(line, name, where))

        self.app.push_screen(Choose(f"Where does [{name}] lie?", places, at), put)
