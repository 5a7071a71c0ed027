"""Data directories of Kaldi and manifests of lhotse as recordings."""

import gzip
import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.importing.source_recordings import (
    Recording,
    RecordingSource,
    by_session,
    seconds,
    speaker_of,
    text_in,
    within,
)
from corpus.packages.reading.read_back import rows_of, table_of

_REFUSED = "write the sounds to files, and name these"
_PLAIN = {
    "cat": (),
    "flac": ("-c", "-d", "-s", "-dc", "-cd", "-cds", "-dcs", "-scd", "--stdout", "--decode", "--silent"),
    "sph2pipe": ("-p", "-f", "wav", "rif", "sph"),
}
"""Programs that write the samples of one file as they are, with the arguments that leave them so."""


def kaldi(source: RecordingSource) -> Iterator[Recording]:
    """The utterances of a Kaldi data directory: `wav.scp`, `utt2spk`, and `text`, `segments`, `spk2gender` if they are there."""
    folder = source.path
    tables = {name: _kaldi_table(folder, name) for name in ("wav.scp", "utt2spk", "text", "segments", "spk2gender")}
    for name in ("wav.scp", "utt2spk"):
        if not tables[name]:
            raise FormatFault(str(folder / name), 0, "it is not there, or empty", "name a Kaldi data directory")
    return by_session(_segments(source, tables))


def _segments(source: RecordingSource, tables: dict[str, dict[str, str]]) -> Iterator[Recording]:
    recorded, speakers = tables["wav.scp"], tables["utt2spk"]
    segments = tables["segments"] or {key: key for key in recorded}
    for key, value in segments.items():
        place = f"{source.path / ('segments' if tables['segments'] else 'wav.scp')}: {key}"
        sound, *times = value.split()
        if key not in speakers or sound not in recorded:
            raise FormatFault(place, 0, "it is not in utt2spk and wav.scp", "repair it with Kaldi's fix_data_dir.sh")
        if len(times) not in (0, 2):
            raise FormatFault(place, 0, f"{value!r} is not a segment", "write recording, begin and end")
        begin = seconds(times[0], place) if times else None
        end = seconds(times[1], place) if times and times[1] not in ("-1", "-1.0") else None
        file, channel, read = _sound_of(recorded[sound], place)
        yield Recording(
            key,
            place,
            speakers[key],
            within(source.sounds, file, place),
            tables["text"].get(key),
            sound,
            begin,
            end,
            channel,
            tables["spk2gender"].get(speakers[key], ""),
            guessed=read,
        )


def _kaldi_table(source: Path, name: str) -> dict[str, str]:
    path = source / name
    return table_of(text_in(path).replace("\t", " "), str(path)) if path.is_file() else {}


def _sound_of(value: str, place: str) -> tuple[str, int | None, tuple[str, ...]]:
    """The file of an entry of `wav.scp`, and its channel. A command is never run; one that only unpacks a file stands for it."""
    if not value.endswith("|"):
        return value, None, ()
    try:
        program, *words = shlex.split(value[:-1])
    except ValueError:
        program, words = "", []
    name, channel = Path(program).name, None
    if name == "sph2pipe" and "-c" in words[:-1]:
        at = words.index("-c")
        channel = {"1": 0, "2": 1}.get(words[at + 1])
        words = words[:at] + words[at + 2 :] if channel is not None else words
    files = [word for word in words if word not in _PLAIN.get(name, ())]
    if name not in _PLAIN or len(files) != 1 or files[0].startswith("-"):
        raise FormatFault(place, 0, f"wav.scp has a command there: {value}", _REFUSED)
    return files[0], channel, (f"sound: read from the file that {name} unpacks, without running it",)


class _File(msgspec.Struct):
    source: str
    type: str = "file"
    channels: tuple[int, ...] = (0,)


class _Sounds(msgspec.Struct):
    id: str
    sources: tuple[_File, ...]


class _Supervised(msgspec.Struct):
    id: str
    recording_id: str
    start: float
    duration: float
    channel: int | tuple[int, ...] = 0
    text: str | None = None
    speaker: str | None = None
    gender: str | None = None


def lhotse(source: RecordingSource) -> Iterator[Recording]:
    """The supervisions of a pair of lhotse's manifests, `*recordings*.jsonl` and `*supervisions*.jsonl`, also packed by gzip."""
    recordings, supervisions = (_manifest(source.path, name) for name in ("recordings", "supervisions"))
    return by_session(_supervised(source, recordings, supervisions))


def _supervised(source: RecordingSource, recordings: Path, supervisions: Path) -> Iterator[Recording]:
    recorded = {one.id: one for one in rows_of(_unpacked(recordings), str(recordings), _Sounds)}
    for one in rows_of(_unpacked(supervisions), str(supervisions), _Supervised):
        place = f"{supervisions}: {one.id}"
        held = recorded.get(one.recording_id)
        channel = one.channel if isinstance(one.channel, int) else one.channel[0] if one.channel else 0
        file = next((part for part in held.sources if channel in part.channels), None) if held else None
        if file is None or file.type != "file":
            raise FormatFault(place, 0, f"no file of {one.recording_id} in {recordings.name}", "give both manifests")
        speaker, guessed = speaker_of(one.speaker or "", one.recording_id)
        yield Recording(
            one.id,
            place,
            speaker,
            within(source.sounds, file.source, place),
            one.text,
            one.recording_id,
            one.start,
            one.start + one.duration,
            file.channels.index(channel),
            one.gender or "",
            guessed=guessed,
        )


def _manifest(source: Path, name: str) -> Path:
    found = sorted([*source.glob(f"*{name}*.jsonl"), *source.glob(f"*{name}*.jsonl.gz")])
    if len(found) != 1:
        listed = ", ".join(path.name for path in found) or "none"
        raise FormatFault(str(source), 0, f"{listed} for *{name}*.jsonl", "name a folder with one of each manifest")
    return found[0]


def _unpacked(path: Path) -> bytes:
    data = path.read_bytes()
    try:
        return gzip.decompress(data) if path.suffix == ".gz" else data
    except (OSError, EOFError) as error:
        raise FormatFault(str(path), 0, str(error), "pack it with gzip again") from None
