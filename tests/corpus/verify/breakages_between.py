"""The ways to break what files, sessions and systems tell of one another, each file in order by itself."""

from typing import Any

import numpy as np

from corpus.formats import riff, sphere
from corpus.formats.sphere import SphereFile
from tests.corpus.verify.breakages_of_whole import PRACTICE, gone
from tests.corpus.verify.broken import CAT, LOG, ONE, SPEAKERS, SRO, WAV, Breakage, Corpus

TWO = "spon/8k8/2/8k8002sx.log"
NINTH = "spon/8k9/1/8k9001sx.log"


def _big_endian(corpus: Corpus) -> None:
    """Every figure of the header agrees with what a reader will hear, and none with what was said."""
    file = sphere.read(corpus.root / WAV)
    heard = np.frombuffer(file.data, ">i2")
    new = {
        "sample_byte_format": "10",
        "sample_min": int(heard.min()),
        "sample_max": int(heard.max()),
        "sample_checksum": int(np.frombuffer(file.data, ">u2").sum(dtype=np.uint64) & 0xFFFF),
    }
    fields = tuple((name, new.get(name, value)) for name, value in file.header.fields)
    corpus.write(WAV, sphere.render(SphereFile(sphere.fitting(fields), file.data)))  # type: ignore[arg-type]


def _swapped(corpus: Corpus, *paths: str) -> None:
    """The samples change places and the headers stay, each in agreement with what is under it now."""
    first, second = (sphere.read(corpus.root / path).data for path in paths)
    corpus.samples(paths[0], lambda _: np.frombuffer(second, "<i2"))
    corpus.samples(paths[1], lambda _: np.frombuffer(first, "<i2"))


def _renamed(corpus: Corpus, new: str) -> None:
    """A speaker's files under another id, all of them, by name and by the log."""
    for path in sorted(corpus.manifest().files):
        if path.startswith("spon/8k9/1/"):
            corpus.move(path, path.replace("8k9", new))
    corpus.edit(NINTH.replace("8k9", new), r"^\[Speaker:\] 8k9", f"[Speaker:] {new}")


def _visit(corpus: Corpus, name: str) -> None:
    """Another name of the first session, wherever it stands."""
    for path in (LOG, TWO):
        corpus.edit(path, r"^\[Session:\] .*", f"[Session:] {name}")
    corpus.session(session=name)


def _refused(corpus: Corpus, later: str = "no") -> None:
    """Sound is not to be handed over; only the last log of the session says so."""
    corpus.edit(
        TWO,
        r"^\[Scenario_started:\]",
        "[Consent_confirmed:] 2026-11-21T09:59:59.000000Z subject\n[Consent:] 2\n[Sha256:] "
        f"{'d4' * 32}\n[Scope_given:] publish_audio={later}\n[Scenario_started:]",
    )


def _removed(corpus: Corpus, **more: Any) -> None:
    corpus.write("removals.json", gone(**more))


def _one_as_riff(corpus: Corpus) -> None:
    """Two waveforms without a header that could tell, each in the place of the other."""
    _swapped(corpus, WAV, f"{ONE}/8k8021ss.wav")
    for path in (WAV, f"{ONE}/8k8021ss.wav"):
        corpus.write(path, riff.render(riff.pcm_file(bytes(sphere.read(corpus.root / path).data), 16_000)))


