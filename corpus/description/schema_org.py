"""A corpus as schema.org's `Dataset` in JSON-LD, which searches for data sets read off a page."""

from typing import Any

import msgspec

from corpus.description.citation import words
from corpus.description.corpus_metadata import CorpusMetadata
from session.study.metadata import Creator

PATH = "metadata/schema.org.jsonld"


def render(found: CorpusMetadata) -> bytes:
    """The bytes of the file."""
    return pretty({"@context": "https://schema.org/", **dataset(found)})


def dataset(found: CorpusMetadata) -> dict[str, Any]:
    """Return the corpus in schema.org's terms."""
    made: dict[str, Any] = {
        "@type": "Dataset",
        "name": found.title,
        "description": found.description,
        "creator": [person(creator) for creator in found.creators],
        "license": found.licence_page,
        "inLanguage": [*found.languages],
        "keywords": [*found.keywords],
        "citation": words(found),
        "datePublished": found.published,
        "temporalCoverage": None if found.imported else f"{found.first}/{found.last}",
        "measurementTechnique": None if found.imported else "Wizard of Oz",
        "contactPoint": [_contact(contact) for contact in found.contacts],
        "funding": [{"@type": "Grant", "description": text} for text in found.funding],
        "usageInfo": [f"Ethics approval: {text}" for text in found.ethics],
        "publisher": {"@type": "Organization", "name": found.publisher} if found.publisher else None,
        "identifier": f"https://doi.org/{found.doi}" if found.doi else None,
        "url": found.page or None,
        "creativeWorkStatus": "Rehearsal with scripted people: no data" if found.rehearsal else None,
    }
    return {key: value for key, value in made.items() if value not in (None, "", [])}


def person(creator: Creator) -> dict[str, Any]:
    """A creator in schema.org's terms: without a given name it is an institution."""
    family, given = creator.parts
    made: dict[str, Any] = {"@type": "Person" if given else "Organization"}
    made["name"] = f"{given} {family}" if given else creator.name
    made |= {"familyName": family, "givenName": given} if given else {}
    made |= {"@id": f"https://orcid.org/{creator.orcid}"} if creator.orcid else {}
    return made | (
        {"affiliation": {"@type": "Organization", "name": creator.affiliation}} if creator.affiliation else {}
    )


def _contact(text: str) -> dict[str, str]:
    return {"@type": "ContactPoint", "url" if "://" in text else "email": text}


def pretty(value: object) -> bytes:
    """The bytes of a JSON file, in an order that does not change."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
