"""A recording as a source has it, and how sources are read: paths within them, tables with named columns, sounds in pieces."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import soundfile

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import text_of
from corpus.io.safe_open import leads_out

Pcm = npt.NDArray[np.int16]
SOUNDS = (".wav", ".flac", ".sph", ".ogg", ".opus", ".mp3", ".aif", ".aiff")
_LONGEST_S = 3600.0
"""Of one utterance; what is longer is a recording that nobody has cut into utterances."""
_FULL_SCALE = 32_768


class RecordingSource(msgspec.Struct, frozen=True):
    """A folder that is imported, or a table in one; the folder from which paths to sounds lead; patterns of the tiers that hold
    what was said, none for all that may."""

    path: Path
    sounds: Path
    tiers: tuple[str, ...] = ()


class Recording(msgspec.Struct, frozen=True):
    """One utterance of a source. `key` is its name there, `place` is the file and line that tells of it. `sound` is a file;
    the utterance is in it between `begin` and `end`, in seconds, None for the whole, on `channel`, counted from 0. `text` is
    what was said as the source writes it, None if nobody wrote it down; `detailed` tells that it keeps the conventions of
    `.sro`. A `stem` is the name that the utterance keeps, whose other files by type are `beside`. `guessed` says what of this
    was guessed, and what of the source has no place here."""

    key: str
    place: str
    speaker: str
    sound: Path
    text: str | None = None
    session: str = ""
    begin: float | None = None
    end: float | None = None
    channel: int | None = None
    sex: str = ""
    age: str = ""
    dialect: str = ""
    stem: str = ""
    detailed: bool = False
    beside: Mapping[str, Path] = {}
    guessed: tuple[str, ...] = ()


class SourceSound(msgspec.Struct, frozen=True):
    """Samples of one channel at `rate` Hz; `changed` says what had to be done to have them in 16 bits, one channel."""

    samples: Pcm
    rate: int
    changed: tuple[str, ...] = ()


def within(root: Path, path: str, place: str) -> Path:
    """The file of the source that a path names, relative to it or within it; raises `FormatFault` if there is none."""
    if "\0" in path:
        raise FormatFault(place, 0, "a path with a NUL character", "correct the path")
    path = path if (root / path).exists() else path.replace("\\", "/")
    named = Path(path)
    relative = Path(path)
    if named.is_absolute():
        if not named.resolve().is_relative_to(root.resolve()):
            raise FormatFault(place, 0, f"{path!r} leads out of {root}", "name the folder of the sounds with --sounds")
        relative = named.resolve().relative_to(root.resolve())
    elif leads_out(path):
        raise FormatFault(place, 0, f"{path!r} leads out of {root}", "name the folder of the sounds with --sounds")
    found = root / relative
    if not found.resolve().is_relative_to(root.resolve()):
        raise FormatFault(place, 0, f"{path!r} is a link out of {root}", "copy the file into the folder")
    if not found.is_file():
        raise FormatFault(place, 0, f"no file {path!r} in {root}", "name the folder from which the paths lead")
    return found


def by_session(found: Iterable[Recording]) -> Iterator[Recording]:
    """Recordings whose sessions are sounds, without a session where a sound holds one utterance: it was cut out of something."""
    held = list(found)
    counts = Counter(one.session for one in held)
    for one in held:
        whole = one.stem or counts[one.session] > 1
        yield one if whole else msgspec.structs.replace(one, session="")


def seconds(text: str, place: str) -> float | None:
    """A time that a source writes, None for an empty one; raises `FormatFault` for what is none."""
    try:
        found = float(text) if text else None
    except ValueError:
        raise FormatFault(place, 0, f"{text!r} is not a time in seconds", "write seconds, with a point") from None
    if found is not None and not 0 <= found < 1e7:
        raise FormatFault(place, 0, f"{text!r} is not a time in seconds", "write seconds, from 0 on")
    return found


def speaker_of(named: str, recorded: str) -> tuple[str, tuple[str, ...]]:
    """The speaker of an utterance, and what was guessed: anyone who is named nowhere is another person in each recording."""
    return (named, ()) if named else (recorded, ("speaker: none named, each recording counts as another speaker",))


def text_in(path: Path) -> str:
    """The text of a file; raises `FormatFault` for what is none, OSError."""
    return text_of(path.read_bytes(), str(path))


def table(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table with a line of names, each with its line; tabs part the columns where the first line has any,
    otherwise what it has most of: commas, semicolons or bars."""
    text = text_in(path)
    first = text.partition("\n")[0]
    tabs = "\t" in first
    mark = "\t" if tabs else max(",;|", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=not tabs, quoting=_quoting(tabs))
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if len({*names}) < len(names) or not any(names):
            raise FormatFault(str(path), 1, "the first line does not name each column once", "name the columns there")
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(names):
                found = f"{len(row)} cells under {len(names)} columns"
                raise FormatFault(str(path), rows.line_num, found, f"quote what holds {mark!r}, or write tabs")
            yield rows.line_num, {name: cell.strip() for name, cell in zip(names, row, strict=True)}
    except csv.Error as error:
        raise FormatFault(str(path), rows.line_num, str(error), "correct the quotes") from None


