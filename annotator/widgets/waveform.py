"""The utterance as a picture in text blocks: where it is loud, what is marked, what is selected, what is being heard."""

import math
from itertools import pairwise

import numpy as np
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from desk.player import Samples

BLOCKS = " ▁▂▃▄▅▆▇█"
Pair = tuple[int, int]


def columns(sound: Samples, width: int) -> list[int]:
    """The loudest sample of each of `width` equal parts.

    >>> columns(np.array([1, -5, 3, 2], np.int16), 2)
    [5, 3]
    """
    if not len(sound) or width <= 0:
        return [0] * max(0, width)
    edges = np.linspace(0, len(sound), width + 1).astype(int)
    loud = np.abs(sound.astype(np.int32))
    return [int(loud[a : max(a + 1, b)].max()) for a, b in pairwise(edges)]


def strip(peaks: list[int], height: int) -> list[str]:
    """`height` rows of blocks from the top down, as high as the peaks are on a scale of decibels.

    >>> strip([0, 32767], 2)
    [' █', ' █']
    """
    eighths = [_level(peak, height * 8) for peak in peaks]
    rows = range(height - 1, -1, -1)
    return ["".join(BLOCKS[max(0, min(8, each - 8 * row))] for each in eighths) for row in rows]


def _level(peak: int, full: int) -> int:
    if peak <= 0:
        return 0
    decibels = 20 * math.log10(peak / 32_768)
    return max(1, min(full, round((1 + decibels / 60) * full)))


class Waveform(Widget):
    """Give it a recording with `show`, then `selection`, `marked` stretches and `position` in samples with `place`."""

    DEFAULT_CSS = """
    Waveform { height: 7; border: round $foreground 40%; padding: 0; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._sound: Samples = np.zeros(0, np.int16)
        self._rate = 16_000
        self._selection: Pair | None = None
        self._marked: tuple[Pair, ...] = ()
        self._position = 0
        self._peaks: list[int] = []

    def show(self, sound: Samples, rate: int) -> None:
        """Show another recording."""
        self._sound, self._rate, self._peaks = sound, rate, []
        self.place(None, (), 0)
        self.refresh()

    def place(self, selection: Pair | None, marked: tuple[Pair, ...], position: int) -> None:
        """Show what is selected, what identifies a person, and the sample that is being heard."""
        if (selection, marked, position) != (self._selection, self._marked, self._position):
            self._selection, self._marked, self._position = selection, marked, position
            self.refresh()

    def render(self) -> RenderResult:
        width, height = self.content_size.width, max(1, self.content_size.height - 1)
        if not len(self._sound):
            return Content("There is no sound: the corpus has no waveform of this utterance.")
        if len(self._peaks) != width:
            self._peaks = columns(self._sound, width)
        rows = strip(self._peaks, height)
        chosen = self._cells(self._selection, width) if self._selection else (0, 0)
        lines = [
            Content.assemble(row[: chosen[0]], (row[chosen[0] : chosen[1]], "reverse"), row[chosen[1] :])
            for row in rows
        ]
        return Content("\n").join([*lines, self._ruler(width)])

    def _cells(self, stretch: Pair, width: int) -> Pair:
        first = stretch[0] * width // len(self._sound)
        return first, max(first + 1, -(-stretch[1] * width // len(self._sound)))

    def _ruler(self, width: int) -> Content:
        """Seconds, `#` under what identifies a person, and an arrow under what is being heard."""
        seconds = len(self._sound) / self._rate
        signs = list(f"0 s{f'{seconds:.2f} s':>{max(0, width - 3)}}"[:width].ljust(width))
        for stretch in self._marked:
            first, last = self._cells(stretch, width)
            signs[first:last] = "#" * (min(last, width) - first)
        at = min(width - 1, self._position * width // len(self._sound))
        signs[at] = "▲"
        return Content("".join(signs))
