"""The wizard's console without a screen: hear, transcribe, query, revise, preview, send, and the keys around it.

What lies before the wizard while doing so is `wizard.core.selection`. The console holds nothing that the events do not tell,
except the text that is being typed.
"""

from collections.abc import Callable

from session import commands as c
from session import events as e
from session.protocol.links import CommandAnswered, FactReceived, HistoryReset, LinkEvent
from session.protocol.messages import AudioChunk, DeskPresence, DeskTurnedAway, HubTrouble, Welcome
from session.protocol.side_messages import (
    AdmitRequest,
    ClosingResponse,
    DraftTyped,
    LobbyState,
    MenuResponse,
    SchemaResponse,
    SolutionResponse,
    ValuesResponse,
)
from session.rules.decide import LONGEST_TEXT
from session.state.fold import SessionState, evolve
from session.values.answers import digest
from session.values.clock import SECOND, Clock, stamp
from session.values.names import ulid
from session.values.vocabulary import (
    EDITED,
    PROPOSED,
    Echo,
    Language,
    ProposalVerdict,
    ResponseClass,
    Role,
    Stage,
)
from session.visibility import access
from wizard.core.console_commands import NOTHING_SAID, Commands
from wizard.core.hub_info import HubInfo
from wizard.core.permissions import may
from wizard.core.ports import VoicePlayer, WizardUplink
from wizard.core.turn_times import Times
from wizard.core.word_endings import ending

MOST_FILLED = 9
TURNED_AWAY_FOR_S = 60
"""So long a desk that was not let in is told of."""


