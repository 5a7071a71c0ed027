"""The only place where sound that is not part of a take exists: a few hundred milliseconds in memory.

The consent text names its length; with a length of 0 nothing is kept. Older samples are dropped as newer ones come, and a
take that begins empties the ring into its file.
"""

from collections import deque

from session.audio.devices import WIDTH


class PreRoll:
    """The last `capacity` samples of one channel; `end` is the number in the stream of the sample that comes next."""

    def __init__(self, capacity: int) -> None:
        if capacity < 0:
            raise ValueError(f"a pre-roll of {capacity} samples: it is 0 or more")
        self.capacity = capacity
        self.end = 0
        self._blocks: deque[bytes] = deque()
        self._held = 0

    def __len__(self) -> int:
        return self._held

    @property
    def start(self) -> int:
        """The number in the stream of the oldest sample held."""
        return self.end - self._held

    def append(self, data: bytes) -> None:
        """Take in the next samples and forget what exceeds the capacity."""
        self.end += len(data) // WIDTH
        self._blocks.append(data)
        self._held += len(data) // WIDTH
        while self._held > self.capacity:
            oldest = self._blocks.popleft()
            spare = min(self._held - self.capacity, len(oldest) // WIDTH)
            self._held -= spare
            if spare * WIDTH < len(oldest):
                self._blocks.appendleft(oldest[spare * WIDTH :])

    def take_from(self, sample: int) -> bytes:
        """Everything from that sample on (from the oldest one, if it is older still); the ring is empty afterwards."""
        data = b"".join(self._blocks)
        self._blocks.clear()
        skipped = min(max(0, sample - self.start), self._held)
        self._held = 0
        return data[skipped * WIDTH :]

    def forget(self, before: int) -> None:
        """Drop the samples before that one: something is missing there, and what came earlier does not lead up to a press."""
        kept = self.take_from(before)
        self._blocks.append(kept)
        self._held = len(kept) // WIDTH

    def skip(self, samples: int) -> None:
        """Count samples that went straight to a take."""
        self._blocks.clear()
        self._held = 0
        self.end += samples

    def give_back(self, data: bytes) -> None:
        """Hold samples after all that were counted for a take but lie beyond its end."""
        self.end -= len(data) // WIDTH
        self.append(data)
