"""What people do by mistake: each has an outcome that surprises neither desk, and none loses or doubles anything."""

import hashlib
from collections.abc import AsyncIterator

import pytest

from desk.editor import Editor
from desk.talk.button import TalkButton, TalkState
from session import commands as c
from session import events as e
from session.protocol.messages import AudioChunk, DeskPresence, ResendRequest
from session.rules.decide import LONGEST_TEXT, answer_text
from session.values.answers import Table, digest, rows_of
from session.values.sanitize import cells
from session.values.vocabulary import Channel, Language, RecordingControl, Role, Sealed
from tests.desk.regions import assert_laid_out, painted
from tests.subject.stage import Stage, settle
from tests.together.pipe import SESSION, Bench, PipedDesk, at, opened
from tests.wizard.desk import HandPlayed

PCM = bytes(range(250)) * 8
EMOJI = "any flights ✈️ to 🇩🇪 for a 👨‍👩‍👧?"


class Lab:
    """A hub, a subject and a wizard; the subject shows at once what it is told."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.subject = PipedDesk(bench, "t-subject", "sub")
        self.wizard = PipedDesk(bench, "t-wizard", "wiz")

    async def begin(self) -> None:
        await self.bench.hub.open(SESSION, opened())
        await self.subject.connect()
        await self.wizard.connect()
        await self.wizard.give(c.StartScenario(id="s", scenario="trip", bindings={"A": "Boston"}))

    async def speak(self, take: str) -> None:
        await self.subject.give(*press(take))
        await self.subject.sound(AudioChunk(take, "s", 0, PCM))
        await self.subject.give(stop(take))

    async def transcribe(self, take: str, text: str, name: str = "") -> str | None:
        command = name or f"{take}-text"
        await self.wizard.give(c.Transcribe(id=command, at=at(), take=take, text=text))
        await self.subject.give(c.Report(id=f"{command}-seen", event=e.TranscriptionShown(at=at(), take=take)))
        return self.wizard.answers[command]

    async def ask(self, take: str, sql: str, attempt: str) -> str:
        """The preview's text."""
        await self.wizard.give(c.SubmitQuery(id=attempt, at=at(), take=take, language=Language.SQL, text=sql))
        text = answer_text(self.wizard.state, attempt)
        assert text is not None
        return text


def press(take: str) -> list[c.AnyCommand]:
    channels = (Channel("s", "mic", 16_000),)
    return [
        c.Report(id=f"{take}-p", event=e.TalkPressed(at=at(), take=take)),
        c.Report(id=f"{take}-b", event=e.RecordingStarted(at=at(), take=take, channels=channels, pre_roll=0)),
    ]


