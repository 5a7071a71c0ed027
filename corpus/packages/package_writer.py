"""Writing of packages: one module per format, all from an exported corpus, so that consent and drafts are handled in one
place.

Every package has a README, a datasheet, the sessions with the heads of their hash chains, and the SHA-256 of all its
files. Sound is 16-bit RIFF there, or FLAC where that is asked for, of the primary microphone or of those that are asked for.
"""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice, product
from pathlib import Path

import msgspec

from corpus.analysis.consent_check import refuse_unagreed
from corpus.analysis.turns import Course, Turn, courses, held_once
from corpus.dataset.reader import Corpus, listed, speech_name
from corpus.dataset.removals import REMOVALS
from corpus.description.corpus_metadata import CorpusMetadata, described
from corpus.description.description_files import descriptions
from corpus.formats import layout, riff, sphere
from corpus.formats import waveform as waves
from corpus.formats.errors import counted
from corpus.formats.manifest import FileEntry, Manifest
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.io.parallel import Jobs, Result, Work
from corpus.io.safe_open import open_plain
from corpus.io.staging import Refused, Staging
from corpus.packages import datasheet
from corpus.packages.dialogue_judgements import RatedDialogue
from corpus.release import holdout_file
from session.values.names import PRIMARY
from session.values.vocabulary import Outcome

_SOUNDS = 32  # waveforms that a process gets at a time
CHECKSUMS = "SHA256SUMS"


class PackageSummary(msgspec.Struct, frozen=True):
    """Summary of a package: `notes` say what was left out and why."""

    utterances: int
    speakers: int
    how: str
    notes: tuple[str, ...] = ()


class PackagedSound(msgspec.Struct, frozen=True):
    """A waveform as 16-bit RIFF, in bytes; `samples` of each channel, `rate` a second. `kind` is the end of a file's name."""

    data: bytes
    rate: int
    samples: int
    kind: str = "wav"

    @property
    def seconds(self) -> float:
        """Return its length in seconds."""
        return self.samples / self.rate


_Wanted = tuple[str, FileEntry]
DatabaseFinder = Callable[[str], Path]
"""The SQLite file of a domain, by the name that the logs give it; raises Refused."""


class Judges(msgspec.Struct, frozen=True):
    """Judges over a corpus that need more than it: of declared solutions, by the name of the log (`study.exported_solutions`),
    and of replies that have a reference answer, by utterance (`evaluation.scoring.sent_answers`)."""

    solutions: Callable[[Corpus], Mapping[str, str]] = lambda _: {}
    replies: Callable[[Corpus], Mapping[str, bool]] = lambda _: {}


class Contents(msgspec.Struct, frozen=True):
    """Contents of a package: a corpus, its subject-scenarios in their order, who reads its files, where the databases are,
    the `verdicts` on declared solutions by the name of the log, and which replies are `right` by utterance. `microphones` are
    those whose sound is taken, as FLAC with `flac`; `sets` says of speakers who were drawn whether they are held out;
    `rated` what raters said of dialogues, by the take of the first utterance."""

    corpus: Corpus
    courses: tuple[Course, ...]
    jobs: Jobs
    database: DatabaseFinder | None = None
    verdicts: Mapping[str, str] = msgspec.field(default_factory=dict)
    right: Mapping[str, bool] = msgspec.field(default_factory=dict)
    microphones: tuple[str, ...] = (PRIMARY,)
    sets: Mapping[str, str] = {}
    flac: bool = False
    rated: Mapping[str, tuple[RatedDialogue, ...]] = {}

    def sounds(self, paths: Iterable[str]) -> Iterator[PackagedSound]:
        """The waveforms at these paths, in their order."""
        return self._over(_flac_sounds if self.flac else _sounds, paths)

    def seconds(self, paths: Iterable[str]) -> Iterator[float]:
        """Yield the lengths of the waveforms at these paths, in their order, without reading samples."""
        return self._over(_seconds, paths)

    def _over(self, work: Work[Path, tuple[_Wanted, ...], list[Result]], paths: Iterable[str]) -> Iterator[Result]:
        size = 1 if self.jobs.alone else _SOUNDS
        seen = self.jobs.path_of(self.corpus.root)
        wanted = ((path, self.corpus.manifest.files[path]) for path in paths)
        with closing(self.jobs.over(work, seen, _batches(wanted, size), self.corpus.root)) as found:
            for batch in found:
                yield from batch


