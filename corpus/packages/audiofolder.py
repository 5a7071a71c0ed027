"""Hugging Face's AudioFolder: waveforms in one folder, `metadata.jsonl` beside them.

The card says where the splits are, and what is stated of the corpus. Who names the loader and not the card,
`load_dataset("audiofolder", data_dir=…)`, gets the split that the folder's name tells, so that the folder has the split's
name: speakers held out for tests are never taken for training. Metadata that are elsewhere are silently ignored, so they lie
with the waveforms; the card names the folder, so that no other file is taken for data; and a column of nulls alone has no
type, so that a text that is not known is empty, and what nobody has transcribed alone is null.
"""

from collections.abc import Sequence

from corpus.description import card
from corpus.io.staging import Staging
from corpus.packages.package_writer import (
    Contents,
    PackageSummary,
    description_of,
    json_lines,
    set_aside,
    speakers_of,
    spoken,
    title,
)
from corpus.packages.speech_sets import SpeechSet, by_set, speech_sets
from corpus.packages.utterance_facts import facts_of

HOW = """\
For Hugging Face datasets: load_dataset("THIS-DIRECTORY"), with streaming=True too; from version 4 on that wants torchcodec. A
folder a split, by whole speaker: test for those who are held out, train, and dev where there are eight speakers to train on. One
row an utterance; `transcription` is the lexical form (.lsn), null where nobody has transcribed yet, empty where no word was
spoken, null too where words are masked or unintelligible, `detailed` the detailed one (.sro); in other columns an empty text is
not known; `draft` marks transcriptions that nobody has checked."""

_HEAD = ("configs:", "- config_name: default", "  drop_labels: true", "  data_files:")
_SPLITS = {SpeechSet.DEVELOPMENT: "validation"}


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the card, the waveforms and their metadata."""
    found = list(spoken(contents))
    configs = [*_HEAD]
    for name, own in by_set(found, speech_sets(contents)):
        rows: list[dict[str, object]] = []
        for utterance, sound in zip(own, contents.sounds(utterance.path for utterance in own), strict=True):
            staging.write(f"{name}/{utterance.name}.{sound.kind}", sound.data)
            facts = facts_of(utterance)
            rows.append({"file_name": f"{utterance.name}.{sound.kind}", **facts, "seconds": sound.seconds})
        staging.write(f"{name}/metadata.jsonl", json_lines(typed_first(rows)))
        configs += [f"  - split: {_SPLITS.get(name, name)}", f'    path: "{name}/**"']
    staging.write("README.md", card.render(description_of(contents), len(found), configs, title(contents.corpus)))
    return PackageSummary(len(found), speakers_of(found), HOW, set_aside(contents))


def typed_first(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """The rows, the first ones that know a value of each column before all others.

    Loaders take types from the first ten megabytes and fail where a column that was null up to there is not null later.
    """
    columns = rows[0] if rows else ()
    leading = [next((place for place, row in enumerate(rows) if row[column] is not None), 0) for column in columns]
    order = dict.fromkeys([*sorted(leading), *range(len(rows))])
    return [rows[place] for place in order]
