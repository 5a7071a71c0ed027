"""`.win`: the wizard's English-like sentences for the database front end, one interpretation a line.

Made by annotators from the `.sro` under the Principles of Interpretation; the `.sql` is made from it (MADCOW 1992, section 5).
"""

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of


class Sentences(msgspec.Struct, frozen=True):
    """One sentence per interpretation, words separated by single blanks."""

    sentences: tuple[str, ...]


def parse(data: bytes | str, path: str) -> Sentences:
    """The sentences in a file; raises `FormatFault` for an empty one: class X utterances have no `.win`.

    >>> render(parse("list  flights\\n", "x.win"))
    b'list flights\\n'
    """
    lines = [line.replace("\ufeff", " ").split() for line in lines_of(data, path)]
    sentences = tuple([" ".join(words) for words in lines if words])
    if not sentences:
        raise FormatFault(path, 0, "no sentence in the file", "remove the file or write a sentence a line")
    return Sentences(sentences)


def render(sentences: Sentences) -> bytes:
    """One line a sentence; raises ValueError if the first one begins with what a reader takes for a byte order mark."""
    text = "".join(sentence + "\n" for sentence in sentences.sentences)
    if text.startswith("\ufeff"):
        raise ValueError(f"{sentences.sentences[0]!r} begins with U+FEFF: take it away, it cannot be seen")
    return text.encode()
