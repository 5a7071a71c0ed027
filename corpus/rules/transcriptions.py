"""Transcriptions: their conventions, the derived form, and whether they can be of this utterance at all."""

from corpus import lexicon, lsn, sro
from corpus.drafts import from_quick
from corpus.faults import FormatFault
from corpus.lsn import Lexical
from corpus.rules.context import Utterance
from corpus.rules.texts import text
from corpus.sro import Event, Transcription

_ENOUGH = 3  # words on either side before having none in common means anything


def check(utterance: Utterance) -> Transcription | None:
    """The `.sro` and `.lsn` of an utterance; the transcription, if it is one."""
    transcription = _sro(utterance, utterance.files["sro"]) if "sro" in utterance.files else None
    if transcription is not None:
        utterance.context.seen.words.update(lexicon.words(transcription))
    elif "sro" in utterance.files:
        utterance.context.seen.unread.add(utterance.files["sro"])
    if "lsn" in utterance.files:
        _lsn(utterance, utterance.files["lsn"], transcription)
    return transcription


def _sro(utterance: Utterance, path: str) -> Transcription | None:
    found = text(utterance.context, path)
    if found is None:
        return None
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
        isinstance(token, Event) and token.name == sro.UNINTELLIGIBLE for token in transcription.tokens
    ):
        utterance.findings.add("sro.uncertain", path, "a part is uncertain")
    _masks(utterance, path, transcription)
    _agreement(utterance, path, transcription, written)
    return transcription


def _masks(utterance: Utterance, path: str, transcription: Transcription) -> None:
    if transcription.identifying:
        utterance.findings.add("sro.identifying", path, "a stretch that identifies a person is not masked")
    words = any(isinstance(token, Event) and token.name == sro.MASKED for token in transcription.tokens)
    for wave in utterance.waves.values():
        if words != bool(utterance.context.masked(wave)):
            which = "the text is masked, the sound is not" if words else "the sound is masked, the text is not"
            utterance.findings.add("sro.masks", path, f"{which}: {wave}")
    work = utterance.context.work(path)
    if work is not None and not work.checker:
        utterance.findings.add("sro.unchecked", path, f"transcribed by {work.transcriber}, checked by nobody")
    elif work is not None and work.checker == work.transcriber:
        utterance.findings.add("sro.checker", path, f"{work.checker} has checked what {work.transcriber} has made")


def _agreement(utterance: Utterance, path: str, transcription: Transcription, written: str) -> None:
    draft = utterance.context.draft(path)
    if draft:
        utterance.findings.add("sro.draft", path, "a draft out of what the wizard typed")
    typed = utterance.block.typed if utterance.block else ""
    if not typed:
        return
    if f"{typed}\n" == written and not transcription.identifying:  # what obeys the conventions is its own draft
        return
    expected = from_quick(typed)
    if expected == transcription:
        return
    if draft:
        utterance.findings.add("sro.draft-differs", path, f"the wizard typed {typed[:60]!r}")
        return
    here, there = set(lsn.derive(transcription).words), set(lsn.derive(expected).words)
    if not here and len(there) >= _ENOUGH:
        utterance.findings.add("sro.unlike", path, f"no word in it, the wizard typed {typed[:60]!r}")
    elif min(len(here), len(there)) >= _ENOUGH and not here & there:
        utterance.findings.add("sro.unlike", path, f"no word in common with {typed[:60]!r}")


def _lsn(utterance: Utterance, path: str, transcription: Transcription | None) -> None:
    found = text(utterance.context, path)
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
