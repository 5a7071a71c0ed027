"""The facts of the stations of a visit that have no fact of another kind; the subject sees all of them."""

import msgspec

from session.events.base import Event
from session.study.settings import Questionnaire
from session.values.clock import Stamp
from session.values.limits import SamplingRate, Sha256, Text
from session.values.vocabulary import Step


class InstructionsRead(Event, frozen=True):
    """The subject has gone through the written instructions."""

    at: Stamp


class MicrophoneOpened(Event, frozen=True):
    """A page in a browser opened its microphone: `applied` is what the browser says it applied of what changes the sound, each by
    the browser's own name; `program` is the browser."""

    at: Stamp
    microphone: Text
    rate: SamplingRate
    applied: dict[Text, Text] = msgspec.field(default_factory=dict)
    program: Text = ""


class MicrophoneChecked(Event, frozen=True):
    """The subject spoke for a trial: the loudest moment in dB below full scale, and whether that will do."""

    at: Stamp
    peak_db: float
    passed: bool


class StepBegun(Event, frozen=True):
    """A station after the scenarios begins; with what the subject's terminal needs for it, and had better not know before."""

    step: Step
    text: str = ""
    form: Questionnaire | None = None


class QuestionnaireAnswered(Event, frozen=True):
    """One form filled in by the subject; answers by item."""

    at: Stamp
    form: Text
    answers: dict[Text, Text]


class DebriefingRead(Event, frozen=True):
    """The subject has been told how the study works, in the text of this hash."""

    at: Stamp
    sha256: Sha256


class ConsentConfirmed(Event, frozen=True):
    """After the debriefing, or at any time later, the subject said again what she agrees to; this is what counts."""

    at: Stamp
    version: Text
    sha256: Sha256
    scopes: dict[Text, bool]


class WithdrawalRequested(Event, frozen=True):
    """The subject stops taking part; with `erase` nothing of what was said may be kept or passed on."""

    at: Stamp
    erase: bool
