"""`curtain deliver`: a site's corpus, initial data alone or annotations of a release, as one archive for the centre."""

from functools import partial
from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre.corpus_tables import corpus_in
from corpus.centre.delivery.delivery_archive import PackedDelivery, pack
from corpus.commands.sources import current, opened
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.manifest import is_in
from corpus.io.progress import counting
from corpus.io.staging import Refused, stopped
from corpus.release.exports_log import heads_of, record
from corpus.verify.rules.scratch_tables import scratch_tables

DELIVERED = "delivery"
SHORTEST_KEY = 16


class DeliverOptions(msgspec.Struct, frozen=True):
    """Options of `deliver_command`: the `label` of the delivery, the release whose `annotations` it is, a file with the `key`
    that site and centre share, the `site` that delivers where it is not the one of the data."""

    corpus: str
    file: str
    label: str = ""
    annotations: str = ""
    key: str = ""
    site: str = ""


def deliver_command(options: DeliverOptions, out: TextIO, err: TextIO) -> int:
    """Pack a corpus; the archive's path goes to `out`, how to recognise it to `err`. 2 when nothing was written."""
    target = Path(options.file)
    try:
        packed = _deliver(options, target, err)
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        place = (
            f"{target}: " if isinstance(error, OSError) and error.filename is None else ""
        )  # as where a disk is full
        err.write(place + stopped(error))
        return status_of(error)
    signed = ", signed" if options.key else ""
    err.write(f"{packed.label}: {counted(packed.files, 'file')}{signed}; contents {packed.content}\n")
    out.write(f"{target}\n")
    return 0


def _deliver(options: DeliverOptions, target: Path, err: TextIO) -> PackedDelivery:
    root = Path(options.corpus)
    if not is_in(root):
        raise Refused(
            f"{root} is not a corpus; name one that curtain export wrote, or initial data with doc/spkrinfo.log"
        )
    with scratch_tables() as tables:
        corpus = (opened if options.annotations else current)(root, partial(corpus_in, tables=tables))
        if root.resolve() in target.resolve().parents:
            raise Refused(f"{target} would be within the corpus; choose a place outside")
        if options.key and not Path(options.key).exists():
            raise Refused(
                f"there is no key {options.key}; write the one that you agreed on with the centre into this file"
            )
        key = Path(options.key).read_bytes().strip() if options.key else b""
        if options.key and len(key) < SHORTEST_KEY:
            raise Refused(f"{options.key} is not a key: it has fewer than {SHORTEST_KEY} characters")
        record([root], DELIVERED, target, heads_of(corpus.manifest.sessions), err)
        label = options.label or root.resolve().name
        with counting(err, "files", len(corpus.manifest.files)) as tell:
            return pack(corpus, target, label, options.annotations, key, tell, options.site)
