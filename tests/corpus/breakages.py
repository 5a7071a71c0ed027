"""The ways to break a corpus: each names the rule that must catch it."""

import os

import msgspec
import numpy as np

from corpus import manifest, masking, riff, sphere
from corpus.inside import LARGEST
from tests.corpus.broken import CAT, CROWN, DRAFT, LOG, LSN, ONE, PROTOCOL, SPEAKERS, SQL, SRO, WAV, Breakage, Corpus
from tests.corpus.sessions import FILES


def log_edit(name: str, rule: str, old: str, new: str, path: str = LOG) -> Breakage:
    return Breakage(name, rule, lambda c: c.edit(path, old, new))


def _gone(form: str) -> bytes:
    gone = {"speaker": "8k9", "site": "bbn", "withdrawn": "2026-11-21", "sessions": [], "utterances": [], "files": []}
    return msgspec.json.encode({"format": form, "removals": [gone]})


def _sets(of: str) -> bytes:
    sets = {"8k8": "release"} | ({"8k9": of} if of else {})
    return msgspec.json.encode({"format": "curtain-holdout-1", "seed": "1", "sets": sets, "of": "release"})


def _clip(samples: np.ndarray) -> np.ndarray:
    return np.clip(samples.astype(int) * 30, -32768, 32767)


def _riff(corpus: Corpus, path: str) -> None:
    corpus.write(path, riff.render(riff.pcm_file(sphere.read(corpus.root / path).data, 16000)))


