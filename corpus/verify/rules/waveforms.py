"""Waveforms: header against name, header against log, samples against header, and audible problems.

With `headers` no sample is read: what needs samples is left out, and the report says so.
"""

import hashlib
import os
import re
from functools import lru_cache

import msgspec

from corpus.annotation import masked_sound
from corpus.annotation.masking import Pair
from corpus.formats import pcm, sphere, sphere_header, waveform
from corpus.formats.errors import FormatFault, counted
from corpus.formats.log.log_values import Log, Record
from corpus.formats.riff import RiffHeader
from corpus.formats.sphere import SphereFile, SphereHeader
from corpus.verify.rules.completeness import recorded_channels
from corpus.verify.rules.context import Context, Utterance
from corpus.verify.rules.encoding import unseen
from corpus.verify.rules.findings import Findings
from session.values.names import base36

FIELDS = (
    "utterance_id", "channel_count", "sample_count", "sample_rate", "sample_min", "sample_max", "sample_n_bytes",
    "sample_byte_format", "sample_sig_bits", "sample_coding", "sample_checksum", "speaker_id",
    "speaker_session_number", "session_utterance_number", "speaking_mode", "recording_site", "recording_date",
    "recording_time", "recording_environment", "microphone",
)  # fmt: skip
_UNKNOWN_OF_IMPORTED = frozenset({"recording_date", "recording_time", "recording_environment", "microphone"})
_KNOWN = frozenset(FIELDS) | {"database_id", "database_version", "prompt_id"}
_COUNT = re.compile("[0-9]{1,18}")
_REMARK = re.compile(rb"\n(?:[A-Za-z]\w*[ \t]+-[ir][ \t][^;\n]*)?;([^\n]*)")
SILENT_SHARE = 32 / 32_768  # of full scale: 60 dB below
CLIPPED_SHARE = 0.001
SHORTEST = 0.1  # seconds
_LONGEST_RIFF = 80  # bytes before the samples, with the extensible format and its count of samples


class Wave(msgspec.Struct, frozen=True, gc=False):
    """Fields that the headers of both formats have, asked for once; `body` is the length in bytes that the samples must have,
    `present` what is there."""

    count: int
    rate: int
    channels: int
    width: int
    linear: bool
    big_endian: bool
    offset: int
    body: int
    present: int
    header: SphereHeader | None
    surplus: str = ""


def check(utterance: Utterance, letter: str, path: str) -> None:
    """One waveform of an utterance."""
    read = _read(utterance.context, path)
    if read is None:
        return
    wave, file, data = read
    utterance.context.seen.formats.setdefault("SPHERE" if wave.header else "RIFF", path)
    if wave.header is not None:
        _header(utterance, letter, path, wave.header)
    _shape(utterance, path, wave)
    _against_log(utterance, letter, path, wave)
    if file is not None:
        _samples(utterance, letter, path, wave, file, data)


def alone(context: Context, path: str, speaker: str) -> None:
    """A waveform that never became an utterance: practice may be short and silent, but not damaged, and of no other person."""
    read = _read(context, path)
    if read is None:
        return
    wave, file, data = read
    if file is not None:
        context.hold(path, data)
    _length(context.findings, path, wave)
    if wave.surplus:
        context.findings.add("wave.surplus", path, wave.surplus)
    found = wave.header.as_text("speaker_id") if wave.header is not None else ""
    if found and speaker and found != speaker:
        context.findings.add("wave.identity", path, f"speaker_id is {found}, the session is of {speaker}")
    if isinstance(file, SphereFile):
        _figures(context.findings, path, file, pcm.levels(file.samples()))


def _read(context: Context, path: str) -> tuple[Wave, waveform.Waveform | None, bytes] | None:
    """What the header says; the file with its samples, and its bytes, where these are wanted. None, with a finding, for none."""
    data: bytes | None = b""
    try:
        if context.known.headers:
            return _headed(context, path), None, b""
        if (data := context.take(path)) is not None:
            file = waveform.parse(data, path)
            return _wave(file.header, len(data), data), file, data
    except FormatFault as fault:
        context.findings.add_fault("wave.form", fault)
        if data:
            context.hold(path, data)
    except OSError as error:
        context.findings.add("file.unreadable", path, error.strerror or "cannot be read")
    return None


def _headed(context: Context, path: str) -> Wave:
    """Of the file on disk, its header alone."""
    with context.open(path) as file:
        header = waveform.read_header(file, path)
        head = b""
        if isinstance(header, SphereHeader):
            file.seek(0)
            head = file.read(header.size) or b""
            if context.same_header(path, head) is False:
                _other_header(context, path)
        return _wave(header, os.fstat(file.fileno()).st_size, head)


def _wave(header: waveform.Header, size: int, head: bytes) -> Wave:
    """What the header of a file of `size` bytes says, which begins with `head`."""
    count, width, channels, offset = (
        header.sample_count,
        header.sample_n_bytes,
        header.channel_count,
        header.data_offset,
    )
    body, present = count * width * channels, size - offset
    own = header if isinstance(header, SphereHeader) else None
    if own is None:
        present = min(present, body)  # other chunks may follow
    return Wave(
        count, header.sample_rate, channels, width, header.coding is pcm.SampleCoding.PCM, header.big_endian, offset,
        body, present, own, _surplus(own, head[:offset]) if own else _chunks(header, size),
    )  # fmt: skip


