"""Completeness of each utterance and scenario: log, waveforms, transcriptions of each utterance."""

from collections.abc import Mapping

from corpus.formats.log.channels import channels_of
from corpus.verify.rules.context import Utterance
from session.values.names import PRIMARY


def check(utterance: Utterance) -> None:
    """Partners of one utterance."""
    if utterance.log is not None and utterance.block is None:
        utterance.findings.add("set.unlogged", utterance.path, f"utterance {utterance.stem} is not in the log")
    _waveforms(utterance)
    _transcription(utterance)


def recorded_channels(utterance: Utterance) -> Mapping[str, tuple[int, str]]:
    """Rate and microphone by channel letter, as the log has them."""
    began = utterance.block.recorded if utterance.block else None
    return channels_of(began) if began else {}


def _waveforms(utterance: Utterance) -> None:
    recorded = recorded_channels(utterance)
    for letter in recorded:
        if letter in utterance.waves:
            continue
        directory = utterance.log_path.rpartition("/")[0]
        path = f"{directory}/{utterance.stem[:-1]}{letter}.wav"
        if path in utterance.context.known.withheld:
            utterance.findings.add("set.audio-withheld", path, "the speaker did not agree to audio")
        else:
            utterance.findings.add("set.waveform-missing", path, "the log has the recording, the waveform is not here")
    if utterance.block is None and utterance.files and not utterance.waves and utterance.log is None:
        utterance.findings.add("set.waveform-missing", utterance.path, f"utterance {utterance.stem} has no waveform")
    for letter, path in utterance.waves.items():
        if utterance.block is not None and letter not in recorded:
            utterance.findings.add("set.unlogged", path, f"the log has no channel {letter!r} of this utterance")
        if letter != PRIMARY and PRIMARY not in utterance.waves:
            utterance.findings.add("set.second-alone", path, "a second channel without the primary one")


def _transcription(utterance: Utterance) -> None:
    files = utterance.files
    if "sro" not in files and (utterance.block is not None or utterance.waves):
        utterance.findings.add("set.transcription-missing", utterance.path, f"{utterance.stem}: never transcribed")
    if "sro" in files and "lsn" not in files:
        utterance.findings.add("set.lexical-missing", files["sro"], "no .lsn")
    if "lsn" in files and "sro" not in files:
        utterance.findings.add("set.lexical-alone", files["lsn"], "no .sro")
