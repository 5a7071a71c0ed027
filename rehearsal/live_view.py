"""Both screens in words, as they change: for a stream that is not a terminal, and for terminals that show nothing but lines."""

import shutil
from typing import TextIO

from rehearsal.text_screens import side_by_side
from session.state.fold import SessionState
from session.values.clock import Clock
from subject.desk import SubjectDesk
from wizard.desk import WizardDesk

HOME_AND_CLEAR = "\x1b[H\x1b[J"


class Screens:
    """Draws both screens again whenever they differ from what is shown; line by line where there is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown: list[str] = []
        self._desks: tuple[SubjectDesk, WizardDesk] | None = None

    async def seated(self, subject: SubjectDesk, wizard: WizardDesk, clock: Clock) -> None:
        """Follow these desks of a rehearsal."""
        self._desks = subject, wizard

    def changed(self) -> None:
        """Show what the desks know now."""
        if self._desks is not None:
            subject, wizard = self._desks
            self.show(wizard.console.state, subject.terminal.state)

    def show(self, wizard: SessionState, subject: SessionState, caption: str = "") -> None:
        """Show both, the subject's as the subject's desk knows it."""
        size = shutil.get_terminal_size((100, 30))
        lines = side_by_side(wizard, subject, size.columns)
        if lines == self._shown:
            return
        self._shown = lines
        if self._stream.isatty():
            visible = lines[: size.lines - 2]
            self._stream.write(HOME_AND_CLEAR + "\n".join([*visible, caption]) + "\n")
        else:
            self._stream.write("\n".join([*lines, caption]) + "\n\n")
        self._stream.flush()
