"""The waveforms of a corpus that exists in the other format: the same samples, under the header that the log calls for."""

from collections.abc import Iterable, Iterator

import numpy as np

from corpus.annotation.overlay import Change
from corpus.dataset.reader import Corpus, CorpusUtterance, SubjectScenario
from corpus.formats import layout, pcm, riff, sphere, sphere_header, waveform
from corpus.formats.log.channels import channels_of
from corpus.formats.manifest import entry_of
from corpus.formats.sphere_header import WaveformDescription
from session.values.names import base36


def in_format(corpus: Corpus, changes: Iterable[Change], as_riff: bool) -> Iterator[Change]:
    """Yield the changes with their waveforms in RIFF or in SPHERE, and all other waveforms that are not in it yet.

    Sounds that the system spoke, and samples that are not linear in 16 bits, stay as they are; so do takes without a number where
    a header would have to say what nothing tells. Raises `FormatFault` for a waveform that cannot be read.
    """
    changed = {change.path: change for change in changes}
    for log in corpus.logs:
        scenario = corpus.scenario(log)
        for utterance in scenario.utterances:
            for letter, path in utterance.waves.items():
                change = changed.pop(path, None)
                entry = corpus.manifest.files[path] if change is None else change.entry
                data = corpus.read(path) if change is None else change.data
                made = _converted(data, path, as_riff, scenario, utterance, letter)
                if made is not None or change is not None:
                    held = data if made is None else made
                    yield Change(path, held, entry_of(held, like=entry))
    if as_riff:
        for path, entry in corpus.manifest.files.items():
            if path.startswith(f"{layout.UNNUMBERED}/") and (made := _as_riff(corpus.read(path), path)) is not None:
                yield Change(path, made, entry_of(made, like=entry))
    yield from changed.values()


def _converted(
    data: bytes, path: str, as_riff: bool, scenario: SubjectScenario, utterance: CorpusUtterance, letter: str
) -> bytes | None:
    """The file in the wanted format; None if it is in it, or cannot be."""
    if as_riff:
        return _as_riff(data, path)
    file = waveform.parse(data, path)
    if isinstance(file, sphere.SphereFile) or (samples := _linear(file)) is None or file.header.channel_count != 1:
        return None
    return sphere.render(sphere_header.sphere_file(_described(scenario, utterance, letter, file), samples))


def _as_riff(data: bytes, path: str) -> bytes | None:
    file = waveform.parse(data, path)
    if isinstance(file, riff.RiffFile) or (samples := _linear(file)) is None:
        return None
    return riff.render(riff.pcm_file(samples, file.header.sample_rate, file.header.channel_count))


def _linear(file: waveform.Waveform) -> bytes | None:
    """The samples in 16 bits, least significant byte first; None for others."""
    if file.header.coding is not pcm.SampleCoding.PCM or file.header.sample_n_bytes != 2:
        return None
    return file.samples().astype(np.dtype("<i2")).tobytes()


def _described(
    scenario: SubjectScenario, utterance: CorpusUtterance, letter: str, file: waveform.Waveform
) -> WaveformDescription:
    log, stem, began = scenario.log, utterance.stem, utterance.block.first("Recording_begin")
    channels = channels_of(utterance.block.recorded) if utterance.block.recorded else {}
    return WaveformDescription(
        utterance_id=f"{str(stem)[:-1]}{letter}",
        speaker_id=stem.speaker,
        session=base36(stem.scenario, 1),
        utterance=base36(stem.utterance, 2),
        speaking_mode=sphere_header.SPEAKING_MODES[stem.mode],
        recorded=began.moment.wall if began else None,
        sample_rate=file.header.sample_rate,
        recording_site=log.get("Site"),
        recording_environment=", ".join(filter(None, (log.get("Noise"), log.get("Room")))),
        microphone=channels[letter][1] if letter in channels else "",
        database_id=sphere_header.corpus_id(log.get("Site"), log.get("Domain")),
        database_version=sphere_header.corpus_version(log.get("Protocol")),
    )
