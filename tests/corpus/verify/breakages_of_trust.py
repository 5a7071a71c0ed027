"""Ways to break a corpus of which nothing but the agreement of two places tells: whoever did it made the manifest again."""

import hashlib
import os
import tempfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from corpus.formats import layout, manifest, riff, sphere
from corpus.formats.sphere import SphereFile
from corpus.verify.verify import verify
from session.state.stage_operators import STAGES
from session.study import folder as studyfolder
from session.study.settings import Operators, Protocol
from session.values.vocabulary import Operator
from tests.corpus.verify.broken import DRAFT, LOG, ONE, PROTOCOL, SQL, SRO, WAV, Breakage, Corpus

OTHER = "spon/8k8/2/8k8002sx.log"
COM = f"{ONE}/8k8001sx.com"
REF, RF2 = f"{ONE}/8k8011sx.ref", f"{ONE}/8k8011sx.rf2"
TWO = f"{ONE}/8k8021ss.wav"


def _earlier(key: str, than: str) -> Breakage:
    """The first record of `key` behind that of `than` happened 1 ms before it, by clocks true to 0.1 ms."""

    def act(corpus: Corpus) -> None:
        head, found, tail = (corpus.root / LOG).read_text("utf-8").partition(f"\n[{than}:] ")
        stamp = tail.split(maxsplit=1)[0]
        moment = datetime.fromisoformat(stamp) - timedelta(milliseconds=1)
        before, name, after = tail.partition(f"\n[{key}:] ")
        moved = f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z{after[len(stamp) :]}"
        corpus.write(LOG, f"{head}{found}{before}{name}{moved}".encode())
        corpus.edit(LOG, r" ±\S+", " ±0.000100", count=0)

    return Breakage(f"1 ms backwards: {key} before {than}", "log.order", act)


def _header(name: str, key: str, value: str) -> Breakage:
    return Breakage(name, "log.protocol", lambda c: c.edit(LOG, rf"^\[{key}:\].*", f"[{key}:] {value}"))


def _work(name: str, rule: str = "manifest.marks", **changes: Any) -> Breakage:
    known = manifest.Provenance("anna", "2026-12-01T10:00:00Z", "ben", "2026-12-02T10:00:00Z", 4.0)
    return Breakage(name, rule, lambda c: c.mark(SRO, work=msgspec.structs.replace(known, **changes)))


def _without(name: str, rule: str, record: str, following: str) -> Breakage:
    """The first record of this kind, with its attributes, taken out up to the line that begins with `following`."""
    return Breakage(name, rule, lambda c: c.edit(LOG, rf"^\[{record}:\](.*\n)+?(?=\[{following})", ""))


def _of_machines(corpus: Corpus, hides_people: bool) -> None:
    """The profile has machines alone; people acted all the same, as the logs say."""
    path = corpus.root / PROTOCOL
    known = msgspec.json.decode(path.read_bytes(), type=Protocol)
    operators = Operators(**dict.fromkeys(STAGES, Operator.MACHINE))
    profile = msgspec.structs.replace(known.profile, deception=hides_people, operators=operators)
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(known, profile=profile)))


def _undisclosed(corpus: Corpus) -> None:
    _of_machines(corpus, hides_people=False)
    assert not any(finding.rule.startswith("log.deception") for finding in verify(corpus.root).findings), "so far true"
    corpus.edit(LOG, r"^\[Deception:\] yes", "[Deception:] no")


def _by_machines(corpus: Corpus, *deceived: str) -> None:
    """Nobody but machines acted; these logs say otherwise, as earlier versions did of profiles that hide people."""
    _of_machines(corpus, hides_people=True)
    for path in (LOG, OTHER):
        corpus.edit(path, r"^(\[\w+:\] \S+ )wizard", r"\1responder", count=0)
        if path not in deceived:
            corpus.edit(path, r"^\[Deception:\] yes", "[Deception:] no")


