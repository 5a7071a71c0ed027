"""Repairs that a centre makes itself: those that follow from the rules alone and need no knowledge of the session.

A file that is in the wrong place, capitals in a name, line ends, spacing and capitals in a transcription, what is derived
from a transcription, rubbish that an editor left, and what only tells of the whole. All else goes back to the site.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from corpus.centre.delivery.arrived_files import ArrivedFiles
from corpus.centre.delivery.kept_repairs import MOVED, KeptRepairs
from corpus.centre.delivery.unpacking import Unpacked
from corpus.centre.facts import FileRepaired
from corpus.centre.recovery import prune
from corpus.dataset import initial
from corpus.dataset.reader import Corpus
from corpus.dataset.subset import MADE_ANEW, TextSummary, shared_files
from corpus.formats import layout, lsn, manifest, sro
from corpus.formats.errors import FormatFault
from corpus.formats.manifest import FileEntry, Manifest
from corpus.formats.spkrinfo import SpeakerTable
from corpus.io.safe_open import read_plain
from corpus.verify.rules.findings import Finding

_ENDS = re.compile(rb"\r\n?")


def _line_ends(data: bytes) -> bytes:
    return _ENDS.sub(b"\n", data).rstrip(b"\n") + b"\n"


def _one_line(data: bytes) -> bytes:
    return b" ".join(data.split()) + b"\n"


_CONTENT: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "text.line-ends": ("line ends", _line_ends),
    "sro.capitals": ("lower case", bytes.lower),
    "sro.spacing": ("spacing", _one_line),
}
_DERIVED = ("lsn.derived", "lsn.form", "set.lexical-missing")
_TOLD = "derived"
FOLLOWING = frozenset({*_DERIVED, _TOLD})
"""Rules of repairs that make a file of others which stay as they are."""
_RUBBISH = ("file.unknown",)
_MISPLACED = ("name.form", "name.directory", *_RUBBISH)
"""Rules about a file that lies in no place of its own; where its name says which that is, it is moved there."""
_TAMPERED = ("manifest.form", "manifest.seal")
_WHOLE = ("lexicon.", "readme.", "manifest.missing", "manifest.initial", "speakers.surplus")


class FirstLook(msgspec.Struct, frozen=True):
    """Facts that the hashes of unpacking tell of a corpus: the manifest that was `derived` of initial data, or the files that are
    not those which its own manifest lists."""

    derived: Manifest | None = None
    altered: frozenset[str] = frozenset()

    def known(self, root: Path, before: Manifest, touched: Collection[str]) -> dict[str, FileEntry]:
        """The entries of the files in `root` that are as they were listed `before`, but for those `touched` since."""
        if layout.MANIFEST in touched:
            return {}
        return {
            path: FileEntry((root / path).stat().st_size, entry.sha256, header=entry.header)
            for path, entry in before.files.items()
            if path not in self.altered and path not in touched
        }


def first_corpus(folder: Path, found: Unpacked) -> Corpus | None:
    """Return what was unpacked into `folder`; None if it is not a corpus."""
    try:
        if not manifest.is_initial(folder):
            return found.files.corpus(folder)
        return Corpus(folder, found.files.derive(folder))
    except (FormatFault, OSError):  # the verifier tells what is wrong with it
        return None


def first_look(folder: Path, files: ArrivedFiles) -> FirstLook | None:
    """Return what the hashes of unpacking tell of the corpus in `folder`, before anything is repaired; None if it is not one."""
    if files.derived is not None:
        return FirstLook(files.derived)
    try:
        return FirstLook(None, frozenset(files.altered(files.corpus(folder).manifest.files)))
    except (FormatFault, OSError):
        return None


def mend(root: Path, done: KeptRepairs, findings: Iterable[Finding], first: FirstLook | None = None) -> None:
    """Repair what can be in the corpus at `root`, and describe the whole again; what was `done`, file by file, is kept; `first`
    is what was seen before any of it."""
    found, delivery = sorted(findings), done.delivery
    if any(finding.rule in _TAMPERED for finding in found):
        return  # what it was nobody can tell any more, so nothing can be held against it
    done.add(_moved(root, delivery, found))
    moved = {*done.paths}
    for finding in found:
        if finding.path in moved or finding.path.startswith("doc/protocol"):
            continue
        done.add(_mended(root, delivery, finding))
    if len(done) or any(finding.rule.startswith(_WHOLE) for finding in found):
        done.add(describe(root, done, first))
    done.drop_unchanged()


def _moved(root: Path, delivery: str, found: Iterable[Finding]) -> Iterator[FileRepaired]:
    for finding in found:
        if finding.rule not in _MISPLACED or not (root / finding.path).is_file():
            continue
        try:
            name = layout.parse_name(finding.path.rpartition("/")[2].lower())
        except ValueError:
            continue
        target = root / layout.path_of(name)
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        (root / finding.path).rename(target)
        prune((root / finding.path).parent, root)
        digest = _hash(target.read_bytes())
        yield FileRepaired(
            delivery=delivery,
            path=finding.path,
            rule=finding.rule,
            how=f"{MOVED}{layout.path_of(name)}",
            before=digest,
            after=digest,
        )


def _mended(root: Path, delivery: str, finding: Finding) -> Iterator[FileRepaired]:
    path, rule = finding.path, finding.rule
    if rule in _CONTENT and (root / path).is_file():
        how, change = _CONTENT[rule]
        yield _write(root, delivery, path, rule, how, change(read_plain(root, path)))
    elif rule in _DERIVED:
        stem = path.rpartition(".")[0]
        try:
            made = lsn.render(lsn.derive(sro.parse(read_plain(root, f"{stem}.sro"), path)))
        except (FormatFault, OSError):
            return
        yield _write(root, delivery, f"{stem}.lsn", rule, "derived from the .sro", made)
    elif rule in _RUBBISH and (root / path).is_file() and path.rpartition(".")[2] not in layout.UNITS:
        before = _hash((root / path).read_bytes())
        (root / path).unlink()
        prune((root / path).parent, root)
        yield FileRepaired(delivery=delivery, path=path, rule=rule, how="removed", before=before)
    elif rule == "directory.empty" and (root / path).is_dir():
        prune(root / path, root)
        yield FileRepaired(delivery=delivery, path=path, rule=rule, how="removed", before="an empty directory")


def _write(root: Path, delivery: str, path: str, rule: str, how: str, data: bytes) -> FileRepaired:
    place = root / path
    before = _hash(place.read_bytes()) if place.exists() else ""
    place.write_bytes(data)
    return FileRepaired(delivery=delivery, path=path, rule=rule, how=how, before=before, after=_hash(data))


def describe(root: Path, done: KeptRepairs, first: FirstLook | None = None) -> list[FileRepaired]:
    """Write what tells of the whole again, the manifest last, after what was `done`; return what changed.

    What the manifest says of a file that was not repaired stays, so that one that was lost or altered on its way is found
    still.
    """
    delivery, had = done.delivery, (root / layout.MANIFEST).is_file()
    before = manifest.held_in(root) if had else None
    if had:
        (root / layout.MANIFEST).rename(root.parent / f".{root.name}.{layout.MANIFEST}")
    try:
        if first is not None and first.derived is not None and not had:
            found = initial.updated(root, first.derived, done.paths)
        else:
            known = first.known(root, before, done.paths) if first is not None and before is not None else None
            found = initial.manifest_of(root, known)
        sessions, files = found.sessions, found.files
        if before is not None:
            sessions = before.sessions
            files = _listed(before.files, files, done)
        now = msgspec.structs.replace(before or found, sessions=sessions, files=files)
        speakers = Corpus(root, msgspec.structs.replace(now, files=found.files)).speakers()
        for path in MADE_ANEW:
            files.pop(path, None)
        summary = TextSummary()
        there = files if before is None else [path for path in files if path in found.files]
        for path in there:
            if path.endswith((".log", ".sro")):
                summary.add(path, read_plain(root, path))
        here = {entry.speaker for entry in sessions}  # of nobody else the table tells a sex and an age
        table = SpeakerTable(tuple(info for info in speakers.values() if info.speaker in here))
        made = shared_files(
            sessions, table, there, lambda path: read_plain(root, path), summary, left_out=sum(now.left_out.values())
        )
        told = [_write(root, delivery, path, _TOLD, "derived from the files", data) for path, data in made.items()]
        files.update((path, manifest.entry_of(data)) for path, data in made.items())
        if before is not None and (table_of := before.files.get(layout.SPEAKER_TABLE)) is not None:
            altered = found.files[layout.SPEAKER_TABLE].sha256 != table_of.sha256
            files |= {layout.SPEAKER_TABLE: table_of} if altered else {}
    finally:
        if had:
            (root.parent / f".{root.name}.{layout.MANIFEST}").rename(root / layout.MANIFEST)
    place = root / layout.MANIFEST
    was = _hash(place.read_bytes()) if had else ""
    after, how = manifest.write(place, now), "derived from the files"
    return [*told, FileRepaired(delivery, layout.MANIFEST, _TOLD, how, was, after)]


def _listed(
    before: dict[str, FileEntry], there: dict[str, FileEntry], done: Iterable[FileRepaired]
) -> dict[str, FileEntry]:
    """The entries of the files as they were listed, but for those that were right when they were repaired; what was slipped
    in is in no list."""
    was, moved = dict[str, str](), set[str]()
    for fact in done:
        was.setdefault(fact.path, fact.before)
        moved.add(fact.how.removeprefix(MOVED))
    left = {fact.path for fact in done if fact.path not in there}
    files = dict[str, FileEntry]()
    for path, entry in there.items():
        if path not in before and path not in was and path not in moved:
            continue
        old = before.get(path, entry)
        same = path in was and was[path] in ("", old.sha256)
        now = msgspec.structs.replace(old, bytes=entry.bytes, sha256=entry.sha256, header=entry.header)
        files[path] = now if same or entry.sha256 == old.sha256 else old
    return files | {path: old for path, old in before.items() if path not in there and path not in left}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
