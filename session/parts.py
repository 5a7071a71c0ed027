"""What a session consists of, as its facts tell: scenarios, takes, attempts at the database, replies."""

import msgspec

from session import events as e
from session.answers import FailureKind, OtherReading, Table
from session.clock import Stamp
from session.reading import Reading
from session.vocabulary import Channel, Language, Outcome, ResponseClass, Scope, Sealed


class ScenarioRun(msgspec.Struct, frozen=True, kw_only=True):
    """One subject working on one problem; `number` is None for practice."""

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


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """One utterance from the press (or the typed text) on; `run` is the index of its scenario, None outside any.

    `context` is the earlier utterance to whose context the subject returned just before this one.
    """

    take: str
    run: int | None
    pressed: Stamp | None = None
    released: Stamp | None = None
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
    troubles: tuple[e.AudioTroubled, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing more will be said in it."""
        return self.stopped is not None or self.typed is not None

    @property
    def text(self) -> str:
        """The words as far as they are known."""
        return self.transcriptions[-1] if self.transcriptions else self.typed or ""


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One text that was sent to the database; running while it has neither table nor failure."""

    attempt: str
    take: str
    language: Language
    text: str
    submitted: Stamp
    origin: str = "wizard"
    in_context: bool = True
    sql: str = ""
    paraphrase: str = ""
    table: Table | None = None
    reading: Reading = ()
    failure: FailureKind | None = None
    message: str = ""
    question: str = ""
    proposer: str = ""
    others: tuple[OtherReading, ...] = ()
    database_version: str = ""
    previewed: bool = False

    @property
    def running(self) -> bool:
        return self.table is None and self.failure is None


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the system said to the subject."""

    reply: str
    take: str
    text: str
    transcription: str
    response: ResponseClass
    sent: Stamp
    attempt: str = ""
    shown: Stamp | None = None
    wrong: str | None = None
