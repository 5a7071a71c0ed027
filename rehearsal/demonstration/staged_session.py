"""One session of the demonstration as facts: what hub and desks would have written had its people met, by a clock of its own.

Only the people and the clock are made up. The database answers what it is asked, the English front end reads it, and the reply is
laid out as a subject's screen would have it.
"""

import hashlib
import random

from domain.query_backend import Backend
from rehearsal.demonstration.speakers import DemonstrationSpeaker
from rehearsal.demonstration.voices import say
from rehearsal.script import Ask, Canned, ScriptedAct, ScriptedTurn
from rehearsal.scripted_people import SCREEN
from rehearsal.speaking_subject import RATE, REACTION_S
from rehearsal.waiting import StuckError
from session import events as e
from session.hub.query_runner import UnderstoodRequest
from session.study.folder import Study
from session.study.settings import Scenario
from session.values.answers import EarlierRequest, QueryFailure, Table, compose, digest
from session.values.clock import MILLISECOND, SECOND, Stamp
from session.values.consent import ConsentScope
from session.values.names import PRIMARY, derived_reply, ulid
from session.values.vocabulary import Channel, Language, Outcome, Role, Sealed

WIZARD = "scripted wizard"
_DESK_AHEAD_S = 5
_KEYSTROKE_S = 0.012
_READING_S = 0.6
_PRE_ROLL = _TAIL = RATE // 20


