"""The actor of one session: what desks ask for is decided, appended, folded and sent, in this order under one lock.

So whatever a desk is told is on disk already, and a desk that was cut off can be told it again. It knows no socket and no screen.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from session import events as e
from session.commands import AnyCommand, CancelQuery, Report
from session.hub.attached_desk import CONNECTED_ANEW, HUB_CLOSES, Desk
from session.hub.group_commit import GroupCommit, LinkLog
from session.hub.history import History, links_stream
from session.hub.hub_words import console_says, not_recorded, words_for
from session.hub.query_runner import QueryBackend, run_query
from session.hub.reply_voice import VoiceOf, VoicePort
from session.hub.reply_voicing import ReplyVoicing
from session.hub.side_requests import SideRequests, StudyInformation
from session.hub.take_confirmation import TakeConfirmation, TakeStore, disk_trouble
from session.hub.thread_groups import ThreadGroups
from session.protocol.messages import (
    Ack,
    AudioChunk,
    CompletionCode,
    DeskPresence,
    FactMessage,
    HubMessage,
    HubTrouble,
    Refusal,
    ResendRequest,
    SpeechChunk,
)
from session.rules.deadlines import due, next_due
from session.rules.decide import RequestRefused, decide, needs_domain_words
from session.rules.earlier_requests import earlier_requests, judged
from session.rules.operator_deadlines import gone
from session.rules.replies import rows_said
from session.rules.scenario_start import certified_by, needs_certificates
from session.rules.stage_holding import STAGE_OF
from session.state.fold import SessionState
from session.store.types import Entry, SecondWriter, StoreUnavailable
from session.study.screen_words import Sentence
from session.values.answers import FailureKind
from session.values.clock import SECOND, Clock, stamp
from session.values.vocabulary import Role, Stage
from session.visibility import hears

LOG = logging.getLogger(__name__)
RETRY_S = 1.0
STOP_WITHIN_S = 1.0
LINGER_S = 3600
"""The time after a session's end, and after the last fact that came late, in which its desks may come back."""
AT_A_TIME = 100


