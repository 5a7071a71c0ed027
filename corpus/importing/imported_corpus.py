"""A corpus made from recordings of other origin: new names for speakers and sessions, waveforms, transcriptions.

Nothing is known of what happened around these utterances, and nothing is invented: a log says that it was imported, names the
utterances in their order, and seals their samples. What had to be guessed is counted, for anyone who imports.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from corpus.annotation.draft_transcription import from_quick
from corpus.formats import cas, cat, layout, lexicon, lsn, metadata_file, readme, riff, spkrinfo, sql, sro, win
from corpus.formats.errors import FormatFault, counted
from corpus.formats.log import file, log_schema
from corpus.formats.log.log_values import BlockKind, Log, Record, RecordBlock
from corpus.formats.log.timeline import Moment
from corpus.formats.manifest import FORMAT, IMPORT, IMPORTED, FileEntry, Manifest, Provenance, SessionEntry, render
from corpus.formats.safe_lines import text_of
from corpus.formats.spkrinfo import SpeakerInfo, SpeakerTable
from corpus.importing.source_recordings import Recording, sound_of
from corpus.io.staging import Refused, Staging
from session.study.metadata import Metadata
from session.values.names import (
    LAST_SCENARIO,
    LAST_UTTERANCE,
    PRIMARY,
    SessionName,
    SpeakerBlock,
    StemName,
    base36,
    derived_reply,
)

_SCENARIO = "imported"
_LAST_ID = "zzz"
_OLDEST = 120
_SHOWN = 40
"""Of the kinds of guesses: tiers named by speakers may be hundreds."""
_PUNCTUATION = str.maketrans("–—", "  ", ',.;:!?"“”„«»()…')
_MARK = re.compile(r"[\[<](\w+)[\]>]")
_MARKS: Mapping[str, str] = {
    "unk": sro.UNINTELLIGIBLE, "oov": sro.UNINTELLIGIBLE, "spoken_noise": sro.UNINTELLIGIBLE, "spn": sro.UNINTELLIGIBLE,
    "noise": "misc_noise", "nsn": "misc_noise", "laugh": "laughter", "laughs": "laughter", "breath": "loud_breath",
    "cross": "cross_talk", "click": "tongue_click",
}  # fmt: skip
"""Marks of other transcribers and the events that they stand for."""
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})


def _answer(data: bytes, path: str) -> object:
    return cas.parse(text_of(data, path), source=path)


_READERS: Mapping[str, Callable[[bytes, str], object]] = {
    "cat": cat.parse,
    "win": win.parse,
    "sql": sql.parse,
    "sq2": sql.parse,
    "ref": _answer,
    "rf2": _answer,
}


class ImportDescription(msgspec.Struct, frozen=True):
    """Facts of all recordings of an import: the format, the site, the first of the ids that speakers get, when, and what is
    stated of the corpus."""

    form: str
    site: str
    first_speaker: str
    wall_ns: int
    stated: Metadata | None = None

    @property
    def moment(self) -> Moment:
        """Return when they were imported."""
        return Moment(self.wall_ns // 1000)

    @property
    def day(self) -> datetime:
        """Return the day of the import, UTC."""
        return datetime.fromtimestamp(self.wall_ns / 1e9, UTC)


class ImportedScenario(msgspec.Struct, frozen=True):
    """The utterances that become one subject-scenario, with the ids that they get here."""

    speaker: str
    session: str
    scenario: int
    recordings: tuple[Recording, ...]


class Imported(msgspec.Struct):
    """Outcome of an import: rows of the table of names, and how often what was guessed, made or left undone."""

    names: list[tuple[str, str, str, str, str]]
    guessed: Counter[str]
    seconds: float = 0.0


def parts_of(found: Iterable[Recording], about: ImportDescription) -> list[ImportedScenario]:
    """Return the recordings by speaker, session and, where these are more than a scenario holds, scenario. Raises `FormatFault`
    for a key that comes twice, `Refused` where ids run out."""
    people: dict[str, dict[str, list[Recording]]] = {}
    keys: dict[str, str] = {}
    for one in found:
        if one.key in keys:
            raise FormatFault(one.place, 0, f"{one.key} stands at {keys[one.key]} too", "give each utterance an id")
        keys[one.key] = one.place
        people.setdefault(one.speaker, {}).setdefault(one.session, []).append(one)
    if not keys:
        raise Refused("the source holds no utterance")
    stems = [bool(one.stem) for sessions in people.values() for held in sessions.values() for one in held]
    if any(stems):
        if not all(stems):
            raise Refused("some utterances have names of a corpus and others do not; import them separately")
        return list(_kept(people, about))
    block, taken = SpeakerBlock(about.first_speaker, _LAST_ID), set[str]()
    parts: list[ImportedScenario] = []
    for sessions in people.values():
        speaker = block.next_after(taken)
        taken.add(speaker)
        scenario = 0
        for count, recordings in enumerate(_with_room(sessions), start=1):
            session = _session(speaker, count, about)
            for first in range(0, len(recordings), LAST_UTTERANCE):
                scenario += 1
                parts.append(
                    ImportedScenario(speaker, session, scenario, tuple(recordings[first : first + LAST_UTTERANCE]))
                )
        if scenario > LAST_SCENARIO:
            raise Refused(
                f"one speaker has {counted(sum(map(len, sessions.values())), 'utterance')}; import them in parts"
            )
    return parts


def _session(speaker: str, count: int, about: ImportDescription) -> str:
    """The name of a speaker's session; its number comes from the id, so that imports of one day can be merged."""
    number = (int(speaker, 36) - 1) * LAST_SCENARIO + count
    return str(SessionName(about.site, f"{about.day:%Y%m%d}", number))


