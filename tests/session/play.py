"""A session without a hub: commands go through `decide`, facts through `evolve`, time through `due`, on a manual clock."""

from session import commands as c
from session import events as e
from session.rules.deadlines import due, next_due
from session.rules.decide import RequestRefused, answer_text, decide
from session.rules.earlier_requests import judged
from session.state.fold import SessionState, Take, evolve
from session.study.settings import Profile
from session.values.answers import Table, digest, rows_of
from session.values.clock import SECOND, ManualClock, Stamp, stamp
from session.values.vocabulary import Channel, Language, ResponseClass, Role, Scope, Sealed
from session.visibility import project
from tests.session.examples import opening

SESSION = "bbn-20261121-1"
ROWS = rows_of(["flight", "fare"], [[101, 99.5], [202, 120]])
DOMAIN_WORDS = frozenset(("flights", "fares", "weather", "denver"))
SEALED = (Sealed("s", 16_000, "ab" * 32),)


class Play:
    """One session being played; `recorded` is its stream, `refusals` what was said to whom."""

    def __init__(self, profile: Profile | None = None, consent: bool = True) -> None:
        self.clock = ManualClock("hub")
        self.state = SessionState()
        self.recorded: list[e.Recorded] = []
        self.refusals: list[tuple[Role, str]] = []
        self._ids = 0
        self.hub(opening(profile))
        if consent:
            self.report(e.ConsentGiven(at=self.now, version="1", sha256="00", scopes={"record": True}))

    @property
    def now(self) -> Stamp:
        """Return the hub's time."""
        return stamp(self.clock)

    @property
    def facts(self) -> list[e.Fact]:
        """Return the facts recorded so far."""
        return [recorded.event for recorded in self.recorded]

    @property
    def names(self) -> list[str]:
        """The facts' types in their order."""
        return [type(fact).__name__ for fact in self.facts]

    def take(self, name: str = "T1") -> Take:
        """Return a take as the state has it."""
        return self.state.takes[name]

    def new_id(self) -> str:
        """Return an id that was not used before."""
        self._ids += 1
        return f"C{self._ids}"

    def hub(self, *facts: e.Fact, by: str = "hub", cause: str = "") -> None:
        """Record facts."""
        for fact in facts:
            recorded = e.Recorded(SESSION, len(self.recorded) + 1, self.now, by, cause, fact)
            self.recorded.append(recorded)
            self.state = evolve(self.state, recorded)

    def ask(self, command: c.AnyCommand, role: Role = Role.WIZARD) -> list[e.Fact] | RequestRefused:
        """Decide and record."""
        decision = decide(self.state, command, role, self.now, DOMAIN_WORDS)
        if isinstance(decision, RequestRefused):
            self.refusals.append((role, decision.reason))
        else:
            self.hub(*judged(self.state, decision, self.now), by=role, cause=command.id)
        return decision

    def do(self, command: c.AnyCommand, role: Role = Role.WIZARD) -> list[e.Fact]:
        """Decide and record; the command must not be refused."""
        decision = self.ask(command, role)
        assert isinstance(decision, list), decision
        return decision

    def refused(self, command: c.AnyCommand, role: Role = Role.WIZARD) -> str:
        """The reason; nothing may have been recorded."""
        before = len(self.recorded)
        decision = self.ask(command, role)
        assert isinstance(decision, RequestRefused), decision
        assert len(self.recorded) == before
        return decision.reason

    def report(self, fact: c.SubjectFact | e.AnswerPreviewed, role: Role = Role.SUBJECT) -> list[e.Fact]:
        """Report a fact from a desk."""
        return self.do(c.Report(id=self.new_id(), event=fact), role)

    def wait(self, seconds: float) -> list[e.Fact]:
        """Let time pass as the hub does, from one deadline to the next; what it brought about."""
        end, brought = self.clock.monotonic_ns() + round(seconds * SECOND), list[e.Fact]()
        while (pause := next_due(self.state, self.now)) is not None and self.clock.monotonic_ns() + pause <= end:
            self.clock.advance(pause / SECOND)
            found = due(self.state, self.now)
            if not found:
                break
            self.hub(*found)
            brought += found
        self.clock.advance((end - self.clock.monotonic_ns()) / SECOND)
        return brought

    # --- what people do -------------------------------------------------------------------------------------------------

    def start(self, scenario: str = "hub", **bindings: str) -> list[e.Fact]:
        """Start a scenario."""
        return self.do(c.StartScenario(id=self.new_id(), scenario=scenario, bindings=bindings))

    def press(self, take: str = "T1") -> None:
        """Press the talk button and start recording."""
        self.report(e.TalkPressed(at=self.now, take=take))
        channel = Channel("s", "headset", 16_000)
        self.report(e.RecordingStarted(at=self.now, take=take, channels=(channel,), pre_roll=4800))

    def release(self, take: str = "T1") -> list[e.Fact]:
        """Release the talk button and stop recording."""
        self.report(e.TalkReleased(at=self.now, take=take))
        return self.report(e.RecordingStopped(at=self.now, take=take, sealed=SEALED))

    def speak(self, take: str = "T1", seconds: float = 2) -> None:
        """Speak a take from press to release."""
        self.press(take)
        self.wait(seconds)
        self.release(take)

    def transcribe(self, take: str = "T1", text: str = "flights to Denver") -> list[e.Fact]:
        """Transcribe a take."""
        return self.do(c.Transcribe(id=self.new_id(), at=self.now, take=take, text=text))

    def show(self, take: str = "T1") -> None:
        """Report that the transcription is on the subject's screen."""
        self.report(e.TranscriptionShown(at=self.now, take=take))

    def query(self, take: str = "T1", table: Table | None = ROWS) -> str:
        """Ask, and have rows (or none, and leave it running); the attempt's name."""
        name = self.new_id()
        self.do(c.SubmitQuery(id=name, at=self.now, take=take, language=Language.SQL, text="SELECT 1"))
        if table is not None:
            self.hub(e.QueryReturned(attempt=name, sql="SELECT 1", table=table, took=1, database_version="1"))
        return name

    def send(self, attempt: str, response: ResponseClass = ResponseClass.ANSWER) -> list[e.Fact]:
        """Send the rows of an attempt as they were previewed."""
        seen = digest(answer_text(self.state, attempt) or "")
        return self.do(c.SendAnswer(id=self.new_id(), attempt=attempt, sha256=seen, response=response))

    def canned(self, message: str = "unable", take: str = "T1", *blanks: str) -> c.SendCanned:
        """Return the command that sends a canned message."""
        return c.SendCanned(id=self.new_id(), message=message, take=take, blanks=blanks)

    def hear_and_ask(self, take: str = "T1") -> str:
        """Speech, transcription, shown, query: as far as the rows."""
        self.speak(take)
        self.transcribe(take)
        self.show(take)
        return self.query(take)

    def turn(self, take: str = "T1") -> None:
        """Play a whole turn: speak, transcribe, ask and answer."""
        self.send(self.hear_and_ask(take))

    def mark(self, scope: Scope = Scope.IN, take: str = "T1") -> list[e.Fact]:
        """Mark the scope of a take."""
        return self.do(c.MarkScope(id=self.new_id(), take=take, scope=scope))


def to_subject(recorded: list[e.Recorded], profile: Profile) -> list[e.Recorded]:
    """What a link carries to the subject of a stream."""
    shown: list[e.Recorded] = []
    for fact in recorded:
        if (projected := project(fact, Role.SUBJECT, profile, len(shown) + 1)) is not None:
            shown.append(projected)
    return shown
