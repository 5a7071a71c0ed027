"""The hub decides, records, folds and sends, in this order, and takes up what an earlier run left."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from session import commands as c
from session import events as e
from session.hub.session_actor import RETRY_S
from session.hub.take_confirmation import ASK_AGAIN_S
from session.protocol.messages import AudioChunk, DeskPresence, HubTrouble, ResendRequest, decode_hub_message
from session.rules.decide import answer_text
from session.store.types import Entry, StoreUnavailable, Write
from session.values.answers import FailureKind, Table, digest, rows_of
from session.values.column_display import ColumnReading
from session.values.vocabulary import Language, Outcome
from tests.together.pipe import SESSION, Bench, MemoryRecordings, PipedDesk, at, both, opened, spoken


async def test_a_turn_goes_from_breath_to_answer(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    pcm = bytes(range(200))
    press, begin, release, stop = spoken("T1", pcm)
    await subject.give(press, begin)
    await subject.sound(AudioChunk("T1", "s", 0, pcm))
    await subject.give(release, stop)
    assert bench.recordings.sealed[("T1", "s")] == pcm
    assert subject.state.takes["T1"].confirmed
    await wizard.give(c.Transcribe(id="c2", at=at(), take="T1", text="give me two"))
    assert subject.state.takes["T1"].transcriptions == ("give me two",)
    await subject.give(c.Report(id="s2", event=e.TranscriptionShown(at=at(), take="T1")))
    await wizard.give(c.SubmitQuery(id="c3", at=at(), take="T1", language=Language.ENGLISH, text="give me two"))
    assert wizard.state.attempts["c3"].sql == "rows 2"
    text = answer_text(wizard.state, "c3")
    assert text is not None
    await wizard.give(c.SendAnswer(id="c4", attempt="c3", sha256=digest(text)))
    assert subject.state.replies["c4"].text == text
    assert [take.number for take in wizard.state.takes.values()] == [1]
    turn = ["RecordingStopped", "Transcribed", "TranscriptionShown", "QuerySubmitted", "AnswerSent"]
    order = [type(fact.event).__name__ for fact in bench.store.read(SESSION)]
    assert [name for name in order if name in turn] == turn


async def test_an_answer_in_plain_words_is_the_same_bytes_in_preview_screen_and_log(bench: Bench) -> None:
    bench.database.readings = (ColumnReading("how many", codes={"0": "none", "1": "one"}),)
    subject, wizard = await both(bench, expand_codes=True, summary=True)
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(c.Report(id="s1", event=e.UtteranceTyped(at=at(), take="T1", text="give me two")))
    await wizard.give(c.SubmitQuery(id="c3", at=at(), take="T1", language=Language.ENGLISH, text="give me two"))
    text = answer_text(wizard.state, "c3")
    assert text == "Two rows\n\nhow many\n--------\nnone\none"
    assert wizard.state.attempts["c3"].table == rows_of(["number"], [[0], [1]])
    await wizard.give(c.SendAnswer(id="c4", attempt="c3", sha256=digest(text)))
    (sent,) = [fact.event for fact in bench.store.read(SESSION) if isinstance(fact.event, e.AnswerSent)]
    assert subject.state.replies["c4"].text == sent.text == text


async def test_the_subjects_wire_holds_nothing_of_what_is_behind_the_curtain(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    await subject.give(*spoken("T1", b""))
    await wizard.give(
        c.Transcribe(id="c2", at=at(), take="T1", text="give me two"),
        c.WriteNote(id="c5", text="mumbles"),
        c.SubmitQuery(id="c6", at=at(), take="T1", language=Language.SQL, text="rows too early"),
    )
    await subject.give(c.Report(id="s2", event=e.TranscriptionShown(at=at(), take="T1")))
    await wizard.give(c.SubmitQuery(id="c7", at=at(), take="T1", language=Language.SQL, text="hidden wording"))
    await wizard.give(c.SendCanned(id="c8", take="T1", message="none", blanks=("fares",)))
    shown = b"\n".join(frame.encode() if isinstance(frame, str) else frame for frame in subject.wire)
    assert b"No information is available on fares" in shown
    for hidden in (
        b"mumbles",
        b"too early",
        b"hidden wording",
        b"no such thing",
        b"Oz",
        b"wizard",
        b"c7",
        b"BBN-89",
        b"no data",
    ):
        assert hidden not in shown


async def test_a_command_given_twice_is_recorded_once(bench: Bench) -> None:
    _, wizard = await both(bench)
    note = c.WriteNote(id="c1", text="once")
    await wizard.give(note)
    await wizard.give(note)
    assert wizard.state.notes == ("once",)


async def test_a_desk_that_goes_in_the_middle_of_a_commit_leaves_the_hub_in_step_with_its_store(bench: Bench) -> None:
    subject, wizard = await both(bench)
    append, going, gone = bench.store.append_together, threading.Event(), threading.Event()

    def slow(writes: Sequence[Write]) -> Any:
        if any(write.stream == SESSION for write in writes):
            going.set()
            gone.wait(120)
        return append(writes)

    bench.store.append_together = slow  # type: ignore[method-assign]
    giving = asyncio.ensure_future(wizard.give(c.WriteNote(id="c1", text="one")))
    await asyncio.to_thread(going.wait, 120)
    cutting = asyncio.ensure_future(wizard.cut())
    await asyncio.sleep(0)
    gone.set()
    await asyncio.gather(giving, cutting)
    await subject.give(c.Report(id="s1", event=e.ExperimenterCalled(at=at())))
    assert "s1" in subject.answers
    await wizard.connect()
    assert (wizard.state.notes, wizard.state.called) == (("one",), True)
    assert wizard.link.pending == ()


async def test_what_was_cut_off_comes_after_the_next_connection(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await subject.cut()
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    press, begin, release, stop = spoken("T1", b"\1\2" * 50)
    await subject.give(press, begin, release, stop)
    assert subject.state.run is None
    await subject.connect()
    assert subject.state.run is not None
    assert wizard.state.takes["T1"].stopped
    wanted = [message for message in subject.happened if isinstance(message, ResendRequest)]
    assert wanted
    assert wanted[-1].ranges == ((0, 50),)
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 50))
    assert wizard.state.takes["T1"].confirmed


async def test_sound_with_another_hash_is_asked_for_again(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    press, begin, release, stop = spoken("T1", b"\1\2" * 50)
    await subject.give(press, begin)
    await subject.sound(AudioChunk("T1", "s", 0, b"\3\4" * 50))
    await subject.give(release, stop)
    assert not wizard.state.takes["T1"].confirmed
    assert [message for message in subject.happened if isinstance(message, ResendRequest)][-1].ranges == ((0, 50),)
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 50))
    assert wizard.state.takes["T1"].confirmed


async def test_sound_that_never_is_what_was_sealed_is_told_to_the_console(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    press, begin, release, stop = spoken("T1", b"\1\2" * 50)
    await subject.give(press, begin)
    await subject.sound(AudioChunk("T1", "s", 0, b"\3\4" * 50))
    await subject.give(release, stop)
    assert not any(isinstance(message, HubTrouble) and message.text for message in wizard.happened)
    await subject.sound(AudioChunk("T1", "s", 0, b"\3\4" * 50))
    shown = [message.text for message in wizard.happened if isinstance(message, HubTrouble)]
    assert shown[-1].startswith("Take T1, channel s, arrived 2 times and never matched its seal")
    assert not any(isinstance(message, HubTrouble) for message in subject.happened)
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 50))
    assert wizard.state.takes["T1"].confirmed


async def test_a_full_disk_is_told_to_the_console_and_loses_nothing(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    press, begin, release, stop = spoken("T1", b"\1\2" * 50)
    bench.recordings.refuse = True
    await subject.give(press, begin)
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 50))
    await subject.give(release, stop)
    assert any(isinstance(message, HubTrouble) and "No space" in message.text for message in wizard.happened)
    assert not any(isinstance(message, HubTrouble) for message in subject.happened)
    bench.recordings.refuse = False
    await subject.cut()
    await subject.connect()
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 50))
    assert wizard.state.takes["T1"].confirmed


async def test_a_disk_that_was_full_for_a_while_is_made_good_without_a_new_connection(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    pcm = b"\1\2" * 50
    press, begin, release, stop = spoken("T1", pcm)
    await subject.give(press, begin)
    bench.recordings.refuse = True
    await subject.sound(AudioChunk("T1", "s", 0, pcm))
    await subject.give(release, stop)
    await subject.sound(AudioChunk("T1", "s", 0, pcm))
    bench.recordings.refuse = False
    asked = sum(isinstance(message, ResendRequest) for message in subject.happened)
    bench.clock.advance(ASK_AGAIN_S)
    await bench.settle()
    assert sum(isinstance(message, ResendRequest) for message in subject.happened) == asked + 1
    await subject.sound(AudioChunk("T1", "s", 0, pcm))
    assert wizard.state.takes["T1"].confirmed
    bench.clock.advance(ASK_AGAIN_S)
    await bench.settle()
    assert sum(isinstance(message, ResendRequest) for message in subject.happened) == asked + 1


async def test_a_take_that_could_not_be_sealed_is_tried_again(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    seal = bench.recordings.seal

    def full(*_: object) -> bool:
        raise OSError(28, "No space left on device")

    bench.recordings.seal = full  # type: ignore[assignment, method-assign]
    press, begin, release, stop = spoken("T1", b"\1\2" * 50)
    await subject.give(press, begin)
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 50))
    await subject.give(release, stop)
    assert any(isinstance(message, HubTrouble) and "No space left" in message.text for message in wizard.happened)
    bench.recordings.seal = seal  # type: ignore[method-assign]
    bench.clock.advance(ASK_AGAIN_S)
    await bench.settle()
    assert wizard.state.takes["T1"].confirmed


async def test_a_fault_in_the_database_is_a_failed_query_and_no_end_of_the_session(bench: Bench) -> None:
    subject, wizard = await both(bench, echo="never")
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))

    def broken(sql: str) -> Table:
        raise KeyError("flight")

    bench.database.run = broken  # type: ignore[method-assign]
    await wizard.give(c.SubmitQuery(id="q1", at=at(), take="T1", language=Language.SQL, text="rows 1"))
    attempt = wizard.state.attempts["q1"]
    assert (attempt.failure, attempt.running) == (FailureKind.UNAVAILABLE, False)
    assert "KeyError" in attempt.message


async def test_the_limit_for_a_reply_is_reached_when_its_time_is_over(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    bench.clock.advance(59.0)
    await bench.settle()
    assert not wizard.state.takes["T1"].limit_reached
    bench.clock.advance(1.0)
    await bench.settle()
    assert wizard.state.takes["T1"].limit_reached
    assert not subject.state.takes["T1"].limit_reached


async def test_a_scenario_ends_when_its_time_is_up_pauses_left_out(bench: Bench) -> None:
    subject, wizard = await both(bench, scenario_limit_s=300)
    await wizard.give(c.StartScenario(id="c1", scenario="trip", bindings={"A": "Boston"}))
    bench.clock.advance(200)
    await wizard.give(c.PauseSession(id="c2", reason="break"))
    bench.clock.advance(500)
    await wizard.give(c.ResumeSession(id="c3"))
    bench.clock.advance(99)
    await bench.settle()
    assert subject.state.run is not None
    bench.clock.advance(1)
    await bench.settle()
    assert subject.state.runs[0].outcome is Outcome.TIME_UP


async def test_a_reply_is_held_back_and_can_be_stopped(bench: Bench) -> None:
    subject, wizard = await both(bench, hold_back_s=3)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    await wizard.give(c.SendCanned(id="r1", take="T1", message="none", blanks=("meals",)))
    assert wizard.state.planned is not None
    await wizard.give(c.StopReply(id="c2", reply="r1"))
    bench.clock.advance(10)
    await bench.settle()
    assert not subject.state.replies
    await wizard.give(c.SendCanned(id="r2", take="T1", message="none", blanks=("fares",)))
    bench.clock.advance(3)
    await bench.settle()
    assert list(subject.state.replies) == ["r2"]


async def test_what_was_due_while_the_store_took_nothing_is_done_when_it_does(bench: Bench) -> None:
    subject, wizard = await both(bench, hold_back_s=3)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    await wizard.give(c.SendCanned(id="r1", take="T1", message="none", blanks=("meals",)))
    append = bench.store.append_together

    def full(writes: Sequence[Write]) -> Any:
        return [StoreUnavailable("no space left") for _ in writes]

    bench.store.append_together = full  # type: ignore[method-assign]
    bench.clock.advance(3)
    await bench.settle()
    assert any(isinstance(message, HubTrouble) and message.text == "no space left" for message in wizard.happened)
    bench.store.append_together = append  # type: ignore[method-assign]
    bench.clock.advance(RETRY_S)
    await bench.settle()
    assert list(subject.state.replies) == ["r1"]


async def test_a_second_subject_is_turned_away_and_the_same_desk_comes_in_anew(bench: Bench) -> None:
    subject, _ = await both(bench)
    other = await PipedDesk(bench, "t-subject", "other").connect()
    assert other.closed.startswith("This place is taken")
    again = await PipedDesk(bench, "t-subject", "sub").connect()
    assert again.closed == ""
    assert subject.closed == "the desk connected again"


async def test_of_two_subjects_who_come_at_the_same_moment_one_is_turned_away(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("session.hub.session_actor.AT_A_TIME", 1)  # so that coming in takes a while
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.cut()
    desks = [PipedDesk(bench, "t-subject", name) for name in ("one", "other")]
    await asyncio.gather(*(desk.connect() for desk in desks))
    assert sorted(desk.closed[:19] for desk in desks) == ["", "This place is taken"], "whichever was first"


async def test_a_wrong_token_and_a_frame_before_the_hello_are_turned_away(bench: Bench) -> None:
    await bench.hub.open(SESSION, opened())
    stranger = await PipedDesk(bench, "guess").connect()
    assert "token" in stranger.closed
    early = PipedDesk(bench, "t-wizard")
    early.link.opening = lambda: ['{"m":"ping","sent":1}']  # type: ignore[method-assign]
    await early.connect()
    assert early.closed == "the first frame is not a hello"


async def test_a_role_cannot_do_what_is_not_its_own(bench: Bench) -> None:
    subject, wizard = await both(bench)
    watcher = await PipedDesk(bench, "t-observer", "obs").connect()
    await subject.give(c.WriteNote(id="x1", text="hello"))
    await watcher.give(c.WriteNote(id="x2", text="hello"))
    await wizard.give(c.GiveUp(id="x3", at=at()))
    assert watcher.answers["x2"] == wizard.answers["x3"] == "This desk cannot do that."
    assert subject.answers["x1"] == "That did not work. Please try again, or call the experimenter."
    assert wizard.state.notes == ()


async def test_consoles_see_who_comes_and_goes_and_the_subject_does_not(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await subject.cut()
    assert DeskPresence("subject", False, "cut") in wizard.happened
    await subject.connect()
    await wizard.cut()
    assert not any(isinstance(message, DeskPresence) for message in subject.happened)


async def test_a_new_hub_takes_up_the_session_where_the_old_one_fell(bench: Bench) -> None:
    subject, wizard = await both(bench)
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b"\1\2" * 5))
    seen = subject.link.have
    await bench.hub.close()
    later = Bench(bench.store, bench.recordings)
    for desk in (subject, wizard):
        await desk.cut()
        desk.bench = later
        await desk.connect()
    assert subject.link.have >= seen
    await subject.sound(AudioChunk("T1", "s", 0, b"\1\2" * 5))
    assert wizard.state.takes["T1"].confirmed
    numbers = [decode_hub_message(frame).recorded.seq for frame in subject.wire if '"m":"fact"' in str(frame)]  # type: ignore[union-attr]
    assert numbers == list(range(1, len(numbers) + 1))
    await later.hub.close()


async def test_a_query_that_ran_when_the_hub_fell_is_run_again() -> None:
    first = Bench(recordings=MemoryRecordings())
    subject, wizard = await both(first, echo="never")
    await wizard.give(c.StartScenario(id="c1", scenario="try"))
    await subject.give(*spoken("T1", b""))
    recorded = first.store.read(SESSION)
    fact = e.QuerySubmitted(at=at(), attempt="q1", take="T1", language=Language.SQL, text="rows 1")
    await first.hub.close()
    first.store.append(SESSION, len(recorded), [Entry(at(), "wizard", "q1", fact)])
    later = Bench(first.store, first.recordings)
    session = await later.hub.resume(SESSION)
    await later.settle()
    table = session.state.attempts["q1"].table
    assert table is not None
    assert len(table.rows) == 1
    await later.close()
