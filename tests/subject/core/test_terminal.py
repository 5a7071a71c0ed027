"""The subject's use-cases over a link that does what the test says."""

import asyncio
import hashlib

import pytest

from session import commands as c
from session import events as e
from session.protocol.links import CommandAnswered, HistoryReset
from session.protocol.messages import CompletionCode, ResendRequest, Welcome
from session.values.clock import Stamp
from session.values.vocabulary import AudioTrouble, Channel, Outcome, RecordingControl, Sealed
from subject.core.terminal import Phase
from subject.core.texts import headline
from subject.ports import Seen
from tests.subject.stage import Desk
from tests.together.pipe import opened


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.scenario()
    return desk


def test_the_phases_of_a_session_in_their_order() -> None:
    desk = Desk()
    assert desk.terminal.phase is Phase.BETWEEN
    desk.scenario()
    assert desk.terminal.phase is Phase.READY
    desk.utterance("t1")
    assert desk.terminal.phase is Phase.WORKING
    desk.tell(e.CannedSent(reply="r1", take="t1", text="Sorry"))
    assert desk.terminal.phase is Phase.READY
    desk.tell(e.SessionPaused(reason=""))
    assert desk.terminal.phase is Phase.PAUSED
    desk.tell(e.SessionResumed(), e.ScenarioEnded(outcome=Outcome.ENDED), e.SessionEnded(reason=""))
    assert desk.terminal.phase is Phase.ENDED


def test_the_completion_code_stands_in_the_last_sentence_and_in_no_other(desk: Desk) -> None:
    desk.terminal.receive(CompletionCode("C7KQTM2X"))
    assert "C7KQTM2X" not in headline(desk.terminal)
    desk.tell(e.ScenarioEnded(outcome=Outcome.ENDED), e.SessionEnded(reason=""))
    assert headline(desk.terminal) == (
        "The session is over. Thank you. Please tell the experimenter. Your completion code is C7KQTM2X."
    )


def test_the_lamp_lights_with_the_first_samples_and_not_with_the_press(desk: Desk) -> None:
    assert desk.terminal.press()
    assert desk.terminal.phase is Phase.PRESSED
    channel = (Channel("s", "mic", 16000),)
    desk.terminal.fact(e.RecordingStarted(at=Stamp("subject", 0, 0), take="id1", channels=channel, pre_roll=0))
    assert desk.terminal.phase is Phase.RECORDING
    desk.terminal.release()
    assert desk.terminal.phase is Phase.RECORDING, "the tail is still being recorded"
    desk.terminal.fact(e.RecordingStopped(at=Stamp("subject", 0, 0), take="id1", sealed=()))
    assert desk.terminal.lamp == ""
    assert [type(fact).__name__ for fact in desk.up.facts()] == [
        "TalkPressed", "RecordingStarted", "TalkReleased", "RecordingStopped",
    ]  # fmt: skip


def test_a_press_is_stamped_when_it_happens_and_journalled_before_it_goes_up(desk: Desk) -> None:
    desk.clock.advance(2)
    desk.terminal.press()
    report = desk.up.given[-1]
    assert desk.keeping.reports[report.id] is report
    assert isinstance(report, c.Report)
    assert isinstance(report.event, e.TalkPressed)
    assert report.event.at.mono == 2_000_000_000
    desk.terminal.receive(CommandAnswered(report.id))
    assert desk.keeping.pending() == []


def test_nothing_is_recorded_outside_a_scenario_or_twice_at_once() -> None:
    desk = Desk()
    assert not desk.terminal.press()
    desk.scenario()
    assert desk.terminal.press()
    assert not desk.terminal.press()
    assert [call for call in desk.recorder.calls if call[0] == "press"] == [("press", "id1")]


def test_without_a_microphone_the_subject_is_told_so(desk: Desk) -> None:
    desk.terminal.use(None)
    assert not desk.terminal.press()
    assert "experimenter" in desk.terminal.message


