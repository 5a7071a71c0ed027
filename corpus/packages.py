"""The formats of today: one module each, all made from an exported corpus, so that consent and drafts are obeyed in one place.

Every package has a README, a datasheet, the sessions with the heads of their hash chains, and the SHA-256 of all its
files. Sound is 16-bit RIFF there, the primary microphone; the corpus itself keeps the others.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import msgspec

from corpus import datasheet, riff, sphere
from corpus.directory import Refused, Staging, staged
from corpus.reading import Corpus
from corpus.removals import REMOVALS
from corpus.spkrinfo import SpeakerInfo
from corpus.turns import Course, Turn, courses
from session.names import PRIMARY

FORMATS = ("kaldi", "audiofolder", "lhotse", "trn", "stm", "textgrid", "bagit", "csv")
"""The modules of this package that write one, by the name of the format."""

CHECKSUMS = "SHA256SUMS"
SESSIONS = "sessions.json"


class Packed(msgspec.Struct, frozen=True):
    """What went into a package: `notes` say what was left out and why."""

    utterances: int
    how: str
    notes: tuple[str, ...] = ()


class Spoken(msgspec.Struct, frozen=True):
    """One utterance that was spoken: `name` is XXXUUSMP with the primary microphone, so the speaker's id is a prefix of it."""

    name: str
    speaker: SpeakerInfo
    course: Course
    turn: Turn
    path: str


def write_package(corpus: Corpus, target: Path, form: str, progress: Callable[[int], None] | None = None) -> Packed:
    """Write `corpus` as one of `FORMATS` to `target`, which must not exist; raises `Refused`.

    `progress` is told the number of files written so far.
    """
    if form not in FORMATS:
        raise Refused(f"there is no format {form}; choose one of {', '.join(FORMATS)}")
    module = import_module(f"corpus.{form}")
    with staged(target) as staging:
        if progress:
            staging.tell(progress)
        done: Packed = module.write(corpus, staging)
        for path, data in common(corpus, done, form).items():
            staging.write(path, data)
        getattr(module, "seal", checksums)(staging)
    return done


def common(corpus: Corpus, done: Packed, form: str) -> dict[str, bytes]:
    """The files that stand in every package."""
    files = {
        "README.txt": readme(corpus, done, form),
        "DATASHEET.md": datasheet.text(corpus).encode(),
        SESSIONS: msgspec.json.format(msgspec.json.encode(corpus.manifest.sessions), indent=1) + b"\n",
    }
    if REMOVALS in corpus.manifest.files:
        files[REMOVALS] = corpus.read(REMOVALS)
    return files


def checksums(staging: Staging) -> None:
    """`SHA256SUMS`, which `sha256sum -c` reads."""
    lines = (f"{entry.sha256}  {path}\n" for path, entry in sorted(staging.files.items()))
    staging.write(CHECKSUMS, "".join(lines).encode())


def readme(corpus: Corpus, done: Packed, form: str) -> bytes:
    """What the package is, for people."""
    mark = (
        "THIS IS A REHEARSAL with scripted people and made-up speech; it is no data.\n\n"
        if corpus.manifest.rehearsal
        else ""
    )
    sites = ", ".join(sorted({entry.site for entry in corpus.manifest.sessions}))
    lines = [
        f"Spoken language collected with a Wizard of Oz ({form})\n",
        f"{mark}{done.utterances} utterances of {len(corpus.speakers())} speakers, collected at {sites or 'no site'}.\n",
        done.how.strip() + "\n",
        *(f"Left out: {note}." for note in done.notes),
        "Drafts of transcriptions are what the wizard typed in a hurry; DATASHEET.md says how many there are, and how many",
        "transcriptions a second person has checked. sessions.json gives the head of each session's hash chain. Names are",
        "XXXUUSMP: speaker, utterance, scenario, mode, microphone. removals.json, where there",
        "is one, names people who have withdrawn: drop their files from earlier copies.",
    ]
    return ("\n".join(lines) + "\n").encode()


def spoken(corpus: Corpus) -> Iterator[Spoken]:
    """The utterances that have a waveform of the primary microphone, sorted by name within each speaker."""
    speakers = corpus.speakers()
    letter = PRIMARY
    waves = {path.rpartition("/")[2]: path for path in corpus.manifest.files if path.endswith(f"{letter}.wav")}
    for each in sorted(courses(corpus), key=lambda course: course.stem):
        for turn in each.turns:
            name = turn.stem[:-1] + letter
            if f"{name}.wav" in waves:
                yield Spoken(name, speakers[each.header["Speaker"]], each, turn, waves[f"{name}.wav"])


def transcribed(corpus: Corpus) -> tuple[list[Spoken], tuple[str, ...]]:
    """Spoken utterances with at least one word, sorted by name, and notes on those left out; raises `Refused` for none."""
    every = list(spoken(corpus))
    found = sorted((each for each in every if each.turn.text), key=lambda each: each.name)
    if not found:
        raise Refused("no utterance has both sound and a transcription; transcribe the corpus first")
    notes = []
    if silent := sum(each.turn.words == 0 for each in every):
        notes.append(f"{silent} utterances without a word")
    if missing := sum(each.turn.words is None for each in every):
        notes.append(f"{missing} utterances that were never transcribed")
    if corpus.manifest.withheld:
        notes.append(f"{len(corpus.manifest.withheld)} waveforms whose speakers did not agree to hand over audio")
    return found, tuple(notes)


def riff_of(corpus: Corpus, path: str) -> riff.RiffFile:
    """A waveform of the corpus as 16-bit RIFF; its samples are the same numbers."""
    data = corpus.read(path)
    if data.startswith(riff.MAGIC):
        read = riff.parse(data, path)
        samples, header = read.samples(), read.header
        return riff.pcm_file(samples.astype("<i2").tobytes(), header.sample_rate, header.channel_count)
    file = sphere.parse(data, path)
    channels = file.header.number("channel_count")
    return riff.pcm_file(file.samples().astype("<i2").tobytes(), file.header.number("sample_rate"), channels)


def json_lines(rows: list[dict[str, object]]) -> bytes:
    """One JSON object a line."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
