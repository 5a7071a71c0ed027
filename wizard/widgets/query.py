"""Editors in which the wizard types: what was said, and what the database is asked.

The query is one line of English or several of SQL, each with its own draft and its own history.
"""

import re
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from desk.editor import CompletionChanged, CompletionList, Editor, TextSubmitted
from desk.worded import title, words_near
from session.rules.decide import LONGEST_SQL, LONGEST_TEXT
from session.state.fold import Attempt
from session.values.answers import FailureKind
from session.values.vocabulary import Language
from wizard.core.completion.menu_completion import After, MenuCompletion
from wizard.core.completion.sql_names import KEYWORDS, Names
from wizard.core.console import Console

_TOKENS = re.compile(r"(?P<comment>--.*)|(?P<quoted>'(?:[^']|'')*'?)|(?P<word>[A-Za-z_]\w*)")
_STYLES = {"comment": Style(dim=True, italic=True), "quoted": Style(italic=True), "keyword": Style(bold=True)}


IN_ENGLISH = "Ask in English (behind the curtain)"
BY_MENU = "Ask by menu (behind the curtain)"
IN_SQL = "Ask in SQL (behind the curtain)"
_UNSURE = Style(underline=True, italic=True)
EMPTY = Binding("ctrl+l", "empty", "Empty the line", show=False, tooltip="Ctrl+↑ brings back earlier entries")


Ending = Callable[[str], str]
"""From what stands before the cursor to how its last word may go on."""


class DeskEditor(Editor):
    """An editor that one key empties; what stood there can be brought back."""

    def action_empty(self) -> None:
        self.entered.add(self.text)
        self.clear()


class EndingEditor(DeskEditor):
    """An editor of one line in which → takes the grey end of the word that is being typed."""

    def __init__(self, ending: Ending, *, limit: int, id: str | None = None) -> None:  # noqa: A002 - as below
        """`ending` tells how the word before the cursor may go on."""
        super().__init__(limit=limit, id=id)
        self._ending = ending
        self._loaded = self._put_before = ""
        self.as_loaded = True
        """Nobody has typed since a text was put in, be it that the same stands there again."""

    def load(self, text: str) -> None:
        super().load(text)
        self._loaded, self.as_loaded = self.text, True

    @property
    def _around(self) -> tuple[str, str]:
        """Return what stands before and behind the cursor."""
        _, column = self.cursor_location
        return self.text[:column], self.text[column:]

    @property
    def _at_end_of_word(self) -> bool:
        """Return whether the cursor is where a word ends, or where one is being put before another."""
        behind = self._around[1]
        return self.selection.is_empty and (not behind[:1].isalpha() or behind == self._put_before)

    def _look_for_ending(self) -> str:
        before, behind = self._around
        if not before[-1:].strip():
            self._put_before = behind
        return self._ending(before) if self._at_end_of_word and not self.as_loaded else ""

    def update_suggestion(self) -> None:
        self.suggestion = self._look_for_ending()

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Take the suggestion away when the cursor leaves the word."""
        if self.suggestion != self._look_for_ending():
            self.suggestion = ""

    def action_cursor_right(self, select: bool = False) -> None:
        """Take the end of the word, and a blank behind it where none stands; otherwise go right."""
        if self.suggestion and self._at_end_of_word and not select:
            self.insert(self.suggestion if self._around[1][:1] == " " else f"{self.suggestion} ")
        else:
            self.suggestion = ""
            super().action_cursor_right(select)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self.as_loaded = self.as_loaded and self.text == self._loaded


class SqlEditor(DeskEditor):
    """SQL whose keywords, texts and comments are distinguished by weight and slant, so that no colour and no parser is
    needed."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Ask"), EMPTY]
    HELP = (
        "SQL: Enter asks the database, Ctrl+J begins a new line, Tab completes tables and columns, Ctrl+↑ brings back."
    )

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        for found in _TOKENS.finditer(line.plain):
            kind = found.lastgroup or ""
            if kind == "word":
                kind = "keyword" if found[0].casefold() in KEYWORDS else ""
            if kind:
                line.stylize(_STYLES[kind], *found.span())
        return line


