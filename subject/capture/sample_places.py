"""Takes in which places of a microphone's stream lie: what is found out late may concern an earlier take than the one now."""

from collections import deque

from subject.capture.take_file import TakeHeader

RECENT = 64
"""Takes to which a gap may still be ascribed: it is found within ten seconds, in which nobody begins more."""


class _Spoken:
    """A channel of a take in its microphone's stream, to `end` or, without one, until now."""

    def __init__(self, header: TakeHeader) -> None:
        self.header = header
        self.end: int | None = None


class Places:
    """The newest takes of each channel, by their places in its stream."""

    def __init__(self) -> None:
        self._spoken: dict[str, deque[_Spoken]] = {}

    def begin(self, header: TakeHeader) -> None:
        """A channel of a take begins at `header.start`."""
        self._spoken.setdefault(header.letter, deque(maxlen=RECENT)).append(_Spoken(header))

    def end(self, letter: str, count: int) -> None:
        """The channel's newest take has so many samples and no more."""
        newest = self._spoken[letter][-1]
        newest.end = newest.header.start + count

    def within(self, letter: str, place: int) -> tuple[str, int]:
        """The take that sample number `place` of the stream is in, and where in it; no take, and the number, outside of all."""
        for spoken in reversed(self._spoken.get(letter, ())):
            header, end = spoken.header, spoken.end
            if header.start <= place and (end is None or place < end):
                return header.take, place - header.start
        return "", place