ORDER = [
    _earlier("Talk_released", "Talk_pressed"),
    _earlier("Take_confirmed", "Recording_end"),
    _earlier("Utterance_accepted", "Recording_end"),
    _earlier("Transcription_sent", "Recording_end"),
    _earlier("Transcription_shown", "Transcription_sent"),
    _earlier("Query_failed", "Sentence_sent"),
    _earlier("Answer_previewed", "Query_returned"),
    _earlier("Answer_returned", "Query_returned"),
    _earlier("Answer_shown", "Answer_returned"),
]
LOGS = [
    _without("a recording without its end", "log.sealed", "Recording_end", "Utterance_accepted"),
    _without("an utterance that nobody accepted", "log.input", "Utterance_accepted", "Transcription_sent"),
    Breakage("a channel without a seal", "log.sealed", lambda c: c.edit(LOG, r"^\[Samples:\] c .*\n", "", count=2)),
    Breakage("a seal of no number", "log.sealed", lambda c: c.edit(LOG, r" s 12000 ", " s 12x00 ", count=2)),
    Breakage("a seal that is none", "log.sealed", lambda c: c.edit(LOG, r"( s 12000) \S+", r"\1 none", count=2)),
    _header("a log that was never to show the words", "Echo", "never"),
    _header("a log of another profile", "Profile", "mit-1992 1"),
    _header("a log of another control of recording", "Recording_control", "hold"),
    _header("a log of another database", "Domain", "personnel"),
    _header("a log of a subject who was told", "Deception", "no"),
    _header("a log of another task", "Task", "hotels"),
    _header("a log of another day's flights", "Today", "1999-01-01"),
    _header("a log of another room", "Room", "attic"),
    _header("a log of another digitiser", "Digitiser", "none"),
    _header("a log of another microphone", "Microphone", "c Shure"),
    _header("a log of a scenario that nobody wrote", "Scenario", "hotels"),
    _header("a scenario under another title", "Title", "One interview"),
    _header("a scenario of another kind", "Scenario_kind", "problem"),
    _header("a scenario that not all subjects have", "Common", "no"),
    _header("a scenario with other words put in", "Binding", "A=Reno"),
    Breakage(
        "a scenario of other words", "log.protocol", lambda c: c.edit(LOG, "^. Plan flights", "| Plan no flights")
    ),
    Breakage("a scenario without its solution", "log.protocol", lambda c: c.edit(LOG, r"^\[End_to_end:\]\n", "")),
    Breakage(
        "a protocol with another scenario", "log.protocol", lambda c: c.edit(PROTOCOL, "Find the hub", "Find a hub")
    ),
    Breakage(
        "a log of another operator", "log.mode", lambda c: c.edit(LOG, "recognition=human", "recognition=machine")
    ),
    Breakage(
        "requests that nobody understood", "log.mode", lambda c: c.edit(LOG, r"understanding=\w+", "understanding=none")
    ),
    Breakage("a machine that never replied", "log.mode", lambda c: c.edit(LOG, "response=human", "response=corrected")),
    Breakage("a person who passed for a machine and is not told of", "log.deception", _undisclosed),
    Breakage("a person behind one log of two", "log.deception", lambda c: _by_machines(c, OTHER)),
    Breakage(
        "a person behind the logs who did nothing", "log.deception-unshown", lambda c: _by_machines(c, LOG, OTHER)
    ),
    Breakage("a log of another condition", "log.session", lambda c: c.edit(LOG, r"^(\[Condition:\]).*", r"\1 speech")),
    Breakage("a log of another pace", "log.session", lambda c: c.edit(LOG, r"^(\[Pace:\]).*", r"\1 3")),
]
CONSENT = [
    Breakage(
        "recorded before the consent",
        "log.consent",
        lambda c: c.edit(LOG, r"^\[Consent_given:\] \S+", "[Consent_given:] 2026-11-21T09:40:00.000000Z"),
    ),
    _without("a consent that is not there", "log.consent", "Consent_given", "Scenario_started"),
    Breakage("recorded against the person's will", "log.consent", lambda c: c.edit(LOG, "record=yes", "record=no")),
    Breakage(
        "words of a person who did not agree to hand them over",
        "set.text-refused",
        lambda c: c.edit(LOG, "record=yes", "publish_text=no"),
    ),
    Breakage(
        "a person who wanted everything erased",
        "set.text-refused",
        lambda c: c.edit(
            OTHER,
            r"^\[Scenario_ended:\] (\S+) ",
            r"[Withdrawal_requested:] \1 subject\n[Erase:] yes\n[Scenario_ended:] \1 ",
        ),
    ),
]
LISTED = [
    Breakage("a draft passed off as transcribed", "sro.maker", lambda c: c.mark(SRO, draft=False, work=None)),
    Breakage("a draft that was transcribed", "manifest.marks", lambda c: c.mark(SRO, draft=True)),
    Breakage("a mask of a transcription", "manifest.marks", lambda c: c.mark(SRO, masked=((1, 5),))),
    Breakage("a mask from back to front", "manifest.marks", lambda c: c.mark(WAV, masked=((900, 100),))),
    Breakage("a mask before the beginning", "manifest.marks", lambda c: c.mark(WAV, masked=((-5, 900),))),
    _work("checked before it was transcribed", checked="2026-11-30T09:00:00Z"),
    _work("transcribed before it was recorded", "sro.date", transcribed="2026-11-19T10:00:00Z"),
    _work("transcribed on no day", transcribed="yesterday"),
    _work("transcribed by nobody", transcriber=" "),
    _work("checked by nobody knows whom", checker=""),
    _work("less than no time of work", seconds=-1.0),
    Breakage(
        "a transcription checked by its maker in capitals",
        "sro.checker",
        lambda c: c.mark(SRO, work=manifest.Provenance("anna", "2026-12-01T10:00:00Z", "ANNA", "2026-12-02T10:00:00Z")),
    ),
    Breakage("a scenario listed twice", "manifest.sessions", lambda c: c.session(scenarios=(1, 1, 2))),
    Breakage("a withheld log", "manifest.left-out", lambda c: c.set_manifest(withheld=(f"{ONE}/8k8051sx.log",))),
    Breakage("a missing file of nowhere", "manifest.left-out", lambda c: c.set_manifest(missing=("../8k8051ss.wav",))),
    Breakage("a missing waveform that is here", "manifest.left-out", lambda c: c.set_manifest(missing=(WAV,))),
    Breakage(
        "a lost waveform passed off as withheld",
        "manifest.left-out",
        lambda c: (c.remove(TWO), c.set_manifest(withheld=(TWO,))),
    ),
    Breakage(
        "a seal taken off",
        "manifest.seal",
        lambda c: c.edit("manifest.json", r',\n "seal": "\w+"', ""),
        resealed=False,
    ),
]


