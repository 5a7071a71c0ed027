"""Devices from which a subject's desk records: those of the command line, otherwise of the session's profile, otherwise the
default one."""

import re
from collections.abc import Callable, Sequence

from session.audio.devices import Microphone, SoundDeviceMicrophone, refresh_devices
from session.study.settings import MicrophoneChoice, Profile, check_letters
from session.values.vocabulary import LostMicrophone
from subject.capture.input import Input

RATE = 16_000
Opener = Callable[[str | int | None, int, int], Microphone]
"""Opens a device (a part of its name, its number, None for the default one) at a rate, with so many channels."""

_NAMED = re.compile(r"(?:(?P<letters>[a-z]{1,4})=)?(?P<device>.*?)(?:@(?P<rate>\d+))?")


def parsed(texts: Sequence[str], rate: int) -> tuple[MicrophoneChoice, ...]:
    """The microphones that the command line names, each `[LETTERS=]DEVICE[@RATE]`; `rate` for those that name none.

    Raises ValueError.

    >>> parsed(["s=Sennheiser", "c=Crown@8000"], 16_000)[1]
    MicrophoneChoice(device='Crown', letters='c', rate=8000)
    """
    choices = []
    for text in texts:
        found = _NAMED.fullmatch(text)
        if found is None:
            raise ValueError(f"--microphone {text!r}: write [LETTERS=]DEVICE[@RATE], such as c=Crown@8000")
        choices.append(
            MicrophoneChoice(device=found["device"], letters=found["letters"] or "s", rate=int(found["rate"] or rate))
        )
    if choices:
        check_letters("".join(choice.letters for choice in choices))
    return tuple(choices)


def inputs(
    named: Sequence[MicrophoneChoice], profile: Profile, rate: int | None = None, opener: Opener = SoundDeviceMicrophone
) -> list[Input]:
    """Return the inputs to record from; `rate`, if given, is that of microphones which only the profile names."""
    chosen = tuple(named) or profile.microphones or (MicrophoneChoice(),)
    pauses = profile.lost_microphone is LostMicrophone.PAUSE
    return [_input(device, pauses, device.rate if named or rate is None else rate, opener) for device in chosen]


def opened(choice: MicrophoneChoice, rate: int | None = None, opener: Opener = SoundDeviceMicrophone) -> Microphone:
    """The microphone chosen, at its own rate or at `rate`; raises `DeviceError`."""
    device: str | int | None = int(choice.device) if choice.device.isdigit() else choice.device or None
    return opener(device, rate or choice.rate, len(choice.letters))


def _input(choice: MicrophoneChoice, pauses: bool, rate: int, opener: Opener) -> Input:
    replacement = choice if pauses else MicrophoneChoice(letters=choice.letters)

    def again() -> Microphone:
        refresh_devices()
        return opened(replacement, rate, opener)

    return Input(lambda: opened(choice, rate, opener), choice.letters, again, goes_on=not pauses)
