"""`lexicon.doc`: every word of the transcriptions with its frequency, cumulative from release to release.

The historic layout is unknown. Ours has a word and its count on a line, with a tab between, sorted by word. Fragments
are no words; mispronounced and deleted words are.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from corpus.formats import sro
from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of, text_of
from corpus.formats.sro import Transcription, Word

_COUNT = re.compile("0*[1-9][0-9]{0,17}")


class CorpusLexicon(msgspec.Struct, frozen=True):
    """Words in lower case with their counts, sorted by word."""

    counts: tuple[tuple[str, int], ...]

    def __add__(self, other: "CorpusLexicon") -> "CorpusLexicon":
        return of_counts(Counter(dict(self.counts)) + Counter(dict(other.counts)))


def words(transcription: Transcription) -> Iterator[str]:
    """The words of one transcription, each as often as it was spoken."""
    for token in transcription.tokens:
        if isinstance(token, Word) and not token.fragment:
            yield token.text.replace(":", "")


def words_in(data: bytes, path: str) -> Iterable[str]:
    """The words in the bytes of a transcription, as `words` gives them; raises `FormatFault`.

    >>> [*words_in(b"show me\\n", "x.sro")], [*words_in(b"show [uh] fli-\\n", "x.sro")]
    (['show', 'me'], ['show'])
    """
    text = text_of(data, path)
    return text[:-1].split(" ") if sro.is_words_alone(text) else words(sro.parse(text, path))


def of_counts(counts: Counter[str]) -> CorpusLexicon:
    """The lexicon of words that are counted already."""
    return CorpusLexicon(tuple(sorted(counts.items())))


def parse(data: bytes | str, path: str) -> CorpusLexicon:
    """The lexicon in a file; raises `FormatFault` that names the line.

    >>> render(parse("a\\t2\\nto\\t1\\n", "lexicon.doc"))
    b'a\\t2\\nto\\t1\\n'
    """
    counts: list[tuple[str, int]] = []
    for number, line in enumerate(lines_of(data, path), start=1):
        word, tab, figure = line.partition("\t")
        if word.split() != [word] or not tab or not _COUNT.fullmatch(figure):
            raise FormatFault(path, number, f"{line[:60]!r}", "write a word, a tab and its count")
        if counts and counts[-1][0] >= word:
            raise FormatFault(path, number, f"{word!r} after {counts[-1][0]!r}", "sort the words, each once")
        counts.append((word, int(figure)))
    return CorpusLexicon(tuple(counts))


def render(lexicon: CorpusLexicon) -> bytes:
    """The bytes of the lexicon."""
    return "".join(f"{word}\t{figure}\n" for word, figure in lexicon.counts).encode()
