"""Hugging Face's AudioFolder: waveforms in one folder, `metadata.jsonl` beside them.

The card says which split it is, and what is stated of the corpus. Who names the loader and not the card,
`load_dataset("audiofolder", data_dir=…)`, gets the split that the folder's name tells, so that the folder has the split's name:
speakers held out for tests are never taken for training.
Metadata that lie elsewhere are silently ignored, so they lie with the waveforms; the card names the folder, so that no other
file is taken for data; and a column of nulls alone has no type, so that a text that is not known is empty, and what nobody has
transcribed alone is null.
"""

from collections.abc import Sequence

from corpus.description import card
from corpus.io.staging import Staging
from corpus.packages.base import Contents, PackageSummary, description_of, json_lines, set_aside, speakers_of, spoken
from corpus.release import holdout_file
from corpus.release.utterance_status import POOL

HOW = """\
For Hugging Face datasets: load_dataset("THIS-DIRECTORY"), with streaming=True too; from version 4 on that wants torchcodec. One
split, in the folder of its name: test for speakers who are held out, else train. One row an utterance; `transcription` is the
lexical form (.lsn), null where nobody has transcribed yet, empty where no word was spoken, `detailed` the detailed one (.sro);
in other columns an empty text is not known; `draft` marks transcriptions that nobody has checked."""

CARD = """\
configs:
- config_name: default
  drop_labels: true
  data_files:
  - split: {split}
    path: "{split}/**\""""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write the card, the waveforms and their metadata."""
    rows: list[dict[str, object]] = []
    found = list(spoken(contents))
    split = "test" if holdout_file.set_of(contents.corpus) == POOL else "train"
    for utterance, sound in zip(found, contents.sounds(utterance.path for utterance in found), strict=True):
        turn, header = utterance.turn, utterance.course.header
        staging.write(f"{split}/{utterance.name}.wav", sound.data)
        rows.append(
            {
                "file_name": f"{utterance.name}.wav",
                "transcription": turn.text if turn.words is not None else None,
                "detailed": turn.sro,
                "draft": turn.draft,
                "utterance": utterance.name,
                "speaker": utterance.speaker.speaker,
                "sex": utterance.speaker.sex,
                "age": utterance.speaker.age,
                "site": header["Site"],
                "session": header["Session"],
                "scenario": header["Scenario"],
                "number": turn.number,
                "response": turn.response,
                "class": turn.evaluation,
                "seconds": sound.seconds,
            }
        )
    staging.write(f"{split}/metadata.jsonl", json_lines(typed_first(rows)))
    configs = CARD.format(split=split).splitlines()
    staging.write("README.md", card.render(description_of(contents), len(found), configs))
    return PackageSummary(len(found), speakers_of(found), HOW, set_aside(contents))


def typed_first(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """The rows, the first ones that know a value of each column before all others.

    Loaders take types from the first ten megabytes and fail where a column that was null up to there is not null later.
    """
    columns = rows[0] if rows else ()
    leading = [next((place for place, row in enumerate(rows) if row[column] is not None), 0) for column in columns]
    order = dict.fromkeys([*sorted(leading), *range(len(rows))])
    return [rows[place] for place in order]