def _field(corpus: Corpus) -> None:
    file = sphere.read(corpus.root / WAV)
    fields = (*file.header.fields, ("speaker_name", "Jane Smith"))
    corpus.write(WAV, sphere.render(SphereFile(sphere.fitting(fields), file.data)))


def _riff(corpus: Corpus) -> None:
    sound = riff.render(riff.pcm_file(bytes(sphere.read(corpus.root / WAV).data), 16_000))
    corpus.write(WAV, sound + b"LIST\x0e\0\0\0INFOIART\2\0\0\0JS")


def _link(corpus: Corpus, path: str, other: str) -> None:
    (corpus.root / other).unlink(missing_ok=True)
    os.link(corpus.root / path, corpus.root / other)


def _two_sites(corpus: Corpus) -> None:
    """The speaker's second scenario, as if an id had been given at two sites."""
    corpus.edit(OTHER, "bbn", "mit", count=0)
    first, *others = corpus.manifest().sessions
    moved = msgspec.structs.replace(first, session="mit-20261121-1", site="mit", scenarios=(2,))
    corpus.set_manifest(sessions=(msgspec.structs.replace(first, scenarios=(1,)), *others, moved))


def _rows_turned(corpus: Corpus) -> None:
    corpus.edit(DRAFT, "101", "999")
    corpus.edit(DRAFT, "102", "101")
    corpus.edit(DRAFT, "999", "102")