class SpokenUtterance(msgspec.Struct, frozen=True):
    """One utterance that was spoken, by one microphone: `name` is XXXUUSMP, so the speaker's id is a prefix of it."""

    name: str
    speaker: SpeakerInfo
    course: Course
    turn: Turn
    path: str


def contents_of(
    corpus: Corpus,
    jobs: Jobs | None = None,
    progress: Callable[[int], None] = lambda _: None,
    database: DatabaseFinder | None = None,
    judges: Judges = Judges(),
    microphones: Sequence[str] = (),
    sets: Mapping[str, str] | None = None,
) -> Contents:
    """Read the logs and texts of a corpus; `progress` is told how many subject-scenarios have been read. Without `microphones`,
    the primary one; without `sets`, those that the assignments beside the corpus tell. Raises `Refused` for a microphone that
    the corpus has not."""
    _refuse_absent(corpus, microphones)
    jobs = jobs or Jobs()
    found: list[Course] = []
    pieces = corpus.parts(jobs.part(len(corpus.logs)))
    with closing(jobs.over(_courses, jobs.path_of(corpus.root), pieces, corpus.root)) as parts:
        for part in parts:
            found += map(held_once, part)
            progress(len(found))
    refuse_unagreed(corpus.root, found)
    if sets is None:
        assigned = holdout_file.assigned_in(corpus)
        sets = assigned.every if assigned is not None else {}
    letters = tuple(dict.fromkeys(microphones)) or (PRIMARY,)
    judged = judges.solutions(corpus), judges.replies(corpus)
    return Contents(corpus, tuple(found), jobs, database, *judged, letters, sets)


def _refuse_absent(corpus: Corpus, microphones: Iterable[str]) -> None:
    here = {name.stem.mic for path in corpus.manifest.files if path.endswith(".wav") and (name := speech_name(path))}
    if absent := sorted({*microphones} - here):
        there = ", ".join(sorted(here)) or "none"
        raise Refused(f"{corpus.root} has no sound of the microphone {absent[0]!r}; it has {there}")


def _courses(root: Path, part: Manifest) -> list[Course]:
    return list(courses(Corpus(root, part, held=True)))


def _batches(wanted: Iterable[_Wanted], size: int) -> Iterator[tuple[_Wanted, ...]]:
    rest = iter(wanted)
    while batch := tuple(islice(rest, size)):
        yield batch


def _sounds(root: Path, wanted: tuple[_Wanted, ...]) -> list[PackagedSound]:
    return [sound_of(listed(root, path, entry.sha256), path) for path, entry in wanted]


def _flac_sounds(root: Path, wanted: tuple[_Wanted, ...]) -> list[PackagedSound]:
    found = ((path, _riff_of(listed(root, path, entry.sha256), path)) for path, entry in wanted)
    return [
        PackagedSound(waves.as_flac(file), file.header.sample_rate, file.header.sample_count, "flac")
        for _, file in found
    ]


def _seconds(root: Path, wanted: tuple[_Wanted, ...]) -> list[float]:
    return [_duration(root, path, entry) for path, entry in wanted]


