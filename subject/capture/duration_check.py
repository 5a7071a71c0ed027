"""Check that as much was recorded as time has passed: for each take, and for the session so far.

Peers end minutes short without noticing. A gap in the stream is beyond doubt only after seconds, when the take may long be
over; so at the end of each take the clock's span is compared with the samples and the gaps that are known, and a difference
is told while the subject still sits there, whether or not it can be placed yet.
"""

import msgspec

from session.values.clock import MILLISECOND, SECOND
from subject.capture.microphone_stream import Intake

TOLERANCE_NS = 60 * MILLISECOND
DRIFT = 300e-6
"""No sound card is further off its nominal rate."""


class StreamSpan(msgspec.Struct, frozen=True):
    """Beginning of a span of a stream: its start by the clock, the clock itself, the samples known to be missing by then."""

    start_ns: int
    began_ns: int
    missing: int

    @classmethod
    def of(cls, intake: Intake) -> "StreamSpan":
        """A span that begins now; the stream must be running."""
        return cls(intake.clock.start_ns, intake.clock.last_arrival_ns, intake.missing)

    def unaccounted_ns(self, intake: Intake) -> int:
        """Nanoseconds neither recorded nor known to be missing; 0 within what jitter and drift explain."""
        known = (intake.missing - self.missing) * SECOND // intake.rate
        lacking = intake.clock.start_ns - self.start_ns - known
        drifted = (intake.clock.last_arrival_ns - self.began_ns) * DRIFT
        return lacking if lacking > TOLERANCE_NS + drifted else 0