def _surplus(header: SphereHeader, head: bytes) -> str:
    """Return what a SPHERE header holds beside the fields of MADCOW; empty if there is nothing."""
    unknown = [name for name, _ in header.fields if name not in _KNOWN]
    if unknown:
        return f"the field {unknown[0]}"
    if b";" in head and (remark := _REMARK.search(head)):
        return f"the remark {remark[1][:40]!r}"
    return f"{behind[:20]!r} behind end_head" if (behind := sphere.padding(head)) else ""


def _chunks(header: waveform.Header, size: int) -> str:
    """Chunks that a RIFF file has beside format and samples; empty if there is none."""
    body = header.sample_count * header.frame_bytes
    behind = size - header.data_offset - body - body % 2
    other = behind > 0 or header.data_offset > _LONGEST_RIFF or (isinstance(header, RiffHeader) and header.others)
    return "other chunks than format and samples" if other else ""


def _header(utterance: Utterance, letter: str, path: str, header: SphereHeader) -> None:
    fields = header.by_name
    if missing := [name for name in FIELDS if _is_blank(fields.get(name))]:
        imported = utterance.log is not None and utterance.log.imported
        if found := ", ".join(name for name in missing if not imported or name not in _UNKNOWN_OF_IMPORTED):
            utterance.findings.add("wave.field-missing", path, f"no {found}")
    stem = utterance.stem[:-1] + letter
    expected = (stem, stem[:3], stem[5], base36(utterance.number, 2))
    if (identity := sphere_header.identity(header)) != expected:
        names = ("utterance_id", "speaker_id", "speaker_session_number", "session_utterance_number")
        for name, found, right in zip(names, identity, expected, strict=True):
            if found and found != right:
                utterance.findings.add("wave.identity", path, f"{name} is {found}, the file name says {right}")
    mode, right = header.as_text("speaking_mode"), sphere_header.SPEAKING_MODES[stem[6]]
    if mode and mode != right and mode != right.partition("-")[0]:
        utterance.findings.add("wave.identity", path, f"speaking_mode is {mode}, the file name says {right}")
    for name, value in header.fields:
        if type(value) is str and not _showable(value):
            utterance.findings.add("text.unicode", path, f"{name} holds characters that cannot be shown: {value!r}")


def _is_blank(value: sphere.Value | None) -> bool:
    return value is None or (type(value) is str and not value.strip())


@lru_cache(maxsize=1024)
def _showable(value: str) -> bool:
    return "\ufffd" not in value and (value.isprintable() or not (unseen(value) or {*value} & {*"\t\n\r"}))


def _shape(utterance: Utterance, path: str, wave: Wave) -> None:
    _length(utterance.findings, path, wave)
    if wave.surplus:
        utterance.findings.add("wave.surplus", path, wave.surplus)
    if wave.channels != 1:
        utterance.findings.add("wave.channels", path, f"{counted(wave.channels, 'channel')} in one file")
    significant = wave.header.get("sample_sig_bits") if wave.header is not None else None
    if wave.linear and significant not in (None, 8 * wave.width):
        found = f"{significant} significant bits of {8 * wave.width}"
        utterance.findings.add("wave.coding", path, found)
    if not wave.linear or wave.width != 2:
        utterance.findings.add(
            "wave.coding", path, f"{8 * wave.width} bits, {'linear' if wave.linear else 'companded'}"
        )
    if wave.header is not None and wave.big_endian and wave.width > 1:
        utterance.findings.add("wave.coding", path, "the most significant byte comes first")
    if wave.count == 0:
        utterance.findings.add("wave.empty", path, "no samples")
    elif wave.count < SHORTEST * wave.rate:
        utterance.findings.add("wave.short", path, f"{wave.count / wave.rate:.3f} s long")


def _length(findings: Findings, path: str, wave: Wave) -> None:
    if wave.body != wave.present:
        found = f"the header announces {wave.body} bytes of samples, {wave.present} are there"
        findings.add("wave.length", path, found)


def _against_log(utterance: Utterance, letter: str, path: str, wave: Wave) -> None:
    block = utterance.block
    if block is None:
        return
    if (seal := _seal(block.sealed, letter)) and int(seal[0]) != wave.count:
        utterance.findings.add("wave.count", path, f"{wave.count} samples in the header, {seal[0]} in the log")
    if channel := recorded_channels(utterance).get(letter):
        rate, microphone = channel
        if rate != wave.rate:
            utterance.findings.add("wave.rate", path, f"{wave.rate} Hz in the header, {rate} Hz in the log")
        found = wave.header.as_text("microphone") if wave.header is not None else ""
        if wave.header is not None and found != sphere_header.header_text(microphone):
            utterance.findings.add("wave.microphone", path, f"{found!r} in the header, {microphone!r} in the log")
    began = block.first("Recording_begin")
    if began is not None and wave.header is not None:
        _date(utterance, path, wave.header, began)
    if utterance.log is not None and wave.header is not None:
        _description(utterance, path, wave.header, utterance.log)


