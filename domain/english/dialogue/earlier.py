"""The state of a dialogue: the earlier requests that the next one can refer to."""

from __future__ import annotations

import msgspec

from domain.english.dialogue.context_limits import asks_about_result, asks_beside, asks_whether
from domain.english.dialogue.openings import Opening
from domain.english.model.meaning import Meaning
from domain.english.parse.parser import Parsed


class Earlier(msgspec.Struct, frozen=True):
    """The meanings of the requests so far, oldest first, and of the last one. `lost` is set after a request that was not
    understood, which leaves a follow-up without an antecedent. `aside` is a request that was not understood either, but only
    asked about the previous result and left it unchanged."""

    meanings: tuple[Meaning, ...] = ()
    latest: Meaning | None = None
    lost: bool = False
    aside: str = ""
    whether: bool = False
    """Whether the last request only asked whether some of the previous result have a property; a change then applies to the
    request before it."""

    listed: int = 0
    """How many of the requests come up to the one about whose result the last only asked: "what do they serve on those". A change
    ("make it sunday") applies to that one; 0 where the last request asked nothing of another."""

    doubt: str = ""
    """Unknown words of a request that was otherwise complete, and which later requests can follow up."""

    def in_part(self, parsed: Parsed) -> Earlier:
        """Return this state with a request of which some words were not understood."""
        return Earlier((*self.meanings, parsed.meaning), parsed.meaning, doubt=", ".join(parsed.unused))

    def followed_by(self, meaning: Meaning | None, whether: bool = False, listed: int = 0) -> Earlier:
        """Return this state with one more request."""
        same = bool(meaning and self.latest and {*meaning.conditions} & {*self.latest.conditions})
        found = (*self.meanings, meaning) if meaning else self.meanings
        return Earlier(found, meaning, meaning is None, "", whether, listed, self.doubt if same else "")

    def meanings_for(self, opening: Opening) -> tuple[Meaning, ...]:
        """Return the possible antecedents: "make it 500" does not change a question whether some of them cost more."""
        if self.listed and opening.mends and not opening.corrects:
            asked = self.meanings[: self.listed]
            lists = [n for n, meaning in enumerate(asked) if not (meaning.extremes or meaning.rows)]
            return asked[: lists[-1] + 1] if lists else asked
        return self.meanings[:-1] if self.whether and opening.mends and len(self.meanings) > 1 else self.meanings

    def after(self, text: str, meaning: Meaning | None) -> Earlier:
        """Return this state after the next request, whose meaning is None when it was not understood."""
        if meaning is None and self.latest and not self.lost and asks_about_result(text):
            return msgspec.structs.replace(self, aside=text)
        if meaning is None or self.latest is None or self.lost:
            return self.followed_by(meaning)
        listed = (self.listed or len(self.meanings)) if asks_beside(text, meaning, self.latest) else 0
        return self.followed_by(meaning, asks_whether(text), listed)
