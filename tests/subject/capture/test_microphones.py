"""Which microphones a desk opens, what takes their place, and who is told when they are gone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from session import events as e
from session.audio import devices
from session.audio.devices import DeviceError, Microphone, refresh_devices
from session.audio.fake import FileMicrophone, Refuse, Unplug
from session.events import RecordingStopped, TalkReleased
from session.protocol import links
from session.study.screen_words import ENGLISH
from session.study.settings import MicrophoneChoice, Profile
from session.transport.websocket import Address
from session.values.clock import ManualClock
from session.values.vocabulary import AudioTrouble, LostMicrophone, RecordingControl
from subject.capture.input import Input
from subject.capture.level import Level
from subject.capture.microphones import inputs, opened, parsed
from subject.core import texts as telling
from subject.desk import SubjectDesk
from tests.subject.bench import BLOCK, RATE, Bench, LoudnessDetector, noise
from tests.subject.stage import Desk
from tests.together.pipe import opened as session_opened

CLOCK = ManualClock()
SCENARIO = e.ScenarioStarted(number=1, scenario="", title="Trip", text="Go.", kind="")


def fake(device: str | int | None, rate: int, channels: int) -> Microphone:
    return FileMicrophone(CLOCK, rate, channels, name=str(device))


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("Sennheiser", MicrophoneChoice(device="Sennheiser")),
        ("s=3@48000", MicrophoneChoice(device="3", rate=48_000)),
        ("sc=USB box", MicrophoneChoice(device="USB box", letters="sc")),
        ("s=", MicrophoneChoice()),
        ("hw:1,0=x@8000", MicrophoneChoice(device="hw:1,0=x", rate=8_000)),
    ],
)
def test_a_microphone_on_the_command_line(text: str, choice: MicrophoneChoice) -> None:
    assert parsed([text], 16_000) == (choice,)


@pytest.mark.parametrize("texts", [["c=Crown"], ["a", "b"], ["s=a", "s=b"], ["s=a", "x=b"], ["sabc=a", "d=b"]])
def test_channels_that_cannot_be_told_apart_are_refused(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="one to four"):
        parsed(texts, 16_000)


def test_a_rate_that_no_file_may_have_is_refused() -> None:
    with pytest.raises(ValueError, match="8000 and 48000"):
        parsed(["s=a@7000"], 16_000)


def names(found: list[Input]) -> list[tuple[str, str, int, int]]:
    microphones = [device.opener() for device in found]
    return [(device.letters, mic.name, mic.rate, mic.channels) for device, mic in zip(found, microphones, strict=True)]


PROFILE = Profile(
    name="test",
    microphones=(MicrophoneChoice(device="head"), MicrophoneChoice(device="phone", letters="c", rate=8_000)),
)


def test_the_command_line_comes_before_the_profile_and_the_profile_before_the_default_device() -> None:
    assert names(inputs((), Profile(name="test"), opener=fake)) == [("s", "None", 16_000, 1)]
    assert names(inputs((), PROFILE, opener=fake)) == [("s", "head", 16_000, 1), ("c", "phone", 8_000, 1)]
    named = parsed(["sc=4@44100"], 16_000)
    assert names(inputs(named, PROFILE, opener=fake)) == [("sc", "4", 44_100, 2)]
    assert names(inputs((), Profile(name="test"), 22_050, fake)) == [("s", "None", 22_050, 1)]


@pytest.fixture
def unrefreshed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subject.capture.microphones.refresh_devices", lambda: True)


@pytest.mark.usefixtures("unrefreshed")
@pytest.mark.parametrize(("lost", "device"), [(LostMicrophone.DEFAULT, "None"), (LostMicrophone.PAUSE, "head")])
def test_the_profile_says_what_takes_the_place_of_a_lost_one(lost: LostMicrophone, device: str) -> None:
    profile = Profile(name="test", microphones=(MicrophoneChoice(device="head"),), lost_microphone=lost)
    [found] = inputs((), profile, opener=fake)
    assert found.take_over is not None
    assert found.take_over().name == device
    assert found.goes_on is (lost is LostMicrophone.DEFAULT)


def test_the_device_list_is_not_read_anew_under_an_open_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    class PortAudio:
        def __init__(self) -> None:
            self.restarts = 0

        def _terminate(self) -> None:
            self.restarts += 1

        def _initialize(self) -> None: ...

    portaudio = PortAudio()
    monkeypatch.setattr("session.audio.devices.load_portaudio", lambda: portaudio)
    monkeypatch.setattr("session.audio.devices._OPEN", {1})
    assert not refresh_devices()
    devices._OPEN.clear()
    assert refresh_devices()
    assert portaudio.restarts == 1


# --- the recorder --------------------------------------------------------------------------------------------------------------


def test_a_take_ends_with_its_microphone_where_the_session_is_to_pause_and_the_device_is_looked_for(
    tmp_path: Path,
) -> None:
    bench = Bench(tmp_path, faults=[Unplug(100)], take_over=True, goes_on=False).open()
    bench.spare.say(noise(RATE * 10, seed=8))
    bench.run(50)
    bench.press()
    bench.run(51)
    kinds = [type(fact).__name__ for fact in bench.facts]
    assert kinds == ["RecordingStarted", "AudioTroubled", "TalkReleased", "AudioTroubled", "RecordingStopped"]
    assert [trouble.trouble for trouble in bench.troubles()] == [AudioTrouble.DEVICE_LOST, AudioTrouble.GAP]
    assert np.array_equal(bench.samples(), bench.spoken[50 * BLOCK - 4800 : 100 * BLOCK])
    bench.run(80)
    assert [trouble.trouble for trouble in bench.troubles()][2:] == [AudioTrouble.DEVICE_CHANGED, AudioTrouble.GAP]
    bench.press("T2")
    bench.run(50)
    bench.release("T2")
    bench.run(30)
    assert len(bench.stopped()) == 2
    assert len(bench.samples("T2")) == 4800 + 50 * BLOCK + 4800


def test_with_both_microphones_gone_the_take_is_not_waited_for(tmp_path: Path) -> None:
    seconds: list[FileMicrophone] = []

    def second(bench: Bench) -> list[Input]:
        from session.audio.fake import FaultyMicrophone

        inner = FileMicrophone(bench.clock, RATE, name="table")
        inner.say(noise(RATE * 10))
        bench.stepped.append(inner)
        seconds.append(inner)
        return [Input(lambda: FaultyMicrophone(inner, [Unplug(101)]), "c", goes_on=False)]

    bench = Bench(tmp_path, faults=[Unplug(100)], more=second).open()
    bench.run(50)
    bench.press()
    bench.run(53)
    [stopped] = [fact for fact in bench.facts if isinstance(fact, RecordingStopped)]
    assert [(seal.letter, seal.samples) for seal in stopped.sealed] == [
        ("s", 50 * BLOCK + 4800),
        ("c", 51 * BLOCK + 4800),
    ]
    assert len([fact for fact in bench.facts if isinstance(fact, TalkReleased)]) == 1


def test_a_microphone_that_is_refused_at_the_beginning_is_told_of_and_replaced(tmp_path: Path) -> None:
    bench = Bench(tmp_path, faults=[Refuse()], take_over=True).open()
    bench.spare.say(noise(RATE * 10, seed=8))
    bench.run(50)
    assert [(trouble.trouble, trouble.take) for trouble in bench.troubles()] == [
        (AudioTrouble.DEVICE_LOST, ""),
        (AudioTrouble.DEVICE_CHANGED, ""),
    ]
    assert "Invalid sample rate" in bench.troubles()[0].detail
    bench.press()
    bench.run(50)
    bench.release()
    bench.run(30)
    assert np.array_equal(bench.samples(), noise(RATE * 10, seed=8)[50 * BLOCK - 4800 : 100 * BLOCK + 4800])


def test_it_is_not_replaced_where_the_session_is_to_pause(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match="Invalid sample rate"):
        Bench(tmp_path, faults=[Refuse()], take_over=True, goes_on=False).open()


# --- the desk ------------------------------------------------------------------------------------------------------------------


def desk_of(folder: Path, opener: list[Input], **settings: Any) -> SubjectDesk:
    desk = SubjectDesk(
        Address("127.0.0.1", 1, "s", "t", tls=False), ManualClock("subject"), folder, opener, lambda: None,
        detector=lambda rate: LoudnessDetector(),
    )  # fmt: skip
    desk._post = lambda action: action()  # type: ignore[method-assign]  # no loop runs: everything happens at once
    fact = session_opened(**settings)
    desk.terminal.receive(links.FactReceived(e.Recorded("s", 1, e.NOWHERE, "hub", "", fact)))
    return desk


def nothing() -> Microphone:
    raise DeviceError("there is no device 'head'")


async def test_a_microphone_that_cannot_be_opened_is_told_to_the_hub_with_the_reason(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, [Input(nothing)])
    with pytest.raises(DeviceError, match="no device 'head'"):
        desk.open_microphone()
    [report] = desk.kept.pending()
    assert isinstance(report.event, e.AudioTroubled)
    assert (report.event.trouble, report.event.detail) == (AudioTrouble.DEVICE_LOST, "there is no device 'head'")
    assert not desk.terminal.listening
    await desk.close()


async def test_opened_after_all_it_is_told_too(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, [Input(lambda: FileMicrophone(ManualClock()))])
    lost = e.AudioTroubled(at=e.NOWHERE, take="", trouble=AudioTrouble.DEVICE_LOST, detail="unplugged")
    desk.terminal.receive(links.FactReceived(e.Recorded("s", 2, e.NOWHERE, "subject", "", lost)))
    desk.open_microphone()
    assert desk.terminal.listening
    [report] = desk.kept.pending()
    assert isinstance(report.event, e.AudioTroubled)
    assert report.event.trouble is AudioTrouble.DEVICE_CHANGED
    await desk.close()


class Watched(FileMicrophone):
    """A microphone that counts how often it was given back."""

    closed = 0

    def close(self) -> None:
        self.closed += 1
        super().close()


ENDS = [e.WithdrawalRequested(at=e.NOWHERE, erase=False), e.SessionEnded(reason="done")]


@pytest.mark.parametrize("control", [RecordingControl.PRESS, RecordingControl.ENDPOINTED])
@pytest.mark.parametrize("end", ENDS, ids=lambda fact: type(fact).__name__)
async def test_the_microphone_is_closed_when_the_subject_stops_or_the_session_ends(
    tmp_path: Path, end: e.Fact, control: RecordingControl
) -> None:
    microphone = Watched(ManualClock())
    desk = desk_of(tmp_path, [Input(lambda: microphone)], recording=control)
    desk.open_microphone()
    desk.levels["s"] = Level("s", 1, 0.1, 0.1)
    desk.terminal.receive(links.FactReceived(e.Recorded("s", 2, e.NOWHERE, "hub", "", end)))
    assert desk._closing is not None
    await desk._closing
    assert microphone.closed == 1
    assert not desk.terminal.listening
    assert desk.levels == {}
    desk.open_microphone()
    assert not desk.terminal.listening, "and nobody opens it again"
    await desk.close()
    assert microphone.closed == 1


async def test_whoever_stops_while_talking_is_recorded_no_longer_even_without_a_hub(tmp_path: Path) -> None:
    microphone = Watched(ManualClock())
    desk = desk_of(tmp_path, [Input(lambda: microphone)], recording=RecordingControl.PRESS)
    desk.terminal.receive(links.FactReceived(e.Recorded("s", 2, e.NOWHERE, "hub", "", SCENARIO)))
    desk.open_microphone()
    assert desk.terminal.press()
    desk.terminal.withdraw(erase=True)
    assert desk._closing is not None
    await desk._closing
    assert microphone.closed == 1
    reported = [type(report.event) for report in desk.kept.pending()]
    assert reported[-3:] == [e.TalkReleased, e.WithdrawalRequested, RecordingStopped]
    await desk.close()


async def test_typed_input_opens_no_device(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, [Input(nothing)], recording=RecordingControl.TYPED)
    desk.open_microphone()
    assert not desk.terminal.listening
    assert desk.kept.pending() == []
    await desk.close()


async def test_an_end_pointed_session_without_an_end_pointer_opens_nothing(tmp_path: Path) -> None:
    microphone = FileMicrophone(ManualClock())
    desk = desk_of(tmp_path, [Input(lambda: microphone)], recording=RecordingControl.ENDPOINTED)

    def missing(rate: int) -> LoudnessDetector:
        raise DeviceError("no end-pointer")

    desk._detector = missing
    with pytest.raises(DeviceError, match="no end-pointer"):
        desk.open_microphone()
    assert not desk.terminal.listening
    assert microphone._on_block is None
    await desk.close()


def test_the_subject_is_told_of_a_lost_microphone_until_there_is_another_one() -> None:
    desk = Desk()
    desk.scenario()
    lost = e.AudioTroubled(at=e.NOWHERE, take="", trouble=AudioTrouble.DEVICE_LOST, detail="unplugged")
    desk.terminal.fact(lost)
    assert telling.message(desk.terminal, True) == ENGLISH["message.microphone_gone"]
    desk.terminal.fact(
        e.AudioTroubled(at=e.NOWHERE, take="", trouble=AudioTrouble.DEVICE_CHANGED, detail="b took over")
    )
    assert telling.message(desk.terminal, True) == ""


def test_opened_gives_the_device_as_it_was_named() -> None:
    assert (
        opened(MicrophoneChoice(device="7"), opener=lambda device, rate, channels: fake(device, rate, channels)).name
        == "7"
    )
    assert opened(MicrophoneChoice(letters="sc", rate=8_000), opener=fake).channels == 2


def test_what_the_hub_is_told_lays_two_drifting_devices_over_each_other(tmp_path: Path) -> None:
    others: list[FileMicrophone] = []

    def second(bench: Bench) -> list[Input]:
        other = FileMicrophone(bench.clock, 8_000, 1, 160, name="table", floor=20, drift_ppm=250.0)
        bench.stepped.append(other)
        others.append(other)
        return [Input(lambda: other, "c")]

    bench = Bench(tmp_path, speak=False, more=second).open()
    bench.run(1_000)
    bench.press()
    bench.run(100)
    clicked = []
    for microphone in bench.stepped:
        clicked.append(microphone.due_ns() - microphone._time_of(microphone.blocksize))
        microphone.say(np.array([30_000], dtype=np.int16))
    bench.run(100)
    bench.release()
    bench.run(30)
    [started], [stopped] = bench.started(), bench.stopped()
    assert [seal.drift_ppm for seal in stopped.sealed] == [pytest.approx(0, abs=2), pytest.approx(250, abs=5)]
    for channel, sealed, moment in zip(started.channels, stopped.sealed, clicked, strict=True):
        place = int(np.argmax(bench.samples(letter=channel.letter)))
        assert sealed.drift_ppm is not None
        seconds = place / channel.rate * (1 + sealed.drift_ppm * 1e-6)
        found = started.at.mono + channel.offset + round(seconds * 1e9)
        stated = next(seal.header.uncertainty_ns for seal in bench.sealed if seal.header.letter == channel.letter)
        assert abs(found - moment) <= stated + 10**9 // channel.rate, channel.letter
        assert stated < 2_000_000
