"""Microphones and loudspeakers: the one place that knows PortAudio.

A microphone is opened once and stays open; from then on it hands over blocks of samples from a thread of its own, and who
receives them only enqueues. Everything above this module takes a `Microphone` or a `Loudspeaker`, so a session runs just as
well on recorded speech (`session.audio.fake`). `sounddevice` is imported when a device is opened: a machine without
PortAudio can do everything else.
"""

import importlib
import sys
from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import msgspec

WIDTH = 2
"""Bytes in a sample: 16-bit, little-endian, everywhere."""

RATES = range(8_000, 48_001)

BLOCKS_PER_SECOND = 50
"""Of a microphone that is not told another size: the wizard hears 20 ms at a time, whatever the rate."""

OnBlock = Callable[[bytes, int, bool, int | None], None]
"""Receives interleaved 16-bit little-endian samples, the number of frames, whether the device reports that samples before
this block were lost, and the moment at which the last frame was captured, in nanoseconds of the caller's monotonic clock,
or None where the device has no stamp that can be trusted (PortAudio's cannot be on every host). Runs in the device's
thread: it may only enqueue."""

OnGone = Callable[[str], None]
"""Told once, with the reason, when a device stops without having been asked to. Runs in the device's thread."""

Fill = Callable[[int], bytes]
"""Asked for so many frames by a loudspeaker's thread; gives them as 16-bit little-endian samples, never fewer."""


class DeviceError(Exception):
    """A device cannot be had; the message says which, why, and what to do."""


class Device(msgspec.Struct, frozen=True):
    """One entry of the host's list of devices."""

    index: int
    name: str
    host: str
    inputs: int
    outputs: int
    rate: int
    default_input: bool = False
    default_output: bool = False


class Microphone(Protocol):
    """An input device, opened with its rate (Hz), channels and frames per block."""

    @property
    def name(self) -> str: ...

    @property
    def rate(self) -> int: ...

    @property
    def channels(self) -> int: ...

    @property
    def latency_ns(self) -> int:
        """Time between sound at the microphone and its block's arrival, as the device reports it; 0 if stamps are exact."""

    def start(self, on_block: OnBlock, on_gone: OnGone) -> None:
        """Begin to deliver blocks; raises `DeviceError`."""

    def stop(self) -> None:
        """Deliver no more blocks after this returns."""

    def close(self) -> None:
        """Stop and give the device back; closing twice does no harm."""


class Loudspeaker(Protocol):
    """An output device for one channel, opened with its rate and frames per block."""

    @property
    def name(self) -> str: ...

    @property
    def rate(self) -> int: ...

    @property
    def latency_ns(self) -> int:
        """Time between a sample's being given and its being heard, as the device reports it; 0 if there is none."""

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        """Begin to ask for samples; raises `DeviceError`."""

    def close(self) -> None:
        """Stop and give the device back; closing twice does no harm."""


def sounding(loudspeaker: Loudspeaker, fill: Fill, on_gone: OnGone) -> Loudspeaker:
    """Have a loudspeaker ask for samples and return it; where it cannot, give it back and raise `DeviceError`."""
    try:
        loudspeaker.start(fill, on_gone)
    except DeviceError:
        loudspeaker.close()
        raise
    return loudspeaker


def check_format(rate: int, channels: int) -> None:
    """Raise `DeviceError` unless the rate is within 8 to 48 kHz and the channels within one to four."""
    if rate not in RATES:
        raise DeviceError(
            f"sample rate {rate} Hz: Curtain records at 8000 to 48000 Hz; set `rate` in the profile to one of them"
        )
    if not 1 <= channels <= 4:
        raise DeviceError(
            f"{channels} channels: Curtain records one to four; name up to four microphones in the profile"
        )


def load_portaudio() -> Any:
    """The sounddevice module; raises `DeviceError` with the remedy when it or PortAudio cannot be loaded."""
    try:
        return importlib.import_module("sounddevice")
    except (ImportError, OSError) as error:
        raise DeviceError(
            f"no sound: PortAudio could not be loaded ({error}). Install it (Debian and Ubuntu: "
            "`sudo apt-get install libportaudio2`), or choose typed input in the profile"
        ) from error


def list_devices() -> tuple[Device, ...]:
    """List the devices that the host offers, in PortAudio's order; raises `DeviceError` when PortAudio is missing or fails."""
    portaudio = load_portaudio()
    try:
        hosts = portaudio.query_hostapis()
        devices = portaudio.query_devices()
        default_input, default_output = portaudio.default.device
    except portaudio.PortAudioError as error:
        raise DeviceError(f"the list of sound devices cannot be read: {error}") from error
    return tuple(
        Device(
            index=number,
            name=device["name"],
            host=hosts[device["hostapi"]]["name"],
            inputs=device["max_input_channels"],
            outputs=device["max_output_channels"],
            rate=int(device["default_samplerate"]),
            default_input=number == default_input,
            default_output=number == default_output,
        )
        for number, device in enumerate(devices)
    )


_OPEN = set[int]()
"""The streams of this process that are open: PortAudio, one for the whole process, must not be restarted under them."""


def refresh_devices() -> bool:
    """Let PortAudio look again, so that a device plugged in since can be found; False while a stream is open: then it cannot."""
    portaudio = load_portaudio()
    if _OPEN:
        return False
    portaudio._terminate()
    portaudio._initialize()
    return True


