"""Praat's TextGrids and ELAN's documents as recordings: tiers of stretches over a sound, which their names tell of."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import msgspec

from corpus.formats.errors import FormatFault
from corpus.importing.source_recordings import SOUNDS, Recording, RecordingSource, by_session, within
from corpus.packages import eaf, textgrid
from corpus.packages.textgrid import TextGridInterval, Tier
from session.values.names import PRIMARY, StemName

_WORDS = ("words", "word", "ort-mau")
_BELOW_UTTERANCES = (
    *_WORDS, "phones", "phone", "phonemes", "segments", "syllables", "kan-mau", "mau", "mas", "detailed", "dialogue",
)  # fmt: skip
"""Tiers that forced aligners and this program write within an utterance, or beside it."""
_SILENCE = ("", "sil", "<sil>", "sp", "<p:>", "<p>", "#", "silence", "silent", "<silence>", "pause")
_UNHEARD = "sounding"
"""Praat's own label of what its search for silences found between them."""
_TIMELINE = ("subject", "wizard", "system", "pauses")
_PAUSE_S = 1.0


class _Stretch(msgspec.Struct, frozen=True):
    """One utterance of a tier, in seconds; `stem` is the name that it has from an export of a corpus."""

    begin: float
    end: float
    text: str | None
    stem: str = ""


class _UtteranceTier(msgspec.Struct, frozen=True):
    """A tier of utterances; the participant is empty if none is named."""

    name: str
    participant: str
    stretches: tuple[_Stretch, ...]


class _Document(msgspec.Struct, frozen=True):
    """A document: tiers of utterances, the sound that it names, at how many seconds of that it begins, what was guessed."""

    path: Path
    tiers: tuple[_UtteranceTier, ...]
    media: str = ""
    origin: float = 0.0
    guessed: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


def textgrids(source: RecordingSource) -> Iterator[Recording]:
    """The intervals with a text of all TextGrids of a folder, each beside its sound. A tier is a speaker, unless all have one
    name; words alone are put together, and what this program exported gets its names again."""
    return _recordings(source, ".TextGrid", _grid)


def elan(source: RecordingSource) -> Iterator[Recording]:
    """The annotations of all ELAN documents of a folder on tiers that depend on no other, or on those named, with the sound of
    each document."""
    return _recordings(source, ".eaf", _eaf)


def _grid(source: RecordingSource, path: Path) -> _Document | None:
    data = path.read_bytes()
    tiers = textgrid.parse(data, str(path))
    names = [tier.name for tier in tiers]
    if source.tiers:
        return _Document(path, tuple(_said(tier) for tier in tiers if _named(source, tier.name)), other=tuple(names))
    if (*names,) == _TIMELINE:
        return None
    exported = next((tier for tier in tiers if tier.name == "detailed"), None)
    if exported is not None and names[0] == "words" and (stem := _stem(path.stem)):
        one = exported.intervals[0]
        said = _Stretch(one.begin, one.end, one.text or None, f"{stem[:-1]}x")
        return _Document(path, (_UtteranceTier(stem[:3], stem[:3], (said,)),) if stem[-1] == PRIMARY else ())
    spoken = [tier for tier in tiers if not _below(tier) and any(one.end > one.begin for one in tier.intervals)]
    words = [tier for tier in tiers if tier.name.lower().split(" - ")[-1] in _WORDS]
    kept = tuple(map(_said, spoken)) or tuple(map(_joined, words))
    guessed = [f"tier {name!r} passed over" for name in names if name not in {tier.name for tier in spoken} and spoken]
    if not spoken:
        guessed = [f"words put together, up to where {_PAUSE_S:g} s of silence follow"] * bool(words)
    return _Document(path, kept, guessed=tuple(guessed), other=tuple(names))


def _below(tier: Tier) -> bool:
    return tier.name.lower().split(" - ")[-1] in _BELOW_UTTERANCES


def _said(tier: Tier) -> _UtteranceTier:
    """The intervals of a tier that are not silent."""
    held = [one for one in tier.intervals if one.end > one.begin and _heard(one)]
    texts = [None if one.text.strip().lower() == _UNHEARD else one.text for one in held]
    return _UtteranceTier(
        tier.name, "", tuple(_Stretch(one.begin, one.end, text) for one, text in zip(held, texts, strict=True))
    )


def _heard(one: TextGridInterval) -> bool:
    return one.text.strip().lower() not in _SILENCE


def _joined(tier: Tier) -> _UtteranceTier:
    """Words of a forced aligner as utterances."""
    found: list[list[TextGridInterval]] = []
    for one in (one for one in tier.intervals if one.end > one.begin and _heard(one)):
        if found and one.begin - found[-1][-1].end < _PAUSE_S:
            found[-1].append(one)
        else:
            found.append([one])
    said = (_Stretch(run[0].begin, run[-1].end, " ".join(one.text.strip() for one in run)) for run in found)
    speaker = tier.name.rpartition(" - ")[0]
    return _UtteranceTier(tier.name, speaker, tuple(said))


