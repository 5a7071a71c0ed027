"""A good corpus with annotations, and tools to break it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from corpus.export.madcow import export
from corpus.formats import manifest, sphere
from corpus.formats.manifest import entry_of
from corpus.formats.sphere import SphereFile, Value
from tests.corpus.sessions import MemorySource, whole_session

ONE = "spon/8k8/1"
LOG = f"{ONE}/8k8001sx.log"
WAV = f"{ONE}/8k8011ss.wav"
CROWN = f"{ONE}/8k8011sc.wav"
SRO = f"{ONE}/8k8011sx.sro"
LSN = f"{ONE}/8k8011sx.lsn"
CAT = f"{ONE}/8k8011sx.cat"
SQL = f"{ONE}/8k8011sx.sql"
PROTOCOL = "doc/protocol/bbn_c3c3c3c3.json"
SPEAKERS = "doc/spkrinfo.log"
DRAFT = "doc/drafts/8k8011sx.drf"
CHECKED = manifest.Provenance("anna", "2026-12-01T10:00:00Z", "ben", "2026-12-02T10:00:00Z", 41.5)
ANNOTATIONS = {
    CAT: "A: yes/no\ninterp#1: yes/no\ninterp#2: wh-question\n",
    f"{ONE}/8k8011sx.win": "list flights from boston and to denver\nare there flights from boston and to denver\n",
    f"{ONE}/8k8011sx.sql": "SELECT flight_id FROM flight;\nSELECT DISTINCT 1 FROM flight;\n",
    f"{ONE}/8k8011sx.sq2": "SELECT flight_id, stops FROM flight;\n\nSELECT DISTINCT 1 FROM flight;\n",
    f"{ONE}/8k8011sx.ref": "(((101) (102)) OR YES)\n",
    f"{ONE}/8k8011sx.rf2": "(((101 0) (102 1)) OR YES)\n",
    f"{ONE}/8k8041sx.cat": "X: trunc-utt context-dependent:Q1|Q3\n",
}


class Corpus:
    """A corpus in a directory, with tools to damage it."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def edit(self, path: str, old: str, new: str, count: int = 1) -> None:
        """Substitute a pattern in a file; it must occur there."""
        text = (self.root / path).read_text("utf-8")
        changed = re.sub(old, new, text, count=count, flags=re.MULTILINE)
        assert changed != text, f"nothing to change in {path}"
        self.write(path, changed.encode("utf-8", "surrogatepass"))

    def write(self, path: str, data: bytes) -> None:
        """Write a file."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)

    def remove(self, *paths: str) -> None:
        """Remove files."""
        for path in paths:
            (self.root / path).unlink()

    def strip(self) -> None:
        """Leave the initial data alone."""
        for path in [path for path in self.root.rglob("*") if path.is_file()]:
            name = path.relative_to(self.root).as_posix()
            if name != SPEAKERS and not (name.startswith("spon/") and path.suffix in (".log", ".wav", ".sro")):
                path.unlink()
        for place in sorted((path for path in self.root.rglob("*") if path.is_dir()), reverse=True):
            if not any(place.iterdir()):
                place.rmdir()

    def move(self, old: str, new: str) -> None:
        """Rename a file."""
        data = (self.root / old).read_bytes()
        self.remove(old)
        self.write(new, data)

    def swap(self, one: str, two: str) -> None:
        """Exchange the contents of two files."""
        first, second = (self.root / one).read_bytes(), (self.root / two).read_bytes()
        self.write(one, second)
        self.write(two, first)

    def alter(self, path: str, change: Callable[[bytes], bytes]) -> None:
        """Change a file's bytes."""
        self.write(path, change((self.root / path).read_bytes()))

    def header(self, path: str, name: str, value: Value | None) -> None:
        """Set or remove one field, leaving the samples alone."""
        file = sphere.read(self.root / path)
        fields = tuple((field, value if field == name else old) for field, old in file.header.fields)
        kept = tuple((field, new) for field, new in fields if new is not None)
        self.write(path, sphere.render(SphereFile(sphere.fitting(kept), file.data)))

    def samples(self, path: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
        """Other samples under a header that agrees with them."""
        file = sphere.read(self.root / path)
        data = change(np.frombuffer(file.data, "<i2").copy()).astype("<i2").tobytes()
        values = np.frombuffer(data, "<i2") if data else np.zeros(1, "<i2")
        new = {
            "sample_count": len(data) // 2,
            "sample_min": int(values.min()),
            "sample_max": int(values.max()),
            "sample_checksum": int(np.frombuffer(data, "<u2").sum(dtype=np.uint64) & 0xFFFF),
        }
        fields = tuple((field, new.get(field, old)) for field, old in file.header.fields)
        self.write(path, sphere.render(SphereFile(sphere.fitting(fields), data)))

    def manifest(self) -> manifest.Manifest:
        """Return the manifest."""
        return manifest.parse((self.root / "manifest.json").read_bytes(), "manifest.json")

    def set_manifest(self, **changes: Any) -> None:
        """Change keys of the manifest."""
        self.write("manifest.json", manifest.render(msgspec.structs.replace(self.manifest(), **changes)))

    def session(self, **changes: Any) -> None:
        """Change the first session of the manifest."""
        first, *rest = self.manifest().sessions
        self.set_manifest(sessions=(msgspec.structs.replace(first, **changes), *rest))

    def mark(self, path: str, **marks: Any) -> None:
        """Let the manifest say something else of a file."""
        files = self.manifest().files
        self.set_manifest(files=files | {path: msgspec.structs.replace(files[path], **marks)})

    def reseal(self) -> None:
        """Make the manifest agree with what is there now."""
        if not (self.root / "manifest.json").is_file():
            return
        try:
            before = self.manifest()
        except ValueError:
            return
        files = {}
        for path in sorted(self.root.rglob("*")):
            name = str(path.relative_to(self.root))
            if path.is_file() and not path.is_symlink() and name != "manifest.json":
                files[name] = entry_of(path.read_bytes(), like=before.files.get(name))
        self.set_manifest(files=files)


def good_corpus(root: Path) -> Corpus:
    """Two speakers, four subject-scenarios, fourteen utterances, one with reference answers: nothing is to be found in it."""
    export(MemorySource(whole_session(), whole_session("bbn-20261122-1", "8k9")), root)
    corpus = Corpus(root)
    for path, text in ANNOTATIONS.items():
        corpus.write(path, text.encode())
    for path in sorted(corpus.manifest().files):
        if path.endswith(".sro"):
            corpus.write(path, (root / path).read_bytes().replace(b"(( ", b"").replace(b" ))", b""))
            corpus.mark(path, draft=False, work=CHECKED)
        elif path.endswith(".log") and path.startswith("spon") and b"Audio_troubled" in (root / path).read_bytes():
            corpus.edit(
                path, r"\[Audio_troubled:\].*\n(\[(Trouble|Channel|At_sample|Trouble_samples|Detail):\].*\n)+", ""
            )
    corpus.reseal()
    return corpus


@dataclass(frozen=True)
class Breakage:
    """One way to break a corpus, and the rule that must catch it; `resealed` as if somebody had made a new manifest."""

    name: str
    rule: str
    act: Callable[[Corpus], object]
    resealed: bool = True
