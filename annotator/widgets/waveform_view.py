"""The waveform of an utterance in text blocks, with marks, the selection and the playback position."""

import math
from collections.abc import Container

import numpy as np
from textual.app import RenderResult
from textual.content import Content
from textual.widget import Widget

from annotator.zoom import VisibleSpan, at_first
from desk.recording_player import Samples

BLOCKS = " ▁▂▃▄▅▆▇█"
STEPS_S = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600)
LABEL = 12
"""Cells between two seconds that are named, at least."""
Pair = tuple[int, int]


def columns(sound: Samples, width: int) -> list[int]:
    """The loudest sample of each of `width` equal parts.

    >>> columns(np.array([1, -5, 3, 2], np.int16), 2)
    [5, 3]
    """
    if not len(sound) or width <= 0:
        return [0] * max(0, width)
    begins = np.linspace(0, len(sound), width, endpoint=False).astype(int)
    high, low = (extreme.reduceat(sound, begins).astype(int) for extreme in (np.maximum, np.minimum))
    loudest: list[int] = np.maximum(high, -low).tolist()
    return loudest


def strip(peaks: list[int], height: int) -> list[str]:
    """`height` rows of blocks from the top down, as high as the peaks are on a scale of decibels.

    >>> strip([0, 32767], 2)
    [' █', ' █']
    """
    eighths = [_level(peak, height * 8) for peak in peaks]
    rows = range(height - 1, -1, -1)
    return ["".join(BLOCKS[max(0, min(8, eighth - 8 * row))] for eighth in eighths) for row in rows]


def ruler(first: float, last: float, width: int, taken: Container[int] = ()) -> str:
    """Seconds under `width` cells that show the time from `first` to `last`: a bar in the cell of a round time, which is
    named; none if a cell of it is `taken`.

    >>> ruler(0, 4.58, 40)
    '╵0 s             ╵2 s             ╵4 s  '
    """
    seconds_a_cell = (last - first) / max(1, width)
    step = next((step for step in STEPS_S if step >= LABEL * seconds_a_cell), STEPS_S[-1])
    cells = [" "] * width
    for number in range(math.ceil(first / step), math.ceil(last / step)):
        at, label = int((number * step - first) / seconds_a_cell + 1e-9), f"╵{round(number * step, 2):g} s"
        room = range(at, at + len(label))
        if 0 <= at <= width - len(label) and not any(cell in taken for cell in room):
            cells[at : at + len(label)] = label
    return "".join(cells)


def _level(peak: int, full: int) -> int:
    if peak <= 0:
        return 0
    decibels = 20 * math.log10(peak / 32_768)
    return max(1, min(full, round((1 + decibels / 60) * full)))


class Waveform(Widget):
    """Give it a recording with `show`, then the part in sight, `selection`, `marked` stretches and `position` with `place`."""

    DEFAULT_CSS = """
    Waveform { height: 7; border: round $foreground 40%; padding: 0; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name for it
        super().__init__(id=id)
        self._sound: Samples = np.zeros(0, np.int16)
        self._sight = VisibleSpan()
        self._selection: Pair | None = None
        self._marked: tuple[Pair, ...] = ()
        self._position = 0
        self._peaks: list[int] = []

    def show(self, sound: Samples, rate: int) -> None:
        """Show another recording."""
        self._sound, self._peaks = sound, []
        self.place(at_first(len(sound), rate), None, (), 0)
        self.refresh()

    def place(self, sight: VisibleSpan, selection: Pair | None, marked: tuple[Pair, ...], position: int) -> None:
        """Show what is in sight, what is selected, what identifies a person, and the sample that is being heard."""
        if sight != self._sight:
            self._peaks = []
        if (sight, selection, marked, position) != (self._sight, self._selection, self._marked, self._position):
            self._sight, self._selection, self._marked, self._position = sight, selection, marked, position
            self.refresh()

    def render(self) -> RenderResult:
        width, height = self.content_size.width, max(1, self.content_size.height - 1)
        if not len(self._sound):
            return Content("There is no sound: the corpus has no waveform of this utterance.")
        if len(self._peaks) != width:
            self._peaks = columns(self._sound[self._sight.first : self._sight.last], width)
        rows = strip(self._peaks, height)
        chosen = self._cells(self._selection, width) if self._selection else (0, 0)
        lines = [
            Content.assemble(row[: chosen[0]], (row[chosen[0] : chosen[1]], "reverse"), row[chosen[1] :])
            for row in rows
        ]
        return Content("\n").join([*lines, self._under(width)])

    def _cells(self, stretch: Pair, width: int) -> Pair:
        """The cells that show samples of a stretch; none if nothing of it is in sight."""
        sight = self._sight
        first, last = max(stretch[0], sight.first) - sight.first, min(stretch[1], sight.last) - sight.first
        if first >= last:
            return 0, 0
        cell = first * width // sight.width
        return cell, max(cell + 1, -(-last * width // sight.width))

    def _under(self, width: int) -> Content:
        """Seconds, `#` under what identifies a person, and an arrow under what is being heard."""
        sight = self._sight
        masked = {cell for stretch in self._marked for cell in range(*self._cells(stretch, width)) if cell < width}
        signs = list(ruler(sight.first / sight.rate, sight.last / sight.rate, width, masked))
        for cell in masked:
            signs[cell] = "#"
        if sight.first <= self._position <= sight.last:
            signs[min(width - 1, (self._position - sight.first) * width // sight.width)] = "▲"
        return Content("".join(signs))
