"""Readings of the demonstration corpus by other programs, as the table of docs/reference/formats/readers.md.

Run `PYTHON benchmarks/later_work/format_readers.py DEMO`, where PYTHON belongs to an environment that holds the readers and
nothing of Curtain, and DEMO was made by `curtain demo`. Each reader is an entry below; one that is not installed is said to be
missing. `DEMO READER…` has these alone, all of which must be there. The status is 1 where a reader found a fault or is missing
though it was named.
"""

import importlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

os.environ["HF_DATASETS_OFFLINE"] = "1"


class Demo:
    """The demonstration corpus, with the samples of each utterance as the bytes behind its SPHERE header."""

    def __init__(self, root: Path) -> None:
        self.root, self.formats = root, root / "formats"
        self.samples = {path.stem: path.read_bytes()[1024:] for path in root.glob("corpus/spon/**/*s.wav")}

    def files(self, pattern: str) -> list[str]:
        found = sorted(map(str, self.formats.glob(pattern)))
        assert found, pattern
        return found

    def is_at(self, whole: bytes, name: str, milliseconds: int) -> bool:
        """Return whether an utterance sounds at this place of a time line, give or take a millisecond."""
        data = self.samples[name]
        at = milliseconds * 16
        return any(whole[2 * place : 2 * place + len(data)] == data for place in range(max(0, at - 16), at + 17))


def riff_samples(data: bytes) -> bytes:
    import soundfile

    return soundfile.read(io.BytesIO(data), dtype="int16")[0].tobytes()


def sox(demo: Demo) -> str:
    same = 0
    for name, samples in demo.samples.items():
        (path,) = demo.root.glob(f"corpus/spon/**/{name}.wav")
        read = subprocess.run(["sox", "-t", "sph", str(path), "-t", "s16", "-"], capture_output=True, check=True)
        same += read.stdout == samples
    assert same == len(demo.samples)
    return f"{same} SPHERE files: every sample"


def bagit(demo: Demo) -> str:
    bag = importlib.import_module("bagit").Bag(str(demo.formats / "bagit"))
    bag.validate()
    return f"{len(bag.entries)} files: valid"


def frictionless(demo: Demo) -> str:
    report = importlib.import_module("frictionless").Package(str(demo.formats / "csv/datapackage.json")).validate()
    assert report.valid, report
    return ", ".join(f"{task.name}: {task.stats['rows']} rows" for task in report.tasks) + ": types, keys, constraints"


def praatio(demo: Demo) -> str:
    textgrid = importlib.import_module("praatio.textgrid")
    files = demo.files("textgrid/**/*.TextGrid")
    for path in files:
        textgrid.openTextgrid(path, includeEmptyIntervals=True)
    return f"{len(files)} TextGrids: opened strictly"


def pympi(demo: Demo) -> str:
    elan, found = importlib.import_module("pympi.Elan"), 0
    for path in demo.files("elan/*/*.eaf"):
        document = elan.Eaf(path)
        media = Path(path).parent / document.media_descriptors[0]["RELATIVE_MEDIA_URL"]
        whole = riff_samples(media.read_bytes())
        names = {begin: value for begin, _, value, *_ in document.get_ref_annotation_data_for_tier("utterance")}
        for begin, _, _ in document.get_annotation_data_for_tier("words"):
            assert demo.is_at(whole, f"{names[begin][:-1]}s", begin), (path, begin)
            found += 1
    return f"{found} utterances: each sounds where it stands"


def pylangacq(demo: Demo) -> str:
    read, found = importlib.import_module("pylangacq").read_chat, 0
    for path in demo.files("chat/*/*.cha"):
        whole = riff_samples(Path(path).with_suffix(".wav").read_bytes())
        for line in (line for line in read(path).utterances() if line.participant == "SUB"):
            words = [token.word for token in line.tokens if token.word != "."]
            assert words == line.tiers["%xsro"].split(), (path, words)
            assert demo.is_at(whole, f"{line.tiers['%xutt'][:-1]}s", line.time_marks[0]), path
            found += 1
    return f"{found} utterances: words, and each sounds where it stands"


def webdataset(demo: Demo) -> str:
    module, found = importlib.import_module("webdataset"), 0
    for path in demo.files("webdataset/*.tar"):
        for sample in module.WebDataset(path, shardshuffle=False):
            assert riff_samples(sample["wav"]) == demo.samples[sample["__key__"].rpartition("/")[2]]
            found += 1
    return f"{found} samples: every sample of the sound"


