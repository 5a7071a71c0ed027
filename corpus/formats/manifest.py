"""`manifest.json`: every file of a corpus with its size and SHA-256, and data about the whole corpus.

The heads of the sessions' hash chains are here, so that an exported corpus can be compared with the store it came from; so do
the marks that forbid to take something for more than it is: rehearsal, pilot, draft.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec

from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import UNSEEN, text_of

FORMAT = "curtain-corpus-1"
IMPORTED = "imported"
IMPORT = "an import from"
"""How the name of what wrote transcriptions begins that were made elsewhere."""
"""In place of a protocol's hash, where the recordings of a session were made elsewhere."""
SEAL = re.compile(rb'(?<=\n "seal": ")[0-9a-f]{64}(?="\n}\n\Z)')
_NO_FILES = b'\n "files": {}'
_OPENS, _CLOSES = b'{\n "": {\n', b"\n }\n}"
_ROWS = 512
_END, _HEXADECIMAL = b'"\n}\n', b"0123456789abcdef"
SEAL_WITHIN = 100  # bytes before the end
_UNSEEN = re.compile(f"[{UNSEEN}]")
_NO_ASCII = re.compile("[^\x00-\x7f]+")
_SPHERE = re.compile(rb"NIST_1A\n {0,6}([1-9][0-9]{0,6})\n")  # no more than this is needed of `corpus.formats.sphere`


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Provenance of a transcription: who made it and who checked it, when (UTC), and how many seconds all who worked on it
    took; `before` tells the same of earlier transcriptions of it, which somebody elsewhere has corrected."""

    transcriber: str
    transcribed: str
    checker: str = ""
    checked: str = ""
    seconds: float = 0.0
    before: tuple["Provenance", ...] = ()


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One file: size in bytes, SHA-256 in hexadecimal, whether it is a draft that nobody has checked.

    `masked` are the stretches of a waveform, in its samples from first up to last, that are under a tone because they
    identify a person; `work` says who made a transcription. `header` is the SHA-256 of a SPHERE file's header alone: with the
    seal of the samples, which is in the log, it covers every byte, so that nobody need hash a waveform twice.
    """

    bytes: int
    sha256: str
    draft: bool = False
    masked: tuple[tuple[int, int], ...] = ()
    work: Provenance | None = None
    header: str = ""


def entry_of(data: bytes, draft: bool = False, like: FileEntry | None = None) -> FileEntry:
    """The entry of a file with these bytes; with `like`, its marks are those of another one."""
    marks = like or FileEntry(0, "", draft)
    sha256 = hashlib.sha256(data).hexdigest()
    return msgspec.structs.replace(marks, bytes=len(data), sha256=sha256, header=header_of(data))


def header_of(data: bytes) -> str:
    """The SHA-256 of the header with which the bytes of a SPHERE file begin; empty for any other file."""
    found = _SPHERE.match(data)
    return hashlib.sha256(data[: int(found[1])]).hexdigest() if found else ""


class SessionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One session: who, where, under which protocol and conditions, and the head of its chain.

    `scenario_conditions` are those of the scenarios, where levels changed from one to the next: an empty one is the
    session's. `damage` says where the store no longer held what had been written when the corpus was made; `origin` tells the
    study from all others of its site too, by the first digest of its store, and is empty if that is not known.
    """

    session: str
    site: str
    speaker: str
    protocol: str
    scenarios: tuple[int, ...]
    chain_head: str
    rehearsal: bool
    pilot: bool
    pace: float
    condition: str
    scenario_conditions: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    origin: str = ""

    def condition_of(self, scenario: int) -> str:
        """Return the condition under which a scenario was held, by its number."""
        own = dict(zip(self.scenarios, self.scenario_conditions, strict=False))
        return own.get(scenario, "") or self.condition

    @property
    def imported(self) -> bool:
        """Return whether it was recorded elsewhere, so that nothing is known around its utterances."""
        return self.protocol == IMPORTED


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`withheld`: waveforms left out because their speaker did not agree to audio. `missing`: waveforms whose samples were not
    held or did not agree with their seal. Both name the file that is not there. `left_out` counts by site the numbered
    utterances, pilots apart, of sessions of which nothing is here though nobody withdrew: the person did not agree to hand over
    what was said, or they cannot be written; empty in a part of a corpus. `seal` is the SHA-256 of the manifest's own bytes
    with nothing between the quotes of the seal, empty in manifests of before there were seals; `render` makes it.
    """

    format: str
    rehearsal: bool
    sessions: tuple[SessionEntry, ...]
    files: dict[str, FileEntry]
    withheld: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    left_out: dict[str, Annotated[int, msgspec.Meta(ge=0)]] = {}
    seal: str = ""

    @property
    def imported(self) -> bool:
        """Return whether all of it was recorded elsewhere."""
        return bool(self.sessions) and all(entry.imported for entry in self.sessions)