class Console(Commands):
    """The wizard's use-cases over one link; every method belongs to the event loop's thread."""

    def __init__(
        self,
        clock: Clock,
        up: WizardUplink,
        changed: Callable[[], None],
        new_id: Callable[[], str] | None = None,
        english: bool = False,
        offset: Callable[[], int] = lambda: 0,
        exchange: Callable[[], tuple[int, int]] = lambda: (0, 0),
    ) -> None:
        super().__init__(clock, offset, up, new_id or (lambda: ulid(clock.wall_ns())))
        self.trouble = ""
        self.turned_away: DeskTurnedAway | None = None
        self.turned_away_ns = 0
        self.lobby = LobbyState()
        self.connected = False
        self.exchange = exchange
        """Nanoseconds that the last exchange with the hub took, and for how long there was none."""
        self.times = Times()
        self.hub_info = HubInfo(up.ask)
        self.invitation = ""
        """The line with which the participant connects, or the address of the page, where this console knows it."""
        self._changed = changed
        self.hearing: VoicePlayer | None = None
        # A reply's name crosses the curtain; one that told the time would tell when the reply was ready.
        self._new_reply = new_id or (lambda: ulid(0))
        self._english = english
        self._previewed: set[str] = set()
        self._wanted: dict[str, str] = {}
        self._typed: dict[str, str] = {}
        self._canned: c.SendCanned | None = None
        self.returned: c.SendCanned | None = None
        """The canned message that the hub refused last, to be put right."""
        self._known = 0
        self.bindings: dict[str, str] = {}
        """What the placeholders of the scenario stand for."""
        self.filled: tuple[str, ...] = ()
        """What filled the blanks of earlier replies, the newest first."""

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

    def transcribe(self, text: str, *, as_it_stood: bool = False) -> None:
        """Transcribe what was said, or take the draft as it stood; shown to the subject as the profile says. Words that were
        typed are there: they are asked at once."""
        if take := self._need_take():
            first, draft = self._english and may(self.role, "query") and not take.attempts, self.draft
            if not text or text != take.text:
                taken = self.hypotheses.index(draft) if as_it_stood and draft is not None else None
                self._give(
                    c.Transcribe(id=self._new_id(), at=stamp(self._clock), take=take.take, text=text, hypothesis=taken)
                )
                self._wanted |= {take.take: text} if first else {}
            elif first and take.take not in self._wanted:
                self.ask(text, Language.ENGLISH, origin="transcription")

    def word_ending(self, before_cursor: str) -> str:
        """Return how the word that is being typed may go on."""
        return ending(self.state, before_cursor)

    def request_ending(self, before_cursor: str) -> str:
        """Return how the word of a request that is being typed may go on."""
        return ending(self.state, before_cursor, asked=True)

    def type_draft(self, text: str) -> None:
        """Let the other wizard, if there is one, read along; what already exists, she knows."""
        take = self.take
        if take is None or not any(access(Role(peer)).drafts for peer in self.peers if peer != self.role):
            return
        known = self.draft.text if self.draft is not None else take.text
        if text != self._typed.get(take.take, known) and may(self.role, "transcribe"):
            self._typed[take.take] = text
            self._up.ask(DraftTyped(take.take, text[:LONGEST_TEXT]))

    def choose(self, place: int) -> None:
        """Put the hypothesis at this place of the order in the transcription's place, to be taken or corrected."""
        if take := self._need_take():
            self._chosen[take.take] = place
            self._changed()

    def reject_words(self) -> None:
        """Say that the recogniser's words are of no use."""
        if take := self._need_take():
            name = self._new_id()
            self._give(
                c.JudgeOutput(id=name, stage=Stage.RECOGNITION, take=take.take, verdict=ProposalVerdict.REJECTED)
            )

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

    def turn_context(self) -> None:
        """Read the utterance at hand by itself, or again in its context; what was asked in English is asked again."""
        if (take := self._need_take()) is None:
            return
        self._alone ^= {take.take}
        attempt = self.attempt
        if attempt is not None and attempt.language is not Language.SQL and not self.state.answered(take):
            self.ask(attempt.text, attempt.language, attempt.origin)
        else:
            self._changed()

    def propose(self, words: str = "") -> None:
        """Ask the outside engine, if the study names one, for a statement; its rows are previewed like any others.

        `words` are those in the query's line. Without any, the last request is asked again, or what was transcribed.
        """
        if take := self._need_take():
            attempt = self.attempt
            own = attempt is not None and attempt.language is not Language.SQL
            self.ask(words or (attempt.text if attempt and own else take.text), Language.PROPOSAL, PROPOSED)

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
            self._show_message("There are no rows to send: ask the database, or choose a canned message.")
            return
        self._give(c.SendAnswer(id=self._new_reply(), attempt=attempt.attempt, sha256=digest(text), response=response))

    def send_canned(self, message: str, blanks: tuple[str, ...] = ()) -> None:
        """Release a canned message in reply to the utterance, or with none as a greeting or filler."""
        take = self.take
        waiting = take is not None and not self.state.answered(take) and take.complete
        answered = take.take if take and waiting else ""
        self._canned = c.SendCanned(id=self._new_reply(), message=message, blanks=blanks, take=answered)
        self._give(self._canned)

    def send_text(self, text: str, response: ResponseClass = ResponseClass.DIRECTIVE) -> None:
        """Release a text of one's own where the profile allows it."""
        if take := self._need_take():
            self._give(c.SendText(id=self._new_reply(), take=take.take, text=text, response=response))

    # --- what arrives -------------------------------------------------------------------------------------------------

    def receive(self, happening: LinkEvent) -> None:
        """Something came from the hub. What had happened before this desk came is shown when it is all there."""
        match happening:
            case FactReceived():
                self.state = evolve(self.state, happening.recorded)
                self.times.note(happening.recorded)
                self.hub_info.noted(self.state)
                self._on_fact(happening.recorded.event)
                if self.message == NOTHING_SAID and self.take is not None:
                    self.message = ""
                if happening.recorded.seq < self._known:
                    return
            case CommandAnswered():
                if happening.refusal and self._canned is not None and happening.command == self._canned.id:
                    self.returned = self._canned
                self._answered(happening.command, happening.refusal)
            case DeskPresence():
                self._presence(happening)
            case DeskTurnedAway():
                self.turned_away = happening
                self.turned_away_ns = self._clock.monotonic_ns()
            case HubTrouble():
                self.trouble = happening.text
            case HistoryReset():
                self.state = SessionState()
            case Welcome():
                self.connected, self.role, self._known = True, Role(happening.role), happening.facts
                self.hub_info.welcomed(self.role, self.state)
            case (
                MenuResponse()
                | SchemaResponse()
                | ClosingResponse()
                | ValuesResponse()
                | SolutionResponse() as response
            ):
                self.hub_info.receive(response)
            case LobbyState():
                self.lobby = happening
            case DraftTyped():
                self.drafts[happening.take] = happening.text
            case AudioChunk():
                if self.hearing is not None:
                    self.hearing.frame(happening.take, happening.letter, happening.first, happening.pcm)
                return
            case _:
                return
        self._changed()

    @property
    def lately_turned_away(self) -> DeskTurnedAway | None:
        """The desk that was not let in last, for a minute."""
        over = self._clock.monotonic_ns() - self.turned_away_ns > TURNED_AWAY_FOR_S * SECOND
        return None if over else self.turned_away

    def lost(self) -> None:
        """The connection to the hub is gone."""
        self.connected = False
        if self.subject_connected:
            self.subject_lost_ns = self._clock.monotonic_ns()
        self.peers.clear()
        self.drafts.clear()
        self.lobby = LobbyState()
        self._changed()

    def admit(self) -> None:
        """See to who calls, or let in who is first in the lobby."""
        if self.state.called:
            self.answer_call()
        else:
            self._up.ask(AdmitRequest())

    def _presence(self, desk: DeskPresence) -> None:
        if desk.role == Role.SUBJECT:
            gone = self.subject_connected and not desk.up
            self.subject_lost_ns = self._clock.monotonic_ns() if gone else None if desk.up else self.subject_lost_ns
        (self.peers.add if desk.up else self.peers.discard)(desk.role)

    def _on_fact(self, event: e.Fact) -> None:
        match event:
            case e.Transcribed():
                self.drafts.pop(event.take, None)
                self._typed.pop(event.take, None)
                if self.profile.echo is not Echo.BEFORE_QUERY:
                    self._try_english(event.take)
            case e.ScenarioStarted():
                self.bindings = event.bindings
                self._picked = ""  # what was looked at again is of a task that is over; the next one has its own turns
                self.hub_info.scenario_began(len(self.state.runs) - 1, event.scenario, event.bindings)
            case e.CannedSent() if event.blanks:
                self.filled = (*event.blanks, *self.filled)[:MOST_FILLED]
                self._picked = "" if event.take == self._picked else self._picked
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
