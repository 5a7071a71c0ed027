"""Transcriptions: their conventions, the derived form, and whether they can be of this utterance at all."""

from datetime import timedelta

from corpus.annotation.draft_transcription import from_quick, quick_words
from corpus.formats import lexicon, lsn, sro
from corpus.formats.errors import FormatFault
from corpus.formats.lsn import Lexical
from corpus.formats.sro import AudibleEvent, Transcription
from corpus.verify.rules.context import Utterance
from corpus.verify.rules.encoding import text
from session.values.sanitize import one_line
from session.values.vocabulary import Role

_DAY = timedelta(days=1)  # between the clocks of the hub and of the transcriber's machine
_ENOUGH = 3  # words on either side before having none in common means anything


def check(utterance: Utterance) -> bool:
    """The `.sro` and `.lsn` of an utterance; return whether the waveform ends before the speech does, by the transcription."""
    seen, files = utterance.context.seen, utterance.files
    found = text(utterance.context, files["sro"]) if "sro" in files else None
    if found is not None and sro.is_words_alone(found):
        _plain(utterance, files["sro"], found)
        return False
    transcription = _sro(utterance, files["sro"], found) if found is not None else None
    if transcription is not None:
        seen.words.update(lexicon.words(transcription))
    elif "sro" in files:
        seen.unread.add(files["sro"])
    if "lsn" in files:
        _lsn(utterance, files["lsn"], transcription, text(utterance.context, files["lsn"]))
    return transcription is not None and transcription.truncated


def _plain(utterance: Utterance, path: str, found: str) -> None:
    """Of a text of words alone, as most are, everything can be said without taking it apart."""
    utterance.context.seen.words.update(found[:-1].split(" "))
    _masks(utterance, path, masked=False)
    _work(utterance, path)
    typed = _typed(utterance, path)
    if typed and found not in (f"{typed}\n", f"{quick_words(typed) or typed}\n"):
        _differences(utterance, path, sro.parse(found, path), typed)
    if "lsn" in utterance.files:
        lexical = text(utterance.context, utterance.files["lsn"])
        if lexical != found.upper():
            _lsn(utterance, utterance.files["lsn"], sro.parse(found, path), lexical)


def _sro(utterance: Utterance, path: str, found: str) -> Transcription | None:
    wrong = False
    for number, line in enumerate(found.split("\n"), start=1):
        for problem in sro.check(line):
            rule = "sro.capitals" if problem.advice else "sro.form"
            wrong = wrong or not problem.advice
            message = f"column {problem.column}: {problem.message}"
            utterance.findings.add(rule, path, message, number, problem.remedy)
    if wrong:
        return None
    return _whole(utterance, path, found)


def _whole(utterance: Utterance, path: str, found: str) -> Transcription | None:
    try:
        transcription = sro.parse(found, path)
    except FormatFault as fault:
        utterance.findings.add_fault("sro.form", fault)
        return None
    written = sro.render(transcription).decode()
    if not transcription.tokens:
        utterance.findings.add("sro.empty", path, "nothing in it")
    elif written != found.lower():
        utterance.findings.add("sro.spacing", path, "not one line with single blanks")
    if transcription.uncertain or any(
        isinstance(token, AudibleEvent) and token.name == sro.UNINTELLIGIBLE for token in transcription.tokens
    ):
        utterance.findings.add("sro.uncertain", path, "a part is uncertain")
    return _held(utterance, path, transcription, written)


def _held(utterance: Utterance, path: str, transcription: Transcription, written: str) -> Transcription:
    """Hold a transcription, as it is written by the conventions, against its utterance."""
    if transcription.identifying:
        utterance.findings.add("sro.identifying", path, "a stretch that identifies a person is not masked")
    masked = any(isinstance(token, AudibleEvent) and token.name == sro.MASKED for token in transcription.tokens)
    _masks(utterance, path, masked=masked)
    _work(utterance, path)
    _agreement(utterance, path, transcription, written)
    return transcription


