"""espeak-ng as a program of its own: a text on its standard input, a waveform in a file.

Not its `--stdout`: that writes a header without a length. It has so long, and the file may have so many bytes, enforced by
the system; whatever else it does is one clear error.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from operators.voice.reply_sound import MOST_BYTES, played
from session.hub.reply_voice import SpokenSound, VoiceError
from session.values.vocabulary import VoiceEngine

PROGRAM = "espeak-ng"
REMEDY = "install it (Debian and Ubuntu: `sudo apt-get install espeak-ng`), or name another `engine` under [voice] in the profile"
DEFAULT_VOICE = "en-us"
LONGEST_SAID = 100_000
_LIMITED = ("/bin/sh", "-c", 'ulimit -f "$0" && exec "$@"', str(MOST_BYTES // 512))
"""Before a program: no file of it or of its children grows beyond what is looked at."""
_PHONEMES = re.compile(r"\[\[|\]\]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]{0,40}")


class Espeak:
    """One voice of espeak-ng at one speed, in words a minute; raises VoiceError when the program or the voice is not there."""

    def __init__(self, name: str = "", speed: int = 160, seconds: float = 5.0, program: str = PROGRAM) -> None:
        self.name = VoiceEngine.ESPEAK.value
        self.missing: tuple[str, ...] = ()
        self._voice, self._speed, self._seconds = name or DEFAULT_VOICE, speed, seconds
        if not _NAME.fullmatch(self._voice):
            raise VoiceError(f"{self._voice!r} is not a voice of {PROGRAM}; `{PROGRAM} --voices` lists them")
        found = shutil.which(program)
        if found is None:
            raise VoiceError(f"{PROGRAM} is not on this machine: {REMEDY}")
        self._program = found
        release = self._release()
        self._check_voice()
        self.version = f"{release} {self._voice} {speed}"

    def sound(self, text: str, message: str = "") -> SpokenSound:
        """The sound of a text; `message` is of no account."""
        with tempfile.TemporaryDirectory(prefix="curtain-voice-") as folder:
            wave = Path(folder) / "speech.wav"
            asked = ["-v", self._voice, "-s", str(self._speed), "-w", str(wave), "--stdin"]
            status, said = self._run(asked, _PHONEMES.sub(" ", text), Path(folder) / "said.txt")
            why = _first_line(said) or "it does not say why"
            if status != 0:
                raise VoiceError(f"{PROGRAM} failed with status {status}: {why}")
            if not wave.is_file():
                raise VoiceError(f"{PROGRAM} made no file: {why}")
            return SpokenSound(played(wave, PROGRAM), self.name, self.version)

    def _check_voice(self) -> None:
        """Raise VoiceError unless the voice and its variant are listed: for an unknown one the program takes another."""
        name, _, variant = self._voice.partition("+")
        listed = {word.casefold() for word in re.findall(r"[^\s()]+", self._answer_to("--voices"))}
        variants = re.findall(r"!v/(\S+)", self._answer_to("--voices=variant")) if variant else []
        if name.casefold() not in listed or (variant and variant not in variants):
            raise VoiceError(
                f"{PROGRAM} has no voice {self._voice!r}; `{PROGRAM} --voices` lists them: set `name` under [voice]"
            )

    def _answer_to(self, question: str) -> str:
        """The answer to an option; empty if there is none."""
        with tempfile.TemporaryDirectory(prefix="curtain-voice-") as folder:
            status, output = self._run([question], "", Path(folder) / "said.txt")
        return output if status == 0 else ""

    def _release(self) -> str:
        output = self._answer_to("--version")
        found = re.search(r"\d+(?:\.\d+)+", output)
        if found is None:
            raise VoiceError(f"{self._program} does not say which release it is: {REMEDY}")
        return found[0]

    def _run(self, arguments: list[str], text: str, output: Path) -> tuple[int, str]:
        """The exit status and what it said, up to a length; the process is gone when this returns."""
        with output.open("wb") as said:
            try:
                process = subprocess.Popen(
                    [*_LIMITED, self._program, *arguments],
                    stdin=subprocess.PIPE,
                    stdout=said,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            except OSError as error:
                raise VoiceError(f"{self._program} cannot be started: {error.strerror}") from error
            try:
                process.communicate(text.encode(errors="replace"), timeout=self._seconds)
            except subprocess.TimeoutExpired:
                raise VoiceError(f"{PROGRAM} returned nothing within {self._seconds:g} s") from None
            except OSError as error:  # it went away without reading
                raise VoiceError(f"{PROGRAM} did not take the text: {error.strerror}") from error
            finally:
                _end(process)
        with output.open("rb") as said:
            return process.returncode, said.read(LONGEST_SAID).decode(errors="replace")


def _first_line(text: str) -> str:
    first = next(iter(text.splitlines()), "")
    return "".join(char if char.isprintable() else " " for char in first)[:200]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a program and whatever it has started: a child that goes on writing would fill the disk."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
