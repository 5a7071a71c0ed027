"""What a wizard can do, without a screen: hear, transcribe, query, revise, preview, send, and the keys around it.

The console acts on one utterance at a time, the oldest without a reply unless the wizard picks another. It holds nothing that
the events do not tell, except the text that is being typed.
"""

from collections.abc import Callable

import msgspec

from session import commands as c
from session import events as e
from session.answers import digest
from session.asides import Closing, Menu, Names
from session.clock import SECOND, Clock, stamp
from session.dialogue import EDITED, PROPOSED
from session.names import ulid
from session.rules import answer_text
from session.state import Attempt, SessionState, Take, evolve
from session.study import CannedMessage, Profile, Scenario
from session.vocabulary import Echo, Language, Outcome, ResponseClass, Role, Scope
from session.wire import Afresh, Answered, Arrived, Happening, Peer, Sound, Trouble, Welcome
from wizard.beside import Beside
from wizard.ports import Hearing, Up
from wizard.times import Times


class Remaining(msgspec.Struct, frozen=True):
    """Time for a reply: seconds left (negative when over), and whether the limit has been reached."""

    seconds: float
    reached: bool


class Console:
    """The wizard's use-cases over one link; every method belongs to the event loop's thread."""

    def __init__(
        self,
        clock: Clock,
        up: Up,
        changed: Callable[[], None],
        new_id: Callable[[], str] | None = None,
        english: bool = False,
        offset: Callable[[], int] = lambda: 0,
    ) -> None:
        self.state = SessionState()
        self.role = Role.WIZARD
        self.message = ""
        self.trouble = ""
        self.connected = False
        self.peers: set[str] = set()
        self.times = Times()
        self.beside = Beside(up.ask)
        self._clock = clock
        self._up = up
        self._changed = changed
        self.hearing: Hearing | None = None
        self._new_id = new_id or (lambda: ulid(clock.wall_ns()))
        # A reply's name crosses the curtain; one that told the time would tell when the reply was ready.
        self._new_reply = new_id or (lambda: ulid(0))
        self._english = english
        self._picked = self._attempt = ""
        self._alone: set[str] = set()
        self._offset = offset
        self._previewed: set[str] = set()
        self._wanted: dict[str, str] = {}
        self._laid_out: tuple[str, bool, tuple[int, int] | None] | None = None
        self._text: str | None = None
        self._known = 0

    # --- what the screen asks -----------------------------------------------------------------------------------------

    @property
    def profile(self) -> Profile:
        return self.state.opened.protocol.profile if self.state.opened else Profile(name="")

    @property
    def canned_messages(self) -> list[CannedMessage]:
        """The fixed replies, those with a digit first."""
        messages = self.state.opened.protocol.canned_messages.values() if self.state.opened else ()
        return sorted(messages, key=lambda each: (each.digit is None, each.digit or 0, each.id))

    @property
    def scenarios(self) -> list[Scenario]:
        """The scenarios of the study, practice first, then by difficulty; those already run come last."""
        bank = self.state.opened.protocol.scenarios.values() if self.state.opened else ()
        done = {run.scenario for run in self.state.runs}
        return sorted(bank, key=lambda each: (each.id in done, each.kind != "practice", each.difficulty, each.id))

    @property
    def take(self) -> Take | None:
        """The utterance that the keys act on."""
        if (picked := self.state.takes.get(self._picked)) and not picked.discarded:
            return picked
        if self.waiting:
            return self.waiting[0]
        live = [take for take in self.state.takes.values() if not take.discarded and self._is_of_now(take)]
        return live[-1] if live else None

    @property
    def waiting(self) -> list[Take]:
        """Utterances without a reply, the oldest first; while a scenario goes on, its own only."""
        return [take for take in self.state.waiting() if self._is_of_now(take)]

    def _is_of_now(self, take: Take) -> bool:
        return self.state.run is None or take.run == len(self.state.runs) - 1

    @property
    def attempt(self) -> Attempt | None:
        """The attempt that is shown: the newest of the utterance unless another was picked."""
        take = self.take
        if take is None or not take.attempts:
            return None
        name = self._attempt if self._attempt in take.attempts else take.attempts[-1]
        return self.state.attempts.get(name)

    @property
    def preview(self) -> str | None:
        """To the letter what the subject would see of the attempt's rows."""
        attempt = self.attempt
        if attempt is None:
            return None
        laid_out = (attempt.attempt, attempt.table is None, self.state.screen)
        if laid_out != self._laid_out:  # laying out thousands of rows takes longer than a key may
            self._laid_out, self._text = laid_out, answer_text(self.state, attempt.attempt)
        return self._text

    @property
    def subject_connected(self) -> bool:
        return Role.SUBJECT in self.peers

    def remaining(self) -> Remaining | None:
        """Time left for the reply to the current utterance; None when none is awaited."""
        take, limit = self.take, self.profile.reply_limit_s
        if take is None or take.waiting_since is None or not limit or take.discarded or self.state.answered(take):
            return None
        paused = self.state.paused_total - take.paused_before
        waited = (self.hub_ns() - take.waiting_since.mono - paused) / SECOND
        return Remaining(limit - waited, take.limit_reached)

    def hub_ns(self) -> int:
        """The hub's monotonic clock now, as the link has measured it against this desk's."""
        return self._clock.monotonic_ns() + self._offset()

    # --- what the wizard does -----------------------------------------------------------------------------------------

    def pick(self, take: str) -> None:
        """Act on this utterance; an empty name goes back to the oldest one without a reply."""
        self._picked = take
        self._attempt = ""
        self._changed()

    def pick_attempt(self, attempt: str) -> None:
        """Look at an earlier attempt again."""
        self._attempt = attempt
        self._changed()

    def transcribe(self, text: str) -> None:
        """What was said; shown to the subject as the profile says. Words that were typed are there: they are asked at once."""
        if take := self._need_take():
            first = self._english and not take.attempts
            if not text or text != take.text:
                self._give(c.Transcribe(id=self._new_id(), at=stamp(self._clock), take=take.take, text=text))
                self._wanted |= {take.take: text} if first else {}
            elif first and take.take not in self._wanted:
                self.ask(text, Language.ENGLISH, origin="transcription")

    def ask(self, text: str, language: Language, origin: str = "wizard", choice: int = 0) -> str:
        """Ask the database, by the reading at place `choice`; gives the attempt's name, empty when nothing was said yet."""
        take = self._need_take()
        if take is None:
            return ""
        if language is Language.SQL and self.attempt is not None and self.attempt.origin in (PROPOSED, EDITED):
            origin = EDITED
        name = self._new_id()
        self._attempt = ""
        self._give(
            c.SubmitQuery(
                id=name,
                at=stamp(self._clock),
                take=take.take,
                language=language,
                text=text,
                origin=origin,
                in_context=self.in_context,
                choice=choice,
            )
        )
        return name

    @property
    def in_context(self) -> bool:
        """Whether the utterance at hand may refer to earlier ones."""
        return self.take is None or self.take.take not in self._alone

    def turn_context(self) -> None:
        """Read the utterance at hand by itself, or again in its context; what was asked in English is asked anew."""
        if (take := self._need_take()) is None:
            return
        self._alone ^= {take.take}
        attempt = self.attempt
        if attempt is not None and attempt.language is not Language.SQL and not self.state.answered(take):
            self.ask(attempt.text, attempt.language, attempt.origin)
        else:
            self._changed()

    def propose(self) -> None:
        """Ask the outside engine, if the study names one, for a statement; its rows are previewed like any others."""
        if take := self._need_take():
            attempt = self.attempt
            own = attempt is not None and attempt.language is not Language.SQL
            self.ask(attempt.text if attempt and own else take.text, Language.PROPOSAL, PROPOSED)

    @property
    def question(self) -> str:
        """What a system would ask back now; empty when there is nothing to ask, or the reply has gone out."""
        attempt, take = self.attempt, self.take
        return attempt.question if attempt and take and not self.state.answered(take) else ""

    @property
    def asking_back(self) -> CannedMessage | None:
        """The canned message that asks for more, with one blank for what is missing."""
        fitting = (each for each in self.canned_messages if each.reason == "underspecified" and each.blanks == 1)
        return next(fitting, None)

    def cancel(self) -> None:
        """Stop the query that runs."""
        if running := self.state.running:
            self._give(c.CancelQuery(id=self._new_id(), attempt=running.attempt))

    def previewed(self) -> None:
        """The preview is on the screen."""
        attempt, text = self.attempt, self.preview
        if (
            attempt is not None
            and text is not None
            and (key := f"{attempt.attempt}{digest(text)}") not in self._previewed
        ):
            self._previewed.add(key)
            fact = e.AnswerPreviewed(at=stamp(self._clock), attempt=attempt.attempt, sha256=digest(text))
            self._give(c.Report(id=self._new_id(), event=fact))

    def send(self, response: ResponseClass = ResponseClass.ANSWER) -> None:
        """Release the answer that the preview shows."""
        attempt, text = self.attempt, self.preview
        if attempt is None or text is None:
            self._say("There are no rows to send: ask the database, or choose a canned message.")
            return
        self._give(c.SendAnswer(id=self._new_reply(), attempt=attempt.attempt, sha256=digest(text), response=response))

    def send_canned(self, message: str, blanks: tuple[str, ...] = ()) -> None:
        """Release a canned message in reply to the utterance, or with none as a greeting or filler."""
        take = self.take
        waiting = take is not None and not self.state.answered(take) and take.complete
        self._give(
            c.SendCanned(
                id=self._new_reply(), message=message, blanks=blanks, take=take.take if take and waiting else ""
            )
        )

    def send_text(self, text: str, response: ResponseClass = ResponseClass.DIRECTIVE) -> None:
        """Release a text of one's own where the profile allows it."""
        if take := self._need_take():
            self._give(c.SendText(id=self._new_reply(), take=take.take, text=text, response=response))

    def stop_reply(self) -> None:
        """Stop the reply that is held back."""
        if planned := self.state.planned:
            self._give(c.StopReply(id=self._new_id(), reply=planned.reply.reply))

    def mark_wrong(self, reply: str, reason: str) -> None:
        """A reply that went out was an error."""
        self._give(c.MarkReplyWrong(id=self._new_id(), reply=reply, reason=reason))

    def mark_scope(self, scope: Scope) -> None:
        """Judge the current request."""
        if take := self._need_take():
            self._give(c.MarkScope(id=self._new_id(), take=take.take, scope=scope))

    def note(self, text: str) -> None:
        """Write a private note, tied to the current utterance if there is one."""
        take = self.take
        self._give(c.WriteNote(id=self._new_id(), text=text, take=take.take if take else ""))

    def deviate(self, reason: str, text: str) -> None:
        """Note a departure from the protocol."""
        self._give(c.NoteDeviation(id=self._new_id(), reason=reason, text=text))

    def start_scenario(self, scenario: str, bindings: dict[str, str] | None = None, attended: bool = False) -> None:
        """Put a problem before the subject."""
        self._give(c.StartScenario(id=self._new_id(), scenario=scenario, bindings=bindings or {}, attended=attended))

    def switch_recording(self) -> None:
        """Switch the subject's recording on, or off."""
        on = not (self.state.switched_on or self.state.talking)
        self._give(c.SwitchRecording(id=self._new_id(), at=stamp(self._clock), on=on))

    def end_scenario(self, outcome: Outcome = Outcome.ENDED, reason: str = "") -> None:
        """End the scenario from here."""
        self._give(c.EndScenario(id=self._new_id(), outcome=outcome, reason=reason))

    def invalidate(self, run: int, reason: str) -> None:
        """Take a scenario that is over out of what counts; `run` is its place among the session's."""
        self._give(c.InvalidateScenario(id=self._new_id(), run=run, reason=reason))

    def pause(self, reason: str) -> None:
        """Pause the session, or go on with it."""
        if self.state.paused:
            self._give(c.ResumeSession(id=self._new_id()))
        else:
            self._give(c.PauseSession(id=self._new_id(), reason=reason))

    def answer_call(self) -> None:
        """The subject's call was seen to."""
        self._give(c.AnswerCall(id=self._new_id()))

    def identify(self, name: str) -> None:
        """Who sits here."""
        self._give(c.IdentifyWizard(id=self._new_id(), name=name))

    def end_session(self, reason: str = "done") -> None:
        """Close the visit."""
        self._give(c.EndSession(id=self._new_id(), reason=reason))

    # --- what arrives -------------------------------------------------------------------------------------------------

    def receive(self, happening: Happening) -> None:
        """Something came from the hub. What had happened before this desk came is shown when it is all there."""
        match happening:
            case Arrived():
                self.state = evolve(self.state, happening.recorded)
                self.times.note(happening.recorded)
                self.beside.noted(self.state)
                self._arrived(happening.recorded.event)
                if happening.recorded.seq < self._known:
                    return
            case Answered():
                if happening.refusal:
                    self._say(happening.refusal)
            case Peer():
                (self.peers.add if happening.up else self.peers.discard)(happening.role)
            case Trouble():
                self.trouble = happening.text
            case Afresh():
                self.state = SessionState()
            case Welcome():
                self.connected, self.role, self._known = True, Role(happening.role), happening.facts
                self.beside.welcomed(self.role, self.state)
            case Menu() | Names() | Closing():
                self.beside.told(happening)
            case Sound():
                if self.hearing is not None:
                    self.hearing.frame(happening.take, happening.letter, happening.first, happening.pcm)
                return
            case _:
                return
        self._changed()

    def lost(self) -> None:
        """The connection to the hub is gone."""
        self.connected = False
        self.peers.clear()
        self._changed()

    def _arrived(self, event: e.Fact) -> None:
        match event:
            case e.Transcribed():
                if self.profile.echo is not Echo.BEFORE_QUERY:
                    self._try_english(event.take)
            case e.TranscriptionShown():
                self._try_english(event.take)
            case e.RecordingStarted() if self.hearing is not None and event.channels:
                self.hearing.expect(event.take, event.channels[0].rate)
            case e.RecordingStopped() if self.hearing is not None:
                self.hearing.finish(event.take)
            case e.AnswerSent() | e.CannedSent() if event.take == self._picked:
                self._picked = ""
            case _:
                pass

    def _try_english(self, take: str) -> None:
        """The transcription goes to the English front end the moment that the subject has seen it, and never before."""
        text = self._wanted.pop(take, "")
        if text and self.state.running is None and self.take is not None and self.take.take == take:
            self.ask(text, Language.ENGLISH, origin="transcription")

    def _need_take(self) -> Take | None:
        take = self.take
        if take is None:
            self._say("The subject has not said anything yet.")
        return take

    def _give(self, command: c.AnyCommand) -> None:
        self.message = ""
        self._up.give(command)

    def _say(self, message: str) -> None:
        self.message = message
        self._changed()
