"""Warnings about levels that a page reports, by the rules of the terminal: unrecorded speech, clipping, silence."""

from desk.level_bar import MeterReading, MeterState
from session.study.screen_words import Words
from subject.browser.page_messages import LevelReport
from subject.core.microphone_trial import FULL
from subject.core.terminal import Phase, Terminal
from subject.core.unheard_speech import UnheardSpeech, goes_unrecorded

WARNINGS = (MeterReading.CLIPPING, MeterReading.SILENT)
"""Readings of a meter that want something done; a page has a bar for the rest."""


def is_recorded(terminal: Terminal) -> bool:
    """Return whether speech is being recorded into a take."""
    return terminal.phase is Phase.RECORDING


class HeardLevels:
    """The levels of one page so far; moments are of the hub's clock."""

    def __init__(self) -> None:
        self._unheard, self._meter = UnheardSpeech(), MeterState()
        self._told = False, ""

    def hear(self, terminal: Terminal, level: LevelReport, words: Words, now_ns: int) -> bool:
        """Take in a level; return whether the warning changes."""
        before, recorded = self._told, is_recorded(terminal)
        self._unheard.hear(level.peak, now_ns)
        meter = self._meter.switched(terminal.listening, now_ns).expected(recorded, now_ns)
        self._meter = meter.heard(level.peak, level.rms, level.peak >= FULL, now_ns)
        reading = self._meter.hearing(now_ns)
        warning = words.of(reading) if recorded and reading in WARNINGS else ""
        self._told = self._unheard.told_at(terminal, now_ns), warning
        return self._told != before

    def unheard(self, terminal: Terminal) -> bool:
        """Return whether to warn that nobody records what is being said."""
        return self._told[0] and goes_unrecorded(terminal)

    def warning(self, terminal: Terminal) -> str:
        """Return the warning about the sound of this take; empty if nothing is wrong with it."""
        return self._told[1] if is_recorded(terminal) else ""
