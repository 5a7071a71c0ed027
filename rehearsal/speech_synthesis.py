"""Speech for the lines of a play, by a speech synthesiser: of what ships once and for all, otherwise when it is rehearsed.

`python -m rehearsal.speech_synthesis [DOMAIN]` needs espeak-ng on the path and overwrites `rehearsal/speech/*.flac`, or
`rehearsal/*.flac` of a domain's folder that brings a play: 16 kHz, 16 bit, one channel, a tenth of a second of silence before and
after the words.
"""

import functools
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile

from rehearsal.script import HERE, PLAY, Script, shipped_script

RATE = 16_000
SYLLABLE_S = 0.2
SILENCE = np.zeros(RATE // 10, dtype=np.int16)


def spoken(words: str, variant: str = "f3", speed: int = 165, pitch: int = 50) -> npt.NDArray[np.int16]:
    """The words as 16-bit samples at 16 kHz; raises OSError or CalledProcessError when the synthesiser is missing or fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words.wav"
        voice = ["-v", f"en-us+{variant}", "-s", str(speed), "-p", str(pitch)]
        subprocess.run(["espeak-ng", *voice, "-w", str(path), words], check=True)
        samples, rate = soundfile.read(path, dtype="float64")
    places = np.arange(0, len(samples) - 1, rate / RATE)
    resampled = np.interp(places, np.arange(len(samples)), samples)
    return np.concatenate([SILENCE, (resampled * 0.6 * 32767).astype(np.int16), SILENCE])


@functools.cache
def synthesised(words: str) -> npt.NDArray[np.int16]:
    """The words as 16-bit samples at 16 kHz; where no synthesiser is installed, noise with the rhythm of so many syllables."""
    try:
        return spoken(words)
    except (OSError, subprocess.CalledProcessError):
        return _murmured(words)


def _murmured(words: str) -> npt.NDArray[np.int16]:
    syllables = max(2, len(words) // 3)
    place = np.arange(int(syllables * SYLLABLE_S * RATE)) / (SYLLABLE_S * RATE)
    loudness = 0.15 * np.sin(np.pi * (place % 1)) ** 2
    noise = np.random.default_rng(len(words)).standard_normal(len(place))
    return np.concatenate([SILENCE, np.clip(noise * loudness * 32767, -32767, 32767).astype(np.int16), SILENCE])


def write_all(script: Script, folder: Path) -> int:
    """Every line of the script as a file; gives the number of bytes written."""
    total = 0
    for turn in (turn for scenario in script.scenario for turn in scenario.turn):
        path = folder / f"{turn.speech}.flac"
        soundfile.write(path, spoken(turn.said), RATE, subtype="PCM_16")
        total += path.stat().st_size
    return total


if __name__ == "__main__":
    domain = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    target = domain / PLAY if len(sys.argv) > 1 else HERE / "speech"
    sys.stderr.write(f"{write_all(shipped_script(domain), target)} bytes\n")
