"""Consoles over a real hub, its store and its rules; only the sockets are missing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any

import pytest
from textual.pilot import Pilot

from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk, HubMessage, encode
from session.protocol.side_messages import SideMessage
from session.transport.websocket import LinkState
from session.values.clock import ManualClock
from session.values.vocabulary import Echo, Outcome, Role, Sealed
from tests.desk.regions import painted
from tests.together.pipe import SESSION, TOKENS, Bench, PipedDesk, at, opened
from wizard.app import WizardApp
from wizard.audio.playback_state import PlaybackState
from wizard.core.console import Console

SILENCE = Sealed("s", 0, sha256(b"").hexdigest())


class ConsoleDesk(PipedDesk):
    """A console's app at the end of a pipe."""

    def __init__(self, bench: Bench, token: str = "t-wizard", name: str = "console", english: bool = False) -> None:
        super().__init__(bench, token, name)
        clock = ManualClock(f"{name}-clock")
        self.tasks: set[asyncio.Task[None]] = set()
        self.console = Console(clock, self, self._rang, english=english)
        self.app = WizardApp(
            self.console, clock, PlaybackState(None, lambda: LinkState(not self.closed, self.closed)), english=english
        )

    def _rang(self) -> None:
        self.app.changed()

    def give(self, *commands: c.AnyCommand) -> None:  # type: ignore[override]
        for command in commands:
            task = asyncio.get_running_loop().create_task(self._up(self.link.give(command)))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    def ask(self, question: SideMessage) -> None:
        task = asyncio.get_running_loop().create_task(self._up(encode(question)))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _down(self, message: HubMessage | AudioChunk) -> None:
        before = len(self.happened)
        super()._down(message)
        for happening in self.happened[before:]:
            self.console.receive(happening)


class Subject(PipedDesk):
    """Shows at once what it is told, as a subject's screen does."""

    async def speak(self, take: str) -> None:
        await self.give(
            c.Report(id=f"{take}-p", event=e.TalkPressed(at=at(), take=take)),
            c.Report(id=f"{take}-s", event=e.RecordingStopped(at=at(), take=take, sealed=(SILENCE,))),
        )

    async def look(self) -> None:
        for take in self.state.takes.values():
            if take.transcriptions and not take.transcription_shown:
                await self.give(c.Report(id=f"{take.take}-t", event=e.TranscriptionShown(at=at(), take=take.take)))
        for reply in self.state.replies.values():
            if reply.shown is None:
                shown = e.ReplyShown(at=at(), reply=reply.reply, first=0, last=0)
                await self.give(c.Report(id=f"{reply.reply}-v", event=shown))


class Lab:
    def __init__(self, bench: Bench, subject: Subject) -> None:
        self.bench = bench
        self.subject = subject

    async def settle(self, pilot: Pilot[None]) -> None:
        for _ in range(3):
            await self.bench.settle()
            await self.subject.look()
            await pilot.pause()

    async def write(self, pilot: Pilot[None], text: str, *then: str) -> None:
        await pilot.press(*("space" if character == " " else character for character in text), *then)
        await self.settle(pilot)


@asynccontextmanager
async def lab(**profile: Any) -> AsyncIterator[Lab]:
    bench = Bench()
    try:
        await bench.hub.open(SESSION, opened(**profile))
        subject = Subject(bench, "t-subject", "subject")
        await subject.connect()
        yield Lab(bench, subject)
    finally:
        await bench.close()


async def started(lab: Lab, pilot: Pilot[None]) -> None:
    await pilot.press("alt+s")
    await pilot.pause()
    await pilot.press("2")
    await pilot.pause()
    await lab.write(pilot, "Boston", "enter")