def _description(utterance: Utterance, path: str, header: SphereHeader, log: Log) -> None:
    keys = ("Site", "Domain", "Protocol", "Database_version", "Noise", "Room")
    for name, right, said in _described(*map(log.get, keys)):
        if (found := header.as_text(name)) and found not in right:
            utterance.findings.add("wave.description", path, f"{name} is {found!r}, {said}")


@lru_cache(maxsize=256)
def _described(
    site: str, domain: str, protocol: str, version: str, noise: str, room: str
) -> tuple[tuple[str, tuple[str, ...], str], ...]:
    """What headers must say by a log, field by field: what may stand there, and how it is told."""
    fields: list[tuple[str, tuple[str, ...], str]] = []
    corpus = sphere_header.corpus_id(site, domain), sphere_header.corpus_version(protocol)
    early = domain, version  # which headers of before named
    for name, *both in zip(("database_id", "database_version"), corpus, early, strict=True):
        fields.append((name, tuple(map(sphere_header.header_text, both)), f"by the log {both[0]!r}"))
    surroundings = ", ".join(filter(None, (noise, room)))
    for name, right in (("recording_site", site), ("recording_environment", surroundings)):
        fields.append((name, (sphere_header.header_text(right),), f"the log says {right!r}"))
    return tuple(fields)


def _date(utterance: Utterance, path: str, header: SphereHeader, began: Record) -> None:
    right = sphere_header.stamp_text(began.moment.at)
    found = f"{header.as_text('recording_date')} {header.as_text('recording_time')}"
    if found.strip() and found != right:
        utterance.findings.add("wave.date", path, f"{found} in the header, {right} in the log")


def _seal(ended: Record | None, letter: str) -> tuple[str, str] | None:
    for value in ended.all("Samples") if ended else ():
        name, _, rest = value.partition(" ")
        count, _, sha256 = rest.partition(" ")
        if name == letter and _COUNT.fullmatch(count):
            return count, sha256
    return None


def _samples(utterance: Utterance, letter: str, path: str, wave: Wave, file: waveform.Waveform, data: bytes) -> None:
    """The samples in `data`, the whole file: held against the log, and with their header, or all of it, against the manifest."""
    context, digest = utterance.context, hashlib.sha256(file.data)
    stretches = context.masked(path)
    if file.data and not stretches:  # two tones of one length are no copies of one another
        context.seen.sounds.append((digest.digest(), path))
    seal = _seal(utterance.block.sealed, letter) if utterance.block else None
    sealed = not stretches and seal is not None and seal[1] == digest.hexdigest()
    same = context.same_header(path, data[: wave.offset]) if isinstance(file, SphereFile) else None
    if not (sealed and same) and context.hold(path, data) and same is False:
        _other_header(context, path)
    if stretches:
        _masks(utterance, path, file, stretches)
    elif seal is not None and not sealed:
        utterance.findings.add("wave.seal", path, "other samples than those that were recorded")
    _levels(utterance, path, wave, file)


def _other_header(context: Context, path: str) -> None:
    context.findings.add("manifest.hash", path, "the header is not the one that the manifest lists")


def _masks(utterance: Utterance, path: str, file: waveform.Waveform, stretches: tuple[Pair, ...]) -> None:
    """Masked samples cannot be compared with their seal; that the masks are there can be seen."""
    for first, last in masked_sound.unbleeped(file, stretches):
        utterance.findings.add("wave.mask", path, f"samples {first} to {last} are to be masked and are not")
    count = sum(last - first for first, last in stretches)
    utterance.findings.add(
        "wave.masked", path, f"{counted(count, 'sample')} in {len(stretches)} stretch{'es' * (len(stretches) != 1)}"
    )


def _levels(utterance: Utterance, path: str, wave: Wave, file: waveform.Waveform) -> None:
    full = 1 << (8 * wave.width - 1 if wave.linear else 15)
    level = pcm.levels(file.samples(), full - 1)
    if isinstance(file, SphereFile):
        _figures(utterance.findings, path, file, level)
    count = len(file.data) // wave.width
    if count and level.peak < SILENT_SHARE * full:
        utterance.findings.add("wave.silent", path, f"no sample exceeds {level.peak} of {full}")
    if level.clipped > CLIPPED_SHARE * max(count, 1):
        utterance.findings.add("wave.clipped", path, f"{level.clipped} samples at full scale")


def _figures(findings: Findings, path: str, file: SphereFile, level: pcm.Levels) -> None:
    stated = file.header.get("sample_checksum")
    if stated is not None and stated != file.checksum():
        findings.add("wave.checksum", path, f"sample_checksum is {stated}, the samples give {file.checksum()}")
    limits = (file.header.get("sample_min"), file.header.get("sample_max"))
    if None not in limits and limits != (level.minimum, level.maximum):
        found = f"{limits[0]} to {limits[1]} in the header, {level.minimum} to {level.maximum} in the samples"
        findings.add("wave.extremes", path, found)
