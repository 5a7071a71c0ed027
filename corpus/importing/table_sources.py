"""CSV tables and BIDS-like folders as recordings."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.importing.source_recordings import (
    SOUNDS,
    Recording,
    RecordingSource,
    column,
    seconds,
    speaker_of,
    table,
    text_in,
    within,
)

AUDIO = ("audio", "path", "audio_filepath", "audio_path", "file_name", "filename", "file", "wav", "sound")
TEXT = ("text", "transcription", "transcript", "sentence", "words", "utterance_text")
SPEAKER = ("speaker", "speaker_id", "spk", "client_id", "participant_id", "participant", "subject")
KEY = ("id", "utterance", "utterance_id", "utt", "key")
SESSION = ("session", "session_id", "dialogue", "dialog", "conversation", "recording_id")
BEGIN, END = ("begin", "start", "onset", "start_time"), ("end", "end_time", "stop")
OFFSET, DURATION = ("offset",), ("duration", "dur")
CHANNEL, SEX, AGE = ("channel",), ("sex", "gender"), ("age",)
DIALECT = ("dialect", "accent", "accents", "dialect_region")

_TAKEN = (AUDIO, TEXT, SPEAKER, KEY, SESSION, CHANNEL, SEX, AGE, DIALECT)
_UNSAID = ("", "n/a", "na")
_UNKNOWN = ("unknown", "none", "null", "-", "?", "do_not_wish_to_say")


def csv_tables(source: RecordingSource) -> Iterator[Recording]:
    """The rows of a table, or of all `.csv` and `.tsv` of a folder."""
    tables = (
        [source.path] if source.path.is_file() else sorted([*source.path.glob("*.csv"), *source.path.glob("*.tsv")])
    )
    if not tables:
        raise FormatFault(str(source.path), 0, "no .csv and no .tsv in it", "name a table, or its folder")
    for path in tables:
        for line, row in table(path):
            yield _of_row(path, line, row, source.sounds)


def _of_row(path: Path, line: int, row: dict[str, str], sounds: Path) -> Recording:
    place = f"{path}:{line}"

    def cell(known: tuple[str, ...]) -> str:
        return row.get(column(row, known), "")

    audio = cell(AUDIO)
    if not audio:
        named = f"column {column(row, AUDIO)!r} is empty" if column(row, AUDIO) else "no column"
        raise FormatFault(place, 0, f"{named} for the sound", f"name one {', '.join(AUDIO[:3])}")
    if not column(row, SPEAKER):
        raise FormatFault(place, 0, "no column for the speaker", f"name one {', '.join(SPEAKER[:3])}")
    begin, end, timed = _times(row, place)
    channel = _number(cell(CHANNEL), place)
    unnamed = audio if begin is None else f"{audio}-{begin:g}"
    speaker, guessed = speaker_of(cell(SPEAKER), audio)
    taken = {*timed, *(column(row, known) for known in _TAKEN)}
    return Recording(
        cell(KEY) or (unnamed if channel is None else f"{unnamed}-{channel}"),
        place,
        speaker,
        within(sounds, audio, place),
        cell(TEXT) if column(row, TEXT) else None,
        cell(SESSION),
        begin,
        end,
        channel,
        _stated(cell(SEX)),
        _stated(cell(AGE)),
        _stated(cell(DIALECT)),
        guessed=(*guessed, *(f"column {name!r} not taken" for name in row if name and name not in taken)),
    )


def _times(row: dict[str, str], place: str) -> tuple[float | None, float | None, list[str]]:
    """Return an utterance's begin and end in its audio, and the columns that give them: as in speech manifests, `offset` is the
    end if there is a begin, otherwise the begin; a duration counts from the begin."""
    first = column(row, BEGIN)
    last = column(row, END) or (column(row, OFFSET) if first else "")
    first = first or column(row, OFFSET)
    begin = seconds(row.get(first, ""), place)
    end = seconds(row.get(last, ""), place)
    lasting = column(row, DURATION)
    if begin is None or end is not None or not lasting:
        return begin, end, [first, last]
    lasts = seconds(row[lasting], place)
    return begin, None if lasts is None else begin + lasts, [first, last, lasting]


def bids(source: RecordingSource) -> Iterator[Recording]:
    """The sounds of a folder laid out by subject, as BIDS has it: `sub-ID/[ses-ID/]…`, the words beside a sound in a `.txt`, as
    `transcription` in a `.json`, or with their times in an `…_events.tsv`; the people in `participants.tsv`."""
    people: dict[str, dict[str, str]] = {}
    if (listed := source.path / "participants.tsv").is_file():
        people = {row.get("participant_id", "").removeprefix("sub-"): row for _, row in table(listed)}
    found = sorted(path for path in source.path.glob("sub-*/**/*") if path.suffix.lower() in SOUNDS)
    if not found:
        raise FormatFault(
            str(source.path), 0, "no sound in a folder sub-…", "lay the sounds out as sub-ID/ses-ID/NAME.wav"
        )
    for path in found:
        named = path.relative_to(source.path)
        within(source.path, named.as_posix(), str(path))
        speaker = named.parts[0].removeprefix("sub-")
        session = next((part for part in named.parts[1:-1] if part.startswith("ses-")), "")
        person = people.get(speaker, {})
        sex, age, dialect = (_stated(person.get(column(person, known), "")) for known in (SEX, AGE, DIALECT))
        whole = Recording(
            named.with_suffix("").as_posix(), str(path), speaker, path, None, session, sex=sex, age=age, dialect=dialect
        )
        if (events := path.with_name(f"{path.stem.rpartition('_')[0]}_events.tsv")).is_file():
            yield from _said(events, whole)
        else:
            yield msgspec.structs.replace(whole, text=_beside(path))


def _said(events: Path, whole: Recording) -> Iterator[Recording]:
    """The events of a sound that have words."""
    for line, row in table(events):
        place = f"{events}:{line}"
        if not column(row, TEXT) or not {"onset", "duration"} <= {*row}:
            found = f"no columns onset, duration and {' or '.join(TEXT[:3])}"
            raise FormatFault(str(events), 1, found, "add the words, or remove the file")
        text = row[column(row, TEXT)]
        if text.lower() not in _UNSAID:
            begin, end, _ = _times(row, place)
            key = f"{whole.key}-{line - 1}"
            yield msgspec.structs.replace(whole, key=key, place=place, text=text, begin=begin, end=end)


def _stated(text: str) -> str:
    return "" if text.lower() in (*_UNSAID, *_UNKNOWN) else text


def _beside(path: Path) -> str | None:
    """The words in the file beside a sound; None if there is none."""
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


def _number(text: str, place: str) -> int | None:
    if text and not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise FormatFault(place, 0, f"{text!r} is not a channel", "count the channels from 0")
    return int(text) if text else None
