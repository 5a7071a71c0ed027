"""Hypotheses out of a file, in place of a recogniser: an experiment repeated, or another group's recogniser's output.

A TRN file gives one string for each utterance. JSON lines give more, one object a line: `utterance`, and `hypotheses`, a list of
objects with `text` and, where known, `confidence` and `words` (`text`, `start`, `end`, `confidence`).
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from corpus.formats.nist import trn
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError
from session.values.hypotheses import Hypothesis, bounded
from session.values.vocabulary import OperatorTrouble

LARGEST_FILE = 500_000_000


class _HypothesesLine(msgspec.Struct, forbid_unknown_fields=True):
    utterance: str
    hypotheses: tuple[Hypothesis, ...]


def read(path: Path) -> Mapping[str, tuple[Hypothesis, ...]]:
    """Return the hypotheses by the names of their utterances; raises MissingEngineError that names the line at fault."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise MissingEngineError(
                f"{path}: more than {LARGEST_FILE // 1_000_000} MB; no file of hypotheses is that large"
            )
        data = path.read_bytes()
    except OSError as error:
        raise MissingEngineError(f"{path}: the hypotheses cannot be read: {error.strerror}") from error
    if not data.lstrip().startswith(b"{"):
        try:
            return {_name(key): bounded([Hypothesis(text.lower())]) for key, text in trn.parse(data, str(path)).items()}
        except ValueError as error:
            raise MissingEngineError(str(error)) from error
    found: dict[str, tuple[Hypothesis, ...]] = {}
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = msgspec.json.decode(line, type=_HypothesesLine)
            hypotheses = bounded(entry.hypotheses)
        except (msgspec.MsgspecError, ValueError) as error:
            raise MissingEngineError(f"{path}:{number}: {error}; see docs/reference/recognition.md") from error
        if entry.utterance in found:
            raise MissingEngineError(f"{path}:{number}: {entry.utterance} is there twice; keep one of them")
        found[entry.utterance] = hypotheses
    return found


def _name(key: str) -> str:
    """Return the name of an utterance in a TRN's id, where the speaker stands before a hyphen."""
    return key.rpartition("-")[2]


class ReplayRecogniser:
    """Gives what is in a file under an utterance's name; without a name, what comes next in the order of the file."""

    name = "replay"

    def __init__(self, path: Path) -> None:
        """Raises MissingEngineError for a file that cannot be used."""
        self._found = read(path)
        self._order = iter(self._found.values())
        self.version = f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"

    def begin(self, rate: int, utterance: str = "") -> "ReplayListening":
        if utterance in self._found:
            return ReplayListening(self._found[utterance])
        if utterance:
            return ReplayListening(None, f"{self.version} has no utterance {utterance}")
        return ReplayListening(next(self._order, None), f"{self.version} has no further utterance")


class ReplayListening:
    """One utterance of the file, or what to say of the lack of one."""

    def __init__(self, found: tuple[Hypothesis, ...] | None, lacking: str = "") -> None:
        self._found, self._lacking = found, lacking

    def hear(self, pcm: bytes) -> Hypothesis | None:
        return None

    def drop(self) -> None:
        return

    def finish(self) -> tuple[Hypothesis, ...]:
        if self._found is None:
            raise EngineTroubleError(OperatorTrouble.ERROR, self._lacking)
        return self._found
