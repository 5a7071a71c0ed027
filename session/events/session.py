"""Facts about a session as a whole: opened, consent, pauses, calls, notes, deviations, withdrawal, its end."""

from session.events.base import Event
from session.study.assignment import Assignment
from session.study.settings import Protocol, Speaker
from session.values.clock import Stamp
from session.values.limits import ScreenSize, Sha256, Text


class SessionOpened(Event, frozen=True):
    """A visit begins; `operator` is who sits behind the curtain, `first_scenario` the speaker's first free number.

    `scenarios_before` are those of the site so far, without practice, pilots and rehearsals; `common_before` the common ones.
    `assignment` is what the study's design gave to the subject, with this visit's place in it, `frozen` says when the
    protocol was frozen and how it was amended, `certified` names the wizards who had passed their last drill; None if the
    study has no pass mark. Where they alone may hold it, `must_certify` says so.
    """

    site: str
    speaker: Speaker
    protocol: Protocol
    operator: str = ""
    condition: str = ""
    pilot: bool = False
    rehearsal: bool = False
    pace: float = 1.0
    first_scenario: int = 1
    scenarios_before: int = 0
    common_before: int = 0
    assignment: Assignment | None = None
    frozen: str = ""
    certified: tuple[str, ...] | None = None
    must_certify: bool = False

    def certifies(self, wizard: str) -> bool | None:
        """Return whether a wizard was certified; None if the study has no pass mark, or nobody is there."""
        return None if self.certified is None or not wizard else wizard in self.certified


class WizardIdentified(Event, frozen=True):
    """Name of the wizard at the console from now on: the first sign-on or a hand-over; `certified` is whether she was then,
    None if the study has no pass mark or nobody looked."""

    name: str
    role: str
    certified: bool | None = None


class ScreenSized(Event, frozen=True):
    """The subject's terminal has this many columns and lines for an answer."""

    at: Stamp
    columns: ScreenSize
    lines: ScreenSize


class ConsentGiven(Event, frozen=True):
    """The subject agreed to the text of this version and hash, scope by scope."""

    at: Stamp
    version: Text
    sha256: Sha256
    scopes: dict[Text, bool]


class SessionPaused(Event, frozen=True):
    """Time stops counting: a break or an interruption."""

    reason: str


class SessionResumed(Event, frozen=True):
    """Time counts again."""


class SessionEnded(Event, frozen=True):
    """No further scenario starts in this visit."""

    reason: str


class SpeakerWithdrawn(Event, frozen=True):
    """The person took back consent; the payloads that this transaction erased are gone."""

    speaker: str
    erased: int


class SpeakerCorrected(Event, frozen=True):
    """Correction of the speaker's details: as they stood in `was`, as it is `now`, who says so and why."""

    was: Speaker
    now: Speaker
    who: str
    why: str


class ExperimenterCalled(Event, frozen=True):
    """The subject asks for the experimenter."""

    at: Stamp


class CallAnswered(Event, frozen=True):
    """The subject's call was answered."""


class NoteWritten(Event, frozen=True):
    """A private note of the wizard or experimenter."""

    text: str
    take: str = ""


class DeviationNoted(Event, frozen=True):
    """The session departed from its protocol."""

    reason: str
    text: str


class DeviationTakenBack(Event, frozen=True):
    """The deviation that was noted so was none, or was noted in other words."""

    reason: str
    text: str
