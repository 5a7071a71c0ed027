"""The subject's terminal without a screen: press, release, discard, declare, read.

Everything that happens here is journalled on this machine's disk before it goes up, and given again until the hub has it.
No text of this module names what is behind the curtain.
"""

from collections.abc import Callable, Sequence

from session import commands as c
from session import events as e
from session.protocol.links import CommandAnswered, FactReceived, HistoryReset, LinkEvent
from session.protocol.messages import CompletionCode, ResendRequest, SpeechChunk, Welcome
from session.rules.utterance_acceptance import SCENARIO_OVER
from session.state.fold import SessionState, Take, evolve
from session.state.session_state import is_shown
from session.study.settings import Profile
from session.values.clock import Clock, Stamp, stamp
from session.values.consent import ConsentScope
from session.values.names import ulid
from session.values.vocabulary import AudioTrouble, RecordingControl, ResponseClass, Step
from subject.core.reply_speech import ReplySpeech
from subject.core.shown_on_screen import ScreenRecord
from subject.core.visit_stations import AT_WORK, MICROPHONE_CLOSED, OVER_WITH, Visit
from subject.core.visit_stations import Phase as Phase
from subject.ports import RecorderPort, Seen, SpoolPort, SubjectUplink
from subject.spool.spool import named, nothing_left
from subject.spool.uploads import Uploads


