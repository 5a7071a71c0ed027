"""State of a session: everything that its facts tell, as values."""

from collections.abc import Mapping

import msgspec

from session import events as e
from session.state.records import Attempt, Reply, ScenarioRun, Take
from session.study.settings import Profile
from session.values.clock import Stamp, elapsed
from session.values.consent import ConsentScope, allowed
from session.values.persistent_map import GrowingMap
from session.values.vocabulary import Operator, ResponseClass, Stage, Step

Deviation = tuple[int, bool, str, str]
"""A deviation that was noted: how many scenarios had begun, whether one was going on, its reason and text."""


class SessionState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about a session that its events tell.

    `between_scenarios` is the session's own profile where a scenario had another one: `opened` has the one that is in force.
    `unanswered` are takes, finished or not, that were neither discarded nor answered, `asking` the attempts that run, `by_run`
    the takes of each scenario; all in the order in which they began. They follow from the others, and save a look at all
    utterances of a session at every fact. `stages` says who operates a stage since anybody was assigned to it.
    """

    session: str = ""
    opened: e.SessionOpened | None = None
    wizard: str = ""
    certified: bool | None = None
    screen: tuple[int, int] | None = None
    consent: e.ConsentGiven | None = None
    paused: Stamp | None = None
    pause_reason: str = ""
    switched_on: bool = False
    lost_microphones: Mapping[str, str] = {}
    paused_total: int = 0
    ended: bool = False
    called: bool = False
    context: str = ""
    between_scenarios: Profile | None = None
    runs: tuple[ScenarioRun, ...] = ()
    takes: GrowingMap[str, Take] = GrowingMap()
    attempts: GrowingMap[str, Attempt] = GrowingMap()
    replies: GrowingMap[str, Reply] = GrowingMap()
    unanswered: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    by_run: GrowingMap[int, tuple[str, ...]] = GrowingMap()
    planned: e.ReplyPlanned | None = None
    planned_at: Stamp | None = None
    notes: tuple[str, ...] = ()
    deviations: tuple[Deviation, ...] = ()
    began: Stamp | None = None
    instructed: bool = False
    checked: e.MicrophoneChecked | None = None
    step: e.StepBegun | None = None
    done: tuple[Step, ...] = ()
    withdrawn: e.WithdrawalRequested | None = None
    erased: bool = False
    people_acted: bool = False
    stages: Mapping[Stage, e.StageAssigned] = {}
    stage_troubles: Mapping[Stage, e.OperatorTroubled] = {}

    @property
    def session_profile(self) -> Profile | None:
        """Return the profile of the session, whatever the scenario has that is going on."""
        return self.between_scenarios or (self.opened.protocol.profile if self.opened is not None else None)

    @property
    def as_opened(self) -> e.SessionOpened | None:
        """Return the opening with the profile of the session, whatever the scenario has that is going on."""
        if self.opened is None or self.between_scenarios is None:
            return self.opened
        protocol = msgspec.structs.replace(self.opened.protocol, profile=self.between_scenarios)
        return msgspec.structs.replace(self.opened, protocol=protocol)

    def profile_at(self, run: int | None) -> Profile | None:
        """Return the profile in force in a scenario, by its place among the session's; outside any that of the session."""
        return (self.runs[run].profile if run is not None and run < len(self.runs) else None) or self.session_profile

    def profile_of(self, take: str) -> Profile | None:
        """Return the profile that an utterance is worked on with: that of its scenario, be it over; of none the one in force."""
        known = self.takes.get(take)
        if known is not None and known.run is not None:
            return self.profile_at(known.run)
        return self.opened.protocol.profile if self.opened is not None else None

    def allows(self, scope: ConsentScope) -> bool:
        """Return whether the subject agreed to this, by her latest word."""
        return scope in allowed(self.consent.scopes if self.consent else None)

    @property
    def may_be_studied(self) -> bool:
        """Return whether something may be made of what was said: the subject agreed to be recorded, written down and studied,
        and has not asked that everything be erased."""
        gone = self.erased or (self.withdrawn is not None and self.withdrawn.erase)
        return not gone and self.allows(ConsentScope.RECORD) and self.allows(ConsentScope.TRANSCRIBE)

    @property
    def erasure_requested(self) -> bool:
        """Return whether the subject has asked that everything be erased, and nobody has done it yet."""
        return self.withdrawn is not None and self.withdrawn.erase and not self.erased

    @property
    def run(self) -> ScenarioRun | None:
        """The scenario that is going on, if one is."""
        return self.runs[-1] if self.runs and self.runs[-1].outcome is None else None

    @property
    def running(self) -> Attempt | None:
        """The query that is running, if one is."""
        return self.attempts[self.asking[-1]] if self.asking else None

    @property
    def talking(self) -> Take | None:
        """The take that is being recorded, its tail left out."""
        last = self.takes[next(reversed(self.takes))] if self.takes else None
        return last if last is not None and last.talking else None

    def operator(self, stage: Stage) -> Operator | None:
        """Return who operates the stage now, as far as anybody was assigned to it."""
        return self.stages[stage].operator if stage in self.stages else None

    @property
    def counted(self) -> int:
        """Return how many scenarios count."""
        return sum(run.counts for run in self.runs)

    def takes_of(self, run: int) -> list[Take]:
        """The takes of one scenario in the order in which they began."""
        return [self.takes[name] for name in self.by_run.get(run, ())]

    def answered(self, take: Take) -> bool:
        """Return whether the take has a reply that is more than a filler and was not marked as wrong."""
        return any(
            reply.response is not ResponseClass.FILLER and reply.wrong is None
            for name in take.replies
            if (reply := self.replies.get(name))
        )

    def waiting(self) -> list[Take]:
        """Complete utterances of the scenario going on that have had no reply, the oldest first."""
        here = len(self.runs) - 1
        found = (self.takes[name] for name in self.unanswered) if self.run is not None else ()
        return [take for take in found if take.complete and take.run == here]

    def next_number(self, run: int) -> int:
        """The utterance number that the scenario's next accepted take gets."""
        return 1 + max((take.number or 0 for take in self.takes_of(run)), default=0)


def is_shown(state: SessionState, reply: Reply) -> bool:
    """Return whether the text of a reply stands on the subject's screen: answers are shown, or it could not be spoken."""
    profile = state.profile_at(reply.run)
    return profile is None or profile.show_answers or reply.voice_failed


def paused_until(state: SessionState, at: Stamp) -> int:
    """Nanoseconds of pauses up to `at`, the one that is going on included."""
    return state.paused_total + (elapsed(state.paused, at) if state.paused else 0)


def active(state: SessionState, now: Stamp) -> int:
    """Nanoseconds since the session began, pauses left out."""
    return elapsed(state.began, now) - paused_until(state, now) if state.began else 0


def deviation(state: SessionState, noted: e.DeviationNoted | e.DeviationTakenBack) -> Deviation:
    """Return what tells a deviation from others; one is taken back in the log that it is in, or not at all."""
    return len(state.runs), state.run is not None, noted.reason, noted.text
