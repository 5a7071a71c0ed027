"""The ways to break a corpus: each names the rule that must catch it."""

import os
from pathlib import Path

import msgspec
import numpy as np

from corpus.formats import riff, sphere
from tests.corpus.verify.breakages_between import BETWEEN
from tests.corpus.verify.breakages_of_speech import SPEECH
from tests.corpus.verify.breakages_of_trust import TRUST
from tests.corpus.verify.breakages_of_whole import MASKS, WHOLE
from tests.corpus.verify.broken import CAT, CROWN, DRAFT, LOG, LSN, ONE, SPEAKERS, SQL, SRO, WAV, Breakage, Corpus


def log_edit(name: str, rule: str, old: str, new: str, path: str = LOG) -> Breakage:
    return Breakage(name, rule, lambda c: c.edit(path, old, new))


def _clip(samples: np.ndarray) -> np.ndarray:
    return np.clip(samples.astype(int) * 30, -32768, 32767)


def _riff(corpus: Corpus, path: str) -> None:
    corpus.write(path, riff.render(riff.pcm_file(bytes(sphere.read(corpus.root / path).data), 16000)))


def _long_path(root: Path) -> None:
    """A directory whose path has more than 4,096 bytes, made from within, for no call takes such a path."""
    opened = os.open(root, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("x" * 250, dir_fd=opened)
        below = os.open("x" * 250, os.O_RDONLY, dir_fd=opened)
        os.close(opened)
        opened = below
    os.close(opened)


NAMES = [
    Breakage("capitals in a name", "name.form", lambda c: c.move(WAV, f"{ONE}/8K8011SS.wav")),
    Breakage("scenario 0 in a name", "name.form", lambda c: c.move(WAV, f"{ONE}/8k8010ss.wav")),
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
    Breakage(
        "a name that is not a Unicode", "file.unknown", lambda c: c.write("doc/\udcff.txt", b"x\n"), resealed=False
    ),
    Breakage("a symbolic link", "file.link", lambda c: (c.root / "doc/link").symlink_to(c.root / LOG)),
    Breakage("a disc in capitals", "name.form", lambda c: c.move(WAV, "SPON/8K8/1/8K8011SS.WAV")),
    Breakage("a speaker table in capitals", "name.form", lambda c: c.move(SPEAKERS, "doc/SPKRINFO.LOG")),
    Breakage("a directory of no files", "directory.empty", lambda c: (c.root / "spon/8k8/3").mkdir()),
    Breakage("files below a name with a line end", "file.unknown", lambda c: c.write("doc/a\nb/notes", b"x\n")),
    Breakage("speech below a name with an escape sequence", "name.form", lambda c: c.write("spon/\x1b[2J/a.wav", b"x")),
    Breakage("a pipe", "file.unknown", lambda c: os.mkfifo(c.root / f"{ONE}/8k8051sx.sro")),
    Breakage("a path longer than the system opens", "file.unreadable", lambda c: _long_path(c.root), resealed=False),
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
    Breakage(
        "a waveform of a channel that was never recorded",
        "set.unlogged",
        lambda c: c.write(f"{ONE}/8k8011st.wav", (c.root / WAV).read_bytes()),
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
    Breakage("another database in the header", "wave.description", lambda c: c.header(WAV, "database_id", "personnel")),
    Breakage("another version in the header", "wave.description", lambda c: c.header(WAV, "database_version", "air-2")),
    Breakage("another site in the header", "wave.description", lambda c: c.header(WAV, "recording_site", "sri")),
    Breakage(
        "another room in the header", "wave.description", lambda c: c.header(WAV, "recording_environment", "hall")
    ),
    Breakage("read speech in the header", "wave.identity", lambda c: c.header(WAV, "speaking_mode", "read")),
    Breakage(
        "an escape sequence in a header",
        "text.unicode",
        lambda c: c.alter(WAV, lambda b: b.replace(b"cubicle", b"cubic\x1be", 1)),
    ),
    Breakage("twelve bits of sixteen", "wave.coding", lambda c: c.header(WAV, "sample_sig_bits", 12)),
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
    Breakage(
        "a reply to the system in class A", "cat.unevaluable", lambda c: c.edit(CAT, "A: yes/no", "A: responding")
    ),
    Breakage(
        "a vague request in class A", "cat.unevaluable", lambda c: c.edit(CAT, "A: yes/no", "A: hopelessly-vague")
    ),
    Breakage(
        "a reading that was cut off in class A",
        "cat.unevaluable",
        lambda c: c.edit(CAT, "interp#1: yes/no", "interp#1: trunc-utt"),
    ),
    Breakage(
        "seven readings",
        "cat.unevaluable",
        lambda c: c.write(CAT, b"A:" + b"".join(b" interp#%d:" % n for n in range(1, 8)) + b"\n"),
    ),
    Breakage(
        "a request that hangs on class X alone",
        "cat.unevaluable",
        lambda c: (
            c.write(CAT, b"X: ill-formed\n"),
            c.write(f"{ONE}/8k8021sx.cat", b"X: responding context-dependent:Q1\n"),
            c.write(f"{ONE}/8k8031sx.cat", b"D: wh-question context-dependent:Q1|Q2\n"),
        ),
    ),
    Breakage("an answer without its query", "answer.query-missing", lambda c: c.remove(SQL)),
    Breakage("a maximal answer without its query", "answer.query-missing", lambda c: c.remove(f"{ONE}/8k8011sx.sq2")),
    Breakage("answers of class X", "answer.class-x", lambda c: c.edit(CAT, "A: yes/no", "X: ill-formed")),
    Breakage("answers without a category", "answer.uncategorised", lambda c: c.remove(CAT)),
    Breakage("a lost maximal answer", "answer.incomplete", lambda c: c.remove(f"{ONE}/8k8011sx.rf2")),
    Breakage(
        "a statement without a reading",
        "answer.interpretations",
        lambda c: c.edit(SQL, r"\A", "SELECT 1;\n"),
    ),
    Breakage("an empty .win", "win.form", lambda c: c.write(f"{ONE}/8k8011sx.win", b"\n")),
    Breakage("two statements in a line", "sql.form", lambda c: c.edit(SQL, ";\n", "; ")),
    Breakage("an open quote in a .sq2", "sq2.form", lambda c: c.edit(f"{ONE}/8k8011sx.sq2", "stops", "'stops")),
    Breakage("an open bracket in a .ref", "ref.form", lambda c: c.edit(f"{ONE}/8k8011sx.ref", r"\(\(\(", "((((")),
    Breakage("an empty tuple in a .rf2", "rf2.form", lambda c: c.edit(f"{ONE}/8k8011sx.rf2", r"\(101 0\)", "()")),
    Breakage("a draft that is not an answer", "draft.form", lambda c: c.edit(DRAFT, r"\)\)$", ")")),
    Breakage("a draft of no database", "draft.version", lambda c: c.edit(DRAFT, r"/\*.*\*/\n", "")),
    Breakage("a draft with an empty version", "draft.version", lambda c: c.edit(DRAFT, "air-1.0 ", "")),
    Breakage("a draft of no utterance", "draft.alone", lambda c: c.move(DRAFT, "doc/drafts/8k8zz1sx.drf")),
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
ALL = [*NAMES, *SETS, *WAVEFORMS, *TEXTS, *MASKS, *ANSWERS, *LOGS, *WHOLE, *BETWEEN, *TRUST, *SPEECH]