_decoder = msgspec.json.Decoder(Manifest)


def is_in(folder: Path) -> bool:
    """Return whether a corpus is in a folder, if only one of initial data (`corpus.dataset.initial`)."""
    return (folder / layout.MANIFEST).is_file() or is_initial(folder)


def is_initial(folder: Path) -> bool:
    """Return whether a folder holds initial data: speech and its table of speakers, and no manifest."""
    if (folder / layout.MANIFEST).exists() or not (folder / layout.SPEAKER_TABLE).is_file():
        return False
    return any((folder / mode).is_dir() for mode in layout.SPEECH)


def held_in(root: Path) -> Manifest:
    """The manifest of the corpus at `root`; raises `FormatFault` that names the key, OSError where it cannot be read."""
    return parse((root / layout.MANIFEST).read_bytes(), layout.MANIFEST)


def parse(data: bytes | str, path: str) -> Manifest:
    """The manifest in a file; raises `FormatFault` that names the key.

    >>> parse(render(Manifest(FORMAT, False, (), {})), "manifest.json").files
    {}
    """
    try:
        manifest = _decoder.decode(data)  # a text beside the bytes would take half as much memory again
    except (msgspec.DecodeError, UnicodeDecodeError):
        manifest = _told(text_of(data, path), path)
    if manifest.format != FORMAT:
        raise FormatFault(path, 0, f"format {manifest.format!r}", f"this version of Curtain reads {FORMAT}")
    return manifest


def _told(text: str, path: str) -> Manifest:
    """The manifest in a text without byte order marks; raises `FormatFault` for what is wrong with it."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError as error:
        raise FormatFault(path, 0, str(error), "export the corpus again") from None


def render(manifest: Manifest) -> bytes:
    """The bytes of a manifest, its files sorted by path, one line a file, sealed at the end.

    What is invisible or decomposed in the name of a condition or a person is written as an escape: the name stays what it is.
    """
    return b"".join(rendered(manifest))


def rendered(manifest: Manifest) -> Iterator[bytes]:
    """The bytes that `render` gives, piece by piece: a large corpus has tens of megabytes of them."""
    hashed = hashlib.sha256()
    for piece in _unsealed(manifest):
        hashed.update(piece)
        yield piece
    hashed.update(_END)
    yield hashed.hexdigest().encode() + _END


def write(place: Path, manifest: Manifest) -> str:
    """Write a manifest, over one that is there; return its SHA-256."""
    hashed = hashlib.sha256()
    with place.open("wb") as file:
        for piece in rendered(manifest):
            hashed.update(piece)
            file.write(piece)
    return hashed.hexdigest()


def _unsealed(manifest: Manifest) -> Iterator[bytes]:
    """What stands before the seal."""
    whole = msgspec.json.encode(msgspec.structs.replace(manifest, files={}, seal=""))
    head, no_files, tail = visible(msgspec.json.format(whole, indent=1)).partition(_NO_FILES)
    of_files, opens = manifest.files.items(), b"{\n"
    entries = iter(sorted(of_files) if isinstance(manifest.files, dict) else of_files)  # tables have their order
    yield head + no_files[:-2]
    while some := dict(islice(entries, _ROWS)):
        rows = msgspec.json.format(msgspec.json.encode({"": some}), indent=1)
        yield opens + visible(rows[len(_OPENS) : -len(_CLOSES)])
        opens = b",\n"
    yield (b"{}" if opens == b"{\n" else b"\n }") + (tail + b"\n").removesuffix(_END)


def visible(data: bytes) -> bytes:
    """JSON with escapes in the lines that hold something invisible or decomposed; it means the same."""
    if data.isascii() or _is_visible(text := data.decode()):
        return data
    return "\n".join(line if _is_visible(line) else _escaped(line) for line in text.split("\n")).encode()


def _is_visible(line: str) -> bool:
    return line.isascii() or (not _UNSEEN.search(line) and unicodedata.is_normalized("NFC", line))


def _escaped(line: str) -> str:
    return _NO_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], line)


def sealed(data: bytes) -> bytes:
    """The bytes of a manifest under a new seal, whatever they were sealed with before."""
    body = data.removesuffix(_END).rstrip(_HEXADECIMAL)
    hashed = hashlib.sha256(body)
    hashed.update(_END)
    return b"".join((body, hashed.hexdigest().encode(), _END))


def broken_seal(data: bytes | str) -> bool:
    """Return whether a manifest that has a seal is not what was sealed, or one that must have a seal has none.

    No manifest that tells what was left out is older than seals.
    """
    data = data.encode() if isinstance(data, str) else data
    found = SEAL.search(data, max(0, len(data) - SEAL_WITHIN))
    if found is None:
        return b'"seal"' in data or b'\n "left_out": ' in data
    hashed = hashlib.sha256(memoryview(data)[: found.start()])
    hashed.update(data[found.end() :])
    return hashed.hexdigest().encode() != found[0]
