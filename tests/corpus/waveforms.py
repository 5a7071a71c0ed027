"""The description of one waveform."""

from datetime import UTC, datetime

from corpus.formats.sphere_header import WaveformDescription

WAVEFORM = WaveformDescription(
    utterance_id="8k8011ss",
    speaker_id="8k8",
    session="1",
    utterance="01",
    speaking_mode="spontaneous",
    recorded=datetime(1992, 11, 11, 12, 14, 16, 7_000, UTC),
    sample_rate=16000,
    recording_site="BBN",
    recording_environment="quiet office, door closed",
    microphone="Sennheiser HMD-414",
    database_id="air travel",
    database_version="1.0",
)
