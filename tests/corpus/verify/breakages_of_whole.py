"""The ways to break what tells of the corpus as a whole, and what is masked in it."""

import os
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from corpus.annotation import masked_sound
from corpus.dataset import subset
from corpus.formats import layout, manifest
from corpus.io.safe_open import LARGEST, LARGEST_ANSWER, LARGEST_TABLE, LARGEST_WORDS
from tests.corpus.sessions import FILES
from tests.corpus.verify.broken import LOG, LSN, ONE, PROTOCOL, SPEAKERS, SRO, WAV, Breakage, Corpus


def gone(form: str = "curtain-removals-1", **more: Any) -> bytes:
    gone = {"speaker": "8k9", "site": "bbn", "withdrawn": "2026-11-21", "sessions": [], "utterances": [], "files": []}
    return msgspec.json.encode({"format": form, "removals": [gone | more]})


def _renames(form: str = "curtain-renames-1", **more: Any) -> bytes:
    one = {"site": "bbn", "old": "8k7", "new": "8k8", "renamed": "2026-11-22", "sessions": ["bbn-20261121-1"]}
    return msgspec.json.encode({"format": form, "renames": [one | more]})


def _sets(of: str) -> bytes:
    sets = {"8k8": "release"} | ({"8k9": of} if of else {})
    return msgspec.json.encode({"format": "curtain-holdout-1", "seed": "1", "sets": sets, "of": "release"})


def _index(corpus: Corpus, change: Callable[[list[str]], list[str]]) -> None:
    """The corpus as a part, with its index when that was changed."""
    corpus.write("doc/holdout.json", _sets("release"))
    summary = subset.TextSummary()
    for path in sorted(corpus.root.glob("spon/*/*/*.log")):
        summary.add(path.relative_to(corpus.root).as_posix(), path.read_bytes())
    corpus.write("doc/release.ndx", "\n".join((*change(sorted(summary.data)), "")).encode())


PRACTICE = "unnumbered/bbn-20261121-1/8k8P1-s.wav"


def _header_changed(corpus: Corpus) -> None:
    corpus.alter(WAV, lambda data: data.replace(b"spontaneous", b"spontaneouS"))


def _practice(corpus: Corpus) -> bytes:
    return (corpus.root / WAV).read_bytes()


def _then(corpus: Corpus, path: str, made: Callable[[Corpus], bytes]) -> None:
    """A file that the manifest lists, and a change of one byte of it afterwards."""
    corpus.write(path, made(corpus))
    corpus.reseal()
    corpus.alter(path, lambda data: data[:-2] + bytes([data[-2] ^ 1]) + data[-1:])


def _endless(name: str, path: str, largest: int) -> Breakage:
    return Breakage(name, "file.unreadable", lambda c: os.truncate(c.root / path, largest + 1), resealed=False)


