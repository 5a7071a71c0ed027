"""Place of the wizard in a turn: what has changed since the screen was last brought up to date, and where the focus belongs.

The console's state says what is; this says what is *new*, so that a screen loads a text once, offers the canned messages once,
and never takes the cursor away from somebody who types.
"""

from dataclasses import dataclass

from session.state.fold import Attempt
from session.study.settings import CannedMessage
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import ResponseClass
from wizard.core.console import Console
from wizard.core.recognised_words import unsure_places


@dataclass(frozen=True)
class TurnChange:
    """Change of the turn: another utterance (`take`; `again` when there was one before), its `text` (and the one `before`
    it), a text to ask, an attempt, an offer; `waits` for another utterance that nobody has transcribed."""

    take: bool = False
    anew: bool = False
    text: str | None = None
    before: str = ""
    query: str | None = None
    attempt: Attempt | None = None
    waits: bool = False
    offer: bool = False


class TurnTracker:
    """Follows a console from change to change."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._take = ""
        self._text = self._spoken = ""
        self._draft: Hypothesis | None = None
        self._attempt = ("", True)
        self._offered: set[str] = set()
        self._sent = ""

    @property
    def attempt_name(self) -> str:
        """The attempt that is shown, with the screen for which it is laid out."""
        attempt = self._console.attempt
        return f"{attempt.attempt}/{self._console.state.screen}" if attempt else ""

    @property
    def text(self) -> str:
        """The words of the utterance at hand as far as they are known."""
        take = self._console.take
        return take.text if take else ""

    @property
    def transcribed(self) -> bool:
        """Return whether the utterance at hand has its words already."""
        return bool(self.text)

    @property
    def filler(self) -> CannedMessage | None:
        """The first filler of the study."""
        found = (
            canned_message
            for canned_message in self._console.canned_messages
            if canned_message.response is ResponseClass.FILLER
        )
        return next(found, None)

    @property
    def doubtful(self) -> tuple[str, list[tuple[int, int]]]:
        """The recogniser's draft and the places of its unsure words; of no text where there is none."""
        draft = self._console.draft
        return ("", []) if draft is None else (draft.text, unsure_places(draft))

    def unsaid(self, text: str) -> bool:
        """Return whether `text` is more than what the utterance is known to say."""
        return text.strip() not in ("", self._text)

    def change(self) -> TurnChange:
        """Return what is new since the last time that this was asked."""
        take = self._console.take
        name, spoken = (take.take, take.text) if take else ("", "")
        draft = self._console.draft
        text = spoken or (draft.text if draft is not None else "")
        another, before = name != self._take, self._text
        words = text if another or text != self._text else None
        other_draft = draft is not None and self._draft is not None and draft != self._draft
        anew = bool(self._take) and (another or other_draft)
        self._draft = draft
        asked = spoken if another or spoken != self._spoken else None
        self._take, self._text, self._spoken = name, text, spoken
        offer = take is not None and take.limit_reached and not self.answered and self.offer_once()
        return TurnChange(
            take=another,
            anew=anew,
            text=words,
            before=before,
            query=asked,
            attempt=self._new_attempt(),
            waits=another and take is not None and not spoken,
            offer=offer,
        )

    def _new_attempt(self) -> Attempt | None:
        attempt = self._console.attempt
        now = (attempt.attempt, attempt.running) if attempt else ("", True)
        new, self._attempt = now != self._attempt, now
        return attempt if new else None

    @property
    def answered(self) -> bool:
        """Return whether the utterance at hand has its reply."""
        take = self._console.take
        return take is not None and self._console.state.answered(take)

    def offer_once(self) -> bool:
        """Return whether the canned messages are to be offered for this utterance, which happens once."""
        take = self._console.take
        if take is None or take.take in self._offered:
            return False
        self._offered.add(take.take)
        return True

    def may_send(self) -> bool:
        """False for the second of two quick strokes: the first one's answer is on its way."""
        name = self.attempt_name
        planned = self._console.state.planned is not None
        if name and name == self._sent and not planned and not self.answered and not self._console.message:
            return False
        self._sent = name
        return True

    def step_utterance(self, step: int) -> None:
        """Act on the utterance before or after."""
        live = [live_take.take for live_take in self._console.state.takes.values() if not live_take.discarded]
        if live:
            take = self._console.take
            at = live.index(take.take) if take and take.take in live else len(live) - 1
            self._console.pick(live[min(max(0, at + step), len(live) - 1)])

    def step_attempt(self, step: int) -> None:
        """Look at the attempt before or after."""
        take, attempt = self._console.take, self._console.attempt
        if take is not None and attempt is not None:
            at = take.attempts.index(attempt.attempt) + step
            self._console.pick_attempt(take.attempts[min(max(0, at), len(take.attempts) - 1)])
