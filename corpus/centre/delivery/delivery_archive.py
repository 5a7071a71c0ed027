"""The archive by which a site delivers: `delivery.json`, then every file, in a tar that the same corpus always makes byte by
byte.

`delivery.json` lists every file with its SHA-256, and bears a signature where site and centre share a key. What tells of the
whole comes first, so that the centre can verify the speech while it arrives.
"""

import fcntl
import hashlib
import hmac
import io
import os
import re
import tarfile
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from corpus.dataset.reader import Corpus, speech_name
from corpus.formats import layout
from corpus.io.staging import Refused
from session.study.study_file import SITE

LISTING = "delivery.json"
FORMAT = "curtain-delivery-1"
ANNOTATED = frozenset({"sro", "wav", "log"})
"""Types of the files that annotations are about."""
ANNOTATIONS = frozenset({*layout.ANSWER_TYPES, "cat"})
SITES = re.compile(rf"{SITE.pattern}(?:\+{SITE.pattern}){{0,9}}")
"""One site, or those whose data a corpus puts together: these names stand in paths, reports and on screens."""


class ArchiveRefused(Refused):
    """Nobody may take an archive in, for what it holds or who sent it; the message says why and what to do."""


class DeliveryListing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delivery as its site describes it: `files` gives the SHA-256 of each; `release` is the one whose annotations these are,
    empty for a corpus, and `about` the SHA-256 of the words, the sound and the logs on which they were made. `signature` is the
    HMAC-SHA256 of all the rest under the key that site and centre share."""

    site: str
    label: str
    files: dict[str, str]
    release: str = ""
    signature: str = ""
    format: str = FORMAT
    about: dict[str, str] | msgspec.UnsetType = msgspec.UNSET

    @property
    def content(self) -> str:
        """A hash over names and contents of all files: two deliveries of the same have the same."""
        return content_of(sorted(self.files.items()))


def content_of(files: Iterable[tuple[str, str]]) -> str:
    """A hash over names and hashes of files, which come in the order of their names."""
    found = hashlib.sha256()
    for path, sha256 in files:
        found.update(f"{sha256}  {path}\n".encode())
    return found.hexdigest()


def signature_of(listing: DeliveryListing, files: Iterable[tuple[str, str]], key: bytes) -> str:
    """The signature under a key of a listing with these files, which come in the order of their names."""
    bare = msgspec.json.encode(msgspec.structs.replace(listing, files={}, signature=""))
    head, _, tail = bare.partition(b'"files":{}')  # in a text these quotes would be escaped
    signed = hmac.new(key, head + b'"files":{', hashlib.sha256)
    for number, (path, sha256) in enumerate(files):
        signed.update((b"," if number else b"") + msgspec.json.encode({path: sha256})[1:-1])
    signed.update(b"}" + tail)
    return signed.hexdigest()


def pack(
    corpus: Corpus,
    target: Path,
    label: str,
    release: str = "",
    key: bytes = b"",
    progress: Callable[[int], None] = lambda _: None,
    site: str = "",
) -> DeliveryListing:
    """Write a corpus to the archive `target`, or with `release` the annotations that are of that release alone; `site` delivers,
    by default the one of the data.

    Raises `Refused`, `FormatFault` for a file that is not the one that the manifest lists; then there is no archive.
    """
    if target.exists() or target.is_symlink():
        raise Refused(f"{target} exists already; choose another name, nothing is overwritten")
    if not target.parent.is_dir():
        raise Refused(f"{target.parent} is no directory; make it first")
    files = {path: entry.sha256 for path, entry in sorted(corpus.manifest.files.items()) if _goes(path, release)}
    if not files:
        lacking = " that is an annotation: what lies beside the speech is in it when curtain annotate --out has made a new corpus"
        raise Refused(f"{corpus.root} has nothing to deliver" + (lacking if release else ""))
    whole = (corpus.root / layout.MANIFEST).is_file() and not release
    if whole:
        files[layout.MANIFEST] = hashlib.sha256((corpus.root / layout.MANIFEST).read_bytes()).hexdigest()
    sites = site or "+".join(sorted({entry.site for entry in corpus.manifest.sessions}))
    if not SITES.fullmatch(sites):
        raise Refused(
            f"{sites!r} is not a site: two to eight small letters and digits, as in study.toml; name it with --site"
        )
    listing = DeliveryListing(sites, label, files, release, about=_about(corpus, files) if release else msgspec.UNSET)
    if key:
        listing = msgspec.structs.replace(listing, signature=signature_of(listing, sorted(files.items()), key))
    held = Corpus(corpus.root, corpus.manifest, held=True)
    with _drafted(target) as file, tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        _add(tar, LISTING, msgspec.json.format(msgspec.json.encode(listing), indent=1) + b"\n")
        for count, path in enumerate(sorted(files, key=_turn), start=1):
            data = (corpus.root / path).read_bytes() if path == layout.MANIFEST else held.read(path)
            _add(tar, path, data)
            progress(count)
    return listing


def _about(corpus: Corpus, annotations: Collection[str]) -> dict[str, str]:
    """The words, the sound and the logs that annotations are about, with their hashes."""
    units = {unit for path in annotations for unit in units_of(path)}
    speech = (
        (path, entry.sha256, speech_name(path))
        for path, entry in corpus.manifest.files.items()
        if path.rpartition(".")[2] in ANNOTATED
    )
    return {path: sha256 for path, sha256, name in speech if name is not None and name.key in units}


def units_of(path: str) -> list[tuple[str, int, int]]:
    """The utterance of an annotation, and the subject-scenario that it is in."""
    name = speech_name(path)
    return [name.key, (*name.scenario, 0)] if name is not None else []


@contextmanager
def _drafted(target: Path) -> Iterator[BinaryIO]:
    """Yields a file of a hidden name, which becomes `target`, or nothing when the block fails.

    Raises `Refused` where another program writes the same: both would write into one file, and the second find it gone.
    """
    draft = target.with_name(f".{target.name}.part")
    with draft.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = _is(draft, file) and not target.exists()
        except BlockingIOError:
            mine = False
        if not mine:
            raise Refused(f"another program is writing {target}, or has just written it")
        try:
            file.truncate(0)  # of a call that was killed
            file.seek(0)
            yield file
            file.flush()
            draft.rename(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _is(path: Path, file: BinaryIO) -> bool:
    """Return whether a file is the one of this name yet."""
    return path.exists() and os.path.samestat(path.stat(), os.fstat(file.fileno()))


def _turn(path: str) -> tuple[bool, str, str]:
    """Where a file stands in the archive: what tells of the whole before the speech, and this directory by directory."""
    return path.partition("/")[0] in layout.SPEECH, path.rpartition("/")[0], path


def _goes(path: str, release: str) -> bool:
    return not release or (path.partition("/")[0] in layout.SPEECH and path.rpartition(".")[2] in ANNOTATIONS)


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))