def _masks(utterance: Utterance, path: str, *, masked: bool) -> None:
    """Hold the sound against the text, which is `masked` or is not."""
    for wave in utterance.waves.values():
        if masked != bool(utterance.context.masked(wave)):
            which = "the text is masked, the sound is not" if masked else "the sound is masked, the text is not"
            utterance.findings.add("sro.masks", path, f"{which}: {wave}")


def _work(utterance: Utterance, path: str) -> None:
    """Who transcribed, and who checked."""
    context, work = utterance.context, utterance.context.work(path)
    if work is None:
        if context.manifest is not None and path in context.manifest.files and not context.draft(path):
            utterance.findings.add("sro.maker", path, "no draft, and the transcriber is unknown")
        return
    if not work.checker.strip():
        utterance.findings.add("sro.unchecked", path, f"transcribed by {work.transcriber}, not checked")
    elif one_line(work.checker).casefold() == one_line(work.transcriber).casefold():
        utterance.findings.add("sro.checker", path, f"{work.checker} has checked what {work.transcriber} has made")
    began = utterance.block.first("Recording_begin") if utterance.block else None
    if began is not None and work.transcribed < (began.moment.wall - _DAY).isoformat():
        utterance.findings.add("sro.date", path, f"transcribed at {work.transcribed}, recorded at {began.moment}")


def _drafted(utterance: Utterance) -> str:
    if utterance.log is not None and utterance.log.imported:
        return "a draft out of an imported text that is not in words alone"
    if utterance.block is not None and utterance.block.all("Utterance_typed"):
        return "a draft from the subject's text"
    sent = utterance.block.all("Transcription_sent") if utterance.block else ()
    by_machine = bool(sent) and sent[-1].by == Role.RECOGNISER
    return f"a draft out of what {'a recogniser heard' if by_machine else 'the wizard typed'}"


def _typed(utterance: Utterance, path: str) -> str:
    """The text that the wizard typed, with which the transcription must agree; empty for none."""
    if utterance.context.draft(path):
        utterance.findings.add("sro.draft", path, _drafted(utterance))
    return utterance.block.typed if utterance.block else ""


def _agreement(utterance: Utterance, path: str, transcription: Transcription, written: str) -> None:
    typed = _typed(utterance, path)
    if not typed:
        return
    if written in (f"{typed}\n", f"{quick_words(typed) or typed}\n") and not transcription.identifying:  # its own draft
        return
    _differences(utterance, path, transcription, typed)


def _differences(utterance: Utterance, path: str, transcription: Transcription, typed: str) -> None:
    expected = from_quick(typed)
    if expected == transcription:
        return
    if utterance.context.draft(path):
        utterance.findings.add("sro.draft-differs", path, f"the wizard typed {typed[:60]!r}")
        return
    here, there = set(lsn.derive(transcription).words), set(lsn.derive(expected).words)
    if not here and len(there) >= _ENOUGH:
        utterance.findings.add("sro.unlike", path, f"no word in it, the wizard typed {typed[:60]!r}")
    elif min(len(here), len(there)) >= _ENOUGH and not here & there:
        utterance.findings.add("sro.unlike", path, f"no word in common with {typed[:60]!r}")


def _lsn(utterance: Utterance, path: str, transcription: Transcription | None, found: str | None) -> None:
    if found is None:
        return
    derived = lsn.derive(transcription) if transcription is not None else None
    if derived is not None and lsn.render(derived).decode() == found:
        return
    try:
        lexical: Lexical = lsn.parse(found, path)
    except FormatFault as fault:
        utterance.findings.add_fault("lsn.form", fault)
        return
    if derived is not None:
        expected = " ".join(derived.words)
        utterance.findings.add("lsn.derived", path, f"{' '.join(lexical.words)!r} where the .sro gives {expected!r}")
