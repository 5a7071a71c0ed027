from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from session.audio import devices
from session.audio.devices import (
    DeviceError,
    SoundDeviceLoudspeaker,
    SoundDeviceMicrophone,
    list_devices,
    load_portaudio,
    refresh_devices,
)


class _PortAudioError(Exception):
    pass


class _Stream:
    latency = 0.02

    def __init__(self, portaudio: "_PortAudio", options: dict[str, Any]) -> None:
        self.portaudio, self.options = portaudio, options
        self.closed = self.running = False

    def start(self) -> None:
        if self.portaudio.busy:
            raise _PortAudioError("Device unavailable")
        self.running = True

    def stop(self) -> None:
        self.running = False
        self.options["finished_callback"]()

    def close(self, ignore_errors: bool = True) -> None:
        self.running, self.closed = False, True
        self.options["finished_callback"]()


class _PortAudio:
    """As much of sounddevice as is used, with one device."""

    PortAudioError = _PortAudioError
    default = SimpleNamespace(device=(0, 1))

    def __init__(self) -> None:
        self.busy = False
        self.refused_rate = 0
        self.streams: list[_Stream] = []
        self.refreshed: list[str] = []

    def query_hostapis(self) -> tuple[dict[str, str], ...]:
        return ({"name": "ALSA"},)

    def query_devices(self, device: str | int | None = None, kind: str | None = None) -> Any:
        headset = {
            "name": "headset",
            "hostapi": 0,
            "max_input_channels": 1,
            "max_output_channels": 0,
            "default_samplerate": 48_000.0,
        }
        if kind is None:
            return (headset, {**headset, "name": "box", "max_input_channels": 0, "max_output_channels": 2})
        if device not in (None, 0, "headset"):
            raise ValueError(f"No input device matching {device!r}")
        return headset

    def check_input_settings(self, *, device: object, channels: int, dtype: str, samplerate: int) -> None:
        assert dtype == "int16"
        if samplerate == self.refused_rate:
            raise _PortAudioError("Error opening RawInputStream: Invalid sample rate [PaErrorCode -9997]")
        if channels > 1:
            raise _PortAudioError("Invalid number of channels [PaErrorCode -9998]")

    def RawInputStream(self, **options: Any) -> _Stream:  # noqa: N802 – PortAudio's name
        self.streams.append(_Stream(self, options))
        return self.streams[-1]

    RawOutputStream = RawInputStream

    def _terminate(self) -> None:
        self.refreshed.append("terminate")

    def _initialize(self) -> None:
        self.refreshed.append("initialize")


@pytest.fixture
def portaudio(monkeypatch: pytest.MonkeyPatch) -> _PortAudio:
    fake = _PortAudio()
    monkeypatch.setattr(devices, "load_portaudio", lambda: fake)
    monkeypatch.setattr(devices, "_OPEN", set[int]())
    return fake


def _status(overflow: bool = False) -> Any:
    return SimpleNamespace(input_overflow=overflow)


def test_blocks_are_handed_over_with_their_overflow_and_without_an_untrusted_stamp(portaudio: _PortAudio) -> None:
    blocks: list[tuple[bytes, int, bool, int | None]] = []
    microphone = SoundDeviceMicrophone("headset")
    microphone.start(lambda *block: blocks.append(block), lambda reason: None)
    callback: Callable[..., None] = portaudio.streams[0].options["callback"]
    callback(memoryview(b"\x01\x02\x03\x04"), 2, None, _status())
    callback(memoryview(b"\x05\x06"), 1, None, _status(overflow=True))
    assert blocks == [(b"\x01\x02\x03\x04", 2, False, None), (b"\x05\x06", 1, True, None)]
    assert (microphone.name, microphone.rate, microphone.channels, microphone.latency_ns) == (
        "headset",
        16_000,
        1,
        20_000_000,
    )


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 48_000])
def test_blocks_last_20_ms_at_any_rate(portaudio: _PortAudio, rate: int) -> None:
    SoundDeviceMicrophone("headset", rate)
    assert portaudio.streams[0].options["blocksize"] == rate // 50


