"""Shows both screens as they change, on a terminal's error stream."""

import shutil
from typing import TextIO

from rehearsal.text_screens import side_by_side
from session.state.fold import SessionState

HOME_AND_CLEAR = "\x1b[H\x1b[J"


class Screens:
    """Draws both screens again whenever they differ from what is shown; line by line where there is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown: list[str] = []

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
