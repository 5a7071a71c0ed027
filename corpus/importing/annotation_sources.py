"""TextGrids, ELAN's documents and lhotse's manifests as recordings."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.importing.recordings import SOUNDS, Recording, within
from corpus.packages import eaf, textgrid
from corpus.packages.reading.read_back import rows_of

_BELOW_UTTERANCES = ("words", "word", "phones", "phone", "phonemes", "syllables", "detailed", "dialogue")
"""Tiers that forced aligners and this program write within an utterance, or beside it."""


def textgrids(source: Path, sounds: Path) -> Iterator[Recording]:
    """The intervals with a text of all TextGrids of a folder, each beside its sound; a tier is a speaker, unless it is alone."""
    for path in _documents(source, ".TextGrid"):
        tiers = textgrid.parse(path.read_bytes(), str(path))
        spoken = [tier for tier in tiers if tier.name.split(" - ")[-1].lower() not in _BELOW_UTTERANCES]
        if not spoken:
            names = ", ".join(tier.name for tier in tiers)
            found = f"no tier of utterances, only {names}" if names else "no tier"
            raise FormatFault(
                str(path), 0, found, "put each utterance into one interval of a tier named by its speaker"
            )
        sound = _sound_beside(source, path, sounds)
        for tier in spoken:
            speaker = tier.name if len(spoken) > 1 else path.parent.name if path.parent != source else path.stem
            for number, one in enumerate((one for one in tier.intervals if one.text.strip()), start=1):
                key = f"{path.stem}-{tier.name}-{number}"
                place = f"{path}: {tier.name} {one.begin:g}"
                yield Recording(key, place, speaker, sound, one.text, path.stem, one.begin, one.end)


def elan(source: Path, sounds: Path) -> Iterator[Recording]:
    """The annotations of all ELAN documents of a folder on tiers that depend on no other, with the sound of each document."""
    for path in _documents(source, ".eaf"):
        found = eaf.parse(path.read_bytes(), str(path))
        media = found.media.removeprefix("file://")
        if media and not Path(media).is_absolute() and (path.parent / media).exists():
            sound = within(source, (path.parent / media).relative_to(source).as_posix(), str(path))
        else:
            sound = _sound_beside(source, path, sounds)
        for tier in found.tiers:
            for number, one in enumerate(tier.annotations, start=1):
                key = f"{path.stem}-{tier.name}-{number}"
                place = f"{path}: {tier.name} {one.begin / 1000:g}"
                speaker = tier.participant or tier.name
                if one.text.strip():
                    yield Recording(key, place, speaker, sound, one.text, path.stem, one.begin / 1000, one.end / 1000)


class _Source(msgspec.Struct):
    source: str
    type: str = "file"
    channels: tuple[int, ...] = (0,)


class _Sounds(msgspec.Struct):
    id: str
    sources: tuple[_Source, ...]


class _Supervised(msgspec.Struct):
    id: str
    recording_id: str
    start: float
    duration: float
    channel: int | tuple[int, ...] = 0
    text: str | None = None
    speaker: str | None = None
    gender: str | None = None


def lhotse(source: Path, sounds: Path) -> Iterator[Recording]:
    """The supervisions of a pair of lhotse's manifests, `*recordings*.jsonl` and `*supervisions*.jsonl`, also packed by gzip."""
    recordings, supervisions = (_manifest(source, name) for name in ("recordings", "supervisions"))
    recorded = {one.id: one for one in rows_of(_unpacked(recordings), str(recordings), _Sounds)}
    for one in rows_of(_unpacked(supervisions), str(supervisions), _Supervised):
        place = f"{supervisions}: {one.id}"
        held = recorded.get(one.recording_id)
        channel = one.channel if isinstance(one.channel, int) else one.channel[0] if one.channel else 0
        file = next((part for part in held.sources if channel in part.channels), None) if held else None
        if file is None or file.type != "file":
            raise FormatFault(place, 0, f"no file of {one.recording_id} in {recordings.name}", "give both manifests")
        yield Recording(
            one.id,
            place,
            one.speaker or one.recording_id,
            within(sounds, file.source, place),
            one.text,
            one.recording_id,
            one.start,
            one.start + one.duration,
            file.channels.index(channel),
            one.gender or "",
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


def _documents(source: Path, suffix: str) -> list[Path]:
    found = sorted(path for path in source.glob("**/*") if path.suffix.lower() == suffix.lower() and path.is_file())
    if not found:
        raise FormatFault(str(source), 0, f"no {suffix} in it", "name the folder of the documents and the sounds")
    return found


def _sound_beside(source: Path, path: Path, sounds: Path) -> Path:
    for suffix in SOUNDS:
        for spelled in (suffix, suffix.upper()):
            if (found := sounds / path.relative_to(source).with_suffix(spelled)).is_file():
                return within(sounds, found.relative_to(sounds).as_posix(), str(path))
    raise FormatFault(str(path), 0, f"no sound of the same name in {sounds}", "put it there")
