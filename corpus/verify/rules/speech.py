"""Sounds that the system spoke: each sound in a log exists, and is the one that was made and played."""

import hashlib

from corpus.formats import layout, riff
from corpus.formats.errors import FormatFault
from corpus.formats.log.log_values import Log
from corpus.verify.rules.context import Context, Spoken
from corpus.verify.rules.file_survey import FileSurvey
from corpus.verify.rules.gathered import CorpusContext


def note(context: Context, path: str, log: Log) -> None:
    """Keep what a log tells of sounds, to be compared with the files when all logs are known."""
    session = log.get("Session")
    for block in log.blocks:
        for record in block.all("Reply_voiced"):
            sound = Spoken(session, record.get("Sha256"), record.get("Samples"), record.get("Rate"), path)
            context.seen.spoken.add(sound)


def check(context: CorpusContext, survey: FileSurvey) -> None:
    """Hold the sounds against the logs; a file of which no log tells belongs to nobody."""
    listed_sounds = {
        layout.spoken_path(sound.session, sound.sha256): sound for sound in sorted(context.gathered.spoken)
    }
    listed = context.manifest
    left_out = {*listed.withheld, *listed.missing} if listed is not None else set[str]()
    for path, sound in listed_sounds.items():
        if path not in survey.sizes and path not in left_out:
            context.findings.add("set.speech-missing", sound.log, f"{path} is not here")
    for path in survey.apart:
        if path.startswith(f"{layout.SPOKEN}/"):
            with context.guarding(path):
                _file(context, path, listed_sounds.get(path))


def _file(context: Context, path: str, listed_sounds: Spoken | None) -> None:
    if listed_sounds is None:
        context.findings.add("set.unlogged", path, "no log says that the system spoke it")
    if (data := context.read(path)) is None:
        return
    try:
        file = riff.parse(data, path)
    except FormatFault as fault:
        context.findings.add_fault("speech.form", fault)
        return
    header = file.header
    if (header.channel_count, header.sample_n_bytes) != (1, 2):
        found = f"{header.channel_count} channels of {8 * header.sample_n_bytes} bits"
        context.findings.add("speech.form", path, found)
        return
    here = str(header.sample_count), str(header.sample_rate)
    if listed_sounds is not None and here != (listed_sounds.samples, listed_sounds.rate):
        found = f"{here[0]} samples at {here[1]} Hz, {listed_sounds.samples} at {listed_sounds.rate} Hz by the log"
        context.findings.add("speech.count", path, found)
    sha256 = hashlib.sha256(file.data).hexdigest()
    if not context.known.headers and path.rpartition("/")[2] != f"{sha256}.wav":
        context.findings.add("speech.seal", path, f"the samples hash to {sha256}")