def _rounded(corpus: Corpus) -> None:
    corpus.write(SQL, b"SELECT ROUND(1.0 * 45 / 423, 4) FROM flight;\nSELECT DISTINCT 1 FROM flight;\n")
    corpus.write(REF, b"(((0.1064)) OR YES)\n")
    corpus.write(RF2, b"(((0.1064)) OR YES)\n")


def _unseen(name: str, character: str) -> Breakage:
    return Breakage(name, "text.unicode", lambda c: c.write(COM, f"wizard: fl{character}ights\n".encode()))


SURPLUS = [
    Breakage("a name in a header", "wave.surplus", _field),
    Breakage(
        "words behind a header", "wave.surplus", lambda c: c.alter(WAV, lambda b: b[:1012] + b"Jane Smith. " + b[1024:])
    ),
    Breakage("a name in a RIFF file", "wave.surplus", _riff),
    Breakage(
        "practice of somebody else",
        "wave.identity",
        lambda c: c.write("unnumbered/bbn-20261121-1/8k8P1-s.wav", (c.root / "spon/8k9/1/8k9011ss.wav").read_bytes()),
    ),
    Breakage("one transcription under two names", "file.link", lambda c: _link(c, SRO, f"{ONE}/8k8031sx.sro")),
    Breakage("one id at two sites", "speakers.site", _two_sites),
    _unseen("a soft hyphen", "\u00ad"),
    _unseen("tag characters", "\U000e0041"),
    _unseen("a letter that is not seen", "\u3164"),
]
ANSWERS = [
    Breakage("minimal and maximal answer swapped", "answer.minimum", lambda c: c.swap(REF, RF2)),
    Breakage("no answer as the maximum", "answer.minimum", lambda c: c.write(RF2, b"NO_ANSWER\n")),
    Breakage("a maximum of too few rows", "answer.minimum", lambda c: c.write(RF2, b"(((101 0)) OR YES)\n")),
    Breakage("a rounded answer", "ref.rounded", _rounded),
    Breakage("a statement that destroys", "sql.form", lambda c: c.write(SQL, b"DROP TABLE flight;\nSELECT 1;\n")),
    Breakage("a draft of another version", "draft.derived", lambda c: c.edit(DRAFT, "air-1.0", "air-9.9")),
    Breakage("a draft that lacks a row", "draft.derived", lambda c: c.edit(DRAFT, r'\(101 "XA" 120.5\)\n ', "")),
    Breakage("a draft with another value", "draft.derived", lambda c: c.edit(DRAFT, "120.5", "121.5")),
    Breakage("a draft of rows in another order", "draft.derived", _rows_turned),
    Breakage(
        "a draft with an alternative", "draft.derived", lambda c: c.edit(DRAFT, r"(?s)\n(\(.*\))", r"\n(\1 OR YES)")
    ),
    Breakage("a table of the log with another value", "draft.derived", lambda c: c.edit(LOG, r"^\| \[101,", "| [109,")),
    Breakage("a table of the log that is none", "draft.derived", lambda c: c.edit(LOG, r"^\| \[101,.*", "| 101")),
    Breakage(
        "a draft where no rows were sent",
        "draft.derived",
        lambda c: c.write("doc/drafts/8k8021sx.drf", b"/* draft; database air-1.0 */\n((1))\n"),
    ),
    Breakage(
        "an answer of another version than its query",
        "log.database-version",
        lambda c: c.edit(LOG, r"^(\[Answer_found:\].*\n\[Database_version:\]).*", r"\1 air-7"),
    ),
    Breakage("rows that nobody counted", "log.rows", lambda c: c.edit(LOG, r"^\[Row_count:\] 3", "[Row_count:] 7")),
]


def _remark(corpus: Corpus, line: bytes, remark: bytes) -> None:
    def act(data: bytes) -> bytes:
        return data[:1024].replace(line, remark)[:1024] + data[1024:]

    corpus.alter(WAV, act)


