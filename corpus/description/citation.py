"""`CITATION.cff` (Citation File Format 1.2.0) and the citation in words."""

import json

from corpus.description.corpus_metadata import CorpusMetadata
from session.study.metadata import Creator

PATH = "CITATION.cff"


def render(found: CorpusMetadata) -> bytes:
    """The bytes of the file. Texts stand as in JSON, which YAML reads too."""
    lines = [
        "cff-version: 1.2.0",
        "type: dataset",
        f"message: {_quoted(_message(found))}",
        f"title: {_quoted(found.title)}",
    ]
    if found.description:
        lines.append(f"abstract: {_quoted(found.description)}")
    lines.append("authors:")
    for creator in found.creators or (Creator(name="Anonymous"),):
        lines += _author(creator)
    named = [licence for licence in found.licences if not licence.startswith("LicenseRef-")]
    if named and len(named) == len(found.licences):
        lines += ["license:", *(f"  - {_quoted(licence)}" for licence in named)]
    if found.keywords:
        lines += ["keywords:", *(f"  - {_quoted(word)}" for word in found.keywords)]
    if found.doi:
        lines.append(f"doi: {_quoted(found.doi)}")
    lines.append(f"date-released: {_quoted(found.published)}")
    return ("\n".join(lines) + "\n").encode()


def words(found: CorpusMetadata) -> str:
    """Return the citation in words: as its makers say, otherwise creators, year, title, publisher, DOI."""
    if found.citations:
        return " ".join(found.citations)
    people = "; ".join(creator.name for creator in found.creators)
    parts = (f"{people} ({found.published[:4]})".strip(), found.title, found.publisher, found.page)
    return ". ".join(part for part in parts if part) + "."


def _message(found: CorpusMetadata) -> str:
    return f"If you use this corpus, please cite: {words(found)}"


def _author(creator: Creator) -> list[str]:
    family, given = creator.parts
    person = bool(given)
    lines = [f"  - family-names: {_quoted(family)}", f"    given-names: {_quoted(given)}"] if person else []
    lines = lines or [f"  - name: {_quoted(creator.name)}"]
    if creator.orcid:
        lines.append(f"    orcid: {_quoted(f'https://orcid.org/{creator.orcid}')}")
    if creator.affiliation and person:
        lines.append(f"    affiliation: {_quoted(creator.affiliation)}")
    return lines


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
