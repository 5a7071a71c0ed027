"""The microphone check without a screen: the peak level so far, the message about it, and when the station may be left."""

from desk.level_bar import QUIETEST_DB, decibels
from subject.capture.level import CLIPPED, Level

FULL = CLIPPED / 32_768


class MicrophoneTrial:
    """Takes in levels; only a second "continue" leaves a microphone that will not do: the experimenter is called then."""

    def __init__(self) -> None:
        self._peak = 0.0
        self._heard: dict[str, int] = {}
        self._warned = False

    def hear(self, level: Level) -> bool:
        """Take in a level; False for one that was taken in before."""
        if self._heard.get(level.letter) == level.end:
            return False
        self._heard[level.letter] = level.end
        self._peak = max(self._peak, level.peak)
        return True

    @property
    def passed(self) -> bool:
        """Tell whether the loudest moment so far is between too quiet and too loud."""
        return decibels(self._peak) >= QUIETEST_DB and self._peak < FULL

    def verdict(self, *, listening: bool) -> str:
        """The key of the sentence on what was heard so far."""
        if self._warned and not self.passed:
            return "check.failed"
        if not listening:
            return "message.no_microphone"
        if self._peak >= FULL:
            return "check.loud"
        return "check.good" if self.passed else "check.quiet"

    def again(self) -> None:
        """Begin again."""
        self._peak, self._warned = 0.0, False

    def leave(self) -> tuple[float, bool] | None:
        """The loudest moment in dB below full scale and whether it will do; None the first time that it will not."""
        if self.passed or self._warned:
            return decibels(self._peak), self.passed
        self._warned = True
        return None
