"""MADCOW's layout on a disc: speech by names of the form XXXUUSMP, in capitals as ISO 9660 has them or not, wherever it lies.

Names are kept, so that classes and reference answers stay with their utterances. Logs of that time have a grammar that is not
public, so none is read.
"""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.lsn import parse as parse_lsn
from corpus.formats.spkrinfo import SpeakerInfo
from corpus.formats.spkrinfo import parse as parse_speakers
from corpus.importing.source_recordings import Recording, RecordingSource, text_in, within
from session.values.names import PRIMARY, StemName

_SPEAKERS = PurePosixPath(layout.SPEAKER_TABLE).name
_TEXTS = ("sro", "lsn")
_BESIDE = ("cat", *sorted(layout.ANSWER_TYPES))


def madcow(disc: RecordingSource) -> Iterator[Recording]:
    """The utterances of a disc by the primary microphone, with what is beside them by name."""
    source, found = disc.path, dict[str, dict[str, Path]]()
    for path in sorted(source.glob("**/*")):
        name = path.name.lower().partition(";")[0]
        stem, _, kind = name.rpartition(".")
        if kind == "wav" or kind in _TEXTS or kind in _BESIDE:
            try:
                parsed = StemName.parse(stem)
            except ValueError:
                continue
            if parsed.utterance and (kind != "wav" or parsed.mic == PRIMARY):
                within(source, path.relative_to(source).as_posix(), str(path))
                if (earlier := found.setdefault(f"{stem[:-1]}x", {}).setdefault(kind, path)) != path:
                    raise FormatFault(str(path), 0, f"{name} is at {earlier} too", "import the discs one by one")
    spoken = {stem: files for stem, files in found.items() if "wav" in files}
    if not spoken:
        where = f"no XXXUUS{PRIMARY}.wav in it" if disc.sounds == source else "--sounds goes with other layouts"
        raise FormatFault(str(source), 0, where, "name the folder of a disc")
    people, guessed = _people(source)
    for stem, files in spoken.items():
        person = people.get(stem[:3], SpeakerInfo(stem[:3]))
        beside = {kind: path for kind, path in files.items() if kind in _BESIDE}
        detailed = "sro" in files
        yield Recording(
            stem,
            str(files["wav"]),
            stem[:3],
            files["wav"],
            _words(files),
            stem[5],
            sex=person.sex,
            age="" if person.age is None else str(person.age),
            dialect=person.dialect,
            stem=stem,
            detailed=detailed,
            beside=beside,
            guessed=guessed,
        )
        guessed = ()


def _people(source: Path) -> tuple[dict[str, SpeakerInfo], tuple[str, ...]]:
    """The speakers by their ids, of a table in our own form: that of the discs is not public."""
    for path in sorted(source.glob("**/*")):
        if path.name.lower().partition(";")[0] == _SPEAKERS and path.is_file():
            within(source, path.relative_to(source).as_posix(), str(path))
            try:
                return {one.speaker: one for one in parse_speakers(path.read_bytes(), str(path)).speakers}, ()
            except FormatFault:
                return {}, (f"{path.name} left out, as it is not a table in the form of Curtain",)
    return {}, ()


def _words(files: dict[str, Path]) -> str | None:
    if "sro" in files:
        return " ".join(text_in(files["sro"]).split())
    if "lsn" in files:
        path = files["lsn"]
        return " ".join(parse_lsn(text_in(path), str(path.with_name(path.name.lower()))).words)
    return None
