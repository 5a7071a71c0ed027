"""NIST's TRN: one utterance a line, its words, then its id in brackets: either side of a word error rate.

The id is speaker, hyphen, name, which sclite calls `spu_id`. Words hold letters, apostrophes and a fragment's hyphen only,
so none of the marks that mean something to sclite (braces, slashes, brackets) can come from a transcription.
"""

from collections.abc import Mapping

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of


def parse(data: bytes | str, path: str) -> dict[str, str]:
    """Return the words by id; raises `FormatFault` for a line without an id, or an id that comes twice.

    >>> render(parse("SHOW ME (8k1-8k1011sx)\\n", "ref.trn"))
    b'SHOW ME (8k1-8k1011sx)\\n'
    """
    found: dict[str, str] = {}
    for number, line in enumerate(lines_of(data, path), start=1):
        if not line.strip() or line.startswith(";;"):
            continue
        text, bracket, key = line.rstrip().rpartition("(")
        if not bracket or not key.endswith(")") or not key[:-1].strip():
            raise FormatFault(
                path, number, "no id at the end of the line", "end it with the utterance's id in brackets"
            )
        if key[:-1] in found:
            raise FormatFault(path, number, f"{key[:-1]} is there twice", "keep one of them")
        found[key[:-1]] = " ".join(text.split())
    return found


def render(texts: Mapping[str, str]) -> bytes:
    """Return the lines, sorted by id."""
    return "".join(f"{text}{' ' * bool(text)}({key})\n" for key, text in sorted(texts.items())).encode()
