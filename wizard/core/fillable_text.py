"""A text with gaps that are filled in place: the blanks of a canned message, the placeholders of a scenario.

Pure, so that both are filled by the same keys and an empty gap is refused in the same way. What the wizard reads while filling
is the text as it will stand, word for word.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Self

import msgspec

from session.study.settings import BLANK, PLACEHOLDER, CannedMessage, Scenario
from session.values.sanitize import one_line

LONGEST = 200
_DATED = re.compile(
    r"\b(?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th)?|(?:[a-z]+[\s-])?(?:first|second|third|[a-z]+th))\s+of(?:\s+[a-z]*)?$",
    re.IGNORECASE,
)
"""A date that is said with its month last, whose "of" joins nothing."""
_JOINED = re.compile(r"\b(?:a|an|and|at|between|by|for|from|in|of|on|or|the|to|with)\s+", re.IGNORECASE)


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
    fresh: bool = False
    """True while the gap at hand holds a proposal, which the first letter that is typed replaces."""
    stem: str | None = None
    """Beginning that was typed into the gap at hand before values were picked in its place."""
    pick: int = -1

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
        """More text in the gap at hand, on one line, up to 200 characters; in place of a proposal."""
        before = "" if self.fresh or not self.values else self.values[self.at]
        return self._with((before + one_line(f"|{text}|")[1:-1])[:LONGEST]) if self.values else self

    def proposed(self, text: str) -> Self:
        """With a proposal in the gap at hand, if that is empty."""
        if not self.values or self.values[self.at] or not text:
            return self
        return msgspec.structs.replace(self._with(text[:LONGEST]), fresh=True)

    @property
    def beginning(self) -> str:
        """Beginning of the value to pick: what is behind the last joining word of the gap at hand."""
        if not self.values or (self.fresh and self.stem is None):
            return ""
        return _behind_joining(self.values[self.at] if self.stem is None else self.stem)

    def picked(self, step: int, found: Sequence[str]) -> Self:
        """With the next or the previous of the values that were found for `beginning` in its place."""
        if not found or not self.values:
            return self
        stem = ("" if self.fresh else self.values[self.at]) if self.stem is None else self.stem
        pick = (self.pick + step) % len(found) if self.stem is not None else 0 if step > 0 else len(found) - 1
        text = stem[: len(stem) - len(_behind_joining(stem))] + found[pick]
        return msgspec.structs.replace(self._with(text[:LONGEST]), stem=stem, pick=pick)

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
        return msgspec.structs.replace(self, at=gap, fresh=False, stem=None, pick=-1)

    def _with(self, value: str) -> Self:
        values = (*self.values[: self.at], value, *self.values[self.at + 1 :])
        return msgspec.structs.replace(self, values=values, fresh=False, stem=None, pick=-1)


def _behind_joining(text: str) -> str:
    """The end of a text that may be the beginning of a name.

    >>> _behind_joining("flights from san fr"), _behind_joining("bos"), _behind_joining("fares to ")
    ('san fr', 'bos', '')
    >>> _behind_joining("flights on the second of ma"), _behind_joining("in the 2nd of may"), _behind_joining("end of ma")
    ('the second of ma', 'the 2nd of may', 'ma')
    """
    if dated := _DATED.search(text):
        return dated[0]
    return _JOINED.split(text)[-1]
