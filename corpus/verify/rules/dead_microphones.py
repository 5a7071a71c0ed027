"""A microphone that was dead a whole session long is one thing to look into, not one an utterance."""

from collections import Counter
from collections.abc import Iterable

from corpus.dataset.reader import speech_name
from corpus.formats import layout
from corpus.formats.layout import FileName
from corpus.formats.manifest import Manifest
from corpus.verify.rules.findings import Findings

RULE = "wave.silent"
FEWEST = 3
Microphone = tuple[str, str, str]
"""Directory of a speaker, session (empty where the manifest does not tell), letter of the microphone."""


def gather(findings: Findings, paths: Iterable[str], manifest: Manifest | None) -> None:
    """Put one finding, with a count, in the place of those about every waveform that a microphone has in a session: `paths` are
    all files there are."""
    silent = {finding.path: finding for finding in findings.found if finding.rule == RULE}
    if len(silent) < FEWEST:
        return
    sessions = {
        (entry.speaker, scenario): entry.session
        for entry in (manifest.sessions if manifest else ())
        for scenario in entry.scenarios
    }
    waves = {path: name for path in paths if path.endswith(".wav") and (name := speech_name(path)) is not None}
    of = {path: _microphone(name, sessions) for path, name in waves.items()}
    all_of, dead_of = Counter(of.values()), Counter(of[path] for path in silent if path in of)
    dead = {device for device, count in dead_of.items() if FEWEST <= count == all_of[device]}
    gone = {path for path in silent if of.get(path) in dead}
    findings.found = [finding for finding in findings.found if finding.rule != RULE or finding.path not in gone]
    for directory, session, letter in sorted(dead):
        count = all_of[directory, session, letter]
        where = f"of session {session} " if session else ""
        findings.add(RULE, directory, f"all {count} waveforms {where}by microphone {letter} are silent")


def _microphone(name: FileName, sessions: dict[tuple[str, int], str]) -> Microphone:
    stem = name.stem
    directory = f"{layout.DIRECTORIES[stem.mode]}/{stem.speaker}"
    return directory, sessions.get((stem.speaker, stem.scenario), ""), stem.mic