WHOLE = [
    _endless("gigabytes of nothing", WAV, LARGEST),
    _endless("words without end in one utterance", SRO, LARGEST_WORDS),
    _endless("a remark without end", f"{ONE}/8k8001sx.com", LARGEST_TABLE),
    _endless("speakers without end", SPEAKERS, LARGEST_TABLE),
    Breakage(
        "assignments without end",
        "file.unreadable",
        lambda c: (c.write("doc/holdout.json", b"{"), os.truncate(c.root / "doc/holdout.json", LARGEST_ANSWER + 1)),
        resealed=False,
    ),
    Breakage("no manifest", "manifest.missing", lambda c: c.remove("manifest.json")),
    Breakage("initial data", "manifest.initial", lambda c: c.strip(), resealed=False),
    Breakage("initial data without a protocol", "log.protocol-absent", lambda c: c.strip(), resealed=False),
    Breakage("a manifest cut off", "manifest.form", lambda c: c.write("manifest.json", b'{"format": "cur')),
    Breakage(
        "a manifest of another format", "manifest.form", lambda c: c.edit("manifest.json", "curtain-corpus-1", "bag")
    ),
    Breakage(
        "another date of a transcription",
        "manifest.seal",
        lambda c: c.edit("manifest.json", "2026-12-01T", "2026-12-09T"),
        resealed=False,
    ),
    Breakage(
        "another head of a chain", "manifest.seal", lambda c: c.edit("manifest.json", "f6f6", "f6f7"), resealed=False
    ),
    Breakage(
        "a seal cut short", "manifest.seal", lambda c: c.edit("manifest.json", r'[0-9a-f]"\n}', '"\n}'), resealed=False
    ),
    Breakage(
        "a manifest that leads out of the corpus",
        "manifest.form",
        lambda c: c.set_manifest(files=c.manifest().files | {"../../etc/passwd": manifest.entry_of(b"")}),
        resealed=False,
    ),
    Breakage("a listed file lost", "manifest.absent", lambda c: c.remove(LSN), resealed=False),
    Breakage("a file slipped in", "manifest.unlisted", lambda c: c.write("doc/readme.doc", b"a\n"), resealed=False),
    Breakage("a file longer than listed", "manifest.size", lambda c: c.edit(SRO, "please", "pleased"), resealed=False),
    Breakage("a file changed in place", "manifest.hash", lambda c: c.edit(SRO, "denver", "dallas"), resealed=False),
    Breakage(
        "a waveform changed in place",
        "manifest.hash",
        lambda c: c.alter(WAV, lambda b: b[:-2] + b"ab"),
        resealed=False,
    ),
    Breakage("a header changed in place", "manifest.hash", _header_changed, resealed=False),
    Breakage(
        "the hash of a header made another one",
        "manifest.hash",
        lambda c: c.mark(WAV, header="0" * 64),
        resealed=False,
    ),
    Breakage(
        "the hash of a file with no header listed made another one",
        "manifest.hash",
        lambda c: c.mark(WAV, header="", sha256="0" * 64),
        resealed=False,
    ),
    Breakage(
        "an unnumbered take changed in place", "manifest.hash", lambda c: _then(c, PRACTICE, _practice), resealed=False
    ),
    Breakage("an unnumbered take cut off", "wave.length", lambda c: c.write(PRACTICE, _practice(c)[:-10])),
    Breakage("an unnumbered take that is none", "wave.form", lambda c: c.write(PRACTICE, b"practice\n")),
    Breakage(
        "an unnumbered take with other samples",
        "wave.checksum",
        lambda c: c.write(PRACTICE, _practice(c)[:-2] + b"ab"),
    ),
    Breakage(
        "a site's own words changed in place",
        "manifest.hash",
        lambda c: _then(c, "doc/readme.doc", lambda c: b"collected in May\n"),
        resealed=False,
    ),
    Breakage(
        "an unknown file changed in place",
        "manifest.hash",
        lambda c: _then(c, "doc/map.txt", lambda c: b"x\n"),
        resealed=False,
    ),
    Breakage("a scenario that is not here", "manifest.scenario", lambda c: c.session(scenarios=(1, 2, 3))),
    Breakage("a rehearsal", "manifest.rehearsal", lambda c: c.set_manifest(rehearsal=True)),
    Breakage("a changed event", "manifest.damage", lambda c: c.session(damage=("event 7 was changed",))),
    Breakage("a pilot", "manifest.pilot", lambda c: c.session(pilot=True)),
    Breakage("no lexicon", "lexicon.missing", lambda c: c.remove("doc/lexicon.doc")),
    Breakage("a lexicon without counts", "lexicon.form", lambda c: c.edit("doc/lexicon.doc", "^boston\t.*", "boston")),
    Breakage(
        "a lexicon out of order", "lexicon.form", lambda c: c.edit("doc/lexicon.doc", "^(boston.*\n)(.*\n)", r"\2\1")
    ),
    Breakage("a word too many", "lexicon.counts", lambda c: c.edit("doc/lexicon.doc", "^boston\t.*", "boston\t99")),
    Breakage("a word that nobody said", "lexicon.counts", lambda c: c.edit("doc/lexicon.doc", "^boston\t", "bostom\t")),
    Breakage("a removal list that is none", "removals.form", lambda c: c.write("removals.json", b"[]")),
    Breakage(
        "a removal list of the future", "removals.form", lambda c: c.write("removals.json", gone("curtain-removals-9"))
    ),
    Breakage(
        "a removal list that leads out of the corpus",
        "removals.form",
        lambda c: c.write("removals.json", gone(files=["../elsewhere/8k9011ss.wav"])),
    ),
    Breakage("a person who has withdrawn", "removals.here", lambda c: c.write("removals.json", gone())),
    Breakage(
        "a licence that is none", "metadata.form", lambda c: c.write("doc/metadata/bbn.json", b'{"licence": "free"}')
    ),
    Breakage("renames that are none", "renames.form", lambda c: c.write("renames.json", b"[]")),
    Breakage("renames of the future", "renames.form", lambda c: c.write("renames.json", _renames("curtain-renames-9"))),
    Breakage("a rename to no id", "renames.form", lambda c: c.write("renames.json", _renames(new="8K"))),
    Breakage("a rename of no session", "renames.form", lambda c: c.write("renames.json", _renames(sessions=["../x"]))),
    Breakage("a person with the id of before", "renames.here", lambda c: c.write("renames.json", _renames(new="9a1"))),
    Breakage("assignments that are none", "sets.form", lambda c: c.write("doc/holdout.json", b"{}")),
    Breakage(
        "a speaker of the test pool in a release", "sets.speaker", lambda c: c.write("doc/holdout.json", _sets("pool"))
    ),
    Breakage("a speaker of no set in a release", "sets.speaker", lambda c: c.write("doc/holdout.json", _sets(""))),
    Breakage("a part without an index", "sets.index", lambda c: c.write("doc/holdout.json", _sets("release"))),
    Breakage(
        "answers in a test pool",
        "sets.blind",
        lambda c: c.write("doc/holdout.json", _sets("pool").replace(b'"of":"release"', b'"of":"pool"')),
    ),
    Breakage("an index of a whole corpus", "sets.index", lambda c: c.write("doc/pool.ndx", b";; nothing\n")),
    Breakage("an index of something else", "sets.index", lambda c: _index(c, lambda lines: [*lines, "spon/8k8/1/x"])),
    Breakage("an index out of order", "sets.index", lambda c: _index(c, lambda lines: lines[::-1])),
    Breakage("an index that lacks an utterance", "sets.index", lambda c: _index(c, lambda lines: lines[1:])),
    Breakage(
        "an index with one too many", "sets.index", lambda c: _index(c, lambda lines: [*lines, "spon/zzz/1/zzz011sx"])
    ),
    Breakage(
        "an index with an invalid scenario",
        "sets.index",
        lambda c: (_index(c, lambda lines: lines), c.edit(LOG, r"^(\[Outcome:\]) \S+", r"\1 invalidated")),
    ),
    Breakage("no speaker table", "speakers.missing", lambda c: c.remove(SPEAKERS)),
    Breakage("a speaker table without columns", "speakers.form", lambda c: c.edit(SPEAKERS, "^speaker\t", "who\t")),
    Breakage("an age in words", "speakers.form", lambda c: c.edit(SPEAKERS, "\t31\t", "\told\t")),
    Breakage("an unknown speaker", "speakers.unknown", lambda c: c.edit(SPEAKERS, "^8k9.*\n", "")),
    Breakage("a speaker without speech", "speakers.surplus", lambda c: c.edit(SPEAKERS, "^8k9", "8ka")),
    Breakage("a protocol cut off", "protocol.form", lambda c: c.write(PROTOCOL, b'{"site": "bbn"}\n')),
    Breakage(
        "a protocol under another name", "protocol.hash", lambda c: c.edit(PROTOCOL, '"sha256": "c3', '"sha256": "d3')
    ),
    Breakage(
        "a file of a protocol altered",
        "protocol.hash",
        lambda c: c.write(layout.protocol_file("study.toml", FILES["study.toml"]), b"other\n"),
    ),
    Breakage("a lost protocol", "log.protocol", lambda c: c.remove(PROTOCOL)),
    Breakage("no README", "readme.missing", lambda c: c.remove("README.txt")),
]


