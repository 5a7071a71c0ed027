"""Random people at both desks: whatever they do, in whatever order, the session's state keeps its promises."""

import re
from collections import Counter

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from session import commands as c
from session import events as e
from session.rules.decide import RequestRefused, answer_text, decide
from session.state.fold import SessionState, fold
from session.study.settings import Profile
from session.values.answers import digest
from session.values.vocabulary import Echo, Language, Outcome, ResponseClass, Role, Scope
from tests.session.examples import MESSAGES, SCENARIOS
from tests.session.play import ROWS, SEALED, Play, to_subject

TAKES = st.sampled_from([f"T{number}" for number in range(1, 7)])
SECRET = "the wizard, a human called Ida, is behind the curtain"
REVEALING = re.compile(r"(?i)wizard|human|ida\b|curtain|simulat|operator's|console")


class People(RuleBasedStateMachine):
    """Requests may be refused, reports never; the machine asks for everything at any time."""

    play: Play

    @initialize(
        echo=st.sampled_from(Echo),
        hold=st.sampled_from([0.0, 4.0]),
        delay=st.sampled_from([0.0, 3.0]),
        limit=st.sampled_from([0.0, 40.0]),
    )
    def open(self, echo: Echo, hold: float, delay: float, limit: float) -> None:
        self.profile = Profile(
            name="test", echo=echo, hold_back_s=hold, reply_delay_s=delay, scenario_limit_s=limit, free_text=True
        )
        self.play = Play(self.profile)
        self.play.hub(e.WizardIdentified(name=SECRET, role=Role.WIZARD))

    # --- the subject's desk ---------------------------------------------------------------------------------------------

    @rule(take=TAKES)
    def press(self, take: str) -> None:
        self.play.report(e.TalkPressed(at=self.play.now, take=take))

    @rule(take=TAKES)
    def release(self, take: str) -> None:
        self.play.report(e.RecordingStopped(at=self.play.now, take=take, sealed=SEALED))

    @rule(take=TAKES, text=st.text(max_size=9))
    def type_(self, take: str, text: str) -> None:
        self.play.report(e.UtteranceTyped(at=self.play.now, take=take, text=text))

    @rule(take=TAKES)
    def show(self, take: str) -> None:
        self.play.report(e.TranscriptionShown(at=self.play.now, take=take))

    @rule(columns=st.integers(1, 200))
    def resize(self, columns: int) -> None:
        self.play.report(e.ScreenSized(at=self.play.now, columns=columns, lines=24))

    @rule()
    def call(self) -> None:
        self.play.report(e.ExperimenterCalled(at=self.play.now))

    @rule(take=TAKES, what=st.sampled_from(["discard", "solve", "give up", "not allowed"]))
    def request(self, take: str, what: str) -> None:
        self.play.ask(self._request(take, what), Role.SUBJECT)

    def _request(self, take: str, what: str) -> c.AnyCommand:
        name, now = self.play.new_id(), self.play.now
        match what:
            case "discard":
                return c.DiscardTake(id=name, at=now, take=take)
            case "solve":
                return c.DeclareSolution(id=name, at=now, solution=take)
            case "give up":
                return c.GiveUp(id=name, at=now)
            case _:
                return c.WriteNote(id=name, text="x")

    # --- behind the curtain -----------------------------------------------------------------------------------------------

    @rule(scenario=st.sampled_from([*SCENARIOS, "none"]), city=st.sampled_from(["", "Boston"]))
    def start(self, scenario: str, city: str) -> None:
        self.play.ask(c.StartScenario(id=self.play.new_id(), scenario=scenario, bindings={"A": city}))

    @rule(take=TAKES)
    def transcribe(self, take: str) -> None:
        self.play.ask(c.Transcribe(id=self.play.new_id(), at=self.play.now, take=take, text=f"words of {take}"))

    @rule(take=TAKES, fails=st.booleans(), runs=st.booleans())
    def query(self, take: str, fails: bool, runs: bool) -> None:
        name = self.play.new_id()
        asked = c.SubmitQuery(id=name, at=self.play.now, take=take, language=Language.ENGLISH, text=SECRET)
        if isinstance(self.play.ask(asked), list) and not runs:
            self._return(name, fails)

    def _return(self, name: str, fails: bool) -> None:
        failed = e.QueryFailed(attempt=name, kind="syntax", message=SECRET, sql=SECRET)  # type: ignore[arg-type]
        rows = e.QueryReturned(attempt=name, sql=SECRET, table=ROWS, took=1, database_version="1", paraphrase=SECRET)
        self.play.hub(failed if fails else rows)

    @precondition(lambda self: self.play.state.running is not None)
    @rule(fails=st.booleans())
    def return_(self, fails: bool) -> None:
        assert self.play.state.running
        self._return(self.play.state.running.attempt, fails)

    @precondition(lambda self: self.play.state.attempts)
    @rule(data=st.data(), response=st.sampled_from(ResponseClass))
    def answer(self, data: st.DataObject, response: ResponseClass) -> None:
        attempt = data.draw(st.sampled_from(sorted(self.play.state.attempts)))
        seen = digest(answer_text(self.play.state, attempt) or "")
        self.play.ask(c.SendAnswer(id=self.play.new_id(), attempt=attempt, sha256=seen, response=response))

    @rule(take=TAKES | st.just(""), message=st.sampled_from([*MESSAGES, "none"]), blanks=st.sampled_from([(), ("it",)]))
    def canned(self, take: str, message: str, blanks: tuple[str, ...]) -> None:
        self.play.ask(self.play.canned(message, take, *blanks))

    @rule(take=TAKES)
    def text(self, take: str) -> None:
        self.play.ask(c.SendText(id=self.play.new_id(), take=take, text="From which city?"))

    @precondition(lambda self: self.play.state.replies)
    @rule(data=st.data())
    def mark_wrong(self, data: st.DataObject) -> None:
        reply = data.draw(st.sampled_from(sorted(self.play.state.replies)))
        self.play.ask(c.MarkReplyWrong(id=self.play.new_id(), reply=reply, reason=SECRET))

    @precondition(lambda self: self.play.state.planned)
    @rule()
    def stop(self) -> None:
        assert self.play.state.planned
        self.play.ask(c.StopReply(id=self.play.new_id(), reply=self.play.state.planned.reply.reply))

    @rule(take=TAKES, what=st.sampled_from(["note", "scope", "pause", "resume", "end scenario", "invalidate", "call"]))
    def console(self, take: str, what: str) -> None:
        name = self.play.new_id()
        commands: dict[str, c.AnyCommand] = {
            "note": c.WriteNote(id=name, text=SECRET, take=take),
            "scope": c.MarkScope(id=name, take=take, scope=Scope.OUT),
            "pause": c.PauseSession(id=name, reason=SECRET),
            "resume": c.ResumeSession(id=name),
            "end scenario": c.EndScenario(id=name, outcome=Outcome.ENDED, reason=SECRET),
            "invalidate": c.EndScenario(id=name, outcome=Outcome.INVALIDATED, reason=SECRET),
            "call": c.AnswerCall(id=name),
        }
        self.play.ask(commands[what])

    @precondition(lambda self: len(self.play.recorded) > 40)
    @rule()
    def end(self) -> None:
        self.play.ask(c.EndSession(id=self.play.new_id(), reason=SECRET))

    @rule(seconds=st.floats(0, 30))
    def wait(self, seconds: float) -> None:
        self.play.wait(seconds)

    # --- promises -----------------------------------------------------------------------------------------------------------

    @invariant()
    def utterances_are_numbered_one_by_one(self) -> None:
        state = self.play.state
        given: dict[int | None, list[int]] = {}
        for fact in self.play.facts:
            if isinstance(fact, e.UtteranceAccepted) and fact.number is not None:
                given.setdefault(state.takes[fact.take].run, []).append(fact.number)
        for numbers in given.values():
            assert numbers == list(range(1, len(numbers) + 1))
        accepted = Counter(fact.take for fact in self.play.facts if isinstance(fact, e.UtteranceAccepted))
        assert set(accepted.values()) <= {1}

    @invariant()
    def practice_discarded_and_homeless_takes_have_no_number(self) -> None:
        state = self.play.state
        for take in state.takes.values():
            if take.discarded or take.run is None or state.runs[take.run].number is None:
                assert take.number is None
            assert not (take.discarded and take.accepted)

    @invariant()
    def an_utterance_has_at_most_one_valid_reply(self) -> None:
        state = self.play.state
        for take in state.takes.values():
            replies = [state.replies[name] for name in take.replies]
            valid = [reply for reply in replies if reply.wrong is None and reply.response is not ResponseClass.FILLER]
            assert len(valid) <= 1
            assert not (replies and take.discarded)

    @invariant()
    def one_scenario_and_one_query_at_a_time(self) -> None:
        assert all(run.outcome is not None for run in self.play.state.runs[:-1])
        assert sum(attempt.running for attempt in self.play.state.attempts.values()) <= 1

    @invariant()
    def what_the_subject_asks_is_decided_by_what_the_subject_can_know(self) -> None:
        shown = fold(to_subject(self.play.recorded, self.profile))
        for what in ("discard", "solve", "give up", "not allowed"):
            for take in ("T1", "T2"):
                command = self._request(take, what)
                assert self._decided(self.play.state, command) == self._decided(shown, command)
        report = c.Report(id="C", event=e.TalkPressed(at=self.play.now, take="T9"))
        assert self._decided(self.play.state, report) == self._decided(shown, report)

    def _decided(self, state: SessionState, command: c.AnyCommand) -> object:
        return decide(state, command, Role.SUBJECT, self.play.now)

    @invariant()
    def no_refusal_to_the_subject_tells_of_a_person(self) -> None:
        reasons = [reason for role, reason in self.play.refusals if role is Role.SUBJECT]
        assert [reason for reason in reasons if REVEALING.search(reason)] == []

    def teardown(self) -> None:
        if not hasattr(self, "play"):
            return
        recorded = self.play.recorded
        assert fold(recorded) == self.play.state
        cut = len(recorded) // 2
        assert fold(recorded[cut:], fold(recorded[:cut])) == self.play.state
        self._queries_come_after_what_they_must_follow()
        wire = b"\n".join(msgspec.json.encode(fact) for fact in to_subject(recorded, self.profile)).decode()
        assert SECRET not in wire
        assert REVEALING.search(wire) is None

    def _queries_come_after_what_they_must_follow(self) -> None:
        """The order of a turn, read off the events (BBN 1989, section 6.1)."""
        shown: dict[str, bool] = {}
        typed = set[str]()
        for fact in self.play.facts:
            match fact:
                case e.UtteranceTyped():
                    typed.add(fact.take)
                case e.Transcribed():
                    shown[fact.take] = False
                case e.TranscriptionShown():
                    shown[fact.take] = True
                case e.QuerySubmitted() if self.profile.echo is Echo.BEFORE_QUERY and fact.take not in typed:
                    assert shown.get(fact.take)


TestPeople = People.TestCase
TestPeople.settings = settings(max_examples=60, stateful_step_count=50)


def test_the_secret_would_be_found() -> None:
    assert REVEALING.search(SECRET)
    assert not isinstance(Play().ask(c.WriteNote(id="N", text=SECRET)), RequestRefused)
