"""Jitter buffer that evens out the arrival of live sound for the wizard's ear; the recording never passes through here.

Frames come in bursts and with gaps, and the subject's sound card never runs at quite the speed of the wizard's. The buffer
holds 40 ms and grows to 60 when it ran dry, until the link has been calm for a while (for longer, the oftener that was too
soon). What waits beyond that is left out in silence, drift is played away imperceptibly faster or slower, and when the link
comes back after a cut, what is too old to be of use is dropped.
"""

from collections import deque

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int16]

_FASTEST = 0.005
_LATE_S, _CATCHING_UP = 0.04, 0.03
_QUIET, _NOISIEST = 60.0, 400.0
_REMEMBERED = 16
_CALM_S, _LONGEST_CALM_S = 10, 160


class JitterBuffer:
    """Samples at `rate` in, samples at `out_rate` out; all durations in milliseconds.

    `underruns` counts how often it ran dry within a take, `dropped` samples that came too late or were too many, `trimmed`
    samples of silence left out, `bridged` samples of silence put in place of missing ones.
    """

    def __init__(
        self, rate: int, out_rate: int | None = None, *, least_ms: int = 40, most_ms: int = 60, longest_ms: int = 400
    ) -> None:
        self.rate = rate
        self.underruns = self.dropped = self.trimmed = self.bridged = 0
        self._step = rate / (out_rate or rate)
        self._least, self._most, self._longest = (rate * ms // 1000 for ms in (least_ms, most_ms, longest_ms))
        self._target = self._least
        self._window = rate // 100
        self._parts: deque[Samples] = deque()
        self._held = 0
        self._phase = 0.0
        self._average = float(self._target)
        self._floor = _QUIET / 2
        self._since_underrun = 0
        self._calm_s, self._shrunk = _CALM_S, False
        self._playing = False
        self._take, self._next, self._finished = "", 0, True
        self._before: deque[str] = deque(maxlen=_REMEMBERED)

    @property
    def buffered_ms(self) -> float:
        """Return how much sound waits."""
        return self._held * 1000 / self.rate

    @property
    def target_ms(self) -> float:
        """Return how much is meant to wait."""
        return self._target * 1000 / self.rate

    def push(self, take: str, first: int, samples: Samples) -> None:
        """Samples of a take from number `first` on; what is older than what is playing is dropped."""
        if take != self._take:
            if take in self._before:
                self.dropped += len(samples)
                return
            self._before.append(self._take)
            self._take, self._next, self._finished = take, first, False
        late = min(max(0, self._next - first), len(samples))
        self.dropped += late
        if late == len(samples):
            return
        hole = min(max(0, first - self._next), self._target)
        if hole:
            self.bridged += hole
            self._append(np.zeros(hole, np.int16))
        self._append(samples[late:])
        self._next = first + len(samples)
        if self._held > self._longest:
            self.dropped += self._held - self._target
            self._drop(self._held - self._target)

    def finish(self, take: str) -> None:
        """No more of this take will come: what is left is played to its end."""
        if take == self._take:
            self._finished = True

    def clear(self) -> None:
        """Forget what waits, because something else is to be heard."""
        self._drop(self._held)
        self._playing = False

    def pull(self, count: int) -> Samples:
        """The next `count` samples for the loudspeaker, silence where there are none."""
        if not self._playing:
            if self._held < (1 if self._finished else self._target):
                return np.zeros(count, np.int16)
            self._playing, self._average = True, float(self._held)
        self._trim()
        step = self._step * self._correction(count)
        needed = int(self._phase + step * count) + 1
        if self._held < needed and not self._refill(needed):
            return np.zeros(count, np.int16)
        return self._resampled(count, step)

    def _append(self, samples: Samples) -> None:
        self._parts.append(samples)
        self._held += len(samples)

    def _drop(self, count: int) -> None:
        self._held -= count
        while count:
            part = self._parts.popleft()
            if len(part) > count:
                self._parts.appendleft(part[count:])
                return
            count -= len(part)

    def _head(self, count: int) -> Samples:
        parts, found = [], 0
        for part in self._parts:
            parts.append(part)
            found += len(part)
            if found >= count:
                break
        return np.concatenate(parts)[:count] if parts else np.zeros(0, np.int16)

    def _trim(self) -> None:
        """Leave out silence at the head while more waits than is meant to."""
        while self._held >= self._target + self._window:
            loudness = self._loudness(self._head(self._window))
            if loudness > max(_QUIET, 2 * self._floor):
                return
            self._drop(self._window)
            self.trimmed += self._window
            self._average = min(self._average, float(self._held))

    def _loudness(self, samples: Samples) -> float:
        loudness = float(np.sqrt(np.mean(samples.astype(np.float32) ** 2)))
        self._floor = max(1.0, min(loudness, self._floor * 1.02, _NOISIEST))
        return loudness

    def _correction(self, count: int) -> float:
        """Return how much faster than nominal to play: the average wait is led back to the target within seconds.

        What a stall of the link left behind in the middle of speech is made up for at a rate that is just heard (half a
        semitone), since a wizard who hears late answers late.
        """
        self._average += (self._held - self._average) * min(1.0, count * self._step / self.rate)
        excess = (self._average - self._target - self._window / 2) / self.rate
        if self._finished or abs(excess) < 0.008:
            return 1.0
        if excess > _LATE_S:
            return 1.0 + _CATCHING_UP
        return 1.0 + min(_FASTEST, max(-_FASTEST, excess / 4))

    def _refill(self, needed: int) -> bool:
        """Too little is there: at a take's end play the rest, within it stop until the target is reached again."""
        if self._finished and self._held:
            self._append(np.zeros(needed - self._held, np.int16))
            return True
        self._playing = False
        self._since_underrun = 0
        if not self._finished:
            self.underruns += 1
            self._target = min(self._most, self._target + self._window)
            if self._shrunk:
                # It had been made smaller too soon: a link that jitters now and then is not to be heard each time.
                self._calm_s, self._shrunk = min(2 * self._calm_s, _LONGEST_CALM_S), False
        return False

    def _resampled(self, count: int, step: float) -> Samples:
        places = self._phase + step * np.arange(count)
        end = self._phase + step * count
        self._since_underrun += int(end)
        if self._since_underrun > self._calm_s * self.rate and self._target > self._least:
            self._target -= self._window
            self._since_underrun, self._shrunk = 0, True
        if step == 1.0 and self._phase == 0.0:
            heard = self._head(count)
        else:
            head = self._head(int(places[-1]) + 2)
            heard = np.rint(np.interp(places, np.arange(len(head)), head)).astype(np.int16)
        self._drop(min(int(end), self._held))
        self._phase = end - int(end)
        return heard