class SessionActor:
    """The actor of one session."""

    def __init__(
        self, name: str, history: History, links: int, group: GroupCommit, recordings: TakeStore, database: QueryBackend,
        clock: Clock, beside: StudyInformation, voice: VoiceOf | None, threads: ThreadGroups,
    ) -> None:  # fmt: skip
        self.name = name
        self.asides = SideRequests(name, beside, self._spawn, self.tell_consoles, threads)
        # Held while a desk comes in: of two at the same moment the second sees the first.
        self.entering = asyncio.Lock()
        self._group = group
        self._database = database
        self._voice_of = voice
        self._clock = clock
        self._lock = asyncio.Lock()
        self._desks: list[Desk] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.Task[None] | None = None
        self._trouble = ""
        self._history = history
        self._links = LinkLog(links_stream(name), links, group, self._in_trouble)
        self._cancelled: set[str] = set()
        self._stopping = self._stopped = False
        self._settling = TakeConfirmation(
            name, recordings, self._confirmed, self._want, self._spawn, clock.sleep, self._announce, threads
        )
        self._voicing = ReplyVoicing(
            name, self._voice, recordings, clock, self._record, self._to_subject, self._spawn, self._announce, threads
        )

    @property
    def state(self) -> SessionState:
        return self._history.state

    @property
    def over(self) -> bool:
        """True when the session ended long ago and nothing is outstanding: no desk is admitted any more."""
        lately = stamp(self._clock).wall - self._history.facts[-1].at.wall < LINGER_S * SECOND
        owed = any(take.stopped is not None and not take.confirmed for take in self.state.takes.values())
        return self.state.ended and not owed and not lately

    @property
    def desks(self) -> tuple[Desk, ...]:
        return tuple(self._desks)

    def start(self) -> None:
        """Take up what an earlier run left unfinished: queries that ran, takes that were not confirmed, deadlines."""
        for attempt in self.state.attempts.values():
            if attempt.running:
                self._spawn(self._query(attempt.attempt))
        self._voicing.take_up(self.state)
        self._rearm()

    def leave_off(self) -> None:
        """Take machines that go away from now on for sent away, not for lost."""
        self._stopping = True

    async def stop(self) -> None:
        """End all work; the next run resumes what is not recorded yet."""
        self._stopping = self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        self._database.cancel()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # What the writer is committing now is to be in the store before anybody reads it again.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_WITHIN_S):
                await self._group.settled()

    # --- desks --------------------------------------------------------------------------------------------------------

    async def attach(self, desk: Desk, version: str) -> None:
        """Tell a desk all that it has missed, in parts lest others wait, then keep telling it."""
        seen, sent = self._history.seen_by(desk.role), desk.have
        while len(seen) - sent > AT_A_TIME:
            for recorded in seen[sent : sent + AT_A_TIME]:
                desk.outlet(FactMessage(recorded))
            sent += AT_A_TIME
            await asyncio.sleep(0)
        async with self._lock:
            for recorded in seen[sent:]:
                desk.outlet(FactMessage(recorded))
            if desk.access.console:
                for other in self._desks:
                    desk.outlet(DeskPresence(other.role, True))
                if self._trouble:
                    desk.outlet(HubTrouble(self._trouble))
            self._desks.append(desk)
        await self.record_link(e.DeskAttached(role=desk.role, desk=desk.name, clock=desk.clock, version=version))
        self.tell_consoles(DeskPresence(desk.role, True))
        if desk.access.records:
            self._settling.ask_again(self.state)
            self._voicing.send_again(self.state)
            self.asides.completed(self.state, self._to_subject)
        if desk.role is Role.RECOGNISER:
            self._spawn(self._settling.say_again(self.state, desk.outlet))

    async def detach(self, desk: Desk, why: str) -> None:
        """The desk's connection has ended."""
        if desk not in self._desks:
            return
        self._desks.remove(desk)
        self.tell_consoles(DeskPresence(desk.role, any(other.role is desk.role for other in self._desks), why))
        await self.record_link(e.DeskDetached(role=desk.role, desk=desk.name, why=why))
        if desk.role in STAGE_OF and why not in (HUB_CLOSES, CONNECTED_ANEW) and not self._stopping:
            await self._machine_gone(STAGE_OF[desk.role], why)

    async def _machine_gone(self, stage: Stage, why: str) -> None:
        async with self._lock:
            with contextlib.suppress(StoreUnavailable, SecondWriter):
                await self._append(gone(self.state, stage, why), "hub", "")

    def compared(self, desk: Desk, mono: int, offset: int, uncertainty: int) -> None:
        """A desk has measured its clock against the hub's."""
        fact = e.ClockCompared(clock=desk.clock, mono=mono, offset=offset, uncertainty=uncertainty)
        self._links.note(Entry(stamp(self._clock), "hub", "", fact))

    def dismiss(self, role: Role, why: str) -> None:
        """Close the connections of all desks of a role."""
        for desk in self.desks:
            if desk.role is role:
                desk.leave(why)

    def seen_by(self, role: Role) -> Sequence[e.Recorded]:
        """Return the facts that there are for a desk of this role."""
        return self._history.seen_by(role)

    # --- commands -----------------------------------------------------------------------------------------------------

    async def command(self, desk: Desk, command: AnyCommand) -> None:
        """Decide, append, fold, send; then acknowledge or refuse to the desk that asked.

        A report waits while the store cannot take it; a request is refused then, so that nobody believes it done.
        """
        while True:
            try:
                # A desk that goes away in the middle of a commit must not leave the fold behind the store.
                await asyncio.shield(self._spawn(self._settle_command(desk, command)))
                break
            except (StoreUnavailable, SecondWriter) as error:
                self._in_trouble(str(error))
                if not isinstance(command, Report):
                    desk.outlet(Refusal(command.id, not_recorded(self.state, desk.role)))
                    return
                if isinstance(error, SecondWriter):
                    # Without an acknowledgement the desk keeps its report and gives it to whichever hub is right.
                    return
                await self._clock.sleep(RETRY_S)

    async def _settle_command(self, desk: Desk, command: AnyCommand) -> None:
        async with self._lock:
            desk.outlet(await self._decided(desk, command))

    async def _decided(self, desk: Desk, command: AnyCommand) -> Ack | Refusal:
        if not self._history.followed_from(command.id):
            needed = needs_domain_words(self.state, command)
            domain = await asyncio.to_thread(self._database.words) if needed else frozenset[str]()
            state = self.state
            if needs_certificates(state, command):
                state = certified_by(state, await asyncio.to_thread(self.asides.certified))
            decision = decide(state, command, desk.role, stamp(self._clock), domain)
            if isinstance(decision, RequestRefused):
                self._spawn(self._refused(desk, command, decision.reason))
                return Refusal(command.id, decision.shown(words_for(self.state, desk.role)))
            await self._append(decision, desk.role, command.id)
            if isinstance(command, CancelQuery):
                self._cancelled.add(command.attempt)
                self._database.cancel()
        return Ack(command.id)

    async def _refused(self, desk: Desk, command: AnyCommand, reason: str) -> None:
        await self.record_link(e.CommandRefused(role=desk.role, command=type(command).__name__, reason=reason))

    async def _append(self, facts: Sequence[e.Fact], by: str, cause: str) -> None:
        """Make facts durable, fold them, send them, and start what follows from them. The caller holds the lock."""
        if not facts:
            return
        if self._stopped:  # desks that are still on their way out; another actor may be at work on the session
            raise SecondWriter("The session is read anew.")
        now = stamp(self._clock)
        entries = [Entry(now, by, cause, fact) for fact in judged(self.state, facts, now)]
        recorded = await self._group.append(self.name, len(self._history.facts), entries)
        if self._trouble:
            self._announce(self._settling.in_the_way)
        for record in recorded:
            shown = self._history.add(record)
            for desk in self._desks:
                if (view := shown[desk.role]) is not None:
                    desk.outlet(FactMessage(view))
            try:
                self._follow_up(record.event)
            except Exception:
                # The fact is recorded and told; what should follow from it must not undo that.
                LOG.exception("session %s: nothing followed from fact %d", self.name, record.seq)
        self._rearm()

    def _follow_up(self, event: e.Fact) -> None:
        match event:
            case e.QuerySubmitted():
                self._spawn(self._query(event.attempt))
            case e.AnswerSent() | e.CannedSent():
                self._voicing.committed(event)
            case e.RecordingStopped():
                self._settling.stopped(event.take, event.sealed)
            case e.SessionEnded():
                self.asides.completed(self.state, self._to_subject)
            case _:
                pass

    def _voice(self, reply: str) -> VoicePort | None:
        """The voice of a reply, as the scenario has it to which the reply belongs."""
        known = self.state.replies.get(reply)
        profile = self.state.profile_at(known.run if known is not None else None)
        return self._voice_of(profile) if self._voice_of is not None and profile is not None else None

    # --- queries ------------------------------------------------------------------------------------------------------

    async def _query(self, name: str) -> None:
        attempt = self.state.attempts[name]
        context = earlier_requests(self.state, attempt)
        try:
            profile = self.state.profile_of(attempt.take)
            most = rows_said(profile) if profile else None
            fact = await run_query(self._database, self._clock, attempt, context, most)
            if (cost := self._database.consulted()) is not None:
                await self._record(e.ModelConsulted(take=attempt.take, attempt=name, **msgspec.structs.asdict(cost)))
        except Exception as error:
            # A fault is loud, but the attempt ends: the wizard must be able to ask again.
            why = f"a fault of this program: {type(error).__name__}: {error}"
            await self._record(e.QueryFailed(attempt=name, kind=FailureKind.UNAVAILABLE, message=why))
            raise
        if name in self._cancelled and isinstance(fact, e.QueryReturned):
            # The wish came before there was anything to stop: its rows are not wanted any more.
            kind, sql = FailureKind.CANCELLED, fact.sql
            fact = e.QueryFailed(attempt=name, kind=kind, message="The query was cancelled.", sql=sql, took=fact.took)
        await self._record(fact)

    async def _record(self, fact: e.Fact) -> None:
        """Append a fact of the hub's own, again and again while the store cannot take it."""
        while True:
            try:
                async with self._lock:
                    await self._append([fact], "hub", "")
            except StoreUnavailable as error:
                self._in_trouble(str(error))
                await self._clock.sleep(RETRY_S)
            except SecondWriter as error:
                self._in_trouble(str(error))
                return
            else:
                return

    # --- sound --------------------------------------------------------------------------------------------------------

    def sound(self, desk: Desk, sound: AudioChunk) -> None:
        """Keep a piece of a take and pass it to those who listen."""
        if not desk.access.records:
            return
        profile = self.state.opened.protocol.profile if self.state.opened is not None else None
        for other in self._desks:
            if profile is not None and hears(other.role, profile):
                other.outlet(sound)
        try:
            self._settling.received(sound, self.state.takes)
        except OSError as error:
            self._announce(disk_trouble(error))

    def _to_subject(self, message: SpeechChunk | ResendRequest | CompletionCode) -> None:
        for desk in self._desks:
            if desk.access.records:
                desk.outlet(message)

    def _want(self, take: str, letter: str, ranges: tuple[tuple[int, int], ...]) -> None:
        self._to_subject(ResendRequest(take, letter, ranges))

    def _confirmed(self, take: str) -> None:
        known = self.state.takes[take]
        if not known.confirmed:
            self._spawn(self._record(e.TakeConfirmed(take=take, sealed=known.sealed)))

    # --- time, links, trouble -----------------------------------------------------------------------------------------

    def _rearm(self) -> None:
        """Sleep until the next deadline; every change of state sets the alarm again."""
        wait = next_due(self.state, stamp(self._clock))
        self._set_alarm(None if wait is None else wait / SECOND)

    def _set_alarm(self, seconds: float | None) -> None:
        """In place of the one that is set; None for no alarm."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else asyncio.get_running_loop().create_task(self._alarm(seconds))

    async def _alarm(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._spawn(self._time_is_up())

    async def _time_is_up(self) -> None:
        async with self._lock:
            facts = due(self.state, stamp(self._clock))
            try:
                await self._append(facts, "hub", "")
            except StoreUnavailable as error:
                self._in_trouble(str(error))
                self._set_alarm(RETRY_S)  # it stays due
                return
            except SecondWriter as error:
                self._in_trouble(str(error))
            if not facts:
                self._rearm()

    async def record_link(self, fact: e.Fact) -> None:
        if self._stopped:
            return
        await self._links.write(Entry(stamp(self._clock), "hub", "", fact))

    def _in_trouble(self, text: str) -> None:
        if text != self._trouble:
            self._trouble = text
            self.tell_consoles(HubTrouble(text))

    def _announce(self, sentence: Sentence | None) -> None:
        self._in_trouble(console_says(self.state, sentence) if sentence is not None else "")

    def tell_consoles(self, message: HubMessage) -> None:
        for desk in self._desks:
            if desk.access.console:
                desk.outlet(message)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
