"""Earlier requests of a dialogue, as far as what follows can go on from them."""

from __future__ import annotations

import msgspec

from domain.english.dialogue.context_limits import asks_whether, only_asks
from domain.english.dialogue.openings import Opening
from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed


class Earlier(msgspec.Struct, frozen=True):
    """The meanings of the requests so far, oldest first, and of the last one; `lost` after one that was not
    understood: what goes on from that has nothing to go on from. `aside` is one that was not understood either, but only asked
    something of those before and left them as they were."""

    meanings: tuple[Meaning, ...] = ()
    latest: Meaning | None = None
    lost: bool = False
    aside: str = ""
    whether: bool = False
    """Whether the last one only asked whether some of those before it are so: what is changed then is what was asked before."""

    doubt: str = ""
    """The words that were not understood of a request that said all that is asked first, and from which the next ones go on."""

    def in_part(self, parsed: Parsed) -> Earlier:
        """These, and a request of which some words were not understood."""
        return Earlier((*self.meanings, parsed.meaning), parsed.meaning, doubt=", ".join(parsed.unused))

    def followed_by(self, meaning: Meaning | None, whether: bool = False) -> Earlier:
        """These, and one request more."""
        same = bool(meaning and self.latest and {*meaning.conditions} & {*self.latest.conditions})
        found = (*self.meanings, meaning) if meaning else self.meanings
        return Earlier(found, meaning, meaning is None, "", whether, self.doubt if same else "")

    def meanings_for(self, opening: Opening) -> tuple[Meaning, ...]:
        """Those from which a request can go on: "make it 500" changes nothing in a question whether some of them cost more."""
        return self.meanings[:-1] if self.whether and opening.mends and len(self.meanings) > 1 else self.meanings

    def after(self, text: str, meaning: Meaning | None) -> Earlier:
        """These, and what was said next: a meaning, or words that were not understood."""
        if meaning is None and self.latest and not self.lost and only_asks(text):
            return msgspec.structs.replace(self, aside=text)
        return self.followed_by(meaning, bool(self.latest and not self.lost and asks_whether(text)))
