"""Writes takes without end and says on standard output what it has written, until it is killed."""

import os
import sys
from pathlib import Path

from session.values.clock import Stamp
from subject.capture.take_file import ChannelEnd, TakeFile, TakeHeader


def say(line: str) -> None:
    os.write(1, line.encode() + b"\n")


def content(take: int, start: int, samples: int) -> bytes:
    """What take number `take` holds from sample `start` on: every sample tells its place."""
    return b"".join(((take * 7919 + place) % 65_536).to_bytes(2, "little") for place in range(start, start + samples))


def main(directory: Path) -> None:
    for take in range(10_000):
        file = TakeFile(directory, TakeHeader(f"T{take:05d}", "s", 16_000, "test", Stamp("test", 0, 0)))
        for block in range(12):
            file.hold(content(take, block * 160, 160))
            file.flush()
            say(f"{take} {(block + 1) * 160}")
            if block % 5 == 4:
                file.sync()
        file.seal(ChannelEnd())
        say(f"{take} sealed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