def _chunk(corpus: Corpus) -> None:
    sound = riff.render(riff.pcm_file(bytes(sphere.read(corpus.root / WAV).data), 16_000))
    corpus.write(WAV, sound[:36] + b"name\x0a\0\0\0Jane Smith" + sound[36:])


def other_protocol(corpus: Corpus, files: dict[str, bytes], **changes: Any) -> None:
    """A protocol of whose files all are here; what of it is changed, no file says."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            place = Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        study = studyfolder.load(Path(folder))
    protocol = msgspec.structs.replace(study.protocol("air-1.0"), **changes)
    corpus.write(layout.protocol_path(protocol.site, protocol.sha256), msgspec.json.encode(protocol))
    for name, data in files.items():
        corpus.write(layout.protocol_file(name, hashlib.sha256(data).hexdigest()), data)


STUDY = {
    "study.toml": b'site = "bbn"\nprofile = "plain"\ntoday = "1991-11-21"\n[[speakers]]\nfirst = "8k8"\nlast = "8kz"\n',
    "scenarios/hub.toml": b'id = "hub"\ntitle = "A hub"\nkind = "problem"\ntext = "Find the hub."\n',
    "canned_messages/none.toml": b'[[message]]\nid = "none"\ntext = "Nothing."\nreason = "r"\nresponse = "diagnostic"\n',
    "profiles/plain.toml": b'name = "plain"\nsteps = ["scenarios"]\nconsent = false\n',
    "consent.txt": b"You agree.\n",
}


def alias(corpus: Corpus) -> None:
    """Who is released was held out under the id of before."""
    sets = {"8k7": "pool", "8k8": "release", "8k9": "release"}
    held = msgspec.json.encode({"format": "curtain-holdout-1", "seed": "1", "sets": sets, "of": "release"})
    corpus.write("doc/holdout.json", held)
    one = {"site": "bbn", "old": "8k7", "new": "8k8", "renamed": "2026-11-22", "sessions": ["bbn-20261121-1"]}
    corpus.write("renames.json", msgspec.json.encode({"format": "curtain-renames-1", "renames": [one]}))


INSIDE = [
    Breakage(
        "a name in a remark of a header",
        "wave.surplus",
        lambda c: _remark(c, b"channel_count", b"; Jane\nchannel_count"),
    ),
    Breakage(
        "a name behind a number of a header",
        "wave.surplus",
        lambda c: _remark(c, b"count -i 1\n", b"count -i 1 ; Jane\n"),
    ),
    Breakage("a name before the samples of a RIFF file", "wave.surplus", _chunk),
    Breakage(
        "a person nobody knows at a desk",
        "log.role",
        lambda c: c.edit(LOG, r"^(\[Talk_pressed:\].*) subject", r"\1 guest"),
    ),
    Breakage(
        "an answer shown that nobody saw", "log.hidden", lambda c: c.edit(LOG, r"^(\[Answer_shown:\].*)", r"\1 hidden")
    ),
    Breakage(
        "an attempt made twice",
        "log.attempt",
        lambda c: c.edit(LOG, r"^(\[Sentence_sent:\](?:.*\n)+?)(?=\[Query)", r"\1\1"),
    ),
    Breakage("a waveform as a draft", "manifest.marks", lambda c: c.mark(WAV, draft=True)),
    Breakage("a draft answer passed off as one", "manifest.marks", lambda c: c.mark(DRAFT, draft=False)),
    Breakage(
        "a statement that destroys behind a name of its own",
        "sql.form",
        lambda c: c.write(SQL, b"WITH x AS (SELECT 1) DELETE FROM flight;\nSELECT 1;\n"),
    ),
    Breakage("one speaker in two sets by the id of before", "sets.renamed", alias),
    Breakage(
        "another text of consent than the study's",
        "protocol.derived",
        lambda c: other_protocol(c, STUDY, consent_text="No."),
    ),
    Breakage(
        "a protocol that names other files than its hash",
        "protocol.hash",
        lambda c: other_protocol(c, STUDY, sha256="ab" * 32),
    ),
]
TRUST = [*INSIDE, *ORDER, *LOGS, *CONSENT, *LISTED, *SURPLUS, *ANSWERS]