def _with_room(sessions: Mapping[str, list[Recording]]) -> Iterable[list[Recording]]:
    """The sessions of a speaker, put together where the name of the speaker has no room for so many scenarios."""
    if sum(-(-len(held) // LAST_UTTERANCE) for held in sessions.values()) <= LAST_SCENARIO:
        return sessions.values()
    return [[one for held in sessions.values() for one in held]]


def _kept(
    people: Mapping[str, Mapping[str, Sequence[Recording]]], about: ImportDescription
) -> Iterator[ImportedScenario]:
    """The recordings under the names that they have: a subject-scenario is what its letter says, and a session of its own."""
    for speaker, scenarios in people.items():
        for count, recordings in enumerate(scenarios.values(), start=1):
            session = _session(speaker, count, about)
            scenario = StemName.parse(recordings[0].stem).scenario
            yield ImportedScenario(speaker, session, scenario, tuple(sorted(recordings, key=lambda one: one.stem)))


def write(parts: Sequence[ImportedScenario], about: ImportDescription, staging: Staging) -> Imported:
    """Write all files of the corpus; raises `FormatFault` for a sound that cannot be read."""
    writer = _Writer(about, staging)
    for part in parts:
        writer.write(part)
    made = writer.made
    speakers = SpeakerTable(tuple(_speakers(parts, about, made)))
    sessions = tuple(_sessions(parts, about))
    staging.write(layout.SPEAKER_TABLE, spkrinfo.render(speakers))
    if about.stated is not None:
        staging.write(layout.metadata_path(about.site), metadata_file.render(about.stated))
    staging.write(layout.LEXICON, lexicon.render(lexicon.of_counts(writer.words)))
    staging.write(layout.README, readme.of_imported(sessions, speakers, len(made.names), "RIFF"))
    staging.write(layout.MANIFEST, render(Manifest(FORMAT, False, sessions, dict(staging.files))))
    return made


class _Writer:
    """Writes the files of subject-scenarios, and counts what it makes and guesses."""

    def __init__(self, about: ImportDescription, staging: Staging) -> None:
        self.made = Imported([], Counter())
        self.words: Counter[str] = Counter()
        self._about = about
        self._staging = staging
        self._unread: dict[str, str] = {}

    def write(self, part: ImportedScenario) -> None:
        """Write the log of a subject-scenario, and the files of its utterances."""
        if (together := len({one.session for one in part.recordings})) > 1:
            self.made.guessed[f"sessions of a speaker put together, who has more than {LAST_SCENARIO}"] += together
        blocks = tuple(self._utterance(part, place, one) for place, one in enumerate(part.recordings, 1))
        log = Log(_header(part, self._about), blocks)
        self._staging.write(_path(StemName(part.speaker, part.scenario, 0), "log"), file.render(log))

    def _utterance(self, part: ImportedScenario, place: int, one: Recording) -> RecordBlock:
        number = StemName.parse(one.stem).utterance if one.stem else place
        stem = StemName(part.speaker, part.scenario, number, mic=PRIMARY)
        sound = sound_of(one)
        self.made.guessed.update(f"sound: {what}" for what in sound.changed)
        self.made.guessed.update(one.guessed)
        self.made.seconds += len(sound.samples) / sound.rate
        self.made.names.append((str(stem), one.key, one.speaker, one.session, one.place))
        data = sound.samples.astype("<i2").tobytes()
        self._staging.write(_path(stem, "wav"), riff.render(riff.pcm_file(data, sound.rate)))
        self._transcription(stem, one)
        self._annotation(stem, one)
        seal = f"{PRIMARY} {len(sound.samples)} {hashlib.sha256(data).hexdigest()}"
        attributes = (("Channel", f"{PRIMARY} {sound.rate} unknown"), ("Samples", seal))
        record = Record("Recording_imported", self._about.moment, "hub", False, attributes)
        take = derived_reply("imported", str(self._about.wall_ns), one.key)
        return RecordBlock(BlockKind.UTTERANCE, (record,), number, take)

    def _transcription(self, stem: StemName, one: Recording) -> None:
        """Write what was said, if anybody wrote it down: as it is where only capitals and punctuation go, otherwise as a
        draft."""
        text, guessed = one.text or "", self.made.guessed
        if not text.strip():
            guessed["text: none, to be transcribed"] += 1
            return
        if not one.detailed and (marked := _MARK.sub(_mark, text)) != text:
            guessed["text: marks such as <unk> and [noise] written by our conventions"] += 1
            text = marked
        spoken = text if one.detailed else text.translate(_QUOTES).translate(_PUNCTUATION)
        plain = " ".join(spoken.lower().split())
        whole = bool(plain) and not [problem for problem in sro.check(plain) if not problem.advice]
        detailed = sro.parse(plain, one.place) if whole else from_quick(text)
        if not whole:
            guessed["text: a draft, for it holds what is not a word, such as digits or signs"] += 1
        elif plain != text:
            guessed["text: capitals and punctuation taken away"] += 1
        work = Provenance(f"{IMPORT} {self._about.form}", f"{self._about.day:%Y-%m-%dT%H:%M:%SZ}")
        marks = FileEntry(0, "", draft=not whole)
        signed = msgspec.structs.replace(marks, work=work) if whole else marks
        self._staging.write(_path(stem, "sro"), sro.render(detailed), like=signed)
        self._staging.write(_path(stem, "lsn"), lsn.render(lsn.derive(detailed)), like=marks)
        self.words.update(lexicon.words(detailed))

    def _annotation(self, stem: StemName, one: Recording) -> None:
        """Write class and reference answers as they are, where they can be read."""
        for kind, path in one.beside.items():
            try:
                data = path.read_bytes()
                _READERS[kind](data, str(path))
            except (FormatFault, ValueError) as error:
                first = self._unread.setdefault(kind, str(error))
                self.made.guessed[f".{kind} left out, as it cannot be read; the first: {first}"] += 1
                continue
            self._staging.write(_path(stem, kind), data)
            self.made.guessed[f".{kind} taken as it is"] += 1


def _mark(found: re.Match[str]) -> str:
    """A mark by our conventions, or as it is where they know none."""
    name = found[1].lower()
    event = name if name in sro.EVENTS else _MARKS.get(name, "")
    return f"[{event}]" if event else found[0]


def _path(stem: StemName, kind: str) -> str:
    return str(layout.path_of(layout.file_name(stem, kind)))


def _header(part: ImportedScenario, about: ImportDescription) -> tuple[tuple[str, str], ...]:
    known = {
        "Log_version": log_schema.VERSION,
        log_schema.IMPORTED: about.form,
        "Speaker": part.speaker,
        "Session": part.session,
        "Scenario_session": base36(part.scenario, 1),
        "Site": about.site,
        "Scenario": _SCENARIO,
        "Protocol": IMPORTED,
        "Collection_method": "not known: recorded elsewhere",
        "Pilot": "no",
        "Rehearsal": "no",
        "Pace": "1",
    }
    return tuple((attribute.name, known[attribute.name]) for attribute in log_schema.HEADER if attribute.name in known)


def _sessions(parts: Sequence[ImportedScenario], about: ImportDescription) -> Iterator[SessionEntry]:
    scenarios: dict[str, list[int]] = {}
    owners = {part.session: part.speaker for part in parts}
    for part in parts:
        scenarios.setdefault(part.session, []).append(part.scenario)
    for session, held in scenarios.items():
        yield SessionEntry(
            session, about.site, owners[session], IMPORTED, tuple(held),
            chain_head="", rehearsal=False, pilot=False, pace=1.0, condition="",
        )  # fmt: skip


def _speakers(parts: Sequence[ImportedScenario], about: ImportDescription, made: Imported) -> Iterator[SpeakerInfo]:
    """The speakers, each with what the source tells first."""
    people: dict[str, list[Recording]] = {}
    for part in parts:
        people.setdefault(part.speaker, []).extend(part.recordings)
    for speaker, recordings in sorted(people.items()):
        sex, age, dialect = (
            next((value for one in recordings if (value := getattr(one, name))), "")
            for name in ("sex", "age", "dialect")
        )
        years = int(age) if age.isascii() and age.isdecimal() and 0 < int(age[:4]) <= _OLDEST else None
        if age and years is None:
            made.guessed["speakers: an age that is not a number of years left out"] += 1
        yield SpeakerInfo(speaker, spkrinfo.sex_of(sex), years, " ".join(dialect.split()), site=about.site)


def summary(made: Imported, corpus: Path) -> str:
    """Return what was imported and what was guessed, in lines."""
    speakers = len({name[:3] for name, *_ in made.names})
    lines = [
        f"{counted(len(made.names), 'utterance')} of {counted(speakers, 'speaker')}, {made.seconds / 60:.1f} min, in {corpus}"
    ]
    shown = made.guessed.most_common(_SHOWN)
    lines += [f"  {count} × {what}" for what, count in sorted(shown)]
    if len(shown) < len(made.guessed):
        lines.append(f"  and {len(made.guessed) - len(shown)} more of these, each less often")
    lines.append(
        "  the date in the sessions' names is that of the import; microphone, consent and conditions are not known"
    )
    return "\n".join(lines) + "\n"
