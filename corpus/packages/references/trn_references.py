"""The reference side of a word error rate as a package, in NIST's TRN (`corpus.formats.nist.trn`).

An utterance with words that nobody could make out is in no test: an empty reference would count every word there as put in.
"""

from corpus.analysis.turns import Turn
from corpus.formats import lsn, sro
from corpus.formats.errors import counted
from corpus.formats.nist.trn import render
from corpus.io.staging import Refused, Staging
from corpus.packages.package_writer import Contents, PackageSummary, speakers_of, transcribed

HOW = """\
ref.trn is a reference for sclite; write a hypothesis file with the same ids, then:
    sclite -D -i spu_id -e utf-8 -r ref.trn trn -h hyp.trn trn -o sum pralign stdout
Words in brackets, of which the transcriber was not sure, are optional; that is what -D means."""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write `ref.trn`, every spoken utterance that has been transcribed."""
    every, notes = transcribed(contents)
    found = [utterance for utterance in every if not utterance.turn.unknown]
    if not found:
        raise Refused("every transcription has words that nobody knows, and such utterances are in no test")
    if len(found) < len(every):
        notes = (
            *notes,
            f"{counted(len(every) - len(found), 'utterance')} with words that are masked or unintelligible",
        )
    staging.write("ref.trn", render({name(utterance.turn): reference(utterance.turn) for utterance in found}))
    return PackageSummary(len({utterance.turn.stem for utterance in found}), speakers_of(found), HOW, notes)


def name(turn: Turn) -> str:
    """The id of an utterance."""
    return f"{turn.stem[:3]}-{turn.stem}"


def reference(turn: Turn) -> str:
    """The words that a recogniser is held to; one of which the transcriber was not sure is in brackets, as optional."""
    if sro.Sign.UNCERTAIN_BEGINS not in turn.sro:
        return turn.text
    words, optional = list[str](), False
    for token in sro.parse(turn.sro, turn.stem).tokens:
        if isinstance(token, sro.Mark):
            optional = token.sign is sro.Sign.UNCERTAIN_BEGINS or (
                optional and token.sign is not sro.Sign.UNCERTAIN_ENDS
            )
        for word in lsn.derive(sro.Transcription((token,))).words:
            words.append(f"({word})" if optional else word)
    return " ".join(words)
