"""Limits of what a desk may say, as types: the decoder of the wire refuses a value that cannot be meant and names its field.

They bound what arrives, long before anything is decided or recorded; what a person may write is often less (`session.rules`).
Facts are read from old stores by the same types, so that no limit here is narrower than what any release has recorded.
"""

from typing import Annotated

from msgspec import Meta

LONGEST_TAKE_SAMPLES = 48_000 * 4 * 3600
_SECOND = 1_000_000_000

Identifier = Annotated[str, Meta(pattern=r"^([^\W_][\w.:#-]{0,80})?\Z")]
"""The name of a take, a reply, an attempt, a command, and never a path; empty where there is none."""
Text = Annotated[str, Meta(max_length=25_000)]
Letter = Annotated[str, Meta(pattern=r"^\w{1,8}\Z")]
"""The letter of a channel, or whatever an export says cannot name a file."""
Sha256 = Annotated[str, Meta(pattern=r"^\w{0,64}\Z")]
ClockName = Annotated[str, Meta(max_length=80)]
Count = Annotated[int, Meta(ge=0, le=LONGEST_TAKE_SAMPLES)]
"""Of samples, lines, places, tokens: four hours at the highest rate."""
ScreenSize = Annotated[int, Meta(ge=1, le=10_000)]
SamplingRate = Annotated[int, Meta(ge=1, le=400_000)]
Uncertainty = Annotated[int, Meta(ge=0, le=60 * _SECOND)]
"""In nanoseconds; what is surer of nothing than of a minute is no moment."""
WorkTime = Annotated[int, Meta(ge=0, le=3600 * _SECOND)]
"""How long a machine worked on something, in nanoseconds."""
Nanoseconds = Annotated[int, Meta(ge=-(2**62), le=2**62)]
"""146 years to either side; whatever a desk sends beyond that is no time that could be placed in a log."""
WallTime = Annotated[int, Meta(ge=0, le=7_258_118_400 * _SECOND)]
"""Nanoseconds since 1970, until the year 2200."""
