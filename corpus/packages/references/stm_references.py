"""The reference side of a word error rate as a package, in NIST's STM (`corpus.formats.nist.stm`).

Each waveform is one segment. Labels give sex and site, and are declared at the head, so that sclite reports by them. A segment
with words that nobody could make out is marked, so that nothing there is scored.
"""

from collections.abc import Iterable

from corpus.formats.nist.stm import IGNORED, Segment, render
from corpus.io.staging import Staging
from corpus.packages.package_writer import Contents, PackageSummary, SpokenUtterance, speakers_of, transcribed
from corpus.packages.references.trn_references import reference

HOW = """\
ref.stm is a time-marked reference: each waveform is one segment. With a hypothesis in CTM:
    sclite -D -e utf-8 -r ref.stm stm -h hyp.ctm ctm -o sum lur stdout
Without the last word the tables go to hyp.ctm.sys and hyp.ctm.lur. Debian's package sctk calls it `sctk sclite`."""
_SEXES = {"m": ("M", "male speakers"), "f": ("F", "female speakers")}


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write `ref.stm`, every spoken utterance that has been transcribed."""
    found, notes = transcribed(contents)
    lengths = contents.seconds(utterance.path for utterance in found)
    segments = [_segment(utterance, seconds) for utterance, seconds in zip(found, lengths, strict=True)]
    sites = sorted({segment.labels[2] for segment in segments})
    staging.write("ref.stm", render(segments, declarations(sites)))
    return PackageSummary(len(found), speakers_of(found), HOW, notes)


def _segment(utterance: SpokenUtterance, seconds: float) -> Segment:
    return Segment(
        utterance.name,
        "A",
        0.0,
        seconds,
        utterance.speaker.speaker,
        ("O", _SEXES.get(utterance.speaker.sex, ("N",))[0], utterance.course.header["Site"].upper()),
        IGNORED if utterance.turn.unknown else reference(utterance.turn),
    )


def declarations(sites: Iterable[str]) -> list[str]:
    """Lines that declare the labels: one for all utterances, the sexes, the sites."""
    head = ['CATEGORY "0" "" ""', 'LABEL "O" "Overall" "all utterances"', 'CATEGORY "1" "Sex" ""']
    head += [
        f'LABEL "{label}" "{meaning}" ""' for label, meaning in (*_SEXES.values(), ("N", "sex other or not stated"))
    ]
    return [*head, 'CATEGORY "2" "Site" ""', *(f'LABEL "{site}" "{site}" "collected there"' for site in sites)]
