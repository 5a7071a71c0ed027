"""A recorded session by its moments: which fact came when, what the hub's clock showed, where one can go to."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import msgspec

from session import events as e
from session.values.clock import SECOND, Stamp, elapsed

RATE = 16_000


class SoundPlace(msgspec.Struct, frozen=True):
    """Place of a sound on the time line, in nanoseconds from its beginning: of a take, by its name, or of a reply that was
    `said`, by its hash; of a reply only the first `samples` were heard."""

    name: str
    begin: int
    rate: int
    said: bool = False
    samples: int | None = None


class Presence(msgspec.Struct, frozen=True):
    """A desk came or went."""

    time: int
    role: str
    up: bool
    why: str = ""


class SessionTimeline:
    """Facts of one session, and of `links`, its connections; moments are nanoseconds since the first of the session's own."""

    def __init__(self, recorded: Sequence[e.Recorded], links: Sequence[e.Recorded] = ()) -> None:
        self.recorded = recorded
        self.times: list[int] = []
        for place, record in enumerate(recorded):
            past = max(0, elapsed(recorded[place - 1].at, record.at)) + self.times[-1] if place else 0
            self.times.append(past)
        goals = e.ScenarioStarted | e.TalkPressed | e.UtteranceTyped | e.AnswerSent | e.CannedSent
        placed = list(zip(recorded, self.times, strict=True))
        self.marks = sorted({time for record, time in placed if isinstance(record.event, goals)})
        """Moments at which an utterance begins or a reply goes out."""
        self.sounds = sorted([*self._takes(placed), *self._replies(placed)], key=lambda one: one.begin)
        self.presences = [found for link in links if (found := self._presence(link)) is not None]

    def _presence(self, link: e.Recorded) -> Presence | None:
        if not isinstance(link.event, e.DeskAttached | e.DeskDetached):
            return None
        walls = [record.at.wall for record in self.recorded]
        place = max(0, bisect_right(walls, link.at.wall) - 1)
        time = max(0, self.times[place] + elapsed(self.recorded[place].at, link.at))
        up = isinstance(link.event, e.DeskAttached)
        return Presence(time, link.event.role, up, "" if isinstance(link.event, e.DeskAttached) else link.event.why)

    @staticmethod
    def _takes(placed: Sequence[tuple[e.Recorded, int]]) -> Iterator[SoundPlace]:
        pressed = dict[str, int]()
        for record, time in placed:
            if isinstance(record.event, e.TalkPressed):
                pressed[record.event.take] = time
            elif isinstance(record.event, e.RecordingStarted):
                rate = record.event.channels[0].rate if record.event.channels else RATE
                at = pressed.get(record.event.take, time) - record.event.pre_roll * SECOND // rate
                yield SoundPlace(record.event.take, at, rate)

    @staticmethod
    def _replies(placed: Sequence[tuple[e.Recorded, int]]) -> Iterator[SoundPlace]:
        """Yield the sounds that the loudspeaker played, up to their end or an interruption."""
        facts = [(record.event, time) for record, time in placed]
        voiced = {fact.reply: fact for fact, _ in facts if isinstance(fact, e.ReplyVoiced)}
        heard = {fact.reply: fact.samples for fact, _ in facts if isinstance(fact, e.PlaybackStopped)}
        for fact, time in facts:
            if isinstance(fact, e.PlaybackStarted) and (made := voiced.get(fact.reply)) is not None:
                yield SoundPlace(made.sha256, time, made.rate, said=True, samples=heard.get(fact.reply))

    @property
    def end(self) -> int:
        return self.times[-1]

    def until(self, moment: int) -> int:
        """Return how many facts there were by then."""
        return bisect_right(self.times, moment)

    def stamp(self, moment: int) -> Stamp:
        """Return the hub's clocks at that time."""
        place = max(0, self.until(moment) - 1)
        at, past = self.recorded[place].at, moment - self.times[place]
        return Stamp(at.clock, at.mono + past, at.wall + past)

    def sound_at(self, moment: int) -> SoundPlace | None:
        """Return the utterance or reply that began last by then."""
        return next((one for one in reversed(self.sounds) if one.begin <= moment), None)

    def next_mark(self, moment: int) -> int:
        return next((mark for mark in self.marks if mark > moment), self.end)

    def mark_before(self, moment: int) -> int:
        return next((mark for mark in reversed(self.marks) if mark < moment), 0)
