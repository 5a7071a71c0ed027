"""`doc/metadata/SITE.json`: a site's metadata of its corpus (`session.study.metadata`), one object."""

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import text_of
from session.study.metadata import Metadata


def parse(data: bytes | str, path: str) -> Metadata:
    """The metadata in a file; raises `FormatFault` that names the key.

    >>> parse(render(Metadata(title="Flights")), "doc/metadata/bbn.json").title
    'Flights'
    """
    try:
        return msgspec.json.decode(text_of(data, path), type=Metadata)
    except msgspec.DecodeError as error:
        raise FormatFault(
            path, 0, str(error), "put [metadata] of study.toml right and export the corpus again"
        ) from None


def render(stated: Metadata) -> bytes:
    """The bytes of the file: every key, empty ones too."""
    return msgspec.json.format(msgspec.json.encode(stated), indent=1) + b"\n"
