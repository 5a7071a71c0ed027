"""Settings of the recording, by profile."""

import msgspec

from session.study.settings import LONGEST_TAKE_S, PRE_ROLL_MS, TAIL_MS


class RecordingSettings(msgspec.Struct, frozen=True):
    """Settings of how takes begin and end.

    `pre_roll_ms` (0: none) is what the consent text names; pressing again within `tail_ms` continues with the same take;
    `longest_s` ends a forgotten hold. After `stall_ms` without sound the stream counts as stalled (before its first block,
    for which some hosts take two seconds, after `lost_ms`); after `lost_ms` it counts as gone, since not every host says so.
    After `patience_ms` without the rest of its tail a take is closed as it is; `silence_ms` without a sign of life are
    reported. `backlog` is how many blocks may wait for the disk.
    """

    pre_roll_ms: int = PRE_ROLL_MS
    tail_ms: int = TAIL_MS
    longest_s: float = LONGEST_TAKE_S
    stall_ms: int = 1_000
    patience_ms: int = 2_000
    silence_ms: int = 1_000
    backlog: int = 6_000
    lost_ms: int = 4_000

    def paced(self, pace: float) -> "RecordingSettings":
        """For a clock that runs `pace` times as fast: what waits for the machine waits as long as it would in real time."""
        return msgspec.structs.replace(
            self,
            stall_ms=round(self.stall_ms * pace),
            patience_ms=round(self.patience_ms * pace),
            lost_ms=round(self.lost_ms * pace),
        )
