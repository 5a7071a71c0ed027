"""Archives that a centre cannot take for deliveries: what came, when, its hash and why it was refused, for the ledger and the
weekly report."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpus.centre import facts as f
from corpus.centre.delivery.delivery_archive import ArchiveRefused
from corpus.centre.delivery.unpacking import Unpacking
from corpus.centre.ledger import Centre
from corpus.formats.errors import FormatFault


@contextmanager
def arriving(centre: Centre, archive: Path, folder: Path) -> Iterator[Unpacking]:
    """Yields an archive to be unpacked into `folder`; where the block refuses it, that is entered in the ledger.

    Raises as `Unpacking` does, and what the block raises. Of a name under which there is no file nothing is entered.
    """
    try:
        unpacking = Unpacking(archive, folder)
    except PermissionError as error:
        _enter(centre, f.DeliveryRefused(file=archive.name, reason=error.strerror or "it cannot be read"))
        raise
    with unpacking:
        try:
            yield unpacking
        except ArchiveRefused as refused:
            _enter(centre, _refused(archive, unpacking, str(refused)))
            raise
        except FormatFault as fault:
            if fault.path.startswith(f"{archive}"):
                within = fault.path.removeprefix(f"{archive}").removeprefix(": ")
                _enter(centre, _refused(archive, unpacking, f"{within}: {fault.found}".removeprefix(": ")))
            raise


def _refused(archive: Path, unpacking: Unpacking, reason: str) -> f.DeliveryRefused:
    site, label = unpacking.sender
    return f.DeliveryRefused(file=archive.name, archive=unpacking.digest(), site=site, label=label, reason=reason)


def _enter(centre: Centre, fact: f.DeliveryRefused) -> None:
    """Enter it, once for the same bytes and reason."""
    if not (fact.archive and fact in {*centre.facts(f.DeliveryRefused)}):
        centre.record(fact)
