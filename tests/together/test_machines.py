"""Machines over the ordinary link inside the hub: they answer, ask back, lead the visit, step aside and are missed when gone."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from operators.desk import ROLE_OF, MachineFactory, Send, operate_inside
from operators.interpreter import Interpreter
from operators.listener import Listener
from operators.recognition.recogniser import EngineTroubleError
from operators.responder import Responder
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk
from session.state.fold import SessionState
from session.state.stage_operators import stage_operators
from session.study.settings import Operators
from session.values.clock import Clock
from session.values.hypotheses import Hypothesis
from session.values.names import ulid
from session.values.vocabulary import (
    Echo,
    Language,
    LostOperator,
    Operator,
    OperatorTrouble,
    RecordingControl,
    Stage,
    Step,
)
from tests.together.pipe import SESSION, Bench, PipedDesk, admit, at, opened, spoken, threads_of

MACHINES = Operators(
    recognition=Operator.MACHINE, understanding=Operator.MACHINE, database=Operator.MACHINE, response=Operator.MACHINE
)
FACTORIES: dict[Stage, MachineFactory] = {
    Stage.UNDERSTANDING: lambda send, clock: Interpreter("english", "1", send, clock),
    Stage.RESPONSE: lambda send, clock: Responder("1", send, clock),
}
TYPED = {
    "operators": MACHINES,
    "recording": RecordingControl.TYPED,
    "echo": Echo.NEVER,
    "steps": (Step.CONSENT, Step.PRACTICE, Step.SCENARIOS),
}


class Echoing:
    """A recogniser that hears how many samples there were; `fails` makes it fail at the end."""

    name, version = "echo", "7"

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails
        self.begun: list[int] = []

    def begin(self, rate: int, utterance: str = "") -> "EchoListening":
        self.begun.append(rate)
        return EchoListening(self)


class EchoListening:
    """One utterance of it."""

    def __init__(self, engine: Echoing) -> None:
        self._engine = engine
        self._pcm = b""

    def hear(self, pcm: bytes) -> Hypothesis | None:
        self._pcm += pcm
        return Hypothesis("give")

    def finish(self) -> tuple[Hypothesis, ...]:
        if self._engine.fails:
            raise EngineTroubleError(OperatorTrouble.GARBAGE, "it says nothing that can be read")
        return (Hypothesis("give me two", 0.9), Hypothesis(f"{len(self._pcm) // 2} samples", 0.1))

    def drop(self) -> None:
        self._pcm = b""


def recognising(engine: Echoing) -> dict[Stage, MachineFactory]:
    def make(send: Send, clock: Clock) -> Listener:
        return Listener(engine, send, clock, threads_of(asyncio.get_running_loop()))

    return {Stage.RECOGNITION: make, **FACTORIES}


async def say(bench: Bench, subject: PipedDesk, take: str, pcm: bytes) -> None:
    """A take whose sound comes in two pieces, the later one first, and one of them twice."""
    *begun, stopped = spoken(take, pcm)
    await subject.give(*begun)
    half = len(pcm) // 4 * 2
    for first, piece in ((half // 2, pcm[half:]), (0, pcm[:half]), (0, pcm[:half])):
        await subject.sound(AudioChunk(take, "s", first, piece))
    await subject.give(stopped)
    await bench.settle()


@asynccontextmanager
async def at_work(
    bench: Bench, factories: dict[Stage, MachineFactory], **changes: Any
) -> AsyncIterator[tuple[PipedDesk, dict[Stage, asyncio.Task[None]]]]:
    """A subject in a session in which these machines are at work."""
    await bench.hub.open(SESSION, opened(**changes))
    subject = await PipedDesk(bench, "t-subject", "sub").connect()
    tasks = {
        stage: asyncio.create_task(operate_inside(bench.hub, SESSION, f"t-{ROLE_OF[stage]}", admit, bench.clock, make))
        for stage, make in factories.items()
    }
    await bench.settle()
    try:
        yield subject, tasks
    finally:
        bench.hub.leave_off()
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        await bench.close()


def facts(bench: Bench) -> list[e.Fact]:
    return [recorded.event for recorded in bench.store.read(SESSION)]


def typed(take: str, text: str) -> c.Report:
    return c.Report(id=f"{take}-typed", event=e.UtteranceTyped(at=at(1), take=take, text=text))


def sent(bench: Bench) -> list[str]:
    return [fact.text for fact in facts(bench) if isinstance(fact, e.AnswerSent | e.CannedSent)]


async def test_a_typed_visit_runs_from_practice_to_its_end_with_nobody_there() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **TYPED) as (subject, _):
        assert subject.state.run is not None
        assert subject.state.run.number is None
        await subject.give(typed("T1", "give me two"))
        assert "number" in sent(bench)[0]
        await subject.give(c.DeclareSolution(id="D1", at=at(2), solution="x"))
        # The only other scenario has a placeholder that nobody binds: the visit ends.
        assert subject.state.ended
        by_role = {recorded.by for recorded in bench.store.read(SESSION)}
        assert by_role == {"hub", "subject", "interpreter", "responder"}
        state = bench.hub.sessions[SESSION].state
        assert not state.people_acted
        assert stage_operators(bench.store.read(SESSION), state) == {
            "recognition": None, "understanding": Operator.MACHINE, "database": Operator.MACHINE,
            "response": Operator.MACHINE,
        }  # fmt: skip


async def test_what_is_not_understood_gets_a_message_and_the_visit_goes_on() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **TYPED) as (subject, _):
        await subject.give(typed("T1", "love me tender"))
        assert sent(bench) == []  # the two messages of this study say neither that nor a failure
        trouble = [fact for fact in facts(bench) if isinstance(fact, e.OperatorTroubled)]
        assert [(fact.stage, fact.trouble) for fact in trouble] == [(Stage.RESPONSE, OperatorTrouble.ERROR)]


async def test_a_person_takes_over_answers_and_gives_back() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **TYPED) as (subject, _):
        wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
        reply = c.SendCanned(id="W1", message="none", blanks=("flights",), take="T1")
        await wizard.give(c.TakeOverStage(id="O1", stage=Stage.RESPONSE, reason="it is stuck"))
        await subject.give(typed("T1", "give me two"))
        assert sent(bench) == []
        await wizard.give(reply)
        assert sent(bench) == ["No information is available on flights"]
        await wizard.give(c.GiveBackStage(id="O2", stage=Stage.RESPONSE, reason="it goes again"))
        await subject.give(typed("T2", "give me two"))
        assert len(sent(bench)) == 2
        state = bench.hub.sessions[SESSION].state
        assert state.people_acted
        assert stage_operators(bench.store.read(SESSION), state)["response"] is Operator.CORRECTED


class _Broken(Interpreter):
    """Fails on every utterance."""

    def follow(self, state: SessionState, event: e.Fact | None) -> None:
        if isinstance(event, e.UtteranceTyped):
            raise ZeroDivisionError("a fault of the engine")


@pytest.mark.parametrize("policy", list(LostOperator))
async def test_a_machine_that_dies_is_missed_and_the_profile_says_what_follows(policy: LostOperator) -> None:
    bench = Bench()
    factories = {**FACTORIES, Stage.UNDERSTANDING: lambda send, clock: _Broken("english", "1", send, clock)}
    async with at_work(bench, factories, lost_operator=policy, **TYPED) as (subject, _):
        await subject.give(typed("T1", "give me two"))
        died = [fact for fact in facts(bench) if isinstance(fact, e.OperatorTroubled)]
        assert (died[0].stage, died[0].trouble) == (Stage.UNDERSTANDING, OperatorTrouble.DIED)
        assert "a fault of the engine" in died[0].detail
        state = bench.hub.sessions[SESSION].state
        held = Operator.HUMAN if policy is LostOperator.PERSON else Operator.MACHINE
        assert state.operator(Stage.UNDERSTANDING) is held
        assert (state.paused is not None) is (policy is LostOperator.WAIT)


async def test_who_takes_the_place_of_a_machine_that_the_session_waits_for_has_it_go_on() -> None:
    bench = Bench()
    factories = {**FACTORIES, Stage.UNDERSTANDING: lambda send, clock: _Broken("english", "1", send, clock)}
    async with at_work(bench, factories, lost_operator=LostOperator.WAIT, **TYPED) as (subject, _):
        await subject.give(typed("T1", "give me two"))
        assert subject.state.paused is not None
        wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
        await wizard.give(c.TakeOverStage(id="O1", stage=Stage.UNDERSTANDING, reason="it is gone"))
        assert subject.state.paused is None, "at the subject's desk too, without another key"
        asked = c.SubmitQuery(
            id="Q1", at=at(2), take="T1", language=Language.ENGLISH, text="give me two", origin="typed"
        )
        await wizard.give(asked)
        assert len(sent(bench)) == 1, "the responder went on by itself"


async def test_a_machine_that_is_sent_away_with_its_hub_is_not_lost() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **TYPED) as (_, tasks):
        bench.hub.leave_off()
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
        assert not any(isinstance(fact, e.OperatorTroubled) for fact in facts(bench))


async def test_nothing_that_a_machine_does_beside_its_replies_reaches_the_subject() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **TYPED) as (subject, _):
        await subject.give(typed("T1", "give me two"))
        wire = b"".join(frame if isinstance(frame, bytes) else frame.encode() for frame in subject.wire)
        for word in (b'"interpreter', b'"responder', b"StageAssigned", b"english", b"QuerySubmitted"):
            assert word not in wire


async def test_by_the_name_of_a_reply_nobody_can_tell_a_machine_from_a_person() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **TYPED) as (subject, _):
        await subject.give(typed("T1", "give me two"))
        name = next(iter(subject.state.replies))
        assert len(name) == len(ulid(0))
        assert name[:10] == ulid(0)[:10]


SPOKEN = {
    "operators": MACHINES,
    "echo": Echo.WITH_ANSWER,
    "lost_operator": LostOperator.DIAGNOSTIC,
    "steps": (Step.CONSENT, Step.PRACTICE, Step.SCENARIOS),
}


async def test_what_is_said_is_recognised_asked_and_answered_with_nobody_there() -> None:
    bench = Bench()
    engine = Echoing()
    async with at_work(bench, recognising(engine), **SPOKEN) as (subject, _):
        await say(bench, subject, "T1", b"\1\0" * 1600)
        heard = [fact for fact in facts(bench) if isinstance(fact, e.HypothesisReceived)]
        assert [fact.final for fact in heard][-1]
        assert not heard[0].final
        assert [hypothesis.text for hypothesis in heard[-1].hypotheses] == ["give me two", "1600 samples"]
        assert (heard[-1].engine, heard[-1].version) == ("echo", "7")
        assert "number" in sent(bench)[0]
        state = bench.hub.sessions[SESSION].state
        assert not state.people_acted
        wire = b"".join(frame if isinstance(frame, bytes) else frame.encode() for frame in subject.wire)
        assert b"1600 samples" not in wire


async def test_a_recogniser_that_says_garbage_is_told_of_and_the_subject_gets_the_profile_s_remedy() -> None:
    bench = Bench()
    changes = {**SPOKEN, "lost_operator": LostOperator.PERSON}
    async with at_work(bench, recognising(Echoing(fails=True)), **changes) as (subject, _):
        wizard = await PipedDesk(bench, "t-wizard", "wiz").connect()
        await say(bench, subject, "T1", b"\1\0" * 1600)
        [trouble] = [fact for fact in facts(bench) if isinstance(fact, e.OperatorTroubled)]
        assert (trouble.trouble, trouble.take) == (OperatorTrouble.GARBAGE, "T1")
        await wizard.give(c.Transcribe(id="W", at=at(5), take="T1", text="give me two"))
        assert "number" in sent(bench)[0]  # the other machines go on with what the person has written


async def test_a_recogniser_that_comes_in_late_hears_what_was_said_before() -> None:
    bench = Bench()
    async with at_work(bench, FACTORIES, **SPOKEN) as (subject, _):
        *begun, stopped = spoken("T1", pcm := b"\1\0" * 1600)
        await subject.give(*begun)
        await subject.sound(AudioChunk("T1", "s", 0, pcm[:800]))
        engine = Echoing()
        [(stage, make)] = recognising(engine).items() - FACTORIES.items()
        late = asyncio.create_task(operate_inside(bench.hub, SESSION, f"t-{ROLE_OF[stage]}", admit, bench.clock, make))
        await bench.settle()
        await subject.sound(AudioChunk("T1", "s", 400, pcm[800:]))
        await subject.give(stopped)
        await bench.settle()
        late.cancel()
        await asyncio.gather(late, return_exceptions=True)
        heard = [fact for fact in facts(bench) if isinstance(fact, e.HypothesisReceived) and fact.final]
        assert [fact.hypotheses[1].text for fact in heard] == ["1600 samples"]
        assert not any(isinstance(fact, e.OperatorTroubled) and fact.take for fact in facts(bench))
        assert "number" in sent(bench)[0]


async def test_a_recogniser_that_the_session_waits_for_takes_up_what_was_said_without_it() -> None:
    bench = Bench()
    changes = {**SPOKEN, "lost_operator": LostOperator.WAIT}
    factories = recognising(Echoing())
    async with at_work(bench, FACTORIES, **changes) as (subject, tasks):
        machine = await PipedDesk(bench, "t-recogniser", "rec").connect()
        await machine.give(c.OperateStage(id="M", stage=Stage.RECOGNITION, engine="first"))
        await machine.cut()
        assert bench.hub.sessions[SESSION].state.paused is not None
        await say(bench, subject, "T1", b"\1\0" * 50_000)  # more than goes at once
        assert sent(bench) == []
        make = factories[Stage.RECOGNITION]
        tasks[Stage.RECOGNITION] = asyncio.create_task(
            operate_inside(bench.hub, SESSION, f"t-{ROLE_OF[Stage.RECOGNITION]}", admit, bench.clock, make)
        )
        await bench.settle()
        await bench.settle()
        assert bench.hub.sessions[SESSION].state.paused is None
        heard = [fact for fact in facts(bench) if isinstance(fact, e.HypothesisReceived) and fact.final]
        assert [fact.hypotheses[1].text for fact in heard] == ["50000 samples"]
        assert "number" in sent(bench)[0]
