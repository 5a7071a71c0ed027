"""What the doctor says of devices, microphones, playback and end-pointers, each with a remedy."""

import io

import numpy as np
import pytest

from rehearsal.checkup import CheckFinding, CheckLevel
from rehearsal.doctor import doctor_command
from rehearsal.microphone_check import devices, end_pointer, microphone, played_back
from session.audio.devices import Device, DeviceError, Fill, Loudspeaker, Microphone, OnGone
from session.audio.fake import FileLoudspeaker, FileMicrophone, Samples
from session.study.settings import Profile
from session.values.clock import ScaledClock
from session.values.vocabulary import RecordingControl

RATE = 16_000
PACE = 50.0


def speech(loudness: float, room: float = 20.0) -> Samples:
    random = np.random.default_rng(3)
    sound = random.normal(0, room, RATE)
    sound[RATE // 3 : 2 * RATE // 3] += random.normal(0, loudness, 2 * RATE // 3 - RATE // 3)
    return np.clip(sound, -32_768, 32_767).astype(np.int16)


def opener(samples: Samples) -> FileMicrophone:
    device = FileMicrophone(ScaledClock("fast", PACE), pace=PACE, name="headset")
    device.say(samples)
    return device


def heard(samples: Samples, loudspeaker: "Eager | None" = None) -> list[CheckFinding]:
    return list(microphone(lambda: opener(samples), (lambda rate: loudspeaker) if loudspeaker else None, 1.0))


class Eager(FileLoudspeaker):
    """A loudspeaker that asks for everything at once."""

    def start(self, fill: Fill, on_gone: OnGone) -> None:
        super().start(fill, on_gone)
        self.step(400)


@pytest.mark.parametrize(
    ("samples", "level", "found", "remedy"),
    [
        (np.zeros(RATE, np.int16), CheckLevel.FAULT, "headset", "muted or broken"),
        (speech(30_000), CheckLevel.WARNING, "peak 0 dB", "turn the gain down"),
        (speech(2_000, room=1_500), CheckLevel.WARNING, "noise floor -27 dB", "look for a fan"),
        (speech(40, room=2), CheckLevel.WARNING, "0 samples clipped", "turn the gain up"),
        (speech(2_000), CheckLevel.FINE, "speech -24 dB, noise floor -65 dB, 0 samples clipped", ""),
    ],
)
def test_the_seconds_are_judged_by_level_floor_and_clipping(
    samples: Samples, level: CheckLevel, found: str, remedy: str
) -> None:
    [finding] = heard(samples)
    assert finding.level is level
    assert found in finding.found
    assert remedy in finding.remedy
    assert bool(finding.remedy) is bool(remedy)


def test_what_was_heard_is_played_to_the_sample_and_nothing_else() -> None:
    said, loudspeaker = speech(2_000), Eager()
    judged, playback = heard(said, loudspeaker)
    assert (judged.level, playback.level) == (CheckLevel.FINE, CheckLevel.FINE)
    assert "did not hear yourself" in playback.found
    assert np.array_equal(loudspeaker.heard()[: len(said)], said)
    assert not loudspeaker.heard()[len(said) :].any()


def test_of_two_channels_both_are_played_one_after_the_other() -> None:
    loudspeaker = Eager()
    both = np.stack([speech(2_000), speech(900)], axis=1)
    assert played_back(both, RATE, lambda rate: loudspeaker).level is CheckLevel.FINE
    assert np.array_equal(loudspeaker.heard()[: 2 * RATE], np.concatenate([both[:, 0], both[:, 1]]))


def test_a_loudspeaker_that_cannot_be_had_is_a_warning() -> None:
    def nothing(rate: int) -> Loudspeaker:
        raise DeviceError(f"no loudspeaker at {rate} Hz")

    finding = played_back(speech(2_000), RATE, nothing)
    assert (finding.level, finding.found) == (CheckLevel.WARNING, "no loudspeaker at 16000 Hz")
    assert "--no-play" in finding.remedy


def test_a_microphone_that_is_not_there_is_a_fault() -> None:
    def missing() -> Microphone:
        raise DeviceError("there is no device 7")

    [finding] = microphone(missing, None)
    assert (finding.level, finding.found) == (CheckLevel.FAULT, "there is no device 7")
    assert "--microphone" in finding.remedy


def test_every_device_is_listed_with_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    found = (
        Device(0, "Sennheiser", "ALSA", 1, 0, 16_000, default_input=True),
        Device(1, "Speakers", "ALSA", 0, 2, 48_000),
    )
    monkeypatch.setattr("rehearsal.microphone_check.list_devices", lambda: found)
    assert [finding.found for finding in devices()] == [
        "0: Sennheiser (ALSA; 1 in, the default; 16000 Hz)",
        "1: Speakers (ALSA; 2 out; 48000 Hz)",
    ]
    monkeypatch.setattr("rehearsal.microphone_check.list_devices", lambda: found[1:])
    assert [finding.level for finding in devices()] == [CheckLevel.FINE, CheckLevel.WARNING]


def test_a_missing_end_pointer_is_told_where_the_profile_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("session.study.extras.find_spec", lambda package: None)
    needing = end_pointer(Profile(name="SRI", recording=RecordingControl.ENDPOINTED))
    assert needing.level is CheckLevel.WARNING
    assert "curtain-woz[recogniser]" in needing.found
    assert end_pointer(Profile(name="BBN")).level is CheckLevel.FINE
    assert end_pointer(None).level is CheckLevel.FINE


def test_a_microphone_that_is_not_named_as_it_should_be_is_the_calls_fault() -> None:
    err = io.StringIO()
    assert doctor_command("", True, ("c=Crown",), io.StringIO(), err) == 2
    assert "the first one `s`" in err.getvalue()
