"""CSV tables, Kaldi data directories and BIDS-like folders as recordings."""

import json
from collections.abc import Iterator
from pathlib import Path

from corpus.formats.errors import FormatFault
from corpus.importing.recordings import SOUNDS, Recording, column, table, text_in, within
from corpus.packages.reading.read_back import table_of

AUDIO = ("audio", "path", "audio_filepath", "audio_path", "file_name", "filename", "file", "wav", "sound")
TEXT = ("text", "transcription", "transcript", "sentence", "words", "utterance_text")
SPEAKER = ("speaker", "speaker_id", "spk", "client_id", "participant_id", "participant", "subject")
KEY = ("id", "utterance", "utterance_id", "utt", "key")
SESSION = ("session", "session_id", "dialogue", "dialog", "conversation", "recording_id")
BEGIN, END = ("begin", "start", "onset", "start_time"), ("end", "offset", "end_time", "stop")
CHANNEL, SEX, AGE = ("channel",), ("sex", "gender"), ("age",)
DIALECT = ("dialect", "accent", "accents", "dialect_region")

_TAKEN = (AUDIO, TEXT, SPEAKER, KEY, SESSION, BEGIN, END, CHANNEL, SEX, AGE, DIALECT)


def csv_tables(source: Path, sounds: Path) -> Iterator[Recording]:
    """The rows of a table, or of all `.csv` and `.tsv` of a folder; paths lead from `sounds`."""
    tables = [source] if source.is_file() else sorted([*source.glob("*.csv"), *source.glob("*.tsv")])
    if not tables:
        raise FormatFault(str(source), 0, "no .csv and no .tsv in it", "name a table, or the folder in which it lies")
    for path in tables:
        for line, row in table(path):
            yield _of_row(path, line, row, sounds)


def _of_row(path: Path, line: int, row: dict[str, str], sounds: Path) -> Recording:
    place = f"{path}:{line}"

    def cell(known: tuple[str, ...]) -> str:
        return row.get(column(row, known), "")

    audio, speaker = cell(AUDIO), cell(SPEAKER)
    for found, known, what in ((audio, AUDIO, "sound"), (speaker, SPEAKER, "speaker")):
        if not found:
            named = f"column {column(row, known)!r} is empty" if column(row, known) else "no column"
            raise FormatFault(place, 0, f"{named} for the {what}", f"name one {', '.join(known[:3])}")
    return Recording(
        cell(KEY) or f"{Path(audio).stem}-{line}",
        place,
        speaker,
        within(sounds, audio, place),
        cell(TEXT) if column(row, TEXT) else None,
        cell(SESSION),
        _seconds(cell(BEGIN), place),
        _seconds(cell(END), place),
        _number(cell(CHANNEL), place),
        cell(SEX),
        cell(AGE),
        cell(DIALECT),
        untaken=tuple(name for name in row if name and name not in {column(row, known) for known in _TAKEN}),
    )


def kaldi(source: Path, sounds: Path) -> Iterator[Recording]:
    """The utterances of a Kaldi data directory: `wav.scp`, `utt2spk`, and `text`, `segments`, `spk2gender` if they are there."""
    tables = {name: _kaldi_table(source, name) for name in ("wav.scp", "utt2spk", "text", "segments", "spk2gender")}
    recorded, speakers = tables["wav.scp"], tables["utt2spk"]
    for name in ("wav.scp", "utt2spk"):
        if not tables[name]:
            raise FormatFault(str(source / name), 0, "it is not there, or empty", "name a Kaldi data directory")
    segments = tables["segments"] or {key: key for key in recorded}
    for key, value in segments.items():
        place = f"{source / ('segments' if tables['segments'] else 'wav.scp')}: {key}"
        sound, *times = value.split()
        if key not in speakers or sound not in recorded:
            raise FormatFault(place, 0, "it is not in utt2spk and wav.scp", "mend it with Kaldi's fix_data_dir.sh")
        if recorded[sound].endswith("|"):
            raise FormatFault(place, 0, "wav.scp has a command there", "write the sounds to files, and name these")
        if len(times) not in (0, 2):
            raise FormatFault(place, 0, f"{value!r} is no segment", "write recording, begin and end")
        begin, end = (_seconds(time, place) for time in times) if times else (None, None)
        yield Recording(
            key,
            place,
            speakers[key],
            within(sounds, recorded[sound], place),
            tables["text"].get(key),
            begin=begin,
            end=end,
            sex=tables["spk2gender"].get(speakers[key], ""),
        )


def _kaldi_table(source: Path, name: str) -> dict[str, str]:
    path = source / name
    return table_of(text_in(path), str(path)) if path.is_file() else {}


def bids(source: Path, sounds: Path) -> Iterator[Recording]:
    """The sounds of a folder laid out by subject, as BIDS has it: `sub-ID/[ses-ID/]…`, the words beside a sound in a `.txt` or as
    `transcription` in a `.json`, the people in `participants.tsv`."""
    people: dict[str, dict[str, str]] = {}
    if (listed := source / "participants.tsv").is_file():
        people = {row.get("participant_id", "").removeprefix("sub-"): row for _, row in table(listed)}
    found = sorted(path for path in source.glob("sub-*/**/*") if path.suffix.lower() in SOUNDS)
    if not found:
        raise FormatFault(str(source), 0, "no sound in a folder sub-…", "lay the sounds out as sub-ID/ses-ID/NAME.wav")
    for path in found:
        within(source, path.relative_to(source).as_posix(), str(path))
        parts = path.relative_to(source).parts
        speaker = parts[0].removeprefix("sub-")
        session = next((part for part in parts[1:-1] if part.startswith("ses-")), "")
        person = people.get(speaker, {})
        about = [_stated(person.get(column(person, known), "")) for known in (SEX, AGE, DIALECT)]
        yield Recording(
            path.stem, str(path), speaker, path, _beside(path), session, sex=about[0], age=about[1], dialect=about[2]
        )


def _stated(text: str) -> str:
    return "" if text.lower() in ("n/a", "na", "other", "unknown") else text


def _beside(path: Path) -> str | None:
    """The words in the file beside a sound; None where there is none."""
    if (text := path.with_suffix(".txt")).is_file():
        return " ".join(text_in(text).split())
    if (facts := path.with_suffix(".json")).is_file():
        try:
            found = json.loads(text_in(facts))
        except (ValueError, RecursionError) as error:
            raise FormatFault(str(facts), 0, str(error), "correct it, or leave it out") from None
        words = found.get("transcription") if isinstance(found, dict) else None
        return words if isinstance(words, str) else None
    return None


def _seconds(text: str, place: str) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        raise FormatFault(place, 0, f"{text!r} is no time in seconds", "write seconds, with a point") from None
    if found is not None and not 0 <= found < 1e7:
        raise FormatFault(place, 0, f"{text!r} is no time in seconds", "write seconds, from 0 on")
    return found


def _number(text: str, place: str) -> int | None:
    if text and not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise FormatFault(place, 0, f"{text!r} is no channel", "count the channels from 0")
    return int(text) if text else None