def test_a_microphone_that_stops_by_itself_says_so_once_and_one_that_is_closed_does_not(portaudio: _PortAudio) -> None:
    reasons: list[str] = []
    microphone = SoundDeviceMicrophone()
    microphone.start(lambda *block: None, reasons.append)
    portaudio.streams[0].options["finished_callback"]()
    portaudio.streams[0].options["finished_callback"]()
    assert len(reasons) == 1
    assert "unplugged" in reasons[0]
    other = SoundDeviceMicrophone()
    other.start(lambda *block: None, reasons.append)
    other.stop()
    other.close()
    other.close()
    assert len(reasons) == 1
    assert portaudio.streams[1].closed


def test_a_refused_rate_a_missing_channel_and_a_busy_device_each_have_their_remedy(portaudio: _PortAudio) -> None:
    portaudio.refused_rate = 44_100
    with pytest.raises(DeviceError, match="refuses 44100 Hz: set `rate`"):
        SoundDeviceMicrophone("headset", 44_100)
    with pytest.raises(DeviceError, match="fewer channels"):
        SoundDeviceMicrophone("headset", channels=2)
    portaudio.busy = True
    with pytest.raises(DeviceError, match="close other programs"):
        SoundDeviceMicrophone("headset").start(lambda *block: None, lambda reason: None)


def test_a_device_that_is_not_there_is_named(portaudio: _PortAudio) -> None:
    with pytest.raises(DeviceError, match="'table-top' was not found"):
        SoundDeviceMicrophone("table-top")


def test_a_machine_without_a_device_is_told_so_and_no_number_of_one(
    portaudio: _PortAudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(device: object, kind: str) -> dict[str, str]:
        raise portaudio.PortAudioError("Error querying device -1")

    monkeypatch.setattr(portaudio, "query_devices", nothing)
    with pytest.raises(DeviceError, match=r"^there is no input device\. Plug one in") as told:
        SoundDeviceMicrophone(None)
    assert "-1" not in str(told.value)


@pytest.mark.parametrize(("rate", "channels"), [(7_999, 1), (96_000, 1), (16_000, 0), (16_000, 5)])
def test_formats_beyond_what_is_recorded_are_refused(portaudio: _PortAudio, rate: int, channels: int) -> None:
    with pytest.raises(DeviceError, match="Curtain records"):
        SoundDeviceMicrophone("headset", rate, channels)
    assert portaudio.streams == []


def test_the_list_of_devices_tells_what_each_can_do(portaudio: _PortAudio) -> None:
    headset, box = list_devices()
    assert (headset.name, headset.host, headset.inputs, headset.rate) == ("headset", "ALSA", 1, 48_000)
    assert headset.default_input
    assert not headset.default_output
    assert (box.outputs, box.default_output) == (2, True)


def test_looking_again_restarts_portaudio(portaudio: _PortAudio) -> None:
    refresh_devices()
    assert portaudio.refreshed == ["terminate", "initialize"]


def test_the_loudspeaker_is_given_what_is_asked_for(portaudio: _PortAudio) -> None:
    loudspeaker = SoundDeviceLoudspeaker()
    loudspeaker.start(lambda count: bytes(range(count * 2)), lambda reason: None)
    out = bytearray(6)
    portaudio.streams[0].options["callback"](out, 3, None, _status())
    assert bytes(out) == bytes(range(6))
    loudspeaker.close()
    assert portaudio.streams[0].closed
    SoundDeviceLoudspeaker(blocksize=1_600, ahead=0.5).close()
    options = [stream.options for stream in portaudio.streams]
    assert [(one["latency"], one["blocksize"]) for one in options] == [("low", 160), (0.5, 1_600)]


def test_without_portaudio_there_is_one_error_with_the_line_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError("PortAudio library not found")

    monkeypatch.setattr("session.audio.devices.importlib.import_module", missing)
    with pytest.raises(DeviceError, match="apt-get install libportaudio2"):
        load_portaudio()
    with pytest.raises(DeviceError, match="typed input"):
        SoundDeviceMicrophone()


def test_big_endian_hosts_hand_over_little_endian_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.audio.devices.sys.byteorder", "big")
    assert devices._little_endian(b"\x01\x02\x03\x04") == b"\x02\x01\x04\x03"