class StagedSession:
    """The facts of one session and the sound of its takes, in memory. `begins` is the wall clock at its start in nanoseconds,
    `synthesiser` what speaks."""

    def __init__(
        self, name: str, person: DemonstrationSpeaker, study: Study, begins: int, backend: Backend, synthesiser: str
    ) -> None:
        self.name, self.person, self.study = name, person, study
        self.facts: list[e.Recorded] = []
        self.sounds: dict[str, bytes] = {}
        self._backend, self._synthesiser = backend, synthesiser
        self._begins, self._now = begins, 0
        self._draw = random.Random(name + person.speaker.id)
        self._asked: list[EarlierRequest] = []

    def play(self) -> None:
        """Everything, from the opening to the end."""
        self._open()
        for number, act in enumerate(self.person.acts, start=1):
            self._act(number, act)
        self._add(e.DebriefingRead(at=self._desk(), sha256=digest(self.study.debriefing)), Role.SUBJECT)
        self._add(e.ConsentConfirmed(at=self._desk(), **self._consent()), Role.SUBJECT)  # type: ignore[arg-type]
        self._add(e.SessionEnded(reason="the play is over"), Role.WIZARD)

    def _open(self) -> None:
        protocol = self.study.protocol(self._backend.version)
        opened = e.SessionOpened(
            site=self.study.site, speaker=self.person.speaker, protocol=protocol, operator=WIZARD, rehearsal=True
        )
        self._add(opened)
        self._add(e.DeskAttached(role=Role.SUBJECT, desk="d1", clock="desk", version="1"))
        self._add(
            e.ClockCompared(
                clock="desk", mono=self._desk().mono, offset=-_DESK_AHEAD_S * SECOND, uncertainty=MILLISECOND
            )
        )
        self._add(e.WizardIdentified(name=WIZARD, role=Role.WIZARD), Role.WIZARD)
        self._add(e.ScreenSized(at=self._desk(), columns=SCREEN[0], lines=SCREEN[1]), Role.SUBJECT)
        self._wait(_READING_S)
        self._add(e.ConsentGiven(at=self._desk(), **self._consent()), Role.SUBJECT)  # type: ignore[arg-type]

    def _consent(self) -> dict[str, object]:
        scopes = dict.fromkeys(map(str, ConsentScope), True)
        version = self.study.settings.consent_version
        return {"version": version, "sha256": digest(self.study.consent_text), "scopes": scopes}

    def _act(self, number: int, act: ScriptedAct) -> None:
        scenario = self._scenario(act.kind)
        started = e.ScenarioStarted(
            number=number, scenario=scenario.id, title=scenario.title, text=scenario.bound(act.bindings), kind=scenario.kind,
            common=scenario.common, bindings=act.bindings,
        )  # fmt: skip
        self._add(started, Role.WIZARD)
        self._asked.clear()
        for place, turn in enumerate(act.turn, start=1):
            self._wait(REACTION_S)
            self._turn(place, turn)
            self._wait(_READING_S)
        if act.ends.declare:
            self._add(e.SolutionDeclared(at=self._desk(), solution=act.ends.declare), Role.SUBJECT)
            self._add(e.ScenarioEnded(outcome=Outcome.DECLARED), Role.SUBJECT)
        else:
            self._add(e.ScenarioGivenUp(at=self._desk()), Role.SUBJECT)
            self._add(e.ScenarioEnded(outcome=Outcome.GIVEN_UP), Role.SUBJECT)

    def _scenario(self, kind: str) -> Scenario:
        """The common scenario, or one of the others of a kind."""
        bank = [
            one for one in self.study.scenarios.values()
            if (one.common if kind == "common" else one.kind == kind and not one.common and not one.placeholders)
        ]  # fmt: skip
        if not bank:
            raise StuckError(f"the study has no scenario of the kind {kind}")
        return self._draw.choice(bank)

    def _turn(self, number: int, turn: ScriptedTurn) -> None:
        take = self._speak(number, turn.said)
        self._wait(_KEYSTROKE_S * len(turn.said))
        self._add(e.Transcribed(at=self._hub(), take=take, text=turn.said), Role.WIZARD)
        self._add(e.TranscriptionShown(at=self._desk(), take=take), Role.SUBJECT)
        if turn.scope is not None:
            self._add(e.ScopeMarked(take=take, scope=turn.scope), Role.WIZARD)
        if turn.note:
            self._add(e.NoteWritten(text=turn.note, take=take), Role.WIZARD)
        if turn.deviation:
            self._add(e.DeviationNoted(reason="talk", text=turn.deviation), Role.WIZARD)
        attempts = [f"{take}q{place}" for place, _ in enumerate(turn.ask, start=1)]
        found: tuple[str, Table] | None = None
        for attempt, ask in zip(attempts, turn.ask, strict=True):
            table = self._ask(take, attempt, ask)
            found = (attempt, table) if table is not None else found
            if table is not None and table.rows:
                break
        if turn.canned is not None or found is None:
            self._canned(take, turn.said, turn.canned or Canned(message="unable"))
        else:
            self._answer(take, turn.said, *found)

    def _speak(self, number: int, said: str) -> str:
        """Press, speak, release; the take is confirmed and accepted."""
        take = ulid((self._begins + self._now), hashlib.sha256(f"{self.name} {self._now}".encode()).digest()[:10])
        samples = say(said, self.person.voice, self._synthesiser)
        data = samples.astype("<i2").tobytes()
        self.sounds[take] = data
        sealed = (Sealed(PRIMARY, len(samples), hashlib.sha256(data).hexdigest()),)
        channel = Channel(PRIMARY, self.study.settings.equipment.microphones.get(PRIMARY, ""), RATE)
        self._add(e.TalkPressed(at=self._desk(), take=take), Role.SUBJECT, 0)
        began = self._desk(-_PRE_ROLL / RATE)
        self._add(e.RecordingStarted(at=began, take=take, channels=(channel,), pre_roll=_PRE_ROLL), Role.SUBJECT, 0)
        self._wait((len(samples) - _PRE_ROLL - _TAIL) / RATE)
        self._add(e.TalkReleased(at=self._desk(), take=take), Role.SUBJECT, 0)
        self._wait(_TAIL / RATE)
        self._add(e.RecordingStopped(at=self._desk(), take=take, sealed=sealed, tail=_TAIL), Role.SUBJECT)
        self._add(e.TakeConfirmed(take=take, sealed=sealed))
        self._add(e.UtteranceAccepted(take=take, number=number))
        return take

    def _ask(self, take: str, attempt: str, ask: Ask) -> Table | None:
        """Ask the database for real; the rows, or None if it failed. Only how long it took is made up."""
        submitted = e.QuerySubmitted(at=self._hub(), attempt=attempt, take=take, language=ask.language, text=ask.text)
        self._add(submitted, Role.WIZARD)
        took = self._draw.randrange(3, 40) * MILLISECOND
        self._wait(took / SECOND)
        understood = UnderstoodRequest(ask.sql and ask.text)
        try:
            if ask.language is not Language.SQL:
                understood = self._backend.understand(ask.text, [*self._asked], ask.language)
            table = self._backend.run(understood.sql)
        except QueryFailure as failure:
            failed = e.QueryFailed(
                attempt=attempt, kind=failure.kind, message=failure.message, sql=understood.sql, took=took,
                question=failure.question, unused=failure.unused,
            )  # fmt: skip
            self._add(failed)
            return None
        if ask.language is not Language.SQL:
            self._asked.append(EarlierRequest(ask.text))
        returned = e.QueryReturned(
            attempt=attempt, sql=understood.sql, table=table, took=took, database_version=self._backend.version,
            paraphrase=understood.paraphrase, reading=self._backend.reading(table),
        )  # fmt: skip
        self._add(returned)
        return table

    def _answer(self, take: str, said: str, attempt: str, table: Table) -> None:
        profile = self.study.profile
        reading = self._backend.reading(table)
        text = compose(table, SCREEN[0], profile.rows_shown, reading=reading, expand=profile.expand_codes)
        self._add(e.AnswerPreviewed(at=self._hub(), attempt=attempt, sha256=digest(text)), Role.WIZARD)
        reply = derived_reply(take)
        sent = e.AnswerSent(
            reply=reply,
            take=take,
            text=text,
            transcription=said,
            attempt=attempt,
            database_version=self._backend.version,
        )
        self._add(sent, Role.WIZARD)
        self._add(e.ReplyShown(at=self._desk(), reply=reply, first=0, last=text.count("\n")), Role.SUBJECT)

    def _canned(self, take: str, said: str, canned: Canned) -> None:
        message = self.study.canned_messages[canned.message]
        reply = derived_reply(take)
        sent = e.CannedSent(
            reply=reply, take=take, transcription=said, text=message.filled(canned.blanks), message=message.id,
            blanks=canned.blanks, reason=message.reason, response=message.response,
        )  # fmt: skip
        self._add(sent, Role.WIZARD)
        self._add(e.ReplyShown(at=self._desk(), reply=reply, first=0, last=0), Role.SUBJECT)

    # --- clocks -------------------------------------------------------------------------------------------------------------

    def _wait(self, seconds: float) -> None:
        self._now += round(seconds * SECOND)

    def _hub(self) -> Stamp:
        return Stamp("hub", self._now, self._begins + self._now)

    def _desk(self, shift_s: float = 0.0) -> Stamp:
        """The subject's desk: a clock with a zero of its own."""
        now = self._now + round(shift_s * SECOND)
        return Stamp("desk", now + _DESK_AHEAD_S * SECOND, self._begins + now)

    def _add(self, event: e.Fact, by: str = "hub", after_ms: int = 20) -> None:
        number = len(self.facts) + 1
        self.facts.append(e.Recorded(self.name, number, self._hub(), by, f"c{number}", event))
        self._wait(after_ms / 1000)
