"""A corpus in a notebook: sessions, utterances, turns, dialogues, sound as numbers and tables, each read when it is asked for.

Utterances are listed from the names of files alone, so that a large corpus is listed at once; every file that is read is
compared with the manifest. `from corpus import open_corpus` is the whole interface.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from corpus.analysis.turns import Course, Turn, course
from corpus.dataset.reader import Corpus, speech_name
from corpus.formats import lsn, waveform
from corpus.formats.manifest import SessionEntry
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.packages.csv import scenario_rows, turn_rows
from corpus.packages.csv_columns import OF_COURSE, OF_TURN, SHARED, names
from corpus.packages.dialogue_judgements import rated_in
from corpus.packages.dialogues import Dialogue, dialogues
from corpus.packages.package_writer import contents_of
from corpus.release.earlier_exports import works_of
from corpus.release.exports_log import exports_around
from session.values.names import PRIMARY, StemName


class Sound(msgspec.Struct, frozen=True):
    """The sound of one microphone: 16-bit samples, one number a frame; `rate` frames a second."""

    samples: NDArray[np.int16]
    rate: int

    @property
    def seconds(self) -> float:
        """Return its length in seconds."""
        return len(self.samples) / self.rate


class OpenedUtterance(msgspec.Struct, frozen=True):
    """One numbered utterance of which there is a file: `waves` by microphone, `texts` are its other files by type."""

    corpus: "OpenedCorpus"
    stem: str
    speaker: str
    session: str
    scenario: int
    number: int
    waves: dict[str, str]
    texts: dict[str, str]

    def sound(self, microphone: str = PRIMARY) -> Sound:
        """Read the sound of a microphone; raises KeyError for none, `FormatFault` for a file that is not the listed one."""
        path = self.waves[microphone]
        file = waveform.parse(self.corpus.read(path), path)
        return Sound(file.samples()[:, 0].astype(np.int16), file.header.sample_rate)

    @property
    def text(self) -> str | None:
        """Return the lexical transcription; None if nobody transcribed."""
        if "lsn" not in self.texts:
            return None
        return " ".join(lsn.parse(self.corpus.read(self.texts["lsn"]), self.texts["lsn"]).words)

    @property
    def turn(self) -> Turn:
        """Return what the system made of it, and when; raises KeyError if the log knows no such utterance."""
        return self.corpus.turn(self.stem)


class OpenedCorpus:
    """A corpus directory, opened for reading; raises `FormatFault` if it is none. Nothing in it is ever written."""

    def __init__(self, directory: Path) -> None:
        self._corpus = Corpus(directory)
        self._held = Corpus(directory, self._corpus.manifest, held=True)
        self._courses: dict[str, Course] = {}

    def __repr__(self) -> str:
        return f"OpenedCorpus({str(self._corpus.root)!r}, {len(self.sessions)} sessions, {len(self.utterances)} utterances)"

    @property
    def root(self) -> Path:
        """Return the directory."""
        return self._corpus.root

    @property
    def sessions(self) -> tuple[SessionEntry, ...]:
        """Return the sessions: site, speaker, condition, pilots and rehearsals marked."""
        return self._corpus.manifest.sessions

    @cached_property
    def speakers(self) -> dict[str, SpeakerInfo]:
        """The speakers by id."""
        return self._held.speakers()

    @cached_property
    def utterances(self) -> tuple[OpenedUtterance, ...]:
        """Return all numbered utterances, by speaker, subject-scenario and number; no file is opened for that."""
        found: dict[tuple[str, int, int], OpenedUtterance] = {}
        sessions = {(entry.speaker, number): entry.session for entry in self.sessions for number in entry.scenarios}
        for path in self._corpus.manifest.files:
            name = speech_name(path)
            if name is None or not name.stem.utterance:
                continue
            stem = name.stem
            key = stem.speaker, stem.scenario, stem.utterance
            if key not in found:
                session = sessions.get(key[:2], "")
                bare = msgspec.structs.replace(stem, mic="x")
                found[key] = OpenedUtterance(self, str(bare), *key[:1], session, *key[1:], {}, {})
            if name.type == "wav":
                found[key].waves[stem.mic] = path
            else:
                found[key].texts[name.type] = path
        return tuple(utterance for _, utterance in sorted(found.items()))

    @property
    def courses(self) -> Iterator[Course]:
        """Yield the subject-scenarios with the times of their turns, one log at a time."""
        for scenario in self._held.scenarios():
            yield course(self._held, scenario)

    @property
    def dialogues(self) -> Iterator[Dialogue]:
        """Yield whole dialogues: words, requests with SQL and rows, replies, judgements (`corpus.packages.dialogues`)."""
        root = self._corpus.root
        rated = rated_in(works_of(root, exports_around(root)))
        return dialogues(msgspec.structs.replace(contents_of(self._corpus), rated=rated))

    def turn(self, stem: str) -> Turn:
        """The turn of an utterance by its name; raises KeyError. One log is read and kept for all its turns."""
        name = StemName.parse(stem)
        of_log = f"{name.speaker}{name.scenario}"
        if of_log not in self._courses:
            for log in self._held.logs:
                own = speech_name(log)
                if own is not None and (own.stem.speaker, own.stem.scenario) == (name.speaker, name.scenario):
                    self._courses[of_log] = course(self._held, self._held.scenario(log))
        turns = self._courses[of_log].turns if of_log in self._courses else ()
        return {turn.number: turn for turn in turns}[name.utterance]

    def table(self, name: str) -> dict[str, list[Any]]:
        """A table as columns: `sessions`, `utterances`, `turns` or `scenarios`; raises ValueError for another name.

        `pandas.DataFrame(corpus.table("turns"))` and `polars.DataFrame(...)` take it as it is. None is *not known*.
        """
        match name:
            case "sessions":
                return _columns(SessionEntry.__struct_fields__, map(msgspec.structs.asdict, self.sessions))
            case "utterances":
                fields = ("stem", "speaker", "session", "scenario", "number")
                rows = ({field: getattr(each, field) for field in fields} for each in self.utterances)
                return _columns(fields, rows)
            case "turns":
                return _columns(names((*SHARED, *OF_TURN)), turn_rows(self._held, self.courses))
            case "scenarios":
                return _columns(names((*SHARED, *OF_COURSE)), scenario_rows(self._held, [*self.courses]))
            case _:
                raise ValueError(f"there is no table {name!r}; name sessions, utterances, turns or scenarios")

    def read(self, path: str) -> bytes:
        """The bytes of a file; raises `FormatFault` for one that is not as the manifest lists it."""
        return self._held.read(path)


def open_corpus(directory: str | Path) -> OpenedCorpus:
    """Open the corpus in a directory; raises `FormatFault` if there is none, with the remedy."""
    return OpenedCorpus(Path(directory))


def _columns(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> dict[str, list[Any]]:
    made: dict[str, list[Any]] = {column: [] for column in columns}
    for row in rows:
        for column, values in made.items():
            values.append(row.get(column))
    return made
