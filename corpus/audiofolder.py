"""Hugging Face's AudioFolder: waveforms in one folder, `metadata.jsonl` beside them.

Loaders guess splits from names, so nothing here is called train or test; metadata that lie elsewhere are silently
ignored, so they lie with the waveforms; and the card names the folder, so that no other file is taken for data.
"""

from corpus import riff
from corpus.directory import Staging
from corpus.packages import Packed, json_lines, riff_of, spoken
from corpus.reading import Corpus

HOW = """\
For Hugging Face datasets: load_dataset("audiofolder", data_dir="THIS-DIRECTORY/data"). One row an utterance;
`transcription` is the lexical form (.lsn), `detailed` the detailed one (.sro), null where there is none; `draft` marks
transcriptions that nobody has checked."""

CARD = """\
---
configs:
- config_name: default
  drop_labels: true
  data_files: "data/**"
---
# Spoken language collected with a Wizard of Oz

See README.txt and DATASHEET.md.
"""


def write(corpus: Corpus, staging: Staging) -> Packed:
    """Write the card, the waveforms and their metadata."""
    rows: list[dict[str, object]] = []
    for each in spoken(corpus):
        sound, turn, header = riff_of(corpus, each.path), each.turn, each.course.header
        staging.write(f"data/{each.name}.wav", riff.render(sound))
        rows.append(
            {
                "file_name": f"{each.name}.wav",
                "transcription": turn.text if turn.words is not None else None,
                "detailed": turn.sro or None,
                "draft": turn.draft,
                "utterance": each.name,
                "speaker": each.speaker.speaker,
                "sex": each.speaker.sex or None,
                "age": each.speaker.age,
                "site": header["Site"],
                "session": header["Session"],
                "scenario": header["Scenario"],
                "number": turn.number,
                "response": turn.response or None,
                "class": turn.evaluation or None,
                "seconds": sound.header.sample_count / sound.header.sample_rate,
            }
        )
    staging.write("data/metadata.jsonl", json_lines(rows))
    staging.write("README.md", CARD.encode())
    withheld = len(corpus.manifest.withheld)
    notes = (f"{withheld} waveforms whose speakers did not agree to hand over audio",) if withheld else ()
    return Packed(len(rows), HOW, notes)
