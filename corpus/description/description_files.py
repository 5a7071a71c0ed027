"""Descriptions of a package or a release, by path."""

from collections.abc import Callable, Mapping

from corpus.description import citation, cmdi, croissant, datacite, ro_crate, schema_org
from corpus.description.corpus_metadata import CorpusMetadata
from corpus.formats.manifest import FileEntry


def descriptions(
    found: CorpusMetadata, files: Mapping[str, FileEntry], read: Callable[[str], bytes]
) -> dict[str, bytes]:
    """The files that describe a corpus; `files` are those that it consists of, and `read` gives the bytes of one."""
    return {
        citation.PATH: citation.render(found),
        croissant.PATH: croissant.render(found, files, read),
        ro_crate.PATH: ro_crate.render(found, files),
        schema_org.PATH: schema_org.render(found),
        datacite.PATH: datacite.render(found),
        cmdi.PATH: cmdi.render(found),
    }
