"""Every rule of `curtain verify`: checks, document and tests are held to this list; those of logs are in `log_catalogue`."""

from corpus.verify.rules.findings import Rule, Severity
from corpus.verify.rules.log_catalogue import LOGS

_E, _W, _N = Severity.ERROR, Severity.WARNING, Severity.NOTE

_NAMES = (
    Rule(
        "name.form",
        _E,
        "A file in a speech directory has a name XXXUUSMP.type.",
        "rename it by docs/reference/formats/names.md",
    ),
    Rule("name.directory", _E, "A file is in the directory that its name implies.", "move it there"),
    Rule("file.unknown", _W, "Every file is of a known type in a known place.", "remove it or keep it elsewhere"),
    Rule(
        "name.portable",
        _W,
        "Every name is valid on every system: no two differ only in case, and no folder is named after a device.",
        "rename it",
    ),
    Rule("directory.empty", _W, "No directory is empty.", "find out what was in it, or remove it"),
    Rule(
        "file.link", _E, "A corpus contains files, not links, and each under one name.", "replace the link by the file"
    ),
    Rule("file.empty", _E, "No file is empty.", "restore it or remove it"),
    Rule("file.unreadable", _E, "Every file can be read.", "check permissions and the disk"),
)
_SETS = (
    Rule("set.log-missing", _E, "Every subject-scenario has its .log.", "restore the log; it cannot be replaced"),
    Rule("set.waveform-missing", _E, "Every spoken utterance has a waveform of each recorded channel.", "restore it"),
    Rule(
        "set.audio-withheld",
        _N,
        "Waveforms are withheld only where the speaker did not agree to audio.",
        "nothing to do",
    ),
    Rule(
        "set.audio-refused",
        _E,
        "The corpus has no sound that was withheld or that its speaker did not agree to hand over.",
        "remove it; do not hand it over",
    ),
    Rule(
        "set.text-refused",
        _E,
        "The corpus has nothing of a session whose speaker refused recording, transcription or sharing, or wants it erased.",
        "do not hand it over; export the study again, or run curtain withdraw",
    ),
    Rule("set.transcription-missing", _W, "Every utterance is transcribed.", "transcribe it: curtain transcribe"),
    Rule("set.lexical-missing", _W, "Every .sro has its .lsn.", "nothing to do: it is derived from the .sro"),
    Rule("set.lexical-alone", _E, "Every .lsn has its .sro.", "restore the .sro; a .lsn is only derived"),
    Rule(
        "set.unlogged",
        _E,
        "The log has every utterance and every channel with files.",
        "restore the log or remove the files",
    ),
    Rule(
        "set.speech-missing", _E, "The corpus has every sound that the system spoke according to the log.", "restore it"
    ),
    Rule("set.second-alone", _E, "A second channel has a primary channel.", "restore the primary channel"),
)
_WAVEFORMS = (
    Rule("wave.form", _E, "A .wav is a readable SPHERE or RIFF file.", "restore it"),
    Rule(
        "wave.identity", _E, "Header and file name give the same utterance.", "find out whose speech it is, then rename"
    ),
    Rule("wave.field-missing", _E, "A SPHERE header has all fields of MADCOW.", "export it again"),
    Rule("wave.length", _E, "The file has as many samples as its header says.", "restore the file"),
    Rule("wave.count", _E, "Header and log give the same number of samples.", "restore the file that was recorded"),
    Rule("wave.rate", _E, "Header and log give the same sampling rate.", "restore the file that was recorded"),
    Rule("wave.channels", _E, "A waveform has one channel.", "write each microphone to its own file"),
    Rule(
        "wave.surplus",
        _W,
        "A waveform contains its samples and the fields of MADCOW, and nothing else.",
        "find out what it is, then export it again",
    ),
    Rule(
        "wave.coding",
        _W,
        "Samples are 16-bit linear PCM, the least significant byte first.",
        "keep the original; convert only a copy",
    ),
    Rule("wave.date", _E, "Header and log give the same date and time of recording.", "restore the file or the log"),
    Rule(
        "wave.description",
        _E,
        "Header and log name the same database, site and surroundings.",
        "restore the file or the log",
    ),
    Rule("wave.microphone", _W, "Header and log name the same microphone.", "correct the one that is wrong"),
    Rule("wave.mixed", _W, "All waveforms are of one format.", "export the corpus again in one format"),
    Rule("wave.empty", _E, "A waveform has samples.", "restore it, or invalidate the utterance"),
    Rule("wave.short", _W, "An utterance lasts at least a tenth of a second.", "listen whether anything is said"),
    Rule("wave.seal", _E, "The samples are those that the log's SHA-256 seals.", "restore the file", samples=True),
    Rule(
        "wave.mask",
        _E,
        "The tone covers every stretch that the manifest calls masked.",
        "do not hand it over; export it again",
        samples=True,
    ),
    Rule("wave.masked", _N, "Nothing of a waveform is masked.", "nothing to do: it identified a person", samples=True),
    Rule("wave.checksum", _E, "sample_checksum is that of the samples.", "restore the file", samples=True),
    Rule("wave.extremes", _E, "sample_min and sample_max are those of the samples.", "export it again", samples=True),
    Rule("wave.silent", _W, "A waveform is not silent.", "listen; check the microphone", samples=True),
    Rule("wave.clipped", _W, "A waveform is not clipped.", "listen; lower the gain for the next subject", samples=True),
    Rule("wave.duplicate", _E, "No two waveforms have the same samples.", "find out which is the copy", samples=True),
)
_SPEECH = (
    Rule("speech.form", _E, "The system's speech is a readable RIFF file of one channel and 16 bits.", "restore it"),
    Rule(
        "speech.count", _E, "It has the number of samples and the sampling rate that the log says.", "restore the file"
    ),
    Rule("speech.seal", _E, "Its samples have the hash in the log and in its name.", "restore the file", samples=True),
)
_TEXTS = (
    Rule("text.encoding", _E, "Text is UTF-8.", "convert the file to UTF-8"),
    Rule(
        "text.unicode",
        _E,
        "Text is composed Unicode (NFC) without invisible or control characters.",
        "remove the character",
    ),
    Rule("text.replaced", _W, "No character was replaced by U+FFFD.", "look up the original character, if possible"),
    Rule("text.line-ends", _W, "Lines end in LF, the last one too.", "convert the line ends"),
    Rule(
        "sro.form", _E, "A .sro follows the transcription conventions.", "correct it by docs/reference/formats/sro.md"
    ),
    Rule("sro.empty", _E, "A .sro is not empty: it has at least ~~.", "write ~~ if nothing was spoken"),
    Rule("sro.capitals", _W, "A .sro is in lower case.", "write lower case"),
    Rule("sro.spacing", _W, "A .sro is one line with single blanks.", "write it so"),
    Rule("sro.draft", _W, "A .sro has been made or checked by a transcriber.", "transcribe it: curtain transcribe"),
    Rule(
        "sro.draft-differs", _E, "A draft .sro is the wizard's text in the log.", "find out where the words come from"
    ),
    Rule(
        "sro.unlike",
        _W,
        "A .sro has words in common with the wizard's text.",
        "listen whether it is this utterance",
    ),
    Rule("sro.uncertain", _N, "No part of a .sro is uncertain or unintelligible.", "listen again"),
    Rule(
        "sro.identifying",
        _E,
        "No stretch of a .sro is marked as identifying a person and not masked.",
        "do not hand it over; run curtain transcribe",
    ),
    Rule(
        "sro.masks",
        _E,
        "Text and sound of an utterance are masked alike.",
        "mark both (curtain transcribe), or export it again",
    ),
    Rule("sro.checker", _E, "No transcriber checks their own transcription.", "let a second person check it"),
    Rule(
        "sro.maker",
        _W,
        "The manifest names the transcriber of each .sro that is not a draft.",
        "transcribe it: curtain transcribe",
    ),
    Rule(
        "sro.date", _W, "A .sro was transcribed after it was recorded.", "check the clock of the transcriber's machine"
    ),
    Rule("sro.unchecked", _N, "A second person has checked a .sro.", "check it: curtain transcribe"),
    Rule("lsn.form", _E, "A .lsn has words in upper case only.", "derive it again from the .sro"),
    Rule("lsn.derived", _E, "A .lsn is derived from its .sro.", "derive it again from the .sro"),
    Rule("com.length", _N, "A .com is not empty.", "remove it"),
    Rule("squ.form", _E, "A .squ is in its format.", "correct it by docs/reference/formats/squ.md"),
)
_ANSWERS = (
    Rule("cat.form", _E, "A .cat follows its grammar.", "correct it by docs/reference/formats/cat.md"),
    Rule("cat.truncated", _E, "An utterance that is cut off at its end is of class X.", "classify it X: trunc-utt"),
    Rule(
        "cat.context",
        _E,
        "Context pointers name earlier utterances; class A has none, class D has some, class D1 has only the previous one.",
        "correct them",
    ),
    Rule(
        "cat.unevaluable",
        _E,
        "Tags, readings and context allow the class: replies to the system, truncated or hopelessly vague utterances, and those "
        "that depend only on class X are X.",
        "classify it X, or correct the tags",
    ),
    Rule("answer.class-x", _E, "Utterances of class X have no answers.", "remove the answers or correct the class"),
    Rule("answer.uncategorised", _E, "An utterance with answers has a .cat.", "categorise it"),
    Rule(
        "answer.incomplete", _W, "An evaluable utterance has .win, .sql, .sq2, .ref and .rf2.", "make the missing ones"
    ),
    Rule(
        "answer.minimum",
        _E,
        "A .rf2 can contain the .ref: it has an answer, and no fewer columns and rows.",
        "make both again: curtain answers",
    ),
    Rule(
        "answer.query-missing",
        _E,
        "Every .ref has its .sql, and every .rf2 its .sq2.",
        "restore the query: without it, an empty answer cannot be explained",
    ),
    Rule(
        "answer.interpretations",
        _E,
        "Each interpretation has one sentence in the .win and one statement in .sql and .sq2.",
        "correct the .cat, or the file with too few or too many",
    ),
    Rule("win.form", _E, "A .win is in its format.", "correct it by docs/reference/formats/win.md"),
    Rule("sql.form", _E, "A .sql has one statement per line.", "correct it by docs/reference/formats/sql.md"),
    Rule(
        "sq2.form", _E, "A .sq2 has statements separated by blank lines.", "correct it by docs/reference/formats/sql.md"
    ),
    Rule("ref.form", _E, "A .ref is an answer in CAS.", "correct it by docs/reference/formats/cas.md"),
    Rule(
        "ref.rounded",
        _W,
        "A .ref without SQL, or from SQL that rounds, has reals with more digits than the comparator's tolerance.",
        "print the exact value: an exact answer would be scored as wrong",
    ),
    Rule("rf2.form", _E, "A .rf2 is an answer in CAS.", "correct it by docs/reference/formats/cas.md"),
    Rule("draft.form", _E, "A draft answer is in CAS.", "export it again"),
    Rule("draft.version", _E, "A draft answer names the version of its database.", "export it again"),
    Rule("draft.alone", _E, "A draft answer belongs to an utterance.", "remove it or restore the utterance"),
    Rule(
        "draft.derived",
        _E,
        "A draft answer has the rows and the database version of the wizard's query in the log.",
        "export it again; an answer that was corrected belongs beside the .sro",
    ),
)
_WHOLE = (
    Rule("manifest.missing", _E, "A corpus has a manifest.json.", "export it again"),
    Rule("manifest.initial", _N, "Initial data become a corpus.", "make one: curtain export DIR NEW"),
    Rule("manifest.form", _E, "manifest.json is in its format.", "export it again"),
    Rule("manifest.seal", _E, "manifest.json agrees with its seal.", "restore it, or export again"),
    Rule("manifest.absent", _E, "Every file in the manifest exists.", "restore it"),
    Rule("manifest.unlisted", _E, "Every file is in the manifest.", "remove it, or export again"),
    Rule("manifest.size", _E, "Every file has the size that the manifest says.", "restore it"),
    Rule("manifest.hash", _E, "Every file has the SHA-256 that the manifest says.", "restore it"),
    Rule("manifest.scenario", _E, "Every subject-scenario of the manifest has its log.", "restore it"),
    Rule(
        "manifest.sessions",
        _E,
        "Every session is in manifest.json once, with the head of its chain.",
        "export it again",
    ),
    Rule(
        "manifest.marks",
        _E,
        "The manifest's entries about a file's maker, date, masks and draft state are possible.",
        "restore the manifest, or export again",
    ),
    Rule(
        "manifest.left-out",
        _E,
        "The files that the manifest leaves out are waveforms, are absent, and are withheld only if the speaker refused.",
        "restore the waveform, or export it again",
    ),
    Rule("manifest.damage", _E, "Every session is as its desks wrote it.", "restore the store, then export again"),
    Rule("manifest.rehearsal", _N, "The corpus is not a rehearsal.", "do not use it as data"),
    Rule("manifest.pilot", _N, "No session is a pilot.", "decide whether pilots belong here"),
    Rule("speakers.missing", _E, "A corpus has doc/spkrinfo.log.", "restore it"),
    Rule("speakers.form", _E, "doc/spkrinfo.log is in its format.", "correct it by docs/reference/formats/spkrinfo.md"),
    Rule("speakers.unknown", _E, "Every speaker is in doc/spkrinfo.log.", "add a line for the speaker"),
    Rule("speakers.site", _E, "Speaker table and logs give the same site.", "correct the one that is wrong"),
    Rule("speakers.surplus", _W, "Every speaker in doc/spkrinfo.log has speech in the corpus.", "remove the line"),
    Rule("lexicon.missing", _W, "A corpus has doc/lexicon.doc.", "export it again"),
    Rule("lexicon.form", _E, "doc/lexicon.doc is in its format.", "correct it by docs/reference/formats/lexicon.md"),
    Rule("lexicon.counts", _E, "doc/lexicon.doc counts the words of the transcriptions.", "export it again"),
    Rule("removals.form", _E, "removals.json is in its format.", "restore it from an earlier export"),
    Rule(
        "removals.here",
        _E,
        "The corpus has nothing of a person who has withdrawn.",
        "run curtain withdraw on this corpus",
    ),
    Rule(
        "metadata.form",
        _E,
        "A site's metadata is in its format.",
        "correct [metadata] in study.toml, then export again",
    ),
    Rule("renames.form", _E, "renames.json is in its format.", "restore it from the renamed corpus"),
    Rule("renames.here", _E, "Every renamed speaker has the new id.", "finish it: curtain rename CORPUS NEW --by"),
    Rule("sets.form", _E, "doc/holdout.json is in its format.", "restore it; assignments are never drawn again"),
    Rule("sets.index", _E, "A part's .ndx names exactly the utterances of its set.", "split the whole corpus again"),
    Rule(
        "sets.renamed",
        _W,
        "No renamed person is in one set by the new id and in another by the old one.",
        "find out whether the old id belongs to another person; if not, hand nothing over",
    ),
    Rule(
        "sets.blind",
        _E,
        "A test pool contains no answer: neither a reference nor a draft, and no request, row, reply, solution or remembered "
        "request.",
        "do not hand it out; write the pool again: curtain holdout CORPUS --pool DIR",
    ),
    Rule(
        "sets.speaker",
        _E,
        "Every speaker belongs to this corpus's set.",
        "hand nothing over; split the whole corpus again",
    ),
    Rule("protocol.form", _E, "A protocol is readable.", "export it again"),
    Rule("protocol.hash", _E, "A protocol's files have the SHA-256 that names them.", "restore them"),
    Rule(
        "protocol.derived",
        _W,
        "A protocol agrees with the study's files, if all of them are in the corpus.",
        "restore it; export it again",
    ),
    Rule("readme.missing", _W, "A corpus has a README.txt.", "export it again"),
)

ALL: tuple[Rule, ...] = (*_NAMES, *_SETS, *_WAVEFORMS, *_SPEECH, *_TEXTS, *_ANSWERS, *LOGS, *_WHOLE)
RULES = {rule.id: rule for rule in ALL}
