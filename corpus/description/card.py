"""The card of a data set on a hub such as Hugging Face's: YAML for machines, followed by information for readers."""

import json
from collections.abc import Iterable

from corpus.description.citation import words
from corpus.description.corpus_metadata import CorpusMetadata

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_TASKS = ("automatic-speech-recognition", "text-generation", "table-question-answering")


def render(found: CorpusMetadata | None, utterances: int, configs: Iterable[str], heading: str) -> bytes:
    """The bytes of the card; `configs` are the lines of YAML that say where the data lie, `heading` what a corpus is that is not
    described."""
    head = [*(_facts(found, utterances) if found else ()), *configs]
    body = _sections(found) if found else [f"# {heading}", ""]
    return "\n".join(["---", *head, "---", *body, "See README.txt and DATASHEET.md.", ""]).encode()


def _facts(found: CorpusMetadata, utterances: int) -> list[str]:
    size = next((name for limit, name in _SIZES if utterances < limit), "1M<n<10M")
    tasks = _TASKS[:1] if found.imported else _TASKS
    lines = [f"pretty_name: {_quoted(found.title)}", "task_categories:", *(f"- {task}" for task in tasks)]
    lines += ["size_categories:", f"- {size}"]
    lines += [] if found.imported else ["annotations_creators:", "- expert-generated"]
    if languages := list(dict.fromkeys(language.partition("-")[0].lower() for language in found.languages)):
        lines += ["language:", *map(_item, languages), "language_bcp47:", *map(_item, found.languages)]
    lines += [f"multilinguality: {'multilingual' if len(languages) > 1 else 'monolingual'}"]
    if len(found.licences) == 1 and not found.licence.startswith("LicenseRef-"):
        lines.append(f"license: {found.licence.lower()}")
    elif found.licences:
        lines += ["license: other", f"license_name: {_quoted(found.licence)}"]
    tags = found.keywords if found.imported else ("spoken-dialogue", "wizard-of-oz", *found.keywords)
    return [*lines, *(["tags:"] if tags else []), *map(_item, tags)]


def _sections(found: CorpusMetadata) -> list[str]:
    creators = []
    for creator in found.creators:
        orcid = f"ORCID {creator.orcid}" if creator.orcid else ""
        creators.append("; ".join(filter(None, (creator.name, orcid, creator.affiliation))))
    parts = {
        "Description": [found.description],
        "Creators": creators,
        "Licence": [found.licence_page],
        "Ethics approval": found.ethics,
        "Funding": found.funding,
        "Citation": [words(found)],
        "Contact": found.contacts,
    }
    lines = [f"# {found.title}", ""]
    if found.rehearsal:
        lines += ["**A rehearsal with scripted people and made-up speech: no data.**", ""]
    for title, texts in parts.items():
        if said := [text for text in texts if text]:
            lines += [f"## {title}", "", *(line for text in said for line in (text, ""))]
    return lines


def _item(text: str) -> str:
    return f"- {_quoted(text)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
