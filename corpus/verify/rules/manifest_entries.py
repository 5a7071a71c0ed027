"""Rules for the manifest's entries beside size and hash: makers, masks, and omitted files."""

import math
from datetime import datetime, timedelta

from corpus.dataset.reader import speech_name
from corpus.formats import layout
from corpus.formats.manifest import FileEntry, Manifest, Provenance
from corpus.verify.rules.file_survey import KNOWN, FileSurvey
from corpus.verify.rules.findings import Findings
from corpus.verify.rules.scratch_tables import marked

_OF_WORDS = (".sro", ".lsn")
_DRAFTED = (*_OF_WORDS, f".{layout.DRAFT}", f".{layout.EARLY_DRAFT}")
_DAY = timedelta(days=1)  # between the clocks of two people's machines


def check(findings: Findings, survey: FileSurvey, listed: Manifest) -> None:
    """The marks of all files that are listed, and the waveforms that are said not to be here."""
    for path, entry in marked(listed):
        if (entry.masked or entry.work) and (wrong := _wrong(path, entry)):
            findings.add("manifest.marks", path, wrong)
        if entry.draft and not path.endswith(_DRAFTED):
            findings.add("manifest.marks", path, "a draft, and neither transcription nor answer")
    for path in survey.drafts:
        known = listed.files.get(path)
        if known is not None and not known.draft:
            findings.add("manifest.marks", path, "a draft of an answer, and not marked as one")
    for path in (*listed.withheld, *listed.missing):
        if not _is_waveform(path) and not path.startswith(f"{layout.SPOKEN}/"):
            findings.add("manifest.left-out", layout.MANIFEST, f"{path!r} is the name of no waveform")
    for path in listed.missing:
        if path in survey.sizes:
            findings.add("manifest.left-out", path, "missing by the manifest, and here")


def _wrong(path: str, entry: FileEntry) -> str:
    """Return the problems of the marks of a file; empty if nothing is."""
    if entry.masked and not path.endswith(".wav"):
        return "masked samples in a file that is not a waveform"
    edges = [edge for stretch in entry.masked for edge in stretch]
    if edges != sorted({*edges}) or any(edge < 0 for edge in edges):
        return f"masked stretches that do not follow one another: {entry.masked}"
    if entry.work is None:
        return ""
    if not path.endswith(_OF_WORDS):
        return "transcribed, and no transcription"
    return "a draft, and transcribed" if entry.draft else _wrong_work(entry.work)


def _wrong_work(work: Provenance) -> str:
    if not work.transcriber.strip():
        return "transcribed by nobody"
    if bool(work.checker.strip()) != bool(work.checked):
        return "checked by nobody" if work.checked else f"checked by {work.checker}, at an unknown time"
    if not (math.isfinite(work.seconds) and work.seconds >= 0):
        return f"{work.seconds} seconds of work"
    try:
        times = [datetime.fromisoformat(time) for time in (work.transcribed, work.checked) if time]
    except ValueError:
        return f"{work.transcribed!r} or {work.checked!r} is not a time"
    if not times or any(time.utcoffset() is None for time in times):
        return f"{work.transcribed!r} or {work.checked!r} is not a time in UTC"
    return f"checked at {work.checked}, transcribed at {work.transcribed}" if times[-1] < times[0] - _DAY else ""


def _is_waveform(path: str) -> bool:
    name = speech_name(path)
    if name is not None:
        return name.type == "wav" and path == str(layout.path_of(name))
    return path.startswith(f"{layout.UNNUMBERED}/") and KNOWN.fullmatch(path) is not None
