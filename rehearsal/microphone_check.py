"""The doctor's ear: the devices of this machine, and what three seconds of each microphone say, played back."""

import threading
from collections.abc import Callable, Iterator

from rehearsal.checkup import CheckFinding, CheckLevel
from session.audio.devices import DeviceError, Loudspeaker, Microphone, list_devices
from session.study.extras import endpointer, missing
from session.study.settings import Profile
from subject.capture.level_meter import Samples
from subject.capture.sound_check import Check, judge, listen, play

RECORD_S = 3.0
FLUSH_S = 0.3
"""What a loudspeaker may still hold when everything was given to it."""


def devices() -> Iterator[CheckFinding]:
    """Every device that PortAudio knows, with the number and the name that `--microphone` and `--loudspeaker` take."""
    try:
        found = list_devices()
    except DeviceError as error:
        yield CheckFinding("sound", CheckLevel.WARNING, str(error), "needed only for speech and listening")
        return
    for device in found:
        ways = [
            f"{count} {way}{', the default' if default else ''}"
            for way, count, default in (
                ("in", device.inputs, device.default_input),
                ("out", device.outputs, device.default_output),
            )
            if count
        ]
        yield CheckFinding(
            "device",
            CheckLevel.FINE,
            f"{device.index}: {device.name} ({device.host}; {'; '.join(ways)}; {device.rate} Hz)",
        )
    if not any(device.inputs for device in found):
        remedy = "plug one in, or use a profile with typed input"
        yield CheckFinding("sound", CheckLevel.WARNING, "there is no microphone", remedy)


def end_pointer(profile: Profile | None) -> CheckFinding:
    """Name the end-pointer that a subject's desk on this machine would use; missing where the study's profile needs one."""
    if profile is not None and (wanting := missing(profile)):
        return CheckFinding("end-pointer", CheckLevel.WARNING, wanting, "needed on the subject's machine only")
    return CheckFinding(
        "end-pointer", CheckLevel.FINE, endpointer() or "none installed; only the profiles that name one need it"
    )


def microphone(
    opener: Callable[[], Microphone],
    loudspeaker: Callable[[int], Loudspeaker] | None,
    seconds: float = RECORD_S,
    patience: float = 5.0,
) -> Iterator[CheckFinding]:
    """Record so many seconds and judge them; play them back through what `loudspeaker` opens at a rate, unless it is None."""
    try:
        device = opener()
        samples, overflows = listen(device, seconds, patience)
    except DeviceError as error:
        yield CheckFinding("microphone", CheckLevel.FAULT, str(error), "choose another with --microphone")
        return
    check = judge(device.name, samples, device.rate, overflows)
    yield judged(check)
    if loudspeaker is not None and check.seconds:
        yield played_back(samples, device.rate, loudspeaker)


def judged(check: Check) -> CheckFinding:
    """Judge the microphone by the seconds recorded."""
    problems = list(check.problems())
    found = check.name
    if check.seconds:
        found += (
            f": peak {check.peak_db:.0f} dB, speech {check.speech_db:.0f} dB, noise floor {check.noise_db:.0f} dB, "
            f"{check.clipped} samples clipped"
        )
    level = CheckLevel.FAULT if check.dead or not check.seconds else CheckLevel.WARNING if problems else CheckLevel.FINE
    return CheckFinding("microphone", level, found, "; ".join(problems))


def played_back(samples: Samples, rate: int, loudspeaker: Callable[[int], Loudspeaker]) -> CheckFinding:
    """Play every channel, one after the other; what cannot be heard by a program is left to the person."""
    whole = samples.reshape(len(samples), -1).T.reshape(-1)
    remedy = "add --no-play if nobody listens"
    finished = threading.Event()
    try:
        device = loudspeaker(rate)
        try:
            play(device, whole, finished.set)
            in_time = finished.wait(len(whole) / rate + 5.0)
            threading.Event().wait(FLUSH_S)
        finally:
            device.close()
    except DeviceError as error:
        return CheckFinding("playback", CheckLevel.WARNING, str(error), remedy)
    if not in_time:
        return CheckFinding("playback", CheckLevel.WARNING, f"{device.name} takes no sound", remedy)
    return CheckFinding(
        "playback", CheckLevel.FINE, f"played through {device.name}: if you did not hear yourself, look at its volume"
    )
