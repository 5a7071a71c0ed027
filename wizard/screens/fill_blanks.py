"""The window over the console in which the gaps of a fixed text are filled where they stand."""

from textual.app import ComposeResult

from desk.dialogs import Dialog
from wizard.core.blanks import Gaps
from wizard.widgets.blanks import Filling, GapsFilled


class FillGaps(Dialog[Gaps]):
    """A text whose gaps are filled where they stand."""

    def __init__(self, title: str, gaps: Gaps) -> None:
        super().__init__(title)
        self._gaps = gaps

    def content(self) -> ComposeResult:
        yield Filling(self._gaps)

    def on_mount(self) -> None:
        self.query_one(Filling).focus()

    def on_gaps_filled(self, event: GapsFilled) -> None:
        event.stop()
        self.dismiss(event.gaps)