def _quoting(tabs: bool) -> Any:
    return csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL


def column(names: Mapping[str, str], known: Sequence[str]) -> str:
    """The column of a table that has one of the known names, the first that there is; empty for none.

    >>> column({"path": "", "sentence": ""}, ("audio", "path"))
    'path'
    """
    return next((name for name in known if name in names), "")


def sound_of(one: Recording) -> SourceSound:
    """The samples of a recording in 16 bits; raises `FormatFault` that names the place."""
    try:
        with soundfile.SoundFile(one.sound) as file:
            first = 0 if one.begin is None else round(one.begin * file.samplerate)
            last = file.frames if one.end is None else round(one.end * file.samplerate)
            if not 0 <= first < last or last > file.frames + round(0.05 * file.samplerate):
                length = file.frames / file.samplerate
                found = f"{one.key}: {_span(one)} of {one.sound.name}, which is {length:g} s long"
                raise FormatFault(one.place, 0, found, "correct the times")
            if last - first > _LONGEST_S * file.samplerate:
                found = f"{one.key} is longer than {_LONGEST_S:g} s"
                raise FormatFault(one.place, 0, found, "cut the recording into utterances, and give their times")
            file.seek(first)
            kept = file.subtype == "PCM_16"
            frames = file.read(min(last, file.frames) - first, dtype="int16" if kept else "float64", always_2d=True)
            chosen, changed = _one_channel(one, frames)
            if kept:
                return SourceSound(chosen, file.samplerate, changed)
            return _in_16_bits(chosen, file.samplerate, (*changed, f"{file.subtype} made 16-bit"))
    except FormatFault:
        raise
    except (soundfile.SoundFileError, ValueError, OverflowError) as error:
        remedy = "give a sound that can be read; packed SPHERE is unpacked by sph2pipe"
        raise FormatFault(one.place, 0, f"{one.sound}: {error}", remedy) from None


def _one_channel(one: Recording, samples: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    channels = samples.shape[1]
    if not len(samples):
        raise FormatFault(one.place, 0, f"{one.key}: no samples in {one.sound.name}", "leave it out")
    if one.channel is not None and one.channel >= channels:
        found = f"{one.key}: channel {one.channel}, {one.sound.name} has {channels}"
        raise FormatFault(one.place, 0, found, "count the channels from 0")
    changed = ("the first of several channels taken",) if channels > 1 and one.channel is None else ()
    return np.ascontiguousarray(samples[:, one.channel or 0]), changed


def _in_16_bits(samples: npt.NDArray[np.float64], rate: int, changed: tuple[str, ...]) -> SourceSound:
    """Samples between -1 and 1 in 16 bits; asked for integers, libsndfile rounds these to silence."""
    scaled = np.rint(np.nan_to_num(samples) * _FULL_SCALE)
    if (scaled > _FULL_SCALE).any() or (scaled < -_FULL_SCALE).any():
        changed = (*changed, "louder than 16 bits hold, cut off")
    return SourceSound(scaled.clip(-_FULL_SCALE, _FULL_SCALE - 1).astype(np.int16), rate, changed)


def _span(one: Recording) -> str:
    return f"{one.begin if one.begin is not None else 0:g} to {one.end if one.end is not None else 0:g} s"
