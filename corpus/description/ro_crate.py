"""`ro-crate-metadata.json`: an RO-Crate 1.1 with provenance: recording, transcription, checks and release."""

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

from corpus.description.corpus_metadata import CorpusMetadata
from corpus.description.schema_org import dataset, pretty
from corpus.formats.manifest import FileEntry

PATH = "ro-crate-metadata.json"
_SOFTWARE = "#curtain"


def render(found: CorpusMetadata, files: Mapping[str, FileEntry]) -> bytes:
    """The bytes of the file; files at the top and folders are its parts, so that it stays small."""
    facts = dataset(found)
    people = [entity for entity in facts.get("creator", ()) if entity]
    for number, entity in enumerate(people, start=1):
        entity.setdefault("@id", f"#creator-{number}")
    actions, agents = _actions(found, people)
    parts = [*_parts(files)]
    root = facts | {
        "@id": "./",
        "creator": _references(people),
        "hasPart": _references(parts),
        "mentions": _references(actions),
    }
    licence = facts.get("license", "")
    entities: list[dict[str, Any]] = (
        [{"@id": licence, "@type": "CreativeWork", "name": found.licence}] if licence else []
    )
    root |= {"license": {"@id": licence}} if licence else {}
    organisations = [_lifted(root, "publisher", "#publisher")] if "publisher" in root else []
    for number, entity in enumerate(people, start=1):
        if "affiliation" in entity:
            organisations.append(_lifted(entity, "affiliation", f"#affiliation-{number}"))
    for key in ("contactPoint", "funding"):
        lifted = [entity | {"@id": f"#{key}-{number}"} for number, entity in enumerate(root.get(key, ()), start=1)]
        entities += lifted
        root |= {key: _references(lifted)} if lifted else {}
    software = {
        "@id": _SOFTWARE, "@type": "SoftwareApplication", "name": "Curtain", "version": version("curtain-woz"),
    }  # fmt: skip
    descriptor = {
        "@id": PATH,
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    graph = [descriptor, root, *parts, *people, *organisations, *agents, *actions, software, *entities]
    return pretty({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph})


def _actions(
    found: CorpusMetadata, creators: list[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what was done to make the corpus, in its order, and those who did it."""
    agents: dict[str, dict[str, Any]] = {}

    def people(names: Iterable[str], kind: str) -> list[dict[str, Any]]:
        made = [{"@id": f"#{kind.lower()}-{name}", "@type": kind, "name": name} for name in names]
        agents.update({entity["@id"]: entity for entity in made})
        return made

    sites = people(found.sites, "Organization")
    recorded = "Imported, recorded elsewhere" if found.imported else "Recorded with a Wizard of Oz"
    steps = (
        ("recording", recorded, [*sites, *people(found.recorded, "Person")]),
        ("transcription", "Transcribed", people(found.transcribed, "Person")),
        ("checking", "Transcriptions checked by a second person", people(found.checked, "Person")),
        ("release", "Released", creators),
    )
    actions: list[dict[str, Any]] = []
    for name, what, by in steps:
        if by:
            action: dict[str, Any] = {"@id": f"#{name}", "@type": "CreateAction", "name": what}
            action |= {"agent": _references(by), "instrument": {"@id": _SOFTWARE}, "result": {"@id": "./"}}
            action |= {"startTime": found.first, "endTime": found.last} if name == "recording" else {}
            action |= {"endTime": found.published} if name == "release" else {}
            actions.append(action)
    return actions, [*agents.values()]


def _parts(files: Mapping[str, FileEntry]) -> Iterable[dict[str, Any]]:
    for folder in sorted({path.partition("/")[0] for path in files if "/" in path}):
        yield {"@id": f"{folder}/", "@type": "Dataset", "name": folder}
    for path in sorted(path for path in files if "/" not in path):
        entry = files[path]
        yield {"@id": path, "@type": "File", "name": path, "contentSize": str(entry.bytes), "sha256": entry.sha256}


def _lifted(holder: dict[str, Any], key: str, name: str) -> dict[str, Any]:
    """A nested entity as one of its own, which an RO-Crate's flat graph asks for."""
    entity = holder[key] | {"@id": name}
    holder[key] = {"@id": name}
    return dict(entity)


def _references(entities: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    return [{"@id": str(entity["@id"])} for entity in entities]