class _Device:
    """A device with its stream open: its name, rate and latency, the end of the stream, and the word that it is gone."""

    KIND: ClassVar[str]
    SENSE: ClassVar[str]
    """PortAudio's word for the direction."""

    def __init__(self, device: str | int | None, rate: int, channels: int) -> None:
        check_format(rate, channels)
        self._portaudio = load_portaudio()
        self._rate = rate
        self._name = _device_name(self._portaudio, device, self.SENSE)
        self._on_gone: OnGone | None = None
        self._stream: Any = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def rate(self) -> int:
        return self._rate

    @property
    def latency_ns(self) -> int:
        return int(float(self._stream.latency) * 1e9)

    def close(self) -> None:
        self._on_gone = None
        self._stream.close(ignore_errors=True)
        _OPEN.discard(id(self))

    def _explained(self) -> "_explained":
        return _explained(self._portaudio, f"{self.KIND} {self._name!r}", self._rate)

    def _finished(self) -> None:
        on_gone, self._on_gone = self._on_gone, None
        if on_gone is not None:
            on_gone(f"the {self.KIND} {self._name!r} stopped: unplugged, or taken by another program")


class SoundDeviceMicrophone(_Device):
    """A microphone reached through PortAudio; `device` is a part of its name, its number, or None for the host's default.

    Its blocks have `blocksize` frames, those of 20 ms without one.
    """

    KIND, SENSE = "microphone", "input"

    def __init__(
        self, device: str | int | None = None, rate: int = 16_000, channels: int = 1, blocksize: int = 0
    ) -> None:
        super().__init__(device, rate, channels)
        self._channels = channels
        self._on_block: OnBlock | None = None
        with self._explained():
            self._portaudio.check_input_settings(device=device, channels=channels, dtype="int16", samplerate=rate)
            self._stream = self._portaudio.RawInputStream(
                samplerate=rate,
                blocksize=blocksize or rate // BLOCKS_PER_SECOND,
                device=device,
                channels=channels,
                dtype="int16",
                latency="low",
                callback=self._receive,
                finished_callback=self._finished,
            )
        _OPEN.add(id(self))

    @property
    def channels(self) -> int:
        return self._channels

    def start(self, on_block: OnBlock, on_gone: OnGone) -> None:
        self._on_block, self._on_gone = on_block, on_gone
        with self._explained():
            self._stream.start()

    def stop(self) -> None:
        self._on_gone = None
        with self._explained():
            self._stream.stop()
        self._on_block = None

    def close(self) -> None:
        super().close()
        self._on_block = None

    def _receive(self, data: Any, frames: int, _time: object, status: Any) -> None:
        if self._on_block is not None:
            self._on_block(_little_endian(bytes(data)), frames, bool(status.input_overflow), None)


class SoundDeviceLoudspeaker(_Device):
    """A loudspeaker or headphones reached through PortAudio, with the device's least latency; or with so many seconds `ahead`,
    where a busy program is not to be heard stuttering and nobody answers what is heard."""

    KIND, SENSE = "loudspeaker", "output"

    def __init__(
        self, device: str | int | None = None, rate: int = 16_000, blocksize: int = 160, ahead: float = 0.0
    ) -> None:
        super().__init__(device, rate, channels=1)
        self._fill: Fill | None = None
        with self._explained():
            self._stream = self._portaudio.RawOutputStream(
                samplerate=rate,
                blocksize=blocksize,
                device=device,
                channels=1,
                dtype="int16",
                latency=ahead or "low",
                callback=self._give,
                finished_callback=self._finished,
            )
        _OPEN.add(id(self))

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        self._fill, self._on_gone = fill, on_gone
        with self._explained():
            self._stream.start()

    def _give(self, out: Any, frames: int, _time: object, _status: object) -> None:
        out[:] = _little_endian(self._fill(frames)) if self._fill is not None else bytes(frames * WIDTH)


class _explained:  # noqa: N801 – reads as a statement: with _explained(...)
    """Turns PortAudio's errors within the block into `DeviceError` with a remedy."""

    def __init__(self, portaudio: Any, what: str, rate: int) -> None:
        self._portaudio, self._what, self._rate = portaudio, what, rate

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, self._portaudio.PortAudioError | ValueError):
            raise DeviceError(f"{self._what}: {error}. {_remedy(str(error), self._rate)}") from error


def _remedy(message: str, rate: int) -> str:
    if "sample rate" in message.lower():
        return (
            f"The device refuses {rate} Hz: set `rate` in the profile to one that it offers, or choose another device"
        )
    if "channel" in message.lower():
        return "The device has fewer channels: name another one, or a microphone for each channel"
    return "Plug it in, close other programs that use it, or name another device (`curtain doctor` lists them)"


def _device_name(portaudio: Any, device: str | int | None, kind: str) -> str:
    try:
        return str(portaudio.query_devices(device, kind)["name"])
    except (portaudio.PortAudioError, ValueError) as error:
        if device is None:  # the library's own words are about a device -1, which nobody has named
            raise DeviceError(
                f"there is no {kind} device. Plug one in or name one (`curtain doctor` lists them)"
            ) from error
        raise DeviceError(
            f"no {kind} device: {device!r} was not found ({error}). "
            "Plug it in or name another one (`curtain doctor` lists them)"
        ) from error


def _little_endian(data: bytes) -> bytes:
    if sys.byteorder == "little":
        return data
    swapped = bytearray(data)
    swapped[0::2], swapped[1::2] = data[1::2], data[0::2]
    return bytes(swapped)
