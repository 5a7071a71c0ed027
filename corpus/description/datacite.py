"""`metadata/datacite.xml`: DataCite's Metadata Schema 4.5, with which a DOI is registered."""

from xml.etree.ElementTree import Element

from corpus.description.corpus_metadata import CorpusMetadata
from corpus.description.markup import child, document
from session.study.metadata import Creator

PATH = "metadata/datacite.xml"
_SPACE = "http://datacite.org/schema/kernel-4"
_UNKNOWN = ":unkn"
_LATER = ":tba"
"""DataCite's words for what is not known, and for what is assigned later (appendix 3)."""


def render(found: CorpusMetadata) -> bytes:
    """The bytes of the file."""
    root = Element("resource")
    root.set("xmlns", _SPACE)
    root.set("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance")
    root.set("xsi:schemaLocation", f"{_SPACE} https://schema.datacite.org/meta/kernel-4.5/metadata.xsd")
    child(root, "identifier", found.doi or _LATER, identifierType="DOI")
    creators = child(root, "creators")
    for creator in found.creators or (Creator(name=_UNKNOWN),):
        _creator(child(creators, "creator"), creator)
    child(child(root, "titles"), "title", found.title or _UNKNOWN)
    child(root, "publisher", found.publisher or _UNKNOWN)
    child(root, "publicationYear", found.published[:4])
    child(root, "resourceType", "Corpus of spoken dialogue", resourceTypeGeneral="Dataset")
    if found.keywords:
        subjects = child(root, "subjects")
        for word in found.keywords:
            child(subjects, "subject", word)
    if not found.imported:
        child(child(root, "dates"), "date", f"{found.first}/{found.last}", dateType="Collected")
    if len(found.languages) == 1:
        child(root, "language", found.languages[0])
    if found.licences:
        _rights(child(root, "rightsList"), found)
    _descriptions(child(root, "descriptions"), found)
    if found.funding:
        references = child(root, "fundingReferences")
        for text in found.funding:
            child(child(references, "fundingReference"), "funderName", text)
    return document(root)


def _creator(node: Element, creator: Creator) -> None:
    family, given = creator.parts
    child(node, "creatorName", creator.name, nameType="Personal" if given else "Organizational")
    if given:
        child(node, "givenName", given)
        child(node, "familyName", family)
    if creator.orcid:
        identifier = child(node, "nameIdentifier", f"https://orcid.org/{creator.orcid}", nameIdentifierScheme="ORCID")
        identifier.set("schemeURI", "https://orcid.org")
    if creator.affiliation:
        child(node, "affiliation", creator.affiliation)


def _rights(node: Element, found: CorpusMetadata) -> None:
    for licence in found.licences:
        if licence.startswith("LicenseRef-"):
            child(node, "rights", licence)
        else:
            page = f"https://spdx.org/licenses/{licence}"
            child(
                node, "rights", licence, rightsIdentifier=licence, rightsIdentifierScheme="SPDX",
                schemeURI="https://spdx.org/licenses/", rightsURI=page,
            )  # fmt: skip


def _descriptions(node: Element, found: CorpusMetadata) -> None:
    child(node, "description", found.description or _UNKNOWN, descriptionType="Abstract")
    other = [f"Ethics approval: {text}" for text in found.ethics] + [f"Contact: {text}" for text in found.contacts]
    other += [f"To be cited: {text}" for text in found.citations]
    other += ["A rehearsal with scripted people: no data."] * found.rehearsal
    for text in other:
        child(node, "description", text, descriptionType="Other")