def lhotse(demo: Demo) -> str:
    """Manifests, whose names every call checks against each other, and the tars of Shar, read as streams."""
    module, found = importlib.import_module("lhotse"), []
    manifests = demo.formats / "lhotse"
    recordings = module.RecordingSet.from_file(manifests / "recordings.jsonl").with_path_prefix(manifests)
    supervisions = module.SupervisionSet.from_file(manifests / "supervisions.jsonl")
    module.validate_recordings_and_supervisions(recordings, supervisions, read_data=True)
    sets = [module.CutSet.from_manifests(recordings=recordings, supervisions=supervisions)]
    sets += [module.CutSet.from_shar(in_dir=demo.formats / "shar" / name) for name in ("train", "dev", "test")]
    for cuts in sets:
        found.append(0)
        for cut in cuts:
            told, sound = cut.supervisions[0], cut.load_audio()
            samples = demo.samples[told.recording_id if told.recording_id in demo.samples else told.id]
            assert (sound[0] * 32_768).round().astype("<i2").tobytes() == samples
            found[-1] += 1
    return f"{found[0]} cuts of manifests, {sum(found[1:])} of tars in {len(found) - 1} sets: valid, every sample"


def datasets(demo: Demo) -> str:
    module = importlib.import_module("datasets")
    read = module.load_dataset(str(demo.formats / "parquet"), cache_dir=str(demo.root.parent / "hf-cache"))
    for part in read.values():
        for row in part.cast_column("audio", module.Audio(decode=False)):
            assert riff_samples(row["audio"]["bytes"]) == demo.samples[row["utterance"]]
    shutil.rmtree(demo.root.parent / "hf-cache")
    return ", ".join(f"{name}: {len(part)} rows" for name, part in read.items()) + ": splits, every sample of the sound"


def jsonschema(demo: Demo) -> str:
    schema = json.loads((demo.formats / "dialogues/dialogue.schema.json").read_bytes())
    check = importlib.import_module("jsonschema").Draft202012Validator(schema)
    lines = (demo.formats / "dialogues/dialogues.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        check.validate(json.loads(line))
    return f"{len(lines)} dialogues: valid by their schema"


def rocrate(demo: Demo) -> str:
    crate = importlib.import_module("rocrate.rocrate").ROCrate(str(demo.formats / "csv"))
    return f"{len(list(crate.get_entities()))} entities: read"


def mlcroissant(demo: Demo) -> str:
    module, files = importlib.import_module("mlcroissant"), demo.files("*/croissant.json")
    for path in files:
        issues = module.Dataset(jsonld=path).metadata.issues
        assert not {*issues.errors, *issues.warnings}, issues
    return f"{len(files)} files: neither errors nor warnings"


def suite(demo: Demo) -> str:
    """The evaluator of Spider, SParC and CoSQL, test-suite-sql-eval, as nl2sql360 brings it."""
    sys.path += [
        f"{place}/evaluator" for place in importlib.import_module("nl2sql360").__path__
    ]  # alone: the rest wants more
    match = importlib.import_module("test_suite_sql_eval.exec_eval").eval_exec_match
    pairs = json.loads((demo.formats / "text2sql/spider.json").read_bytes())
    queries = [pair["query"] for pair in pairs]
    (database,) = demo.files("text2sql/database/*/*.sqlite")
    assert all(match(database, query, query, False, False, False) for query in queries)
    others = [(one, other) for one, other in zip(queries, queries[7:], strict=False) if one != other]
    passed = sum(match(database, other, one, False, False, False) for one, other in others)
    return f"{len(queries)} pairs: each query right for itself, that of another request {passed} times of {len(others)}"


READERS: dict[str, tuple[str, Callable[[Demo], str]]] = {
    "sox": ("corpus", sox),
    "praatio": ("`textgrid`", praatio),
    "pympi-ling": ("`elan`", pympi),
    "pylangacq": ("`chat`", pylangacq),
    "webdataset": ("`webdataset`", webdataset),
    "lhotse": ("`lhotse`, `shar`", lhotse),
    "datasets": ("`parquet`", datasets),
    "bagit": ("`bagit`", bagit),
    "frictionless": ("`csv`", frictionless),
    "jsonschema": ("`dialogues`", jsonschema),
    "nl2sql360": ("`text2sql`", suite),
    "mlcroissant": ("`croissant.json`", mlcroissant),
    "rocrate": ("`ro-crate-metadata.json`", rocrate),
}
"""Readers by the names of their distributions: what they read, and how."""


def version_of(name: str) -> str:
    """Return the version of a reader; raises PackageNotFoundError or OSError where it is not there."""
    if name != "sox":
        return version(name)
    told = subprocess.run(["sox", "--version"], capture_output=True, text=True, check=True)
    return told.stdout.split()[-1].removeprefix("v")


def main() -> int:
    demo, status = Demo(Path(sys.argv[1]).resolve()), 0
    print("| reader | version | format | data loaded and compared |\n| --- | --- | --- | --- |")
    named = sys.argv[2:]
    for name, (form, read) in READERS.items():
        if named and name not in named:
            continue
        try:
            print(f"| {name} | {version_of(name)} | {form} | {read(demo)} |", flush=True)
        except (PackageNotFoundError, OSError):
            status = max(status, int(bool(named)))
            print(f"| {name} | missing | {form} | |")
        except Exception as fault:  # noqa: BLE001  # whatever a reader raises is its finding
            status = 1
            print(f"| {name} | {version_of(name)} | {form} | FAULT {type(fault).__name__}: {str(fault)[:200]} |")
    return status


if __name__ == "__main__":
    sys.exit(main())
