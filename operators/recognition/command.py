"""`curtain recognise`: a recogniser over the waveforms of a corpus, its words as TRN, its word error against transcriptions."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import msgspec
from platformdirs import user_cache_path

import scenarios
from corpus.analysis.word_alignment import WordErrors, compared, count
from corpus.commands.sources import opened
from corpus.formats import riff
from corpus.formats.errors import FormatFault, counted, status_of
from corpus.formats.nist import trn
from corpus.io.progress import counting
from corpus.io.staging import Refused, refuse_existing, refuse_nowhere, replace, stopped
from corpus.packages.package_writer import SpokenUtterance, contents_of, set_aside, spoken
from domain.database.build import DatabaseError, open_database
from domain.query_backend import english_of
from operators.recognition.knowledge import Sources, sources_of
from operators.recognition.recogniser import EngineTroubleError, MissingEngineError, Recogniser
from operators.recognition.recognisers import recogniser

CHUNK = 3200
"""Bytes that an engine gets at a time: a tenth of a second at 16 kHz, as in a session."""


class RecogniseOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of `curtain recognise`; without `domain` the recogniser knows the words of the domain that the logs name."""

    engine: str
    out: str = ""
    domain: str = ""
    database: str = ""
    seconds: float = 20.0


class RecognisedUtterance(msgspec.Struct, frozen=True):
    """One utterance recognised: its TRN id, its words, its errors where there is a transcription."""

    key: str
    text: str
    errors: WordErrors | None


def recognise_command(directory: str, options: RecogniseOptions, out: TextIO, err: TextIO) -> int:
    """Write the words of each utterance of a corpus as TRN, to a new file or to `out`; the report goes to `err`.

    0 where all were recognised, 1 where the engine failed on some, 2 where corpus, engine or file cannot be used.
    """
    target = Path(options.out) if options.out else None
    try:
        if target is not None:
            refuse_existing(target)
            refuse_nowhere(target)
        contents = contents_of(opened(Path(directory)))
        utterances = list(spoken(contents))
        if not utterances:
            raise Refused(f"{directory} has no utterance with sound")
        engine = _engine(options, {utterance.course.header.get("Domain", "") for utterance in utterances}, err)
        troubles = list[str]()
        found = list[RecognisedUtterance]()
        sounds = contents.sounds(utterance.path for utterance in utterances)
        with counting(err, "utterances", len(utterances)) as tell:
            for number, (utterance, sound) in enumerate(zip(utterances, sounds, strict=True), start=1):
                found.append(_recognised(engine, utterance, sound.data, troubles))
                tell(number)
        data = trn.render({hypothesis.key: hypothesis.text for hypothesis in found})
        if target is not None:
            replace(target, data)
        else:
            out.write(data.decode())
        err.writelines(f"{line}\n" for line in [*_report(engine, found), *set_aside(contents), *troubles])
    except (FormatFault, Refused, OSError, KeyboardInterrupt, MissingEngineError, DatabaseError) as error:
        err.write(stopped(error))
        return status_of(error)
    return 1 if troubles else 0


def _engine(options: RecogniseOptions, domains: set[str], err: TextIO) -> Recogniser:
    def gathered() -> Sources:
        domain = Path(options.domain) if options.domain else _shipped(domains)
        url = options.database or open_database(domain, cache / "databases").url
        return sources_of(domain, english_of(domain, url, ""))

    cache = user_cache_path("curtain", appauthor=False)
    return recogniser(
        options.engine, gathered, cache, os.environ, seconds=options.seconds, warn=lambda line: err.write(f"{line}\n")
    )


def _shipped(domains: set[str]) -> Path:
    """Return the folder of the domain that the logs name, if it ships; else Refused."""
    shipped = Path(scenarios.__file__).parent
    [name] = domains if len(domains) == 1 else [""]
    if name and (shipped / name / "domain.toml").is_file():
        return shipped / name
    known = " and ".join(sorted(domains - {""}))
    named = f"the logs name {known}, which does not ship with Curtain" if known else "the logs name no domain"
    raise Refused(f"{named}; give its folder: --domain DIR")


def _recognised(
    engine: Recogniser, utterance: SpokenUtterance, wave: bytes, troubles: list[str]
) -> RecognisedUtterance:
    key = f"{utterance.turn.stem[:3]}-{utterance.turn.stem}"
    file = riff.parse(wave, utterance.path)
    try:
        listening = engine.begin(file.header.sample_rate, utterance.turn.stem)
        for piece in _pieces(file.samples()[:, 0].astype("<i2").tobytes()):
            listening.hear(piece)
        hypotheses = listening.finish()
    except EngineTroubleError as trouble:
        troubles.append(f"{utterance.name}: {trouble.detail}")
        hypotheses = ()
    text = hypotheses[0].text if hypotheses else ""
    known = None if utterance.turn.words is None else count(compared(utterance.turn.text), compared(text))
    return RecognisedUtterance(key, " ".join(compared(text)).upper(), known)


def _pieces(pcm: bytes) -> Iterator[bytes]:
    for first in range(0, len(pcm), CHUNK):
        yield pcm[first : first + CHUNK]


def _report(engine: Recogniser, found: list[RecognisedUtterance]) -> Iterator[str]:
    """Yield what was done, and the word error over all utterances that have a transcription."""
    scored = [hypothesis.errors for hypothesis in found if hypothesis.errors is not None]
    yield f"{counted(len(found), 'utterance')} recognised by {engine.name} {engine.version}"
    if not scored:
        yield "word error: not known, no utterance is transcribed"
        return
    total = sum(scored, WordErrors())
    rate = "undefined, no word was said" if total.rate is None else f"{100 * total.rate:.1f} %"
    yield (
        f"word error {rate}: {total.substituted} substituted, {total.deleted} deleted, {total.inserted} inserted of "
        f"{counted(total.words, 'word')}; {total.wrong} of {counted(total.utterances, 'utterance')} with an error"
    )
    yield "WER|cost:4/3/3|case:no|punctuation:no|missing:deleted"
