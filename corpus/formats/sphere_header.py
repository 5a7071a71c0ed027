"""The SPHERE header of a MADCOW waveform: which fields, in which order, with which values.

The set is that of NIST's own example (SPHERE 2.6 manual, section III) and of WSJCAM0, which copied NIST's convention;
the order puts NIST's standard fields first, so that readers which see only the first 1,024 bytes find what they need.
`speaker_sex` is not among them: it lives in `doc/spkrinfo.log`.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

import msgspec

from corpus.formats import pcm as samples
from corpus.formats.safe_lines import escaped
from corpus.formats.sphere import SphereFile, SphereHeader, Value, fitting

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_US = 86_400_000_000
_LONGEST = 120  # bytes of one text; the needed fields stay within the first block
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


SPEAKING_MODES = {"s": "spontaneous", "v": "spontaneous-voice", "r": "read", "c": "read-common"}
"""The field `speaking_mode` by the mode in the name: `v` is spontaneous speech with answers by voice alone."""


def corpus_id(site: str, domain: str) -> str:
    """The field `database_id`: which collection of speech this is, as NIST's `wsj1`.

    >>> corpus_id("bbn", "air_travel")
    'bbn-air_travel'
    """
    return "-".join(filter(None, (site, "_".join(domain.split()))))


def corpus_version(protocol: str) -> str:
    """The field `database_version`: the version of the collection is that of the protocol under which it was made."""
    return protocol[:12]


class WaveformDescription(msgspec.Struct, frozen=True, kw_only=True):
    """Description of one channel of one utterance beside its samples; empty texts leave their field out, as None does."""

    utterance_id: str
    speaker_id: str
    session: str
    utterance: str
    speaking_mode: str
    recorded: datetime | None
    sample_rate: int
    recording_site: str = ""
    recording_environment: str = ""
    microphone: str = ""
    database_id: str = ""
    database_version: str = ""


def sphere_file(waveform: WaveformDescription, pcm: bytes) -> SphereFile:
    """The file for 16-bit little-endian mono samples; raises ValueError for half a sample."""
    values = samples.decode(pcm, samples.SampleCoding.PCM, 2, 1, big_endian=False)
    level = samples.levels(values)
    fields: list[tuple[str, Value]] = [
        ("database_id", header_text(waveform.database_id)),
        ("database_version", header_text(waveform.database_version)),
        ("utterance_id", waveform.utterance_id),
        ("channel_count", 1),
        ("sample_count", len(values)),
        ("sample_rate", waveform.sample_rate),
        ("sample_min", level.minimum),
        ("sample_max", level.maximum),
        ("sample_n_bytes", 2),
        ("sample_byte_format", "01"),
        ("sample_sig_bits", 16),
        ("sample_coding", "pcm"),
        ("sample_checksum", samples.checksum(pcm, 2, big_endian=False)),
        ("speaker_id", waveform.speaker_id),
        ("speaker_session_number", waveform.session),
        ("session_utterance_number", waveform.utterance),
        ("speaking_mode", waveform.speaking_mode),
        ("recording_site", header_text(waveform.recording_site)),
        ("recording_date", date_text(waveform.recorded) if waveform.recorded else ""),
        ("recording_time", time_text(waveform.recorded) if waveform.recorded else ""),
        ("recording_environment", header_text(waveform.recording_environment)),
        ("microphone", header_text(waveform.microphone)),
    ]
    return SphereFile(fitting(tuple((name, value) for name, value in fields if value != "")), pcm)


def identity(header: SphereHeader) -> tuple[str, str, str, str]:
    """Utterance id, speaker, session and utterance number as the header gives them, empty if it does not."""
    return (
        header.as_text("utterance_id"),
        header.as_text("speaker_id"),
        header.as_text("speaker_session_number"),
        header.as_text("session_utterance_number"),
    )


@lru_cache(maxsize=1024)
def header_text(text: str) -> str:
    """`text` as a header can hold it: one line, at most 120 bytes, without the word that would end the header."""
    safe = escaped(text.strip()).replace("end_head", "end head").encode()[:_LONGEST]
    return safe.decode("utf-8", "ignore").strip()


def date_text(moment: datetime) -> str:
    """A date as MADCOW writes it, DD-Mmm-YYYY, in English whatever the locale.

    >>> date_text(datetime(1992, 11, 11))
    '11-Nov-1992'
    """
    return f"{moment.day:02d}-{_MONTHS[moment.month - 1]}-{moment.year:04d}"


def time_text(moment: datetime) -> str:
    """A time as MADCOW writes it, HH:MM:SS.hh, cut (not rounded) to hundredths of a second."""
    return _clock(moment.hour, moment.minute, moment.second, moment.microsecond)


def stamp_text(at: int) -> str:
    """Date and time, as the header has them, of so many microseconds after 1970 (UTC).

    >>> stamp_text(721_495_845_720_000)
    '11-Nov-1992 15:30:45.72'
    """
    days, within = divmod(at, _DAY_US)
    seconds, microseconds = divmod(within, 1_000_000)
    return f"{_day(days)} {_clock(seconds // 3600, seconds // 60 % 60, seconds % 60, microseconds)}"


@lru_cache(maxsize=64)
def _day(number: int) -> str:
    """The date of a day counted from 1970: a corpus has few, and a verification asks for each header."""
    return date_text(_EPOCH + timedelta(days=number))


def _clock(hour: int, minute: int, second: int, microsecond: int) -> str:
    return f"{hour:02d}:{minute:02d}:{second:02d}.{microsecond // 10_000:02d}"
