"""Batches of subject-scenarios for checking in other processes, with small inputs and results.

Kept apart from `corpus.verify.verify`, because each process imports this module, and what it does not need would be loaded as
often.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from corpus.formats.layout import FileName
from corpus.formats.manifest import FileEntry, Manifest
from corpus.io.packed_files import PackedFiles, UnpackedFile
from corpus.verify.rules import draft_answers as drafts
from corpus.verify.rules import scenario
from corpus.verify.rules.catalogue import RULES
from corpus.verify.rules.context import Context, CorpusFacts, Observations, ProtocolHeaders
from corpus.verify.rules.file_survey import ScenarioFiles
from corpus.verify.rules.findings import Finding, Findings


class Batch(msgspec.Struct, frozen=True):
    """Some subject-scenarios, and drafts of answers, with what is known that bears on them; it travels in few bytes. The files
    of the directories that are `packed` have to be unpacked first."""

    known: CorpusFacts
    units: tuple[ScenarioFiles, ...]
    drafts: tuple[str, ...] = ()
    packed: PackedFiles = PackedFiles()

    def __reduce__(self) -> tuple[Callable[[bytes], "Batch"], tuple[bytes]]:
        known, listed = self.known, self.known.manifest
        packed = _Packed(
            str(known.root),
            known.headers,
            listed.files if listed is not None else None,
            known.protocols,
            sorted(known.withheld),
            known.undescribed,
            sorted(known.initial),
            [(unit.directory, list(unit.files.items())) for unit in self.units],
            self.drafts,
            self.packed,
        )
        return _unpacked, (msgspec.msgpack.encode(packed),)


class _Packed(msgspec.Struct, array_like=True):
    root: str
    headers: bool
    files: dict[str, FileEntry] | None
    protocols: dict[str, ProtocolHeaders]
    withheld: list[str]
    undescribed: bool
    initial: list[str]
    units: list[tuple[str, list[tuple[FileName, str]]]]
    drafts: tuple[str, ...]
    packed: PackedFiles


def _unpacked(data: bytes) -> Batch:
    found = msgspec.msgpack.decode(data, type=_Packed)
    manifest = Manifest("", False, (), found.files) if found.files is not None else None
    withheld, initial = frozenset(found.withheld), frozenset(found.initial)
    root = Path(found.root)
    known = CorpusFacts(root, found.headers, manifest, {}, found.protocols, withheld, found.undescribed, initial)
    units = tuple(ScenarioFiles(directory, dict(files)) for directory, files in found.units)
    return Batch(known, units, found.drafts, found.packed)


class Checked(msgspec.Struct, frozen=True):
    """Result of a batch, on its way back; `unpacked` are the files that were not there before."""

    found: list[Finding]
    seen: Observations
    count: int
    unpacked: list[UnpackedFile] = []

    def __reduce__(self) -> tuple[Callable[[bytes], "Checked"], tuple[bytes]]:
        return _returned, (msgspec.msgpack.encode(self),)


def _returned(data: bytes) -> Checked:
    return msgspec.msgpack.decode(
        data, type=Checked, dec_hook=lambda kind, value: kind(value)
    )  # a Counter is no JSON type


def check(_: None, batch: Batch) -> Checked:
    """Everything about the subject-scenarios and drafts of a batch."""
    context = Context(batch.known, Findings(RULES))
    unpacked = list[UnpackedFile]()
    arriving = batch.packed.unpack(context.root, unpacked)
    for unit in batch.units:
        for directory, context.held in arriving:
            if directory == unit.directory:
                break
        scenario.check(context, unit)
    for _directory, _held in arriving:  # of these directories there is nothing to check
        pass
    for path in batch.drafts:
        with context.guarding(path):
            drafts.check(context, path)
    return Checked(context.findings.found, context.seen, len(batch.units), unpacked)
