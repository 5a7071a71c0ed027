"""The window over the console in which the gaps of a fixed text are filled where they stand."""

from textual.app import ComposeResult

from desk.dialogs import Dialog
from wizard.core.fillable_text import Blanks
from wizard.widgets.fillable_field import BlanksEditor, BlanksFilled, Values


class FillBlanks(Dialog[Blanks]):
    """A text whose gaps are filled where they stand."""

    def __init__(self, title: str, gaps: Blanks, values: Values) -> None:
        super().__init__(title)
        self._gaps, self._values = gaps, values

    def content(self) -> ComposeResult:
        yield BlanksEditor(self._gaps, self._values)

    def on_mount(self) -> None:
        self.query_one(BlanksEditor).focus()

    def refresh_content(self) -> None:
        """Values that were asked for have come."""
        for editor in self.query(BlanksEditor):
            editor.refresh(layout=True)

    def on_blanks_filled(self, event: BlanksFilled) -> None:
        event.stop()
        self.dismiss(event.gaps)