NAMES = [
    Breakage("capitals in a name", "name.form", lambda c: c.move(WAV, f"{ONE}/8K8011SS.wav")),
    Breakage("scenario 0 in a name", "name.form", lambda c: c.move(WAV, f"{ONE}/8k8010ss.wav")),
    Breakage("an unknown microphone", "name.form", lambda c: c.move(WAV, f"{ONE}/8k8011st.wav")),
    Breakage("a waveform of all microphones", "name.form", lambda c: c.move(WAV, f"{ONE}/8k8011sx.wav")),
    Breakage("a transcription of one microphone", "name.form", lambda c: c.move(SRO, f"{ONE}/8k8011ss.sro")),
    Breakage("a log with an utterance number", "name.form", lambda c: c.move(LOG, f"{ONE}/8k8011sx.log")),
    Breakage(
        "a file in another speaker's directory", "name.directory", lambda c: c.move(WAV, "spon/8k9/1/8k8011ss.wav")
    ),
    Breakage(
        "a file in another scenario's directory", "name.directory", lambda c: c.move(SRO, "spon/8k8/2/8k8011sx.sro")
    ),
    Breakage("a file too deep", "name.directory", lambda c: c.move(SRO, f"{ONE}/old/8k8011sx.sro")),
    Breakage(
        "a voice-only file among spontaneous ones", "name.directory", lambda c: c.move(SRO, f"{ONE}/8k8011vx.sro")
    ),
    Breakage("an editor's backup", "file.unknown", lambda c: c.write(f"{ONE}/8k8011sx.sro~", b"old\n")),
    Breakage("a file of an unknown type", "file.unknown", lambda c: c.write(f"{ONE}/8k8011ss.mp3", b"x")),
    Breakage("a stray directory", "file.unknown", lambda c: c.write("old/notes.txt", b"x\n")),
    Breakage("a name that is no Unicode", "file.unknown", lambda c: c.write("doc/\udcff.txt", b"x\n"), resealed=False),
    Breakage("a symbolic link", "file.link", lambda c: (c.root / "doc/link").symlink_to(c.root / LOG)),
    Breakage("an empty file", "file.empty", lambda c: c.write(f"{ONE}/8k8021sx.sro", b"")),
]
SETS = [
    Breakage("a lost log", "set.log-missing", lambda c: c.remove(LOG)),
    Breakage("a lost waveform", "set.waveform-missing", lambda c: c.remove(f"{ONE}/8k8021ss.wav")),
    Breakage("a lost second channel", "set.waveform-missing", lambda c: c.remove(CROWN)),
    Breakage(
        "a waveform lost together with the log", "set.waveform-missing", lambda c: c.remove(LOG, f"{ONE}/8k8021ss.wav")
    ),
    Breakage("an utterance never transcribed", "set.transcription-missing", lambda c: c.remove(SRO, LSN)),
    Breakage("a lost .lsn", "set.lexical-missing", lambda c: c.remove(LSN)),
    Breakage("a lost .sro", "set.lexical-alone", lambda c: c.remove(SRO)),
    Breakage(
        "files of an utterance that was never spoken", "set.unlogged", lambda c: c.write(f"{ONE}/8k8091sx.sro", b"a\n")
    ),
    Breakage("a second channel alone", "set.second-alone", lambda c: c.remove(WAV)),
    Breakage(
        "audio withheld",
        "set.audio-withheld",
        lambda c: (c.remove(f"{ONE}/8k8021ss.wav"), c.set_manifest(withheld=(f"{ONE}/8k8021ss.wav",))),
    ),
]
WAVEFORMS = [
    Breakage("two waveforms swapped", "wave.identity", lambda c: c.swap(WAV, f"{ONE}/8k8021ss.wav")),
    Breakage("two channels swapped", "wave.identity", lambda c: c.swap(WAV, CROWN)),
    Breakage("another speaker in the header", "wave.identity", lambda c: c.header(WAV, "speaker_id", "8k9")),
    Breakage("another session in the header", "wave.identity", lambda c: c.header(WAV, "speaker_session_number", "2")),
    Breakage(
        "another utterance in the header", "wave.identity", lambda c: c.header(WAV, "session_utterance_number", "02")
    ),
    Breakage("a header without microphone", "wave.field-missing", lambda c: c.header(WAV, "microphone", None)),
    Breakage("a header without checksum", "wave.field-missing", lambda c: c.header(WAV, "sample_checksum", None)),
    Breakage("a cut-off waveform", "wave.length", lambda c: c.alter(WAV, lambda b: b[:-100])),
    Breakage("half a sample cut off", "wave.length", lambda c: c.alter(WAV, lambda b: b[:-1])),
    Breakage("half a sample too much", "wave.length", lambda c: c.alter(WAV, lambda b: b + b"\0")),
    Breakage(
        "a RIFF file that lost half a sample", "wave.length", lambda c: (_riff(c, WAV), c.alter(WAV, lambda b: b[:-1]))
    ),
    Breakage("trailing bytes", "wave.length", lambda c: c.alter(WAV, lambda b: b + b"\0\0")),
    Breakage("a header that counts wrong", "wave.length", lambda c: c.header(WAV, "sample_count", 11999)),
    Breakage("samples cut away neatly", "wave.count", lambda c: c.samples(WAV, lambda x: x[:-10])),
    Breakage("a wrong sampling rate", "wave.rate", lambda c: c.header(WAV, "sample_rate", 8000)),
    Breakage("two channels in a file", "wave.channels", lambda c: c.header(WAV, "channel_count", 2)),
    Breakage("8-bit samples", "wave.coding", lambda c: c.header(WAV, "sample_n_bytes", 1)),
    Breakage("another day in the header", "wave.date", lambda c: c.header(WAV, "recording_date", "20-Nov-2026")),
    Breakage("another time in the header", "wave.date", lambda c: c.header(WAV, "recording_time", "09:30:05.01")),
    Breakage("another microphone in the header", "wave.microphone", lambda c: c.header(WAV, "microphone", "Shure")),
    Breakage("one file in RIFF", "wave.mixed", lambda c: _riff(c, WAV)),
    Breakage("no SPHERE file", "wave.form", lambda c: c.write(WAV, b"not a waveform\n")),
    Breakage("a damaged header", "wave.form", lambda c: c.alter(WAV, lambda b: b.replace(b"-i", b"-q", 1))),
    Breakage(
        "a file through a text converter",
        "wave.form",
        lambda c: c.alter(WAV, lambda b: b.replace(b"\n", b"\r\n")),
    ),
    Breakage("a shortened file", "wave.form", lambda c: c.header(WAV, "sample_coding", "pcm,embedded-shorten-v2.00")),
    Breakage("a cut-off RIFF header", "wave.form", lambda c: c.write(WAV, b"RIFF\0\0\0\0WAVE")),
    Breakage("no samples", "wave.empty", lambda c: c.samples(WAV, lambda x: x[:0])),
    Breakage("a click of a waveform", "wave.short", lambda c: c.samples(WAV, lambda x: x[:800])),
    Breakage(
        "one altered sample",
        "wave.seal",
        lambda c: c.samples(WAV, lambda x: np.where(np.arange(len(x)) == 7, x + 1, x)),
    ),
    Breakage("speech replaced by other speech", "wave.seal", lambda c: c.samples(WAV, lambda x: x[::-1])),
    Breakage("a wrong checksum", "wave.checksum", lambda c: c.header(WAV, "sample_checksum", 1)),
    Breakage(
        "a bit flipped under the header",
        "wave.checksum",
        lambda c: c.alter(WAV, lambda b: b[:-1] + bytes([b[-1] ^ 16])),
    ),
    Breakage("a wrong maximum", "wave.extremes", lambda c: c.header(WAV, "sample_max", 32767)),
    Breakage("a dead microphone", "wave.silent", lambda c: c.samples(WAV, lambda x: x * 0)),
    Breakage("a faint hum", "wave.silent", lambda c: c.samples(WAV, lambda x: x % 8)),
    Breakage(
        "a clipped recording",
        "wave.clipped",
        lambda c: c.samples(WAV, _clip),
    ),
    Breakage(
        "a copy of another utterance",
        "wave.duplicate",
        lambda c: c.samples(WAV, lambda x: np.frombuffer(sphere.read(c.root / f"{ONE}/8k8021ss.wav").data, "<i2")),
    ),
]