def _bleep(corpus: Corpus, path: str = WAV) -> None:
    """Mask samples 100 to 900 as the transcription desk does."""
    data, placed = masked_sound.masked_wave((corpus.root / path).read_bytes(), path, [(100, 900)], 16_000)
    corpus.write(path, data)
    corpus.mark(path, masked=placed)


def _bleep_badly(corpus: Corpus) -> None:
    _bleep(corpus)
    corpus.samples(WAV, lambda samples: np.where(np.arange(len(samples)) == 500, samples + 9, samples))


WORK = manifest.Provenance("anna", "2026-12-01T10:00:00Z")
MASKS = [
    Breakage("a tone with something through it", "wave.mask", _bleep_badly),
    Breakage("a mask that never was", "wave.mask", lambda c: c.mark(WAV, masked=((100, 900),))),
    Breakage("a mask beyond the end", "wave.mask", lambda c: c.mark(WAV, masked=((100, 10**9),))),
    Breakage("a masked waveform", "wave.masked", _bleep),
    Breakage("a masked waveform, its text not", "sro.masks", _bleep),
    Breakage("a masked text, its waveform not", "sro.masks", lambda c: c.edit(SRO, "boston", "[masked]")),
    Breakage("a name marked and not masked", "sro.identifying", lambda c: c.edit(SRO, "boston", "{{ boston }}")),
    Breakage("a transcription nobody checked", "sro.unchecked", lambda c: c.mark(SRO, work=WORK)),
    Breakage(
        "a transcription checked by its maker",
        "sro.checker",
        lambda c: c.mark(SRO, work=msgspec.structs.replace(WORK, checker="anna", checked="2026-12-02T10:00:00Z")),
    ),
]
