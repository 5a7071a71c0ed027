"""Manifests for training recognisers, one line of JSON an utterance: NeMo's, and that of programs that fine-tune Whisper.

Both want a text of every line. So there is none of an utterance that nobody has transcribed, in which no word was spoken, or in
which there are words that nobody could make out or may know.
"""

from corpus.formats.errors import counted
from corpus.io.staging import Refused, Staging
from corpus.packages.package_writer import (
    Contents,
    PackageSummary,
    SpokenUtterance,
    description_of,
    json_lines,
    speakers_of,
    transcribed,
)
from corpus.packages.speech_sets import by_set, speech_sets

HOW = """\
nemo_SET.jsonl are manifests of NeMo, whisper_SET.jsonl those of programs that fine-tune Whisper; SET is train, dev or test, by
whole speaker: test are those who are held out. Paths are relative to this directory. Texts are the lexical form (.lsn)."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the manifests of each set and the waveforms."""
    every, notes = transcribed(contents)
    found = [utterance for utterance in every if utterance.turn.known_words]
    if not found:
        raise Refused("every transcription is without a word, or has words that nobody knows: nothing to train on")
    if len(found) < len(every):
        notes = (
            *notes,
            f"{counted(len(every) - len(found), 'utterance')} without a word, or with words that nobody knows",
        )
    stated = description_of(contents)
    language = stated.languages[0] if stated is not None and stated.languages else ""
    for name, own in by_set(found, speech_sets(contents)):
        nemo, whisper = list[dict[str, object]](), list[dict[str, object]]()
        for utterance, sound in zip(own, contents.sounds(utterance.path for utterance in own), strict=True):
            path = f"audio/{utterance.speaker.speaker}/{utterance.name}.{sound.kind}"
            staging.write(path, sound.data)
            nemo.append(_of_nemo(utterance, path, sound.seconds, language))
            whisper.append(_of_whisper(utterance, path, sound.seconds, language))
        staging.write(f"nemo_{name}.jsonl", json_lines(nemo))
        staging.write(f"whisper_{name}.jsonl", json_lines(whisper))
    return PackageSummary(len(found), speakers_of(found), HOW, notes)


def _of_nemo(utterance: SpokenUtterance, path: str, seconds: float, language: str) -> dict[str, object]:
    row: dict[str, object] = {"audio_filepath": path, "duration": seconds, "text": utterance.turn.text}
    row |= {"speaker": utterance.speaker.speaker, "utterance": utterance.name, "draft": utterance.turn.draft}
    return row | ({"lang": language} if language else {})


def _of_whisper(utterance: SpokenUtterance, path: str, seconds: float, language: str) -> dict[str, object]:
    text = utterance.turn.text
    row: dict[str, object] = {"audio": {"path": path}, "sentence": text, "duration": seconds}
    row |= {"sentences": [{"start": 0.0, "end": seconds, "text": text}]}
    return row | ({"language": language} if language else {})
