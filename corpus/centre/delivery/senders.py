"""The sender of a delivery: by its list, by its logs, and by the key that site and centre share."""

import hmac
from pathlib import Path

from corpus.centre.delivery.arrived_files import ArrivedFiles
from corpus.centre.delivery.delivery_archive import SITES, ArchiveRefused, DeliveryListing, signature_of
from corpus.centre.delivery.unpacking import Unpacked
from corpus.centre.ledger import Centre
from corpus.dataset.reader import Corpus
from corpus.formats import layout


def is_signed(centre: Centre, listing: DeliveryListing | None, files: ArrivedFiles) -> bool:
    """Return whether the site's key proves the delivery; raises `ArchiveRefused` where there is a key and it does not."""
    key = _key(centre, listing.site) if listing is not None else None
    if listing is None or key is None or not key.is_file():
        if centre.settings.signed:
            raise ArchiveRefused(
                "it is not signed with a key that lies in keys/, and centre.toml takes in nothing else"
            )
        return False
    if not listing.signature:
        raise ArchiveRefused(
            f"it is not signed, and {listing.site} has a key here: let them pack it with curtain deliver --key"
        )
    if not hmac.compare_digest(listing.signature, signature_of(listing, files.sent(), key.read_bytes().strip())):
        raise ArchiveRefused(
            f"the signature is not that of {key}: ask {listing.site} by another way whether they sent this"
        )
    return True


def _key(centre: Centre, site: str) -> Path:
    return centre.folder / "keys" / f"{layout.safe(site)}.key"


def refuse_unproved(centre: Centre, corpus: Corpus, by: str) -> None:
    """Raise `ArchiveRefused` where it holds sessions of a site that has a key, and somebody else has sent it; `by` is who
    proved to be who they are, empty where nobody did."""
    for site in sorted({entry.site for entry in corpus.manifest.sessions}):
        if site != by and _key(centre, site).is_file():
            raise ArchiveRefused(
                f"it holds sessions of {site} and is not signed with the key of {site}: ask them by another way whether they "
                f"sent this; they sign with curtain deliver --key"
            )


def site_of(folder: Path, found: Unpacked) -> str:
    """The site that sent it, for an archive without a listing by its first log."""
    if found.listing is not None:
        return found.listing.site
    speech = (path for path in found.files if path.endswith(".log") and path[:4] in layout.SPEECH)
    first = next(speech, None)
    head = (folder / first).read_text("utf-8", "replace") if first is not None else ""
    named = next((line[8:] for line in head.splitlines() if line.startswith("[Site:] ")), "")
    return layout.safe(named if SITES.fullmatch(named) else "unknown")
