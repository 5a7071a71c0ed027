"""One session on the experimenter's page, from what an observer may see of it: a line of words, a level, a call.

The state that is shown is folded here from the facts that `session.visibility` gives to an observer, and from nothing else, so
that what that role may not see cannot stand on the page.
"""

from collections.abc import Mapping, Set

import numpy as np

from server.overview.overview_words import clock_time, page_words
from session.events import Recorded
from session.hub.attached_desk import Desk
from session.hub.session_actor import SessionActor
from session.protocol.messages import (
    AudioChunk,
    DeskPresence,
    DeskTurnedAway,
    FactMessage,
    HubMessage,
    HubTrouble,
    Refusal,
    Sound,
)
from session.rules.visit_steps import current_step
from session.state.fold import evolve
from session.state.session_state import SessionState, paused_until
from session.values.clock import SECOND, Clock, Stamp, elapsed, stamp
from session.values.sanitize import inert
from session.values.vocabulary import Role

SILENCE_DB = -60.0
HEARD_FOR_NS = SECOND
"""So long after the last piece of sound its level is shown."""
REFUSED_FOR_NS = 60 * SECOND
"""So long a desk that was not let in stands on the page."""


class SessionView:
    """One session as an observer follows it."""

    def __init__(self, session: SessionActor, clock: Clock) -> None:
        self.session = session
        self.state = SessionState()
        self.here: set[str] = set()
        self.trouble = ""
        self.refusal = ""
        self.gone = False
        self._clock = clock
        self._refused: tuple[int, str] | None = None
        self._sound: tuple[int, bytes] | None = None
        self.desk = Desk(Role.OBSERVER, "overview", clock.name, 0, self._hear, self._leave)

    def _leave(self, _why: str) -> None:
        self.gone = True

    def _hear(self, message: HubMessage | Sound) -> None:
        match message:
            case FactMessage(recorded=Recorded() as recorded):
                self.state = evolve(self.state, recorded)
            case AudioChunk(letter="s", pcm=pcm):
                self._sound = self._clock.monotonic_ns(), pcm
            case DeskPresence(role=role, up=up):
                self.here = {*self.here, role} if up else self.here - {role}
            case DeskTurnedAway(reason=reason):
                self._refused = self._clock.monotonic_ns(), f"page.refused_{reason.value}"
            case HubTrouble(text=text):
                self.trouble = text
            case Refusal(reason=reason):
                self.refusal = reason
            case _:
                pass

    def level(self) -> float:
        """Peak of the sound that came last, in dB of full scale."""
        if self._sound is None or self._clock.monotonic_ns() - self._sound[0] > HEARD_FOR_NS:
            return SILENCE_DB
        samples = np.frombuffer(self._sound[1], dtype="<i2")
        peak = float(np.abs(samples.astype(np.int32)).max(initial=0)) / 32_768
        return round(max(SILENCE_DB, 20 * float(np.log10(max(peak, 1e-6)))), 1)

    def told(self, language: str) -> str:
        """Trouble of this session's hub, otherwise a desk that was not let in of late; empty if there is neither."""
        if self.trouble or self._refused is None:
            return self.trouble
        since, said = self._refused
        late = self._clock.monotonic_ns() - since > REFUSED_FOR_NS
        return "" if late else page_words(language)[said].format(session=self.session.name)

    def row(self, language: str) -> dict[str, object]:
        """The line of this session on the page, in words of `language`."""
        words, state, now = page_words(language), self.state, stamp(self._clock)
        link = {True: words["link.up"], False: words["link.down"]}
        return {
            "session": self.session.name,
            "speaker": state.opened.speaker.id if state.opened is not None else "",
            "stage": _stage(state, Role.SUBJECT in self.here, words),
            "waits": _waits(state, self.here, words, now),
            "link": link[Role.SUBJECT in self.here],
            "operator": link[Role.WIZARD in self.here],
            "level": self.level(),
            "left": _left(state, now),
            "called": state.called and not state.ended,
            "ended": state.ended,
        }


def _stage(state: SessionState, subject_here: bool, words: Mapping[str, str]) -> str:
    if state.ended:
        return words["stage.ended"]
    step = current_step(state)
    if state.run is not None:
        title = inert(state.run.title, newlines="space")
        number = state.run.number
        stage = words["stage.practising"] if number is None else words["stage.task"]
        stage = stage.format(number=number, title=title)
    elif step is None:
        stage = words["stage.scenarios"]
    elif not subject_here and state.consent is None:
        stage = words["stage.nobody"]
    else:
        stage = words[f"stage.{step}"]
    if state.paused is None:
        return stage
    return words["stage.paused"].format(stage=stage, reason=inert(state.pause_reason, newlines="space"))


def _waits(state: SessionState, here: Set[str], words: Mapping[str, str], now: Stamp) -> str:
    """Say who waits, and for what: a call before everything else, since it continues until it is answered."""
    if state.ended:
        return ""
    if state.erasure_requested:
        return words["waits.erasure"]
    if state.called:
        return words["waits.called"]
    if waiting := state.waiting():
        since = waiting[0].waiting_since
        time = clock_time(elapsed(since, now) if since is not None else 0)
        return words["waits.answer" if len(waiting) == 1 else "waits.several"].format(count=len(waiting), time=time)
    if Role.SUBJECT not in here:
        return words["waits.nobody"]
    if Role.WIZARD not in here:
        return words["waits.operator"]
    if state.talking is not None:
        return words["waits.talking"]
    return words["waits.task" if state.run is None and current_step(state) is None else "waits.nobody"]


def _left(state: SessionState, now: Stamp) -> str:
    """The time until the task's limit, pauses left out; empty without one."""
    run, opened = state.run, state.opened
    if run is None or run.number is None or opened is None or not opened.protocol.profile.scenario_limit_s:
        return ""
    used = elapsed(run.started, now) - (paused_until(state, now) - run.paused_before)
    return clock_time(max(0, round(opened.protocol.profile.scenario_limit_s * SECOND) - used))