def stop(take: str, *, recovered: bool = False) -> c.AnyCommand:
    sealed = (Sealed("s", len(PCM) // 2, hashlib.sha256(PCM).hexdigest()),)
    return c.Report(id=f"{take}-e", event=e.RecordingStopped(at=at(), take=take, sealed=sealed, recovered=recovered))


@pytest.fixture
async def lab() -> AsyncIterator[Lab]:
    bench = Bench()
    lab = Lab(bench)
    await lab.begin()
    yield lab
    await bench.close()


async def test_talking_while_the_wizard_sends_gives_the_reply_to_the_utterance_it_was_meant_for(lab: Lab) -> None:
    await lab.speak("t1")
    await lab.transcribe("t1", "first")
    text = await lab.ask("t1", "rows 2", "a1")
    await lab.subject.give(*press("t2"))
    await lab.wizard.give(c.SendAnswer(id="r1", attempt="a1", sha256=digest(text)))
    await lab.subject.give(stop("t2"))
    assert lab.subject.state.replies["r1"].take == "t1"
    assert lab.subject.state.answered(lab.subject.state.takes["t1"])
    assert [take.take for take in lab.wizard.state.waiting()] == ["t2"]
    assert await lab.transcribe("t2", "second") is None
    assert [take.number for take in lab.wizard.state.takes.values()] == [1, 2]


async def test_one_who_speaks_again_while_the_reply_is_on_its_way_is_recorded_and_reads_it_all_the_same() -> None:
    stage = Stage(recording=RecordingControl.PRESS)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        stage.desk.utterance("t1")
        await settle(pilot)
        assert stage.button is TalkState.WORKING
        assert stage.desk.terminal.may_talk
        await pilot.press("space")
        await settle(pilot)
        (press,) = [fact for fact in stage.facts if isinstance(fact, e.TalkPressed)]
        channel = (Channel("s", "mic", 16_000),)
        stage.desk.terminal.fact(e.RecordingStarted(at=at(), take=press.take, channels=channel, pre_roll=0))
        stage.desk.tell(e.AnswerSent(reply="r1", take="t1", text="flight 12"))
        await settle(pilot)
        assert stage.button is TalkState.RECORDING
        assert "flight 12" in painted(stage.app)
        assert "r1" in [fact.reply for fact in stage.facts if isinstance(fact, e.ReplyShown)]
        stage.desk.clock.advance(2)
        await pilot.press("space")
        await settle(pilot)
        assert [fact.take for fact in stage.facts if isinstance(fact, e.TalkReleased)] == [press.take]


async def test_where_the_operator_records_a_press_while_the_system_works_begins_nothing() -> None:
    stage = Stage(recording=RecordingControl.OPERATOR)
    async with stage.app.run_test(size=(100, 32)) as pilot:
        stage.desk.scenario()
        stage.desk.utterance("t1")
        await settle(pilot)
        await pilot.press("space")
        await settle(pilot)
        assert not [fact for fact in stage.facts if isinstance(fact, e.TalkPressed)]
        assert stage.app.screen.query_one(TalkButton).grip is None


async def test_sending_twice_sends_once_and_says_why(lab: Lab) -> None:
    await lab.speak("t1")
    await lab.transcribe("t1", "first")
    text = await lab.ask("t1", "rows 2", "a1")
    for name in ("r1", "r1", "r2"):
        await lab.wizard.give(c.SendAnswer(id=name, attempt="a1", sha256=digest(text)))
    assert lab.wizard.answers["r1"] is None
    assert "has a reply" in (lab.wizard.answers["r2"] or "")
    assert list(lab.subject.state.replies) == ["r1"]


async def test_a_second_wizard_is_turned_away_and_the_first_goes_on(lab: Lab) -> None:
    second = await PipedDesk(lab.bench, "t-wizard", "other").connect()
    assert second.closed
    assert second.state.opened is None
    await lab.speak("t1")
    assert await lab.transcribe("t1", "hello") is None


async def test_a_window_killed_in_the_middle_of_a_sentence_brings_what_was_said_when_it_is_back(lab: Lab) -> None:
    await lab.subject.give(*press("t1"))
    await lab.subject.sound(AudioChunk("t1", "s", 0, PCM[:1000]))
    await lab.subject.cut("killed")
    await lab.bench.settle()
    assert any(
        isinstance(message, DeskPresence) and message.role == Role.SUBJECT and not message.up
        for message in lab.wizard.happened
    )
    assert "still speaking" in (await _refused(lab, "t1"))
    back = await PipedDesk(lab.bench, "t-subject", "sub").connect()
    await back.give(stop("t1", recovered=True))
    (want,) = [message for message in back.happened if isinstance(message, ResendRequest)]
    assert want.ranges == ((500, 500),)
    await back.sound(AudioChunk("t1", "s", 500, PCM[1000:]))
    assert lab.bench.recordings.sealed[("t1", "s")] == PCM
    assert lab.wizard.state.takes["t1"].confirmed
    await lab.wizard.give(c.Transcribe(id="again", at=at(), take="t1", text="half a sentence"))
    assert back.state.takes["t1"].transcriptions == ("half a sentence",)


async def _refused(lab: Lab, take: str) -> str:
    await lab.wizard.give(c.Transcribe(id="early", at=at(), take=take, text="x"))
    return lab.wizard.answers["early"] or ""


async def test_a_transcription_of_ten_thousand_characters_is_refused_whole_and_can_be_given_shorter(lab: Lab) -> None:
    await lab.speak("t1")
    refusal = await lab.transcribe("t1", "x" * 10_000, "long")
    assert refusal == f"The transcription has 10000 characters; at most {LONGEST_TEXT} are allowed."
    assert lab.subject.state.takes["t1"].transcriptions == ()
    assert await lab.transcribe("t1", "x" * LONGEST_TEXT) is None


async def test_ten_thousand_characters_pasted_at_the_console_are_cut_before_they_are_sent_and_it_is_said() -> None:
    from textual import events

    desk = HandPlayed()
    async with desk.app.run_test(size=(80, 24)) as pilot:
        desk.scenario()
        desk.spoken()
        await pilot.pause()
        said = desk.app.desk.query_one("#said", Editor)
        desk.app.post_message(events.Paste("y" * 10_000))
        await settle(pilot)
        assert len(said.text) <= LONGEST_TEXT
        assert "5,000 characters were left out" in painted(desk.app)
        assert_laid_out(desk.app)


async def test_an_emoji_goes_through_whole_and_breaks_no_line(lab: Lab) -> None:
    await lab.speak("t1")
    assert await lab.transcribe("t1", EMOJI) is None
    (shown,) = lab.subject.state.takes["t1"].transcriptions
    assert "\n" not in shown
    assert shown.startswith("any flights ✈")
    stage = Stage()
    stage.desk.scenario()
    stage.desk.utterance("t1")
    stage.desk.tell(e.Transcribed(at=at(), take="t1", text=shown), e.AnswerSent(reply="r", take="t1", text=shown))
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "any flights ✈" in painted(stage.app)
        assert all(cells(line) <= 80 for line in painted(stage.app).split("\n"))
        assert_laid_out(stage.app)


async def test_a_table_of_three_hundred_columns_is_read_record_by_record_and_says_what_it_leaves_out(lab: Lab) -> None:
    wide = rows_of([f"column_{n}" for n in range(300)], [list(range(300))] * 3)

    def run(sql: str) -> Table:
        return wide

    lab.bench.database.run = run  # type: ignore[method-assign]
    await lab.speak("t1")
    await lab.transcribe("t1", "everything")
    text = await lab.ask("t1", "everything", "a1")
    assert max(map(cells, text.split("\n"))) <= 80
    assert [line for line in text.split("\n") if line.startswith("column ")] == [
        f"column {n:<5}{n}" for n in range(300)
    ]
    assert text.endswith("(1 of 3 rows)")
    await lab.wizard.give(c.SendAnswer(id="r1", attempt="a1", sha256=digest(text)))
    assert lab.subject.state.replies["r1"].text == text
    stage = Stage()
    stage.desk.scenario()
    stage.desk.utterance("t1")
    stage.desk.tell(e.AnswerSent(reply="r", take="t1", text=text))
    async with stage.app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert_laid_out(stage.app)


async def test_a_blank_left_empty_is_refused_and_nothing_goes_out(lab: Lab) -> None:
    await lab.speak("t1")
    await lab.transcribe("t1", "hello")
    for number, blanks in enumerate([(), ("",), ("  \t ",), ("a", "b")]):
        await lab.wizard.give(c.SendCanned(id=f"c{number}", message="none", blanks=blanks, take="t1"))
        assert "blank" in (lab.wizard.answers[f"c{number}"] or "")
    assert lab.subject.state.replies == {}
    await lab.wizard.give(c.SendCanned(id="good", message="none", blanks=("fares",), take="t1"))
    assert [reply.text for reply in lab.subject.state.replies.values()] == ["No information is available on fares"]


async def test_taking_back_what_is_being_answered_is_refused_where_it_was_reacted_to(lab: Lab) -> None:
    await lab.speak("t1")
    await lab.transcribe("t1", "hello")
    await lab.subject.give(c.DiscardTake(id="d", at=at(), take="t1"))
    assert "too late" in (lab.subject.answers["d"] or "")


async def test_ending_the_session_under_way_asks_for_the_scenario_first(lab: Lab) -> None:
    await lab.wizard.give(c.EndSession(id="x", reason=""))
    assert lab.wizard.answers["x"] == "End the scenario first."
    await lab.subject.give(c.GiveUp(id="g", at=at()))
    await lab.wizard.give(c.EndSession(id="y", reason=""))
    assert lab.subject.state.ended
