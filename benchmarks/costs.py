"""Cost of a process as the system counts it, independent of other load."""

import os
import subprocess

import msgspec


class Cost(msgspec.Struct, frozen=True):
    """Of some runs together: seconds by the clock where they were measured, processor seconds, user and system, of all their
    processes, and the most megabytes that one of these held."""

    runs: int = 0
    wall: float = 0.0
    processor: float = 0.0
    megabytes: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.runs + other.runs,
            self.wall + other.wall,
            self.processor + other.processor,
            max(self.megabytes, other.megabytes),
        )

    def each_ms(self, utterances: int) -> float:
        """Milliseconds of processor time an utterance."""
        return 1000 * self.processor / max(1, self.runs) / utterances


def waited_for(process: subprocess.Popen[bytes]) -> Cost:
    """Return what a process has cost by the time of its end."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(1, 0.0, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