class Terminal:
    """The subject's use-cases over one link; every method belongs to the event loop's thread."""

    def __init__(
        self,
        clock: Clock,
        up: SubjectUplink,
        keeping: SpoolPort,
        changed: Callable[[], None],
        new_id: Callable[[], str] | None = None,
    ) -> None:
        self.state = SessionState()
        self.lamp = self.held = self.message = self.completion_code = ""
        self.connected = self._stopping = False
        self._clock, self._up, self._keeping = clock, up, keeping
        self._changed = changed
        self._new_id = new_id or (lambda: ulid(clock.wall_ns()))
        self._recorder: RecorderPort | None = None
        self.lost_microphones: dict[str, str] = {}
        self._painted, self._own = ScreenRecord(), set[str]()
        self._have = self._known = self.ended_by_itself = self.calls_answered = 0
        self._sized: tuple[int, int] | None = None
        self._troubles: list[str] = []
        self.visit = Visit(clock, lambda: self.state, self._report)
        self.speech = ReplySpeech(clock, lambda: self.state, self._report)
        self._uploads = Uploads(up, keeping.read)
        self._asked: bool | None = None

    # --- what the screen asks -----------------------------------------------------------------------------------------

    @property
    def profile(self) -> Profile | None:
        return self.state.opened.protocol.profile if self.state.opened else None

    @property
    def typed(self) -> bool:
        """Return whether utterances are typed instead of spoken."""
        return self.profile is not None and self.profile.recording is RecordingControl.TYPED

    @property
    def operated(self) -> bool:
        """Return whether takes begin and end without the subject's doing."""
        return self.profile is not None and self.profile.recording is RecordingControl.OPERATOR

    @property
    def last_take(self) -> Take | None:
        takes = self.state.takes
        return takes[next(reversed(takes))] if takes else None

    @property
    def understood(self) -> Take | None:
        """The utterance whose transcription is to be shown now."""
        return self._painted.next_transcription(self.state.takes_of(len(self.state.runs) - 1))

    @property
    def phase(self) -> Phase:
        """The one state that the screen shows."""
        profile = self.profile
        if profile is None:
            return Phase.CONNECTING
        if self.lamp:
            return Phase.RECORDING
        if self.held:
            return Phase.PRESSED
        if self.state.ended:
            return Phase.ENDED
        if (step := self.visit.step) is not None:
            return Phase.CONSENT if step is Step.CONSENT else Phase.STEP
        if self.state.withdrawn is not None:
            return Phase.WITHDRAWN
        if self.state.paused:
            return Phase.PAUSED
        if self.state.run is None:
            return Phase.BETWEEN
        return Phase.WORKING if self.state.waiting() else Phase.SPEAKING if self.speech.speaking else Phase.READY

    @property
    def may_talk(self) -> bool:
        """Return whether a press begins an utterance now; one more while the system works is speech too and waits."""
        return self._may_begin and not self.operated

    @property
    def _may_begin(self) -> bool:
        return self.phase in AT_WORK and not self.typed and self.speech.may_be_interrupted

    @property
    def may_be_recorded(self) -> bool:
        """Return whether the subject agreed to it, or was not asked."""
        return self.state.allows(ConsentScope.RECORD)

    @property
    def over(self) -> bool:
        """Return whether the subject has stopped taking part or the session has ended: nothing more is recorded."""
        return self._stopping or self.state.withdrawn is not None or self.state.ended

    @property
    def microphone_wanted(self) -> bool:
        """Return whether the microphone may be open; a take that is still being recorded keeps it until its tail is in."""
        return bool(self.held or self.lamp) or (self.may_be_recorded and not self.over)

    def use(self, recorder: RecorderPort | None) -> None:
        """The recorder to talk into, opened by the caller after consent; None when there is no microphone."""
        self._recorder = recorder
        if recorder is not None:
            self._switch_recording()  # asked for before it was open

    @property
    def listening(self) -> bool:
        """Return whether a recorder is open."""
        return self._recorder is not None

    def press(self, at: Stamp | None = None) -> bool:
        """The button goes down; False with a `message` when nothing can be recorded."""
        return not self.operated and self._begin(at)

    def _begin(self, at: Stamp | None = None) -> bool:
        in_tail = bool(self.lamp) and not self.held
        if self.held or not (self._may_begin or in_tail):
            return False
        if self._recorder is None:
            self.show_message(MICROPHONE_CLOSED)
            return False
        at = at or stamp(self._clock)
        self.speech.interrupt()
        self.held = self._recorder.press(self._new_id(), at)
        self._own.add(self.held)
        self.message = ""
        self._report(e.TalkPressed(at=at, take=self.held))
        self._changed()
        return True

    def release(self, why: str = "released", at: Stamp | None = None) -> None:
        """The button goes up, or what ends the take in its place: lost focus, a lost mouse-up."""
        if not self.operated:
            self._end(why, at)

    def _end(self, why: str, at: Stamp | None = None, *, tail: bool = True) -> None:
        if not self.held or self._recorder is None:
            return
        at = at or stamp(self._clock)
        take, self.held = self.held, ""
        self._recorder.release(take, at, tail=tail)
        self._report(e.TalkReleased(at=at, take=take, why=why))
        self._changed()

    def end_pointed(self, found: e.EndPointed, why: str) -> None:
        """The utterance is over, and the end-pointer's own quiet its tail; it has no say where the subject was quicker."""
        if self.held == found.take:
            self._report(found)
            self.ended_by_itself += 1
            self._end(why, found.at, tail=False)

    def type(self, text: str) -> None:
        """An utterance from the keyboard, where the profile says so."""
        if self.typed and text.strip() and self.phase in AT_WORK:
            self.speech.interrupt()
            self._report(e.UtteranceTyped(at=stamp(self._clock), take=self._new_id(), text=text))

    def discard(self) -> None:
        """Take back what was said last."""
        if take := self.last_take:
            self._up.give(c.DiscardTake(id=self._new_id(), at=stamp(self._clock), take=take.take))

    def declare(self, solution: str) -> None:
        """The scenario is solved."""
        self._up.give(c.DeclareSolution(id=self._new_id(), at=stamp(self._clock), solution=solution))

    def give_up(self) -> None:
        """The scenario is given up."""
        self._up.give(c.GiveUp(id=self._new_id(), at=stamp(self._clock)))

    def call(self) -> None:
        """Ask for the experimenter."""
        self._report(e.ExperimenterCalled(at=stamp(self._clock)))

    def withdraw(self, erase: bool) -> None:
        """Stop taking part; with `erase` nothing that was said may be kept."""
        self._stopping = True
        self._end("withdrawn")
        self.visit.withdraw(erase)
        self._changed()

    def return_to(self, take: str) -> None:
        """Continue in the context of an earlier utterance."""
        if take in self.state.takes:
            self._report(e.ContextSwitched(at=stamp(self._clock), target=take))

    def sized(self, columns: int, lines: int) -> None:
        """The room for an answer has changed."""
        if (columns, lines) != self._sized:
            self._sized = (columns, lines)
            self._report(e.ScreenSized(at=stamp(self._clock), columns=columns, lines=lines))

    def transcription_painted(self, take: str) -> None:
        """The newest transcription of `take` is on the screen."""
        known = self.state.takes.get(take)
        if known is not None and self._painted.transcription(known):
            name = f"{take}-shown{len(known.transcriptions)}"
            fact = e.TranscriptionShown(at=stamp(self._clock), take=take)
            self._up.give(self.journalled(fact, name))
            self._changed()

    def reply_painted(self, reply: str, first: int, last: int) -> None:
        """Lines `first` to `last` of a reply are on the screen for the first time."""
        self.saw([Seen(reply, first, last)])

    def saw(self, seen: Sequence[Seen]) -> None:
        """Report what one painting showed of which replies, with one wait for the disk, what is new there first."""
        if facts := self._painted.replies(seen, stamp(self._clock)):
            self._report(*facts)
        self._switch_recording()

    # --- what arrives -------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Give what an earlier run of this desk left in its journal."""
        for report in self._keeping.pending():
            self._up.give(report)
        self._report_troubles()

    def fact(self, fact: e.Fact) -> None:
        """A fact of the recorder's; call it in the event loop's thread."""
        self.recorder_reported(self.journalled(fact))

    def journalled(self, fact: e.Fact, name: str = "") -> c.Report:
        """Have a fact on this machine's disk; any thread may call it. Without a `name` it has the one that follows from it."""
        report = self._as_report(fact, name)
        self._keeping.add(report)
        return report

    def _as_report(self, fact: e.Fact, name: str = "") -> c.Report:
        return c.Report(id=name or named(fact) or self._new_id(), event=fact)  # type: ignore[arg-type]  # subject's facts

    def recorder_reported(self, report: c.Report) -> None:
        """A fact of the recorder's was journalled; call it in the event loop's thread."""
        match report.event:
            case e.TalkPressed(take=take):  # of a desk whose button stands elsewhere
                self.held = take
                self._own.add(take)
            case e.RecordingStarted(take=take):
                self.lamp = take
            case e.TalkReleased(take=take) | e.RecordingStopped(take=take) as ended:
                self.ended_by_itself += self.held == take
                self.held = "" if self.held == take else self.held
                if isinstance(ended, e.RecordingStopped) and self.lamp == take:
                    self.lamp = ""
            case e.AudioTroubled(trouble=AudioTrouble.DEVICE_LOST):
                self.lost_microphones[report.event.letter] = report.event.detail
            case e.AudioTroubled(trouble=AudioTrouble.DEVICE_CHANGED):
                self.lost_microphones.pop(report.event.letter, None)
            case _:
                pass
        self._up.give(report)
        self._report_troubles()
        self._changed()

    def receive(self, happening: LinkEvent) -> None:
        """Something came from the hub."""
        match happening:
            case FactReceived():
                self.state = evolve(self.state, happening.recorded)
                self._have = happening.recorded.seq
                self._on_fact(happening.recorded.event)
                if self._have == self._known:
                    self._end_interrupted()
                self._switch_recording()
            case CommandAnswered():
                self._keeping.acknowledge(happening.command)
                if happening.refusal:
                    self.show_message(happening.refusal)
            case ResendRequest():
                self._uploads.begin(happening)
            case SpeechChunk():
                self.speech.receive(happening)
            case CompletionCode():
                self.completion_code = happening.code
            case HistoryReset():
                self.state, self._have = SessionState(), 0
                self._painted.forget()
            case Welcome():
                self.connected, self._known = True, happening.facts
                if self._have >= self._known:
                    self._end_interrupted()
                    self._switch_recording()
            case _:
                return
        if self._have >= self._known:  # a long story is shown when it is all there
            self._changed()

    def playback_changed(self, change: Callable[[ReplySpeech], None]) -> None:
        """The player has told something; call it in the event loop's thread."""
        change(self.speech)
        self._switch_recording()
        self._changed()

    def lost(self) -> None:
        """The connection is gone; speaking goes on."""
        self.connected = False
        self._changed()

    def _on_fact(self, event: e.Fact) -> None:
        if isinstance(event, OVER_WITH) and (self._recorder or self.typed):
            self.message = ""  # what was refused before does not hold now
        match event:
            case e.TakeConfirmed():
                for sealed in event.sealed:
                    self._keeping.confirm(event.take, sealed.letter, sealed.samples, sealed.sha256)
            case e.AnswerSent() | e.CannedSent() if event.response is not ResponseClass.FILLER:
                self.message = ""
            case e.CallAnswered():
                self.calls_answered += 1
            case e.TranscriptionShown():
                self._painted.transcription_known(self.state.takes.get(event.take))
            case e.ReplyShown():
                self._painted.reply_known(event.reply)
            case e.SessionEnded() | e.WithdrawalRequested():
                self._end("session over")
            case e.ScenarioEnded() if self.operated and self.held:
                self._end(SCENARIO_OVER)
            case e.RecordingSwitched():
                self._asked = event.on
            case e.TalkPressed() | e.ScenarioEnded() | e.SessionPaused() if self._asked:
                self._asked = None
            case _:
                pass

    def _switch_recording(self) -> None:
        """Begin or end the take that was asked for; it begins when the last reply is on the screen, and not before."""
        if self._asked is None or self._have < self._known:
            return
        if not self._asked:
            self._asked = None
            self.ended_by_itself += bool(self.held)
            self._end("switched off")
        elif self.held or (not self._unread and self._begin()):
            self._asked = None

    @property
    def _unread(self) -> bool:
        """Return whether a reply to the last utterance is still to be painted."""
        replies = [self.state.replies[name] for name in (self.last_take.replies if self.last_take else ())]
        return self._painted.lacks(reply.reply for reply in replies if is_shown(self.state, reply))

    def _end_interrupted(self) -> None:
        """End what an earlier run of this desk was playing, and takes of which no sample reached the disk."""
        self.speech.give_up_interrupted()
        for take in self.state.takes.values():
            if not (take.complete or take.take in self._own or self._keeping.holds(take.take)):
                self._own.add(take.take)
                self._report(nothing_left(take.take, stamp(self._clock)))

    def _report(self, *facts: e.Fact) -> None:
        reports = [self._as_report(fact) for fact in facts]
        self._keeping.add(*reports)
        for report in reports:
            self._up.give(report)
        self._report_troubles()

    def _report_troubles(self) -> None:
        """Return the problems of this desk's folder goes to those who can mend it, once as long as it lasts."""
        found = self._keeping.troubles
        new = [text for text in found if text not in self._troubles]
        self._troubles, now = found, stamp(self._clock)
        for text in new:
            event = e.AudioTroubled(at=now, take="", trouble=AudioTrouble.DISK, letter="s", detail=text)
            self._up.give(self.journalled(event))

    def show_message(self, message: str) -> None:
        """Show this until the next press or reply."""
        self.message = message
        self._changed()
