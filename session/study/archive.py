"""A whole set-up as one archive, to be run at another site as it was run here.

BBN gave theirs to Texas Instruments (BBN 1989, section 6.1). The archive holds the protocol's files and their hashes: no
recordings, no events, no tokens or keys, no passwords. Same study, same bytes.
"""

import gzip
import hashlib
import io
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO, TextIO

from session.study.create import appearing
from session.study.folder import Study, load, protocol_files
from session.study.toml_reader import StudyError

MANIFEST = "curtain-study.sha256"
MOST_BYTES = 2 * 1024**3
MOST_FILES = 10_000


def pack(study: Study, archive: Path) -> None:
    """Write the study's protocol to `archive`, a .tar.gz; raises StudyError when it exists."""
    listing = "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(study.files.items()))
    if archive.exists() or archive.is_symlink():
        raise StudyError(f"{archive} exists already; choose another name, nothing is overwritten")
    if not archive.parent.is_dir():
        raise StudyError(f"{archive.parent} is not a directory; make it first")
    draft = archive.with_name(f".{archive.name}.part")
    try:
        with draft.open("xb") as file:
            _write(
                file, {MANIFEST: listing.encode()} | {name: (study.folder / name).read_bytes() for name in study.files}
            )
        draft.rename(archive)
    except OSError as error:
        raise StudyError(f"{archive} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)


def unpack(archive: Path, folder: Path) -> Study:
    """The study of `archive` at `folder`, which must not exist; raises StudyError for anything that is not in order.

    A domain's generator is a program: unpack only what comes from people whose programs you would run.
    """
    with appearing(folder) as draft:
        try:
            with tarfile.open(archive, "r:gz") as tar:
                _extract(tar, draft, archive)
        except (tarfile.TarError, gzip.BadGzipFile, EOFError, OSError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            raise StudyError(f"{archive} cannot be unpacked: {why}") from error
        _compare(draft, archive)
        load(draft)
    return load(folder)


def _write(file: BinaryIO, contents: dict[str, bytes]) -> None:
    with (
        gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, data in contents.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))


def _extract(tar: tarfile.TarFile, folder: Path, archive: Path) -> None:
    """Member by member, so that neither size nor number can surprise; only plain files, only below `folder`."""
    left, count = MOST_BYTES, 0
    for member in tar:
        left, count = left - member.size, count + 1
        if left < 0 or count > MOST_FILES:
            raise StudyError(
                f"{archive} holds more than {MOST_FILES} files or {MOST_BYTES // 1024**2} MB; it is not a study"
            )
        if not member.isreg():
            raise StudyError(f"{archive}: {member.name!r} is not a plain file; it is not a study")
        _write_file(tar, member, folder, archive)


def _write_file(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path, archive: Path) -> None:
    """Done by hand, because Debian's Python 3.11 has no extraction filter yet: never outside `folder`, never over a file."""
    place = PurePosixPath(member.name)
    if place.is_absolute() or ".." in place.parts or not place.parts or "\0" in member.name:
        raise StudyError(f"{archive}: {member.name!r} leads out of the folder; it is not a study")
    target, source = folder.joinpath(*place.parts), tar.extractfile(member)
    if source is None:
        raise StudyError(f"{archive}: {member.name!r} cannot be read; have it packed and sent again")
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("xb") as file:
        shutil.copyfileobj(source, file)


def _compare(folder: Path, archive: Path) -> None:
    """Every file is there as the manifest says, and no other."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise StudyError(f"{archive} is not a packed study: it holds no {MANIFEST}")
    promised = dict(
        line.split("  ", 1)[::-1] for line in manifest.read_text(encoding="utf-8").splitlines() if "  " in line
    )
    manifest.unlink()
    found = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }
    for name in sorted(promised.keys() | found.keys()):
        if promised.get(name) != found.get(name):
            what = "is missing" if name not in found else "is in no list" if name not in promised else "was changed"
            raise StudyError(f"{archive}: {name} {what}; have it packed and sent again")
    if strange := sorted(found.keys() - set(protocol_files(folder))):
        raise StudyError(f"{archive}: {strange[0]} does not belong into a study")


def pack_command(study: str, archive: str, out: TextIO, err: TextIO) -> int:
    """`curtain export STUDY ARCHIVE --as study`: the set-up as one file; 2 when it cannot be written."""
    try:
        pack(load(Path(study)), Path(archive))
    except StudyError as error:
        err.write(f"{error}\n")
        return 2
    out.write(f"{archive}\n")
    return 0


def unpack_command(folder: str, archive: str, out: TextIO, err: TextIO) -> int:
    """`curtain new STUDY --from ARCHIVE`: another site's set-up as a study here; 2 when it is not in order."""
    try:
        study = unpack(Path(archive), Path(folder))
    except StudyError as error:
        err.write(f"{error}\n")
        return 2
    err.write(f"Give the site its own name and block of speaker ids in {study.folder / 'study.toml'}.\n")
    out.write(f"{study.folder}\n")
    return 0
