"""lhotse manifests as plain JSON lines: recordings and supervisions.

Every count of samples is that of the file as written: manifests that promise another length are lhotse's most frequent
trouble.
"""

from corpus.io.staging import Staging
from corpus.packages.package_writer import Contents, PackageSummary, json_lines, set_aside, speakers_of, spoken

HOW = """\
lhotse manifests. Sources are relative to this directory:
    RecordingSet.from_jsonl("recordings.jsonl").with_path_prefix("THIS-DIRECTORY")
A supervision's text is the lexical form (.lsn), empty where no word was spoken, not there where nobody has transcribed yet
or could make out all words; custom holds the detailed one and what the log says."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write both manifests and the waveforms."""
    recordings: list[dict[str, object]] = []
    supervisions: list[dict[str, object]] = []
    found = sorted(spoken(contents), key=lambda utterance: utterance.name)
    for utterance, sound in zip(found, contents.sounds(utterance.path for utterance in found), strict=True):
        turn, header = utterance.turn, utterance.course.header
        path = f"audio/{utterance.speaker.speaker}/{utterance.name}.{sound.kind}"
        staging.write(path, sound.data)
        recordings.append(
            {
                "id": utterance.name,
                "sources": [{"type": "file", "channels": [0], "source": path}],
                "sampling_rate": sound.rate,
                "num_samples": sound.samples,
                "duration": sound.seconds,
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
        row: dict[str, object] = {
            "id": utterance.name,
            "recording_id": utterance.name,
            "start": 0.0,
            "duration": sound.seconds,
        }
        row |= {"channel": 0, "speaker": utterance.speaker.speaker, "custom": custom}
        row |= {"text": turn.known_words} if turn.known_words is not None else {}
        row |= {"gender": utterance.speaker.sex} if utterance.speaker.sex else {}
        supervisions.append(row)
    staging.write("recordings.jsonl", json_lines(recordings))
    staging.write("supervisions.jsonl", json_lines(supervisions))
    return PackageSummary(len(found), speakers_of(found), HOW, set_aside(contents))
