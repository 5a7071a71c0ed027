"""CannedChoice a canned message and filling its blanks, as a value that keys change: no screen, no clock, no link.

A digit takes the message of that digit, letters search, Enter sends what is selected once nothing in it is empty.
"""

from collections.abc import Callable, Sequence
from typing import Self

import msgspec

from session.study.settings import CannedMessage
from wizard.core.fillable_text import Blanks
from wizard.core.fitting import Fit


class CannedChoice(msgspec.Struct, frozen=True):
    """`at` is the place of the selected message among those found; `gaps` is set while its blanks are being filled; `refused`
    says why nothing was done, maybe of a `digit`."""

    messages: tuple[CannedMessage, ...]
    search: str = ""
    at: int = 0
    gaps: Blanks | None = None
    refused: str = ""
    digit: int = 0
    fits: tuple[Fit, ...] = ()
    """What fits the failure at hand, the best first; it moves no message from its place."""
    named: Callable[[object], str] = str
    """How the class of a message is named on the screen: a search finds what it shows."""

    @property
    def found(self) -> Sequence[CannedMessage]:
        """The messages that hold every word of the search in their text, reason or class."""
        words = self.search.casefold().split()
        found = [message for message in self.messages if all(word in self._searched(message) for word in words)]
        return sorted(found, key=self._rank) if words else found

    def _searched(self, message: CannedMessage) -> str:
        classed = f"{message.response} {self.named(message.response)}"
        return f"{message.text} {message.reason.replace('_', ' ')} {classed}".casefold()

    def _rank(self, message: CannedMessage) -> int:
        return next((rank for rank, fit in enumerate(self.fits) if fit.message == message.id), len(self.fits))

    def why(self, message: CannedMessage) -> str:
        """Return why a message fits what is the matter; empty if it does not."""
        return next((fit.why for fit in self.fits if fit.message == message.id), "")

    def at_best(self) -> Self:
        """With the arrow at the message that fits best."""
        return self._but(at=self._places()[0]) if self._places() else self

    def next_fit(self, step: int) -> Self:
        """With the arrow at the next message that fits, or the one before; without any, at the next message."""
        places = self._places()
        if self.gaps is not None or not places:
            return self.moved(step)
        now = places.index(self.at) if self.at in places else -1 if step > 0 else 0
        return self._but(at=places[(now + step) % len(places)], refused="")

    def _places(self) -> list[int]:
        """Places of the messages that fit, the best first, among those found."""
        found = [message.id for message in self.found]
        return [found.index(fit.message) for fit in self.fits if fit.message in found]

    @property
    def chosen(self) -> CannedMessage | None:
        """The selected message."""
        found = self.found
        return found[min(self.at, len(found) - 1)] if found else None

    def with_blanks(self, message: str, blanks: tuple[str, ...]) -> Self:
        """At a message with its blanks filled, to be changed or sent."""
        at = next((n for n, known in enumerate(self.messages) if known.id == message), 0)
        filling = self._but(at=at, search="", refused="")._filling()
        for gap, blank in enumerate(blanks[: filling.chosen.blanks] if filling.chosen and filling.gaps else ()):
            gaps = filling.gaps.to(gap) if filling.gaps else None
            filling = filling._but(gaps=gaps.cleared() if gaps else None).typed(blank)
        return filling

    def typed(self, text: str) -> Self:
        """A character or a paste: into the blank, as a digit, or to the search."""
        if self.gaps is not None:
            return self._but(gaps=self.gaps.typed(text), refused="")
        if not self.search and text.isdigit():
            return self._digit(int(text))
        return self._but(search=f"{self.search}{text}".replace("\n", " "), at=0, refused="")

    def _digit(self, digit: int) -> Self:
        places = [place for place, message in enumerate(self.messages) if message.digit == digit]
        if not places:
            return self._but(refused="No message has the digit {digit}.", digit=digit)
        return self._but(at=places[0], refused="")._filling()

    def picked(self, step: int, found: Sequence[str]) -> Self:
        """With the next of some values in the blank at hand."""
        return self._but(gaps=self.gaps.picked(step, found), refused="") if self.gaps is not None else self

    def erased(self) -> Self:
        """Backspace."""
        if self.gaps is not None:
            return self._but(gaps=self.gaps.erased())
        return self._but(search=self.search[:-1], at=0, refused="")

    def cleared(self) -> Self:
        """The blank or the search is empty again."""
        return self._but(gaps=self.gaps.cleared()) if self.gaps else self._but(search="", at=0)

    def moved(self, step: int) -> Self:
        """The next message, or the next blank while blanks are being filled."""
        if self.gaps is not None:
            return self._but(gaps=self.gaps.moved(step), refused="")
        return self._but(at=min(max(0, self.at + step), max(0, len(self.found) - 1)), refused="")

    def back(self) -> Self | None:
        """Out of the blanks, out of the search; None when there is nothing to leave but the list."""
        if self.gaps is not None:
            return self._but(gaps=None, refused="")
        return self._but(search="", at=0, refused="") if self.search else None

    def entered(self) -> Self:
        """Enter: into the blanks of the message, to the next empty one, or `ready`."""
        if self.chosen is None:
            return self._but(refused="No matching message.")
        if self.gaps is None:
            return self._filling()
        if (empty := self.gaps.empty) is not None:
            return self._but(gaps=self.gaps.to(empty), refused="Fill this blank, then Enter sends.")
        return self

    @property
    def ready(self) -> tuple[str, tuple[str, ...]] | None:
        """The message's name and what fills its blanks, when it can go out as it stands."""
        if self.chosen is None or (self.chosen.blanks and (self.gaps is None or self.gaps.empty is not None)):
            return None
        return self.chosen.id, tuple(value.strip() for value in self.gaps.values) if self.gaps else ()

    def _filling(self) -> Self:
        chosen = self.chosen
        if chosen is None or not chosen.blanks:
            return self
        blank = next((fit.blank for fit in self.fits if fit.message == chosen.id), "")
        return self._but(gaps=Blanks.of_message(chosen).proposed(blank), refused="")

    def _but(self, **changes: object) -> Self:
        return msgspec.structs.replace(self, **changes)
