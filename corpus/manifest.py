"""`manifest.json`: every file of a corpus with its size and SHA-256, and what a reader must know of the whole.

The heads of the sessions' hash chains stand here, so that an exported corpus can be held against the store it came from;
so do the marks that forbid to take something for more than it is: rehearsal, pilot, draft.
"""

import hashlib

import msgspec

from corpus.faults import FormatFault
from corpus.lines import text_of

FORMAT = "curtain-corpus-1"


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Who transcribed an utterance and who checked it, when (UTC), and how many seconds all who worked on it took."""

    transcriber: str
    transcribed: str
    checker: str = ""
    checked: str = ""
    seconds: float = 0.0


class FileEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One file: size in bytes, SHA-256 in hexadecimal, whether it is a draft that nobody has checked.

    `masked` are the stretches of a waveform, in its samples from first up to last, that lie under a tone because they
    identify a person; `work` says who made a transcription.
    """

    bytes: int
    sha256: str
    draft: bool = False
    masked: tuple[tuple[int, int], ...] = ()
    work: Provenance | None = None


def entry_of(data: bytes, draft: bool = False, like: FileEntry | None = None) -> FileEntry:
    """The entry of a file with these bytes; with `like`, its marks are those of another one."""
    marks = like or FileEntry(0, "", draft)
    return msgspec.structs.replace(marks, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())


class SessionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One session: who, where, under which protocol and conditions, and the head of its chain.

    `damage` says where the store no longer held what had been written when the corpus was made.
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
    damage: tuple[str, ...] = ()


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`withheld`: waveforms left out because their speaker did not agree to audio. `missing`: waveforms whose samples were not
    held or did not agree with their seal. Both name the file that is not there."""

    format: str
    rehearsal: bool
    sessions: tuple[SessionEntry, ...]
    files: dict[str, FileEntry]
    withheld: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def parse(data: bytes | str, path: str) -> Manifest:
    """The manifest in a file; raises `FormatFault` that names the key."""
    try:
        manifest = msgspec.json.decode(text_of(data, path), type=Manifest)
    except msgspec.DecodeError as error:
        raise FormatFault(path, 0, str(error), "export the corpus anew") from None
    if manifest.format != FORMAT:
        raise FormatFault(path, 0, f"format {manifest.format!r}", f"this version of Curtain reads {FORMAT}")
    return manifest


def render(manifest: Manifest) -> bytes:
    """The bytes of a manifest, its files sorted by path, one line a file."""
    files = dict(sorted(manifest.files.items()))
    encoded = msgspec.json.encode(msgspec.structs.replace(manifest, files=files))
    return msgspec.json.format(encoded, indent=1) + b"\n"