def _drafted(corpus: Corpus, text: str) -> None:
    corpus.write(SRO, f"{text}\n".encode())
    corpus.mark(SRO, draft=True, work=None)


def _checked(corpus: Corpus, path: str) -> None:
    files = dict(corpus.manifest().files)
    files[path] = msgspec.structs.replace(files[path], draft=False)
    corpus.set_manifest(files=files)


def _other_words(corpus: Corpus) -> None:
    _checked(corpus, SRO)
    corpus.write(SRO, b"it was a red barn\n")


TEXTS = [
    Breakage("Latin-1", "text.encoding", lambda c: c.write(SRO, b"caf\xe9\n")),
    Breakage("decomposed accents", "text.unicode", lambda c: c.write(SRO, "cafe\u0301 please\n".encode())),
    Breakage("a byte order mark", "text.unicode", lambda c: c.write(SRO, "\ufeffshow me\n".encode())),
    Breakage(
        "a right-to-left override in a log",
        "text.unicode",
        lambda c: c.edit(LOG, "Two interviews", "Two \u202einterviews"),
    ),
    Breakage("a control character", "text.unicode", lambda c: c.edit(LOG, "Two interviews", "Two\x1b[2Jinterviews")),
    Breakage(
        "a replacement character", "text.replaced", lambda c: c.edit(f"{ONE}/8k8001sx.com", "hotels", "h\ufffdtels")
    ),
    Breakage("carriage returns", "text.line-ends", lambda c: c.edit(SRO, "\n", "\r\n")),
    Breakage("no last line end", "text.line-ends", lambda c: c.edit(LSN, "\n", "")),
    Breakage("digits", "sro.form", lambda c: c.edit(SRO, "flights", "flight 7")),
    Breakage("punctuation", "sro.form", lambda c: c.edit(SRO, "denver", "denver,")),
    Breakage("one star", "sro.form", lambda c: c.edit(SRO, "denver", "*denver")),
    Breakage("a deletion over two words", "sro.form", lambda c: c.edit(SRO, "show me", "<show me>")),
    Breakage("an unknown noise", "sro.form", lambda c: c.edit(SRO, "show", "[explosion] show")),
    Breakage("~ in the middle", "sro.form", lambda c: c.edit(SRO, "boston", "boston ~")),
    Breakage("an open noise", "sro.form", lambda c: c.edit(SRO, "boston", "[tap/] boston")),
    Breakage("a mark that spans lines wrongly", "sro.form", lambda c: c.write(SRO, b"show ~\nme flights\n")),
    Breakage("nothing in a transcription", "sro.empty", lambda c: c.write(SRO, b"\n")),
    Breakage("capitals", "sro.capitals", lambda c: c.edit(SRO, "boston", "Boston")),
    Breakage("two blanks", "sro.spacing", lambda c: c.edit(SRO, "show me", "show  me")),
    Breakage("two lines", "sro.spacing", lambda c: c.edit(SRO, "show me", "show\nme")),
    Breakage("a draft of another utterance", "sro.draft-differs", lambda c: _drafted(c, "what hotels are there")),
    Breakage(
        "a draft with a word changed",
        "sro.draft-differs",
        lambda c: _drafted(c, "show me flights from boston to dallas please"),
    ),
    Breakage(
        "a transcription that is a draft",
        "sro.draft",
        lambda c: _drafted(c, "show me flights from boston to denver please"),
    ),
    Breakage(
        "a checked transcription of another utterance",
        "sro.unlike",
        _other_words,
    ),
    Breakage("an uncertain stretch", "sro.uncertain", lambda c: c.edit(SRO, "boston", "(( boston ))")),
    Breakage("small letters in a .lsn", "lsn.form", lambda c: c.edit(LSN, "BOSTON", "boston")),
    Breakage("a noise in a .lsn", "lsn.form", lambda c: c.edit(LSN, "BOSTON", "BOSTON [uh]")),
    Breakage("a word changed in a .lsn", "lsn.derived", lambda c: c.edit(LSN, "BOSTON", "AUSTIN")),
    Breakage("a word dropped in a .lsn", "lsn.derived", lambda c: c.edit(LSN, "BOSTON ", "")),
    Breakage("an empty remark", "com.length", lambda c: c.write(f"{ONE}/8k8001sx.com", b"\n")),
    Breakage("an answer without its item", "squ.form", lambda c: c.edit("spon/8k8/2/8k8002sx.squ", r"^\[Item.*\n", "")),
]


