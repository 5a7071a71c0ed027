"""`curtain import SOURCE CORPUS`: makes a corpus from recordings and transcriptions made elsewhere."""

from pathlib import Path
from typing import TextIO

import msgspec

from corpus.export.study_source import FAULTS
from corpus.formats.errors import status_of
from corpus.importing import names_table
from corpus.importing.import_formats import ImportFormat, source_of
from corpus.importing.imported_corpus import ImportDescription, parts_of, summary, write
from corpus.importing.source_recordings import RecordingSource
from corpus.io.progress import counting
from corpus.io.staging import Refused, refuse_existing, refuse_nowhere, staged, stopped
from session.study.metadata import Metadata
from session.study.toml_reader import parsed
from session.values.clock import Clock
from session.values.names import Exhausted, SessionName, check_speaker


class ImportOptions(msgspec.Struct, frozen=True):
    """Options of `import_command`: `sounds` is the folder from which paths lead, empty for that of the source; `tiers`
    are patterns of the tiers that hold what was said, for formats that have tiers; `metadata` is a file of TOML that
    states them."""

    source: str
    directory: str
    form: str
    site: str
    first_speaker: str = "001"
    sounds: str = ""
    tiers: tuple[str, ...] = ()
    metadata: str = ""


def import_command(options: ImportOptions, clock: Clock, out: TextIO, err: TextIO) -> int:
    """Write the recordings of a source to the new folder `directory`; its path goes to `out`, what was guessed to `err`. Which
    name stands for which of the source's is written beside it, for it may tell who somebody is. 2 when nothing was written."""
    source, target = Path(options.source), Path(options.directory)
    names = names_table.table_beside(target)
    form = ImportFormat(options.form)
    try:
        if options.tiers and form not in (ImportFormat.TEXTGRID, ImportFormat.ELAN):
            raise Refused(f"{form} has no tiers; leave --tier out")
        sounds = Path(options.sounds) if options.sounds else source if source.is_dir() else source.parent
        for folder in (source, sounds):
            if not folder.exists():
                raise Refused(f"{folder} does not exist; name the source to import")
        refuse_existing(target)
        refuse_existing(names)
        refuse_nowhere(target)
        about = _described(options, clock)
        parts = parts_of(source_of(form)(RecordingSource(source, sounds, options.tiers)), about)
        with staged(target) as staging, counting(err, "files", 0) as tell:
            staging.tell(tell)
            made = write(parts, about, staging)
            names_table.write(names, made.names)
    except (*FAULTS, Exhausted, KeyboardInterrupt) as error:
        err.write(stopped(error, target))
        return status_of(error)
    err.write(summary(made, target))
    err.write(f"  {names} has the source's name of each utterance and speaker: keep it apart from the corpus\n")
    out.write(f"{options.directory}\n")
    return 0


def _described(options: ImportOptions, clock: Clock) -> ImportDescription:
    try:
        SessionName.parse(f"{options.site}-20000101-1")
        check_speaker(options.first_speaker)
    except ValueError as error:
        raise Refused(f"{error}; --site takes two to eight small letters and digits") from None
    stated = _stated(Path(options.metadata)) if options.metadata else None
    return ImportDescription(options.form, options.site, options.first_speaker, clock.wall_ns(), stated)


def _stated(path: Path) -> Metadata:
    """The `[metadata]` of a file; raises `Refused` if there are none, `StudyError`, OSError."""
    told = parsed(path)[1].get("metadata", {})
    try:
        stated = msgspec.convert(msgspec.to_builtins(told), Metadata)
    except msgspec.ValidationError as error:
        raise Refused(f"{path}: [metadata]: {error}; write it as in study.toml") from None
    if stated == Metadata():
        raise Refused(f"{path} states nothing under [metadata]; write title, licence and so on there")
    return stated