async def test_a_whole_turn_by_keys_reaches_the_subject_and_nothing_else_does() -> None:
    async with lab() as room:
        desk = ConsoleDesk(room.bench, english=True)
        async with desk.app.run_test(size=(80, 24)) as pilot:
            await desk.connect()
            await started(room, pilot)
            assert room.subject.state.run is not None
            assert room.subject.state.run.text == "Go to Boston."
            await room.subject.speak("t1")
            await room.settle(pilot)
            await room.write(pilot, "give me two more", "enter")
            assert "Not understood" in painted(desk.app)
            await room.write(pilot, "", "ctrl+l", *"give", "space", *"me", "space", *"two", "enter")
            assert "√ 2 rows · two rows" in painted(desk.app)
            await pilot.press("alt+n")
            await pilot.pause()
            await room.write(pilot, "mumbles", "enter")
            await room.write(pilot, "", "f5", "f5")
            reply = next(iter(room.subject.state.replies.values()))
            assert reply.text.split() == ["number", "------", "0", "1"]
            assert len(room.subject.state.replies) == 1
            assert "answered" in painted(desk.app)
            assert "shown to the participant" in "\n".join(desk.app.desk.query_one("#subject")._lines)  # type: ignore[attr-defined]
        seen = b"".join(frame if isinstance(frame, bytes) else frame.encode() for frame in room.subject.wire)
        assert b"give me two more" in seen
        for hidden in (b"rows 2", b"two rows", b"mumbles", b"not understood"):
            assert hidden not in seen


async def test_a_refusal_of_the_hub_is_seen_and_the_focus_stays() -> None:
    async with lab() as room:
        desk = ConsoleDesk(room.bench)
        async with desk.app.run_test(size=(80, 24)) as pilot:
            await desk.connect()
            await started(room, pilot)
            await room.subject.speak("t1")
            await room.settle(pilot)
            await room.write(pilot, "", "ctrl+r", *"rows", "space", "1", "enter")
            assert "NOT DONE: Transcribe the utterance first" in painted(desk.app)
            assert desk.app.focused is not None
            assert desk.app.focused.id == "sql"


async def test_two_utterances_wait_and_are_answered_one_after_the_other() -> None:
    async with lab() as room:
        desk = ConsoleDesk(room.bench)
        async with desk.app.run_test(size=(80, 24)) as pilot:
            await desk.connect()
            await started(room, pilot)
            await room.subject.speak("t1")
            await room.subject.speak("t2")
            await room.settle(pilot)
            assert "Utterance 1 of 2" in painted(desk.app)
            await room.write(pilot, "first", "enter")
            await room.write(pilot, "", "f6", "enter")
            await room.write(pilot, "it", "enter")
            assert "Utterance 2 of 2" in painted(desk.app)
            assert desk.app.focused is not None
            assert desk.app.focused.id == "said"
            assert [reply.take for reply in room.subject.state.replies.values()] == ["t1"]


async def test_a_second_wizard_is_told_that_the_place_is_taken() -> None:
    async with lab() as room:
        first, second = ConsoleDesk(room.bench, name="first"), ConsoleDesk(room.bench, name="second")
        async with first.app.run_test(size=(80, 24)) as pilot:
            await first.connect()
            await room.settle(pilot)
        async with second.app.run_test(size=(80, 24)) as pilot:
            await second.connect()
            second.app.changed()
            await room.settle(pilot)
            assert "This place is taken" in painted(second.app)
            assert "× HUB" in painted(second.app)


async def test_wizard_and_observer_see_the_same_session() -> None:
    async with lab() as room:
        wizard = ConsoleDesk(room.bench)
        await wizard.connect()
        observer = ConsoleDesk(room.bench, "t-observer", "observer")
        async with observer.app.run_test(size=(120, 40)) as pilot:
            await observer.connect()
            wizard.console.start_scenario("trip", {"A": "Boston"})
            await room.settle(pilot)
            await room.subject.speak("t1")
            wizard.console.transcribe("where to")
            await room.settle(pilot)
            assert "> where to" in painted(observer.app)
            assert observer.console.role is Role.OBSERVER
            refused = [answer for answer in observer.answers.values() if answer]
            assert refused == []


