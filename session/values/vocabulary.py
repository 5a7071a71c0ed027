"""The closed vocabularies of a session, in the field's own terms; corpus and statistics use the same values."""

from enum import StrEnum

import msgspec

from session.values.limits import Count, Letter, Nanoseconds, SamplingRate, Sha256, Text


class Role(StrEnum):
    """Role of the person at a desk; given by the token, never by what a client says."""

    SUBJECT = "subject"
    WIZARD = "wizard"
    TRANSCRIBER = "transcriber"
    EXPERIMENTER = "experimenter"
    OBSERVER = "observer"
    RECOGNISER = "recogniser"
    INTERPRETER = "interpreter"
    RESPONDER = "responder"


class Stage(StrEnum):
    """The stages of a spoken language system (MADCOW 1993, section 1)."""

    RECOGNITION = "recognition"
    UNDERSTANDING = "understanding"
    DATABASE = "database"
    RESPONSE = "response"


class Operator(StrEnum):
    """Operator who does the work of a stage (MADCOW 1993, section 1)."""

    HUMAN = "human"
    MACHINE = "machine"
    CORRECTED = "corrected"


class OperatorTrouble(StrEnum):
    """The troubles of a machine that operates a stage; with `unlearnt` it goes on working."""

    DIED = "died"
    LATE = "late"
    ERROR = "error"
    GARBAGE = "garbage"
    UNLEARNT = "unlearnt"


class LostOperator(StrEnum):
    """The remedy when a machine that operates a stage dies or is late: the session waits for it, a person takes over, or the
    subject gets a diagnostic."""

    WAIT = "wait"
    PERSON = "person"
    DIAGNOSTIC = "diagnostic"


class RecordingControl(StrEnum):
    """The way an utterance begins and ends (MADCOW 1992, section 2)."""

    HOLD = "hold"
    PRESS = "press"
    ENDPOINTED = "endpointed"
    OPERATOR = "operator"
    TYPED = "typed"


class LostMicrophone(StrEnum):
    """Remedy when a microphone is gone: the host's default one takes over, or the session pauses until it is back."""

    DEFAULT = "default"
    PAUSE = "pause"


class Echo(StrEnum):
    """Moment at which the subject sees the transcription (BBN 1989, section 6.1: before the query)."""

    BEFORE_QUERY = "before_query"
    WITH_ANSWER = "with_answer"
    NEVER = "never"


class ScenarioKind(StrEnum):
    """Trip planning, general database problems (MADCOW 1992, section 2.1), or practice that is not scored."""

    TRIP = "trip"
    PROBLEM = "problem"
    PRACTICE = "practice"


class Step(StrEnum):
    """The steps of a visit, in their only valid order: the debriefing follows every question whose answer it would change."""

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


class AnswerForm(StrEnum):
    """The form of an answer on the subject's screen: a table, or sentences."""

    TABLE = "table"
    TEXT = "text"


class SpokenPart(StrEnum):
    """The part of an answer that is heard: nothing, the question that is answered and how many rows there are, or the rows too.
    Whatever else the system says is spoken wherever anything is."""

    NOTHING = "nothing"
    SUMMARY = "summary"
    ANSWER = "answer"


class VoiceEngine(StrEnum):
    """The engines that make the sound of a spoken reply."""

    ESPEAK = "espeak-ng"
    SERVER = "server"
    RECORDED = "recorded"


class PlaybackEnd(StrEnum):
    """Reasons why playback of a reply stopped."""

    ENDED = "ended"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class ItemKind(StrEnum):
    """Kind of answer to an item of a questionnaire: one of its choices, or in the subject's own words."""

    CHOICE = "choice"
    TEXT = "text"


class ResponseClass(StrEnum):
    """Class of the system's turn (MADCOW 1993, section 4)."""

    ANSWER = "answer"
    DIRECTIVE = "directive"
    DIAGNOSTIC = "diagnostic"
    FAILURE = "failure"
    FILLER = "filler"
    GREETING = "greeting"


class Scope(StrEnum):
    """Scope of a request: within what the simulated system is to master, or not (BBN 1989, section 6.2)."""

    IN = "in"
    OUT = "out"
    META = "meta"


FORMER_OUTCOME = "solved"
"""`Outcome.DECLARED` as earlier stores and logs have it."""


class Outcome(StrEnum):
    """Outcome of a subject-scenario."""

    DECLARED = "declared"
    GIVEN_UP = "given_up"
    TIME_UP = "time_up"
    ENDED = "ended"
    INVALIDATED = "invalidated"

    @classmethod
    def _missing_(cls, value: object) -> "Outcome | None":
        """Read the former value `solved` as declared: nobody had judged the solution."""
        return cls.DECLARED if value == FORMER_OUTCOME else None


class Language(StrEnum):
    """Language of a request to the database; a proposal is English that an outside engine turns into SQL."""

    ENGLISH = "english"
    SQL = "sql"
    MENU = "menu"
    PROPOSAL = "proposal"


class ProposalVerdict(StrEnum):
    """A person's judgement of a machine's output, such as an outside engine's proposal."""

    ACCEPTED = "accepted"
    EDITED = "edited"
    REJECTED = "rejected"


class AudioTrouble(StrEnum):
    """Trouble with captured sound, each placed in samples of its take."""

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


class Severity(StrEnum):
    """Severity of what a check finds: an error makes it unfit for use, a warning wants a look, a note is for information."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Channel(msgspec.Struct, frozen=True):
    """One microphone of a take; `letter` names its files (`s` the primary one). Its sample 0 was captured `offset` nanoseconds
    after that of the primary channel."""

    letter: Letter
    microphone: Text
    rate: SamplingRate
    offset: Nanoseconds = 0


class DeskRefusal(StrEnum):
    """Reasons why a desk is not let into a session."""

    TOKEN = "token"
    """The token does not open this session: mistyped, guessed, renewed, or another session's."""
    TAKEN = "taken"
    """Another desk is attached in this role, which admits only one."""
    BROWSER = "browser"
    """The browser cannot run the page."""
    OVER = "over"
    """The session ended too long ago: a page left open overnight, an old address."""


class Sealed(msgspec.Struct, frozen=True):
    """A finished channel: 16-bit little-endian samples, their count and SHA-256 in hexadecimal.

    `drift_ppm` is how much slower than nominal its device's clock ran, in parts in a million; None if it is not known.
    """

    letter: Letter
    samples: Count
    sha256: Sha256
    drift_ppm: float | None = None


PROPOSED = "endpoint"
EDITED = "endpoint, edited"
"""Origins of an attempt: proposed by an outside engine, and such a proposal after the wizard's hand."""
