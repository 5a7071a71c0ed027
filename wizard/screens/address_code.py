"""The address of a participant's page as a code that a camera reads, over the whole screen: half a code is none."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from desk.dialogs import CLOSE
from desk.keys.footer import KeyFooter
from desk.safe_text import ForeignText
from wizard.widgets.qr_code import qr_lines


class AddressCode(ModalScreen[None]):
    """Over an address; Esc or Enter closes it. Whole at 80 × 24."""

    BINDINGS: ClassVar[list[BindingType]] = [CLOSE]
    DEFAULT_CSS = """
    AddressCode { align: center middle; }
    AddressCode VerticalScroll { width: 100%; height: 1fr; align: center middle; }
    AddressCode ForeignText { width: auto; }
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            code = qr_lines(self._address, dark=self.app.current_theme.dark)
            yield ForeignText("\n".join(code))
        yield KeyFooter(1, reachable=True)
