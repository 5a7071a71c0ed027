"""WebDataset: tar archives in which files of one stem are one sample, `NAME.wav`, `NAME.txt` and `NAME.json`."""

from functools import partial

import msgspec

from corpus.io.staging import Staging
from corpus.packages.package_writer import Contents, PackageSummary, set_aside, speakers_of, spoken
from corpus.packages.shards import Shards
from corpus.packages.speech_sets import by_set, speech_sets
from corpus.packages.utterance_facts import facts_of

HOW = """\
WebDataset: SET-NUMBER.tar, SET being train, dev or test by whole speaker; test are those who are held out. Files of one stem are
one sample: .wav or .flac, .json with what the log says, and .txt with the lexical form (.lsn) where the words are known:
    webdataset.WebDataset("train-000000.tar").decode()
    load_dataset("webdataset", data_dir="THIS-DIRECTORY")"""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the shards of each set."""
    found = list(spoken(contents))
    for name, own in by_set(found, speech_sets(contents)):
        shards = Shards(staging, partial("{}-{:06d}.tar".format, name))
        for utterance, sound in zip(own, contents.sounds(utterance.path for utterance in own), strict=True):
            facts = facts_of(utterance) | {"seconds": sound.seconds}
            files = {sound.kind: sound.data, "json": msgspec.json.encode(facts)}
            if utterance.turn.known_words is not None:
                files["txt"] = utterance.turn.known_words.encode()
            shards.add({f"{utterance.name}.{kind}": data for kind, data in files.items()})
        shards.flush()
    return PackageSummary(len(found), speakers_of(found), HOW, set_aside(contents))