def _duration(root: Path, path: str, entry: FileEntry) -> float:
    """Seconds of a waveform: where the manifest lists its header too, that and the size tell them, otherwise every byte is
    held."""
    if entry.header:
        with open_plain(root, path) as file:
            header = sphere.read_header(file, path)
            file.seek(0)
            head, size = file.read(header.size), os.fstat(file.fileno()).st_size
        expected = header.size + header.sample_count * header.frame_bytes
        if size == entry.bytes == expected and hashlib.sha256(head).hexdigest() == entry.header:
            return header.sample_count / header.sample_rate
    return sound_of(listed(root, path, entry.sha256), path).seconds


def wave_count(contents: Contents) -> int:
    """Return how many waveforms of the chosen microphones there are: about as many files has a package of sound."""
    return len(_waves(contents))


def description_of(contents: Contents) -> CorpusMetadata | None:
    """Return what is stated of the corpus as a whole, and who recorded it; None if nobody states anything."""
    return described(contents.corpus, (course.header.get("Wizard", "") for course in contents.courses))


def common(contents: Contents, done: PackageSummary, form: str, staging: Staging) -> dict[str, bytes]:
    """The files that are in every package; `staging` holds those of its format."""
    corpus = contents.corpus
    files = {
        "README.txt": readme(corpus, done, form),
        "DATASHEET.md": datasheet.text(corpus, contents.courses, contents.right).encode(),
        layout.SESSIONS: msgspec.json.format(msgspec.json.encode(corpus.manifest.sessions), indent=1) + b"\n",
    }
    if REMOVALS in corpus.manifest.files:
        files[REMOVALS] = corpus.read(REMOVALS)
    if (found := description_of(contents)) is not None:
        files |= descriptions(found, staging.files, lambda path: (staging.root / path).read_bytes())
    return files


def checksums(staging: Staging) -> None:
    """`SHA256SUMS`, which `sha256sum -c` reads."""
    lines = (f"{entry.sha256}  {path}\n" for path, entry in sorted(staging.files.items()))
    staging.write(CHECKSUMS, "".join(lines).encode())


def title(corpus: Corpus) -> str:
    """Return what a corpus is, in a heading."""
    return "Imported speech" if corpus.manifest.imported else "Spoken language collected with a Wizard of Oz"


def readme(corpus: Corpus, done: PackageSummary, form: str) -> bytes:
    """Return the README of the package."""
    mark = (
        "THIS IS A REHEARSAL with scripted people and made-up speech; it is not data.\n\n"
        if corpus.manifest.rehearsal
        else ""
    )
    sites = ", ".join(sorted({entry.site for entry in corpus.manifest.sessions}))
    found = sum(entry.pilot for entry in corpus.manifest.sessions)
    of_all = len(corpus.manifest.sessions)
    pilots_found = f"{counted(found, 'session')} of {of_all} are pilots, which are not data; sessions.json marks"
    pilots = [f"{pilots_found} them: leave them out of training and tests.\n"] if found else []
    imported = corpus.manifest.imported
    made = "imported" if imported else "collected"
    draft = "imported texts that are not in words alone" if imported else "what the wizard typed in a hurry"
    lines = [
        f"{title(corpus)} ({form})\n",
        f"{mark}{counted(done.utterances, 'utterance')} of {counted(done.speakers, 'speaker')}, {made} at "
        f"{sites or 'no site'}.\n",
        f"Set: {datasheet.set_text(corpus)}.\n",
        *pilots,
        done.how.strip() + "\n",
        *(f"Left out: {note}." for note in done.notes),
        *([""] if done.notes else []),
        f"Drafts of transcriptions are {draft}; DATASHEET.md says how many there are, and how many",
        "transcriptions a second person has checked. sessions.json gives the head of each session's hash chain. Names are",
        "XXXUUSMP: speaker, utterance, scenario, mode, microphone. removals.json, where there",
        "is one, names people who have withdrawn: drop their files from earlier copies.",
    ]
    return ("\n".join(lines) + "\n").encode()


