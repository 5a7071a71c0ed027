"""lhotse manifests as plain JSON lines: recordings and supervisions.

Every count of samples is that of the file as written: manifests that promise another length are lhotse's most frequent
trouble.
"""

from corpus import riff
from corpus.directory import Staging
from corpus.packages import Packed, json_lines, riff_of, spoken
from corpus.reading import Corpus

HOW = """\
lhotse manifests. Sources are relative to this directory:
    RecordingSet.from_jsonl("recordings.jsonl").with_path_prefix("THIS-DIRECTORY")
A supervision's text is the lexical form (.lsn); custom holds the detailed one and what the log says."""


def write(corpus: Corpus, staging: Staging) -> Packed:
    """Write both manifests and the waveforms."""
    recordings: list[dict[str, object]] = []
    supervisions: list[dict[str, object]] = []
    for each in sorted(spoken(corpus), key=lambda each: each.name):
        sound, turn, header = riff_of(corpus, each.path), each.turn, each.course.header
        path = f"audio/{each.speaker.speaker}/{each.name}.wav"
        staging.write(path, riff.render(sound))
        duration = sound.header.sample_count / sound.header.sample_rate
        recordings.append(
            {
                "id": each.name,
                "sources": [{"type": "file", "channels": [0], "source": path}],
                "sampling_rate": sound.header.sample_rate,
                "num_samples": sound.header.sample_count,
                "duration": duration,
                "channel_ids": [0],
            }
        )
        custom = {
            "detailed": turn.sro,
            "draft": turn.draft,
            "site": header["Site"],
            "session": header["Session"],
            "scenario": header["Scenario"],
            "class": turn.evaluation,
        }
        row: dict[str, object] = {"id": each.name, "recording_id": each.name, "start": 0.0, "duration": duration}
        row |= {"channel": 0, "speaker": each.speaker.speaker, "custom": custom}
        row |= {"text": turn.text} if turn.words is not None else {}
        row |= {"gender": each.speaker.sex} if each.speaker.sex else {}
        supervisions.append(row)
    staging.write("recordings.jsonl", json_lines(recordings))
    staging.write("supervisions.jsonl", json_lines(supervisions))
    withheld = len(corpus.manifest.withheld)
    notes = (f"{withheld} waveforms whose speakers did not agree to hand over audio",) if withheld else ()
    return Packed(len(recordings), HOW, notes)
