"""Records of a session, as its facts tell: scenarios, takes, attempts at the database, replies."""

from collections.abc import Mapping

import msgspec

from session import events as e
from session.study.settings import Profile
from session.values.answers import DOUBTFUL, UNSUPPORTED, FailureKind, OtherReading, Table
from session.values.clock import Stamp
from session.values.column_display import Reading
from session.values.consent import ConsentScope
from session.values.vocabulary import AudioTrouble, Channel, Language, Outcome, ResponseClass, Scope, Sealed, Stage


class ScenarioRun(msgspec.Struct, frozen=True, kw_only=True):
    """One subject working on one problem; `number` is None for practice, `profile` where it is the session's."""

    number: int | None
    scenario: str
    title: str
    text: str
    kind: str
    common: bool
    started: Stamp
    paused_before: int = 0
    outcome: Outcome | None = None
    reason: str = ""
    solution: str | None = None
    ended: Stamp | None = None
    opened_by_system: bool = False
    condition: str = ""
    profile: Profile | None = None

    @property
    def counts(self) -> bool:
        """Return whether it is data, and uses up what the profile allows: neither practice nor invalid."""
        return self.number is not None and self.outcome is not Outcome.INVALIDATED


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """One utterance from the press (or the typed text) on; `run` is the index of its scenario, None outside any.

    `context` is the earlier utterance to whose context the subject returned just before this one, `hypothesis` the latest of a
    recogniser, `proposed` a reply that waits for a person's judgement. `moved` is when the work on it last went on, `late` are
    the stages whose machine let the deadline pass.
    """

    take: str
    run: int | None
    pressed: Stamp | None = None
    released: Stamp | None = None
    ended_by: str = ""
    began: Stamp | None = None
    channels: tuple[Channel, ...] = ()
    pre_roll: int = 0
    tail: int = 0
    stopped: Stamp | None = None
    waiting_since: Stamp | None = None
    paused_before: int = 0
    sealed: tuple[Sealed, ...] = ()
    recovered: bool = False
    confirmed: bool = False
    discarded: bool = False
    accepted: bool = False
    number: int | None = None
    typed: str | None = None
    transcriptions: tuple[str, ...] = ()
    transcription_shown: bool = False
    scope: Scope | None = None
    limit_reached: bool = False
    context: str = ""
    attempts: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    hypothesis: e.HypothesisReceived | None = None
    proposed: e.ReplyProposed | None = None
    judged: tuple[e.OutputJudged, ...] = ()
    moved: Stamp | None = None
    moved_paused: int = 0
    late: tuple[Stage, ...] = ()
    troubles: tuple[e.AudioTroubled, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing more will be said in it."""
        return self.stopped is not None or self.typed is not None

    @property
    def talking(self) -> bool:
        """Return whether the button is down, or whatever is in its place."""
        return self.pressed is not None and self.released is None and not self.complete and not self.discarded

    @property
    def text(self) -> str:
        """The words as far as they are known."""
        return self.transcriptions[-1] if self.transcriptions else self.typed or ""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One text that was sent to the database; running while it has neither table nor failure. `written` are texts in its rows
    or their names that are in the statement and not in the database."""

    attempt: str
    take: str
    language: Language
    text: str
    submitted: Stamp
    origin: str = "wizard"
    in_context: bool = True
    choice: int = 0
    sql: str = ""
    paraphrase: str = ""
    table: Table | None = None
    reading: Reading = ()
    failure: FailureKind | None = None
    message: str = ""
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()
    confidence: float = 0.0
    unused: tuple[str, ...] = ()
    unasked: tuple[str, ...] = ()
    spoken: str = ""
    database_version: str = ""
    written: tuple[str, ...] = ()
    doubt: str = ""
    previewed: bool = False

    @property
    def running(self) -> bool:
        return self.table is None and self.failure is None

    @property
    def partial(self) -> bool:
        """Rows that may answer another request: words had no part in it, nobody asked for a condition, or a withheld reading
        was taken."""
        return self.table is not None and bool(self.unused or self.unasked or self.doubt)

    @property
    def doubtful(self) -> bool:
        """Rows of a reading that is wrong too often for anybody to send it without looking, or of a proposed statement that the
        domain's own grammar contradicts."""
        return self.table is not None and 0 < self.confidence < (UNSUPPORTED if self.proposer else DOUBTFUL)


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the system said to the subject; `run` is the place of its scenario, None outside any."""

    reply: str
    take: str
    text: str
    transcription: str
    response: ResponseClass
    sent: Stamp
    attempt: str = ""
    shown: Stamp | None = None
    wrong: str | None = None
    spoken: str = ""
    message: str = ""
    sound: e.ReplyVoiced | None = None
    heard_from: Stamp | None = None
    heard_until: Stamp | None = None
    samples_heard: int = 0
    voice_failed: bool = False
    voice_trouble: str = ""
    run: int | None = None

    @property
    def perceived(self) -> bool:
        """Return whether any of it was on the subject's screen or was heard."""
        return self.shown is not None or self.heard_from is not None

    @property
    def voiced(self) -> bool:
        """Return whether its speaking is over, one way or the other."""
        return self.voice_failed or self.heard_until is not None


def without(consent: e.ConsentGiven | None, withdrawal: e.WithdrawalRequested) -> e.ConsentGiven | None:
    """Return the consent that is left after a withdrawal: nothing at all where everything is to be erased."""
    if not withdrawal.erase:
        return consent
    known = consent or e.ConsentGiven(at=withdrawal.at, version="", sha256="", scopes={})
    scopes = dict.fromkeys(map(str, ConsentScope), False)
    return msgspec.structs.replace(known, scopes={**known.scopes, **scopes})


def lost_after(lost: Mapping[str, str], event: e.AudioTroubled) -> Mapping[str, str]:
    """The microphones that are gone after this, and why, by the letters of their channels."""
    match event.trouble:
        case AudioTrouble.DEVICE_LOST:
            return {**lost, event.letter: event.detail}
        case AudioTrouble.DEVICE_CHANGED:
            return {letter: why for letter, why in lost.items() if letter != event.letter}
        case _:
            return lost


def corrected(opened: e.SessionOpened | None, event: e.SpeakerCorrected) -> e.SessionOpened | None:
    """The opening with what is known of its speaker now; of another speaker nothing changes."""
    if opened is None or opened.speaker.id != event.now.id:
        return opened
    return msgspec.structs.replace(opened, speaker=event.now)


def invalidated(runs: tuple[ScenarioRun, ...], event: e.ScenarioInvalidated) -> tuple[ScenarioRun, ...]:
    """The scenarios after one of them was declared invalid; of one that is not there or not over nothing changes."""
    return tuple(
        msgspec.structs.replace(run, outcome=Outcome.INVALIDATED, reason=event.reason)
        if place == event.run and run.outcome is not None
        else run
        for place, run in enumerate(runs)
    )
