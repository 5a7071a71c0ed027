"""`curtain deliver`: a site's corpus, initial data alone or annotations of a release, as one archive for the centre."""

from pathlib import Path
from typing import TextIO

import msgspec

from corpus.centre.delivery.delivery_archive import pack
from corpus.commands.sources import current, opened
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.manifest import is_in
from corpus.io.progress import counting
from corpus.io.staging import Refused, stopped
from corpus.release.exports_log import heads_of, record

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
    root, target = Path(options.corpus), Path(options.file)
    try:
        if not is_in(root):
            raise Refused(
                f"{root} is not a corpus; name one that curtain export wrote, or initial data with doc/spkrinfo.log"
            )
        corpus = opened(root) if options.annotations else current(root)
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
        with counting(err, "files", len(corpus.manifest.files)) as tell:
            listing = pack(
                corpus, target, options.label or root.resolve().name, options.annotations, key, tell, options.site
            )
    except (FormatFault, Refused, OSError, KeyboardInterrupt) as error:
        place = (
            f"{target}: " if isinstance(error, OSError) and error.filename is None else ""
        )  # as where a disk is full
        err.write(place + stopped(error))
        return status_of(error)
    signed = ", signed" if key else ""
    err.write(f"{listing.label}: {counted(len(listing.files), 'file')}{signed}; contents {listing.content}\n")
    out.write(f"{target}\n")
    return 0