def test_typed_input_opens_no_microphone_and_is_reported() -> None:
    desk = Desk(recording=RecordingControl.TYPED)
    desk.scenario()
    assert not desk.terminal.press()
    desk.terminal.type("show me\nflights")
    fact = desk.up.facts()[-1]
    assert isinstance(fact, e.UtteranceTyped)
    assert desk.recorder.calls == []


def test_what_was_painted_is_reported_once(desk: Desk) -> None:
    desk.utterance("t1")
    desk.tell(e.Transcribed(at=Stamp("", 0, 0), take="t1", text="hello"))
    desk.terminal.transcription_painted("t1")
    desk.terminal.transcription_painted("t1")
    desk.tell(e.AnswerSent(reply="r1", take="t1", text="a\nb"))
    desk.terminal.reply_painted("r1", 0, 1)
    desk.terminal.reply_painted("r1", 0, 1)
    names = [type(fact).__name__ for fact in desk.up.facts()]
    assert names.count("TranscriptionShown") == names.count("ReplyShown") == 1
    desk.tell(e.Transcribed(at=Stamp("", 0, 0), take="t1", text="hello again"))
    desk.terminal.transcription_painted("t1")
    assert [type(fact).__name__ for fact in desk.up.facts()].count("TranscriptionShown") == 2


def test_what_one_painting_showed_goes_to_the_disk_at_once_what_is_new_first(desk: Desk) -> None:
    writes: list[tuple[str, ...]] = []
    add = desk.keeping.add

    def noting(*reports: c.Report) -> None:
        writes.append(tuple(type(report.event).__name__ for report in reports))
        add(*reports)

    desk.keeping.add = noting  # type: ignore[method-assign]
    desk.utterance("t1")
    desk.tell(e.AnswerSent(reply="r1", take="t1", text="a"), e.AnswerSent(reply="r2", take="t1", text="b"))
    desk.terminal.saw([Seen("r1", 0, 0, again=True), Seen("r2", 0, 0)])
    desk.terminal.saw([])
    assert writes == [("ReplyShown", "ReplyViewed")]
    assert desk.up.facts()[-2:] == [desk.keeping.reports[name].event for name in ("r2-shown", "id1")]


def test_a_screen_built_anew_does_not_report_again_what_the_last_one_showed(desk: Desk) -> None:
    desk.utterance("t1")
    desk.tell(
        e.Transcribed(at=Stamp("", 0, 0), take="t1", text="hello"),
        e.TranscriptionShown(at=Stamp("", 0, 0), take="t1"),
        e.AnswerSent(reply="r1", take="t1", text="a"),
        e.ReplyShown(at=Stamp("", 0, 0), reply="r1", first=0, last=0),
    )
    desk.terminal.transcription_painted("t1")
    desk.terminal.reply_painted("r1", 0, 0)
    assert desk.up.facts() == []


