"""`curtain encrypt`: writes a set as one file that cannot be read without its key.

A test is blind only while nobody has looked at it; so the evaluation sets of Macrophone were sent out encrypted, each with a key
of its own. Here the file is a tar archive in the format of age (age-encryption.org/v1), which the program of that name opens on
any system:

    age --decrypt -i pool.key pool.tar.age | tar -x

The key is in a file of its own, for its owner alone, and never beside what it opens. Every file of the corpus is compared
with the manifest on its way in.
"""

import io
import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TextIO

import msgspec

from corpus.commands.sources import current
from corpus.dataset.reader import Corpus
from corpus.formats import layout
from corpus.formats.errors import FormatFault, message_of, status_of
from corpus.io.progress import counting
from corpus.io.staging import Refused
from corpus.release import holdout_file
from corpus.release.exports_log import ENCRYPTED, heads_of, record

_EXTRA = "the extra encrypt is not installed; pip install 'curtain-woz[encrypt]'"
_KEY = "# opens one file that curtain encrypt has made; age --decrypt -i THIS FILE | tar -x\n# public key: {}\n{}\n"


def encrypt(corpus: Corpus, target: Path, key: Path, progress: Callable[[int], None] = lambda _: None) -> None:
    """Write a part of a corpus to the file `target`, and what opens it to the file `key`; neither may exist.

    `progress` is told the number of files packed so far. Raises `Refused`, `FormatFault` for a file that is not the one that the
    manifest lists, OSError; then neither file is there.
    """
    _check(corpus, target, key)
    identity = _age().x25519.Identity.generate()
    archive = _Archive(_members(corpus, progress))
    with _appearing(key, target) as (secret, file):
        secret.write(_KEY.format(identity.to_public(), identity).encode())
        sealed = _Sealed(file)
        try:
            _age().encrypt_io(io.BufferedReader(archive, 1 << 20), sealed, [identity.to_public()])
        except BaseException:
            # An error of its own kind stands for whatever went wrong on either side.
            if (fault := archive.fault or sealed.fault) is not None:
                raise fault from None
            raise


def _age() -> ModuleType:
    try:
        import pyrage
    except ImportError:
        raise Refused(_EXTRA) from None
    found: ModuleType = pyrage
    return found


def _check(corpus: Corpus, target: Path, key: Path) -> None:
    if not holdout_file.set_of(corpus):
        raise Refused(
            f"{corpus.root} is not a set but a whole corpus; write its parts first: curtain holdout CORPUS --pool PART"
        )
    if not corpus.manifest.sessions:
        raise Refused(f"{corpus.root} holds no session, so there is no set to encrypt; name a part that does")
    holdout_file.refuse_answers(corpus)
    for path in (target, key):
        if path.exists() or path.is_symlink():
            raise Refused(f"{path} exists already; each set gets a file and a key of its own, nothing is overwritten")
        if not path.parent.is_dir():
            raise Refused(f"{path.parent} is not a directory; make it first")
        if corpus.root.resolve() in path.resolve().parents:
            raise Refused(f"{path} would be within the corpus; choose a place outside")
    if target.resolve().parent == key.resolve().parent:
        raise Refused(f"{key} would be beside {target}, which it opens; name a key in another folder")


class _Archive(io.RawIOBase):
    """The bytes of an archive as they are asked for; what went wrong in their making is kept in `fault`."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._ahead = memoryview(b"")
        self.fault: BaseException | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # typeshed names it otherwise
        try:
            while not self._ahead and (chunk := next(self._chunks, b"")):
                self._ahead = memoryview(chunk)
        except BaseException as error:
            self.fault = error
            raise
        count = min(len(buffer), len(self._ahead))
        buffer[:count] = self._ahead[:count]
        self._ahead = self._ahead[count:]
        return count


class _Sealed(io.RawIOBase):
    """A writer to `file` that keeps the first error in `fault`."""

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self.fault: BaseException | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # typeshed takes any buffer
        try:
            return self._file.write(data)
        except BaseException as error:
            self.fault = error
            raise


def _members(corpus: Corpus, progress: Callable[[int], None]) -> Iterator[bytes]:
    """A tar archive, file by file, below a folder of the corpus's name."""
    held = Corpus(corpus.root, corpus.manifest, held=True)
    for count, path in enumerate(sorted(corpus.manifest.files), start=1):
        yield _member(corpus, path, held.read(path))
        progress(count)
    yield _member(corpus, layout.MANIFEST, (corpus.root / layout.MANIFEST).read_bytes())
    yield bytes(2 * tarfile.BLOCKSIZE)


def _member(corpus: Corpus, path: str, data: bytes) -> bytes:
    info = tarfile.TarInfo(f"{corpus.root.resolve().name}/{path}")
    info.size = len(data)
    return info.tobuf(tarfile.PAX_FORMAT) + data + bytes(-len(data) % tarfile.BLOCKSIZE)


@contextmanager
def _appearing(*paths: Path) -> Iterator[list[io.FileIO]]:
    """New files for their owner alone, there when the block has ended well, all or none; what one that was killed has left is
    written over."""
    parts = {path: path.with_name(f".{path.name}.part") for path in paths}
    done: list[Path] = []
    try:
        with ExitStack() as stack:
            files = [stack.enter_context(_new(part)) for part in parts.values()]
            yield files
            for file in files:
                os.fsync(file.fileno())
        for path, part in parts.items():
            part.rename(path)
            done.append(path)
    finally:
        for path in (*parts.values(), *(done if len(done) < len(parts) else ())):
            path.unlink(missing_ok=True)


def _new(part: Path) -> io.FileIO:
    part.unlink(missing_ok=True)
    return io.FileIO(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w")


class EncryptOptions(msgspec.Struct, frozen=True):
    """Options of `encrypt_command`: the part of a corpus in `directory`, and the new files for the set and its `key`."""

    directory: str
    target: str
    key: str


def encrypt_command(options: EncryptOptions, out: TextIO, err: TextIO) -> int:
    """Write a set encrypted to a new file, whose path goes to `out`; 2 when nothing was written."""
    place, key = Path(options.target), Path(options.key)
    try:
        corpus = current(Path(options.directory))
        _check(corpus, place, key)
        with (
            holdout_file.handing_over(corpus, corpus.root, place, err),
            counting(err, "files", len(corpus.manifest.files)) as tell,
        ):
            record([corpus.root], ENCRYPTED, place, heads_of(corpus.manifest.sessions), err)
            encrypt(corpus, place, key, tell)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        err.write(f"{message_of(error) or 'interrupted'}\n")
        return status_of(error)
    err.write(f"{key} opens it: hand the key out when the set may be read, and never with it\n")
    out.write(f"{options.target}\n")
    return 0
