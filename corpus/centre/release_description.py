"""Descriptions of all that a centre has released: a release that nobody could cite or use by licence is refused."""

from collections.abc import Callable, Iterable, Mapping

from corpus.centre.centre_settings import SETTINGS
from corpus.centre.ledger import Centre
from corpus.description.described import Described, of_parts
from corpus.description.description_files import descriptions
from corpus.formats import layout, metadata_file
from corpus.formats.manifest import FileEntry, SessionEntry
from corpus.io.staging import Refused
from session.study.metadata import Metadata


def description_pages(
    centre: Centre,
    sessions: Iterable[SessionEntry],
    files: Mapping[str, FileEntry],
    read: Callable[[str], bytes],
) -> dict[str, bytes]:
    """The descriptions of these sessions and files, by path; raises `Refused` where title, description, creators, licence or
    contact is not stated."""
    paths = [path for path in sorted(files) if path.startswith(f"{layout.METADATA}/")]
    stated = [metadata_file.parse(read(path), path) for path in paths]
    own = centre.settings.metadata
    found = of_parts(stated, sessions, files, whole=None if own == Metadata() else own)
    if lacking := _lacking(found):
        raise Refused(
            f"nothing is released without {', '.join(lacking)}: write it under [metadata] of {centre.folder / SETTINGS}, or "
            "have the sites state it in study.toml and deliver again"
        )
    return descriptions(found, files, read)


def _lacking(found: Described) -> list[str]:
    said = {
        "title": found.title,
        "description": found.description,
        "creators": found.creators,
        "licence": found.licence,
        "contact": found.contacts,
    }
    return [key for key, value in said.items() if not value]