BETWEEN = [
    Breakage("names that differ in capitals", "name.portable", lambda c: [c.write(path, b"x") for path in _ALIKE]),  # type: ignore[has-type]
    Breakage("a speaker named after a device", "name.portable", lambda c: _renamed(c, "con")),
    Breakage("samples of two utterances swapped", "wave.seal", lambda c: _swapped(c, WAV, f"{ONE}/8k8021ss.wav")),
    Breakage("samples swapped without a header", "wave.seal", _one_as_riff),
    Breakage("a header that lies about the order of bytes", "wave.coding", _big_endian),
    Breakage("a name of an utterance as a number", "wave.identity", lambda c: c.header(WAV, "utterance_id", 8)),
    Breakage("a date of recording as a number", "wave.date", lambda c: c.header(WAV, "recording_date", 21)),
    Breakage("a blank speaker in a header", "wave.field-missing", lambda c: c.header(WAV, "speaker_id", "   ")),
    Breakage(
        "header and log that lie about the rate alike",
        "log.duration",
        lambda c: (c.header(WAV, "sample_rate", 1600), c.edit(LOG, r"^\[Channel:\] s 16000", "[Channel:] s 1600")),
    ),
    Breakage("a session of another site by its name", "log.session-name", lambda c: _visit(c, "sri-20261121-1")),
    Breakage("a session of another day by its name", "log.session-name", lambda c: _visit(c, "bbn-20261119-1")),
    Breakage("a session on a day that is none", "log.session-name", lambda c: _visit(c, "bbn-20261131-1")),
    Breakage("a session whose name is none", "log.session-name", lambda c: _visit(c, "friday")),
    Breakage(
        "a second scenario before the first",
        "log.sequence",
        lambda c: c.alter(TWO, lambda data: data.replace(b"2026-11-21T", b"2026-11-20T")),
    ),
    Breakage(
        "a second utterance before the first",
        "log.order",
        lambda c: c.edit(LOG, r"^(\[Number:\] 02\n.*\n\[Talk_pressed:\] )\S+", r"\g<1>2026-11-21T09:30:04.600000Z"),
    ),
    Breakage(
        "an utterance after the end of its scenario",
        "log.edges",
        lambda c: c.edit(LOG, r"^(\[Scenario_ended:\] )\S+", r"\g<1>2026-11-21T09:30:08.000000Z"),
    ),
    Breakage(
        "two sessions under one name",
        "manifest.sessions",
        lambda c: c.set_manifest(sessions=(*c.manifest().sessions, c.manifest().sessions[0])),
    ),
    Breakage("a chain without a head", "manifest.sessions", lambda c: c.session(chain_head="", origin="f9" * 32)),
    Breakage("a scenario that its session does not list", "log.session", lambda c: c.session(scenarios=(1,))),
    Breakage("a speaker of another site", "speakers.site", lambda c: c.edit(SPEAKERS, "\tbbn$", "\tsri")),
    Breakage("sound that was withheld, and is here", "set.audio-refused", lambda c: c.set_manifest(withheld=(WAV,))),
    Breakage("sound of a person who took it back at the end", "set.audio-refused", _refused),
    Breakage(
        "practice of a session that is not here",
        "set.unlogged",
        lambda c: c.write(PRACTICE.replace("1121-1", "1121-9").replace("8k8P1", "ghost"), b"x"),
    ),
    Breakage(
        "sound that a person took back",
        "removals.here",
        lambda c: _removed(c, speaker="8k8", scope="sound", files=[WAV]),
    ),
    Breakage(
        "practice of a person who has withdrawn",
        "removals.here",
        lambda c: (
            c.write(PRACTICE, (c.root / WAV).read_bytes()),
            _removed(c, speaker="8ka", sessions=["bbn-20261121-1"]),
        ),
    ),
    Breakage(
        "class D1 on an utterance long before",
        "cat.context",
        lambda c: c.write(f"{ONE}/8k8031sx.cat", b"D1: context-dependent:Q1\n"),
    ),
    Breakage(
        "a maximal statement without a reading",
        "answer.interpretations",
        lambda c: c.edit(f"{ONE}/8k8011sx.sq2", r"\A", "SELECT 1;\n\n"),
    ),
    Breakage(
        "a sentence without a reading",
        "answer.interpretations",
        lambda c: c.edit(f"{ONE}/8k8011sx.win", r"\A", "how many are there\n"),
    ),
    Breakage("nothing said where the wizard heard words", "sro.unlike", lambda c: c.write(SRO, b"~~\n")),
    Breakage(
        "a transcription that is a folder",
        "manifest.absent",
        lambda c: (c.remove(SRO), c.write(f"{SRO}/{CAT[-12:]}", b"x")),
        resealed=False,
    ),
    Breakage(
        "a folder of one speaker that is a link to another",
        "file.link",
        lambda c: (c.root / "spon/8ka").symlink_to(c.root / "spon/8k8"),
    ),
    Breakage("a name in decomposed letters", "file.unknown", lambda c: c.write("doc/re\u0301sume\u0301.txt", b"x\n")),
    Breakage("a name that ends in a period", "file.unknown", lambda c: c.write("doc/readme.doc.", b"x\n")),
    Breakage("a waveform name that ends in a blank", "name.form", lambda c: c.move(WAV, f"{ONE}/8k8011ss .wav")),
    Breakage(
        "a number without end in a manifest",
        "manifest.form",
        lambda c: c.edit("manifest.json", r'"pace": 1\.0', f'"pace": {"9" * 400}'),
    ),
    Breakage(
        "not a number in a manifest", "manifest.form", lambda c: c.edit("manifest.json", r'"pace": 1\.0', '"pace": NaN')
    ),
    Breakage(
        "a byte order mark before a manifest",
        "text.unicode",
        lambda c: c.alter("manifest.json", lambda data: b"\xef\xbb\xbf" + data),
        resealed=False,
    ),
]
_ALIKE = (PRACTICE, PRACTICE.replace("8k8P1", "8k8p1"))
