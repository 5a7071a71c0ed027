"""The archive by which a site delivers: `delivery.json`, then every file, in a tar that the same corpus always makes byte by
byte.

`delivery.json` lists every file with its SHA-256, and bears a signature where site and centre share a key. What comes from
elsewhere
is unpacked member by member: plain files only, each once, below the folder, of bounded number and size. A plain tar of a site
that has no Curtain is taken too; its logs say where it comes from.
"""

import fcntl
import hashlib
import hmac
import io
import os
import re
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Self, cast

import msgspec

from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import header_of
from corpus.io.safe_open import largest
from corpus.io.staging import Refused
from session.study.study_file import SITE

LISTING = "delivery.json"
FORMAT = "curtain-delivery-1"
ANNOTATIONS = frozenset({*layout.ANSWER_TYPES, "cat"})
MOST_FILES = 4_000_000
MOST_BYTES = 1 << 38
SITES = re.compile(rf"{SITE.pattern}(?:\+{SITE.pattern}){{0,9}}")
"""One site, or those whose data a corpus puts together: these names stand in paths, reports and on screens."""
_PIECE = 1 << 20
_SHORT_NAME = re.compile(rb"([0-9A-Za-z_./-]{1,99})\0")
_SIZE = re.compile(rb"([0-7]{11})[ \0]")
_CHECKSUM = re.compile(rb"([0-7]{6})[ \0]{2}")
_PLAIN = b"0" + bytes(100) + b"ustar"
_NO_PREFIX = bytes(167)
"""Fields of a header as POSIX has them: 100 bytes of name, the size at 124, the checksum at 148, the type at 156, 100 bytes of a
link's target, the format, and from 345 on what a longer name begins with."""
_LARGEST_READ = 1 << 24
"""Bytes that are read of an archive at a time: a header that announces more is no header."""


class DeliveryListing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A delivery as its site describes it: `files` gives the SHA-256 of each; `release` is the one whose annotations these are,
    empty for a corpus. `signature` is the HMAC-SHA256 of all the rest under the key that site and centre share."""

    site: str
    label: str
    files: dict[str, str]
    release: str = ""
    signature: str = ""
    format: str = FORMAT

    @property
    def content(self) -> str:
        """A hash over names and contents of all files: two deliveries of the same have the same."""
        return content_of(self.files)


class Unpacked(msgspec.Struct, frozen=True):
    """The contents of an archive: `listing` is None for a plain tar; `digest` is the SHA-256 of the archive; `files` are those of
    its files, and `headers` those of the headers of waveforms, as they are."""

    listing: DeliveryListing | None
    digest: str
    files: dict[str, str]
    headers: dict[str, str]


def content_of(files: dict[str, str]) -> str:
    """A hash over names and hashes of files."""
    found = hashlib.sha256()
    for path, sha256 in sorted(files.items()):
        found.update(f"{sha256}  {path}\n".encode())
    return found.hexdigest()


def signature_of(listing: DeliveryListing, key: bytes) -> str:
    """The signature of a listing under a key."""
    bare = msgspec.json.encode(msgspec.structs.replace(listing, signature=""), order="deterministic")
    return hmac.new(key, bare, hashlib.sha256).hexdigest()


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
            f"{sites!r} is no site: two to eight small letters and digits, as in study.toml; name it with --site"
        )
    listing = DeliveryListing(sites, label, files, release)
    if key:
        listing = msgspec.structs.replace(listing, signature=signature_of(listing, key))
    held = Corpus(corpus.root, corpus.manifest, held=True)
    with _drafted(target) as file, tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        _add(tar, LISTING, msgspec.json.format(msgspec.json.encode(listing), indent=1) + b"\n")
        for count, path in enumerate(files, start=1):
            data = (corpus.root / path).read_bytes() if path == layout.MANIFEST else held.read(path)
            _add(tar, path, data)
            progress(count)
    return listing


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


def _goes(path: str, release: str) -> bool:
    return not release or (path.partition("/")[0] in layout.SPEECH and path.rpartition(".")[2] in ANNOTATIONS)


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    tar.addfile(member, io.BytesIO(data))


class _Header(tarfile.TarInfo):
    """A header of an archive. That of a plain file under a short name, as nearly all are, is read here: `tarfile` takes so long
    over one that it was half of what unpacking costs. All others, and whatever is wrong, are for `tarfile`."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        name, size, checked = _SHORT_NAME.match(buf), _SIZE.match(buf, 124), _CHECKSUM.match(buf, 148)
        if not (name and size and checked and buf[156:262] == _PLAIN and buf[345:] == _NO_PREFIX):
            return super().frombuf(buf, encoding, errors)
        if sum(buf) - sum(buf[148:156]) + 8 * ord(" ") != int(checked[1], 8):
            return super().frombuf(buf, encoding, errors)
        header = cls(name[1].decode("ascii"))
        header.size = int(size[1], 8)
        return header


