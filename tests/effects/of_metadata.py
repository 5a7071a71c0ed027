"""Effects of `[metadata]` of `study.toml`, seen in the exported bytes of every description."""

import datetime
from collections.abc import Callable

from corpus.description.corpus_metadata import of_parts
from corpus.description.description_files import descriptions
from corpus.export.study_source import stated_in
from corpus.formats.manifest import SessionEntry
from session.study.folder import Study
from tests.effects.of_study import in_study
from tests.effects.registry import Places, effect

SESSION = SessionEntry("lab-20261121-1", "lab", "001", "0" * 64, (1,), "0" * 64, False, False, 1.0, "")
PACKAGE = "CITATION.cff, Croissant, RO-Crate, DataCite, schema.org and CMDI of every package"


UNSAID = {
    "CITATION.cff": {"language", "funding", "ethics"},
    "metadata/corpus.cmdi": {"creators.orcid", "creators.affiliation"},
}
"""Files that have no place for these keys."""


def _described(key: str) -> Callable[[Study], object]:
    def look(study: Study) -> object:
        found = descriptions(of_parts(stated_in(study).values(), (SESSION,), {}), {}, lambda _: b"")
        return Places({name: data for name, data in found.items() if key not in UNSAID.get(name, ())})

    return look


def _place(key: str) -> str:
    left_out = [name.rpartition("/")[2] for name, keys in UNSAID.items() if key in keys]
    return PACKAGE if not left_out else f"{PACKAGE}, except {left_out[0]}"


def _key(key: str, first: object, second: object) -> None:
    effect(f"study.metadata.{key}", _place(key), first, second)(
        lambda value: in_study(_described(key), metadata={"title": "Flights", key: value})
    )


def _creator(key: str, first: object, second: object) -> None:
    name = f"creators.{key}"
    effect(f"study.metadata.{name}", _place(name), first, second)(
        lambda value: in_study(_described(name), metadata={"creators": [{"name": "Carberry, Josiah", key: value}]})
    )


_key("title", "Flights", "Trains")
_key("description", "", "People ask.")
_key("licence", "CC-BY-4.0", "CC0-1.0")
_key("language", "", "en-US")
_key("contact", "a@example.org", "https://example.org/corpus")
_key("funding", "", "Grant 12")
_key("ethics", "", "Board 7/26")
_key("citation", "", "Carberry 2026")
_key("keywords", [], ["speech"])
_key("publisher", "", "Archive")
_key("doi", "", "10.5555/1")
_key("published", "", datetime.date(2027, 1, 2).isoformat())
_creator("name", "Carberry, Josiah", "Institute of Speech")
_creator("orcid", "", "0000-0002-1825-0097")
_creator("affiliation", "", "Brown University")
