"""`croissant.json`: Croissant 1.0 (MLCommons), by which loaders of machine learning find the files and the columns of tables.

Tables are those at the top of a package or in the folder of a split, CSV or JSON lines; a column that holds lists or objects has
no type there and is left out.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

import msgspec

from corpus.description.citation import words
from corpus.description.corpus_metadata import CorpusMetadata
from corpus.description.schema_org import dataset, pretty
from corpus.formats.manifest import FileEntry

PATH = "croissant.json"
_TABLES = {".csv": "text/csv", ".jsonl": "application/jsonlines"}
_SOUND = (".wav", "audio/wav")
_TERMS = {
    "citeAs": "cr:citeAs", "column": "cr:column", "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
    "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format",
    "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
    "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "samplingRate": "cr:samplingRate",
    "equivalentProperty": "cr:equivalentProperty", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip


def render(found: CorpusMetadata, files: Mapping[str, FileEntry], read: Callable[[str], bytes]) -> bytes:
    """The bytes of the file; `read` gives those of a file of the package."""
    tables = sorted(path for path in files if path.count("/") < 2 and PurePosixPath(path).suffix in _TABLES)
    facts = dataset(found)
    context = {"@language": next(iter(found.languages), "en"), "@vocab": "https://schema.org/"} | _TERMS
    made: dict[str, Any] = {"@context": context, "@type": "sc:Dataset"}
    made |= {key: value for key, value in facts.items() if key not in ("@type", "citation")}
    made |= {
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": words(found),
        "url": found.page or f"mailto:{next(iter(found.contacts), '')}",
        "version": "1.0.0",
        "distribution": [*(_file(path, files[path]) for path in tables), *_sounds(files)],
    }
    records = [record for path in tables if (record := _records(path, read(path)))]
    return pretty(made | ({"recordSet": records} if records else {}))


def _file(path: str, entry: FileEntry) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{entry.bytes} B",
        "encodingFormat": _TABLES[PurePosixPath(path).suffix],
        "sha256": entry.sha256,
    }


def _sounds(files: Mapping[str, FileEntry]) -> Iterator[dict[str, Any]]:
    suffix, kind = _SOUND
    for folder in sorted({path.partition("/")[0] for path in files if path.endswith(suffix) and "/" in path}):
        name = f"{folder}-sound"
        yield {
            "@type": "cr:FileSet",
            "@id": name,
            "name": name,
            "encodingFormat": kind,
            "includes": f"{folder}/**/*{suffix}",
        }


def _records(path: str, data: bytes) -> dict[str, Any]:
    kinds = _of_csv(data) if path.endswith(".csv") else _of_lines(data)
    name = path.rpartition(".")[0].replace("/", "-")
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"{name}/{column}",
            "name": column,
            "dataType": kind,
            "source": {"fileObject": {"@id": path}, "extract": {"column": column}},
        }
        for column, kind in kinds.items()
    ]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields} if fields else {}


def _of_csv(data: bytes) -> dict[str, str]:
    """Texts all: an empty cell is not known, and a loader makes of a column what it is with the types of `datapackage.json`."""
    names = next(csv.reader(io.StringIO(data.decode())), [])
    return dict.fromkeys(names, "sc:Text")


def _of_lines(data: bytes) -> dict[str, str]:
    """The columns of JSON lines that have one plain type throughout; one that misses a number anywhere is left out."""
    kinds: dict[str, set[type]] = {}
    for line in data.splitlines():
        for key, value in msgspec.json.decode(line).items():
            kinds.setdefault(key, set()).add(type(value))
    names = {str: "sc:Text", bool: "sc:Boolean", int: "sc:Integer", float: "sc:Float"}
    plain = {key: found - {type(None)} if found <= {str, type(None)} else found for key, found in kinds.items()}
    return {
        key: names[kind] for key, found in plain.items() if len(found) == 1 and (kind := next(iter(found))) in names
    }