def spoken(contents: Contents) -> Iterator[SpokenUtterance]:
    """The utterances that are data and have a waveform of a chosen microphone, sorted by name within each speaker.

    Those of scenarios that were declared invalid are none; a list of utterances has no place to mark them.
    """
    corpus = contents.corpus
    speakers = corpus.speakers()
    waves = _waves(contents)
    valid = (course for course in contents.courses if course.outcome != Outcome.INVALIDATED)
    for course in sorted(valid, key=lambda course: course.stem):
        for turn, letter in product(course.turns, contents.microphones):
            name = turn.stem[:-1] + letter
            if f"{name}.wav" in waves:
                yield SpokenUtterance(name, speakers[course.header["Speaker"]], course, turn, waves[f"{name}.wav"])


def _waves(contents: Contents) -> dict[str, str]:
    """The paths of the waveforms of the chosen microphones, by their names."""
    ends = tuple(f"{letter}.wav" for letter in contents.microphones)
    return {path.rpartition("/")[2]: path for path in contents.corpus.manifest.files if path.endswith(ends)}


def transcribed(contents: Contents) -> tuple[list[SpokenUtterance], tuple[str, ...]]:
    """Spoken utterances that have been transcribed, those without a word included, sorted by name, and notes on those left out.

    Raises `Refused` for none. What has no sound here is no reference: nobody can recognise it, and NIST's tools would count every
    word of it as missed.
    """
    every = list(spoken(contents))
    found = sorted(
        (utterance for utterance in every if utterance.turn.words is not None), key=lambda utterance: utterance.name
    )
    if not found:
        raise Refused(
            "no utterance has both sound and a transcription; transcribe the corpus first: curtain transcribe CORPUS"
        )
    untouched = len(every) - len(found)
    notes = (f"{counted(untouched, 'utterance')} never transcribed",) if untouched else ()
    return found, (*notes, *set_aside(contents))


def set_aside(contents: Contents) -> tuple[str, ...]:
    """Notes on spoken utterances that no list of utterances has."""
    waves = _waves(contents)
    invalid = [course for course in contents.courses if course.outcome == Outcome.INVALIDATED]
    turns = [turn for course in invalid for turn in course.turns]
    count = sum(f"{turn.stem[:-1]}{letter}.wav" in waves for turn in turns for letter in contents.microphones)
    notes = (f"{counted(count, 'utterance')} of scenarios that were declared invalid",) if count else ()
    return (*notes, *unheard(contents))


def unheard(contents: Contents) -> tuple[str, ...]:
    """Notes on spoken utterances whose sound is not in the corpus, and so in no package."""
    manifest, letters = contents.corpus.manifest, contents.microphones
    reasons = (
        (manifest.withheld, "whose speakers did not agree to hand over audio"),
        (manifest.missing, "whose samples were lost or altered"),
    )
    sums = [(sum(_is_by(path, letters) for path in paths), why) for paths, why in reasons]
    return tuple(f"{counted(count, 'utterance')} {why}" for count, why in sums if count)


def _is_by(path: str, letters: Collection[str]) -> bool:
    """Return whether a path is that of an utterance by one of these microphones, and not of what has no number."""
    name = speech_name(path)
    return name is not None and name.stem.mic in letters


def speakers_of(found: Iterable[SpokenUtterance]) -> int:
    """Count the people who spoke these."""
    return len({utterance.speaker.speaker for utterance in found})


def sound_of(data: bytes, path: str) -> PackagedSound:
    """A waveform of a corpus as 16-bit RIFF; its samples are the same numbers."""
    file = _riff_of(data, path)
    return PackagedSound(riff.render(file), file.header.sample_rate, file.header.sample_count)


def _riff_of(data: bytes, path: str) -> riff.RiffFile:
    file = waves.parse(data, path)
    return riff.pcm_file(file.samples().astype("<i2").tobytes(), file.header.sample_rate, file.header.channel_count)


def json_lines(rows: list[dict[str, object]]) -> bytes:
    """One JSON object a line."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
