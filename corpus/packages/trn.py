"""NIST's TRN, the reference side of a word error rate: one utterance a line, its id in brackets at the end.

The id is speaker, hyphen, name, which sclite calls `spu_id`. Words hold letters, apostrophes and a fragment's hyphen only,
so none of the marks that mean something to sclite (braces, slashes, brackets) can come from a transcription.
"""

from collections.abc import Iterable

from corpus.analysis.turns import Turn
from corpus.io.staging import Staging
from corpus.packages.base import Contents, PackageSummary, speakers_of, transcribed

HOW = """\
ref.trn is a reference for sclite; write a hypothesis file with the same ids, then:
    sclite -i spu_id -e utf-8 -r ref.trn trn -h hyp.trn trn -o sum pralign"""


def write(contents: Contents, staging: Staging) -> PackageSummary:
    """Write `ref.trn`, every spoken utterance that has been transcribed."""
    found, notes = transcribed(contents)
    staging.write("ref.trn", render(each.turn for each in found))
    return PackageSummary(len(found), speakers_of(found), HOW, notes)


def render(turns: Iterable[Turn]) -> bytes:
    """The lines, sorted by id."""
    lines = sorted((name(turn), turn.text) for turn in turns)
    return "".join(f"{text}{' ' * bool(text)}({key})\n" for key, text in lines).encode()


def parse(data: bytes) -> dict[str, str]:
    """Text by id; raises ValueError for a line without an id."""
    found: dict[str, str] = {}
    for line in data.decode().splitlines():
        text, bracket, key = line.rpartition("(")
        if not bracket or not key.endswith(")"):
            raise ValueError(f"{line!r} has no id in brackets at its end")
        found[key[:-1]] = text.strip()
    return found


def name(turn: Turn) -> str:
    """The id of an utterance."""
    return f"{turn.stem[:3]}-{turn.stem}"
