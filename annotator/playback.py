"""Playback for close listening, without a screen: the current stretch, the speed, the position, and the visible part."""

from annotator.zoom import VisibleSpan, at_first
from desk.recording_player import Player
from session.annotation.transcript import Stretch
from session.audio.devices import DeviceError

SPEEDS = (1.0, 0.85, 0.7, 0.55)
STEP_S = 1.0
LEAP_S = 10.0
NUDGE_S = 0.02
SHORTEST_S = 0.03


class Playback:
    """Over a `Player` and the recording that is in hand. Every method gives what is to be said, empty when all is well."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._length = 0
        self._rate = 16_000
        self.begin: int | None = None
        self.end: int | None = None
        self.speed = SPEEDS[0]
        self.loop = False
        self._sight, self._seen_at = VisibleSpan(), 0

    def take(self, length: int, rate: int) -> None:
        """Another recording is in hand, which the player has been given."""
        self._length, self._rate = length, rate
        self.begin = self.end = None
        self.loop = False
        self._sight, self._seen_at = at_first(length, rate), 0

    @property
    def stretch(self) -> Stretch | None:
        """The stretch in hand; an edge that is not set is that of the recording."""
        if self.begin is None and self.end is None:
            return None
        first, last = self.begin or 0, self._length if self.end is None else self.end
        return Stretch(first, last) if first < last else None

    @property
    def position(self) -> int:
        """The sample that is being heard."""
        return self._player.position

    @property
    def playing(self) -> bool:
        """Return whether something is being heard."""
        return self._player.playing

    @property
    def heard_anew(self) -> bool:
        """Return whether something is being heard that was not just heard: a loop goes on when nobody listens any more."""
        return self.playing and not self.loop

    @property
    def sight(self) -> VisibleSpan:
        """The part of the recording that is in sight; it goes along with the ear as long as that moves."""
        if (place := self.position) != self._seen_at:
            self._seen_at, self._sight = place, self._sight.following(place)
        return self._sight

    def nearer(self, steps: int) -> str:
        """See half as much for each step, about the stretch in hand or else about the place where the ear is."""
        stretch = self.stretch
        self._sight = self._sight.nearer(steps, (stretch.first + stretch.last) // 2 if stretch else self.position)
        return ""

    def play(self, start: int | None = None) -> str:
        """Play the stretch in hand, or all of it; while something is played, stop."""
        if self._player.playing and start is None:
            self._player.stop()
            return ""
        stretch = self.stretch or Stretch(0, self._length)
        if start is not None:
            stretch = Stretch(start, self._length)
        if why := self._without_loudspeaker():
            return why
        loop = self.loop and start is None
        heard = self._player.play(stretch.first, stretch.last, speed=self.speed, loop=loop)
        return "" if heard else "There is nothing to hear"

    def _without_loudspeaker(self) -> str:
        """Return why nothing can be heard; a loudspeaker that has been plugged in meanwhile is taken."""
        if not self._player.open_now:
            try:
                self._player.open()
            except DeviceError as error:
                return f"Nothing can be heard here: {error}"
        return ""

    def stop(self) -> bool:
        """Be silent; when nothing is played, let go of the stretch; False when there was neither."""
        if self._player.playing:
            self._player.stop()
            return True
        had = self.begin is not None or self.end is not None
        self.begin = self.end = None
        self.loop = False
        return had

    def again(self, seconds: float) -> str:
        """Play on from some seconds before (negative) or behind the place that was heard last."""
        place = max(0, min(self._player.position + round(seconds * self._rate), self._length - 1))
        if why := self._without_loudspeaker():
            self._player.seek(place)
            return f"The place has moved. {why}"
        return self.play(place)

    def slower(self) -> str:
        """The next slower speed, after the slowest the usual one again; what is being played goes on at it."""
        self.speed = SPEEDS[(SPEEDS.index(self.speed) + 1) % len(SPEEDS)]
        self._player.change(speed=self.speed, loop=self.loop)
        return ""

    def looped(self) -> str:
        """Play the stretch over and over, or no longer."""
        self.loop = not self.loop
        self._player.stop()
        return self.play() if self.loop else ""

    def set_begin(self) -> str:
        """The stretch begins where the ear is."""
        self.begin = min(self._player.position, max(0, self._length - self._shortest))
        if self.end is not None and self.end < self.begin + self._shortest:
            self.end = None
        return ""

    def set_end(self) -> str:
        """The stretch ends where the ear is."""
        self.end = max(self._player.position, min(self._shortest, self._length))
        if self.begin is not None and self.begin > self.end - self._shortest:
            self.begin = None
        return ""

    def nudge(self, edge: str, steps: int) -> str:
        """Move the `begin` or the `end` of the stretch by some steps of 20 ms, not past the other edge."""
        stretch = self.stretch
        if stretch is None:
            return "Set a stretch first: F7 its begin, F8 its end, while you listen"
        move = round(steps * NUDGE_S * self._rate)
        if edge == "begin":
            self.begin = max(0, min(stretch.first + move, stretch.last - self._shortest))
        else:
            self.end = min(self._length, max(stretch.last + move, stretch.first + self._shortest))
        return ""

    def caption(self) -> str:
        """Speed, loop and stretch in words."""
        words = ["no sound here" if not self._player.open_now else "playing" if self.playing else "silent"]
        words += [f"at {self.speed:g}"] if self.speed != 1 else []
        words += ["over and over"] if self.loop else []
        words += [f"{self.position / self._rate:.2f} of {self._length / self._rate:.2f} s"] if self._length else []
        if (stretch := self.stretch) is not None:
            words.append(f"stretch {stretch.first / self._rate:.2f}–{stretch.last / self._rate:.2f} s")
        return ", ".join(words)

    @property
    def _shortest(self) -> int:
        return round(SHORTEST_S * self._rate)
