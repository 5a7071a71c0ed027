"""The reference side of a word error rate as a package, in NIST's TRN (`corpus.formats.nist.trn`)."""

from corpus.analysis.turns import Turn
from corpus.formats.nist.trn import render
from corpus.io.staging import Staging
from corpus.packages.base import Contents, PackageSummary, speakers_of, transcribed

HOW = """\
ref.trn is a reference for NIST's sclite; write a hypothesis file with the same ids, then:
    sclite -i spu_id -e utf-8 -r ref.trn trn -h hyp.trn trn -o sum pralign stdout
Without the last word the tables go to hyp.trn.sys and hyp.trn.pra. Debian's package sctk calls it `sctk sclite`."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write `ref.trn`, every spoken utterance that has been transcribed."""
    found, notes = transcribed(contents)
    staging.write("ref.trn", render({name(utterance.turn): utterance.turn.text for utterance in found}))
    return PackageSummary(len(found), speakers_of(found), HOW, notes)


def name(turn: Turn) -> str:
    """The id of an utterance."""
    return f"{turn.stem[:3]}-{turn.stem}"
