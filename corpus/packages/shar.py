"""lhotse's Shar: cuts as JSON lines, and beside them the recordings of the same cuts in a tar archive, shard by shard."""

from functools import partial

import msgspec

from corpus.io.staging import Staging
from corpus.packages.package_writer import (
    Contents,
    PackagedSound,
    PackageSummary,
    SpokenUtterance,
    json_lines,
    set_aside,
    speakers_of,
    spoken,
)
from corpus.packages.shards import Shards
from corpus.packages.speech_sets import by_set, speech_sets
from corpus.packages.utterance_facts import facts_of

HOW = """\
lhotse Shar, a folder each for train, dev and test, by whole speaker; test are those who are held out:
    CutSet.from_shar(in_dir="THIS-DIRECTORY/train")
A supervision's text is the lexical form (.lsn), not there where the words are not known; custom holds what the log says."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the shards of each set."""
    found = list(spoken(contents))
    for name, own in by_set(found, speech_sets(contents)):
        shards = Shards(staging, partial("{}/recording.{:06d}.tar".format, name))
        cuts: list[dict[str, object]] = []
        for utterance, sound in zip(own, contents.sounds(utterance.path for utterance in own), strict=True):
            recording = _recording(utterance, sound)
            cuts.append(_cut(utterance, sound, recording))
            number = shards.number
            facts = msgspec.json.encode(recording)
            if shards.add({f"{utterance.name}.wav": sound.data, f"{utterance.name}.json": facts}):
                staging.write(f"{name}/cuts.{number:06d}.jsonl", json_lines(cuts))
                cuts = []
        if cuts:
            staging.write(f"{name}/cuts.{shards.number:06d}.jsonl", json_lines(cuts))
        shards.flush()
    return PackageSummary(len(found), speakers_of(found), HOW, set_aside(contents))


def _recording(utterance: SpokenUtterance, sound: PackagedSound) -> dict[str, object]:
    """A recording whose samples are in the archive, just before it."""
    return {
        "id": utterance.name,
        "sources": [{"type": "shar", "channels": [0], "source": ""}],
        "sampling_rate": sound.rate,
        "num_samples": sound.samples,
        "duration": sound.seconds,
        "channel_ids": [0],
    }


def _cut(utterance: SpokenUtterance, sound: PackagedSound, recording: dict[str, object]) -> dict[str, object]:
    supervision: dict[str, object] = {"id": utterance.name, "recording_id": utterance.name, "start": 0.0}
    supervision |= {"duration": sound.seconds, "channel": 0, "speaker": utterance.speaker.speaker}
    if utterance.turn.known_words is not None:
        supervision["text"] = utterance.turn.known_words
    if utterance.speaker.sex:
        supervision["gender"] = utterance.speaker.sex
    supervision["custom"] = facts_of(utterance)
    cut: dict[str, object] = {"id": utterance.name, "start": 0, "duration": sound.seconds, "channel": 0}
    return cut | {"supervisions": [supervision], "recording": recording, "type": "MonoCut"}
