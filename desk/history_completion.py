"""History and completion of an editor, without a screen: earlier entries, and endings of the word at the cursor."""

import re
from collections.abc import Callable, Sequence

Words = Callable[[str], Sequence[str]]
_WORD = re.compile(r"[\w.]+$")


class InputHistory:
    """Entries from the oldest to the newest, and a place among them; the unfinished text is kept at the new end."""

    def __init__(self, entries: Sequence[str] = (), limit: int = 500) -> None:
        self._entries = list(entries)[-limit:]
        self._limit = limit
        self._at = len(self._entries)
        self._draft = ""

    @property
    def entries(self) -> Sequence[str]:
        return tuple(self._entries)

    def add(self, text: str) -> None:
        """Remember an entry and go to the new end. Blank text and a repetition of the last entry are not remembered."""
        if text.strip() and (not self._entries or self._entries[-1] != text):
            self._entries = [*self._entries, text][-self._limit :]
        self._at, self._draft = len(self._entries), ""

    def older(self, current: str) -> str | None:
        """The entry before, None at the oldest; `current` is kept when it is the unfinished one."""
        if self._at == 0:
            return None
        if self._at == len(self._entries):
            self._draft = current
        self._at -= 1
        return self._entries[self._at]

    def newer(self) -> str | None:
        """The entry after, at last the unfinished text; None when there already."""
        if self._at == len(self._entries):
            return None
        self._at += 1
        return self._draft if self._at == len(self._entries) else self._entries[self._at]


class Completion:
    """The words that may stand in place of the one before the cursor, gone through in a circle."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.prefix = ""
        self.found: Sequence[str] = ()
        self.at = -1

    def look(self, before_cursor: str) -> None:
        """Find the words for what stands before the cursor; one that is complete already is no news."""
        match = _WORD.search(before_cursor)
        self.prefix = match[0] if match else ""
        self.found = [word for word in self._words(self.prefix) if word != self.prefix] if self.prefix else []
        self.at = -1

    def step(self, step: int) -> tuple[int, str] | None:
        """The next or the previous word, and how many characters before the cursor it replaces; None when there is none."""
        if not self.found:
            return None
        replaced = len(self.prefix) if self.at < 0 else len(self.found[self.at])
        self.at = (self.at + step) % len(self.found) if self.at >= 0 else (0 if step > 0 else len(self.found) - 1)
        return replaced, self.found[self.at]

    @property
    def going(self) -> bool:
        """Return whether one of the words has been put in."""
        return self.at >= 0