class SaidEditor(EndingEditor):
    """Editor of what the subject said; the unsure words of a recogniser's draft are underlined until somebody types."""

    doubtful: tuple[str, Sequence[tuple[int, int]]] = ("", ())

    HELP = (
        "Type what the participant said, without hesitations. Enter shows it to the participant as the profile says; → accepts "
        "the grey end of a word."
    )
    BORDER_TITLE = "What was said"
    TYPED_HELP = "The participant's text. Edit it if needed; Enter asks the database."
    TYPED_TITLE = "What was typed"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "show", "Show to the participant"),
        Binding("enter", "ask", "Ask"),
        EMPTY,
    ]

    def __init__(self, console: Console, *, limit: int) -> None:
        super().__init__(console.word_ending, limit=limit, id="said")
        self._core = console

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let Enter ask where a participant types: her words stand before her already, and nothing is shown."""
        if action in ("show", "ask"):
            return (action == "ask") is self._core.typed_input
        return super().check_action(action, parameters)

    @property
    def purpose(self) -> str:
        """The help of this editor, which speaks of what was typed where the participant types."""
        return self.TYPED_HELP if self._core.typed_input else self.HELP

    def follow_input(self) -> None:
        """Title the frame with what was said, or typed."""
        title(self, self._core.words.of(self.TYPED_TITLE if self._core.typed_input else str(self.BORDER_TITLE)))

    action_show = action_ask = DeskEditor.action_submit

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self._core.type_draft(self.text)

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        text, places = self.doubtful
        if line.plain == text:
            for begin, end in places:
                line.stylize(_UNSURE, begin, end)
        return line


class EnglishEditor(EndingEditor):
    """A request in English."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Ask"), EMPTY]
    HELP = (
        "English: Enter asks the database, as often as needed. A word that was not understood is selected: type over it; "
        "→ accepts the grey end of a word. The participant never sees this line."
    )