class _Bounded:
    """An archive that refuses to be read by the gigabyte, and is hashed as it is read: it may be larger than what memory keeps of
    it for a second reading."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._sha256 = hashlib.sha256()
        self._hashed = 0

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _LARGEST_READ:
            raise tarfile.ReadError("a header that announces more than any has")
        begins = self._file.tell()
        if self._hashed < begins:  # the padding after a file, which nobody reads
            self._file.seek(self._hashed)
            while skipped := self._file.read(min(begins - self._hashed, _PIECE)):
                self._hash(skipped)
            self._file.seek(begins)
        data = self._file.read(size)
        self._hash(data[self._hashed - begins :])
        return data

    def _hash(self, data: bytes) -> None:
        self._sha256.update(data)
        self._hashed += len(data)

    def digest(self) -> str:
        """The SHA-256 of the whole, the rest of which is read for that."""
        self._file.seek(self._hashed)
        while data := self._file.read(_PIECE):
            self._hash(data)
        return self._sha256.hexdigest()

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpack an archive into `folder`, which is there and empty; raises `FormatFault` for anything that no delivery has."""
    if archive.is_dir():
        raise FormatFault(str(archive), 0, "a folder, no archive", f"pack it: curtain deliver {archive} FILE")
    try:
        with archive.open("rb") as file:
            bounded = _Bounded(file)
            with tarfile.TarFile(fileobj=cast(BinaryIO, bounded), mode="r", tarinfo=_Header) as tar:
                files, headers = dict[str, str](), dict[str, str]()
                for name, sha256, header in _extracted(tar, folder, archive):
                    files[name] = sha256
                    if header:
                        headers[name] = header
            digest = bounded.digest()
    except (tarfile.TarError, EOFError, ValueError) as error:
        if isinstance(error, FormatFault):
            raise
        raise FormatFault(str(archive), 0, f"no tar archive: {error}", "have it packed by curtain deliver") from None
    listing = _listed(folder, files, archive)
    root = _only_folder(folder, files)
    if root:
        files = {path.removeprefix(root): sha256 for path, sha256 in files.items()}
        headers = {path.removeprefix(root): sha256 for path, sha256 in headers.items()}
    return Unpacked(listing, digest, files, headers)


def _extracted(tar: tarfile.TarFile, folder: Path, archive: Path) -> Iterator[tuple[str, str, str]]:
    """Write the files of an archive; of each yields its name, its hash and that of its header."""
    left, seen, places = MOST_BYTES, set[str](), _Places(folder)
    for member in tar:
        name = member.name.removeprefix("./")
        if member.isdir():
            continue
        if why := _wrong(member, name, seen, places):
            raise FormatFault(str(archive), 0, f"{name!r} {why}", "do not trust it; have it packed by curtain deliver")
        seen.add(name if (folded := name.casefold()) == name else folded)  # most often not a second string
        left -= member.size
        if left < 0 or len(seen) > MOST_FILES:
            raise FormatFault(str(archive), 0, "more files or bytes than any delivery has", "have it sent in parts")
        try:
            digest, header = _write(tar, member, places.of(name))
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            both = f"{name!r} stands as a file and as a folder"
            raise FormatFault(str(archive), 0, both, "have it packed by curtain deliver") from None
        yield name, digest, header
        tar.members = []  # type: ignore[attr-defined]  # else the index grows with the archive
    _refuse_cut_off(tar)


