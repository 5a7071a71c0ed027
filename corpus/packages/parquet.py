"""Apache Parquet: tables of utterances with their sound, as Hugging Face's hub keeps data sets; needs the extra `parquet`.

A file holds about 64 MB of sound, one row an utterance, nothing compressed: sound hardly can be. The types of columns are in
the schema, also where every value is null, and as Hugging Face's features in its metadata, so that `audio` is taken for
sound.
"""

import io
from importlib import import_module
from types import ModuleType
from typing import Any

import msgspec

from corpus.description import card
from corpus.io.staging import Refused, Staging
from corpus.packages.package_writer import (
    Contents,
    PackageSummary,
    description_of,
    set_aside,
    speakers_of,
    spoken,
    title,
)
from corpus.packages.shards import SHARD_BYTES
from corpus.packages.speech_sets import SpeechSet, by_set, speech_sets
from corpus.packages.utterance_facts import facts_of

HOW = """\
Parquet: data/SET-NUMBER.parquet, SET being train, dev or test by whole speaker; test are those who are held out. One row an
utterance: `audio` has the bytes of a RIFF file and its name, `transcription` is the lexical form (.lsn), null where the words are
not known, `detailed` the detailed one (.sro).
    load_dataset("THIS-DIRECTORY")
    pyarrow.parquet.read_table("data/train-00000.parquet")"""
_EXTRA = "the extra parquet is not installed; pip install 'curtain-woz[parquet]'"
_COLUMNS = {
    "utterance": "string",
    "transcription": "string",
    "detailed": "string",
    "draft": "bool",
    "speaker": "string",
    "sex": "string",
    "age": "int64",
    "site": "string",
    "session": "string",
    "scenario": "string",
    "number": "int64",
    "response": "string",
    "class": "string",
    "seconds": "double",
}
"""The columns beside the sound, by the names of `facts_of`, and their types in Arrow."""
_OF_HUGGING_FACE = {"double": "float64"}
_SPLITS = {SpeechSet.DEVELOPMENT: "validation"}


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the card and the tables of each set; raises `Refused` without the extra."""
    arrow = arrow_library()
    found = list(spoken(contents))
    configs = ["configs:", "- config_name: default", "  data_files:"]
    for name, own in by_set(found, speech_sets(contents)):
        rows, held, number = list[dict[str, object]](), 0, 0
        for utterance, sound in zip(own, contents.sounds(utterance.path for utterance in own), strict=True):
            audio = {"bytes": sound.data, "path": f"{utterance.name}.wav"}
            rows.append({"audio": audio, **facts_of(utterance), "seconds": sound.seconds})
            held += len(sound.data)
            if held >= SHARD_BYTES:
                staging.write(_path(name, number), _table(rows, arrow))
                rows, held, number = [], 0, number + 1
        if rows:
            staging.write(_path(name, number), _table(rows, arrow))
        configs += [f"  - split: {_SPLITS.get(name, name)}", f'    path: "data/{name}-*.parquet"']
    staging.write("README.md", card.render(description_of(contents), len(found), configs, title(contents.corpus)))
    return PackageSummary(len(found), speakers_of(found), HOW, set_aside(contents))


def _path(name: SpeechSet, number: int) -> str:
    return f"data/{name}-{number:05}.parquet"


def arrow_library() -> ModuleType:
    """Load the extra: half a second, so only when it is asked for."""
    try:
        import_module("pyarrow.parquet")
    except ImportError:
        raise Refused(_EXTRA) from None
    return import_module("pyarrow")


def _table(rows: list[dict[str, object]], arrow: ModuleType) -> bytes:
    file = io.BytesIO()
    table = arrow.Table.from_pylist(rows, schema=_schema(arrow))
    arrow.parquet.write_table(table, file, compression="none", use_dictionary=False, row_group_size=1000)
    return file.getvalue()


def _schema(arrow: ModuleType) -> Any:
    sound = arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    features: dict[str, dict[str, str]] = {"audio": {"_type": "Audio"}}
    for column, kind in _COLUMNS.items():
        features[column] = {"dtype": _OF_HUGGING_FACE.get(kind, kind), "_type": "Value"}
    told = msgspec.json.encode({"info": {"features": features}})
    types = [("audio", sound), *((column, arrow.type_for_alias(kind)) for column, kind in _COLUMNS.items())]
    return arrow.schema(types, metadata={b"huggingface": told})