class MenuEditor(DeskEditor):
    """English put together from what the menu offers."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Ask"), EMPTY]
    HELP = "Menu: Tab takes the next word, the space bar continues, Enter asks once the request is complete."

    def __init__(self, after: After, *, limit: int, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(limit=limit, id=id)
        self._menu = self._completion = MenuCompletion(after)

    @property
    def choosing(self) -> bool:
        """Return whether one of the words offered is being put in."""
        return self._menu.going

    def look(self) -> None:
        """Offer what may follow what is there."""
        self._menu.look(self.text)
        self.post_message(CompletionChanged(self, self._menu.found, -1))

    def whole(self, text: str) -> bool | None:
        """Return whether `text` is a request that can be executed; None when the hub has not said yet."""
        self._menu.look(text)
        return self._menu.whole


class QueryPane(Vertical):
    """Posts `TextSubmitted` of the editor that is shown; `language` is the one of that editor.

    `has_menu` says whether there is a menu to choose from; None while that is not known.
    """

    DEFAULT_CSS = """
    QueryPane { height: auto; }
    QueryPane EnglishEditor, QueryPane MenuEditor { height: 3; }
    QueryPane SqlEditor { height: 5; }
    QueryPane CompletionList { display: none; }
    QueryPane.-offers CompletionList { display: block; }
    QueryPane.-sql EnglishEditor, QueryPane.-sql MenuEditor { display: none; }
    QueryPane.-menu EnglishEditor, QueryPane.-menu SqlEditor { display: none; }
    QueryPane.-english SqlEditor, QueryPane.-english MenuEditor, QueryPane.-english CompletionList { display: none; }
    """
    language: Language = Language.ENGLISH
    has_menu: bool | None = None

    def __init__(self, names: Names, menu: After, ending: Ending) -> None:
        super().__init__(id="query")
        self._names = names
        self._menu = menu
        self._ending = ending
        self._put_in = {Language.ENGLISH: "", Language.MENU: "", Language.SQL: ""}

    def compose(self) -> ComposeResult:
        english = EnglishEditor(self._ending, limit=LONGEST_TEXT, id="english")
        sql = SqlEditor(lines=True, words=self._words, limit=LONGEST_SQL, id="sql")
        yield english
        menu = MenuEditor(self._menu, limit=LONGEST_TEXT, id="menu")
        yield menu
        yield sql
        yield CompletionList(id="completions")

    def on_mount(self) -> None:
        self.speak(self.language)

    def _words(self, prefix: str) -> Sequence[str]:
        return self._names(prefix, self.query_one(SqlEditor).text)

    @property
    def editor(self) -> Editor:
        """The editor that is shown."""
        return self._editor_of(self.language)

    @property
    def request(self) -> str:
        """The request in the line; SQL there is none."""
        return "" if self.language is Language.SQL else self.editor.text.strip()

    def _editor_of(self, language: Language) -> Editor:
        kinds: dict[Language, type[Editor]] = {Language.SQL: SqlEditor, Language.MENU: MenuEditor}
        return self.query_one(kinds.get(language, EnglishEditor))

    def next_language(self) -> None:
        """English, menu, SQL, and round again; without a menu, English and SQL."""
        order = [Language.ENGLISH, *([] if self.has_menu is False else [Language.MENU]), Language.SQL]
        at = order.index(self.language) if self.language in order else 0  # a menu that turned out to be none
        self.speak(order[(at + 1) % len(order)])
        if self.language is Language.MENU:
            self.query_one(MenuEditor).look()

    def menu_known(self, has_menu: bool | None) -> None:
        """The hub has said something of the menu: offer it, unless one of its words is being put in."""
        self.has_menu = has_menu
        self.name_editors()
        editor = self.query_one(MenuEditor)
        if self.language is Language.MENU and not editor.choosing:
            editor.look()

    def whole(self, text: str) -> bool | None:
        """Return whether the text may be asked: by menu only what is a whole request, None when the hub has not said yet."""
        return self.language is not Language.MENU or self.query_one(MenuEditor).whole(text)

    def speak(self, language: Language) -> None:
        """Show the editor of this language; the focus goes with it."""
        had_focus = self.editor.has_focus
        if language is not self.language:
            self.remove_class("-offers")
        self.language = language
        self.name_editors()
        self.set_class(language is Language.SQL, "-sql")
        self.set_class(language is Language.MENU, "-menu")
        self.set_class(language is Language.ENGLISH, "-english")
        if had_focus:
            self.editor.focus()

    def name_editors(self) -> None:
        """Title the editors in the words of the session."""
        words = words_near(self)
        for kind, frame in ((EnglishEditor, IN_ENGLISH), (MenuEditor, BY_MENU), (SqlEditor, IN_SQL)):
            title(self.query_one(kind), words.of(frame))

    @property
    def drafting(self) -> bool:
        """Return whether something was typed that has not been asked."""
        return self.editor.text.strip() not in ("", self._put_in[self.language])

    def put(self, language: Language, text: str, even_over_a_draft: bool = False) -> None:
        """Put a text in to be changed, unless the wizard is writing another."""
        editor = self._editor_of(language)
        if even_over_a_draft or editor.text.strip() in ("", self._put_in[language]):
            self._put_in[language] = text.strip()
            if editor.text != text:
                editor.load(text)

    def asked(self, text: str) -> None:
        """The text went to the database: what is there is no draft any more."""
        self._put_in[self.language] = text.strip()

    def look_at(self, attempt: Attempt) -> None:
        """Put an attempt's text, and the statement that came of it, where they can be changed."""
        if attempt.language is Language.SQL:
            self.put(Language.SQL, attempt.text)
        else:
            self.put(Language.ENGLISH, attempt.text)
            self.put(Language.SQL, attempt.sql)
            self._select_unknown(attempt)

    def _select_unknown(self, attempt: Attempt) -> None:
        """Select the word that stood in the way, as long as nobody has typed: what is typed next takes its place."""
        editor = self._editor_of(attempt.language)
        if attempt.failure is not FailureKind.NOT_UNDERSTOOD or editor.text != attempt.text or editor.selected_text:
            return
        for unknown in attempt.unused:
            if found := re.search(rf"(?<!\w){re.escape(unknown)}(?!\w)", editor.text, re.IGNORECASE):
                editor.selection = Selection((0, found.start()), (0, found.end()))
                return

    def on_text_submitted(self, event: TextSubmitted) -> None:
        self.asked(event.text)

    def on_completion_changed(self, event: CompletionChanged) -> None:
        event.stop()
        if event.editor is not self.editor:
            return
        if self.language is Language.MENU and event.at >= 0:
            self._menu(self.editor.text)  # asked for now, so that Enter need not wait for the hub
        self.set_class(bool(event.words), "-offers")
        self.query_one(CompletionList).show(event.words, event.at)
