"""NIST's STM, the time-marked reference: file, channel, speaker, begin, end, labels, words.

Each waveform is one segment. Labels give sex and site, and are declared at the head, so that sclite reports by them.
"""

from collections.abc import Iterable

import msgspec

from corpus.io.staging import Staging
from corpus.packages.base import Contents, PackageSummary, Spoken, speakers_of, transcribed

HOW = """\
ref.stm is a time-marked reference: each waveform is one segment. With a hypothesis in CTM:
    sclite -e utf-8 -r ref.stm stm -h hyp.ctm ctm -o sum"""
_SEXES = {"m": ("M", "male speakers"), "f": ("F", "female speakers")}


class Segment(msgspec.Struct, frozen=True, order=True):
    """One line; begin and end in seconds of the file."""

    file: str
    channel: str
    begin: float
    end: float
    speaker: str
    labels: tuple[str, ...]
    text: str


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write `ref.stm`, every spoken utterance that has been transcribed."""
    found, notes = transcribed(contents)
    lengths = contents.seconds(utterance.path for utterance in found)
    staging.write(
        "ref.stm", render(_segment(utterance, seconds) for utterance, seconds in zip(found, lengths, strict=True))
    )
    return PackageSummary(len(found), speakers_of(found), HOW, notes)


def _segment(utterance: Spoken, seconds: float) -> Segment:
    return Segment(
        utterance.name,
        "A",
        0.0,
        seconds,
        utterance.speaker.speaker,
        ("O", _SEXES.get(utterance.speaker.sex, ("N",))[0], utterance.course.header["Site"].upper()),
        utterance.turn.text,
    )


def render(segments: Iterable[Segment]) -> bytes:
    """Declarations of the labels, then the segments sorted by file, channel and time."""
    ordered = sorted(segments)
    sites = sorted({segment.labels[2] for segment in ordered})
    head = ['CATEGORY "0" "" ""', 'LABEL "O" "Overall" "all utterances"', 'CATEGORY "1" "Sex" ""']
    head += [
        f'LABEL "{label}" "{meaning}" ""' for label, meaning in (*_SEXES.values(), ("N", "sex other or not stated"))
    ]
    head += ['CATEGORY "2" "Site" ""', *(f'LABEL "{site}" "{site}" "collected there"' for site in sites)]
    lines = [f";; {line}\n" for line in head]
    for segment in ordered:
        labels = ",".join(segment.labels)
        words = f" {segment.text}" if segment.text else ""
        lines.append(
            f"{segment.file} {segment.channel} {segment.speaker} {segment.begin:.3f} {segment.end:.3f} <{labels}>{words}\n"
        )
    return "".join(lines).encode()