@pytest.mark.parametrize("role", [Role.OBSERVER, Role.EXPERIMENTER])
async def test_a_third_person_answers_the_call_pauses_ends_and_invalidates_by_key(
    role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TOKENS, "t-third", role)
    async with lab() as room:
        wizard = ConsoleDesk(room.bench)
        await wizard.connect()
        third = ConsoleDesk(room.bench, "t-third", "third")

        async def press(*keys: str) -> None:
            for key in keys:
                await pilot.press(key)
                await room.settle(pilot)

        async with third.app.run_test(size=(80, 24)) as pilot:
            await third.connect()
            for outcome, keys in (
                (Outcome.ENDED, ("e", "t", "e", "a", "enter")),
                (Outcome.INVALIDATED, ("i", "enter", "x", "enter")),
            ):
                wizard.console.start_scenario("trip", {"A": "Boston"})
                await room.subject.give(c.Report(id=f"call{outcome}", event=e.ExperimenterCalled(at=at())))
                await room.settle(pilot)
                assert "The participant calls the experimenter" in painted(third.app)
                await press("alt+a")
                assert not room.subject.state.called
                await press("alt+p", "t", "enter")
                assert room.subject.state.paused
                assert "PAUSED" in painted(third.app)
                await press("alt+p")
                assert not room.subject.state.paused
                await press("alt+v")
                assert "Common scenario at this site" in painted(third.app)
                await press("escape", "alt+e", *keys)
                run = wizard.console.state.runs[-1]
                assert (run.outcome, run.reason) == (outcome, "tea" if outcome is Outcome.ENDED else "x")
            assert [answer for answer in third.answers.values() if answer] == []
            ended = [fact.by for fact in room.bench.store.read(SESSION) if isinstance(fact.event, e.ScenarioEnded)]
            assert ended == [role, role]


async def test_of_two_wizards_the_one_reads_what_the_other_is_typing_and_neither_waits() -> None:
    async with lab(echo=Echo.WITH_ANSWER) as room:
        typist, wizard = ConsoleDesk(room.bench, "t-transcriber", "typist"), ConsoleDesk(room.bench)
        observer = await PipedDesk(room.bench, "t-observer", "observer").connect()
        machine = await PipedDesk(room.bench, "t-recogniser", "machine").connect()
        await wizard.connect()
        wizard.console.start_scenario("trip", {"A": "Boston"})
        async with typist.app.run_test(size=(100, 24)) as pilot:
            await typist.connect()
            await room.subject.speak("t1")
            await room.settle(pilot)
            await room.write(pilot, "rows tw")
            assert wizard.console.drafts == {"t1": "rows tw"}
        async with wizard.app.run_test(size=(100, 24)) as pilot:
            await room.settle(pilot)
            assert "being typed: rows tw" in painted(wizard.app)
            await room.write(pilot, "", "f6")
            await room.write(pilot, "", "ctrl+r", *"rows", "space", "2", "enter")
            assert "2 rows" in painted(wizard.app), "the query did not wait for the transcription"
            typist.console.transcribe("rows two")
            await room.settle(pilot)
            assert "being typed" not in painted(wizard.app)
            assert wizard.app.focused is not None
            assert wizard.app.focused.id == "sql", "nor did the transcription turn the wizard away from the query"
            assert wizard.console.take is not None
            assert wizard.console.take.text == "rows two"
        for other in (room.subject, observer, machine):
            assert b'rows tw"' not in b"".join(
                part if isinstance(part, bytes) else part.encode() for part in other.wire
            )
        assert 'rows tw"' not in " ".join(str(fact) for fact in room.bench.store.read(SESSION))


async def test_a_held_back_reply_is_stopped_in_time() -> None:
    async with lab(hold_back_s=5.0) as room:
        desk = ConsoleDesk(room.bench)
        async with desk.app.run_test(size=(80, 24)) as pilot:
            await desk.connect()
            await started(room, pilot)
            await room.subject.speak("t1")
            await room.settle(pilot)
            await room.write(pilot, "first", "enter")
            await room.write(pilot, "", "f6", "enter")
            await room.write(pilot, "it", "enter")
            assert "Esc stops it" in painted(desk.app)
            await room.write(pilot, "", "escape")
            room.bench.clock.advance(10)
            await room.settle(pilot)
            assert dict(room.subject.state.replies) == {}
            assert "Esc stops it" not in painted(desk.app)


async def test_a_lost_hub_is_seen_and_nothing_typed_is_lost() -> None:
    async with lab() as room:
        desk = ConsoleDesk(room.bench)
        async with desk.app.run_test(size=(80, 24)) as pilot:
            await desk.connect()
            await started(room, pilot)
            await room.subject.speak("t1")
            await room.settle(pilot)
            await room.write(pilot, "flights to")
            await desk.cut("cable")
            desk.console.lost()
            await room.settle(pilot)
            assert "No connection to the hub" in painted(desk.app)
            await room.write(pilot, " boston", "enter")
            await desk.connect()
            await room.settle(pilot)
            assert room.subject.state.takes["t1"].text == "flights to boston"
            assert "No connection" not in painted(desk.app)
