"""The closed vocabularies of a session, in the field's own terms: each is a column of somebody's statistics one day."""

from enum import StrEnum

import msgspec


class Role(StrEnum):
    """Who is at a desk; given by the token, never by what a client says."""

    SUBJECT = "subject"
    WIZARD = "wizard"
    TRANSCRIBER = "transcriber"
    EXPERIMENTER = "experimenter"
    OBSERVER = "observer"


class Operator(StrEnum):
    """Who does the work of a stage (MADCOW 1993, section 1)."""

    HUMAN = "human"
    MACHINE = "machine"
    CORRECTED = "corrected"


class RecordingControl(StrEnum):
    """How an utterance begins and ends (MADCOW 1992, section 2)."""

    HOLD = "hold"
    PRESS = "press"
    ENDPOINTED = "endpointed"
    OPERATOR = "operator"
    TYPED = "typed"


class LostMicrophone(StrEnum):
    """What happens when a microphone is gone: the host's default one takes over, or the session pauses until it is back."""

    DEFAULT = "default"
    PAUSE = "pause"


class Echo(StrEnum):
    """When the subject sees the transcription (BBN 1989, section 6.1: before the query)."""

    BEFORE_QUERY = "before_query"
    WITH_ANSWER = "with_answer"
    NEVER = "never"


class ScenarioKind(StrEnum):
    """Trip planning, general database problems (MADCOW 1992, section 2.1), or practice that is not scored."""

    TRIP = "trip"
    PROBLEM = "problem"
    PRACTICE = "practice"


class Step(StrEnum):
    """The stations of a visit, in the only order in which they may stand: the reveal comes after what it would change."""

    CONSENT = "consent"
    INSTRUCTIONS = "instructions"
    MICROPHONE_CHECK = "microphone_check"
    PRACTICE = "practice"
    SCENARIOS = "scenarios"
    SATISFACTION = "satisfaction"
    BELIEF = "belief"
    DEBRIEFING = "debriefing"
    COMMENTS = "comments"
    CONFIRM_CONSENT = "confirm_consent"


class ItemKind(StrEnum):
    """How an item of a questionnaire is answered: one of its choices, or in the subject's own words."""

    CHOICE = "choice"
    TEXT = "text"


class ResponseClass(StrEnum):
    """What kind of turn the system's is (MADCOW 1993, section 4)."""

    ANSWER = "answer"
    DIRECTIVE = "directive"
    DIAGNOSTIC = "diagnostic"
    FAILURE = "failure"
    FILLER = "filler"
    GREETING = "greeting"


class Scope(StrEnum):
    """Whether a request lies within what the simulated system is to master (BBN 1989, section 6.2)."""

    IN = "in"
    OUT = "out"
    META = "meta"


class Outcome(StrEnum):
    """How a subject-scenario ended."""

    SOLVED = "solved"
    GIVEN_UP = "given_up"
    TIME_UP = "time_up"
    ENDED = "ended"
    INVALIDATED = "invalidated"


class Language(StrEnum):
    """In what the wizard asks the database; a proposal is English that an outside engine turns into SQL."""

    ENGLISH = "english"
    SQL = "sql"
    MENU = "menu"
    PROPOSAL = "proposal"


class Verdict(StrEnum):
    """What the wizard did with an outside engine's proposal."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"


class AudioTrouble(StrEnum):
    """What can go wrong with captured sound, each placed in samples of its take."""

    OVERFLOW = "overflow"
    STALL = "stall"
    GAP = "gap"
    DURATION = "duration"
    CLIPPING = "clipping"
    SILENCE = "silence"
    DEVICE_LOST = "device_lost"
    DEVICE_CHANGED = "device_changed"
    RECOVERED = "recovered"
    DISK = "disk"


class Channel(msgspec.Struct, frozen=True):
    """One microphone of a take; `letter` names its files (`s` the primary one). Its sample 0 was captured `offset` nanoseconds
    after that of the primary channel."""

    letter: str
    microphone: str
    rate: int
    offset: int = 0


class Sealed(msgspec.Struct, frozen=True):
    """A finished channel: 16-bit little-endian samples, their count and SHA-256 in hexadecimal.

    `drift_ppm` is how much slower than nominal its device's clock ran, in parts in a million; None where it is not known.
    """

    letter: str
    samples: int
    sha256: str
    drift_ppm: float | None = None


PROPOSED = "endpoint"
EDITED = "endpoint, edited"
"""Origins of an attempt: proposed by an outside engine, and such a proposal after the wizard's hand."""