async def test_what_the_hub_lacks_is_sent_in_pieces_from_the_spool(desk: Desk) -> None:
    desk.terminal.receive(ResendRequest("t1", "s", ((10, 2000), (4000, 5))))
    for _ in range(5):
        await asyncio.sleep(0)
    assert [(sound.first, len(sound.pcm) // 2) for sound in desk.up.sounds] == [(10, 1600), (1610, 400), (4000, 5)]
    pcm = b"".join(sound.pcm for sound in desk.up.sounds[:2])
    assert hashlib.sha256(pcm).digest() == hashlib.sha256(desk.keeping.pcm[20:4020]).digest()


def test_the_local_copy_may_go_only_on_the_hubs_confirmation(desk: Desk) -> None:
    desk.utterance("t1")
    assert desk.keeping.confirmed == []
    desk.tell(e.TakeConfirmed(take="t1", sealed=(Sealed("s", 5000, "ab"),)))
    assert desk.keeping.confirmed == [("t1", "s", 5000, "ab")]


def test_a_refusal_is_shown(desk: Desk) -> None:
    desk.terminal.receive(CommandAnswered("x", "No scenario is going on."))
    assert desk.terminal.message == "No scenario is going on."


def test_reports_of_an_earlier_run_go_up_first() -> None:
    desk = Desk()
    left = c.Report(id="old", event=e.TalkPressed(at=Stamp("s", 0, 0), take="t0"))
    desk.keeping.add(left)
    desk.terminal.start()
    assert desk.up.given == [left]


def test_requests_name_the_last_take_and_the_words(desk: Desk) -> None:
    desk.utterance("t1")
    desk.terminal.discard()
    desk.terminal.declare("flight 12")
    desk.terminal.give_up()
    discard, declare, give_up = desk.up.given
    assert isinstance(discard, c.DiscardTake)
    assert discard.take == "t1"
    assert isinstance(declare, c.DeclareSolution)
    assert declare.solution == "flight 12"
    assert isinstance(give_up, c.GiveUp)


def test_the_size_of_the_screen_is_reported_when_it_changes(desk: Desk) -> None:
    desk.terminal.sized(80, 20)
    desk.terminal.sized(80, 20)
    desk.terminal.sized(100, 20)
    sizes = [(fact.columns, fact.lines) for fact in desk.up.facts() if isinstance(fact, e.ScreenSized)]
    assert sizes == [(80, 20), (100, 20)]


def test_pressing_again_within_the_tail_goes_on(desk: Desk) -> None:
    desk.terminal.press()
    channel = (Channel("s", "mic", 16000),)
    desk.terminal.fact(e.RecordingStarted(at=Stamp("subject", 0, 0), take="id1", channels=channel, pre_roll=0))
    desk.terminal.release()
    assert desk.terminal.press()


def test_a_take_that_the_recorder_ends_frees_the_button(desk: Desk) -> None:
    desk.terminal.press()
    desk.terminal.fact(e.TalkReleased(at=Stamp("subject", 0, 0), take="id1", why="longest take"))
    assert desk.terminal.held == ""


def test_a_take_of_which_a_crash_left_nothing_is_ended_when_the_desk_knows_how_things_stand() -> None:
    desk = Desk()
    desk.scenario()
    desk.keeping.held.add("kept")
    desk.tell(e.TalkPressed(at=Stamp("s", 0, 0), take="lost"), e.TalkPressed(at=Stamp("s", 0, 0), take="kept"))
    assert desk.up.facts() == [], "the desk does not know yet whether its end is still to come"
    desk.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", desk.seq))
    desk.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", desk.seq))
    (stopped,) = desk.up.facts()
    assert isinstance(stopped, e.RecordingStopped)
    assert (stopped.take, stopped.sealed, stopped.recovered) == ("lost", (), True)


def test_a_take_that_is_being_spoken_goes_on_when_the_link_comes_back(desk: Desk) -> None:
    desk.terminal.press()
    desk.tell(e.TalkPressed(at=Stamp("s", 0, 0), take=desk.terminal.held))
    desk.terminal.receive(Welcome("bbn-20261121-1", "subject", "hub", desk.seq))
    assert [type(fact).__name__ for fact in desk.up.facts()] == ["TalkPressed"]


def test_a_store_that_was_put_back_begins_the_terminal_anew(desk: Desk) -> None:
    desk.utterance("t1")
    desk.terminal.receive(HistoryReset())
    assert desk.terminal.state.opened is None
    desk.seq = 0
    desk.tell(opened())
    desk.scenario()
    assert desk.terminal.phase is Phase.READY


def test_a_folder_that_refuses_is_told_once_as_long_as_it_lasts() -> None:
    desk = Desk()
    desk.keeping.troubles = ["reports.jsonl: the disk refuses the journal; make room on it"]
    desk.terminal.call()
    desk.terminal.call()
    desk.keeping.troubles = []
    desk.terminal.call()
    desk.keeping.troubles = ["again"]
    desk.terminal.call()
    troubles = [fact for fact in desk.up.facts() if isinstance(fact, e.AudioTroubled)]
    assert [(fact.take, fact.trouble, fact.detail[:13]) for fact in troubles] == [
        ("", AudioTrouble.DISK, "reports.jsonl"),
        ("", AudioTrouble.DISK, "again"),
    ]