def _refuse_cut_off(tar: tarfile.TarFile) -> None:
    """Raise `ReadError` where an archive does not end as one: `tarfile` takes a damaged header, and an end before its time, for
    the end, and a plain tar has no list that would miss what came after."""
    source = cast(BinaryIO, tar.fileobj)
    source.seek(tar.offset)
    if source.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError("it breaks off, or is damaged in the middle")
    while rest := source.read(_PIECE):
        if rest.strip(b"\0"):
            raise tarfile.ReadError("something follows after its end")


class _Places:
    """The folders of an archive's files, each looked at and made once: an archive has many files in few folders."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._right: dict[str, bool] = {}
        self._made = set[str]()

    def may_hold(self, name: str) -> bool:
        """Return whether a file of this name lies within, under a name that is spelled in one way only."""
        parent, _, last = name.rpartition("/")
        if parent not in self._right:
            place = PurePosixPath(parent)
            self._right[parent] = not place.is_absolute() and str(place) == (parent or ".")
            self._right[parent] &= ".." not in place.parts and "\\" not in parent
        return self._right[parent] and last not in ("", ".", "..") and "\\" not in last

    def of(self, name: str) -> str:
        """The path of a file, whose folder is made."""
        parent = name.rpartition("/")[0]
        if parent not in self._made:
            (self._root / parent).mkdir(parents=True, exist_ok=True)
            self._made.add(parent)
        return f"{self._root}/{name}"


def _wrong(member: tarfile.TarInfo, name: str, seen: set[str], places: _Places) -> str:
    if not member.isreg() or member.issparse():
        return "is no plain file"
    if not places.may_hold(name):
        return "leads out of the folder"
    if not name.isprintable() or name.count("/") > 11 or (len(name) > 50 and _has_long_part(name)):
        return "is no name of a file of a corpus"
    if name.casefold() in seen:
        return "stands twice"
    return "is longer than any such file" if member.size > largest(name) else ""


def _has_long_part(name: str) -> bool:
    return any(len(part.encode()) > 200 for part in name.split("/"))


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, target: str) -> tuple[str, str]:
    digest, left, header = hashlib.sha256(), member.size, ""
    source = cast(BinaryIO, tar.fileobj)
    source.seek(member.offset_data)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        while left and (data := source.read(min(left, _PIECE))):
            digest.update(data)
            if left == member.size:
                header = header_of(data)  # none is longer than a piece
            left -= len(data)
            while data:  # the system may take a part
                data = data[os.write(handle, data) :]
    finally:
        os.close(handle)
    if left:
        raise tarfile.ReadError(f"{member.name} is cut off")
    return digest.hexdigest(), header


def _listed(folder: Path, files: dict[str, str], archive: Path) -> DeliveryListing | None:
    """The listing, when every file is there as it says and no other."""
    if LISTING not in files:
        return None
    try:
        listing = msgspec.json.decode((folder / LISTING).read_bytes(), type=DeliveryListing)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatFault(f"{archive}: {LISTING}", 0, str(error), "have it packed and sent again") from None
    if listing.format != FORMAT:
        raise FormatFault(f"{archive}: {LISTING}", 0, f"format {listing.format!r}", f"this version reads {FORMAT}")
    if not SITES.fullmatch(listing.site):
        raise FormatFault(
            f"{archive}: {LISTING}", 0, f"{listing.site[:40]!r} is no site", "have it packed and sent again"
        )
    (folder / LISTING).unlink()
    del files[LISTING]
    for path in sorted(listing.files.keys() | files.keys()):
        if listing.files.get(path) != files.get(path):
            what = (
                "is missing" if path not in files else "is in no list" if path not in listing.files else "was changed"
            )
            raise FormatFault(str(archive), 0, f"{path} {what}", "it was damaged on its way: have it sent again")
    return msgspec.structs.replace(listing, files={**files})  # the same names and hashes, once in memory


def _only_folder(folder: Path, files: dict[str, str]) -> str:
    """Lift what lies in one folder within, as people pack; return that folder's name, or nothing."""
    if layout.SPEAKER_TABLE in files or len(tops := {path.partition("/")[0] for path in files}) != 1:
        return ""
    (top,) = tops
    if f"{top}/{layout.SPEAKER_TABLE}" not in files:
        return ""
    within = folder / f".{os.getpid()}.within"
    (folder / top).rename(within)
    for path in within.iterdir():
        path.rename(folder / path.name)
    within.rmdir()
    return f"{top}/"
