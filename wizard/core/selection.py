"""Selection before the wizard: the utterance and the attempt that the keys act on, the preview, and what else the screen asks.

The keys act on one utterance at a time, the oldest without a reply unless the wizard picks another. Nothing here changes the
session: it is read off the events and off what was picked.
"""

from collections.abc import Callable

import msgspec

from session.rules.decide import answer_text
from session.rules.replies import answer_speech
from session.state.fold import Attempt, SessionState, Take
from session.study.screen_words import ENGLISH_TAG, primary
from session.study.settings import CannedMessage, Profile, Scenario
from session.values.clock import SECOND, Clock
from session.values.consent import ConsentScope
from session.values.hypotheses import Hypothesis
from session.values.vocabulary import RecordingControl, Role
from wizard.core.recognised_words import proposed


class Remaining(msgspec.Struct, frozen=True):
    """Time for a reply: seconds left (negative when over), and whether the limit has been reached."""

    seconds: float
    reached: bool


class Selection:
    """Selection of the session that a wizard's screen shows now."""

    def __init__(self, clock: Clock, offset: Callable[[], int]) -> None:
        self.state = SessionState()
        self.peers: set[str] = set()
        self.drafts: dict[str, str] = {}
        """What another desk is typing of an utterance, by take."""
        self.subject_lost_ns: int | None = None
        self._clock = clock
        self._offset = offset
        self._picked = self._attempt = ""
        self._alone: set[str] = set()
        self._chosen: dict[str, int] = {}
        self._laid_out: tuple[str, bool, tuple[int, int] | None] | None = None
        self._text: str | None = None

    @property
    def profile(self) -> Profile:
        return self.state.opened.protocol.profile if self.state.opened else Profile(name="")

    @property
    def typed_input(self) -> bool:
        """Return whether the participant types: nothing about sound belongs on the screen then."""
        return self.profile.recording is RecordingControl.TYPED

    @property
    def canned_messages(self) -> list[CannedMessage]:
        """The fixed replies, those with a digit first."""
        messages = self.state.opened.protocol.canned_messages.values() if self.state.opened else ()
        return sorted(messages, key=lambda message: (message.digit is None, message.digit or 0, message.id))

    @property
    def scenarios(self) -> list[Scenario]:
        """The scenarios of the study in its order of work, which stays the same all through a session."""
        return list(self.state.opened.protocol.scenarios.values()) if self.state.opened else []

    @property
    def take(self) -> Take | None:
        """The utterance that the keys act on."""
        if (picked := self.state.takes.get(self._picked)) and not picked.discarded:
            return picked
        if self.waiting:
            return self.waiting[0]
        live = [take for take in self.state.takes.values() if not take.discarded and self._is_of_now(take)]
        return live[-1] if live else None

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """A recogniser's words for the utterance at hand, to be corrected; the likeliest first."""
        return proposed(self.state, self.take)

    @property
    def draft(self) -> Hypothesis | None:
        """The hypothesis that is in the transcription's place: the likeliest unless another was chosen."""
        found, take = self.hypotheses, self.take
        return found[min(self._chosen.get(take.take, 0), len(found) - 1)] if found and take is not None else None

    @property
    def waiting(self) -> list[Take]:
        """Utterances without a reply, the oldest first; none once their scenario is over."""
        return self.state.waiting()

    def _is_of_now(self, take: Take) -> bool:
        return self.state.run is None or take.run == len(self.state.runs) - 1

    @property
    def attempt(self) -> Attempt | None:
        """The attempt that is shown: the newest of the utterance unless another was picked."""
        take = self.take
        if take is None or not take.attempts:
            return None
        name = self._attempt if self._attempt in take.attempts else take.attempts[-1]
        return self.state.attempts.get(name)

    @property
    def preview(self) -> str | None:
        """To the letter what the subject would see of the attempt's rows."""
        attempt = self.attempt
        if attempt is None:
            return None
        laid_out = (attempt.attempt, attempt.table is None, self.state.screen)
        if laid_out != self._laid_out:  # laying out thousands of rows takes longer than a key may
            self._laid_out, self._text = laid_out, answer_text(self.state, attempt.attempt)
        return self._text

    @property
    def speech(self) -> str:
        """Return what would be said of the attempt's rows; empty if nothing is spoken."""
        return answer_speech(self.state, self.attempt.attempt) if self.attempt and self.profile.speaks else ""

    @property
    def subject_connected(self) -> bool:
        return Role.SUBJECT in self.peers

    @property
    def subject_lost_for(self) -> int | None:
        """Nanoseconds since the subject's terminal was lost; None while it is here, or if it never was."""
        return None if self.subject_lost_ns is None else self._clock.monotonic_ns() - self.subject_lost_ns

    @property
    def may_write_down(self) -> bool:
        """Return whether the subject agreed to what is said being written down."""
        return self.state.allows(ConsentScope.TRANSCRIBE)

    def remaining(self) -> Remaining | None:
        """Time left for the reply to the current utterance; None when none is awaited."""
        take, limit = self.take, self.profile.reply_limit_s
        if take is None or take.waiting_since is None or not limit or take not in self.waiting:
            return None
        paused = self.state.paused_total - take.paused_before
        waited = (self.hub_ns() - take.waiting_since.mono - paused) / SECOND
        return Remaining(limit - waited, take.limit_reached)

    def hub_ns(self) -> int:
        """The hub's monotonic clock now, as the link has measured it against this desk's."""
        return self._clock.monotonic_ns() + self._offset()

    @property
    def in_context(self) -> bool:
        """Return whether the utterance at hand may refer to earlier ones."""
        return self.take is None or self.take.take not in self._alone

    @property
    def question(self) -> str:
        """Return what a system would ask back now; empty when there is nothing to ask, or the reply has gone out."""
        attempt, take = self.attempt, self.take
        return attempt.question if attempt and take and not self.state.answered(take) else ""

    @property
    def asked_in_english(self) -> str:
        """Return the question where it may go out as it stands: it is English, and the participant may read another language."""
        return self.question if self.reads_english else ""

    @property
    def reads_english(self) -> bool:
        """Return whether the participant reads English, in which requests and what was understood of them are told."""
        return self.state.opened is None or primary(self.state.opened.protocol.language) == ENGLISH_TAG

    @property
    def asking_back(self) -> CannedMessage | None:
        """The canned message that asks for more, with one blank for what is missing."""
        fitting = (
            canned_message
            for canned_message in self.canned_messages
            if canned_message.reason == "underspecified" and canned_message.blanks == 1
        )
        return next(fitting, None)
