"""NIST's CTM, a recogniser's words with their times: file, channel, begin and length in seconds, word, confidence.

Lines that begin with `;;` are comments. `<ALT_BEGIN>`, `<ALT>` and `<ALT_END>` in place of a word enclose alternates, of
which an empty one stands for nothing; they do not hold further ones.
"""

import re

import msgspec

from corpus.formats.errors import FormatFault
from corpus.formats.safe_lines import lines_of

ALTERNATES = {"<ALT_BEGIN>": "{", "<ALT>": "/", "<ALT_END>": "}"}
_NUMBER = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_CHANNELS = 2
_TIMES = 4
_UNCLOSED = (
    "alternates that nothing closes",
    "write <ALT_END> behind them, before other alternates or another channel",
)


class TimedWord(msgspec.Struct, frozen=True, gc=False):
    """One line: a word, or a mark of alternates, which has the times of the word before it where its own are not given."""

    file: str
    channel: str
    begin: float
    length: float
    text: str
    line: int

    @property
    def middle(self) -> float:
        return self.begin + self.length / 2

    @property
    def place(self) -> tuple[str, str]:
        """File and channel, whose case tells none apart."""
        return self.file.lower(), self.channel.lower()


def parse(data: bytes | str, path: str) -> list[TimedWord]:
    """The words in a file, in its order; raises `FormatFault` for a line that is none, words that go back in time, or
    alternates that begin and end at the wrong places. Within alternates times begin again.

    >>> [word.text for word in parse("f1 A 0.1 0.2 show 0.9", "hyp.ctm")]
    ['show']
    """
    found: list[TimedWord] = []
    earlier: TimedWord | None = None
    opened: TimedWord | None = None
    for number, line in enumerate(lines_of(data, path), start=1):
        if not line.strip() or line.startswith(";;"):
            continue
        word = _word(line.split(), found[-1] if found else None, path, number)
        if opened is None and word.text not in ALTERNATES:
            if earlier is not None and earlier.place == word.place and word.begin < earlier.begin:
                remedy = "sort the words of each file and channel by time"
                raise FormatFault(path, number, f"a word at {word.begin:g} s after one at {earlier.begin:g} s", remedy)
            earlier = word
        opened = _opened(opened, word, path)
        found.append(word)
    if opened is not None:
        raise FormatFault(path, opened.line, *_UNCLOSED)
    return found


def _opened(opened: TimedWord | None, word: TimedWord, path: str) -> TimedWord | None:
    """Return the `<ALT_BEGIN>` within whose alternates the next line stands."""
    if opened is not None and (word.place != opened.place or word.text == "<ALT_BEGIN>"):
        raise FormatFault(path, opened.line, *_UNCLOSED)
    if opened is None and word.text in ("<ALT>", "<ALT_END>"):
        raise FormatFault(path, word.line, f"{word.text} outside of alternates", "write <ALT_BEGIN> before them")
    if word.text == "<ALT_BEGIN>":
        return word
    return None if word.text == "<ALT_END>" else opened


def _word(cells: list[str], before: TimedWord | None, path: str, number: int) -> TimedWord:
    remedy = "write file, channel, begin and length in seconds, word, and perhaps a confidence"
    if len(cells) <= _TIMES:
        raise FormatFault(path, number, "no word", remedy)
    text = ALTERNATES.get(cells[_TIMES].upper())
    begin, length = cells[_CHANNELS:_TIMES]
    if text is not None and "*" in (begin, length):
        begin, length = (f"{before.begin}", "0") if before else ("0", "0")
    if not (_NUMBER.fullmatch(begin) and _NUMBER.fullmatch(length)):
        raise FormatFault(path, number, f"{begin} {length}, which are not times", remedy)
    named = cells[_TIMES].upper() if text is not None else cells[_TIMES]
    return TimedWord(cells[0], cells[1], float(begin), float(length), named, number)
