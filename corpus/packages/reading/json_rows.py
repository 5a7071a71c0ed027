"""Formats with a JSON object an utterance, a cut or a dialogue, read back; also those that keep them in archives."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from corpus.formats.errors import FormatFault
from corpus.packages import dialogues
from corpus.packages.reading.read_back import ReadUtterance, files, held, known, rows_of, stem_of, text_in


class _Facts(msgspec.Struct):
    """The facts that are beside a sound (`corpus.packages.utterance_facts`)."""

    utterance: str
    speaker: str
    transcription: str | None
    detailed: str
    seconds: float = 0.0
    file_name: str = ""


class _Source(msgspec.Struct):
    source: str


class _Recording(msgspec.Struct):
    id: str
    duration: float
    sources: tuple[_Source]


class _Supervision(msgspec.Struct):
    id: str
    speaker: str
    custom: dict[str, object]
    text: str | None = None


class _Cut(msgspec.Struct):
    duration: float
    supervisions: tuple[_Supervision]


class _NemoLine(msgspec.Struct):
    audio_filepath: str
    duration: float
    text: str
    speaker: str
    utterance: str


class _Question(msgspec.Struct):
    utterance: str
    question: str
    interpretation: int


def audiofolder(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of an AudioFolder."""
    for path in files(root, "*/metadata.jsonl"):
        folder = path.rpartition("/")[0]
        for row in rows_of(held(root, path), path, _Facts):
            sound = held(root, f"{folder}/{row.file_name}")
            yield _of_facts(row, row.seconds, sound)


def lhotse(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of lhotse's manifests."""
    texts = {row.id: row for row in rows_of(held(root, "supervisions.jsonl"), "supervisions.jsonl", _Supervision)}
    for row in rows_of(held(root, "recordings.jsonl"), "recordings.jsonl", _Recording):
        if row.id not in texts:
            raise FormatFault("supervisions.jsonl", 0, f"nothing of {row.id}", "export the package again")
        yield _of_supervision(texts[row.id], row.duration, held(root, row.sources[0].source))


def manifest(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of NeMo's manifests."""
    for path in files(root, "nemo_*.jsonl"):
        for row in rows_of(held(root, path), path, _NemoLine):
            stem = stem_of(row.utterance)
            yield ReadUtterance(stem, row.speaker, row.text, None, row.duration, held(root, row.audio_filepath))


def webdataset(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of WebDataset's archives."""
    for path in files(root, "*.tar"):
        members = _members(root, path)
        for name in (name for name in members if name.endswith(".json")):
            for row in rows_of(members[name], f"{path}:{name}", _Facts):
                packed = name.replace(".json", ".flac")
                sound = packed if packed in members else name.replace(".json", ".wav")
                yield _of_facts(row, row.seconds, _member(members, sound, path))


def shar(root: Path) -> Iterator[ReadUtterance]:
    """The utterances of lhotse's Shar."""
    for path in files(root, "*/cuts.*.jsonl"):
        archive = path.replace("/cuts.", "/recording.").replace(".jsonl", ".tar")
        members = _members(root, archive)
        for cut in rows_of(held(root, path), path, _Cut):
            one = cut.supervisions[0]
            yield _of_supervision(one, cut.duration, _member(members, f"{one.id}.wav", archive))


def spoken_in_dialogues(root: Path) -> Iterator[ReadUtterance]:
    """The subjects' turns of `dialogues.jsonl`."""
    for dialogue in dialogues.parse(held(root, "dialogues.jsonl"), "dialogues.jsonl"):
        for turn in dialogue.turns:
            if turn.utterance:
                speech = turn.speech
                detailed = speech.detailed if speech.text is not None else None
                yield ReadUtterance(turn.utterance, dialogue.speaker, known(speech.text, detailed), detailed or None)


def questions(root: Path) -> Iterator[ReadUtterance]:
    """The questions of `spider.json`, each once."""
    try:
        found = msgspec.json.decode(text_in(root, "spider.json"), type=list[_Question])
    except msgspec.MsgspecError as error:
        raise FormatFault("spider.json", 0, str(error), "export the package again") from None
    for pair in found:
        if pair.interpretation == 1:
            yield ReadUtterance(pair.utterance, pair.utterance[:3], pair.question)


def _of_facts(row: _Facts, seconds: float, sound: bytes) -> ReadUtterance:
    stem = stem_of(row.utterance)
    return ReadUtterance(stem, row.speaker, row.transcription, row.detailed or None, seconds, sound)


def _of_supervision(row: _Supervision, seconds: float, sound: bytes) -> ReadUtterance:
    detailed = str(row.custom.get("detailed", "")) or None
    return ReadUtterance(stem_of(row.id), row.speaker, row.text, detailed, seconds, sound)


def _members(root: Path, path: str) -> dict[str, bytes]:
    """The files of an archive; raises `FormatFault` for one that is none."""
    try:
        with tarfile.open(fileobj=io.BytesIO(held(root, path)), mode="r:") as archive:
            found = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
            return {name: file.read() for name, file in found.items() if file is not None}
    except tarfile.TarError as error:
        raise FormatFault(path, 0, str(error), "export the package again") from None


def _member(members: dict[str, bytes], name: str, path: str) -> bytes:
    """The bytes of a file of an archive; raises `FormatFault` if it is not in it."""
    if name not in members:
        raise FormatFault(path, 0, f"no {name} in it", "export the package again")
    return members[name]