def _eaf(source: RecordingSource, path: Path) -> _Document:
    read = eaf.parse(path.read_bytes(), str(path))
    tiers: list[_UtteranceTier] = []
    for tier in read.tiers:
        exported = not source.tiers and {"detailed", "utterance"} <= {*tier.below}
        for name in (tier.name, *tier.below):
            if _named(source, name) if source.tiers else name == tier.name:
                below = "detailed" if exported else "" if name == tier.name else name
                said = tuple(_annotated(one, below, exported) for one in tier.annotations)
                if exported:
                    return _Document(path, (_UtteranceTier(name, tier.participant, said),), read.media)
                tiers.append(_UtteranceTier(name, tier.participant, said))
    passed = [name for tier in read.tiers for name in tier.below] if not source.tiers else []
    guessed = tuple(f"tier {name!r} passed over, as it depends on another" for name in passed)
    every = tuple(name for tier in read.tiers for name in (tier.name, *tier.below))
    return _Document(path, tuple(tiers), read.media, read.origin_ms / 1000, guessed, every)


def _annotated(one: eaf.EafAnnotation, below: str, exported: bool) -> _Stretch:
    text = one.below.get(below, "") if below else one.text
    stem = _stem(one.below.get("utterance", "")) if exported else ""
    return _Stretch(one.begin / 1000, one.end / 1000, text if text.strip() else None, f"{stem[:-1]}x" if stem else "")


def _named(source: RecordingSource, name: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in source.tiers)


def _stem(name: str) -> str:
    """The name of an utterance of a corpus, empty for what is none."""
    try:
        return name if StemName.parse(name).utterance else ""
    except ValueError:
        return ""


def _recordings(
    source: RecordingSource, suffix: str, read: Callable[[RecordingSource, Path], _Document | None]
) -> Iterator[Recording]:
    documents = [found for path in _documents(source.path, suffix) if (found := read(source, path)) is not None]
    speakers = {tier.participant or tier.name for document in documents for tier in document.tiers}
    alone = len(speakers) == 1
    if not any(tier.stretches for document in documents for tier in document.tiers):
        names = ", ".join(dict.fromkeys(name for document in documents for name in document.other)) or "none"
        raise FormatFault(str(source.path), 0, f"no tier of utterances among {names}", "name them with --tier")
    return by_session(_of(source, documents, alone))


def _of(source: RecordingSource, documents: Iterable[_Document], alone: bool) -> Iterator[Recording]:
    for document in documents:
        if any(tier.stretches for tier in document.tiers):
            sound = _sound_of(source, document)
            told = document.guessed
            for tier in document.tiers:
                for one in _utterances(source, document, tier, sound, alone):
                    yield msgspec.structs.replace(one, guessed=(*one.guessed, *told))
                    told = ()


def _utterances(
    source: RecordingSource, document: _Document, tier: _UtteranceTier, sound: Path, alone: bool
) -> Iterator[Recording]:
    """Return what one speaker said; a tier that names nobody is a speaker of its name, unless there is no other name."""
    path = document.path
    name = path.relative_to(source.path).with_suffix("").as_posix()
    speaker, guessed = tier.participant, tuple[str, ...]()
    if not speaker and alone:
        speaker = path.parent.name if path.parent != source.path else path.stem
        guessed = ("speaker: named nowhere, taken from the folder's name, or else the document's",)
    elif not speaker:
        speaker, guessed = tier.name, (f"tier {tier.name!r} taken for a speaker",)
    for number, one in enumerate(tier.stretches, start=1):
        yield Recording(
            one.stem or f"{name}-{tier.name}-{number}",
            f"{path}: {tier.name} {one.begin:g}",
            one.stem[:3] or speaker,
            sound,
            one.text,
            one.stem[5:6] or name,
            one.begin + document.origin,
            one.end + document.origin,
            stem=one.stem,
            detailed=bool(one.stem),
            guessed=() if one.stem else guessed,
        )


def _documents(source: Path, suffix: str) -> list[Path]:
    found = sorted(path for path in source.glob("**/*") if path.suffix.lower() == suffix.lower() and path.is_file())
    if not found:
        raise FormatFault(str(source), 0, f"no {suffix} in it", "name the folder of the documents and the sounds")
    return found


def _sound_of(source: RecordingSource, document: _Document) -> Path:
    """The sound that a document names, or of its own name: where it says, beside it, or where sounds lie."""
    path, place = document.path, str(document.path)
    folder = PurePosixPath(path.relative_to(source.path).parent.as_posix())
    for name in _names(document):
        for wanted in dict.fromkeys((posixpath.normpath(folder / name), posixpath.basename(name))):
            for root in dict.fromkeys((source.sounds, source.path)):
                if not wanted.startswith("..") and (root / wanted).is_file():
                    return within(root, wanted, place)
    found = f"no {document.media} and no sound" if document.media else "no sound"
    raise FormatFault(place, 0, f"{found} of the same name in {source.sounds}", "name their folder with --sounds")


def _names(document: _Document) -> Sequence[str]:
    named = document.media.replace("\\", "/")
    if "://" in named or named.startswith("/") or named[1:2] == ":":
        named = posixpath.basename(named)
    own = [document.path.stem + spelled for suffix in SOUNDS for spelled in (suffix, suffix.upper())]
    heard = [name for name in dict.fromkeys((named, unquote(named))) if name.lower().endswith(SOUNDS)]
    return (*heard, *own)
