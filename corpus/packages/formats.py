"""The names of the formats that `curtain export --as` writes; without the writers, so that `--help` is fast."""

from enum import StrEnum


class WaveformFormat(StrEnum):
    """A corpus in the MADCOW layout, by the format of its waveforms."""

    SPHERE = "sphere"
    RIFF = "riff"


class ExportFormat(StrEnum):
    """A package made from a corpus; `corpus.packages.writers.writer_of` has the writer of each."""

    KALDI = "kaldi"
    AUDIOFOLDER = "audiofolder"
    LHOTSE = "lhotse"
    MANIFEST = "manifest"
    WEBDATASET = "webdataset"
    SHAR = "shar"
    PARQUET = "parquet"
    TRN = "trn"
    STM = "stm"
    TEXTGRID = "textgrid"
    ELAN = "elan"
    CHAT = "chat"
    BAGIT = "bagit"
    CSV = "csv"
    DIALOGUES = "dialogues"
    TEXT2SQL = "text2sql"


SOUNDING = (
    ExportFormat.KALDI,
    ExportFormat.AUDIOFOLDER,
    ExportFormat.LHOTSE,
    ExportFormat.MANIFEST,
    ExportFormat.WEBDATASET,
    ExportFormat.SHAR,
    ExportFormat.PARQUET,
    ExportFormat.STM,
    ExportFormat.TEXTGRID,
)
"""Formats of single waveforms, or of their times, in which microphones can be chosen."""
PACKING = (ExportFormat.AUDIOFOLDER, ExportFormat.LHOTSE, ExportFormat.MANIFEST, ExportFormat.WEBDATASET)
"""Formats that name their files of sound, so that these may be FLAC."""
