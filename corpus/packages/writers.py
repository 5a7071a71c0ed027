"""The registry of package formats: the writer of each, and the one call that writes a package.

A format without a writer is an error of the type checker, in `writer_of`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, assert_never

from corpus.io.staging import Staging, staged
from corpus.packages import (  # fmt: skip
    audiofolder,
    bagit,
    csv,
    dialogues,
    elan,
    kaldi,
    lhotse,
    manifests,
    parquet,
    shar,
    text2sql,
    textgrid,
    webdataset,
)
from corpus.packages.formats import ExportFormat
from corpus.packages.package_writer import Contents, PackageSummary, checksums, common, wave_count
from corpus.packages.references import stm_references, trn_references
from corpus.packages.talkbank import chat
from corpus.release import holdout_file


class PackageWriter(NamedTuple):
    """Writer of one format: `write` makes its own files, `seal` the list of all files at the end, and `count` tells about how
    many files there will be, 0 for a handful."""

    write: Callable[[Contents, Staging], PackageSummary]
    count: Callable[[Contents], int] = wave_count
    seal: Callable[[Staging], None] = checksums


def writer_of(form: ExportFormat) -> PackageWriter:
    """The writer of a format."""
    match form:
        case ExportFormat.KALDI:
            return PackageWriter(kaldi.write)
        case ExportFormat.AUDIOFOLDER:
            return PackageWriter(audiofolder.write)
        case ExportFormat.LHOTSE:
            return PackageWriter(lhotse.write)
        case ExportFormat.MANIFEST:
            return PackageWriter(manifests.write)
        case ExportFormat.WEBDATASET:
            return PackageWriter(webdataset.write, _few)
        case ExportFormat.SHAR:
            return PackageWriter(shar.write, _few)
        case ExportFormat.PARQUET:
            return PackageWriter(parquet.write, _few)
        case ExportFormat.TRN:
            return PackageWriter(trn_references.write, _few)
        case ExportFormat.STM:
            return PackageWriter(stm_references.write, _few)
        case ExportFormat.TEXTGRID:
            return PackageWriter(textgrid.write, textgrid.count)
        case ExportFormat.ELAN:
            return PackageWriter(elan.write, elan.count)
        case ExportFormat.CHAT:
            return PackageWriter(chat.write, elan.count)
        case ExportFormat.BAGIT:
            return PackageWriter(bagit.write, bagit.count, bagit.seal)
        case ExportFormat.CSV:
            return PackageWriter(csv.write, _few)
        case ExportFormat.DIALOGUES:
            return PackageWriter(dialogues.write, _few)
        case ExportFormat.TEXT2SQL:
            return PackageWriter(text2sql.write, _few)
        case _:
            assert_never(form)


def write_package(
    contents: Contents, target: Path, form: ExportFormat, progress: Callable[[int], None] = lambda _: None
) -> PackageSummary:
    """Write a corpus as a package to `target`, which must not exist; raises `Refused`.

    `progress` is called with the number of files written so far.
    """
    holdout_file.refuse_answers(contents.corpus)
    writer = writer_of(form)
    with staged(target) as staging:
        staging.tell(progress)
        summary = writer.write(contents, staging)
        for path, data in common(contents, summary, form, staging).items():
            staging.write(path, data)
        writer.seal(staging)
    return summary


def _few(_: Contents) -> int:
    return 0