ANSWERS = [
    Breakage("a class that is none", "cat.form", lambda c: c.edit(CAT, "A:", "B:")),
    Breakage("a tag that is none", "cat.form", lambda c: c.edit(CAT, "yes/no", "maybe")),
    Breakage("class X without a reason", "cat.form", lambda c: c.write(f"{ONE}/8k8041sx.cat", b"X:\n")),
    Breakage("a truncated utterance in class A", "cat.truncated", lambda c: c.write(f"{ONE}/8k8041sx.cat", b"A:\n")),
    Breakage(
        "class A with a context", "cat.context", lambda c: c.edit(CAT, "wh-question", "wh-question context-dep:Q1")
    ),
    Breakage("class D without a context", "cat.context", lambda c: c.edit(CAT, "A:", "D:")),
    Breakage("a context that comes later", "cat.context", lambda c: c.edit(f"{ONE}/8k8041sx.cat", "Q3", "Q5")),
    Breakage("a context of itself", "cat.context", lambda c: c.edit(f"{ONE}/8k8041sx.cat", "Q3", "Q4")),
    Breakage("answers of class X", "answer.class-x", lambda c: c.edit(CAT, "A: yes/no", "X: ill-formed")),
    Breakage("answers without a category", "answer.uncategorised", lambda c: c.remove(CAT)),
    Breakage("a lost maximal answer", "answer.incomplete", lambda c: c.remove(f"{ONE}/8k8011sx.rf2")),
    Breakage(
        "a reading without a statement",
        "answer.interpretations",
        lambda c: c.edit(SQL, "^SELECT D.*\n", ""),
    ),
    Breakage("an empty .win", "win.form", lambda c: c.write(f"{ONE}/8k8011sx.win", b"\n")),
    Breakage("two statements in a line", "sql.form", lambda c: c.edit(SQL, ";\n", "; ")),
    Breakage("an open quote in a .sq2", "sq2.form", lambda c: c.edit(f"{ONE}/8k8011sx.sq2", "stops", "'stops")),
    Breakage("an open bracket in a .ref", "ref.form", lambda c: c.edit(f"{ONE}/8k8011sx.ref", r"\(\(\(", "((((")),
    Breakage("an empty tuple in a .rf2", "rf2.form", lambda c: c.edit(f"{ONE}/8k8011sx.rf2", r"\(101 0\)", "()")),
    Breakage("a draft that is no answer", "draft.form", lambda c: c.edit(DRAFT, r"\)\)$", ")")),
    Breakage("a draft of no database", "draft.version", lambda c: c.edit(DRAFT, r"/\*.*\*/\n", "")),
    Breakage("a draft with an empty version", "draft.version", lambda c: c.edit(DRAFT, "air-1.0 ", "")),
    Breakage("a draft of no utterance", "draft.alone", lambda c: c.move(DRAFT, "doc/drafts/8k8zz1sx.ref")),
]
EARLIER = r"\g<1>2026-11-21T09:20:00.000000Z"
STAMP = r"2026-11-21T09:\S+Z"
LOGS = [
    log_edit("an unknown key", "log.form", r"^\[Attempt:\]", "[Try:]"),
    log_edit("a remark in a log", "log.form", r"^\[Number:\] 02", "nice one\n[Number:] 02"),
    log_edit("a result with a line too many", "log.form", r"^\[Result:\] 5", "[Result:] 4"),
    log_edit("a turn without its type", "log.form", r"^\[Response:\] answer\n", ""),
    log_edit("a stamp without its time", "log.form", rf"^\[Take_confirmed:\] {STAMP}", "[Take_confirmed:] soon"),
    log_edit("a log of no scenario", "log.form", r"^\[Scenario:\].*\n", ""),
    Breakage("two logs swapped", "log.identity", lambda c: c.swap(LOG, "spon/8k8/2/8k8002sx.log")),
    log_edit("another speaker's log", "log.identity", r"^\[Speaker:\] 8k8", "[Speaker:] 8k9"),
    log_edit("an operator that is none", "log.mode", "database=machine", "database=magic"),
    log_edit("a stage without operator", "log.mode", " database=machine", ""),
    log_edit("a gap in the numbers", "log.numbering", r"^\[Number:\] 03", "[Number:] 0a"),
    log_edit("a number given twice", "log.numbering", r"^\[Number:\] 03", "[Number:] 02"),
    log_edit("a take in two blocks", "log.take", r"^\[Take:\] 8k8A3", "[Take:] 8k8A2"),
    log_edit("two starts", "log.edges", r"^(\[Scenario_started:\].*\n)", r"\1\1"),
    log_edit(
        "an end before the start", "log.edges", r"^(\[Scenario_ended:\] )2026-11-21T09:30", r"\g<1>2026-11-21T08:30"
    ),
    log_edit("a scenario that never ended", "log.unfinished", r"^\[Scenario_ended:\].*\n\[Outcome:\].*\n", ""),
    log_edit("an utterance of nothing", "log.input", r"^\[Recording_begin:\].*\n(\[Channel.*\n)*\[Pre_roll.*\n", ""),
    log_edit(
        "a recording that ends before it begins",
        "log.order",
        r"^(\[Recording_end:\] )\S+",
        EARLIER,
    ),
    log_edit("a query before its sentence", "log.order", r"^(\[Query_returned:\] )\S+", EARLIER),
    log_edit(
        "an answer shown before it was sent",
        "log.order",
        r"^(\[Answer_shown:\] )\S+",
        EARLIER,
    ),
    log_edit("an answer found at another time", "log.order", r"^(\[Answer_found:\] )\S+", EARLIER),
    log_edit("a clock that was never compared", "log.placed", "±0.000700", "±?"),
    log_edit("a query before the subject saw the words", "log.echo", r"^\[Transcription_shown:\].*\n", ""),
    log_edit("a rewording in the open", "log.hidden", r"^(\[Sentence_sent:\].*) hidden", r"\1"),
    log_edit("a note in the open", "log.hidden", r"^(\[Note_written:\].*) hidden", r"\1"),
    log_edit("an answer found at no time", "log.end-to-end", r"^\[Answer_found:\].*\n", ""),
    log_edit(
        "an answer of no database", "log.database-version", r"^(\[Answer_found:\].*\n)\[Database_version:\].*\n", r"\1"
    ),
    log_edit("rows out of nowhere", "log.attempt", r"^(\[Query_returned:\].*\n\[Attempt:\]) \S+", r"\1 ghost"),
    log_edit(
        "an answer out of a failed query",
        "log.attempt",
        r"^\[Attempt:\] 8k8A1q2\n\[Answer_found:\].*\n",
        "[Attempt:] 8k8A1q1\n",
    ),
    log_edit("a ghost of a reply", "log.reply", r"^(\[Answer_shown:\].*\n\[Reply:\]) r1", r"\1 r99"),
    log_edit("a reply given twice", "log.reply", r"^\[Reply:\] r2\n\[Resp", "[Reply:] r1\n[Resp"),
    log_edit("an utterance without a reply", "log.unanswered", r"^\[Response:\] diagnostic", "[Response:] filler"),
    log_edit("another recording confirmed", "log.sealed", r"^(\[Take_confirmed:\].*\n\[Samples:\] s) \d+", r"\1 11999"),
    log_edit("a recording never confirmed", "log.unconfirmed", r"^\[Take_confirmed:\].*\n(\[Samples.*\n)+", ""),
    log_edit(
        "a gap in the sound",
        "log.trouble",
        r"^\[Take_confirmed:\]",
        "[Audio_troubled:] 2026-11-21T09:30:06.000000Z hub\n[Trouble:] gap\n[Channel:] s\n[At_sample:] 5\n"
        "[Trouble_samples:] 9\n[Take_confirmed:]",
    ),
    log_edit(
        "a fact erased",
        "log.redacted",
        r"^\[Scenario_started:\]",
        "[Redacted:] 2026-11-21T09:30:01.000000Z hub hidden\n[Of:] NoteWritten\n[Scenario_started:]",
    ),
    log_edit("a session that is not here", "log.session", r"^\[Session:\] \S+", "[Session:] bbn-20261121-9"),
    log_edit("another site", "log.session", r"^\[Site:\] bbn", "[Site:] sri"),
    log_edit("a pilot that says it is none", "log.session", r"^\[Pilot:\] no", "[Pilot:] yes"),
    log_edit("an unknown protocol", "log.protocol", r"^\[Protocol:\] c3", "[Protocol:] d3"),
]
WHOLE = [
    Breakage(
        "gigabytes of nothing",
        "file.unreadable",
        lambda c: os.truncate(c.root / SRO, LARGEST + 1),
        resealed=False,
    ),
    Breakage("no manifest", "manifest.missing", lambda c: c.remove("manifest.json")),
    Breakage("a manifest cut off", "manifest.form", lambda c: c.write("manifest.json", b'{"format": "cur')),
    Breakage(
        "a manifest of another format", "manifest.form", lambda c: c.edit("manifest.json", "curtain-corpus-1", "bag")
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
        "a removal list of the future", "removals.form", lambda c: c.write("removals.json", _gone("curtain-removals-9"))
    ),
    Breakage(
        "a person who has withdrawn", "removals.here", lambda c: c.write("removals.json", _gone("curtain-removals-1"))
    ),
    Breakage("assignments that are none", "sets.form", lambda c: c.write("doc/holdout.json", b"{}")),
    Breakage(
        "a speaker of the test pool in a release", "sets.speaker", lambda c: c.write("doc/holdout.json", _sets("pool"))
    ),
    Breakage("a speaker of no set in a release", "sets.speaker", lambda c: c.write("doc/holdout.json", _sets(""))),
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
        lambda c: c.write(f"doc/protocol/files/{FILES['study.toml']}", b"other\n"),
    ),
    Breakage("a lost protocol", "log.protocol", lambda c: c.remove(PROTOCOL)),
    Breakage("no README", "readme.missing", lambda c: c.remove("README.txt")),
]


def _bleep(corpus: Corpus, path: str = WAV) -> None:
    """Mask samples 100 to 900 as the transcription desk does."""
    data, placed = masking.masked_wave((corpus.root / path).read_bytes(), path, [(100, 900)], 16_000)
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

ALL = [*NAMES, *SETS, *WAVEFORMS, *TEXTS, *MASKS, *ANSWERS, *LOGS, *WHOLE]
