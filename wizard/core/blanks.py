"""A text with gaps that are filled in place: the blanks of a canned message, the placeholders of a scenario.

Pure, so that both are filled by the same keys and an empty gap is refused in the same way. What the wizard reads while filling
is the text as it will stand, word for word.
"""

import re
from collections.abc import Mapping
from typing import Self

import msgspec

from session.study.settings import BLANK, PLACEHOLDER, CannedMessage, Scenario
from session.values.sanitize import one_line

LONGEST = 200


def flowing(text: str) -> str:
    """Paragraphs as single lines: where a file breaks its lines is no matter of the screen.

    >>> flowing("Go to\\nBoston.\\n\\nToday.\\n")
    'Go to Boston.\\n\\nToday.'
    """
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return "\n\n".join(part for part in paragraphs if part)


class Blanks(msgspec.Struct, frozen=True):
    """`pieces` are literal texts and, as numbers, gaps; a gap may stand in several places. `at` is the gap being filled."""

    pieces: tuple[str | int, ...]
    names: tuple[str, ...]
    values: tuple[str, ...]
    at: int = 0

    @classmethod
    def of_message(cls, message: CannedMessage) -> Self:
        """Every `___` is a gap of its own."""
        first, *others = message.text.split(BLANK)
        pieces: list[str | int] = [first]
        for number, literal in enumerate(others):
            pieces += [number, literal]
        return cls(tuple(pieces), tuple(f"blank {n + 1}" for n in range(len(others))), ("",) * len(others))

    @classmethod
    def of_scenario(cls, scenario: Scenario) -> Self:
        """Every placeholder is a gap, filled with its default to begin with."""
        names = tuple(dict.fromkeys([*PLACEHOLDER.findall(scenario.text), *scenario.placeholders]))
        pieces: list[str | int] = []
        for number, piece in enumerate(PLACEHOLDER.split(flowing(scenario.text))):
            pieces.append(names.index(piece) if number % 2 else piece)
        return cls(tuple(pieces), names, tuple(scenario.placeholders[name] for name in names))

    @property
    def bindings(self) -> Mapping[str, str]:
        """Return what was put in, by the gap's name."""
        return {name: value.strip() for name, value in zip(self.names, self.values, strict=True)}

    @property
    def text(self) -> str:
        """The text as it stands."""
        return "".join(piece if isinstance(piece, str) else self.values[piece] for piece in self.pieces)

    @property
    def empty(self) -> int | None:
        """The first gap that holds nothing."""
        return next((n for n, value in enumerate(self.values) if not value.strip()), None)

    def typed(self, text: str) -> Self:
        """More text in the gap at hand, on one line, up to 200 characters."""
        return self._with((self.values[self.at] + one_line(f"|{text}|")[1:-1])[:LONGEST]) if self.values else self

    def erased(self) -> Self:
        """Without its last character."""
        return self._with(self.values[self.at][:-1]) if self.values else self

    def cleared(self) -> Self:
        """Empty again."""
        return self._with("") if self.values else self

    def moved(self, step: int) -> Self:
        """At the next gap, or the one before."""
        return self.to((self.at + step) % len(self.values)) if self.values else self

    def to(self, gap: int) -> Self:
        """At gap number `gap`."""
        return msgspec.structs.replace(self, at=gap)

    def _with(self, value: str) -> Self:
        values = (*self.values[: self.at], value, *self.values[self.at + 1 :])
        return msgspec.structs.replace(self, values=values)
